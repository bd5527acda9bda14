import { explain } from './explain.js';
import { isRead, issuedBy } from './history.js';
import type { Call, Core, History } from './history.js';

/** States that are tried each time that a reply is forgotten. */
const tries = 5000;

/**
 * Shrinks a history without an explanation. A call is not left out, for without a revocation a refusal would have none:
 * its reply is forgotten, so that it may have been done at any time after it was sent, or never. What then still has no
 * explanation has none whatever that call did.
 */
export function shrink(history: History, { lag = 0 }: { readonly lag?: number } = {}): Core {
  const fails = (calls: readonly Call[]): boolean => {
    const { order, ...rest } = explain({ ...history, calls }, { lag, tries });
    return order === undefined && 'undecided' in rest && !rest.undecided;
  };
  const until = (time: number): readonly Call[] =>
    history.calls
      .filter(({ sent }) => sent <= time)
      .map((call) => ((call.ended ?? Infinity) <= time ? call : forgotten(call)));
  const replies = history.calls
    .filter(({ reply }) => reply !== undefined)
    .toSorted((one, other) => one.ended! - other.ended!);
  // A beginning of what has an explanation has one, so halving finds the shortest beginning that has none.
  let [low, high] = [0, replies.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (fails(until(replies[middle]!.ended!))) high = middle;
    else low = middle + 1;
  }
  const culprit = replies[low]!;
  let calls = until(culprit.ended!);
  // Reads first, then what came last: a call can only be forgotten when what it gave is.
  const candidates = calls.toSorted(
    (one, other) => Number(isRead(other)) - Number(isRead(one)) || other.sent - one.sent,
  );
  for (const call of candidates) {
    const isNeeded = calls.some(({ token, reply }) => reply !== undefined && issuedBy(call).includes(token ?? ''));
    if (call === culprit || call.reply === undefined || isNeeded) continue;
    const without = calls.map((one) => (one === call ? forgotten(one) : one));
    if (fails(without)) calls = without;
  }
  const core = calls.filter(({ reply }) => reply !== undefined).toSorted((one, other) => one.sent - other.sent);
  return { calls: core, culprit: core.indexOf(culprit) };
}

const forgotten = ({ caller, verb, token, sent, ended, settled }: Call): Call => ({
  caller,
  verb,
  sent,
  ...(token !== undefined && { token }),
  ...(ended !== undefined && { ended }),
  ...(settled && { settled }),
});
