import type { Scope } from '../../src/contract/index.js';
import type { Need } from '../ledger.js';
import type { Hooks } from './hooks.js';
import type { Known, Role, Target } from './target.js';

/** What needs are held against. */
export interface Facts {
  readonly target: Target;
  /** Only which there are matters. */
  readonly hooks: Readonly<Partial<Record<keyof Hooks, unknown>>>;
  /** Leave to wait for half a minute. */
  readonly wait: boolean;
}

export interface Unmet {
  /** As the ledger has it, alternatives joined by ` | `. */
  readonly need: string;
  /** What to change, in a sentence; for what does not apply, why. */
  readonly remedy: string;
  /** False where the target says that it has no such thing, which nothing is to be done about. */
  readonly applicable: boolean;
}

/** The needs that a target does not meet: each entry must be met, by any one of its alternatives. */
export function unmet(needs: readonly (readonly Need[])[], facts: Facts): Unmet[] {
  return needs.flatMap((alternatives): Unmet[] => {
    const lacks = alternatives.map((need) => lackOf(need, facts));
    if (lacks.includes(undefined)) return [];
    const open = lacks.filter((lack): lack is Lack => lack !== undefined);
    const applicable = open.filter((lack) => lack.applicable);
    const told = applicable.length > 0 ? applicable : open;
    return [
      {
        need: alternatives.join(' | '),
        remedy: clientsOnly(alternatives) ?? [...new Set(told.map(({ remedy }) => remedy))].join('; or '),
        applicable: applicable.length > 0,
      },
    ];
  });
}

/** Several clients of which one is enough are told in a word. */
function clientsOnly(needs: readonly Need[]): string | undefined {
  const names = needs.flatMap((need) => (need.startsWith('client:') ? [need.replace(':', 's.')] : []));
  if (names.length < 2 || names.length < needs.length) return undefined;
  return `declare ${names.slice(0, -1).join(', ')} or ${names.at(-1) ?? ''} in the target`;
}

interface Lack {
  readonly remedy: string;
  readonly applicable: boolean;
}

/** Why a need is not met; undefined where it is. */
function lackOf(need: Need, facts: Facts): Lack | undefined {
  const [kind = '', name = ''] = need.split(/:(.*)/s);
  const remedy = remedies[kind]?.(facts, name);
  if (remedy === undefined) {
    if (!Object.hasOwn(remedies, kind)) throw new Error(`no such need: ${need}`);
    return undefined;
  }
  return { remedy, applicable: kind !== 'flag' };
}

const hookRemedy = (capability: string, hook: string): string =>
  `let control_url offer "${capability}", or the adapter export ${hook}`;

/** By the kind of need: what to change, or undefined where the need is met. */
const remedies: Readonly<Record<string, (facts: Facts, name: string) => string | undefined>> = {
  client: ({ target }, name) =>
    target.clients[name as Role] ? undefined : `declare clients.${name} in the target: ${roleWords[name as Role]}`,
  refresh: ({ target }, name) => {
    const client = target.clients[name as Role];
    if (client?.refresh) return undefined;
    return client
      ? `set clients.${name}.refresh to true, once refresh tokens are enabled for that application`
      : `declare clients.${name} in the target with refresh: true: ${roleWords[name as Role]}`;
  },
  consent: consentRemedy,
  deny: (facts) =>
    facts.target.consent === 'auto'
      ? 'give consent by control, adapter or form: auto approves everything'
      : consentRemedy(facts),
  page: ({ target }) =>
    target.consent === 'auto' ? 'switch the automatic approval off, so that there is a consent page' : undefined,
  'second-account': (facts) => {
    const { target } = facts;
    if (target.consent === 'auto') return 'give consent by control, adapter or form: auto cannot choose an account';
    if (!Object.hasOwn(target.accounts, 'bob')) return 'declare a second account, bob, in accounts';
    return consentRemedy(facts);
  },
  clock: ({ hooks }) => (hooks.clock ? undefined : hookRemedy('clock', 'clock')),
  wait: ({ wait }) => (wait ? undefined : 'add --wait, which lets checks wait for half a minute'),
  'user-revocation': ({ hooks }) => (hooks.revoke ? undefined : hookRemedy('revocations', 'revoke')),
  'application-revocation': ({ hooks }) => (hooks.revoke ? undefined : hookRemedy('revocations', 'revoke')),
  'stash-events': ({ hooks }) => (hooks.stashEvent ? undefined : hookRemedy('stash-events', 'stashEvent')),
  codec: ({ target, hooks }) =>
    target.tree_codec !== undefined || hooks.tree
      ? undefined
      : 'name a tree_codec command in the target, or let the adapter export tree',
  revoke: ({ target }) => scopeRemedy(target, 'oauth:revoke'),
  introspect: ({ target }) => scopeRemedy(target, 'oauth:introspect'),
  game2: ({ target }) =>
    target.known.game2_account === undefined
      ? 'name an account with second-game characters in known.game2_account'
      : undefined,
  known: ({ target }, name) =>
    target.known[name as keyof Known] === undefined ? `say known.${name} in the target` : undefined,
  flag: ({ target }, name) => (target.edition[name] === 'off' ? `the target's edition has ${name} off` : undefined),
};

function consentRemedy({ target, hooks }: Facts): string | undefined {
  if (!hooks.consent) {
    switch (target.consent) {
      case 'control':
        return 'let control_url offer "consent", or set consent to adapter, form or auto';
      case 'adapter':
        return 'let the adapter export consent, or set consent to control, form or auto';
      default:
        return 'set consent to control, adapter, form or auto, whichever way this server lets a user decide';
    }
  }
  if (target.consent === 'auto' || Object.hasOwn(target.accounts, 'alice')) return undefined;
  return 'declare the first account, alice, in accounts';
}

const scopeRemedy = (target: Target, scope: Scope): string | undefined =>
  target.clients.operations || Object.values(target.clients).some(({ scopes }) => scopes.includes(scope))
    ? undefined
    : `declare clients.operations in the target: client_credentials with ${scope}`;

/** What the client of each role is. */
const roleWords: Readonly<Record<Role, string>> = {
  confidential: 'a confidential application, authorization_code, refresh tokens enabled',
  confidential_other: 'a second confidential application',
  confidential_no_refresh: 'a confidential application without refresh tokens',
  confidential_limited: 'a confidential application with few scopes',
  guild: 'a confidential application with account:guild:stashes',
  public: 'a public application with a local redirect URI',
  service: 'an application with service:* scopes for client_credentials',
  service_account: 'an application with account:* scopes for client_credentials',
  operations: 'an application with oauth:revoke and oauth:introspect for client_credentials',
};
