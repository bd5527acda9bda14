import { issuedBy } from './history.js';
import type { Call } from './history.js';

const verbs = {
  consent: 'consent',
  exchange: 'exchange',
  refresh: 'refresh',
  revoke: 'revoke',
  use: 'use',
  introspect: 'introspect',
  end: 'the user ends it',
} as const;

/** A call in words, without its reply: `refresh r1`. */
const askedIn = ({ verb, token }: Call): string =>
  token === undefined || verb === 'consent' ? verbs[verb] : `${verbs[verb]} ${token}`;

/** What a call was answered, in words: `a2, r2`. */
function repliedIn(call: Call): string {
  if (call.reply === undefined) return call.ended === undefined ? 'no reply' : 'nobody knows';
  return typeof call.reply === 'object' ? issuedBy(call).join(', ') : call.reply;
}

export const formatCall = (call: Call): string => `${askedIn(call)} → ${repliedIn(call)}`;

/** The replies that leave no explanation, in a sentence. */
export function formatCore(calls: readonly Call[]): string {
  const [first] = calls;
  const times = (call: Call): string =>
    ` (${ms(call.sent - first!.sent)}–${ms((call.ended ?? call.sent) - first!.sent)})`;
  return calls.map((call) => `${formatCall(call)}${times(call)}`).join('; ');
}

/** Milliseconds as people read them. */
export const ms = (time: number): string => `${time >= 100 ? Math.round(time) : Math.round(time * 10) / 10} ms`;
