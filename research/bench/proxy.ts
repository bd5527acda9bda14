import { Agent, get } from 'node:http';
import type { RequestOptions } from 'node:http';

import { readsOf } from './http.js';
import type { Exchange, Row, Subject } from './subject.js';
import { idle, load, median, residentMegabytes, startBare, startMock, startProxy } from './subject.js';

const rounds = 40;
/** Requests of a round, one after the other: fewer than may wait for the judge, after which it holds requests back. */
const requests = 250;
/** Rounds before those that count. */
const warming = 8;
const exchanges = 1_000_000;

/** What a proxy adds to a response of a bare server, and what a million exchanges leave in its memory. */
export async function proxyRows(): Promise<Row[]> {
  const mock = await startMock();
  const reads = (await readsOf(mock)).map(([, exchange]) => exchange);
  const bare = await startBare(reads, mock.url);
  mock.process.kill();
  const proxy = await startProxy(bare.url);
  try {
    const ends = [reads[0]!, reads.at(-1)!];
    const latency: Row[] = [];
    for (const exchange of ends) latency.push(...(await latencyRows(bare, proxy, exchange)));
    return [...latency, await memoryRow(proxy, reads)];
  } finally {
    for (const subject of [bare, proxy]) subject.process.kill();
  }
}

/** Medians over rounds in turn, as the machine may be slow for seconds. */
async function latencyRows(bare: Subject, proxy: Subject, exchange: Exchange): Promise<Row[]> {
  const direct: number[][] = [];
  const passed: number[][] = [];
  for (let round = 0; round < warming + rounds; round += 1) {
    direct.push(await times(bare.url, exchange));
    passed.push(await times(proxy.url, exchange));
    await idle(proxy.process);
  }
  return (
    [
      ['the median', 0.5, 1],
      // The slowest few of a round are time slices of the machine: 4 ms without the proxy, where there are two cores.
      ['p95', 0.95, 3],
    ] as const
  ).map(([name, share, bar]): Row => {
    const [one, other] = [direct, passed].map((all) => median(all.slice(warming).map((times) => at(times, share))));
    return {
      name: `${exchange.target} through the proxy, added at ${name}`,
      figure: other! - one!,
      bar,
      wanted: 'at most',
      unit: 'ms',
      note: `${one!.toFixed(2)} ms without, ${other!.toFixed(2)} ms with: ${(other! / one!).toFixed(2)} x`,
    };
  });
}

/** Milliseconds of each of the requests of a round over one connection, in ascending order. */
async function times(url: string, { target, headers }: Exchange): Promise<number[]> {
  const found: number[] = [];
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  for (let number = 0; number < requests; number += 1) {
    const begin = performance.now();
    await read(new URL(target, url), { agent, headers });
    found.push(performance.now() - begin);
  }
  agent.destroy();
  return found.toSorted((one, other) => one - other);
}

/** Reads a response to its end and keeps nothing: a client that holds bodies is stopped by its own garbage. */
const read = (url: URL, options: RequestOptions): Promise<void> =>
  new Promise((done, fail) => {
    get(url, options, (response) => response.resume().once('end', done)).once('error', fail);
  });

const at = (sorted: readonly number[], share: number): number =>
  sorted[Math.floor(sorted.length * share)] ?? Number.NaN;

/**
 * The lowest memory in the second half of the exchanges, against that after the first two tenths, when all is warm: a
 * single reading is as high as garbage happens to be.
 */
async function memoryRow(proxy: Subject, reads: readonly Exchange[]): Promise<Row> {
  const readings: number[] = [];
  for (let tenth = 0; tenth < 10; tenth += 1) {
    await load(proxy.url, reads, exchanges / 10);
    readings.push(residentMegabytes(proxy.process));
  }
  return {
    name: `growth of the proxy over ${exchanges.toLocaleString('en-US')} exchanges, to the lowest of the second half`,
    figure: Math.min(...readings.slice(5)) - Math.min(...readings.slice(0, 2)),
    // What grows by 32 MB from the first tenth to the last has grown by this at the sixth.
    bar: 18,
    wanted: 'at most',
    unit: 'MB',
    note: `MB after each tenth: ${readings.map((one) => one.toFixed(0)).join(', ')}`,
  };
}
