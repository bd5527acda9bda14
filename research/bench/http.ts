import type { Exchange, MockFacts, Row, Subject } from './subject.js';
import { ratio, startBare, startMock, startPrism } from './subject.js';

/** Throughput of the mock against bare node:http, against Prism, and of far pages against near ones. */
export async function httpRows(): Promise<Row[]> {
  const mock = await startMock();
  const reads = await readsOf(mock);
  const token: Exchange = {
    target: '/oauth/token',
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: 'example-service',
      client_secret: process.env.BENCH_SECRET ?? 'service-secret',
      scope: 'service:leagues',
    }).toString(),
  };
  const bare = await startBare([...reads.map(([, exchange]) => exchange), token], mock.url);
  const prism = await startPrism();
  try {
    const rows: Row[] = [];
    for (const [name, exchange] of reads)
      rows.push(atLeast(0.5, `${name}, against bare node:http with the same bytes`, await ratio(mock, bare, exchange)));
    for (const [name, exchange] of reads)
      rows.push(atLeast(6, `${name}, against Prism static`, await ratio(mock, prism, exchange)));
    const issuance = 'client_credentials issuance, against a bare POST that reads the body';
    rows.push(atLeast(0.25, issuance, await ratio(mock, bare, token)));
    const far = await farLadder(mock, bearer(mock, 'service'));
    rows.push(atLeast(0.85, 'ladder page at offset 14,900 against offset 0', far));
    return rows;
  } finally {
    for (const subject of [mock, bare, prism]) subject.process.kill();
  }
}

const atLeast = (bar: number, name: string, figure: number): Row => ({
  name,
  figure,
  bar,
  wanted: 'at least',
  unit: 'x',
});

/** What clients read most, from the smallest reply to the largest. */
export async function readsOf(mock: Subject & { facts: MockFacts }): Promise<[name: string, exchange: Exchange][]> {
  const account = bearer(mock, 'account');
  const service = bearer(mock, 'service');
  const get = (target: string, headers: Record<string, string>): Exchange => ({ target, method: 'GET', headers });
  const character = await firstCharacter(mock, account);
  return [
    ['GET /profile', get('/profile', account)],
    ['GET /league (50)', get('/league', service)],
    ['ladder page of 20', get('/league/Standard/ladder', service)],
    ['a full character', get(`/character/${encodeURIComponent(character)}`, account)],
  ];
}

const bearer = ({ facts }: { facts: MockFacts }, token: keyof MockFacts['tokens']): { authorization: string } => ({
  authorization: `Bearer ${facts.tokens[token].token}`,
});

async function firstCharacter(mock: Subject, headers: Record<string, string>): Promise<string> {
  const response = await fetch(`${mock.url}/character`, { headers });
  const { characters } = (await response.json()) as { characters: { name: string; level: number }[] };
  const full = characters.sort((one, other) => other.level - one.level)[0];
  if (!full) throw new Error('the account has no character');
  return full.name;
}

/** Each request asks for another window, so that no reply is one that was kept. */
async function farLadder(mock: Subject, headers: Record<string, string>): Promise<number> {
  const time = async (from: number): Promise<number> => {
    const begin = performance.now();
    for (let step = 0; step < 80; step++) {
      const response = await fetch(`${mock.url}/league/Standard/ladder?offset=${from + step}&limit=20`, { headers });
      await response.arrayBuffer();
    }
    return performance.now() - begin;
  };
  await time(5000);
  // Twice as many rounds would meet kept windows: these are fresh each time.
  const near = (await time(0)) + (await time(100));
  const far = (await time(14_900)) + (await time(14_820));
  return near / far;
}
