import { check, group } from '../../engine/check.js';
import { MissingCapability, PrerequisiteFailed } from '../../verdict.js';
import type { Grant, Run } from '../../engine/run.js';
import { sameForEveryClient } from '../../model/one-answer.js';
import { member } from '../../wire/answer.js';
import type { Answer } from '../../wire/answer.js';

const bare = check({
  id: 'PROFILE-001',
  level: 'MUST',
  sentence: 'GET /profile returns uuid, name, and perhaps locale and livestream, without a wrapper.',
  source: '4.2',
  needs: [['client:confidential', 'client:public'], 'consent'],
  judge: async (run) => {
    const answer = await run.http.data('getProfile');
    run.expect.status(answer, 200);
    for (const name of ['uuid', 'name']) {
      const value = member(answer.json, name);
      run.expect.that(typeof value === 'string', `the string ${name} at the top of the body`, value, answer);
    }
  },
});

const livestream = check({
  id: 'PROFILE-005',
  level: 'MUST',
  sentence:
    'livestream of the profile is there, with a string `name`, exactly for accounts that are linked to a streaming platform.',
  source: '4.2',
  needs: [['client:confidential', 'client:public'], 'consent', 'second-account', 'known:livestream'],
  judge: async (run) => {
    const linked = run.facts.known('livestream');
    const field = run.facts.target.names.livestream;
    const profile = async (account: string) => {
      const answer = await run.http.data('getProfile', { account });
      run.expect.status(answer, 200);
      return { answer, value: member(answer.json, field) };
    };
    const { answer, value } = await profile(linked);
    run.expect.that(
      typeof member(value, 'name') === 'string',
      `${field} with a name, as ${linked} is linked`,
      value,
      answer,
    );
    for (const account of run.oauth.accounts()) {
      if (account === linked) continue;
      const other = await profile(account);
      // The target need not say whether this account is linked; what it never is, is linked to nothing.
      if (other.value === undefined || other.value === null) continue;
      const name = member(other.value, 'name');
      run.expect.that(
        typeof name === 'string' && name !== '',
        `no ${field}, or one with a name`,
        other.value,
        other.answer,
      );
      run.expect.warn(`${account} has ${field} although the target names ${linked} as the linked account`);
    }
  },
});

/** Fresh grants with account:profile: of users, and of a client for itself. */
async function identities(run: Run): Promise<readonly Grant[]> {
  const holds = (role: 'confidential' | 'public' | 'service_account'): boolean =>
    run.facts.target.clients[role]?.scopes.includes('account:profile') === true;
  const grants: Grant[] = [];
  if (run.facts.hooks.consent) {
    for (const role of (['confidential', 'public'] as const).filter(holds)) {
      for (const account of run.oauth.accounts())
        grants.push(await run.oauth.grant(role, { account, scopes: ['account:profile'] }));
    }
  }
  if (holds('service_account')) {
    grants.push(await run.oauth.clientCredentials('service_account', { scopes: ['account:profile'] }));
  }
  if (grants.length === 0)
    throw new MissingCapability(
      'a client that may have account:profile',
      'in the target file, add account:profile to the scopes of a client that may have it, such as clients.confidential; a token under tokens is not enough, as the profile is compared with the response that the token came in',
    );
  return grants;
}

const sameIdentity = check({
  id: 'PROFILE-006',
  level: 'INFER',
  sentence: 'uuid and name of the profile are sub and username of the token used.',
  source: '4.1,4.2',
  entailed: '4.1, 4.2: token response and profile are two ways to ask for one fact',
  gap: 'K-085',
  needs: [['client:confidential', 'client:public'], 'consent'],
  judge: async (run) => {
    const grants = await identities(run);
    const what = ({ role, account }: Grant): string => `a token of ${account ?? 'the owner'} for client ${role}`;
    const agrees = (answer: Answer, { username, sub }: Grant['response']): void => {
      run.expect.status(answer, 200);
      run.expect.equal(member(answer.json, 'name'), username, 'name, as the username of the token', answer);
      const lower = (value: unknown): unknown => (typeof value === 'string' ? value.toLowerCase() : value);
      run.expect.equal(lower(member(answer.json, 'uuid')), lower(sub), 'uuid, as the sub of the token', answer);
    };
    await run.expect.each(what, grants, async ({ access, response }) =>
      agrees(await run.http.data('getProfile', { token: access }), response),
    );
    // All at the same time: no request is answered for another one's user.
    const several = [...grants, ...grants.toReversed()];
    const answers = await Promise.all(several.map(({ access }) => run.http.data('getProfile', { token: access })));
    await run.expect.each(
      ({ grant }) => `${what(grant)}, beside others`,
      several.map((grant, index) => ({ grant, answer: answers[index]! })),
      async ({ grant, answer }) => agrees(answer, grant.response),
    );
    if (run.facts.hooks.consent) {
      for (const account of run.oauth.accounts().slice(0, 3)) await sameForEveryClient(run, 'getProfile', { account });
    }
  },
});

const different = check({
  id: 'PROFILE-007',
  level: 'INFER',
  sentence: 'Different accounts have different uuid and name.',
  source: '4.2',
  entailed: '2, 4.2: a UUID and an account name say which account it is',
  needs: [['client:confidential', 'client:public'], 'consent', 'second-account'],
  judge: async (run) => {
    const names = run.oauth.accounts();
    if (names.length < 2) return run.expect.missing('two accounts in the target');
    const profiles: { readonly name: unknown; readonly uuid: unknown }[] = [];
    for (const account of names) {
      const { json, status } = await run.http.data('getProfile', { account });
      if (status !== 200) throw new PrerequisiteFailed(`GET /profile answered ${status}`);
      profiles.push({ name: member(json, 'name'), uuid: member(json, 'uuid') });
    }
    for (const field of ['name', 'uuid'] as const) {
      const values = profiles.map((profile) => profile[field]);
      run.expect.that(new Set(values).size === values.length, `a different ${field} for each account`, values);
    }
  },
});

export default group('game/profile', [bare, livestream, sameIdentity, different]);
