import { mutants } from './mutants/index.js';
import type { Done } from './task.js';
import { variants } from './variants/index.js';

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

/** One line for the terminal: a bug and who noticed it, or another right way and who minded. */
export function lineOf({ seed, result }: Done): string {
  const head = `${result.fate.padEnd(8)} ${result.id.padEnd(14)}`;
  const tail = `(seed ${seed}, ${seconds(result.ms)})`;
  if (result.kind === 'variant') {
    const { id, fate, alarms, judged, requests } = result;
    const what = variants.find((one) => one.id === id)?.what ?? 'our mock as it is';
    const minded =
      fate === 'quiet' ? `${judged} rows judged, ${requests} requests` : alarms.map(({ row }) => row).join(' ');
    return `${head} ${what}: ${minded} ${tail}`;
  }
  const { id, killers, missed } = result;
  const what = mutants.find((one) => one.id === id)?.bug ?? 'everything is answered 500';
  const by = killers.length > 0 ? [`by ${killers.join(' ')}`] : [];
  const not = missed.length > 0 ? [`not by ${missed.map(({ row, verdict }) => `${row} (${verdict})`).join(' ')}`] : [];
  return `${head} ${what}: ${[...by, ...not].join('; ')} ${tail}`;
}
