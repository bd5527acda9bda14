import fc from 'fast-check';

import { scopes as allScopes } from '../../../src/contract/index.js';
import type { Scope } from '../../../src/contract/index.js';
import { check } from '../../engine/check.js';
import type { DefinedCheck } from '../../engine/check.js';
import type { Fields, Run } from '../../engine/run.js';
import {
  everyTwist,
  gScopeSubset,
  gTwist,
  gUnknownScope,
  nearScopes,
  noScope,
  spaced,
  twisted,
} from '../../generators/oauth.js';
import { scopesAsDeclared, warnOfDefault } from '../../model/declared.js';
import { works } from '../../model/probe.js';
import { accountScopes, grantsOnly, scopesIn } from '../../model/scopes.js';
import type { Role } from '../../target/target.js';
import { member, succeeded } from '../../wire/answer.js';
import type { Answer } from '../../wire/answer.js';
import { checkEach, omit, put } from './outcome.js';
import { refusedAs, refusing, serviceFields } from './token-errors.js';

/** A request by client credentials for these scopes. */
export const credentialFields = (run: Run, role: Role, scope: string): Fields => [
  ...run.oauth.credentials(role),
  ['grant_type', 'client_credentials'],
  ['scope', scope],
];

/** Clients that act for themselves; the others are for users, whatever else they may do. */
export const services = (run: Run): readonly Role[] =>
  (['service', 'service_account', 'operations'] as const).filter((role) => run.facts.target.clients[role]);

/**
 * Nothing was granted beyond `wanted`: the request failed, or the rest was dropped (K-083), as far as the target does not
 * declare which of the two.
 */
function neverGranted(run: Run, answer: Answer, unwanted: readonly string[], wanted: readonly string[]): void {
  notBeyond(run, answer, unwanted, wanted);
  const granted = scopesIn(answer);
  const got = `status ${answer.status} with scope ${granted.join(' ') || 'none'}`;
  scopesAsDeclared(run, { wanted, unwanted }, { refused: !succeeded(answer), granted, got, answer });
}

function notBeyond(run: Run, answer: Answer, unwanted: readonly string[], wanted: readonly string[]): void {
  // Of a scope that exists a server may say that this client may not have it.
  const alike = unwanted.every((scope) => Object.hasOwn(allScopes, scope))
    ? ['unauthorized_client', 'invalid_request']
    : [];
  if (!succeeded(answer)) return run.expect.refused(answer, { errors: ['invalid_scope'], alike });
  const granted = scopesIn(answer);
  run.expect.that(!granted.some((scope) => unwanted.includes(scope)), `none of ${unwanted.join(' ')}`, granted, answer);
  // Where every scope was dropped a server may fall back to its default (RFC 6749 3.3).
  if (wanted.length === 0) return;
  grantsOnly(run, answer, wanted);
}

/** What the grant must not give (interface 3, 5.4, 5.7; RFC 6749 3.3, 5.2). */
export const credentialsRefusals: readonly DefinedCheck[] = [
  check({
    id: 'TOK-CC-004',
    level: 'MUST',
    sentence: 'A public client cannot use client_credentials, with or without an invented secret.',
    source: '3,5.4',
    needs: ['client:public', 'client:service'],
    judge: async (run) => {
      const refused = refusedAs(run, ['unauthorized_client', 'invalid_client', 'invalid_request'], ['invalid_scope']);
      const refuse = await refusing(run, async () => serviceFields(run), refused);
      const { client_id, scopes } = run.oauth.client('public');
      const asPublic = (secret?: string, scope?: string) => (fields: Fields) => [
        ...put(
          'client_id',
          client_id,
        )(omit('client_secret')(fields)).map(([name, value]): [string, string] => [
          name,
          name === 'scope' && scope !== undefined ? scope : value,
        ]),
        ...(secret === undefined ? [] : [['client_secret', secret] as const]),
      ];
      const service = run.oauth.client('service').client_secret ?? 'secret';
      await run.expect.each(
        'a public client $what',
        [
          { what: 'without a secret', change: asPublic() },
          { what: 'with an empty secret', change: asPublic('') },
          { what: 'with an invented secret', change: asPublic('invented-secret') },
          { what: 'with the secret of another client', change: asPublic(service) },
          ...run.oauth
            .client('service')
            .scopes.map((scope) => ({ what: `for ${scope} alone`, change: asPublic(undefined, scope) })),
          { what: 'for an account scope of its own', change: asPublic(undefined, scopes[0]) },
          { what: 'without a scope', change: (fields: Fields) => omit('scope')(asPublic()(fields)) },
          { what: 'with an empty scope', change: asPublic(undefined, '') },
        ],
        ({ change }) => refuse('refused', change),
      );
    },
  }),

  check({
    id: 'TOK-CC-005',
    level: 'MUST',
    sentence: 'client_secret is required for client_credentials.',
    source: '4.1',
    gap: 'K-080',
    needs: ['client:service'],
    judge: (run) =>
      run.expect.each('client %s', services(run), async (role) => {
        const valid = async (): Promise<Fields> => credentialFields(run, role, run.oauth.client(role).scopes.join(' '));
        const refuse = await refusing(run, valid, refusedAs(run, ['invalid_client', 'invalid_request']));
        await refuse('without client_secret', omit('client_secret'));
        await refuse('with an empty client_secret', put('client_secret', ''));
      }),
  }),

  check({
    id: 'TOK-CC-017',
    level: 'MUST',
    sentence: 'client_id is required for client credentials; without it the request is refused.',
    source: '4.1',
    needs: ['client:service'],
    judge: (run) =>
      run.expect.each('client %s', services(run), async (role) => {
        const valid = async (): Promise<Fields> => credentialFields(run, role, run.oauth.client(role).scopes.join(' '));
        const refuse = await refusing(run, valid, refusedAs(run, ['invalid_request', 'invalid_client']));
        await refuse('without client_id', omit('client_id'));
      }),
  }),

  check({
    id: 'TOK-CC-006',
    level: 'MUST',
    sentence: 'A wrong secret is refused.',
    source: '4.1',
    gap: 'K-080',
    needs: ['client:service'],
    judge: async (run) => {
      const refuse = await refusing(run, async () => serviceFields(run), refusedAs(run, ['invalid_client']));
      const { client_secret: own = '' } = run.oauth.client('service');
      const wrong = async (what: string, secret: string): Promise<void> => {
        await refuse(what, put('client_secret', secret));
      };
      const others = Object.entries(run.facts.target.clients).filter(
        ([, { client_secret }]) => client_secret !== undefined && client_secret !== own,
      );
      await run.expect.each('the secret of client $0', others, ([, { client_secret }]) =>
        wrong('refused', client_secret!),
      );
      await run.expect.each('a secret missed by $kind', everyTwist, (twist) => wrong('refused', twisted(own, twist)));
      await run.expect.each('a secret with another space at its ends', spaced(own), (secret) =>
        wrong('refused', secret),
      );
      for (const role of services(run).filter((one) => one !== 'service')) {
        const secret = run.oauth.client(role).client_secret ?? '';
        const valid = async (): Promise<Fields> => credentialFields(run, role, run.oauth.client(role).scopes.join(' '));
        const refuseOther = await refusing(run, valid, refusedAs(run, ['invalid_client']));
        for (const near of [twisted(secret, { kind: 'its last character', at: 0 }), `${secret}x`, ...spaced(secret)]) {
          await refuseOther(`a secret of client ${role} that is missed at its ends`, (fields) =>
            put('client_secret', near)(fields),
          );
        }
      }
      await run.expect.property('a secret that is missed narrowly', gTwist, { share: 0.4 }, ({ kind, at }) =>
        wrong(`a secret missed by ${kind}`, twisted(own, { kind, at })),
      );
    },
  }),

  check({
    id: 'TOK-CC-008',
    level: 'MUST-RFC',
    sentence: "An unknown scope is never granted: the request is refused, or the token's `scope` lacks it.",
    source: '5.7',
    gap: 'K-083',
    needs: ['client:service'],
    judge: async (run) => {
      const some = run.oauth.client('service').scopes.slice(0, 1);
      // Where no token can be had at all, that this one cannot shows nothing.
      await run.oauth.clientCredentials('service', { scopes: some });
      const never = (wanted: readonly string[]) => async (unknown: string) => {
        const scope = [...wanted, unknown].join(' ');
        const answer = await run.oauth.tokenRequest(credentialFields(run, 'service', scope));
        neverGranted(run, answer, [unknown], wanted);
        return answer;
      };
      await run.case('an unknown scope alone', async () => {
        const answer = await never([])(noScope);
        warnOfDefault(run, scopesIn(answer), noScope, answer);
      });
      await run.expect.each((unknown) => `${unknown} beside ${some.join(' ')}`, nearScopes, never(some));
      await run.expect.property('an unknown scope beside a known one', gUnknownScope, { share: 0.2 }, never(some));
      await run.expect.property('an unknown scope alone', gUnknownScope, { share: 0.1 }, never([]));
    },
  }),

  check({
    id: 'TOK-CC-009',
    level: 'INFER',
    sentence: 'A scope not enabled for the client is never granted.',
    source: '5.7',
    entailed:
      '4.1, 5.7: an application is granted what it may have, and the target says that this is all (exact_scopes)',
    gap: 'K-083',
    needs: ['client:service'],
    judge: async (run) => {
      // What a target lists is what a client may have at least.
      const restricted = services(run)
        .filter((role) => run.oauth.client(role).exact_scopes === true)
        .map((role) => ({ role, own: run.oauth.client(role).scopes }))
        .map(({ role, own }) => ({
          role,
          own,
          others: (Object.keys(allScopes) as Scope[]).filter((scope) => !own.includes(scope)),
        }))
        .filter(({ others }) => others.length > 0);
      if (restricted.length === 0)
        return run.expect.notExercised(
          'clients.service has no exact_scopes in the target: true says that it may have no other scopes than those it lists',
        );
      for (const { role, own } of restricted) await run.oauth.clientCredentials(role, { scopes: own.slice(0, 1) });
      const never = async (role: Role, unwanted: readonly Scope[], wanted: readonly Scope[]): Promise<void> => {
        const answer = await run.oauth.tokenRequest(credentialFields(run, role, [...wanted, ...unwanted].join(' ')));
        neverGranted(run, answer, unwanted, wanted);
        if (succeeded(answer)) await locked(run, String(member(answer.json, 'access_token')), unwanted);
      };
      await run.expect.each(
        '$scope for client $role',
        restricted.flatMap(({ role, own, others }) => others.map((scope) => ({ role, own, scope }))),
        async ({ role, own, scope }) => {
          await never(role, [scope], own.slice(0, 1));
          await never(role, [scope], []);
        },
      );
      await run.expect.property(
        'scopes that are not enabled',
        fc.constantFrom(...restricted).chain(({ role, own, others }) =>
          fc.record({
            role: fc.constant(role),
            unwanted: gScopeSubset(others),
            wanted: gScopeSubset(own, { min: 0 }),
          }),
        ),
        { share: 0.1 },
        ({ role, unwanted, wanted }) => never(role, unwanted, wanted),
      );
    },
  }),

  checkEach({
    id: 'TOK-CC-016',
    level: 'MUST',
    sentence: '`service:*` scopes come by client_credentials only: neither a code nor a refresh ever yields one.',
    source: '5.7',
    needs: [['client:confidential', 'client:public'], 'consent'],
    judge: async (run, role) => {
      const own = accountScopes(run, role);
      const service = (Object.keys(allScopes) as Scope[]).filter((scope) => scope.startsWith('service:'));
      const noService = (answer: Answer): void => {
        // A refusal may name the scope that it is about, and grants none.
        if (member(answer.json, 'access_token') === undefined) return run.expect.that(true, 'no service scope', null);
        const found = scopesIn(answer).filter((scope) => scope.startsWith('service:'));
        run.expect.that(found.length === 0, 'no service scope', found, answer);
      };
      const follow = async (asked: readonly Scope[]): Promise<void> => {
        const request = run.oauth.authorizationRequest(role, { scopes: asked });
        const { code } = await run.oauth.authorize(request.fields);
        run.expect.that(true, 'no service scope', code);
        if (code === null) return;
        const { verifier, redirect_uri } = request;
        const account = '';
        noService(
          await run.oauth.tokenRequest(
            run.oauth.exchangeFields({ role, account, code, verifier, redirect_uri, scopes: asked }),
          ),
        );
      };
      await run.expect.each('%s by a code', service, (scope) => follow([...own.slice(0, 1), scope]));
      await run.expect.property('any scopes by a code', gScopeSubset([...own, ...service]), { share: 0.03 }, follow);
      const extra = service.slice(0, 2).join(' ');
      const code = await run.oauth.code(role, { scopes: own.slice(0, 1) });
      noService(await run.oauth.tokenRequest([...run.oauth.exchangeFields(code), ['scope', `${own[0]} ${extra}`]]));
      const grant = await run.oauth.grant(role, { scopes: own.slice(0, 1) });
      if (grant.refresh === undefined) return;
      noService(
        await run.oauth.tokenRequest([
          ...run.oauth.refreshFields(role, grant.refresh),
          ['scope', `${own[0]} ${extra}`],
        ]),
      );
    },
  }),
];

/** What a scope that was not granted would open stays shut. */
async function locked(run: Run, token: string, unwanted: readonly Scope[]): Promise<void> {
  const scope = unwanted.find((one) => ['account:profile', 'account:characters', 'service:leagues'].includes(one));
  if (scope === undefined) return;
  run.expect.that(!(await works(run, token, [scope])), `operations of ${scope} refused`, 'status 2xx');
}
