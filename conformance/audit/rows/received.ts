import { replyOf } from '../call.js';
import type { Call } from '../call.js';
import type { Finding } from '../row.js';
import { each, violation } from '../row.js';
import type { WorldRun } from '../run.js';
import { formCalls } from './requests.js';

/** Whether codes and tokens have characters that a form or a query must encode. */
export const isOdd = ({ world }: WorldRun): boolean => world.switches?.['tokens.alphabet'] === 'reserved';

type Field = 'code' | 'refresh_token';

/** A code or refresh token that the client sent, and what has become of it since it was received. */
export interface Returned {
  readonly call: Call;
  readonly field: Field;
  /** What the form did to it; undefined where it encoded the value, once. */
  readonly form?: string;
  /** What the client had done to it before; undefined where it was the same text. */
  readonly text?: string;
}

/**
 * The codes or refresh tokens in forms of the world odd-tokens. One that came of none that was received, such as a token
 * stored on another day, is left out: nothing can be said of it.
 */
export function returned(run: WorldRun, field: Field): Returned[] {
  if (!isOdd(run)) return [];
  const received = field === 'code' ? codesOf(run) : refreshTokensOf(run);
  return formCalls(run).flatMap((call) => {
    const [change] = received.flatMap((text) => changeOf(text, call, field) ?? []);
    return change ? [{ call, field, ...change }] : [];
  });
}

/** Whether the value that the service reads is a text that was received; what the form spoilt is not judged here. */
export const asReceived = (run: WorldRun, field: Field): Finding =>
  each(
    returned(run, field).filter(({ form }) => form === undefined),
    ({ call, text }) => (text === undefined ? undefined : violation(`the ${field} as it was received`, text, call)),
  );

/** Characters by which a part of a text is known. */
const least = 6;

/** How the value in the form came of a text; undefined where it did not. */
function changeOf(text: string, { body, form }: Call, field: Field): Pick<Returned, 'form' | 'text'> | undefined {
  const sent = form.get(field) ?? '';
  if (sent === text) return {};
  if (body.split('&').includes(`${field}=${text}`)) return { form: `the ${field} as it is` };
  // A code may have come so from the redirect, a refresh token comes as it is.
  if (sent === encodeURIComponent(text))
    return field === 'code' ? { text: `the ${field} percent-encoded still` } : { form: `the ${field} encoded twice` };
  if (decodedOnceMore(text).includes(sent)) return { text: `the ${field} decoded once more` };
  if (sent === text.replaceAll('+', ' ')) return { text: `the ${field} with a space for each +` };
  if (sent.toLowerCase() === text.toLowerCase()) return { text: `the ${field} in another letter case` };
  if (sent.length >= least && text.includes(sent)) return { text: `a part of the ${field}` };
  return text.length >= least && sent.includes(text)
    ? { text: `the ${field} with something before or behind it` }
    : undefined;
}

/** What looks percent-encoded in a text is a part of it: a client that decodes it again has another text. */
const decodedOnceMore = (text: string): readonly string[] => [
  new URLSearchParams(`text=${text}`).get('text') ?? text,
  text.replaceAll(/%[\da-f]{2}/gi, (octet) => String.fromCharCode(Number.parseInt(octet.slice(1), 16))),
];

/** The codes that redirects carried to the client. */
const codesOf = ({ calls }: WorldRun): string[] =>
  calls.flatMap(({ replyHeaders: { location } }) =>
    location === undefined ? [] : new URL(location, 'http://localhost').searchParams.getAll('code'),
  );

const refreshTokensOf = ({ calls }: WorldRun): string[] =>
  calls
    .map((call) => (call.operation === 'issueToken' ? replyOf(call, 'refresh_token') : undefined))
    .filter((one) => typeof one === 'string');
