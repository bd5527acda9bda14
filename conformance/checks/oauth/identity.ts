import fc from 'fast-check';

import { check } from '../../engine/check.js';
import type { DefinedCheck } from '../../engine/check.js';
import type { Grant, Run } from '../../engine/run.js';
import { PrerequisiteFailed } from '../../verdict.js';
import { userRoles } from '../../model/probe.js';
import type { Role } from '../../target/target.js';
import { member } from '../../wire/answer.js';

/** The accounts that can consent; null for the one that always does. */
export const accountsOf = (run: Run): readonly (string | null)[] => {
  if (run.facts.target.consent === 'auto') return [null];
  return run.oauth.accounts().filter((account) => account === 'alice' || account === 'bob');
};

/** UUIDs are compared without regard to case. */
export const lower = (value: unknown): unknown => (typeof value === 'string' ? value.toLowerCase() : value);

/** A member of a token response that must be there: where it is not, TOK-RESP-001 says so, and there is nothing to compare. */
export function told(response: unknown, name: 'username' | 'sub'): unknown {
  const value = member(response, name);
  if (value !== undefined && value !== null) return value;
  throw new PrerequisiteFailed(`the token response has no ${name} (TOK-RESP-001)`);
}

interface Step {
  readonly role: Role;
  readonly account: string;
  readonly refreshes: number;
}

/** TOK-RESP-017: over grants, clients and refreshes an account is called the same, and no two are called alike. */
export const stableIdentity: DefinedCheck = check({
  id: 'TOK-RESP-017',
  level: 'INFER',
  sentence: 'username and sub stay the same for one account over grants, clients and refreshes.',
  source: '4.1',
  entailed: '4.1: username and sub say which account it is',
  needs: [['client:confidential', 'client:public'], 'consent'],
  judge: async (run) => {
    const roles = userRoles(run).slice(0, 4);
    const accounts = accountsOf(run);
    const seen = new Map<string, { readonly username: unknown; readonly sub: unknown }>();
    const hold = (grant: Grant, account: string): void => {
      const said = { username: told(grant.response, 'username'), sub: lower(told(grant.response, 'sub')) };
      const before = seen.get(account);
      if (before) return run.expect.equal(said, before, `username and sub of ${account} as before`, grant.answer);
      for (const [other, theirs] of seen) {
        run.expect.that(
          said.sub !== theirs.sub,
          `a sub for ${account} that is not the one of ${other}`,
          said,
          grant.answer,
        );
      }
      seen.set(account, said);
    };
    const follow = async ({ role, account, refreshes }: Step): Promise<void> => {
      let grant = await run.oauth.grant(role, account === '' ? {} : { account });
      hold(grant, account);
      // A refresh token where none should be is TOK-RESP-011, and need not work.
      const turns = run.oauth.client(role).refresh === true ? refreshes : 0;
      for (let turn = 0; turn < turns && grant.refresh !== undefined; turn += 1) {
        grant = await run.oauth.refreshed(grant);
        hold(grant, account);
      }
    };
    await run.expect.each(
      '$account by client $role',
      roles.flatMap((role) => accounts.map((account): Step => ({ role, account: account ?? '', refreshes: 1 }))),
      follow,
    );
    await run.expect.property(
      'one identity for an account',
      fc.array(
        fc.record({
          role: fc.constantFrom(...roles),
          account: fc.constantFrom(...accounts.map((account) => account ?? '')),
          refreshes: fc.integer({ min: 0, max: 3 }),
        }),
        { minLength: 1, maxLength: 4 },
      ),
      { share: 0.03 },
      async (steps) => {
        for (const step of steps) await follow(step);
      },
    );
  },
});
