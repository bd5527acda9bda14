/** What a call asks of a grant. */
export type Verb = 'consent' | 'exchange' | 'refresh' | 'revoke' | 'use' | 'introspect' | 'end';

/** What a reply said. `issued`: names of the code, or of the access token and the refresh token. */
export type Reply = { readonly issued: readonly string[] } | 'refused' | 'done' | 'works' | 'active' | 'inactive';

/** One call as its caller saw it. Times are milliseconds on the one clock of the history. */
export interface Call {
  /** Callers are counted from 0. */
  readonly caller: number;
  readonly verb: Verb;
  /** The code or token that it presents, by its name: `code`, `a1`, `r1`. None for `consent` and `end`. */
  readonly token?: string;
  readonly sent: number;
  /** When the reply was complete, or the connection broke. */
  readonly ended?: number;
  /** Left out where no reply came, or one that does not say whether the call was done (429, 5xx). */
  readonly reply?: Reply;
  /** It was sent when nothing was under way any more, and every delay that is allowed for had passed. */
  readonly settled?: true;
}

/** What clients saw of one grant. */
export interface History {
  readonly calls: readonly Call[];
  /** The code, and tokens, that were issued before the history begins. Whether such a token is good is not known. */
  readonly before?: readonly string[];
}

/** The fewest calls of a history that have no explanation, and where it stops having one. */
export interface Core {
  /** In the order in which they were sent. Nothing that the other calls may have done explains them. */
  readonly calls: readonly Call[];
  /** The place among them of the call whose reply left no explanation: until then there was one. */
  readonly culprit: number;
}

/** When a call may have taken effect, and whether it must have. */
export interface Window {
  readonly from: number;
  readonly until: number;
  /** It may as well have had no effect. */
  readonly optional: boolean;
}

export const isRead = ({ verb }: Call): boolean => verb === 'use' || verb === 'introspect';

export const issuedBy = ({ reply }: Call): readonly string[] => (typeof reply === 'object' ? reply.issued : []);

/**
 * When each call may have taken effect. A call without a reply may have done so at any time after it was sent, or never.
 * With a `lag`, reads and refusals may tell what was true up to so long before, and a revocation may take so long until it
 * is known everywhere (RFC 7009 2.2), but not longer than until the history has settled. What issues a token never lags.
 * Calls with one credential that overlap may be refused for just that: it says nothing of the credential.
 */
export function windows({ calls }: History, lag: number): readonly Window[] {
  // Before the first call of them all is over.
  const settled = Math.min(Infinity, ...calls.filter((call) => call.settled).map(({ sent }) => sent - 1));
  return calls.map((call) => {
    const { sent: from, ended: until = Infinity, reply, verb } = call;
    if (reply === undefined) return { from, until: Infinity, optional: true };
    const window = { from, until, optional: false };
    if (call.settled) return window;
    if (reply === 'refused' && conflicts(call, calls)) return { from, until: Infinity, optional: true };
    if (reply === 'refused' || isRead(call)) return { ...window, from: from - lag };
    if (verb === 'revoke' || verb === 'end')
      return { ...window, until: Math.max(until, Math.min(until + lag, settled)) };
    return window;
  });
}

const conflicts = (call: Call, calls: readonly Call[]): boolean =>
  (call.verb === 'exchange' || call.verb === 'refresh') &&
  calls.some((one) => one !== call && one.verb === call.verb && one.token === call.token && overlap(one, call));

/** Whether neither of two calls had ended before the other began. */
export const overlap = (one: Call, other: Call): boolean =>
  one.sent <= (other.ended ?? Infinity) && other.sent <= (one.ended ?? Infinity);
