import { readsOf } from './http.js';
import type { Exchange, Row, Subject } from './subject.js';
import { load, residentMegabytes, startBare, startMock, startProxy } from './subject.js';

const rounds = 5;
/** Requests of a round, one after the other. */
const requests = 2000;
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

async function latencyRows(bare: Subject, proxy: Subject, exchange: Exchange): Promise<Row[]> {
  for (const { url } of [bare, proxy]) await times(url, exchange);
  const direct: number[] = [];
  const passed: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    direct.push(...(await times(bare.url, exchange)));
    passed.push(...(await times(proxy.url, exchange)));
  }
  return (
    [
      ['the median', 0.5, 1],
      ['p99', 0.99, 3],
    ] as const
  ).map(([name, share, bar]): Row => {
    const [one, other] = [at(direct, share), at(passed, share)];
    return {
      name: `${exchange.target} through the proxy, added at ${name}`,
      figure: other - one,
      bar,
      wanted: 'at most',
      unit: 'ms',
      note: `${one.toFixed(2)} ms without, ${other.toFixed(2)} ms with: ${(other / one).toFixed(2)} x`,
    };
  });
}

/** Milliseconds of each of so many requests over one connection. */
async function times(url: string, { target, headers }: Exchange): Promise<number[]> {
  const found: number[] = [];
  for (let number = 0; number < requests; number += 1) {
    const begin = performance.now();
    await (await fetch(url + target, { headers })).arrayBuffer();
    found.push(performance.now() - begin);
  }
  return found;
}

const at = (values: readonly number[], share: number): number =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length * share)] ?? Number.NaN;

/** Memory after a tenth of the exchanges, when all is warm, against that after all of them. */
async function memoryRow(proxy: Subject, reads: readonly Exchange[]): Promise<Row> {
  const readings: number[] = [];
  for (let tenth = 0; tenth < 10; tenth += 1) {
    await load(proxy.url, reads, exchanges / 10);
    readings.push(residentMegabytes(proxy.process));
  }
  return {
    name: `growth of the proxy from 100,000 to ${exchanges.toLocaleString('en-US')} exchanges`,
    figure: readings.at(-1)! - readings[0]!,
    bar: 32,
    wanted: 'at most',
    unit: 'MB',
    note: `MB after each tenth: ${readings.map((one) => one.toFixed(0)).join(', ')}`,
  };
}
