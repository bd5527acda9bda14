import { scopes as allScopes } from '../../../src/contract/index.js';
import type { Scope } from '../../../src/contract/index.js';
import { check, observation } from '../../engine/check.js';
import type { DefinedCheck } from '../../engine/check.js';
import type { Run } from '../../engine/run.js';
import { gScopeSubset } from '../../generators/oauth.js';
import { accountScopes, scopeSet } from '../../model/scopes.js';
import { refreshable, userRoles, works } from '../../model/probe.js';
import { grantOf } from '../../engine/grants.js';
import { attempt, MissingCapability, PrerequisiteFailed } from '../../verdict.js';
import { member, succeeded } from '../../wire/answer.js';
import { issued } from './exchange.js';

const account = (run: Run): readonly Scope[] => accountScopes(run, 'confidential');

/** Scopes over a refresh (interface 4.1, K-012; RFC 6749 6). */
export const refreshScopes: readonly DefinedCheck[] = [
  check({
    id: 'TOK-REFRESH-013',
    level: 'MUST-RFC',
    sentence: 'A refresh without `scope` gives a token with exactly the original scopes.',
    source: '4.1',
    gap: 'K-012',
    needs: ['refresh:confidential', 'consent'],
    judge: async (run) => {
      const same =
        (role: 'confidential' | 'public', turns = 2) =>
        async (scopes: readonly Scope[]) => {
          let grant = await refreshable(run, role, { scopes });
          const original = scopeSet(grant.scopes);
          for (let turn = 0; turn < turns && grant.refresh !== undefined; turn += 1) {
            const answer = await run.oauth.refresh(role, grant.refresh);
            const next = issued(run, role, grant.account, answer);
            run.expect.equal(scopeSet(next.scopes), original, 'the original scopes, as a set', answer);
            grant = { ...next, refresh: next.refresh ?? '' };
            if (next.refresh === undefined) break;
          }
        };
      await run.expect.property(
        'the scopes of the consent',
        gScopeSubset(account(run)),
        {
          share: 0.06,
          examples: [account(run), account(run).toReversed(), account(run).slice(0, 1)],
        },
        same('confidential'),
      );
      if (userRoles(run, { refresh: true }).includes('public')) {
        await same('public')(accountScopes(run, 'public').slice(0, 2));
      }
      await run.case('after several refreshes', () => same('confidential', 5)(account(run).slice(0, 1)));
      await run.case('after a refresh for less', () => originalAfterLess(run));
      await run.case('after a consent for less', () => grantedAfterConsent(run));
    },
  }),

  check({
    id: 'TOK-REFRESH-014',
    level: 'MUST-RFC',
    sentence: 'A scope that was not granted at first is never gained by a refresh.',
    source: '4.1',
    gap: 'K-012',
    needs: ['refresh:confidential', 'consent'],
    judge: async (run) => {
      const all = account(run);
      const never = async (had: readonly Scope[], extra: readonly string[], alone: boolean): Promise<void> => {
        const grant = await refreshable(run, 'confidential', { scopes: had });
        const original = grant.scopes;
        const scope = (alone ? extra : [...original, ...extra]).join(' ');
        const fields = run.oauth.refreshFields('confidential', grant.refresh);
        const answer = await run.oauth.tokenRequest([...fields, ['scope', scope]]);
        if (!succeeded(answer)) {
          run.expect.refused(answer, { errors: ['invalid_scope'] });
        }
        // What the refused or narrowed token still gives has no more scopes either.
        const followed = succeeded(answer) ? grantOf('confidential', grant.account, answer) : grant;
        const chain = succeeded(answer) ? [followed] : [];
        if (followed.refresh !== undefined) {
          const later = await run.oauth.refresh('confidential', followed.refresh);
          if (succeeded(later)) chain.push(grantOf('confidential', grant.account, later));
        }
        for (const next of chain) {
          const gained = next.scopes.filter((one) => !original.includes(one));
          run.expect.that(gained.length === 0, `no more than ${original.join(' ')}`, next.scopes, next.answer);
          const shut = extra.find(
            (one): one is Scope => all.includes(one as Scope) && !original.includes(one as Scope),
          );
          if (shut === undefined) continue;
          run.expect.that(!(await works(run, next.access, [shut])), `operations of ${shut} refused`, 'status 2xx');
        }
      };
      const others = all.slice(1);
      if (others.length === 0) return run.expect.notExercised('the client may have one scope only');
      const foreign = (Object.keys(allScopes) as Scope[]).filter((scope) => !all.includes(scope)).slice(0, 2);
      await never(all.slice(0, 1), others.slice(0, 1), false);
      await never(all.slice(0, 1), others.slice(0, 1), true);
      await never(all.slice(0, 1), foreign, false);
      await never(all.slice(0, 1), ['account:everything'], false);
      await run.expect.property(
        'scopes of the client that were not granted',
        gScopeSubset(all),
        { share: 0.04 },
        async (had) => {
          const extra = all.filter((scope) => !had.includes(scope));
          if (extra.length > 0) await never(had, extra, had.length % 2 === 0);
        },
      );
    },
  }),

  observation({
    id: 'TOK-REFRESH-015',
    sentence:
      'Whether a refresh may narrow the scope is not stated: the cell is blank in the interface, the RFC allows it.',
    source: '4.1',
    gap: 'K-012',
    needs: ['refresh:confidential', 'consent'],
    observe: async (run, note) => {
      const [first] = account(run);
      const grant = await refreshable(run, 'confidential', { scopes: account(run).slice(0, 2) });
      const answer = await run.oauth.tokenRequest([
        ...run.oauth.refreshFields('confidential', grant.refresh),
        ['scope', first ?? ''],
      ]);
      note(
        `A refresh for fewer scopes: status ${answer.status}, scope ${String(member(answer.json, 'scope') ?? 'none')}`,
      );
    },
  }),
];

/** RFC 6749 6: the new refresh token has the scope of the one that was sent. */
async function originalAfterLess(run: Run): Promise<void> {
  const [some, ...others] = account(run);
  if (some === undefined || others.length === 0) return;
  const whole = await refreshable(run, 'confidential', { scopes: [some, ...others] });
  const fields = run.oauth.refreshFields('confidential', whole.refresh);
  const less = await run.oauth.tokenRequest([...fields, ['scope', some]]);
  // A server may refuse to narrow: nothing is said of the field (K-012).
  const narrowed = succeeded(less) ? grantOf('confidential', whole.account, less) : undefined;
  if (narrowed?.refresh === undefined) return;
  const answer = await run.oauth.refresh('confidential', narrowed.refresh);
  const next = issued(run, 'confidential', whole.account, answer);
  run.expect.equal(scopeSet(next.scopes), scopeSet(whole.scopes), 'the original scopes, as a set', answer);
}

/** What the user left out was never granted. */
async function grantedAfterConsent(run: Run): Promise<void> {
  const [granted, ...rest] = account(run);
  if (granted === undefined || rest.length === 0) return;
  const left = rest.slice(0, 1);
  const { value: grant } = await attempt(
    () => refreshable(run, 'confidential', { scopes: [granted, ...left], granted: [granted] }),
    [MissingCapability, PrerequisiteFailed],
  );
  if (!grant || grant.scopes.some((scope) => left.includes(scope))) return;
  const answer = await run.oauth.refresh('confidential', grant.refresh);
  const next = issued(run, 'confidential', grant.account, answer);
  run.expect.equal(scopeSet(next.scopes), scopeSet(grant.scopes), 'the scopes that the user granted', answer);
  run.expect.status(await run.oauth.probe(next.access, left), 403);
}
