import { groupsOf } from './groups.js';
import { mutants } from './mutants/index.js';
import type { Done } from './task.js';
import { variants } from './variants/index.js';

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

/** One line for the terminal: a mutant and what killed it or failed beside, or a variant and what failed it. */
export function lineOf({ kind, seed, part, result }: Done): string {
  const head = `${result.status.padEnd(8)} ${result.id.padEnd(14)}`;
  const tail = `(seed ${seed}, ${part ? `part ${part.index} of ${part.count}, ` : ''}${seconds(result.ms)})`;
  if (result.kind === 'variant') {
    const { id, status, falsePositives, judged, requests } = result;
    const known = kind === 'group' ? groupsOf(seed) : variants;
    const what = known.find((one) => one.id === id)?.what ?? 'our mock as it is';
    const minded =
      status === 'accepted'
        ? `${judged} rows judged, ${requests} requests`
        : falsePositives.map(({ row }) => row).join(' ');
    return `${head} ${what}: ${minded} ${tail}`;
  }
  if (result.kind === 'beside') return `${head} ${result.beside.map(({ row }) => row).join(' ') || 'nothing'} ${tail}`;
  const { id, killers, missed } = result;
  const what = mutants.find((one) => one.id === id)?.what ?? 'everything is answered 500';
  const by = killers.length > 0 ? [`by ${killers.join(' ')}`] : [];
  const not = missed.length > 0 ? [`not by ${missed.map(({ row, verdict }) => `${row} (${verdict})`).join(' ')}`] : [];
  return `${head} ${what}: ${[...by, ...not].join('; ')} ${tail}`;
}
