import type { Scope } from '../../src/contract/index.js';
import type { Need } from '../ledger.js';
import type { Hooks } from './hooks.js';
import type { Known, Role, Target } from './target.js';

/** The facts that needs are evaluated on. */
export interface Facts {
  readonly target: Target;
  /** Only their presence matters. */
  readonly hooks: Readonly<Partial<Record<keyof Hooks, unknown>>>;
  /** Whether checks may wait for 30 seconds. */
  readonly wait: boolean;
}

export interface Unmet {
  /** As the ledger has it, alternatives joined by ` | `. */
  readonly need: string;
  /** What to change; for what does not apply, why. */
  readonly remedy: string;
  /** False where the target declares that it lacks the feature. */
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

/** The remedy for clients of which any one is enough. */
function clientsOnly(needs: readonly Need[]): string | undefined {
  const names = needs.flatMap((need) => (need.startsWith('client:') ? [need.replace(':', 's.')] : []));
  if (names.length < 2 || names.length < needs.length) return undefined;
  return `declare ${names.slice(0, -1).join(', ')} or ${names.at(-1) ?? ''} in the target`;
}

interface Lack {
  readonly remedy: string;
  readonly applicable: boolean;
}

/** Why a need is not met, or undefined. */
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
  `offer "${capability}" at control_url, or export ${hook} from the adapter`;

/** By the kind of need: what to change, or undefined where the need is met. */
const remedies: Readonly<Record<string, (facts: Facts, name: string) => string | undefined>> = {
  client: ({ target }, name) =>
    target.clients[name as Role] ? undefined : `declare clients.${name} in the target: ${roleWords[name as Role]}`,
  refresh: ({ target }, name) => {
    const client = target.clients[name as Role];
    if (client?.refresh) return undefined;
    return client
      ? `enable refresh tokens for that application and set clients.${name}.refresh to true`
      : `declare clients.${name} in the target with refresh: true: ${roleWords[name as Role]}`;
  },
  consent: consentRemedy,
  deny: (facts) =>
    facts.target.consent === 'auto'
      ? 'set consent to control, adapter or form (auto approves everything)'
      : consentRemedy(facts),
  page: ({ target }) =>
    target.consent === 'auto' ? 'disable automatic approval, so that there is a consent page' : undefined,
  'second-account': (facts) => {
    const { target } = facts;
    if (target.consent === 'auto') return 'set consent to control, adapter or form (auto cannot choose an account)';
    if (!Object.hasOwn(target.accounts, 'bob')) return 'declare a second account, bob, in accounts';
    return consentRemedy(facts);
  },
  clock: ({ hooks }) => (hooks.clock ? undefined : hookRemedy('clock', 'clock')),
  wait: ({ wait }) => (wait ? undefined : 'add --wait, which allows waits of 30 seconds'),
  'user-revocation': ({ hooks }) => (hooks.revoke ? undefined : hookRemedy('revocations', 'revoke')),
  'application-revocation': ({ hooks }) => (hooks.revoke ? undefined : hookRemedy('revocations', 'revoke')),
  'stash-events': ({ hooks }) => (hooks.stashEvent ? undefined : hookRemedy('stash-events', 'stashEvent')),
  codec: ({ target, hooks }) =>
    target.tree_codec !== undefined || hooks.tree
      ? undefined
      : 'set tree_codec in the target, or export tree from the adapter',
  revoke: ({ target }) => scopeRemedy(target, 'oauth:revoke'),
  introspect: ({ target }) => scopeRemedy(target, 'oauth:introspect'),
  game2: ({ target }) =>
    target.known.game2_account === undefined
      ? 'set known.game2_account to an account with game2 characters'
      : undefined,
  known: ({ target }, name) =>
    target.known[name as keyof Known] === undefined ? `set known.${name} in the target` : undefined,
  flag: ({ target }, name) => (target.edition[name] === 'off' ? `edition.${name} is off in the target` : undefined),
};

function consentRemedy({ target, hooks }: Facts): string | undefined {
  if (!hooks.consent) {
    switch (target.consent) {
      case 'control':
        return 'offer "consent" at control_url, or set consent to adapter, form or auto';
      case 'adapter':
        return 'export consent from the adapter, or set consent to control, form or auto';
      default:
        return 'set consent to control, adapter, form or auto, as users decide on this server';
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
