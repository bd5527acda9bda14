import { operationList } from '../../src/contract/index.js';
import type { Scope } from '../../src/contract/index.js';
import { MissingScope } from '../verdict.js';
import type { Hooks } from './hooks.js';
import { roleLines, userRoles } from './table.js';
import type { Known, Role } from './table.js';
import type { Target } from './target.js';

/** The facts that needs are evaluated on. */
export interface TargetCapabilities {
  readonly target: Target;
  /** Only their presence matters. */
  readonly hooks: Readonly<Partial<Record<keyof Hooks, unknown>>>;
  /** Whether checks may wait for 30 seconds. */
  readonly wait: boolean;
  /** Whether others use the server, so that a run calls no hook that concerns them. */
  readonly safe?: boolean;
}

export interface Unmet {
  /** As the ledger has it, alternatives joined by ` | `. */
  readonly need: string;
  /** What to change; for what does not apply, why. */
  readonly remedy: string;
  /** False where the target declares that it lacks the feature. */
  readonly applicable: boolean;
}

/** A need as the target file writes what meets it: `known.season`, `clients.public with refresh`. */
export const needInWords = (need: string): string =>
  need
    .replaceAll(/\bknown:(?=\w)/g, 'known.')
    .replaceAll(/\bclient:(?=\w)/g, 'clients.')
    .replaceAll(/\brefresh:(\w+)/g, 'clients.$1 with refresh')
    .replaceAll(/\bscope:([\w:]+)/g, 'a client that may have $1')
    .replaceAll(/(?<=^|\| )(revoke|introspect)(?= \||$)/g, 'a client that may have oauth:$1')
    .replaceAll(' | ', ' or ');

/** The needs that a target does not meet: each entry must be met, by any one of its alternatives. */
export function unmet(needs: readonly (readonly Need[])[], facts: TargetCapabilities): Unmet[] {
  return needs.flatMap((alternatives): Unmet[] => {
    const lacks = alternatives.map((need) => lackOf(need, facts));
    if (lacks.includes(undefined)) return [];
    const open = lacks.filter((lack): lack is UnmetNeed => lack !== undefined);
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

interface UnmetNeed {
  readonly remedy: string;
  readonly applicable: boolean;
}

/** Why a need is not met, or undefined. */
function lackOf(need: Need, facts: TargetCapabilities): UnmetNeed | undefined {
  const [kind = '', name] = need.split(/:(.*)/s);
  const remedy =
    name === undefined
      ? capabilities[kind as Capability](facts)
      : named[kind as keyof NamedNeeds](facts, name as Role & keyof Known);
  return remedy === undefined ? undefined : { remedy, applicable: kind !== 'flag' };
}

const hookRemedy = ({ safe }: TargetCapabilities, capability: string, hook: string): string =>
  safe
    ? `run without --safe, which never uses "${capability}", against a server that nobody else uses`
    : `offer "${capability}" at control_url, or export ${hook} from the adapter`;

/** What to change, or undefined where the need is met. */
type Remedy<Name extends string> = (facts: TargetCapabilities, name: Name) => string | undefined;

const revocation = (facts: TargetCapabilities): string | undefined =>
  facts.hooks.revoke ? undefined : hookRemedy(facts, 'revocations', 'revoke');

const capabilities = {
  consent: consentRemedy,
  deny: (facts) =>
    facts.target.consent === 'auto'
      ? 'set consent to control, adapter or form (auto approves everything)'
      : consentRemedy(facts),
  /** The text of the consent page. */
  page: ({ target, hooks }) =>
    target.consent === 'auto' && !hooks.page
      ? 'disable automatic approval, so that there is a consent page, or export page from the adapter'
      : undefined,
  'second-account': (facts) => {
    const { target } = facts;
    if (target.consent === 'auto') return 'set consent to control, adapter or form (auto cannot choose an account)';
    if (!Object.hasOwn(target.accounts, 'bob')) return `declare a second account, bob, in accounts${keysOf(target)}`;
    return consentRemedy(facts);
  },
  clock: (facts) => (facts.hooks.clock ? undefined : hookRemedy(facts, 'clock', 'clock')),
  /** Leave to wait for half a minute. */
  wait: ({ wait }) => (wait ? undefined : 'add --wait, which allows waits of 30 seconds'),
  'user-revocation': revocation,
  'application-revocation': revocation,
  'stash-events': (facts) => (facts.hooks.stashEvent ? undefined : hookRemedy(facts, 'stash-events', 'stashEvent')),
  codec: ({ target, hooks }) =>
    target.tree_codec !== undefined || hooks.tree
      ? undefined
      : 'set tree_codec in the target, or export tree from the adapter',
  /** A token by client credentials with that scope of `oauth:*`. */
  revoke: ({ target }) => scopeRemedy(target, 'oauth:revoke'),
  introspect: ({ target }) => scopeRemedy(target, 'oauth:introspect'),
  /** An account with second-game characters. */
  game2: ({ target }) =>
    target.known.game2_account === undefined
      ? 'set known.game2_account to an account with game2 characters'
      : undefined,
} satisfies Record<string, (facts: TargetCapabilities) => string | undefined>;
type Capability = keyof typeof capabilities;

interface NamedNeeds {
  /** A client of that role; `refresh`: one that may refresh. */
  readonly client: Role;
  readonly refresh: Role;
  /** A fact of the target file. */
  readonly known: keyof Known;
  /** An edition flag that is not off. */
  readonly flag: string;
  /** A client or a ready token that may have that scope of the data API. */
  readonly scope: Scope;
}

const named: { readonly [Kind in keyof NamedNeeds]: Remedy<NamedNeeds[Kind]> } = {
  client: ({ target }, role) => (target.clients[role] ? undefined : `declare clients.${role} in the target${is(role)}`),
  refresh: ({ target }, role) => {
    const client = target.clients[role];
    if (client?.refresh) return undefined;
    return client
      ? `enable refresh tokens for that application and set clients.${role}.refresh to true`
      : `declare clients.${role} in the target with refresh: true${is(role)}`;
  },
  known: ({ target }, name) => (target.known[name] === undefined ? `set known.${name} in the target` : undefined),
  flag: ({ target }, name) => (target.edition[name] === 'off' ? `edition.${name} is off in the target` : undefined),
  scope: ({ target }, scope) => {
    const isOffered = operationList.some((one) => one.scope === scope && !target.not_offered.includes(one.id));
    const isHeld = target.tokens.some(({ scopes }) => scopes.includes(scope));
    return !isOffered || isHeld || rolesWith(target, [scope]).length > 0 ? undefined : new MissingScope([scope]).remedy;
  },
};

/** Tokens of public clients live for hours only. */
const sharedUserRoles: readonly Role[] = [...userRoles.filter((role) => role !== 'public'), 'public'];
const serviceRoles: readonly Role[] = [
  'service',
  'service_account',
  'operations',
  'confidential',
  'confidential_other',
];

/** The clients that may have a token with all of these scopes, by a user or by client credentials; the best first. */
export function rolesWith({ clients }: Pick<Target, 'clients'>, scopes: readonly Scope[]): readonly Role[] {
  const isOfUser = scopes.every((scope) => scope.startsWith('account:'));
  const order = isOfUser ? [...sharedUserRoles, 'service_account' as const] : serviceRoles;
  return order.filter((role) => scopes.every((scope) => clients[role]?.scopes.includes(scope)));
}

/** What a row needs of a target. */
export type Need = Capability | { [Kind in keyof NamedNeeds]: `${Kind}:${NamedNeeds[Kind]}` }[keyof NamedNeeds];

function consentRemedy({ target, hooks }: TargetCapabilities): string | undefined {
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
  return `declare the first account, alice, in accounts${keysOf(target)}`;
}

/** The suite knows accounts by their keys, whatever their names are. */
function keysOf({ accounts }: Target): string {
  const others = Object.keys(accounts).filter((key) => key !== 'alice' && key !== 'bob');
  if (others.length === 0) return '';
  return ` (alice and bob are keys; the names on the server, such as ${others.join(' and ')}, go into username)`;
}

function scopeRemedy(target: Target, scope: Scope): string | undefined {
  if (rolesWith(target, [scope]).length > 0) return undefined;
  return target.clients.operations
    ? new MissingScope([scope]).remedy
    : `declare clients.operations in the target: client_credentials with ${scope}`;
}

/** What the client of a role is, behind the words that ask for it. */
const is = (role: Role): string => `: ${roleLines[role].about.replace(/\.$/, '')}`;
