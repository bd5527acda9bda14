import fc from 'fast-check';

import { scopes as allScopes } from '../../../src/contract/index.js';
import type { Scope } from '../../../src/contract/index.js';
import { check, group } from '../../engine/check.js';
import type { Check } from '../../engine/check.js';
import type { Fields, Grant, Run } from '../../engine/run.js';
import { everyTwist, gScopeSubset, gTwist, gUnknownScope, nearScopes, twisted } from '../../generators/oauth.js';
import { operationOf, probe, works } from '../../model/probe.js';
import type { Role } from '../../target/target.js';
import { member } from '../../wire/answer.js';
import type { Answer } from '../../wire/answer.js';
import { ownerChecks } from './client-credentials-owner.js';
import { issued } from './exchange.js';
import { codeRoles, replaced, without } from './outcome.js';
import { noToken, refusedAs, refusing, serviceFields } from './token-errors.js';

/** A request by client credentials for these scopes. */
export const credentialFields = (run: Run, role: Role, scope: string): Fields => [
  ...run.credentials(role),
  ['grant_type', 'client_credentials'],
  ['scope', scope],
];

const serviceScopes = (run: Run, role: Role): readonly Scope[] =>
  run.client(role).scopes.filter((scope) => scope.startsWith('service:') && operationOf(run, [scope]) !== undefined);

const scopesOf = (answer: Answer): readonly string[] =>
  String(member(answer.json, 'scope') ?? '')
    .split(' ')
    .filter((word) => word !== '');

/** The token opens an operation of each of its scopes. */
const opens = (run: Run, { access }: Grant, scopes: readonly Scope[]): Promise<void> =>
  run.each(
    scopes,
    (scope) => `an operation of ${scope}`,
    async (scope) => run.status(await probe(run, access, [scope]), '2xx'),
  );

/** Clients that act for themselves; the others are for users, whatever else they may do. */
const services = (run: Run): readonly Role[] =>
  (['service', 'service_account', 'operations'] as const).filter((role) => run.target.clients[role]);

/** Nothing was granted beyond `wanted`: the request failed, or the rest was dropped (K-083). */
function neverGranted(run: Run, answer: Answer, unwanted: readonly string[], wanted: readonly string[]): void {
  if (answer.status !== 200) {
    noToken(run, answer);
    return run.status(answer, '4xx');
  }
  const granted = scopesOf(answer);
  run.that(!granted.some((scope) => unwanted.includes(scope)), `none of ${unwanted.join(' ')}`, granted, answer);
  // Where every scope was dropped a server may fall back to its default (RFC 6749 3.3).
  if (wanted.length === 0) return;
  run.that(
    granted.every((scope) => wanted.includes(scope)),
    `no more than ${wanted.join(' ')}`,
    granted,
    answer,
  );
}

const grantChecks: readonly Check[] = [
  check('TOK-CC-001', async (run) => {
    const scopes = serviceScopes(run, 'service');
    if (scopes.length === 0) return run.missing('a service scope of client service');
    const answer = await run.tokenRequest(credentialFields(run, 'service', scopes.join(' ')));
    const grant = issued(run, 'service', null, answer);
    await opens(run, grant, scopes.slice(0, 1));
  }),

  check('TOK-CC-015', async (run) => {
    const fields = serviceFields(run).filter(([name]) => !['code', 'redirect_uri', 'code_verifier'].includes(name));
    issued(run, 'service', null, await run.tokenRequest(fields));
  }),

  check(
    'TOK-CC-007',
    async (run) => {
      for (const role of ['service', 'service_account'] as const) {
        if (!run.target.clients[role]) continue;
        const scopes = serviceScopes(run, role);
        const ask = async (subset: readonly Scope[]): Promise<Grant> => {
          const answer = await run.tokenRequest(credentialFields(run, role, subset.join(' ')));
          const grant = issued(run, role, null, answer);
          run.equal([...new Set(grant.scopes)].sort(), [...subset].sort(), 'the scopes asked for, as a set', answer);
          return grant;
        };
        if (scopes.length === 0) continue;
        await opens(run, await ask(scopes), scopes);
        await opens(run, await ask(scopes.toReversed()), scopes.slice(0, 1));
        if (role !== 'service') continue;
        await run.each(
          scopes,
          (scope) => `${scope} alone`,
          async (scope) => opens(run, await ask([scope]), [scope]),
        );
        await run.property(
          'some service scopes',
          gScopeSubset(scopes),
          async (subset) => opens(run, await ask(subset), [subset[0]!, subset.at(-1)!]),
          { share: 0.15 },
        );
      }
    },
    { requests: 95 },
  ),

  check(
    'TOK-CC-003',
    async (run) => {
      const roles = services(run).filter((role) => serviceScopes(run, role).length > 0);
      const grants = await Promise.all(
        roles.map((role) => run.clientCredentials(role, { scopes: serviceScopes(run, role).slice(0, 1) })),
      );
      let age = 0;
      const grow = async (to: number): Promise<void> => {
        await run.advance(to - age);
        age = to;
        await run.each(
          grants,
          ({ role }) => `the token of client ${role} after ${Math.round(age / day)} days`,
          async ({ access, scopes }) => run.status(await probe(run, access, scopes), '2xx'),
        );
      };
      // Beyond each life that users' tokens have, each power of two that a timer may overflow at, and years.
      for (const to of [1, 7, 24.9, 28, 30, 49.8, 90].map((days) => days * day + 60)) await grow(to);
      await run.property(
        'any age up to 20 years',
        fc.array(fc.integer({ min: 1, max: 20 * 365 }), { minLength: 3, maxLength: 3 }),
        async (days) => {
          for (const to of days.toSorted((a, b) => a - b).map((count) => count * day)) if (to > age) await grow(to);
        },
        { share: 0.01, examples: [[100, 365, 3650]] },
      );
    },
    { phase: 'clock', requests: 50 },
  ),
];

const day = 86_400;

const refusalChecks: readonly Check[] = [
  check('TOK-CC-004', async (run) => {
    const refused = refusedAs(run, ['unauthorized_client', 'invalid_client', 'invalid_request'], ['invalid_scope']);
    const refuse = await refusing(run, async () => serviceFields(run), refused);
    const { client_id, scopes } = run.client('public');
    const asPublic = (secret?: string, scope?: string) => (fields: Fields) => [
      ...replaced(without(fields, 'client_secret'), 'client_id', client_id).map(([name, value]): [string, string] => [
        name,
        name === 'scope' && scope !== undefined ? scope : value,
      ]),
      ...(secret === undefined ? [] : [['client_secret', secret] as const]),
    ];
    const service = run.client('service').client_secret ?? 'secret';
    await run.each(
      [
        { what: 'without a secret', change: asPublic() },
        { what: 'with an empty secret', change: asPublic('') },
        { what: 'with an invented secret', change: asPublic('invented-secret') },
        { what: 'with the secret of another client', change: asPublic(service) },
        { what: 'for an account scope of its own', change: asPublic(undefined, scopes[0]) },
      ],
      ({ what }) => `a public client ${what}`,
      async ({ change }) => {
        await refuse('refused', change);
      },
    );
  }),

  check('TOK-CC-005', (run) =>
    run.each(
      services(run),
      (role) => `client ${role}`,
      async (role) => {
        const valid = async (): Promise<Fields> => credentialFields(run, role, run.client(role).scopes.join(' '));
        const refuse = await refusing(run, valid, refusedAs(run, ['invalid_client', 'invalid_request']));
        await refuse('without client_secret', (fields) => without(fields, 'client_secret'));
        await refuse('with an empty client_secret', (fields) => replaced(fields, 'client_secret', ''));
      },
    ),
  ),

  check(
    'TOK-CC-006',
    async (run) => {
      const refuse = await refusing(run, async () => serviceFields(run), refusedAs(run, ['invalid_client']));
      const { client_secret: own = '' } = run.client('service');
      const wrong = async (what: string, secret: string): Promise<void> => {
        await refuse(what, (fields) => replaced(fields, 'client_secret', secret));
      };
      const others = Object.entries(run.target.clients).filter(
        ([, { client_secret }]) => client_secret !== undefined && client_secret !== own,
      );
      await run.each(
        others,
        ([role]) => `the secret of client ${role}`,
        ([, { client_secret }]) => wrong('refused', client_secret!),
      );
      await run.each(
        everyTwist,
        ({ kind }) => `a secret missed by ${kind}`,
        (twist) => wrong('refused', twisted(own, twist)),
      );
      await run.property(
        'a secret that is missed narrowly',
        gTwist,
        ({ kind, at }) => wrong(`a secret missed by ${kind}`, twisted(own, { kind, at })),
        { share: 0.4 },
      );
    },
    { requests: 60 },
  ),

  check(
    'TOK-CC-008',
    async (run) => {
      const some = run.client('service').scopes.slice(0, 1);
      const never = (wanted: readonly string[]) => async (unknown: string) => {
        const scope = [...wanted, unknown].join(' ');
        const answer = await run.tokenRequest(credentialFields(run, 'service', scope));
        neverGranted(run, answer, [unknown], wanted);
        if (answer.status !== 200) run.oauthError(answer, ['invalid_scope']);
      };
      await run.each(nearScopes, (unknown) => `${unknown} beside ${some.join(' ')}`, never(some));
      await run.property('an unknown scope beside a known one', gUnknownScope, never(some), { share: 0.2 });
      await run.property('an unknown scope alone', gUnknownScope, never([]), { share: 0.1 });
    },
    { requests: 50 },
  ),

  check(
    'TOK-CC-009',
    async (run) => {
      const restricted = services(run)
        .map((role) => ({ role, own: run.client(role).scopes }))
        .map(({ role, own }) => ({
          role,
          own,
          others: (Object.keys(allScopes) as Scope[]).filter((scope) => !own.includes(scope)),
        }))
        .filter(({ others }) => others.length > 0);
      if (restricted.length === 0) return run.notExercised('every client of the target may have every scope');
      const never = async (role: Role, unwanted: readonly Scope[], wanted: readonly Scope[]): Promise<void> => {
        const answer = await run.tokenRequest(credentialFields(run, role, [...wanted, ...unwanted].join(' ')));
        neverGranted(run, answer, unwanted, wanted);
        if (answer.status === 200) await locked(run, String(member(answer.json, 'access_token')), unwanted);
      };
      await run.each(
        restricted.flatMap(({ role, own, others }) => others.map((scope) => ({ role, own, scope }))),
        ({ role, scope }) => `${scope} for client ${role}`,
        async ({ role, own, scope }) => {
          await never(role, [scope], own.slice(0, 1));
          await never(role, [scope], []);
        },
      );
      await run.property(
        'scopes that are not enabled',
        fc
          .constantFrom(...restricted)
          .chain(({ role, own, others }) =>
            fc.record({
              role: fc.constant(role),
              unwanted: gScopeSubset(others),
              wanted: gScopeSubset(own, { min: 0 }),
            }),
          ),
        ({ role, unwanted, wanted }) => never(role, unwanted, wanted),
        { share: 0.1 },
      );
    },
    { requests: 110 },
  ),

  check(
    'TOK-CC-016',
    (run) =>
      run.each(
        codeRoles(run),
        (role) => `client ${role}`,
        async (role) => {
          const own = run.client(role).scopes.filter((scope) => scope.startsWith('account:'));
          const service = (Object.keys(allScopes) as Scope[]).filter((scope) => scope.startsWith('service:'));
          const noService = (answer: Answer): void => {
            const found = scopesOf(answer).filter((scope) => scope.startsWith('service:'));
            run.that(found.length === 0, 'no service scope', found, answer);
          };
          const follow = async (asked: readonly Scope[]): Promise<void> => {
            const request = run.authorizationRequest(role, { scopes: asked });
            const { code } = await run.authorize(request.fields);
            run.that(true, 'no service scope', code);
            if (code === null) return;
            const { verifier, redirect_uri } = request;
            const account = '';
            noService(
              await run.tokenRequest(
                run.exchangeFields({ role, account, code, verifier, redirect_uri, scopes: asked }),
              ),
            );
          };
          await run.each(
            service,
            (scope) => `${scope} by a code`,
            (scope) => follow([...own.slice(0, 1), scope]),
          );
          await run.property('any scopes by a code', gScopeSubset([...own, ...service]), follow, { share: 0.03 });
          const extra = service.slice(0, 2).join(' ');
          const code = await run.code(role, { scopes: own.slice(0, 1) });
          noService(await run.tokenRequest([...run.exchangeFields(code), ['scope', `${own[0]} ${extra}`]]));
          const grant = await run.grant(role, { scopes: own.slice(0, 1) });
          if (grant.refresh === undefined) return;
          noService(
            await run.tokenRequest([...run.refreshFields(role, grant.refresh), ['scope', `${own[0]} ${extra}`]]),
          );
        },
      ),
    { requests: 60 },
  ),
];

/** What a scope that was not granted would open stays shut. */
async function locked(run: Run, token: string, unwanted: readonly Scope[]): Promise<void> {
  const scope = unwanted.find((one) => ['account:profile', 'account:characters', 'service:leagues'].includes(one));
  if (scope === undefined) return;
  run.that(!(await works(run, token, [scope])), `operations of ${scope} refused`, 'status 2xx');
}

const observations: readonly Check[] = [
  check('TOK-CC-013', async (run) => {
    const answer = await run.tokenRequest(without(serviceFields(run), 'scope'));
    run.note(
      `client_credentials without scope: status ${answer.status}, scope ${scopesOf(answer).join(' ') || 'none'}`,
    );
  }),

  check('TOK-CC-014', async (run) => {
    const first = await run.clientCredentials('service', { scopes: serviceScopes(run, 'service').slice(0, 1) });
    await run.clientCredentials('service', { scopes: first.scopes });
    const alive = await works(run, first.access, first.scopes);
    run.note(`A second token by client credentials ${alive ? 'leaves the first alive' : 'ends the first'}`);
  }),
];

/** Client credentials (interface 3, 4.1, 5.6, 5.7; RFC 6749 4.4). */
export default group('oauth/client-credentials', [...grantChecks, ...refusalChecks, ...ownerChecks, ...observations]);
