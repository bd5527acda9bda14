import fc from 'fast-check';

import { lifetimes } from '../../../src/contract/index.js';
import { check } from '../../engine/check.js';
import type { DefinedCheck } from '../../engine/check.js';
import type { Run } from '../../engine/run.js';
import { bothKinds, refreshable, rotated, works } from '../../model/probe.js';
import type { Refreshable } from '../../model/probe.js';
import { after, atAge, before, margin, timeline } from '../../model/timeline.js';
import { PrerequisiteFailed } from '../../verdict.js';
import { introspectionOf } from '../../model/authentication-methods.js';
import type { Role } from '../../target/target.js';
import { member, succeeded } from '../../wire/answer.js';
import { issued } from './exchange.js';
import { refusedAs } from './token-errors.js';

type ClientType = 'confidential' | 'public';

const typeOf = (role: Role): ClientType => (role === 'public' ? 'public' : 'confidential');

/** Seconds that a refresh chain lives (interface 5.4). */
export const chainLife = (role: Role): number => lifetimes.refresh_token[typeOf(role)];

/** Seconds after which an access token is dead by any reading of the interface (K-001). */
export const deadAge = (role: Role): number =>
  Math.max(lifetimes.access_token[typeOf(role)], lifetimes.expires_in[typeOf(role)]);

const refreshing = (run: Run, { role, account, refresh }: Refreshable) => {
  const send = () => run.oauth.refresh(role, refresh);
  return {
    works: async (): Promise<Refreshable> => {
      const next = issued(run, role, account, await send());
      return { ...next, refresh: next.refresh ?? '' };
    },
    fails: async (): Promise<void> => refusedAs(run, ['invalid_grant'])(await send()),
  };
};

/** A chain that works until shortly before its end and not after; a fresh one for either side, the ends told apart. */
async function livesFor(run: Run, role: Role): Promise<void> {
  const time = await timeline(run);
  const early = await refreshable(run, role);
  const late = await refreshable(run, role);
  const life = { issuedBy: await time.now(), life: chainLife(role) };
  await before(run, time, life.life);
  await atAge(run, time, life, async () => void (await refreshing(run, early).works()));
  await after(time, life.issuedBy + life.life);
  await atAge(run, time, life, refreshing(run, late).fails);
}

interface RotatedChain {
  grant: Refreshable;
  /** Fractions of the life at which the chain is rotated. */
  readonly at: readonly number[];
}

/** Chains that are rotated by schedules of their own, over one life; all of them end with it, as one that is not rotated does. */
async function rotateBySchedule(run: Run, role: Role, schedules: readonly (readonly number[])[]): Promise<void> {
  const time = await timeline(run);
  const life = chainLife(role);
  // Twins: one is asked before the end, the other after it.
  const chains = await run.http.atOnce([...schedules, ...schedules], async (at): Promise<RotatedChain> => {
    return { grant: await refreshable(run, role), at };
  });
  const unused = await refreshable(run, role);
  const [early, late] = [chains.slice(0, schedules.length), chains.slice(schedules.length)];
  const issuedBy = await time.now();
  const moments = [...new Set(schedules.flat())].toSorted((a, b) => a - b);
  for (const [index, moment] of moments.entries()) {
    // Not on the second, so long as it is nearer to this moment than to the next.
    const next = (moment + (moments[index + 1] ?? 1)) / 2;
    await time.to(moment * (life - 4 * margin), next * (life - 4 * margin));
    await run.http.atOnce(chains, async (chain) => {
      if (chain.at.includes(moment)) chain.grant = await rotated(run, chain.grant);
    });
  }
  await before(run, time, life);
  await run.http.atOnce(early, ({ grant }) => refreshing(run, grant).works());
  await after(time, issuedBy + life);
  if ((await run.oauth.refresh(role, unused.refresh)).status === 200)
    throw new PrerequisiteFailed(`a refresh token of client ${role} that was never rotated outlives its life, too`);
  await run.http.atOnce(late, ({ grant }) => refreshing(run, grant).fails());
}

/** A refresh that names the scopes which the token has, half a life later. A server may refuse the field (K-012). */
async function rotateForScopes(run: Run, role: Role): Promise<void> {
  const time = await timeline(run);
  const life = chainLife(role);
  const first = await refreshable(run, role);
  const issuedBy = await time.now();
  await time.to(life / 2, life / 2 + margin);
  const fields = run.oauth.refreshFields(role, first.refresh);
  const answer = await run.oauth.tokenRequest([...fields, ['scope', first.scopes.join(' ')]]);
  const refresh = succeeded(answer) ? member(answer.json, 'refresh_token') : undefined;
  if (typeof refresh !== 'string') return;
  await after(time, issuedBy + life);
  const late = await run.oauth.refresh(role, refresh);
  run.expect.that(!succeeded(late), 'no refresh beyond the life of the chain', late.status, late);
}

const gSchedule = fc.array(fc.double({ min: 0.02, max: 1, noNaN: true }), { minLength: 1, maxLength: 8 });

/** Holds of clients of both kinds, each on a time of its own. */
const eachRole = (run: Run, holds: (role: Role) => Promise<void>): Promise<void> =>
  run.facts.apart(bothKinds(run, { refresh: true }), (role) => run.expect.each('client %s', [role], holds));

/** What the clock shows of refresh tokens (interface 3, 5.4, 8). */
export const refreshLifeChecks: readonly DefinedCheck[] = [
  check({
    id: 'TOK-REFRESH-006',
    level: 'MUST',
    sentence: 'Introspection shows the same `exp` for the new refresh token as for the used one.',
    source: '3',
    needs: ['refresh:confidential', 'consent', 'introspect'],
    phase: 'clock',
    judge: async (run) => {
      const way = await introspectionOf(run, 'confidential');
      const grant = await refreshable(run, 'confidential');
      const exp = async (token: string): Promise<unknown> => member((await way.ask(token)).json, 'exp');
      const first = await exp(grant.refresh);
      if (typeof first !== 'number') {
        return run.expect.notExercised(
          'introspection does not show when a refresh token ends, which it need not (K-090)',
        );
      }
      // Some servers tell the end of the access token beside it.
      if (Math.abs(first - (await run.facts.now()) - chainLife('confidential')) > 60) {
        return run.expect.notExercised('exp of a refresh token is not the end that section 5.4 gives it');
      }
      const next = await pass(run, grant);
      const second = await exp(next.refresh);
      if (typeof second !== 'number')
        return run.expect.notExercised('introspection shows no exp of the new refresh token');
      run.expect.that(Math.abs(second - first) <= 1, `exp ${first} as before`, second);
      const last = await exp((await pass(run, next)).refresh);
      if (typeof last === 'number')
        run.expect.that(Math.abs(last - first) <= 1, `exp ${first} after two refreshes`, last);
    },
  }),

  check({
    id: 'TOK-REFRESH-007',
    level: 'MUST',
    sentence: "A confidential client's refresh token lives 90 days: it works until shortly before, and not after.",
    source: '3,5.4,8',
    needs: ['refresh:confidential', 'consent', 'clock'],
    phase: 'clock',
    judge: (run) => livesFor(run, 'confidential'),
  }),

  check({
    id: 'TOK-REFRESH-008',
    level: 'MUST',
    sentence: "A public client's refresh token lives 7 days: it works until shortly before, and not after.",
    source: '3,5.4,8',
    gap: 'K-005',
    needs: ['refresh:public', 'consent', 'clock'],
    phase: 'clock',
    judge: (run) => livesFor(run, 'public'),
  }),

  check({
    id: 'TOK-REFRESH-005',
    level: 'MUST',
    sentence:
      'The new refresh token keeps the expiry time of the used one: however often it is rotated, the chain ends one life after the first issue.',
    source: '3',
    needs: ['refresh:confidential', 'consent', 'clock'],
    phase: 'clock',
    judge: async (run) => {
      await run.facts.apart(bothKinds(run, { refresh: true }), (role) =>
        run.expect.property(
          `chains of client ${role}, rotated by schedules of their own`,
          fc.array(gSchedule, { minLength: 1, maxLength: 3 }),
          // Shortly before the end, when a life that starts anew shows most; and often.
          { share: 0.01, examples: [[[1], [0.5], [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8]]] },
          (schedules) => rotateBySchedule(run, role, schedules),
        ),
      );
      await run.case('by a refresh for its scopes', () => rotateForScopes(run, 'confidential'));
    },
  }),

  check({
    id: 'TOK-REFRESH-009',
    level: 'MUST',
    sentence: 'An expired refresh token is refused, and no token comes back.',
    source: '3',
    needs: ['refresh:confidential', 'consent', 'clock'],
    phase: 'clock',
    judge: async (run) => {
      const refuse = await run.expect.negative<Refreshable>({
        valid: () => refreshable(run, 'confidential'),
        send: ({ role, refresh }) => run.oauth.refresh(role, refresh),
        refused: refusedAs(run, ['invalid_grant']),
      });
      for (const turns of [0, 1]) {
        await refuse(turns === 0 ? 'expired' : 'expired, after a rotation', async (grant) => {
          const time = await timeline(run);
          await time.to(turns * 3600, (turns * chainLife('confidential')) / 2);
          const last = turns === 0 ? grant : await rotated(run, grant);
          await after(time, chainLife('confidential'));
          return last;
        });
      }
    },
  }),

  check({
    id: 'TOK-REFRESH-020',
    level: 'MUST',
    sentence: 'The new access token has a full life of its own from the refresh on.',
    source: '3,5.4',
    gap: 'K-088',
    needs: ['refresh:confidential', 'consent', 'clock'],
    phase: 'clock',
    judge: (run) =>
      eachRole(run, async (role) => {
        const time = await timeline(run);
        const life = lifetimes.access_token[typeOf(role)];
        const [once, twice, often] = [
          await refreshable(run, role),
          await refreshable(run, role),
          await refreshable(run, role),
        ];
        await time.to((life * 5) / 7, (life * 6) / 7);
        const refreshedAt = await time.now();
        const next = await rotated(run, once);
        const later = [
          await rotated(run, await rotated(run, twice)),
          await rotated(run, await rotated(run, await rotated(run, often))),
        ];
        const by = await time.now();
        await before(run, time, refreshedAt + life);
        await run.expect.alive(next.access, next.scopes);
        await run.case('after several refreshes', async () => {
          for (const { access, scopes } of later) await run.expect.alive(access, scopes);
        });
        await after(time, by + deadAge(role));
        await run.expect.dead(next.access, next.scopes);
        await run.case('after several refreshes', async () => {
          for (const { access, scopes } of later) await run.expect.dead(access, scopes);
        });
      }),
  }),

  check({
    id: 'TOK-REFRESH-024',
    level: 'MUST',
    sentence:
      'A refresh works after the access token expired: that the refresh token is unexpired is the only condition.',
    source: '3',
    needs: ['refresh:confidential', 'consent', 'clock'],
    phase: 'clock',
    judge: (run) =>
      eachRole(run, async (role) => {
        const time = await timeline(run);
        const grant = await refreshable(run, role);
        await after(time, deadAge(role) + 600);
        const next = await refreshing(run, grant).works();
        run.expect.that(
          await works(run, next.access, next.scopes),
          'a new access token that works',
          'one that does not',
        );
      }),
  }),
];

/** Lets enough time pass for a sliding end to show, by the clock or in earnest, and refreshes. */
async function pass(run: Run, grant: Refreshable): Promise<Refreshable> {
  if (run.facts.hooks.clock) await run.facts.advance(86_400, 10 * 86_400);
  else await new Promise((resolve) => setTimeout(resolve, 3000));
  return rotated(run, grant);
}
