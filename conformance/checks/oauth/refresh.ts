import fc from 'fast-check';

import type { Scope } from '../../../src/contract/index.js';
import { check, group } from '../../engine/check.js';
import type { DefinedCheck } from '../../engine/check.js';
import { grantOf } from '../../engine/grants.js';
import type { Grant, Run } from '../../engine/run.js';
import { PrerequisiteFailed } from '../../verdict.js';
import { thatDeclared } from '../../model/declared.js';
import { bothKinds, narrow, refreshable, rotated, works } from '../../model/probe.js';
import type { Refreshable } from '../../model/probe.js';
import { accountScopes } from '../../model/scopes.js';
import type { Role } from '../../target/target.js';
import { member, succeeded } from '../../wire/answer.js';
import { issued } from './exchange.js';
import { told } from './identity.js';
import { refreshLifeChecks } from './refresh-life.js';
import { refreshRefusals } from './refresh-refused.js';
import { refreshScopes } from './refresh-scope.js';
import { refusedAs } from './token-errors.js';

/** A confidential and a public client, where the target says that they may refresh. */
const refreshRoles = (run: Run): readonly Role[] => bothKinds(run, { refresh: true });

/** Sends a refresh, and has it succeed. */
async function refreshes(run: Run, grant: Grant & { readonly refresh: string }): Promise<Refreshable> {
  const answer = await run.oauth.refresh(grant.role, grant.refresh);
  const next = issued(run, grant.role, grant.account, answer);
  run.expect.that(next.refresh !== undefined, 'a new refresh_token', 'none', answer);
  return { ...next, refresh: next.refresh! };
}

const eachRole = (run: Run, holds: (role: Role) => Promise<void>): Promise<void> =>
  run.expect.each('client %s', refreshRoles(run), holds);

/** The refresh of a token that is no good: invalid_grant, and no token. */
async function refused(run: Run, grant: { readonly role: Role }, refresh: string): Promise<void> {
  refusedAs(run, ['invalid_grant'])(await run.oauth.refresh(grant.role, refresh));
}

const rotation: readonly DefinedCheck[] = [
  check({
    id: 'TOK-REFRESH-001',
    level: 'MUST',
    sentence: 'A valid refresh token yields a new access token and a new refresh token.',
    source: '3,4.1',
    needs: ['refresh:confidential', 'consent'],
    judge: (run) =>
      eachRole(run, async (role) => {
        const next = await refreshes(run, await refreshable(run, role));
        run.expect.status(await run.oauth.probe(next.access, next.scopes), '2xx');
      }),
  }),

  check({
    id: 'TOK-REFRESH-002',
    level: 'MUST',
    sentence: 'The refresh token that comes back is another than the used one.',
    source: '3',
    needs: ['refresh:confidential', 'consent'],
    judge: (run) => eachRole(run, (role) => allDifferent(run, role, 'refresh')),
  }),

  check({
    id: 'TOK-REFRESH-003',
    level: 'MUST',
    sentence: 'The access token that comes back is another than the one before.',
    source: '3',
    needs: ['refresh:confidential', 'consent'],
    judge: (run) => eachRole(run, (role) => allDifferent(run, role, 'access')),
  }),

  check({
    id: 'TOK-REFRESH-004',
    level: 'MUST',
    sentence: 'The used refresh token is expired immediately: its second use is refused.',
    source: '3',
    needs: ['refresh:confidential', 'consent'],
    judge: (run) =>
      eachRole(run, async (role) => {
        const refuse = await run.expect.negative<Refreshable>({
          valid: () => refreshable(run, role),
          send: ({ refresh }) => run.oauth.refresh(role, refresh),
          refused: refusedAs(run, ['invalid_grant']),
        });
        await refuse('used a second time', async (grant) => {
          await run.oauth.refreshed(grant);
          return grant;
        });
        // Whether a refresh may name scopes is open (K-012); where it may, it uses up the token like any other.
        await refuse('used a second time, after a refresh that names its scopes', async (grant) => {
          const fields = run.oauth.refreshFields(role, grant.refresh);
          const named = await run.oauth.tokenRequest([...fields, ['scope', grant.scopes.join(' ')]]);
          if (!succeeded(named)) await run.oauth.tokenRequest(fields);
          return grant;
        });
        // The token of a later generation is used up like the first.
        await refuse('a rotated token, used a second time', async (grant) => {
          const next = await rotated(run, await rotated(run, grant));
          await run.oauth.refreshed(next);
          return next;
        });
      }),
  }),

  check({
    id: 'TOK-REFRESH-021',
    level: 'MUST',
    sentence: 'In a chain of rotations exactly the newest refresh token works, and every older one fails.',
    source: '3',
    gap: 'K-076',
    needs: ['refresh:confidential', 'consent'],
    judge: (run) =>
      eachRole(run, async (role) => {
        await run.expect.property(
          'in a chain only the newest refresh token works',
          fc.record({ rotations: fc.integer({ min: 1, max: 10 }), at: fc.nat({ max: 999 }) }),
          { share: 0.03, examples: [{ rotations: 10, at: 9 }] },
          async ({ rotations, at }) => {
            const chain = [await refreshable(run, role)];
            for (let turn = 0; turn < rotations; turn += 1) chain.push(await refreshes(run, chain.at(-1)!));
            await refreshes(run, chain.at(-1)!);
            // Last, because reuse may end the whole grant (K-076).
            const old = chain[at % chain.length]!;
            await refused(run, old, old.refresh);
            await refused(run, chain[0]!, chain[0]!.refresh);
          },
        );
      }),
  }),

  check({
    id: 'TOK-REFRESH-012',
    level: 'MUST',
    sentence: 'A public client that may refresh does so without a secret.',
    source: '4.1',
    gap: 'K-005',
    needs: ['refresh:public', 'consent'],
    judge: async (run) => {
      const grant = await refreshable(run, 'public');
      const fields = run.oauth.refreshFields('public', grant.refresh).filter(([name]) => name !== 'client_secret');
      issued(run, 'public', grant.account, await run.oauth.tokenRequest(fields));
    },
  }),

  check({
    id: 'TOK-REFRESH-019',
    level: 'MUST',
    sentence: 'Of several refreshes with one token at the same time at most one succeeds.',
    source: '3',
    needs: ['refresh:confidential', 'consent'],
    judge: (run) =>
      eachRole(run, async (role) => {
        await run.expect.property(
          'of several refreshes at once at most one succeeds',
          fc.integer({ min: 2, max: 8 }),
          { share: 0.05, examples: [2, 8, 4] },
          (count) => race(run, role, count),
        );
      }),
  }),

  check({
    id: 'TOK-REFRESH-028',
    level: 'INFER',
    sentence: 'A refresh leaves sub and username as they were.',
    source: '4.1',
    entailed: '3, 4.1: a refresh goes on with the grant, which is of one account',
    needs: ['refresh:confidential', 'consent'],
    judge: (run) =>
      eachRole(run, async (role) => {
        let grant = await refreshable(run, role);
        const identity = (): unknown[] => [told(grant.response, 'username'), told(grant.response, 'sub')];
        const before = identity();
        for (let turn = 0; turn < 2; turn += 1) {
          grant = await rotated(run, grant);
          run.expect.equal(identity(), before, 'username and sub as before', grant.answer);
        }
      }),
  }),
];

/** Every token of a chain is another one. */
async function allDifferent(run: Run, role: Role, which: 'access' | 'refresh'): Promise<void> {
  let grant = await refreshable(run, role);
  const seen = new Set([grant[which]]);
  for (let turn = 0; turn < 3; turn += 1) {
    const answer = await run.oauth.refresh(role, grant.refresh);
    const next = issued(run, role, grant.account, answer);
    // A server that returns no new refresh token goes on with the used one, and is blamed for that elsewhere.
    const token = which === 'access' ? next.access : next.refresh;
    run.expect.that(
      token === undefined || !seen.has(token),
      `another ${which} token than before`,
      'the same one',
      answer,
    );
    if (next.refresh === undefined) throw new PrerequisiteFailed('the refresh gave no new refresh token');
    seen.add(next[which]!);
    grant = { ...next, refresh: next.refresh };
  }
}

/** Refreshes with one token that arrive together: one of them was first, and the others came to a used token. */
async function race(run: Run, role: Role, count: number): Promise<void> {
  const { refresh } = await refreshable(run, role);
  const fields = run.oauth.refreshFields(role, refresh);
  const answers = await run.http.race(Array.from({ length: count }, () => ({ path: '/oauth/token', fields })));
  const won = answers.filter(({ json }) => member(json, 'access_token') !== undefined);
  run.facts.lifecycle.race(`refresh x ${count}`, `${won.length} succeeded`);
  // Calls that overlap may be answered as one call: no token is won twice by that (LIFE-016).
  const { size } = new Set(won.map(({ json }) => JSON.stringify([tokenIn(json, 'access'), tokenIn(json, 'refresh')])));
  const isOne = size <= 1;
  if (!isOne) run.facts.lifecycle.usedTwice.add('refresh');
  run.expect.underAnyLoad(isOne, `at most one token from ${count} refreshes`, `${size} tokens`, won.at(-1));
  if (isOne && won.length > 1) run.expect.warn(`${won.length} of ${count} refreshes at once got the same tokens`);
  if (won.length === 0)
    run.expect.warn(`of ${count} refreshes at once none succeeded, though the token had just been issued`);
  // Whoever was first, the token is used up now.
  if (won.length > 0 && isOne) await refused(run, { role }, refresh);
}

const tokenIn = (json: unknown, which: 'access' | 'refresh'): unknown => member(json, `${which}_token`);

const observations: readonly DefinedCheck[] = [
  check({
    id: 'TOK-REFRESH-027',
    level: 'MUST',
    sentence: 'A refreshed access token works on the data API with the same scopes.',
    source: '3',
    needs: ['refresh:confidential', 'consent'],
    judge: (run) =>
      eachRole(run, async (role) => {
        const first = await refreshable(run, role, { scopes: accountScopes(run, role) });
        const { access } = await rotated(run, first);
        await run.expect.each('an operation of %s', first.scopes.filter(plainlyOpens), async (scope) =>
          run.expect.status(await run.oauth.probe(access, [scope]), '2xx'),
        );
        const few = await refreshable(run, role, { scopes: narrow(run, role) });
        const refreshed = await rotated(run, few);
        const other = run.oauth.client(role).scopes.find((scope) => plainlyOpens(scope) && !few.scopes.includes(scope));
        if (other !== undefined) run.expect.status(await run.oauth.probe(refreshed.access, [other]), 403);
        await run.case('after a refresh for less', () => opensWhatIsSaid(run, role));
      }),
  }),

  check({
    id: 'TOK-REFRESH-025',
    level: 'UNSPEC',
    sentence: 'Whether the access token of before ends with a refresh is not stated.',
    source: '3',
    gap: 'K-076',
    needs: ['refresh:confidential', 'consent'],
    judge: async (run) => {
      const grant = await refreshable(run, 'confidential');
      await run.oauth.refreshed(grant);
      const alive = await works(run, grant.access, grant.scopes);
      const seen = `A refresh ${alive ? 'leaves the access token of before alive' : 'ends the access token of before'}`;
      run.expect.note(seen);
      const { access_after_refresh: declared } = run.facts.target.readings;
      if (declared === 'any') return;
      const expected = `the access token of before to be ${declared} after a refresh`;
      thatDeclared(run, 'access_after_refresh', alive === (declared === 'alive'), expected, seen);
    },
  }),

  check({
    id: 'TOK-REFRESH-026',
    level: 'UNSPEC',
    sentence: 'Whether the use of an old refresh token revokes the whole grant is not stated.',
    source: '3',
    gap: 'K-076',
    needs: ['refresh:confidential', 'consent'],
    judge: async (run) => {
      const grant = await refreshable(run, 'confidential');
      const next = await rotated(run, grant);
      const again = await run.oauth.refresh('confidential', grant.refresh);
      const access = await works(run, next.access, next.scopes);
      const refresh = succeeded(await run.oauth.refresh('confidential', next.refresh));
      const state = (alive: boolean): string => (alive ? 'alive' : 'dead');
      const seen = `Reuse of an old refresh token (status ${again.status}) leaves the newer access token ${state(access)} and the newer refresh token ${state(refresh)}`;
      run.expect.note(seen);
      const { refresh_reuse: declared } = run.facts.target.readings;
      if (declared === 'any') return;
      const kept = declared === 'rejects';
      const expected = `the newer tokens to be ${state(kept)} after the reuse of an old refresh token`;
      thatDeclared(run, 'refresh_reuse', access === kept && refresh === kept, expected, seen);
    },
  }),
];

/** Scopes with an operation that works whatever data the account has. */
const plainlyOpens = (scope: Scope): boolean =>
  ['account:profile', 'account:characters', 'account:leagues', 'account:item_filter'].includes(scope);

/** Refreshing (interface 3, 4.1, 5.8; RFC 6749 6). */
export default group('oauth/refresh', [
  ...rotation,
  ...refreshRefusals,
  ...refreshScopes,
  ...observations,
  ...refreshLifeChecks,
]);

/** A server may narrow at a refresh (K-012); its answer then tells the scopes of the new token, and not of the grant. */
async function opensWhatIsSaid(run: Run, role: Refreshable['role']): Promise<void> {
  const [some, ...others] = accountScopes(run, role).filter(plainlyOpens).slice(0, 3);
  if (some === undefined || others.length === 0) return;
  const { refresh, account } = await refreshable(run, role, { scopes: [some, ...others] });
  const answer = await run.oauth.tokenRequest([...run.oauth.refreshFields(role, refresh), ['scope', some]]);
  if (!succeeded(answer) || typeof member(answer.json, 'scope') !== 'string') return;
  const { access, scopes } = grantOf(role, account, answer);
  for (const scope of scopes.filter(plainlyOpens)) run.expect.status(await run.oauth.probe(access, [scope]), '2xx');
}
