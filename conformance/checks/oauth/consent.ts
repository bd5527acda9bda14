import { check } from '../../engine/check.js';
import type { DefinedCheck } from '../../engine/check.js';
import { shown } from '../../engine/format.js';
import type { AuthorizationRequest, Code, Fields, Redirect, Run } from '../../engine/run.js';
import { PrerequisiteFailed } from '../../verdict.js';
import type { Role } from '../../target/target.js';
import { header, member, succeeded } from '../../wire/answer.js';
import { told } from './identity.js';
import { anyRole, checkEach, codeRoles, described, fieldOf, gaveCode } from './outcome.js';
import { omit, reached, refusing, thatSent } from './outcome.js';
import type { Parameter } from './outcome.js';

/** What can be left out of a request, or sent twice, so that its client and redirect_uri are still right. */
const failures: readonly Parameter[] = ['response_type', 'scope', 'state', 'code_challenge', 'code_challenge_method'];

const alice = 'alice';
const bob = 'bob';

/** The identity that a token response names, and what the token itself answers. */
async function exchanged(run: Run, code: Code) {
  const answer = await run.oauth.exchange(code);
  if (!succeeded(answer)) throw new PrerequisiteFailed(`the exchange of a code was answered with ${answer.status}`);
  return {
    answer,
    sub: told(answer.json, 'sub'),
    username: told(answer.json, 'username'),
    token: String(member(answer.json, 'access_token')),
  };
}

/** Codes of two users that are exchanged at the same moment: each token is still of its own user. */
async function exchangedTogether(run: Run, role: Role, subs: { readonly alice: unknown; readonly bob: unknown }) {
  const codes = [];
  for (const account of [alice, bob, alice, bob] as const) codes.push(await run.oauth.code(role, { account }));
  const answers = await run.http.race(
    codes.map((code) => ({ path: '/oauth/token', fields: run.oauth.exchangeFields(code) })),
  );
  for (const [index, answer] of answers.entries()) {
    const sub = member(answer.json, 'sub');
    // Whether it succeeds is not this row's affair.
    const own = subs[codes[index]!.account as 'alice' | 'bob'];
    if (sub !== undefined)
      run.expect.underAnyLoad(sub === own, `sub of the user who consented: ${shown(own)}`, sub, answer);
  }
}

/** Of registered URIs that differ in their queries, it is this one's query that the browser was sent with. */
function isOwnQuery({ query }: Redirect, uri: string, all: readonly string[]): boolean {
  const own = [...new URL(uri).searchParams];
  const foreign = all
    .flatMap((one) => [...new URL(one).searchParams.keys()])
    .filter((name) => !own.some(([key]) => key === name));
  return own.every(([name, value]) => query.getAll(name).includes(value)) && !foreign.some((name) => query.has(name));
}

/** A client may have several redirect URIs: an error goes to the one that the request names (interface 4.1). */
async function toEach(run: Run, role: Role): Promise<void> {
  const { redirect_uri: usual } = run.oauth.authorizationRequest(role);
  const others = run.oauth.client(role).redirect_uris.filter((uri) => uri !== usual);
  await run.expect.each('of redirect_uri %s', others.slice(0, 3), async (redirect_uri) => {
    const refuse = await refusing(run, role, { redirect_uri });
    const told = (redirect: Redirect): void => {
      if (gaveCode(run, redirect, [redirect_uri])) return;
      const expected = `an error redirect to ${redirect_uri}`;
      const there = reached(redirect, redirect_uri) && redirect.error !== null;
      thatSent(run, redirect, there && isOwnQuery(redirect, redirect_uri, [usual, ...others]), expected);
    };
    await refuse('without code_challenge', omit('code_challenge'), told);
    if (run.facts.target.consent === 'auto') return;
    const denied = await run.oauth.authorize(run.oauth.authorizationRequest(role, { redirect_uri }).fields, {
      decision: 'deny',
    });
    told(denied);
  });
}

/** AUTH-ERR-003, AUTH-USER, AUTH-NOCONSENT: whose decision it is, and where it is told (interface 3, 4.1, 7). */
export const consentChecks: readonly DefinedCheck[] = [
  checkEach({
    id: 'AUTH-ERR-003',
    level: 'MUST',
    sentence: 'A failure with a valid client_id and redirect_uri is reported by redirect, not by a bare error page.',
    source: '7',
    gap: 'K-006',
    needs: [['client:confidential', 'client:public'], 'consent'],
    judge: async (run, role) => {
      const refuse = await refusing(run, role);
      const onPage: string[] = [];
      const reported = (redirect: Redirect, fields: Fields, { redirect_uri }: AuthorizationRequest): void => {
        // Without a refusal there is nothing to report; the row of the parameter says so.
        if (gaveCode(run, redirect, [redirect_uri])) return;
        const twice = failures.find((name) => fields.filter(([one]) => one === name).length > 1);
        if (twice && !reached(redirect, redirect_uri)) return void onPage.push(twice);
        thatSent(
          run,
          redirect,
          reached(redirect, redirect_uri) && redirect.error !== null,
          `an error redirect to ${redirect_uri}`,
        );
      };
      await run.expect.each('without %s', failures, (name) => refuse('reported by redirect', omit(name), reported));
      await run.expect.each('with two %s', failures, (name) =>
        refuse('reported by redirect', (fields) => [...fields, [name, fieldOf(fields, name)]], reported),
      );
      // RFC 6749 4.1.2.1 redirects that too, but many a server reads no further in a request that is ambiguous.
      if (onPage.length > 0)
        run.expect.warn(
          `client ${role}: two ${onPage.join(', ')}: told on a page and not by redirect (RFC 6749 4.1.2.1)`,
        );
      await toEach(run, role);
    },
  }),

  check({
    id: 'AUTH-USER-001',
    level: 'MUST',
    sentence: "A code stands for the user who consented: the tokens carry that user's sub and username.",
    source: '3,4.1',
    needs: [['client:confidential', 'client:public'], 'consent', 'second-account'],
    judge: async (run) => {
      const role = anyRole(run);
      // Both have consented before either code is exchanged, so that neither is merely the last.
      const codes = {
        alice: await run.oauth.code(role, { account: alice }),
        bob: await run.oauth.code(role, { account: bob }),
      };
      const first = await exchanged(run, codes.alice);
      const second = await exchanged(run, codes.bob);
      const again = await exchanged(run, await run.oauth.code(role, { account: alice }));
      run.expect.that(first.sub !== second.sub, 'another sub for another user', first.sub, second.answer);
      run.expect.equal(again.sub, first.sub, 'sub of the same user', again.answer);
      run.expect.that(
        first.username !== second.username,
        'another username for another user',
        second.username,
        second.answer,
      );
      for (const [account, { username, answer }] of [
        [alice, first],
        [bob, second],
      ] as const) {
        const declared = run.facts.target.accounts[account]?.username;
        if (declared !== undefined) run.expect.equal(username, declared, `username of ${account}`, answer);
      }
      await exchangedTogether(run, role, { alice: first.sub, bob: second.sub });
      if (!codes.alice.scopes.includes('account:profile')) return;
      const [profile, other] = await Promise.all(
        [first, second].map(async ({ token }) => member((await run.http.data('getProfile', { token })).json, 'uuid')),
      );
      if (profile === undefined || other === undefined) return; // The row of the profile says so.
      run.expect.that(profile !== other, "each user's token to reach that user's profile", other);
    },
  }),

  check({
    id: 'AUTH-NOCONSENT-001',
    level: 'MUST',
    sentence: 'No code is issued before the user consents: a bare GET without a session gives none.',
    source: '3',
    gap: 'K-112',
    needs: [['client:confidential', 'client:public'], 'consent'],
    judge: async (run) => {
      if (run.facts.target.consent === 'auto')
        run.expect.notApplicable('the target approves every request by itself (consent: auto)');
      await run.expect.each('client %s', codeRoles(run), async (role) => {
        const { fields, redirect_uri } = run.oauth.authorizationRequest(role);
        // That somebody has approved before says nothing about a browser without a session.
        await run.oauth.code(role).catch(() => undefined);
        const answer = await run.oauth.bareAuthorize(fields);
        const location = header(answer, 'location') ?? null;
        const query = new URLSearchParams(/\?([^#]*)/.exec(location ?? '')?.[1] ?? '');
        const redirect: Redirect = {
          status: answer.status,
          location,
          query,
          code: query.get('code'),
          error: query.get('error'),
          page: answer.text,
        };
        run.expect.that(
          !gaveCode(run, redirect, [redirect_uri]),
          'no code before a user has consented',
          described(redirect),
          answer,
        );
      });
    },
  }),
];
