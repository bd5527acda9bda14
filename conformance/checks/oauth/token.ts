import { check, group } from '../../engine/check.js';
import type { DefinedCheck } from '../../engine/check.js';
import type { Grant, Run } from '../../engine/run.js';
import { PrerequisiteFailed } from '../../verdict.js';
import { member } from '../../wire/answer.js';
import { userRoles } from '../../model/probe.js';
import { issued } from './exchange.js';
import { accountsOf, lower, told } from './identity.js';
import { tokenErrorCodes } from './token-error-codes.js';
import { tokenErrorChecks } from './token-errors.js';
import { tokenFormChecks } from './token-forms.js';

interface Identified {
  readonly grant: Grant;
  readonly profile: { readonly name: unknown; readonly uuid: unknown };
}

/** What the token response says of its account beside what the profile says, for two accounts and each kind of client. */
const identities = (run: Run): Promise<readonly Identified[]> =>
  run.facts.once('identities of token responses', async () => {
    const found: Identified[] = [];
    for (const role of (['confidential', 'public'] as const).filter((one) => userRoles(run).includes(one))) {
      if (!run.oauth.client(role).scopes.includes('account:profile')) continue;
      for (const account of accountsOf(run)) {
        const first = await run.oauth.grant(role, {
          scopes: ['account:profile'],
          ...(account !== null && { account }),
        });
        const chain = first.refresh === undefined ? [first] : [first, await run.oauth.refreshed(first)];
        const answer = await run.http.data('getProfile', { token: chain.at(-1)!.access });
        const [name, uuid] = [member(answer.json, 'name'), member(answer.json, 'uuid')];
        if (answer.status !== 200) throw new PrerequisiteFailed(`GET /profile answered ${answer.status}`);
        found.push(...chain.map((grant) => ({ grant, profile: { name, uuid } })));
      }
    }
    return found;
  });

const described = ({ grant: { role, account } }: Identified): string => `${account ?? ''} by client ${role}`;

/** TOK-RESP: what a token response holds (interface 4.1). The rest of the group is held by monitors. */
const responseChecks: readonly DefinedCheck[] = [
  check({
    id: 'TOK-RESP-007',
    level: 'INFER',
    sentence: "username is the account name of the token's identity, the same as the name of the profile.",
    source: '4.1,4.2',
    entailed: '4.1, 4.2: token response and profile are two ways to ask for one fact',
    gap: 'K-085',
    needs: [['client:confidential', 'client:public'], 'consent'],
    judge: async (run) =>
      run.expect.each(described, await identities(run), async ({ grant, profile }) => {
        if (typeof profile.name !== 'string') throw new PrerequisiteFailed('the profile has no name');
        run.expect.equal(told(grant.response, 'username'), profile.name, 'username', grant.answer);
      }),
  }),

  check({
    id: 'TOK-RESP-009',
    level: 'MUST',
    sentence: 'sub is the UUID of the account, the same as the uuid of the profile.',
    source: '4.1,4.2',
    needs: [['client:confidential', 'client:public'], 'consent'],
    judge: async (run) =>
      run.expect.each(described, await identities(run), async ({ grant, profile }) => {
        if (typeof profile.uuid !== 'string') throw new PrerequisiteFailed('the profile has no uuid');
        const sub = told(grant.response, 'sub');
        const expected = `sub: the uuid of the profile, ${profile.uuid}, in either case`;
        run.expect.that(lower(sub) === lower(profile.uuid), expected, sub, grant.answer);
      }),
  }),

  check({
    id: 'TOK-RESP-010',
    level: 'MUST',
    sentence:
      'refresh_token is there, a non-empty string, after authorization_code and refresh_token grants where refresh tokens are enabled for the application.',
    source: '4.1,5.8',
    needs: ['refresh:confidential', 'consent'],
    judge: (run) =>
      run.expect.each('client %s', userRoles(run, { refresh: true }), async (role) => {
        const code = await run.oauth.code(role);
        let grant = issued(run, role, code.account, await run.oauth.exchange(code));
        for (const after of ['the exchange', 'a refresh', 'a second refresh']) {
          const { refresh, answer } = grant;
          run.expect.that(
            refresh !== undefined,
            `a refresh_token, not empty, after ${after}`,
            refreshTold(grant),
            answer,
          );
          if (after === 'a second refresh') break;
          grant = issued(run, role, code.account, await run.oauth.refresh(role, refresh!));
        }
      }),
  }),

  check({
    id: 'TOK-RESP-011',
    level: 'MUST',
    sentence: 'refresh_token is absent where refresh tokens are not enabled for the application.',
    source: '4.1,5.8',
    needs: ['client:confidential_no_refresh', 'consent'],
    judge: (run) =>
      run.expect.each('client %s', userRoles(run, { refresh: false }), async (role) => {
        const code = await run.oauth.code(role);
        const grant = issued(run, role, code.account, await run.oauth.exchange(code));
        run.expect.that(
          !Object.hasOwn(grant.response, 'refresh_token'),
          'no refresh_token member',
          refreshTold(grant),
          grant.answer,
        );
      }),
  }),
];

/** What came as refresh_token, without telling a token. */
const refreshTold = ({ response }: Grant): string => {
  const value = member(response, 'refresh_token');
  if (value === undefined) return 'no refresh_token member';
  return typeof value === 'string'
    ? `refresh_token of ${value.length} characters`
    : `refresh_token ${value === null ? 'null' : typeof value}`;
};

/** Token responses and token errors, by example and by property. */
export default group('oauth/token', [...responseChecks, ...tokenErrorChecks, ...tokenErrorCodes, ...tokenFormChecks]);
