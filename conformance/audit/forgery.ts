import { randomBytes } from 'node:crypto';

import { markup } from './markup.js';
import type { Browser } from './scenario.js';

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** Another last character. It differs in the first of its six bits, which base64url without padding always uses. */
function otherLast(state: string): string | undefined {
  const at = alphabet.indexOf(state.at(-1) ?? '');
  if (state === '') return undefined;
  return `${state.slice(0, -1)}${at < 0 ? 'x' : alphabet[at ^ 32]}`;
}

/** Letters in the other case; undefined where the text may be hexadecimal, which means the same in both. */
function otherCase(state: string): string | undefined {
  const other = state.replaceAll(/[a-z]/gi, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  );
  return other === state || /^[\da-f-]+$/i.test(state) ? undefined : other;
}

/** What a forger sends in place of a state, one after the other; null for none, undefined where there is nothing to send. */
type Forged = string | null | undefined | readonly (string | null)[];
const forgeries: Partial<Record<Browser, (state: string, earlier?: string) => Forged>> = {
  // A page that shows it must not show it as it is.
  forge: () => `${randomBytes(16).toString('hex')}${markup}`,
  'forge-error': () => randomBytes(16).toString('hex'),
  // The last one comes where the login may not be pending any more: a client has nothing then that differs from none.
  'forge-stateless': () => [null, '', null],
  'forge-last': otherLast,
  'forge-prefix': (state) => (state.length < 2 ? undefined : state.slice(0, -1)),
  'forge-case': otherCase,
  'forge-before': (state) => (state === '' ? undefined : `x${state}`),
  'forge-behind': (state) => (state === '' ? undefined : `${state}x`),
  'forge-earlier': (state, earlier) => (earlier === state ? undefined : earlier),
};

/** A client that looks every second whether a callback came must have seen each before the next comes. ms */
export const forgedEvery = 1500;

/** How long the forgers of a mode take before the user's own callback comes, ms. */
export const forgersTake = (mode: Browser): number =>
  forgedEvery * forgedCallbacks(mode, 'http://127.0.0.1/?code=1&state=abc', 'xyz').length;

/** The callbacks with which somebody else on the machine tries the client, if anybody does. `earlier`: the state of a login before. */
export function forgedCallbacks(mode: Browser, location: string, earlier?: string): string[] {
  const states = forgeries[mode]?.(new URL(location).searchParams.get('state') ?? '', earlier);
  if (states === undefined) return [];
  return (Array.isArray(states) ? (states as (string | null)[]) : [states as string | null]).map((state) =>
    forgedWith(state, mode, location),
  );
}

function forgedWith(state: string | null, mode: Browser, location: string): string {
  const url = new URL(location);
  if (state === null) url.searchParams.delete('state');
  else url.searchParams.set('state', state);
  if (mode === 'forge-error') {
    url.searchParams.delete('code');
    url.searchParams.set('error', 'access_denied');
  } else if (url.searchParams.has('code')) url.searchParams.set('code', randomBytes(20).toString('hex'));
  return url.href;
}
