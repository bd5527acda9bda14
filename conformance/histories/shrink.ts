import { explain } from './explain.js';
import { isRead, issuedBy } from './history.js';
import type { Call, History } from './history.js';

/** The fewest calls of a history that have no explanation, and where it stops having one. */
export interface Core {
  /** In the order in which they were sent. Nothing that the other calls may have done explains them. */
  readonly calls: readonly Call[];
  /** The call whose reply left no explanation: until then there was one. */
  readonly culprit: Call;
}

/**
 * Shrinks a history without an explanation. A call is not left out, for without a revocation a refusal would have none:
 * its reply is forgotten, so that it may have been done at any time after it was sent, or never. What then still has no
 * explanation has none whatever that call did.
 */
export function shrink(history: History, { lag = 0 }: { readonly lag?: number } = {}): Core {
  const fails = (calls: readonly Call[]): boolean => {
    const { order, ...rest } = explain({ ...history, calls }, { lag });
    return order === undefined && 'undecided' in rest && !rest.undecided;
  };
  const until = (time: number): readonly Call[] =>
    history.calls
      .filter(({ sent }) => sent <= time)
      .map((call) => ((call.ended ?? Infinity) <= time ? call : forgotten(call)));
  const replies = history.calls
    .filter(({ reply }) => reply !== undefined)
    .toSorted((one, other) => one.ended! - other.ended!);
  // The shortest beginning without an explanation. With a lag a later beginning may have one again, so all are tried.
  const culprit = replies.find(({ ended }) => fails(until(ended!))) ?? replies.at(-1)!;
  let calls = until(culprit.ended!);
  const canBeForgotten = (call: Call): boolean =>
    call.reply !== undefined &&
    !calls.some(({ token, reply }) => reply !== undefined && token !== undefined && issuedBy(call).includes(token));
  for (;;) {
    const order = calls
      .filter((call) => call !== culprit && canBeForgotten(call))
      // Reads first, then what came last: a call can only be forgotten when what it gave is.
      .toSorted((one, other) => Number(isRead(other)) - Number(isRead(one)) || other.sent - one.sent);
    const without = (call: Call): readonly Call[] => calls.map((one) => (one === call ? forgotten(one) : one));
    const superfluous = order.find((call) => fails(without(call)));
    if (!superfluous) break;
    calls = without(superfluous);
  }
  const core = calls.filter(({ reply }) => reply !== undefined).toSorted((one, other) => one.sent - other.sent);
  return { calls: core, culprit };
}

const forgotten = ({ caller, verb, token, sent, ended }: Call): Call => ({
  caller,
  verb,
  sent,
  ...(token !== undefined && { token }),
  ...(ended !== undefined && { ended }),
});
