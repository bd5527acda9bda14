import { check } from '../../engine/check.js';
import type { DefinedCheck } from '../../engine/check.js';
import type { Grant, Run } from '../../engine/run.js';
import { PrerequisiteFailed } from '../../verdict.js';
import { difference } from '../../model/difference.js';
import type { Role } from '../../target/target.js';
import { member } from '../../wire/answer.js';
import type { Answer } from '../../wire/answer.js';
import { lower, told } from './identity.js';

interface Identity {
  readonly username: unknown;
  readonly sub: unknown;
}

const identityOf = ({ response }: Grant): Identity => ({
  username: told(response, 'username'),
  sub: lower(told(response, 'sub')),
});

/** A user token of the account that owns the applications, where that account can consent; else undefined. */
const ownersGrant = (run: Run): Promise<Grant | undefined> =>
  run.facts.once('a user token of the owner', async () => {
    const role = (['confidential', 'confidential_other', 'public'] as const).find(
      (one) => run.facts.target.clients[one],
    );
    if (role === undefined || !run.facts.hooks.consent || run.facts.target.consent === 'auto') return undefined;
    try {
      return await run.oauth.grant(role, { account: run.facts.known('owner') });
    } catch (error) {
      // Somebody owns the applications, but need not be able to sit at the browser of this run.
      if (error instanceof Error && error.name !== 'Stopped') return undefined;
      throw error;
    }
  });

const selfActing = (run: Run): readonly Role[] =>
  (['service', 'service_account', 'operations'] as const).filter((role) => run.facts.target.clients[role]);

/** A client-credentials token with this account scope, where the target has a client for it. */
async function accountToken(run: Run, scope: 'account:profile' | 'account:characters'): Promise<Grant | undefined> {
  if (!run.facts.target.clients.service_account?.scopes.includes(scope)) return undefined;
  return run.oauth.clientCredentials('service_account', { scopes: [scope] });
}

const ok = (answer: Answer): Answer => {
  if (answer.status !== 200) throw new PrerequisiteFailed(`${answer.request.method} answered ${answer.status}`);
  return answer;
};

/** What the owner's lists name can be fetched one by one as well; how many lists there were. */
async function singles(run: Run): Promise<number> {
  const own = await accountToken(run, 'account:characters');
  if (!own) return 0;
  const token = own.access;
  const list = member(ok(await run.http.data('listCharacters', { token })).json, 'characters');
  // Whether an expired or deleted character can be fetched is not stated (K-134).
  const names = (Array.isArray(list) ? list : [])
    .filter((one) => member(one, 'expired') !== true && member(one, 'deleted') !== true)
    .map((one) => member(one, 'name'))
    .filter((name) => typeof name === 'string' && !['pc', 'xbox', 'sony', run.facts.target.names.game2].includes(name));
  for (const name of names.slice(0, 2) as readonly string[]) {
    const answer = await run.http.data('getCharacter', { args: { name }, token });
    run.expect.status(answer, 200);
    run.expect.equal(member(member(answer.json, 'character'), 'name'), name, "the owner's character", answer);
  }
  return names.length > 0 ? 1 : 0;
}

/** What stays of characters while they are played between two answers. */
const lasting = (value: unknown): unknown =>
  Array.isArray(value) ? value.map((one) => [member(one, 'id'), member(one, 'name'), member(one, 'realm')]) : value;

/** TOK-CC-010 to -012: whose tokens these are (interface 3, 5.6). */
export const ownerChecks: readonly DefinedCheck[] = [
  check({
    id: 'TOK-CC-010',
    level: 'MUST',
    sentence: "The identity of a client-credentials token is the application owner: username and sub are the owner's.",
    source: '3,5.6',
    gap: 'K-086',
    needs: ['client:service'],
    judge: async (run) => {
      const { owner } = run.facts.target.known;
      const grants = await Promise.all(selfActing(run).map((role) => run.oauth.clientCredentials(role)));
      const identities = grants.map(identityOf);
      let compared = 0;
      const told = owner === undefined ? undefined : run.facts.target.accounts[owner]?.username;
      const user = await ownersGrant(run);
      const expected = user && identityOf(user);
      await run.expect.each('client $role', grants, async (grant) => {
        const { username, sub } = identityOf(grant);
        if (told !== undefined) run.expect.equal(username, told, 'username of the owner', grant.answer);
        if (expected)
          run.expect.equal({ username, sub }, expected, "username and sub of the owner's user token", grant.answer);
        // That one account owns all of them is what the target declares.
        if (owner !== undefined)
          run.expect.equal({ username, sub }, identities[0], 'one owner for all applications', grant.answer);
        const { client_id } = run.oauth.client(grant.role);
        run.expect.that(username !== client_id, 'the name of an account', 'the client_id', grant.answer);
        compared += told !== undefined || expected ? 1 : 0;
      });
      const own = await accountToken(run, 'account:profile');
      if (own) {
        const profile = await run.http.data('getProfile', { token: own.access });
        if (profile.status === 200) {
          const uuid = member(profile.json, 'uuid');
          const seen = { username: member(profile.json, 'name'), sub: lower(uuid) };
          run.expect.equal(identityOf(own), seen, "the owner's profile", own.answer);
          compared += 1;
        }
      }
      if (owner !== undefined && told === undefined && !user && compared > 0)
        run.expect.warn(
          `whether the identity is that of known.owner was not compared: write accounts.${owner}.username in the target`,
        );
      if (compared === 0)
        run.expect.missing(
          'known.owner',
          'set known.owner in the target, or give client service_account account:profile',
        );
    },
  }),

  check({
    id: 'TOK-CC-011',
    level: 'MUST',
    sentence: 'With suitable scopes a client-credentials token reaches the account data of the owner.',
    source: '5.6',
    gap: 'K-004',
    needs: ['client:service_account'],
    judge: async (run) => {
      const user = await ownersGrant(run);
      let reached = 0;
      for (const [scope, operation] of [
        ['account:profile', 'getProfile'],
        ['account:characters', 'listCharacters'],
      ] as const) {
        const own = await accountToken(run, scope);
        if (!own) continue;
        const answer = await run.http.data(operation, { token: own.access });
        run.expect.status(answer, 200);
        reached += 1;
        if (operation === 'getProfile') {
          run.expect.equal(
            member(answer.json, 'name'),
            told(own.response, 'username'),
            'the profile of the identity',
            answer,
          );
        }
        if (!user?.scopes.includes(scope)) continue;
        const theirs = ok(await run.http.data(operation, { token: user.access }));
        const part = operation === 'getProfile' ? 'uuid' : 'characters';
        const [shown, wanted] = [answer, theirs].map(({ json }) => lasting(member(json, part)));
        const differs = difference(shown, wanted, part);
        run.expect.that(differs === undefined, "the data of the owner's user token", differs, answer);
      }
      reached += (await run.case('one of each', () => singles(run))) ?? 0;
      if (reached === 0)
        run.expect.missing(
          'account:profile or account:characters for client service_account',
          'in the target file, add one of them to clients.service_account.scopes',
        );
    },
  }),

  check({
    id: 'TOK-CC-012',
    level: 'MUST',
    sentence:
      'A client-credentials token can be revoked from the application settings page; requests with it are refused then.',
    source: '3,5.6',
    gap: 'K-128',
    needs: ['client:service', 'application-revocation'],
    phase: 'alone',
    judge: async (run) => {
      const grants = [await run.oauth.clientCredentials('service'), await run.oauth.clientCredentials('service')];
      await endByApplication(run, 'service');
      for (const { access, scopes } of grants) {
        run.expect.status(await run.oauth.probe(access, scopes), 401);
      }
      // What is issued from then on has not been revoked.
      const { access, scopes } = await run.oauth.clientCredentials('service');
      run.expect.status(await run.oauth.probe(access, scopes), '2xx');
    },
  }),
];

/** The application's settings page: every client-credentials token of a client ends. */
export async function endByApplication(run: Run, role: Role): Promise<void> {
  const { revoke } = run.facts.hooks;
  if (!revoke) return run.expect.missing('revocations', 'a way to the settings page of an application');
  await revoke({ by: 'application', client_id: run.oauth.client(role).client_id });
}

/** The user's applications page: every token of an account for a client ends. */
export async function endByUser(run: Run, account: string, role: Role): Promise<void> {
  const { revoke } = run.facts.hooks;
  if (!revoke) return run.expect.missing('revocations', 'a way to the applications page of a user');
  await revoke({ by: 'user', account, client_id: run.oauth.client(role).client_id });
}
