import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import type { Mock } from '../../src/server/mock.js';
import { startMock } from '../../src/server/mock.js';
import type { Row } from './subject.js';

/** How many there may be at a time; of those with a full journal fewer, for each takes more than a thousand requests. */
const most = 50;
const full = 5;
const requests = 1200;

const window = { hits: 1_000_000_000, period: 1800, restriction: 60, bucket: 5 };

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** Kilobytes in use once nothing more can be collected. */
async function held(): Promise<number> {
  for (let round = 0; round < 3; round += 1) {
    await new Promise((done) => setImmediate(done));
    collect();
  }
  const { heapUsed, external } = process.memoryUsage();
  return (heapUsed + external) / 1024;
}

/** A namespace with limits and the journal on: a client signs in, reads so many replies, large and small, and is saved. */
async function use(mock: Mock, name: string, times: number): Promise<void> {
  const own = await mock.namespace(name);
  await own.journal.start();
  await own.limits.set({
    policies: [{ name: 'all', operations: '*', rules: [{ rule: 'client', windows: [window] }] }],
  });
  const { access_token: account } = await own.issueToken({
    account: 'alice',
    scopes: ['account:profile', 'account:item_filter'],
  });
  const { access_token: service } = await own.issueToken({ scopes: ['service:leagues', 'service:leagues:ladder'] });
  for (let read = 0; read < times; read += 4) {
    await get(`${own.url}/profile`, account);
    await get(`${own.url}/item-filter`, account);
    await get(`${own.url}/league`, service);
    // No two alike, so that none is a text that the mock keeps for all.
    await get(`${own.url}/league/Standard/ladder?limit=200&offset=${read}`, service);
  }
  await own.snapshots.save('signed-in');
  await own.journal.list();
}

async function get(url: string, token: string): Promise<void> {
  const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
  await response.arrayBuffer();
  if (response.status !== 200) throw new Error(`${url}: ${response.status}`);
}

/** What a namespace holds while it is used, and when it is removed. */
export async function namespaceRows(): Promise<Row[]> {
  const mock = await startMock({ seed: 1, epoch: '2026-01-01T00:00:00Z' });
  const measure = async (count: number, times: number): Promise<{ used: number; left: number }> => {
    const names = Array.from({ length: count }, (_, index) => `bench-${index}`);
    const before = await held();
    for (const name of names) await use(mock, name, times);
    const used = await held();
    for (const name of names) await (await mock.namespace(name)).remove();
    return { used: (used - before) / count, left: ((await held()) - before) / count };
  };
  try {
    // What is made once, by whichever comes first, is there before the count begins.
    await measure(full, requests);
    const some = await measure(most, 4);
    const many = await measure(full, requests);
    // The lower of two: what earlier rows left behind is collected in between, or is not.
    const again = await measure(full, requests);
    const row = (name: string, figure: number, bar: number): Row => ({
      name: `namespace: ${name}`,
      figure,
      bar,
      wanted: 'at most',
      unit: 'KB',
    });
    return [
      row(`memory of each of ${most}, after a sign-in and 4 reads`, some.used, 2048),
      row('what each of them leaves when it is removed', some.left, 50),
      row(`memory of each of ${full}, after ${requests} reads, the journal full`, many.used, 2048),
      row('what each of them leaves when it is removed', Math.min(many.left, again.left), 100),
    ];
  } finally {
    await mock.close();
  }
}
