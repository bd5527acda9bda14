import fc from 'fast-check';

import { scopes as contractScopes } from '../../../src/contract/index.js';
import type { Scope } from '../../../src/contract/index.js';
import { check, group, observation } from '../../engine/check.js';
import type { Redirect, Run } from '../../engine/run.js';
import { gScopeSubset, gUnknownScope, nearScopes, noScope } from '../../generators/oauth.js';
import { scopesAsDeclared, warnOfDefault } from '../../model/declared.js';
import { grantOf } from '../../engine/grants.js';
import { refreshable, userRoles } from '../../model/probe.js';
import { PrerequisiteFailed } from '../../verdict.js';
import { accountScopes, grantsOnly, scopeSet, scopesIn } from '../../model/scopes.js';
import type { Role } from '../../target/target.js';
import { member, succeeded } from '../../wire/answer.js';
import type { Answer } from '../../wire/answer.js';
import { anyRole, described, gaveCode, put, reached, thatSent } from './outcome.js';
import { openedBy, traitsOf, shortest } from '../../engine/operations.js';

/** A refresh for the scopes in another order than they were granted in, where the field is taken at all (K-012). */
async function refreshesInAnyOrder(run: Run): Promise<void> {
  const { refresh, scopes, account } = await refreshable(run, 'confidential', {
    scopes: accountScopes(run, 'confidential').slice(0, 4),
  });
  const ask = (token: string, list: readonly string[]): Promise<Answer> =>
    run.oauth.tokenRequest([...run.oauth.refreshFields('confidential', token), ['scope', list.join(' ')]]);
  const plain = await ask(refresh, scopes);
  const next = succeeded(plain) ? grantOf('confidential', account, plain) : undefined;
  if (next?.refresh === undefined) return;
  const answer = await ask(next.refresh, scopes.toReversed());
  run.expect.status(answer, '2xx');
  const got = grantOf('confidential', account, answer).scopes;
  run.expect.equal(scopeSet(got), scopeSet(scopes), 'the scopes granted in another order', answer);
}

const everyScope = Object.keys(contractScopes) as Scope[];
const serviceScopes = everyScope.filter((scope) => scope.startsWith('service:'));

/** What a server may say of a scope that exists, where the client may not have it. */
const otherRefusals = ['unauthorized_client', 'access_denied', 'invalid_request'];

/** What came of a request for scopes: the error at the client, or the token response. */
interface ScopeResult {
  readonly redirect: Redirect;
  readonly redirect_uri: string;
  /** Answer of the exchange, where there was a code. */
  readonly answer?: Answer;
  readonly token?: string;
  /** The granted scopes, where there was a token. */
  readonly granted: readonly string[];
}

/** Asks for a `scope`, as written, and exchanges the code where one comes back. */
async function ask(run: Run, role: Role, scope: string): Promise<ScopeResult> {
  const { fields, redirect_uri, verifier } = run.oauth.authorizationRequest(role);
  const redirect = await run.oauth.authorize(put('scope', scope)(fields));
  const { code } = redirect;
  if (code === null || !gaveCode(run, redirect, [redirect_uri])) return { redirect, redirect_uri, granted: [] };
  const account = Object.keys(run.facts.target.accounts)[0] ?? 'default';
  const answer = await run.oauth.tokenRequest(
    run.oauth.exchangeFields({ role, account, code, verifier, redirect_uri, scopes: [] }),
  );
  const token = member(answer.json, 'access_token');
  if (typeof token !== 'string') return { redirect, redirect_uri, answer, granted: [] };
  return { redirect, redirect_uri, answer, token, granted: scopesIn(answer) };
}

/** A scope that the client may have, to stand beside one that it may not. */
const goodScope = (run: Run, role: Role): Scope =>
  accountScopes(run, role)[0] ??
  run.expect.missing(
    `an account scope of client ${role}`,
    `in the target file, add a scope account:* to clients.${role}.scopes`,
  );

/** That asking for scopes works at all, without which a refusal shows nothing. */
async function control(run: Run, role: Role): Promise<void> {
  const { token } = await ask(run, role, goodScope(run, role));
  if (token === undefined) throw new PrerequisiteFailed('a request for a scope that the client may have gave no token');
}

/**
 * That a scope was not granted: refused, or left out of the token's scopes and of what the token can do (K-083).
 */
async function notGranted(run: Run, asked: ScopeResult, scope: string): Promise<void> {
  const { redirect, redirect_uri, answer, token, granted } = asked;
  run.expect.that(!granted.includes(scope), `${scope} not to be granted`, `scope ${granted.join(' ')}`, answer);
  if (token === undefined) {
    if (reached(redirect, redirect_uri) && redirect.code === null)
      run.expect.sentBack(redirect, { errors: ['invalid_scope'], alike: otherRefusals });
    return;
  }
  const [operation] = openedBy(run.facts.target, [scope as Scope]).filter((one) => traitsOf(one).cheap !== undefined);
  const flag = operation && shortest(operation).flag;
  // A missing edition may answer 404 before anything else.
  if (operation && (flag === undefined || run.facts.flag(flag) === 'on')) {
    // Where no client can have the scope the operation may not be there, and any refusal will do.
    const refusal = run.oauth.obtainable().has(scope as Scope) ? 403 : '4xx';
    run.expect.status(await run.http.data(operation, { token }), refusal);
  }
}

/** Whether the scopes beside `unwanted` were granted, as the target declares. */
const fate = (
  run: Run,
  { redirect, granted, answer }: ScopeResult,
  wanted: readonly string[],
  unwanted: string,
): void =>
  scopesAsDeclared(
    run,
    { wanted, unwanted: [unwanted] },
    {
      refused: redirect.code === null,
      granted,
      got: granted.length > 0 ? `scope ${granted.join(' ')}` : described(redirect),
      ...(answer && { answer }),
    },
  );

/** Each of these beside a scope that the client may have, and each by itself. */
async function neverGranted(run: Run, role: Role, unwanted: readonly Scope[]): Promise<void> {
  await control(run, role);
  const good = goodScope(run, role);
  await run.expect.each(`%s for client ${role}`, unwanted, async (scope) => {
    for (const wanted of [[good], []]) {
      const asked = await ask(run, role, [...wanted, scope].join(' '));
      await notGranted(run, asked, scope);
      fate(run, asked, wanted, scope);
    }
  });
}

/** AUTH-SCOPE, SCOPE-CASE: what a user can be asked for (interface 4.1, 5.7, RFC 6749 3.3). */
export default group('oauth/scope', [
  check({
    id: 'AUTH-SCOPE-001',
    level: 'MUST-RFC',
    sentence: "An unknown scope is never granted: the request is refused, or the token's `scope` lacks it.",
    source: '4.1,5.7',
    gap: 'K-083',
    needs: [['client:confidential', 'client:public'], 'consent'],
    judge: async (run) => {
      const role = anyRole(run);
      const good = goodScope(run, role);
      await control(run, role);
      const unknown = async (scope: string, first: boolean): Promise<void> => {
        const asked = await ask(run, role, first ? `${scope} ${good}` : `${good} ${scope}`);
        const { redirect, redirect_uri, granted, answer } = asked;
        run.expect.that(!granted.includes(scope), `${scope} not to be granted`, `scope ${granted.join(' ')}`, answer);
        if (redirect.code === null && reached(redirect, redirect_uri))
          run.expect.sentBack(redirect, { errors: ['invalid_scope'] });
        fate(run, asked, [good], scope);
      };
      await run.expect.each('%s', nearScopes, (scope) => unknown(scope, false));
      await run.case('an unknown scope alone', async () => {
        const asked = await ask(run, role, noScope);
        run.expect.that(!asked.granted.includes(noScope), `${noScope} not to be granted`, asked.granted, asked.answer);
        fate(run, asked, [], noScope);
        warnOfDefault(run, asked.granted, noScope, asked.answer);
      });
      await run.expect.property(
        'any unknown scope',
        fc.record({ scope: gUnknownScope, first: fc.boolean() }),
        { share: 0.08 },
        ({ scope, first }) => unknown(scope, first),
      );
    },
  }),

  check({
    id: 'AUTH-SCOPE-002',
    level: 'MUST',
    sentence: 'No `service:*` scope can be obtained with authorization_code, not even by a confidential client.',
    source: '5.7',
    gap: 'K-083',
    needs: ['client:confidential', 'consent'],
    judge: (run) => neverGranted(run, 'confidential', serviceScopes),
  }),

  check({
    id: 'AUTH-SCOPE-003',
    level: 'MUST',
    sentence: 'A public client never obtains a `service:*` scope.',
    source: '5.4',
    gap: 'K-083',
    needs: ['client:public', 'consent'],
    judge: (run) => neverGranted(run, 'public', serviceScopes),
  }),

  check({
    id: 'AUTH-SCOPE-004',
    level: 'INFER',
    sentence: 'A scope not enabled for the client is not granted.',
    source: '5.7',
    entailed:
      '4.1, 5.7: an application is granted what it may have, and the target says that this is all (exact_scopes)',
    gap: 'K-083',
    needs: [['client:confidential_limited', 'client:confidential', 'client:public'], 'consent'],
    judge: async (run) => {
      // By which grant a client comes to oauth:* scopes is not stated (K-010); that it may have no others is declared.
      const lacking = (role: Role): readonly Scope[] =>
        run.facts.target.clients[role]?.exact_scopes === true
          ? everyScope.filter(
              (scope) => !scope.startsWith('service:') && !run.oauth.client(role).scopes.includes(scope),
            )
          : [];
      const roles = (['confidential_limited', 'confidential', 'public'] as const).filter(
        (one) => lacking(one).length > 0 && accountScopes(run, one).length > 0,
      );
      if (roles.length === 0)
        return run.expect.notExercised(
          'no client has exact_scopes: true in the target and lacks an account or oauth scope',
        );
      for (const role of roles) await neverGranted(run, role, lacking(role));
    },
  }),

  check({
    id: 'AUTH-SCOPE-005',
    level: 'MUST',
    sentence: '`account:guild:stashes` is not granted to a client without the special grant.',
    source: '4.2,5.7',
    gap: 'K-125',
    needs: ['client:confidential_limited', 'consent'],
    judge: async (run) => {
      const guild = 'account:guild:stashes';
      const roles = (['confidential_limited', 'confidential', 'public'] as const).filter(
        (role) =>
          run.facts.target.clients[role]?.exact_scopes === true && !run.oauth.client(role).scopes.includes(guild),
      );
      if (roles.length === 0)
        return run.expect.notExercised(`no client has exact_scopes: true in the target and lacks ${guild}`);
      const league = run.facts.target.known.guild_league;
      await run.expect.each('client %s', roles, async (role) => {
        await control(run, role);
        const asked = await ask(run, role, `${goodScope(run, role)} ${guild}`);
        await notGranted(run, asked, guild);
        if (asked.token !== undefined && league !== undefined) {
          run.expect.status(await run.http.data('listGuildStashes', { args: { league }, token: asked.token }), 403);
        }
      });
    },
  }),

  check({
    id: 'AUTH-SCOPE-006',
    level: 'MUST-RFC',
    sentence: 'The order of the scopes in the list does not matter.',
    source: '4.1',
    gap: 'K-084',
    needs: [['client:confidential', 'client:public'], 'consent'],
    judge: async (run) => {
      const role = anyRole(run);
      const possible = accountScopes(run, role);
      if (possible.length < 2) return run.expect.notExercised(`client ${role} may have one scope only`);
      await control(run, role);
      await run.expect.property(
        'two orders of the same scopes',
        gScopeSubset(possible, { min: 2 }),
        { share: 0.05 },
        async (scopes) => {
          const [one, other] = [
            await ask(run, role, scopes.join(' ')),
            await ask(run, role, scopeSet(scopes).join(' ')),
          ];
          if ([one, other].some(({ answer, token }) => answer && token === undefined)) {
            throw new PrerequisiteFailed('an exchange gave no token');
          }
          run.expect.equal(
            scopeSet(one.granted),
            scopeSet(other.granted),
            'the scopes granted in another order',
            one.answer,
          );
        },
      );
      if (userRoles(run, { refresh: true }).includes('confidential'))
        await run.case('in a refresh', () => refreshesInAnyOrder(run));
    },
  }),

  observation({
    id: 'AUTH-SCOPE-007',
    sentence: 'What repeated scopes, further spaces, tabs or quotes in `scope` do is not stated.',
    source: '4.1',
    gap: 'K-084',
    needs: [['client:confidential', 'client:public'], 'consent'],
    observe: async (run, note) => {
      const role = anyRole(run);
      const good = goodScope(run, role);
      for (const [what, scope] of [
        ['A scope named twice', `${good} ${good}`],
        ['Two spaces between scopes', `${good}  ${good}`],
        ['A space before a scope', ` ${good}`],
        ['A tab between scopes', `${good}\t${good}`],
        ['A scope in quotes', `"${good}"`],
        ['A comma between scopes', `${good},${good}`],
      ] as const) {
        const { redirect, granted, answer } = await ask(run, role, scope);
        const status = answer?.status ?? redirect.status;
        note(
          `${what}: ${granted.length > 0 ? `granted as ${JSON.stringify(granted.join(' '))}` : (redirect.error ?? `status ${status}`)}.`,
        );
        if (status >= 500) run.expect.warn(`${what} is answered with status ${status}`);
      }
    },
  }),

  check({
    id: 'AUTH-SCOPE-008',
    level: 'MUST',
    sentence:
      '`scope` is a list separated by spaces: every subset of the allowed account scopes can be requested together.',
    source: '4.1',
    needs: [['client:confidential', 'client:public'], 'consent'],
    judge: async (run) => {
      const role = anyRole(run);
      const possible = accountScopes(run, role);
      await control(run, role);
      const together = async (scopes: readonly Scope[]): Promise<void> => {
        const { redirect, answer, granted } = await ask(run, role, scopes.join(' '));
        thatSent(run, redirect, redirect.code !== null, `a code for the scopes ${scopes.join(' ')}`);
        run.expect.status(answer!, '2xx');
        grantsOnly(run, answer!, scopes, { least: 1 });
        const missing = scopes.filter((scope) => !granted.includes(scope));
        if (missing.length > 0)
          run.expect.warn(`the user approved ${missing.join(' ')}, which was not granted`, answer);
      };
      await run.expect.each('all scopes', [possible, [...possible].reverse()], together);
      await run.expect.property('any subset of the scopes', gScopeSubset(possible), { share: 0.12 }, together);
    },
  }),

  check({
    id: 'SCOPE-CASE-001',
    level: 'INFER',
    sentence: 'Scope names are exact and case-sensitive: `Account:Profile` is never granted as account:profile.',
    source: '5.7',
    entailed: '5.7: scopes are case-sensitive (RFC 6749 3.3)',
    needs: [['client:confidential', 'client:public'], 'consent'],
    judge: async (run) => {
      const role = anyRole(run);
      const possible = accountScopes(run, role);
      await control(run, role);
      const exact = async ({ scope, spelled }: { scope: Scope; spelled: string }): Promise<void> => {
        if (spelled === scope) return;
        const other = possible.find((one) => one !== scope);
        const asked = await ask(run, role, other === undefined ? spelled : `${other} ${spelled}`);
        run.expect.that(
          !asked.granted.includes(spelled),
          `${spelled} not to be granted`,
          asked.granted.join(' '),
          asked.answer,
        );
        await notGranted(run, asked, scope);
      };
      const titled = (scope: string): string => scope.replace(/(^|:)[a-z]/g, (start) => start.toUpperCase());
      await run.expect.each(
        '$spelled',
        possible.flatMap((scope) => [titled(scope), scope.toUpperCase()].map((spelled) => ({ scope, spelled }))),
        exact,
      );
      await run.expect.property(
        'any other case',
        fc
          .constantFrom(...possible)
          .chain((scope) => fc.mixedCase(fc.constant(scope)).map((spelled) => ({ scope, spelled }))),
        { share: 0.05 },
        exact,
      );
    },
  }),
]);
