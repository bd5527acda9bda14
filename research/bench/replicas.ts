import autocannon from 'autocannon';

import { noEngine, startEngine } from '../../src/server/replicas/engine.fixture.js';
import type { Exchange, Row, Subject } from './subject.js';
import { ratio, residentMegabytes, startMock } from './subject.js';

const issued = 1_000_000;
/** In so many parts a quarter of them is issued, and memory measured after each. */
const parts = 5;

/** What a replica does of what a mock in memory does, and whether its memory stays as it is. */
export async function replicaRows(): Promise<Row[]> {
  if (noEngine) {
    console.log(`NOT RUN: replicas: ${noEngine}`);
    return [];
  }
  const engine = await startEngine('--appendfsync', 'everysec');
  const memory = await startMock();
  const replica = await startMock('--store', engine.url);
  const other = await startMock('--store', engine.url);
  try {
    const read = (token: string): Exchange => ({
      target: '/profile',
      method: 'GET',
      headers: { authorization: `Bearer ${token}` },
    });
    const reads = await ratio(
      replica,
      memory,
      read(replica.facts.tokens.account.token),
      read(memory.facts.tokens.account.token),
    );
    const issues = await ratio(replica, memory, issue);
    const quarter = issued / 4;
    const [one, two] = await lowestAfter(quarter, replica, other);
    await issueTokens(replica, issued - 2 * quarter);
    const last = await lowestAfter(quarter, replica, other);
    const grown = [last[0] - one, last[1] - two];
    return [
      { name: 'replica: read with a bearer, against memory', figure: reads, bar: 0.6, wanted: 'at least', unit: 'x' },
      { name: 'replica: token issue, against memory', figure: issues, bar: 0.4, wanted: 'at least', unit: 'x' },
      {
        name: `replica: growth from the first to the last quarter of ${issued.toLocaleString('en-US')} issued tokens`,
        figure: Math.max(...grown),
        bar: 64,
        wanted: 'at most',
        unit: 'MB',
        note: `${grown.map((each) => each.toFixed(0)).join(' and ')} MB of two replicas, from ${one.toFixed(0)} and ${two.toFixed(0)} MB`,
      },
    ];
  } finally {
    for (const subject of [memory, replica, other]) subject.process.kill();
    await engine.remove();
  }
}

/** Has a mock issue so many tokens. */
async function issueTokens({ url }: Subject, amount: number): Promise<void> {
  const result = await autocannon({ url: url + issue.target, ...issue, connections: 32, amount });
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${result.non2xx} refusals, ${result.errors} errors`);
}

/**
 * The megabytes of a mock and of one beside it while the first issues so many tokens: the lowest of several, since a single
 * one may come before or after a collection of garbage.
 */
async function lowestAfter(amount: number, one: Subject, other: Subject): Promise<readonly [number, number]> {
  const seen: [number, number][] = [];
  for (let part = 0; part < parts; part += 1) {
    await issueTokens(one, amount / parts);
    seen.push([residentMegabytes(one.process), residentMegabytes(other.process)]);
  }
  return [Math.min(...seen.map(([first]) => first)), Math.min(...seen.map(([, second]) => second))];
}

const issue: Exchange = {
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
