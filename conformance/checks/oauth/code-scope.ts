import fc from 'fast-check';

import type { GameOperation, Scope } from '../../../src/contract/index.js';
import { check } from '../../engine/check.js';
import type { DefinedCheck } from '../../engine/check.js';
import type { DataRequest, Run } from '../../engine/run.js';
import { attempt, MissingCapability, PrerequisiteFailed } from '../../verdict.js';
import { gScopeSubset } from '../../generators/oauth.js';
import { accountScopes, grantsOnly, ofAccount, scopesIn } from '../../model/scopes.js';
import { member, succeeded } from '../../wire/answer.js';
import { canProbe, refreshable, userRoles, works } from '../../model/probe.js';
import type { Role } from '../../target/target.js';
import { issued } from './exchange.js';
import { anyRole } from './outcome.js';
import { openedBy } from '../../engine/operations.js';

interface Door {
  readonly scope: Scope;
  readonly operation: GameOperation;
  readonly request: DataRequest;
}

/**
 * The account operations that this target has a valid request for. One whose scope no client can have may not be there
 * at all, and a 404 then says nothing of the token.
 */
async function doors(run: Run): Promise<readonly Door[]> {
  const found: Door[] = [];
  for (const scope of run.oauth.obtainable().keys()) {
    const [operation] = ofAccount(scope) ? openedBy(run.facts.target, [scope]) : [];
    if (operation === undefined) continue;
    // Without a request that must work, neither 200 nor 403 shows anything (K-129).
    const { value: request } = await attempt(() => run.facts.sample(operation));
    if (request) found.push({ scope, operation, request });
  }
  return found;
}

/** What a refresh for one of several scopes says that it grants is what the new token can do. */
async function saysWhatItCan(run: Run, role: Role): Promise<void> {
  const whole = await refreshable(run, role, { scopes: accountScopes(run, role) });
  const opened: Scope[] = [];
  for (const scope of whole.scopes) if (await works(run, whole.access, [scope])) opened.push(scope);
  const [some, ...others] = opened;
  if (some === undefined || others.length === 0) return;
  const answer = await run.oauth.tokenRequest([...run.oauth.refreshFields(role, whole.refresh), ['scope', some]]);
  // A server may refuse to narrow: nothing is said of the field (K-012).
  if (!succeeded(answer)) return;
  const next = issued(run, role, whole.account, answer);
  await run.expect.each(
    (scope) => `an operation of ${scope} with a token of scope ${next.scopes.join(' ')}`,
    opened,
    async (scope) =>
      run.expect.status(await run.oauth.probe(next.access, [scope]), next.scopes.includes(scope) ? '2xx' : 403),
  );
}

/** Where the user can grant some of the scopes that were asked for, the token has those alone. */
async function grantsWhatTheUserDid(run: Run, role: Role): Promise<void> {
  const [some, other] = accountScopes(run, role);
  if (some === undefined || other === undefined) return;
  for (const [granted, left] of [
    [some, other],
    [other, some],
  ] as const) {
    const { value: code } = await attempt(
      () => run.oauth.code(role, { scopes: [some, other], granted: [granted] }),
      [MissingCapability, PrerequisiteFailed],
    );
    const answer = code && (await run.oauth.exchange(code));
    if (!answer || !succeeded(answer)) return;
    grantsOnly(run, answer, [granted]);
    const token = String(member(answer.json, 'access_token'));
    if (await canProbe(run, [left])) run.expect.status(await run.oauth.probe(token, [left]), 403);
  }
}

/** AUTH-CODE-017, -018: the scopes of the token (interface 4.1, RFC 6749 5.1). */
export const codeScopeChecks: readonly DefinedCheck[] = [
  check({
    id: 'AUTH-CODE-017',
    level: 'MUST',
    sentence:
      '`scope` in the response is the granted set: a subset of what was requested, and exactly what the token can do.',
    source: '4.1',
    needs: [['client:confidential', 'client:public'], 'consent'],
    judge: async (run) => {
      const role = anyRole(run);
      const possible = accountScopes(run, role);
      const tried = await doors(run);
      await run.expect.property('any subset of the scopes', gScopeSubset(possible), { share: 0.06 }, async (scopes) => {
        const answer = await run.oauth.exchange(await run.oauth.code(role, { scopes }));
        if (!succeeded(answer)) throw new PrerequisiteFailed(`an exchange was answered with status ${answer.status}`);
        const granted = scopesIn(answer);
        grantsOnly(run, answer, scopes, { least: 1 });
        const token = String(member(answer.json, 'access_token'));
        await run.expect.each(
          ({ operation }) => `${operation} with a token of scope ${granted.join(' ')}`,
          tried,
          async ({ scope, operation, request }) =>
            run.expect.status(
              await run.http.data(operation, { ...request, token }),
              granted.includes(scope) ? '2xx' : 403,
            ),
        );
      });
      await run.case('with less granted than asked for', () => grantsWhatTheUserDid(run, role));
      if (userRoles(run, { refresh: true }).includes('confidential'))
        await run.case('after a refresh for less', () => saysWhatItCan(run, 'confidential'));
    },
  }),

  check({
    id: 'AUTH-CODE-018',
    level: 'INFER',
    sentence: 'A `scope` sent with the exchange cannot widen what was consented to.',
    source: '4.1',
    entailed: '3, 4.1: the token comes of the consent, and nothing else was consented to (RFC 6749 4.1.3)',
    gap: 'K-011',
    needs: [['client:confidential', 'client:public'], 'consent'],
    judge: async (run) => {
      const role = anyRole(run);
      const possible = accountScopes(run, role);
      if (possible.length < 2) return run.expect.notExercised(`client ${role} may have one scope only`);
      const tried = await doors(run);
      await run.expect.property(
        'consent to some scopes, exchange with more',
        gScopeSubset(possible, { min: 2 }).chain((more) =>
          fc.integer({ min: 1, max: more.length - 1 }).map((count) => ({ scopes: more.slice(0, count), more })),
        ),
        { share: 0.08 },
        async ({ scopes, more }) => {
          const code = await run.oauth.code(role, { scopes });
          const answer = await run.oauth.tokenRequest([...run.oauth.exchangeFields(code), ['scope', more.join(' ')]]);
          const token = member(answer.json, 'access_token');
          if (!succeeded(answer) || typeof token !== 'string') return run.expect.status(answer, '4xx');
          grantsOnly(run, answer, scopes);
          const wider = tried.find(({ scope }) => more.includes(scope) && !scopes.includes(scope));
          if (wider) run.expect.status(await run.http.data(wider.operation, { ...wider.request, token }), 403);
        },
      );
    },
  }),
];
