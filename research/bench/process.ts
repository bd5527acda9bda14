import type { Row, Subject } from './subject.js';
import { median, residentMegabytes, startBareExpress, startMock } from './subject.js';

const changes = 1_000_000;

/** From the start of the process to its first answer, against bare Express. */
export async function startRows(): Promise<Row[]> {
  const time = async (start: () => Promise<Subject>): Promise<number> => {
    const begin = performance.now();
    const subject = await start();
    await (await fetch(`${subject.url}/profile`)).arrayBuffer();
    const passed = performance.now() - begin;
    subject.process.kill();
    return passed;
  };
  const ratios: number[] = [];
  for (let round = 0; round < 7; round++) ratios.push((await time(startMock)) / (await time(startBareExpress)));
  return [
    {
      name: 'start to first answer, against bare Express',
      figure: median(ratios),
      bar: 2.5,
      wanted: 'at most',
      unit: 'x',
    },
  ];
}

/**
 * Memory at the start, and over the second half of a walk of a million stash changes: the heap takes what the machine lets it
 * have in the first. And what the last pages cost.
 */
export async function memoryRows(): Promise<Row[]> {
  const mock = await startMock('--stash-changes', String(changes));
  try {
    const start = residentMegabytes(mock.process);
    let half = Number.NaN;
    const { seen, times } = await walkStream(mock.url, mock.facts.tokens.service.token, () => {
      half = residentMegabytes(mock.process);
    });
    const timed = 200;
    const growth = residentMegabytes(mock.process) - half;
    const first = median(times.slice(timed, 2 * timed));
    const last = median(times.slice(-timed));
    return [
      { name: 'resident memory at the start', figure: start, bar: 120, wanted: 'at most', unit: 'MB' },
      {
        name: `growth from ${(changes / 2).toLocaleString('en-US')} to ${seen.toLocaleString('en-US')} stash changes walked`,
        figure: growth,
        bar: 64,
        wanted: 'at most',
        unit: 'MB',
      },
      {
        name: `stash page after ${seen.toLocaleString('en-US')} changes against the first ones`,
        figure: first / last,
        bar: 0.85,
        wanted: 'at least',
        unit: 'x',
      },
    ];
  } finally {
    mock.process.kill();
  }
}

/** Reads the stream of stash changes to its end: how many there were, and the ms that each page took. */
async function walkStream(url: string, token: string, atHalf: () => void): Promise<{ seen: number; times: number[] }> {
  const headers = { authorization: `Bearer ${token}` };
  const times: number[] = [];
  let id = '';
  let seen = 0;
  let before = performance.now();
  for (;;) {
    const response = await fetch(`${url}/public-stash-tabs${id === '' ? '' : `?id=${encodeURIComponent(id)}`}`, {
      headers,
    });
    const { next_change_id: next, stashes } = (await response.json()) as { next_change_id: string; stashes: unknown[] };
    if (stashes.length === 0) return { seen, times };
    if (seen < changes / 2 && seen + stashes.length >= changes / 2) atHalf();
    seen += stashes.length;
    id = next;
    times.push(performance.now() - before);
    before = performance.now();
  }
}
