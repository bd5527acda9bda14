import { operationList } from '../../src/contract/index.js';
import type { GameOperation, Scope } from '../../src/contract/index.js';
import type { Grant, GrantOptions, Run } from '../engine/run.js';
import { Missing, NotExercised, Prerequisite } from '../verdict.js';
import type { Role } from '../target/target.js';
import type { Answer } from '../wire/answer.js';

const cheap: readonly GameOperation[] = [
  'getProfile',
  'listItemFilters',
  'listCharacters',
  'listAccountLeagues',
  'listLeagues',
  'getPublicStashTabs',
  'listPvpMatches',
];

/** A data operation that a scope opens, a cheap one where there is one; none of an edition that the target lacks. */
export function operationOf(run: Run, scopes: readonly Scope[]): GameOperation | undefined {
  const own = operationList.filter(
    ({ server, scope, flag }) =>
      server === 'data' &&
      scope !== undefined &&
      scopes.includes(scope) &&
      (flag === undefined || run.flag(flag) !== 'off'),
  );
  return cheap.find((name) => own.some(({ logical }) => logical === name)) ?? (own[0]?.logical as GameOperation);
}

/** Presents a token where one of its scopes is asked for: 2xx for one that works, 401 for one that does not. */
export async function probe(run: Run, token: string, scopes: readonly Scope[]): Promise<Answer> {
  const operation = operationOf(run, scopes);
  if (operation !== undefined) return run.data(operation, { ...(await run.sample(operation)), token });
  if (scopes.includes('oauth:introspect')) return run.introspect([['token', token]], { token });
  if (scopes.includes('oauth:revoke')) return run.revoke([['token', 'cx-was-never-issued']], { token });
  throw new Prerequisite(`no operation takes a token with ${scopes.join(' ') || 'no scope'}`);
}

/** Whether the server's data has what an operation of these scopes needs: a match that has a ladder, say. */
export async function canProbe(run: Run, scopes: readonly Scope[]): Promise<boolean> {
  const operation = operationOf(run, scopes);
  if (operation === undefined) return false;
  try {
    await run.sample(operation);
    return true;
  } catch (error) {
    if (error instanceof NotExercised || error instanceof Missing) return false;
    throw error;
  }
}

/** Whether the probe of a token was answered 2xx. */
export const works = async (run: Run, token: string, scopes: readonly Scope[]): Promise<boolean> =>
  Math.floor((await probe(run, token, scopes)).status / 100) === 2;

const people: readonly Role[] = [
  'confidential',
  'public',
  'confidential_other',
  'confidential_limited',
  'guild',
  'confidential_no_refresh',
];

/** The clients of the target that users authorize; with `refresh`, those for which it says that they may refresh. */
export function userRoles(run: Run, { refresh }: { readonly refresh?: boolean } = {}): readonly Role[] {
  if (!run.hooks.consent) return [];
  return people.filter((role) => {
    const client = run.target.clients[role];
    return client?.redirect_uri !== undefined && (refresh === undefined || client.refresh === refresh);
  });
}

/** One scope of a client, the one that is cheapest to probe, so that grants are small. */
export function narrow(run: Run, role: Role): readonly Scope[] {
  const { scopes } = run.client(role);
  const wanted: readonly Scope[] = [
    'account:profile',
    'account:characters',
    'account:leagues',
    'service:leagues',
    'oauth:introspect',
  ];
  const scope = wanted.find((one) => scopes.includes(one)) ?? scopes[0];
  return scope === undefined ? [] : [scope];
}

/** A fresh grant with few scopes: by consent for the clients that users authorize, else by client credentials. */
export const fresh = (run: Run, role: Role, options: GrantOptions = {}): Promise<Grant> =>
  people.includes(role)
    ? run.grant(role, { scopes: narrow(run, role), ...options })
    : run.clientCredentials(role, { scopes: options.scopes ?? narrow(run, role) });

export type Refreshable = Grant & { readonly refresh: string };

/** A fresh grant that came with a refresh token. */
export async function refreshable(run: Run, role: Role, options: GrantOptions = {}): Promise<Refreshable> {
  return withRefresh(await fresh(run, role, options));
}

/** The next grant of a chain. */
export async function rotated(run: Run, grant: Refreshable): Promise<Refreshable> {
  return withRefresh(await run.refreshed(grant));
}

function withRefresh(grant: Grant): Refreshable {
  if (grant.refresh === undefined) throw new Prerequisite(`client ${grant.role} was issued no refresh token`);
  return { ...grant, refresh: grant.refresh };
}
