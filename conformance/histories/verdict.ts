import { explain } from './explain.js';
import { isRead } from './history.js';
import type { Call, History } from './history.js';

/** What a history says of the server that it was recorded on. */
export type HistoryVerdict =
  | { readonly kind: 'explained' }
  /** Only if reads, refusals and revocations may lag by so many milliseconds, is there an explanation. */
  | { readonly kind: 'stale'; readonly lag: number }
  /** No order explains it, however much they lag. */
  | { readonly kind: 'impossible' }
  /** Too many orders are possible to try them all: nothing is said. */
  | { readonly kind: 'undecided' };

/**
 * Judges a history. `allowed` is the longest lag, in milliseconds, that does not blame: any where it is left out, for RFC
 * 7009 2.2 lets a revocation take its time to be known everywhere.
 */
export function judge(history: History, { allowed = Infinity }: { readonly allowed?: number } = {}): HistoryVerdict {
  const strict = explain(history);
  if (strict.order) return { kind: 'explained' };
  const lenient = explain(history, { lag: allowed });
  if (!lenient.order) return { kind: strict.undecided || lenient.undecided ? 'undecided' : 'impossible' };
  return strict.undecided ? { kind: 'undecided' } : { kind: 'stale', lag: leastLag(history, allowed) };
}

/** The shortest lag with which there is an explanation. More lag never takes one away, so halving finds it. */
function leastLag(history: History, allowed: number): number {
  const lags = candidates(history).filter((lag) => lag <= allowed);
  let [low, high] = [0, lags.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (explain(history, { lag: lags[middle]! }).order) high = middle;
    else low = middle + 1;
  }
  return lags[low] ?? allowed;
}

/** Only the times between the end of one call and the sending of another make a difference. */
function candidates({ calls }: History): readonly number[] {
  const mayLag = (call: Call): boolean =>
    isRead(call) || call.reply === 'refused' || call.verb === 'revoke' || call.verb === 'end';
  const gaps = calls.flatMap((later) =>
    calls.flatMap((earlier) => {
      if (!mayLag(later) && !mayLag(earlier)) return [];
      const gap = later.sent - (earlier.ended ?? Infinity);
      // Two calls may both lag: a read tells of long ago, and a revocation takes long.
      return gap > 0 ? [gap, gap / 2] : [];
    }),
  );
  return [...new Set(gaps)].toSorted((one, other) => one - other);
}
