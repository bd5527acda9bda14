import { waits } from './grant.js';
import type { Misuse, Wait } from './grant.js';
import type { Offer } from './token-server.js';

/** What can be done to a grant, in words. */
export const actions = {
  exchange: 'exchange the code',
  'exchange badly': 'exchange the code with a wrong verifier',
  'exchange as another': 'exchange the code as another client',
  refresh: 'refresh with the newest refresh token',
  'refresh old': 'refresh with the refresh token before the newest',
  'refresh badly': 'refresh with a wrong secret',
  'refresh as another': 'refresh as another client',
  'revoke access': 'revoke the newest access token',
  'revoke first': 'revoke the first access token',
  'revoke refresh': 'revoke the newest refresh token',
  'revoke old': 'revoke the refresh token before the newest',
  'user ends': 'the user ends it on the applications page',
} as const;
export type Action = keyof typeof actions;

/** What can be asked about a grant without doing anything to it, in words. */
export const observations = {
  'use access': 'use the newest access token',
  'use first': 'use the first access token',
  'introspect access': 'introspect the newest access token',
  'introspect first': 'introspect the first access token',
  'introspect refresh': 'introspect the newest refresh token',
  'introspect old': 'introspect the refresh token before the newest',
} as const;
export type Observation = keyof typeof observations;

export type Input = Action | Observation | Wait;
/** A sequence of inputs, on a grant of its own from its code on. */
export type Word = readonly Input[];

/** A request about one of a grant's tokens, which are counted from 0 in the order in which they were issued. */
export type Operation =
  | { readonly verb: 'exchange'; readonly misuse: Misuse }
  | { readonly verb: 'refresh'; readonly token: number; readonly misuse: Misuse }
  | { readonly verb: 'revoke' | 'use' | 'introspect'; readonly kind: 'access' | 'refresh'; readonly token: number }
  | { readonly verb: 'end' }
  | { readonly verb: 'wait'; readonly until: Wait };

/**
 * What a server answers; `server error` is a 5xx, which decides nothing about a token; `nothing` where there is no such token to ask with, and nothing was sent; `unknown` in a machine
 * that was not learned to its end.
 */
export type Output =
  | 'tokens'
  | 'access token'
  | 'tokens of another identity'
  | 'refused'
  | 'server error'
  | 'works'
  | 'active'
  | 'inactive'
  | 'done'
  | 'nothing'
  | 'unknown';

/** What is sent: all but the passing of time. */
export type Request = Exclude<Operation, { readonly verb: 'wait' }>;

/** How many tokens a grant was issued so far. */
export interface Issued {
  readonly access: number;
  readonly refresh: number;
}

export const isIssue = (output: Output): boolean => output.startsWith('tokens') || output === 'access token';

/** The tokens that outputs say were issued. */
export const issuedBy = (outputs: readonly Output[]): Issued => ({
  access: outputs.filter(isIssue).length,
  refresh: outputs.filter((output) => output.startsWith('tokens')).length,
});

/** The token that an input is about: the newest, the one before it, or the first. */
const chosen: Readonly<Record<'newest' | 'previous' | 'first', (count: number) => number>> = {
  newest: (count) => count - 1,
  previous: (count) => count - 2,
  // Where there is one token only, it is the newest.
  first: (count) => (count > 1 ? 0 : -1),
};

const misuses = {
  exchange: 'none',
  'exchange badly': 'proof',
  'exchange as another': 'client',
  refresh: 'none',
  'refresh old': 'none',
  'refresh badly': 'secret',
  'refresh as another': 'client',
} as const;

/** The request that an input makes when so many tokens were issued; undefined where it makes none. */
export function operationOf(input: Input, { access, refresh }: Issued): Operation | undefined {
  const about = (verb: 'revoke' | 'use' | 'introspect', kind: keyof Issued, which: keyof typeof chosen) => {
    const token = chosen[which](kind === 'access' ? access : refresh);
    return token < 0 ? undefined : ({ verb, kind, token } as const);
  };
  switch (input) {
    case 'exchange':
    case 'exchange badly':
    case 'exchange as another':
      return { verb: 'exchange', misuse: misuses[input] };
    case 'refresh':
    case 'refresh old':
    case 'refresh badly':
    case 'refresh as another': {
      const index = chosen[input === 'refresh old' ? 'previous' : 'newest'](refresh);
      return index < 0 ? undefined : { verb: 'refresh', token: index, misuse: misuses[input] };
    }
    case 'revoke access':
      return about('revoke', 'access', 'newest');
    case 'revoke first':
      return about('revoke', 'access', 'first');
    case 'revoke refresh':
      return about('revoke', 'refresh', 'newest');
    case 'revoke old':
      return about('revoke', 'refresh', 'previous');
    case 'use access':
      return about('use', 'access', 'newest');
    case 'use first':
      return about('use', 'access', 'first');
    case 'introspect access':
      return about('introspect', 'access', 'newest');
    case 'introspect first':
      return about('introspect', 'access', 'first');
    case 'introspect refresh':
      return about('introspect', 'refresh', 'newest');
    case 'introspect old':
      return about('introspect', 'refresh', 'previous');
    case 'user ends':
      return access > 0 ? { verb: 'end' } : undefined;
    case 'code ends':
      return access === 0 ? { verb: 'wait', until: input } : undefined;
    case 'access nearly ends':
    case 'access ends':
      return access > 0 ? { verb: 'wait', until: input } : undefined;
    case 'chain nearly ends':
    case 'chain ends':
      return refresh > 0 ? { verb: 'wait', until: input } : undefined;
  }
}

/** Whether a server offers what an input takes. */
export function isOffered(input: Input, offer: Offer): boolean {
  if (input.startsWith('revoke')) return offer.revoke;
  if (input === 'introspect refresh' || input === 'introspect old') return offer.introspectRefresh;
  if (input.startsWith('introspect')) return offer.introspect;
  return input === 'user ends' ? offer.page : true;
}

export const isWait = (input: Input): input is Wait => Object.hasOwn(waits, input);

export const isObservation = (input: Input): input is Observation => Object.hasOwn(observations, input);

/** An input in words; of a code that was exchanged before, that it is used. */
const phrase = (input: Input, before: Word): string => {
  if (isObservation(input)) return observations[input];
  if (isWait(input)) return waits[input];
  const text = actions[input];
  return before.includes('exchange') ? text.replace('exchange the code', 'exchange the used code again') : text;
};

/** A word in words: `refresh with …, then revoke …`. */
export const formatWord = (word: Word): string =>
  word.map((input, index) => phrase(input, word.slice(0, index))).join(', then ');
