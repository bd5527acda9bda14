import { setTimeout as sleep } from 'node:timers/promises';

import fc from 'fast-check';

import { check } from '../../engine/check.js';
import type { DefinedCheck } from '../../engine/check.js';
import type { Code, Run } from '../../engine/run.js';
import { userRoles } from '../../model/probe.js';
import { accountScopes } from '../../model/scopes.js';
import type { Role } from '../../target/target.js';
import { issued } from './exchange.js';
import { anyRole, codeRoles, put } from './outcome.js';

/** Seconds that a code lives (interface 5.5), and how near to its end nothing is asserted (K-110). */
const life = 30;
const margin = 2;

/** Lets time pass: by the server's clock where there is a hook, else in earnest. */
const pass = (run: Run, seconds: number): Promise<unknown> =>
  run.facts.hooks.clock ? run.facts.advance(seconds) : sleep(seconds * 1000);

/** A code that gets older before it is exchanged must not work any more; one that does not must. */
async function refusedAt(
  run: Run,
  role: Role,
  ages: readonly number[],
  /** What is done with the code at an age before, in seconds. */
  { at, act }: { readonly at: number; act(code: Code): Promise<unknown> } = { at: 0, act: async () => {} },
) {
  const refuse = await run.expect.negative<Code>({
    valid: () => run.oauth.code(role),
    send: (code) => run.oauth.exchange(code),
    refused: (answer) => run.expect.refused(answer, { errors: ['invalid_grant'] }),
  });
  await run.expect.each('%s seconds old', ages, async (age) => {
    await refuse('refused', async (code) => {
      if (at > 0) await pass(run, at);
      await act(code);
      await pass(run, age - at);
      return code;
    });
  });
}

/** AUTH-CODE-002, -003, -025: thirty seconds, from the issue on (interface 3, 5.5, 8). */
export const codeLifeChecks: readonly DefinedCheck[] = [
  check({
    id: 'AUTH-CODE-002',
    level: 'MUST',
    sentence: 'A code is exchangeable until shortly before it is 30 seconds old.',
    source: '3,5.5,8',
    gap: 'K-110',
    needs: [['client:confidential', 'client:public'], 'consent', 'clock'],
    phase: 'clock',
    judge: (run) =>
      run.expect.each('client %s', codeRoles(run), async (role) => {
        const start = await run.facts.now();
        const code = await run.oauth.code(role);
        await run.facts.advance(life - margin);
        const answer = await run.oauth.exchange(code);
        if (answer.status >= 400 && (await run.facts.now()) - start >= life) {
          return run.expect.notExercised('the server took longer than the last two seconds of the code');
        }
        issued(run, role, code.account, answer);
      }),
  }),

  check({
    id: 'AUTH-CODE-003',
    level: 'MUST',
    sentence: 'A code older than 30 seconds is not exchangeable.',
    source: '3,5.5,8',
    gap: 'K-110',
    needs: [['client:confidential', 'client:public'], 'consent', ['clock', 'wait']],
    phase: 'clock',
    judge: async (run) => {
      const role = anyRole(run);
      if (!run.facts.hooks.clock) return refusedAt(run, role, [life + margin]);
      await refusedAt(run, role, [life + margin, 45, 59, 61, 301, 599, 601, 3601]);
      await run.expect.each(
        'client %s',
        userRoles(run).filter((other) => other !== role && accountScopes(run, other).length > 0),
        (other) => refusedAt(run, other, [life + margin, 61]),
      );
      await run.expect.property(
        'any age over 30 seconds',
        fc.integer({ min: life + margin, max: 86_400 }),
        { share: 0.02 },
        (age) => refusedAt(run, role, [age]),
      );
    },
  }),

  check({
    id: 'AUTH-CODE-025',
    level: 'MUST',
    sentence: 'The life of a code is measured from its issue and not from the last attempt, and its end is final.',
    source: '3',
    needs: [['client:confidential', 'client:public'], 'consent', 'clock'],
    phase: 'clock',
    judge: async (run) => {
      const role = anyRole(run);
      // At 20 seconds a failed attempt, at 40 the right one; then an attempt when the code is dead already.
      await refusedAt(run, role, [40], {
        at: 20,
        act: (code) => run.oauth.tokenRequest(put('code_verifier', 'a'.repeat(64))(run.oauth.exchangeFields(code))),
      });
      await refusedAt(run, role, [life + margin + 1], { at: life + margin, act: (code) => run.oauth.exchange(code) });
      // Nor does a used one work again, for as long as it would have lived.
      await run.case('used', () =>
        refusedAt(run, role, [6, 12, life - margin], { at: 1, act: (code) => run.oauth.exchange(code) }),
      );
    },
  }),
];
