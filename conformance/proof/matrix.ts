import type { Result } from './judge.js';
import { mutants } from './mutants/index.js';
import { variants } from './variants/index.js';

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

/** One line of the matrix: a bug and who noticed it, or another right way and who minded. */
export function lineOf(result: Result): string {
  if (result.kind === 'variant') {
    const { id, fate, alarms, judged, requests, ms } = result;
    const what = variants.find((one) => one.id === id)?.what ?? 'our mock as it is';
    const minded =
      fate === 'quiet' ? `${judged} rows judged, ${requests} requests` : alarms.map(({ row }) => row).join(' ');
    return `${fate.padEnd(8)} ${id.padEnd(14)} ${what}: ${minded} (${seconds(ms)})`;
  }
  const { id, fate, killers, missed, ms } = result;
  const what = mutants.find((one) => one.id === id)?.bug ?? 'everything is answered 500';
  const by = killers.length > 0 ? `by ${killers.join(' ')}` : '';
  const not = missed.length > 0 ? `not by ${missed.map(({ row, verdict }) => `${row} (${verdict})`).join(' ')}` : '';
  return `${fate.padEnd(8)} ${id.padEnd(14)} ${what}: ${[by, not].filter((part) => part !== '').join('; ')} (${seconds(ms)})`;
}
