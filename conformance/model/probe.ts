import type { Scope } from '../../src/contract/index.js';
import type { Grant, GrantOptions, Run } from '../engine/run.js';
import { openedBy } from '../engine/operations.js';
import { attempt, MissingCapability, NotExercised, PrerequisiteFailed } from '../verdict.js';
import { introspects } from '../target/offers.js';
import { userRoles as everyUserRole } from '../target/table.js';
import type { Role } from '../target/target.js';

/** Whether the server's data has what an operation of these scopes needs: a match that has a ladder, say. */
export async function canProbe(run: Run, scopes: readonly Scope[]): Promise<boolean> {
  const [operation] = openedBy(run.facts.target, scopes);
  if (operation === undefined) return introspects(run.facts.target);
  const { undecided } = await attempt(() => run.facts.sample(operation), [NotExercised, MissingCapability]);
  return undecided === undefined;
}

/** Whether the probe of a token was answered 2xx. */
export const works = async (run: Run, token: string, scopes: readonly Scope[]): Promise<boolean> =>
  Math.floor((await run.oauth.probe(token, scopes)).status / 100) === 2;

/** Statuses of what a server may not offer at all. */
const absent: readonly number[] = [404, 405, 501];

/** That a fresh token works is another row's business. @throws PrerequisiteFailed naming the operation that it was tried on */
export async function assumeWorking(run: Run, { role, access, scopes }: Grant): Promise<void> {
  const { status, asked } = await run.oauth.probe(access, scopes);
  if (Math.floor(status / 100) === 2) return;
  const { operation = 'the operation that it opens' } = asked;
  const remedy = absent.includes(status)
    ? `; if the server does not offer it, write not_offered: [${operation}] in the target`
    : '';
  throw new PrerequisiteFailed(
    `a fresh access token of client ${role} does not work, ${operation} answered ${status}${remedy}`,
  );
}

/** The clients of the target that users authorize; with `refresh`, those for which it says that they may refresh. */
export function userRoles(run: Run, { refresh }: { readonly refresh?: boolean } = {}): readonly Role[] {
  if (!run.facts.hooks.consent) return [];
  return everyUserRole.filter((role) => {
    const client = run.facts.target.clients[role];
    return client?.redirect_uri !== undefined && (refresh === undefined || client.refresh === refresh);
  });
}

/** One confidential and one public client, where the target has them. */
export const bothKinds = (run: Run, options?: { readonly refresh: boolean }): readonly Role[] =>
  userRoles(run, options).filter((role) => role === 'confidential' || role === 'public');

/** One scope of a client, the one that is cheapest to probe, so that grants are small. */
export function narrow(run: Run, role: Role): readonly Scope[] {
  const { scopes } = run.oauth.client(role);
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
  everyUserRole.includes(role)
    ? run.oauth.grant(role, { scopes: narrow(run, role), ...options })
    : run.oauth.clientCredentials(role, { scopes: options.scopes ?? narrow(run, role) });

/** The same for a check that ends it: nobody else has its tokens. */
export const spare = (run: Run, role: Role, options: GrantOptions = {}): Promise<Grant> =>
  everyUserRole.includes(role)
    ? fresh(run, role, options)
    : run.oauth.spareCredentials(role, { scopes: options.scopes ?? narrow(run, role) });

export type Refreshable = Grant & { readonly refresh: string };

/** A fresh grant that came with a refresh token. */
export async function refreshable(run: Run, role: Role, options: GrantOptions = {}): Promise<Refreshable> {
  return withRefresh(await fresh(run, role, options));
}

/** The next grant of a chain. */
export async function rotated(run: Run, grant: Refreshable): Promise<Refreshable> {
  return withRefresh(await run.oauth.refreshed(grant));
}

function withRefresh(grant: Grant): Refreshable {
  if (grant.refresh === undefined) throw new PrerequisiteFailed(`client ${grant.role} was issued no refresh token`);
  return { ...grant, refresh: grant.refresh };
}
