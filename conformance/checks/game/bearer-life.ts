import { lifetimes } from '../../../src/contract/index.js';
import { check } from '../../engine/check.js';
import type { DataRequest, Grant, Run } from '../../engine/run.js';
import { attempt, MissingCapability, NotExercised, PrerequisiteFailed } from '../../verdict.js';
import { revocation } from '../../model/authentication-methods.js';
import type { AuthenticationMethod } from '../../model/authentication-methods.js';
import type { Role } from '../../target/target.js';
import { allForms } from './forms.js';
import type { OperationForm } from './forms.js';
import { allCandidates } from './queried-forms.js';

/** A form with a token that opens it, of a grant that nobody else has. */
interface Opened {
  readonly form: OperationForm;
  readonly grant: Grant;
}

/** Fresh grants of the clients that can have the scopes, and the forms that each of them opens. */
async function opened(run: Run, able: readonly Role[], most = Infinity): Promise<readonly Opened[]> {
  const roles = able.filter((role) => run.facts.target.clients[role]);
  // Tokens that a target lists are not for it to end.
  if (roles.length === 0) return run.expect.missing(`client ${able.join(' or ')}`);
  const { forms: plain } = await allForms(run, 'old filters');
  const forms = [...plain, ...(most === Infinity ? await allCandidates(run) : [])];
  const grants = new Map<string, Grant>();
  const candidates: Opened[] = [];
  for (const form of forms) {
    const role = roles.find((one) => run.oauth.client(one).scopes.includes(form.scope));
    // Characters of the second game may be another account's.
    const { account } = form.request;
    if (role === undefined || (account !== undefined && isService(role))) continue;
    const owner = JSON.stringify([role, account]);
    const grant = grants.get(owner) ?? (await fresh(run, role, account));
    grants.set(owner, grant);
    candidates.push({ form, grant });
  }
  // A creation would leave a filter behind, so it is taken to work.
  const opens = async ({ form, grant }: Opened): Promise<boolean> =>
    form.logical === 'createItemFilter' || Math.floor((await call(run, form, grant.access)).status / 100) === 2;
  const found: Opened[] = [];
  while (found.length < most && candidates.length > 0) {
    const next = candidates.splice(0, most);
    const works = await run.http.atOnce(next, opens);
    found.push(...next.filter((_, index) => works[index]));
  }
  if (found.length === 0) throw new PrerequisiteFailed('no operation works with a fresh token');
  return found;
}

const isService = (role: Role): boolean => role === 'service' || role === 'service_account';

const fresh = (run: Run, role: Role, account?: string): Promise<Grant> =>
  isService(role)
    ? run.oauth.clientCredentials(role)
    : run.oauth.grant(role, { ...(account !== undefined && { account }) });

const refusedWith401 = (run: Run, all: readonly Opened[], why: string): Promise<void> =>
  run.expect.each(
    ({ form }) => `${form.name} with ${why} token`,
    all,
    async ({ form, grant }) => run.expect.status(await call(run, form, grant.access), 401),
    { atOnce: true },
  );

const call = (run: Run, { logical, request }: OperationForm, token: string) =>
  run.http.data(logical, { ...request, token } satisfies DataRequest);

/** Longest life of a user's access token by either of the interface's figures, and a minute (K-001). */
const beyondLife = Math.max(lifetimes.expires_in.confidential, lifetimes.access_token.confidential) + 60;

/** An expired token is no bearer at the revocation endpoint either, where that takes bearer tokens alone. */
async function revokesNothing(run: Run, { access, role }: Grant): Promise<void> {
  if (!run.oauth.obtainable().has('oauth:revoke')) return;
  const alive = await run.oauth.revoke([['token', 'cx-was-never-issued']]);
  if (alive.status !== 200) return;
  const victim = await fresh(run, role);
  run.expect.status(await run.oauth.revoke([['token', victim.access]], { token: access }), 401);
  await run.expect.alive(victim.access, victim.scopes);
}

const expired = check({
  id: 'BEAR-004',
  level: 'MUST',
  sentence: 'An expired access token gets 401 at every data operation, and at the revocation of another one.',
  source: '3,5.3,7',
  needs: [['client:confidential', 'client:public'], 'consent', 'clock'],
  phase: 'clock',
  judge: async (run) => {
    if (!run.facts.hooks.clock) return run.expect.missing('clock', 'a way to move the time of the server');
    const all = await opened(run, ['guild', 'confidential', 'public']);
    await run.facts.advance(beyondLife);
    await refusedWith401(run, all, 'an expired');
    await run.case('revocation', () => revokesNothing(run, all[0]!.grant));
  },
});

/**
 * Revokes a grant's access token: at the endpoint, or on the user's or the application's page, which ends all tokens of
 * the account for the client. *Could not run* where the server has none of these.
 */
export async function revoke(run: Run, grant: Grant, way: 'endpoint' | 'page first' | 'endpoint first'): Promise<void> {
  const page = way === 'endpoint' ? undefined : run.facts.hooks.revoke;
  if (!page || way !== 'page first') {
    const endpoint = await revocationIfAny(run, grant.role);
    if (endpoint && (endpoint.works || !endpoint.declined)) return void (await endpoint.ask(grant.access));
  }
  // A client may be let revoke its own tokens only (RFC 7009 2.1), and may have no scope to do so.
  if (!page) return run.expect.missing(`a way to revoke tokens of client ${grant.role}`);
  const { client_id } = run.oauth.client(grant.role);
  await page(
    grant.account === null ? { by: 'application', client_id } : { by: 'user', account: grant.account, client_id },
  );
}

/** The way over the revocation endpoint; none where no client has the scope for it. */
async function revocationIfAny(run: Run, role: Role): Promise<AuthenticationMethod | undefined> {
  return (await attempt(() => revocation(run, role), [MissingCapability, PrerequisiteFailed])).value;
}

const revoked = check({
  id: 'BEAR-005',
  level: 'MUST',
  sentence: 'A revoked access token gets 401 at every data operation.',
  source: '3,5.3,7',
  needs: [
    ['client:confidential', 'client:public', 'client:service', 'client:operations'],
    ['revoke', 'user-revocation', 'application-revocation'],
  ],
  phase: 'alone',
  judge: async (run) => {
    const all = await opened(run, ['guild', 'confidential', 'public', 'service']);
    const ended = new Set<Grant>();
    let missing: MissingCapability | undefined;
    for (const grant of new Set(all.map(({ grant: one }) => one))) {
      const { undecided } = await attempt(() => revoke(run, grant, 'endpoint first'), [MissingCapability]);
      if (undecided) missing = undecided;
      else ended.add(grant);
    }
    if (missing && ended.size === 0) throw missing;
    const judged = all.filter(({ grant }) => ended.has(grant));
    await refusedWith401(run, judged, 'a revoked');
  },
});

const revokedJustNow = check({
  id: 'BEAR-016',
  level: 'MUST',
  sentence: '401 begins with the first request after the revocation was acknowledged: nothing is cached.',
  source: '3',
  needs: [
    ['client:confidential', 'client:public', 'client:service', 'client:operations'],
    ['revoke', 'user-revocation'],
  ],
  phase: 'alone',
  judge: async (run) => {
    const roles = (['confidential', 'public', 'service'] as const).filter((role) => run.facts.target.clients[role]);
    const { forms } = await allForms(run, 'old filters');
    const probes = roles.flatMap((role) => {
      const own = forms.filter(
        ({ scope, request }) => run.oauth.client(role).scopes.includes(scope) && !request.account,
      );
      const form =
        own.find(({ logical }) => logical === 'getProfile') ?? own.find(({ logical }) => logical.startsWith('list'));
      return form ? [{ role, form }] : [];
    });
    const user = probes.find(({ role }) => role !== 'service') ?? probes[0];
    if (!user) throw new NotExercised('no operation for a token of a client');
    let service = probes.find(({ role }) => role === 'service') ?? user;
    const judge = async (round: number): Promise<void> => {
      const { role, form } = round % 10 === 9 ? service : user;
      const grant = await fresh(run, role);
      const { status } = await call(run, form, grant.access);
      if (status !== 200) throw new PrerequisiteFailed(`${form.name} answered a fresh token ${status}`);
      try {
        await revoke(run, grant, onPage(round) ? 'page first' : 'endpoint first');
      } catch (error) {
        if (!(error instanceof MissingCapability) || role === user.role) throw error;
        service = user;
        return;
      }
      const answer = await call(run, form, grant.access);
      run.expect.that(
        answer.status === 401,
        'status 401 at the first request after a revocation',
        answer.status,
        answer,
      );
    };
    const rounds = Array.from({ length: 20 }, (_, round) => round);
    const onPage = (round: number): boolean => round % 3 === 2;
    // A page ends all that an account has given a client; the endpoint ends one token.
    const endpoint = await revocationIfAny(run, user.role);
    const apart = endpoint?.works ? rounds.filter((round) => !onPage(round)) : [];
    await run.http.atOnce(apart, judge);
    for (const round of rounds) if (!apart.includes(round)) await judge(round);
  },
});

/** 401 is for tokens that are no longer good, 403 for good ones without the scope. */
const notSwapped = check({
  id: 'ERR-001',
  level: 'MUST',
  sentence: '401 is for expired and revoked tokens, 403 for tokens without the scope; the two are not swapped.',
  source: '5.3,7',
  needs: [['client:confidential', 'client:public'], 'consent'],
  phase: 'clock',
  judge: async (run) => {
    const all = await opened(run, ['confidential', 'public'], 1);
    const { form, grant } = all[0]!;
    const stranger = [...run.oauth.obtainable()].find(
      ([scope]) => scope !== form.scope && run.oauth.client(grant.role).scopes.includes(scope),
    );
    if (stranger) {
      const { access } = await run.oauth.grant(grant.role, { scopes: [stranger[0]] });
      const answer = await call(run, form, access);
      run.expect.that(answer.status === 403, 'status 403 without the scope', answer.status, answer);
    }
    const victim = await run.oauth.grant(grant.role);
    await revoke(run, victim, 'endpoint first');
    const refused = await call(run, form, victim.access);
    run.expect.that(refused.status === 401, 'status 401 with a revoked token', refused.status, refused);
    if (run.facts.hooks.clock) {
      await run.facts.advance(beyondLife);
      const answer = await call(run, form, grant.access);
      run.expect.that(answer.status === 401, 'status 401 with an expired token', answer.status, answer);
    } else run.expect.note('there is no clock hook, so expiry was not tried');
  },
});

/** The rows about tokens that are no longer good. */
export const lifetime = [expired, revoked, revokedJustNow, notSwapped];
