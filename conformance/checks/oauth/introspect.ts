import { lifetimes } from '../../../src/contract/index.js';
import { check, group } from '../../engine/check.js';
import type { DefinedCheck } from '../../engine/check.js';
import { grantOf } from '../../engine/grants.js';
import type { Fields, Grant, GrantOptions, Run } from '../../engine/run.js';
import { attempt, MissingCapability, PrerequisiteFailed } from '../../verdict.js';
import { gScopeSubset } from '../../generators/oauth.js';
import { assumeWorking, fresh, refreshable, spare, userRoles } from '../../model/probe.js';
import { anyIntrospection, introspectionOf, eachUnknownToken } from '../../model/authentication-methods.js';
import type { AuthenticationMethod } from '../../model/authentication-methods.js';
import { scopeSet } from '../../model/scopes.js';
import type { Role } from '../../target/target.js';
import { header, isJson, member, succeeded } from '../../wire/answer.js';
import type { Answer } from '../../wire/answer.js';
import { introspectAccessChecks, shows } from './introspect-access.js';
import { issued } from './exchange.js';

/** The answer about a live token, for rows about its other members. */
async function described(method: AuthenticationMethod, token: string): Promise<Answer> {
  const answer = await method.ask(token);
  if (answer.status !== 200 || member(answer.json, 'active') !== true) {
    throw new PrerequisiteFailed('introspection does not show a live token to be active');
  }
  return answer;
}

/** Methods for tokens of a confidential client, a public one and one that acts for itself, where they can be had. */
async function methods(
  run: Run,
  roles: readonly Role[] = ['confidential', 'public', 'service'],
): Promise<readonly AuthenticationMethod[]> {
  const found = [await anyIntrospection(run)];
  const able = [...userRoles(run), ...(run.facts.target.clients.service ? (['service'] as const) : [])];
  for (const role of roles.filter((one) => able.includes(one))) {
    if (found.some((method) => method.role === role)) continue;
    const method = await introspectionOf(run, role).catch(() => undefined);
    if (method) found.push(method);
  }
  return found;
}

const eachMethod = async (run: Run, holds: (method: AuthenticationMethod) => Promise<void>): Promise<void> =>
  run.expect.each('a token of client $role', await methods(run), holds);

const hint = (value: string): Fields => [['token_type_hint', value]];

const state: readonly DefinedCheck[] = [
  check({
    id: 'INTRO-003',
    level: 'MUST-RFC',
    sentence: 'A valid token gives 200 and JSON with `active: true`, a boolean.',
    source: '4.1',
    needs: ['introspect'],
    judge: (run) =>
      eachMethod(run, async (method) => {
        const grant = await fresh(run, method.role);
        await assumeWorking(run, grant);
        const answer = await method.ask(grant.access);
        shows(run, answer, true);
        run.expect.that(isJson(answer), 'Content-Type: application/json', header(answer, 'content-type'), answer);
        run.expect.that(answer.problem === undefined, 'a body that is JSON', answer.problem, answer);
        if (grant.refresh === undefined) return;
        shows(run, await method.ask((await run.oauth.refreshed(grant)).access), true);
      }),
  }),

  check({
    id: 'INTRO-004',
    level: 'MUST-RFC',
    sentence: 'An unknown token gives 200 `active: false`, not an error.',
    source: '4.1',
    needs: ['introspect'],
    judge: async (run) => {
      const method = await anyIntrospection(run);
      const grant = await fresh(run, method.role);
      const unknown = async (text: string): Promise<void> => shows(run, await method.ask(text), false);
      await eachUnknownToken(run, grant, { share: 0.3 }, unknown);
    },
  }),

  check({
    id: 'INTRO-015',
    level: 'MUST-RFC',
    sentence: 'A wrong token_type_hint does not hide the token.',
    source: '4.1',
    needs: ['refresh:confidential', 'consent', 'introspect'],
    judge: async (run) => {
      const method = await introspectionOf(run, 'confidential');
      const grant = await refreshable(run, 'confidential');
      for (const value of ['refresh_token', 'access_token']) {
        shows(run, await method.ask(grant.access, hint(value)), true);
      }
      const unknown = await method.ask(grant.access, hint('cx_token'));
      if (unknown.status === 200) shows(run, unknown, true);
      else run.expect.warn(`a token_type_hint that is unknown is answered ${unknown.status}`);
      // Whether refresh tokens can be introspected is open (K-090); a hint makes no difference to it.
      if (member((await method.ask(grant.refresh)).json, 'active') !== true) return;
      for (const value of ['access_token', 'refresh_token']) {
        shows(run, await method.ask(grant.refresh, hint(value)), true);
      }
    },
  }),

  check({
    id: 'INTRO-018',
    level: 'INFER',
    sentence: 'A used refresh token is inactive, and the new one is active where refresh tokens can be introspected.',
    source: '3',
    entailed: '3: the used refresh token is expired immediately, and the new one is valid',
    gap: 'K-090',
    needs: ['refresh:confidential', 'consent', 'introspect'],
    judge: async (run) => {
      const method = await introspectionOf(run, 'confidential');
      const grant = await refreshable(run, 'confidential');
      const before = member((await method.ask(grant.refresh)).json, 'active');
      const next = await run.oauth.refreshed(grant);
      shows(run, await method.ask(grant.refresh), false);
      if (before === true && next.refresh !== undefined) shows(run, await method.ask(next.refresh), true);
      if (before !== true) run.expect.note('Refresh tokens are not introspected.');
    },
  }),

  check({
    id: 'INTRO-019',
    level: 'INFER',
    sentence: 'Introspection changes nothing: tokens still work and codes can still be exchanged.',
    source: '4.1',
    entailed: '3, 4.1: introspection checks tokens, and no state ends by it',
    needs: ['introspect'],
    phase: 'clock',
    judge: (run) =>
      eachMethod(run, async (method) => {
        const grant = await fresh(run, method.role);
        const tokens = [grant.access, ...(grant.refresh === undefined ? [] : [grant.refresh])];
        // When a token was issued and when it ends (RFC 7662 2.2): neither moves.
        const times = async (): Promise<readonly (readonly [name: string, value: unknown])[]> => {
          const found: [string, unknown][] = [];
          for (const token of tokens) {
            const { json } = await method.ask(token);
            for (const name of ['exp', 'iat']) found.push([name, member(json, name)]);
          }
          return found;
        };
        const first = await times();
        await times();
        // Long enough to show an end that is put off, and short of every life.
        if (run.facts.hooks.clock) await run.facts.advance(lifetimes.access_token.public / 2);
        const then = await times();
        for (const [index, [name, value]] of first.entries()) {
          run.expect.that(sameInstant(value, then[index]![1]), `${name} as before: ${String(value)}`, then[index]![1]);
        }
        await run.expect.alive(grant.access, grant.scopes);
        if (grant.refresh !== undefined) {
          run.expect.status(await run.oauth.refresh(method.role, grant.refresh), '2xx');
        }
        if (!userRoles(run).includes(method.role)) return;
        const code = await run.oauth.code(method.role);
        await method.ask(code.code);
        issued(run, method.role, code.account, await run.oauth.exchange(code));
      }),
  }),
];

/** That the scopes of an access token, where they are shown, are those that were granted. */
async function saysScopes(run: Run, method: AuthenticationMethod, { access, scopes }: Grant): Promise<void> {
  const answer = await described(method, access);
  const scope = member(answer.json, 'scope');
  if (scope === undefined || scope === null) return;
  const said = scopeSet(String(scope).split(' '));
  run.expect.equal(said, scopeSet<string>(scopes), 'the granted scopes, as a set', answer);
}

/** The same instant, but for its rounding. */
const sameInstant = (one: unknown, other: unknown): boolean =>
  typeof one === 'number' && typeof other === 'number' ? Math.abs(one - other) <= 1 : one === other;

/** How far away `exp` is, in seconds; undefined where it is not told. */
async function secondsLeft(run: Run, answer: Answer): Promise<number | undefined> {
  const exp = member(answer.json, 'exp');
  if (exp === undefined || exp === null) return undefined;
  run.expect.that(Number.isInteger(exp), 'exp in whole seconds', exp, answer);
  return Number(exp) - (await run.facts.now());
}

const members: readonly DefinedCheck[] = [
  check({
    id: 'INTRO-008',
    level: 'INFER',
    sentence: '`scope`, if present, is the granted set of scopes.',
    source: '4.1',
    entailed: '4.1: token response and introspection are two ways to ask for one fact (RFC 7662 2.2)',
    gap: 'K-090',
    needs: ['introspect'],
    judge: async (run) => {
      for (const method of await methods(run)) {
        if (!userRoles(run).includes(method.role) && method.role !== 'service') continue;
        const own = run.oauth
          .client(method.role)
          .scopes.filter((scope) => scope.startsWith(method.role === 'service' ? 'service:' : 'account:'));
        await run.expect.property(
          `the granted scopes of client ${method.role}`,
          gScopeSubset(own),
          { share: 0.04, examples: [own] },
          async (scopes) => {
            await saysScopes(run, method, await fresh(run, method.role, { scopes }));
          },
        );
        const grant = await fresh(run, method.role, { scopes: own });
        if (grant.refresh === undefined) continue;
        const next = await run.oauth.refreshed(grant);
        await saysScopes(run, method, next);
        const [some, ...others] = own;
        if (next.refresh === undefined || some === undefined || others.length === 0) continue;
        const fields = run.oauth.refreshFields(method.role, next.refresh);
        await run.case('after a refresh for less', async () => {
          const answer = await run.oauth.tokenRequest([...fields, ['scope', some]]);
          // A server may refuse to narrow: nothing is said of the field (K-012).
          const less = succeeded(answer) ? grantOf(method.role, next.account, answer) : undefined;
          if (less) await saysScopes(run, method, less);
        });
      }
    },
  }),

  check({
    id: 'INTRO-009',
    level: 'INFER',
    sentence: '`client_id`, if present, is the client that the token was issued to.',
    source: '4.1',
    entailed: '4.1: token request and introspection are two ways to ask for one fact (RFC 7662 2.2)',
    gap: 'K-090',
    needs: ['introspect'],
    judge: (run) =>
      eachMethod(run, async (method) => {
        const { client_id } = run.oauth.client(method.role);
        await same(run, method, { client_id });
      }),
  }),

  check({
    id: 'INTRO-010',
    level: 'INFER',
    sentence: '`username` and `sub`, if present, equal those of the token response.',
    source: '4.1',
    entailed: '4.1: token response and introspection are two ways to ask for one fact (RFC 7662 2.2)',
    gap: 'K-090',
    needs: ['introspect'],
    judge: (run) =>
      eachMethod(run, async (method) => {
        await same(run, method);
        if (userRoles(run).includes(method.role) && run.oauth.accounts().includes('bob'))
          await run.case('of a second user', () => same(run, method, undefined, { account: 'bob' }));
      }),
  }),

  check({
    id: 'INTRO-021',
    level: 'INFER',
    sentence: '`token_type` of an access token, if present, is that of the token response, bearer.',
    source: '4.1',
    entailed: '4.1: token response and introspection are two ways to ask for one fact (RFC 7662 2.2)',
    gap: 'K-090',
    needs: ['introspect'],
    judge: (run) =>
      eachMethod(run, async (method) => {
        const answer = await described(method, (await fresh(run, method.role)).access);
        const type = member(answer.json, 'token_type') ?? 'bearer';
        run.expect.that(String(type).toLowerCase() === 'bearer', 'token_type bearer, or none', type, answer);
      }),
  }),

  check({
    id: 'INTRO-011',
    level: 'INFER',
    sentence:
      '`exp`, if present, is an integer in seconds, not past while the token is active, and no more than 30 days away.',
    source: '4.1,5.4',
    entailed: '4.1, 5.4: exp is when the token expires (RFC 7662 2.2), and its life is stated',
    needs: ['introspect'],
    phase: 'clock',
    judge: (run) =>
      eachMethod(run, async (method) => {
        const { role } = method;
        const grant = await fresh(run, role);
        const answer = await described(method, grant.access);
        const left = await secondsLeft(run, answer);
        if (role === 'service' || role === 'operations') return;
        const client = role === 'public' ? 'public' : 'confidential';
        if (left !== undefined) {
          // A public client's token lives ten hours; of a confidential one's life there are two figures (K-001).
          const life = lifetimes.access_token[client];
          const most = client === 'public' ? life : Math.max(life, lifetimes.expires_in.confidential);
          run.expect.that(
            left > 0 && left <= most + 60,
            `exp within the next ${most} seconds`,
            `in ${Math.round(left)} s`,
            answer,
          );
          if (left < life - 60)
            run.expect.warn(`exp of a token of client ${role} is in ${Math.round(left)} s, its life is ${life} s`);
        }
        // Whether refresh tokens are introspected is open (K-090); the life of one is not.
        const asRefresh = grant.refresh === undefined ? undefined : await method.ask(grant.refresh);
        const chain =
          asRefresh && member(asRefresh.json, 'active') === true ? await secondsLeft(run, asRefresh) : undefined;
        const whole = lifetimes.refresh_token[client];
        // Many a server tells the expiry of the access token beside it.
        if (chain !== undefined && Math.abs(chain - whole) > 60)
          run.expect.warn(
            `exp of a refresh token of client ${role} is in ${Math.round(chain)} s, its life is ${whole} s`,
          );
        if (left !== undefined && run.facts.hooks.clock) await runsDown(run, method, grant, left);
      }),
  }),

  check({
    id: 'INTRO-012',
    level: 'INFER',
    sentence: 'A client-credentials token has no `exp`, or null.',
    source: '5.6',
    entailed: '5.6: such a token has no expiry to tell',
    needs: ['client:service', 'introspect'],
    judge: async (run) => {
      const method = await introspectionOf(run, 'service');
      const answer = await described(method, (await run.oauth.clientCredentials('service')).access);
      const exp = member(answer.json, 'exp');
      run.expect.that(exp === undefined || exp === null, 'no exp, or null', exp, answer);
    },
  }),

  check({
    id: 'INTRO-013',
    level: 'INFER',
    sentence:
      '`iat`, if present, is an integer in seconds: when the token was issued, which is not in the future and not after `exp`. `nbf` is past where the token is active.',
    source: '4.1',
    entailed: '4.1: iat is when the token was issued, nbf when it may be used first (RFC 7662 2.2)',
    needs: ['introspect'],
    judge: (run) =>
      eachMethod(run, async (method) => {
        const before = await run.facts.now();
        // Some servers give a client that asks again the token that it has.
        const { value: grant } = await attempt(() => spare(run, method.role), [MissingCapability]);
        if (!grant) return;
        const answer = await described(method, grant.access);
        const after = await run.facts.now();
        const [iat, nbf] = ['iat', 'nbf'].map((name) => member(answer.json, name));
        if (typeof iat === 'number')
          run.expect.that(
            iat >= before - skew && iat <= after + skew,
            `iat of a new token: now, ${Math.round(after)}`,
            iat,
            answer,
          );
        if (typeof nbf === 'number')
          run.expect.that(nbf <= after + skew, `nbf of an active token at or before ${Math.round(after)}`, nbf, answer);
        if (typeof iat !== 'number') run.expect.note(`a token of client ${method.role} is shown without iat`);
      }),
  }),
];

/** How far the clocks of a server's parts may lie apart, in seconds. */
const skew = 300;

/** What introspection says of a token is what its response said, where it says it; after a refresh too. */
async function same(
  run: Run,
  method: AuthenticationMethod,
  expected?: Readonly<Record<string, unknown>>,
  options: GrantOptions = {},
): Promise<void> {
  const first = await fresh(run, method.role, options);
  const grants: Grant[] = first.refresh === undefined ? [first] : [first, await run.oauth.refreshed(first)];
  for (const grant of grants.toReversed()) {
    // A refresh may have ended the token of before (K-076).
    if (grant === first && grants.length > 1) continue;
    const wanted = expected ?? { username: grant.response['username'], sub: grant.response['sub'] };
    const judged = (answer: Answer, of: string): void => {
      for (const [name, value] of Object.entries(wanted)) {
        // What the token response lacks is TOK-RESP-001, and nothing to compare with.
        if (value === undefined) continue;
        const said = member(answer.json, name);
        // A UUID is the same in either case (RFC 9562 4).
        const comparable = (one: unknown): unknown =>
          name === 'sub' && typeof one === 'string' ? one.toLowerCase() : one;
        if (said !== undefined && said !== null)
          run.expect.equal(comparable(said), comparable(value), `${name} of ${of}`, answer);
      }
    };
    judged(await described(method, grant.access), 'an access token');
    if (grant.refresh === undefined) continue;
    // Whether refresh tokens are introspected is open (K-090); what is said of one is said of its grant.
    const answer = await method.ask(grant.refresh);
    if (member(answer.json, 'active') === true) judged(answer, 'a refresh token');
  }
}

/** `exp` stays where it was while time passes, and a refreshed token has one of its own. */
async function runsDown(run: Run, method: AuthenticationMethod, grant: Grant, left: number): Promise<void> {
  const isIn = async (token: string, seconds: number, what: string): Promise<void> => {
    const answer = await described(method, token);
    const found = await secondsLeft(run, answer);
    if (found !== undefined)
      run.expect.that(Math.abs(found - seconds) <= 60, what, `in ${Math.round(found)} s`, answer);
  };
  const halfway = lifetimes.access_token.public / 2;
  await run.facts.advance(halfway);
  const rest = left - halfway;
  await isIn(grant.access, rest, `exp where it was: in ${Math.round(rest)} s, after ${halfway} s`);
  if (grant.refresh === undefined) return;
  const next = await run.oauth.refreshed(grant);
  await isIn(next.access, left, `exp of a refreshed token in ${Math.round(left)} s, a life of its own`);
}

/** Introspection (interface 4.1; RFC 7662). */
export default group('oauth/introspect', [...introspectAccessChecks, ...state, ...members]);
