import fc from 'fast-check';

import { lifetimes } from '../../../src/contract/index.js';
import { check, group } from '../../engine/check.js';
import type { DefinedCheck } from '../../engine/check.js';
import type { Grant, Run } from '../../engine/run.js';
import { PrerequisiteFailed } from '../../verdict.js';
import { assumeWorking, bothKinds, fresh, narrow, spare, userRoles, works } from '../../model/probe.js';
import type { Refreshable } from '../../model/probe.js';
import { after, atAge, before, timeline } from '../../model/timeline.js';
import type { Timeline } from '../../model/timeline.js';
import { anyIntrospection, anyRevocation, introspection } from '../../model/authentication-methods.js';
import type { Role } from '../../target/target.js';
import { member } from '../../wire/answer.js';
import { endByApplication, endByUser } from './client-credentials-owner.js';
import { issued } from './exchange.js';
import { chainLife, deadAge } from './refresh-life.js';
import { refusedAs } from './token-errors.js';

const confidentialRoles = (run: Run): readonly Role[] => userRoles(run).filter((role) => role !== 'public');

const accessLife = (role: Role): number => lifetimes.access_token[role === 'public' ? 'public' : 'confidential'];

/** The account whose tokens are ended where that concerns all of them: not the one that most checks use. */
const other = (run: Run): string | undefined => run.oauth.accounts().find((account) => account === 'bob');

const grants = (run: Run, roles: readonly Role[]): Promise<readonly Grant[]> =>
  run.http.atOnce(roles, (role) => fresh(run, role));

const each = (run: Run, all: readonly Grant[], holds: (grant: Grant) => Promise<void>): Promise<void> =>
  run.expect.each('client $role', all, holds);

const expiry: readonly DefinedCheck[] = [
  check({
    id: 'LIFE-001',
    level: 'MUST',
    sentence: "A confidential client's user access token works until shortly before it is 28 days old.",
    source: '3,5.4,8',
    gap: 'K-001',
    needs: ['client:confidential', 'consent', 'clock'],
    phase: 'clock',
    judge: async (run) => {
      const time = await timeline(run);
      const all = await grants(run, confidentialRoles(run));
      const life = { issuedBy: await time.now(), life: accessLife('confidential') };
      await before(run, time, life.life);
      await atAge(run, time, life, () => each(run, all, ({ access, scopes }) => run.expect.alive(access, scopes)));
    },
  }),

  check({
    id: 'LIFE-002',
    level: 'MUST',
    sentence: "A confidential client's user access token is refused once its life is over.",
    source: '3,5.4,8',
    gap: 'K-001',
    needs: ['client:confidential', 'consent', 'clock'],
    phase: 'clock',
    judge: async (run) => {
      const time = await timeline(run);
      const all = await grants(run, confidentialRoles(run));
      const by = await time.now();
      await after(time, by + accessLife('confidential'));
      const late = [];
      for (const grant of all) if (await works(run, grant.access, grant.scopes)) late.push(grant.role);
      if (late.length > 0) {
        run.expect.warn(
          `after 28 days access tokens still work, as expires_in has it (K-001): client ${late.join(', ')}`,
        );
      }
      await after(time, by + deadAge('confidential'));
      const life = { issuedBy: by, life: deadAge('confidential') };
      await atAge(run, time, life, () => each(run, all, ({ access, scopes }) => run.expect.dead(access, scopes)));
    },
  }),

  check({
    id: 'LIFE-003',
    level: 'MUST',
    sentence: "A public client's access token works until shortly before it is 10 hours old, and is refused after.",
    source: '3,5.4,8',
    gap: 'K-110',
    needs: ['client:public', 'consent', 'clock'],
    phase: 'clock',
    judge: async (run) => {
      const time = await timeline(run);
      const { access, scopes } = await fresh(run, 'public');
      const life = { issuedBy: await time.now(), life: accessLife('public') };
      await before(run, time, life.life);
      await atAge(run, time, life, () => run.expect.alive(access, scopes));
      await after(time, life.issuedBy + deadAge('public'));
      await atAge(run, time, life, () => run.expect.dead(access, scopes));
    },
  }),

  check({
    id: 'LIFE-004',
    level: 'INFER',
    sentence: "An access token's life counts from its issue and not from its last use.",
    source: '3',
    entailed: '3, 5.4: the lifetime elapses, and no use of a token changes that',
    needs: [['client:confidential', 'client:public'], 'consent', 'clock'],
    phase: 'clock',
    judge: async (run) => {
      const way = run.oauth.obtainable().has('oauth:introspect') ? await anyIntrospection(run) : undefined;
      await run.facts.apart(bothKinds(run), (role) =>
        run.expect.property(
          `uses of a token of client ${role}`,
          gSchedule,
          { share: 0.01, examples: [[0.5, 0.97, 0.99]] },
          async (schedule) => {
            const seen = async ({ access }: Grant): Promise<void> => {
              await way?.ask(access);
            };
            const { time, by, grant, unused } = await used(run, role, schedule, accessLife(role), seen, true);
            // A younger one that nobody used, and that has ended, shows which life the server goes by (K-001).
            await after(time, by + accessLife(role));
            if (unused && !(await works(run, unused.access, unused.scopes)))
              await run.expect.dead(grant.access, grant.scopes);
            await after(time, by + deadAge(role));
            const life = { issuedBy: by, life: deadAge(role) };
            await atAge(run, time, life, () => run.expect.dead(grant.access, grant.scopes));
          },
        ),
      );
    },
  }),

  check({
    id: 'LIFE-012',
    level: 'MUST',
    sentence: 'The expiry of a refresh token is not put off by the use of access tokens or by introspection.',
    source: '3',
    needs: ['refresh:confidential', 'consent', 'clock'],
    phase: 'clock',
    judge: async (run) => {
      const role = 'confidential';
      const way = run.oauth.obtainable().has('oauth:introspect') ? await anyIntrospection(run) : undefined;
      await run.expect.property(
        'uses and introspections of a grant',
        gSchedule,
        { share: 0.01, examples: [[0.2, 0.6, 0.99]] },
        async (schedule) => {
          const seen = async ({ refresh = '' }: Grant): Promise<void> => {
            await way?.ask(refresh);
          };
          const { time, by, grant } = await used(run, role, schedule, chainLife(role), seen);
          await after(time, by + chainLife(role));
          const { refresh } = grant;
          if (refresh === undefined) throw new PrerequisiteFailed('the client was issued no refresh token');
          await atAge(run, time, { issuedBy: by, life: chainLife(role) }, async () =>
            refusedAs(run, ['invalid_grant'])(await run.oauth.refresh(role, refresh)),
          );
        },
      );
    },
  }),

  check({
    id: 'LIFE-015',
    level: 'MUST',
    sentence: 'Without a refresh token there is no renewal: after expiry only a new authorization helps.',
    source: '3',
    needs: ['client:confidential_no_refresh', 'consent', 'clock'],
    phase: 'clock',
    judge: async (run) => {
      const role = 'confidential_no_refresh';
      const time = await timeline(run);
      const grant = await fresh(run, role);
      if (grant.refresh !== undefined) throw new PrerequisiteFailed('the client was issued a refresh token');
      const life = { issuedBy: await time.now(), life: deadAge(role) };
      await after(time, life.issuedBy + deadAge(role));
      await atAge(run, time, life, async () => {
        await run.expect.dead(grant.access, grant.scopes);
        const answer = await run.oauth.refresh(role, grant.access);
        run.expect.that(answer.status !== 200, 'no renewal by the access token', `status ${answer.status}`, answer);
        await run.expect.dead(grant.access, grant.scopes);
      });
      const code = await run.oauth.code(role, { scopes: narrow(run, role) });
      const next = issued(run, role, code.account, await run.oauth.exchange(code));
      await run.expect.alive(next.access, next.scopes);
    },
  }),

  check({
    id: 'LIFE-013',
    level: 'MUST',
    sentence: 'Client-credentials tokens are untouched by the passing of time.',
    source: '3,5.6',
    needs: ['client:service', 'clock'],
    phase: 'clock',
    judge: async (run) => {
      const roles = (['service', 'service_account'] as const).filter((role) => run.facts.target.clients[role]);
      const tokens = await Promise.all(roles.map((role) => fresh(run, role)));
      const way = run.oauth.obtainable().has('oauth:introspect') ? await introspection(run, roles[0]!) : undefined;
      const hold = async (seconds: number): Promise<void> => {
        await run.facts.advance(seconds, Infinity);
        await run.http.atOnce(tokens, async ({ access, scopes, role }) => {
          run.expect.status(await run.oauth.probe(access, scopes), '2xx');
          if (!way?.works || role !== way.role) return;
          run.expect.that(member((await way.ask(access)).json, 'active') === true, 'active: true', 'something else');
        });
      };
      const day = 86_400;
      await run.expect.property(
        'any advance of the clock',
        fc.array(
          fc.oneof(
            // Each life of the interface, and where a timer of 31 or 32 bits of milliseconds goes round.
            fc.constantFrom(31, 61, 301, 3601, 36_061, 7 * day + 60, 2_147_484, 4_294_968, 28 * day + 60),
            fc.integer({ min: 1, max: 100 * day }),
          ),
          { minLength: 1, maxLength: 5 },
        ),
        { share: 0.03, examples: [[31, 36_061, 2_147_484, 28 * day + 60, 90 * day + 60]] },
        async (advances) => {
          for (const seconds of advances) await hold(seconds);
        },
      );
    },
  }),
];

/** Moments of a life, as fractions of it. */
const gSchedule = fc
  .array(fc.double({ min: 0.01, max: 1, noNaN: true }), { minLength: 1, maxLength: 6 })
  .map((moments) => moments.toSorted((a, b) => a - b));

/** A grant whose access token is used at these moments of a life, and looked at by `seen`; one beside it is not. */
async function used(
  run: Run,
  role: Role,
  schedule: readonly number[],
  life: number,
  seen: (grant: Grant) => Promise<void>,
  twin = false,
): Promise<{ readonly time: Timeline; readonly by: number; readonly grant: Grant; readonly unused?: Grant }> {
  const time = await timeline(run);
  const grant = await fresh(run, role);
  const unused = twin ? await fresh(run, role) : undefined;
  const by = await time.now();
  for (const [index, moment] of schedule.entries()) {
    // Not on the second, so long as it is nearer to this moment than to the next.
    const next = (moment + (schedule[index + 1] ?? 1)) / 2;
    await time.to(moment * (life - 120), next * (life - 120));
    await Promise.all([run.oauth.probe(grant.access, grant.scopes), seen(grant)]);
  }
  return { time, by, grant, ...(unused && { unused }) };
}

const revocations: readonly DefinedCheck[] = [
  check({
    id: 'LIFE-005',
    level: 'MUST',
    sentence: 'Revocation by the user on the applications page ends the access token: requests with it are refused.',
    source: '1,3',
    gap: 'K-128',
    needs: [['client:confidential', 'client:public'], 'consent', 'user-revocation'],
    phase: 'alone',
    judge: async (run) => {
      for (const role of bothKinds(run)) {
        const { mine, beside } = await revokedByUser(run, role);
        for (const { access, scopes } of mine) await run.expect.dead(access, scopes);
        await run.expect.each(
          'a token of $account for client $role, which was not revoked',
          beside,
          ({ access, scopes }) => run.expect.alive(access, scopes),
        );
        // What the user grants from then on has not been revoked.
        await run.case('a later grant', async () => {
          const account = other(run);
          const { access, scopes } = await fresh(run, role, account === undefined ? {} : { account });
          await run.expect.alive(access, scopes);
        });
      }
    },
  }),

  check({
    id: 'LIFE-006',
    level: 'INFER',
    sentence: 'Revocation by the user ends the refresh token of the grant too.',
    source: '1,3',
    entailed: '1, 3: users revoke their tokens, and a refresh token that still works gives the access back',
    gap: 'K-089',
    needs: ['refresh:confidential', 'consent', 'user-revocation'],
    phase: 'alone',
    judge: async (run) => {
      const kinds = bothKinds(run).filter((kind) => kind === 'confidential' || run.oauth.client(kind).refresh);
      for (const kind of kinds) {
        const { mine } = await revokedByUser(run, kind);
        const held = mine.filter(({ refresh }) => refresh !== undefined);
        if (held.length === 0) throw new PrerequisiteFailed('the client was issued no refresh token');
        for (const { role, refresh = '' } of held) {
          refusedAs(run, ['invalid_grant'])(await run.oauth.refresh(role, refresh));
        }
      }
    },
  }),

  check({
    id: 'LIFE-007',
    level: 'MUST',
    sentence: 'Revocation on the application settings page ends the access token.',
    source: '3',
    gap: 'K-128',
    needs: ['client:service', 'application-revocation'],
    phase: 'alone',
    judge: async (run) => {
      const roles = (['service', 'service_account'] as const).filter((role) => run.facts.target.clients[role]);
      const all: Grant[] = [];
      for (const role of roles) all.push(await fresh(run, role), await fresh(run, role));
      const others = userRoles(run).filter(
        (role) => run.oauth.client(role).client_id !== run.oauth.client('service').client_id,
      );
      const beside = await grants(run, others);
      for (const grant of [...all, ...beside]) await assumeWorking(run, grant);
      await endByApplication(run, 'service');
      await run.case('grants of other clients', () =>
        each(run, beside, async ({ role, access, scopes, refresh }) => {
          await run.expect.alive(access, scopes);
          if (refresh !== undefined) run.expect.status(await run.oauth.refresh(role, refresh), '2xx');
        }),
      );
      await each(run, all, ({ role, access, scopes }) =>
        role === 'service' ? run.expect.dead(access, scopes) : run.expect.alive(access, scopes),
      );
    },
  }),

  check({
    id: 'LIFE-008',
    level: 'MUST',
    sentence: 'Revocation at /oauth/token/revoke ends the access token.',
    source: '3',
    needs: ['revoke'],
    judge: async (run) => {
      const way = await anyRevocation(run);
      const first = await spare(run, way.role);
      const refreshed = first.refresh === undefined ? [] : [await run.oauth.refreshed(await spare(run, way.role))];
      for (const grant of [first, ...refreshed]) {
        await assumeWorking(run, grant);
        const { status } = await way.ask(grant.access);
        // Who is refused has revoked nothing; that the suite's own token is taken is the business of others.
        if (status === 401 || status === 403) throw new PrerequisiteFailed(`the revocation was refused with ${status}`);
        await run.expect.dead(grant.access, grant.scopes);
      }
    },
  }),
];

/** Grants of an account for a client that the user then revokes, a rotated one among them, and grants beside them. */
async function revokedByUser(
  run: Run,
  role: Role,
): Promise<{ readonly mine: readonly Grant[]; readonly beside: readonly Grant[] }> {
  if (!run.facts.hooks.revoke) return run.expect.missing('revocations', 'a way to the applications page of a user');
  const account = other(run);
  const options = account === undefined ? {} : { account };
  const first = await fresh(run, role, options);
  const second = await fresh(run, role, options);
  const renewed = second.refresh === undefined ? undefined : await run.oauth.refreshed(second);
  // Where a refresh leaves the access token of before alive (K-076), that is one of the user's as well.
  const isLeft = renewed !== undefined && (await works(run, second.access, second.scopes));
  const mine = [first, renewed ?? second, ...(isLeft ? [{ ...second, refresh: undefined }] : [])];
  const beside: Grant[] = [];
  if (account !== undefined) beside.push(await fresh(run, role));
  const elsewhere = userRoles(run).find(
    (one) => one !== role && run.oauth.client(one).client_id !== run.oauth.client(role).client_id,
  );
  if (elsewhere !== undefined) beside.push(await fresh(run, elsewhere, options));
  for (const grant of [...mine, ...beside]) await assumeWorking(run, grant);
  await endByUser(run, first.account!, role);
  return { mine, beside };
}

const coexistence = check({
  id: 'LIFE-014',
  level: 'INFER',
  sentence: 'Two grants of the same user to the same client exist side by side.',
  source: '3',
  plausible: 'no sentence says that a second consent leaves the first alone',
  needs: [['client:confidential', 'client:public'], 'consent'],
  judge: (run) =>
    run.expect.each('client %s', bothKinds(run), async (role) => {
      const pair = [await fresh(run, role), await fresh(run, role)];
      for (const { access, scopes } of pair) await run.expect.alive(access, scopes);
      // With several scopes too, the same ones.
      const scopes = run.oauth.client(role).scopes.slice(0, 3);
      const first = await run.oauth.grant(role, { scopes });
      await run.oauth.grant(role, { scopes });
      await run.expect.alive(first.access, first.scopes);
      // Nor is a code spoilt by another: time and use end one, and nothing else (interface 3).
      const codes = [await run.oauth.code(role), await run.oauth.code(role)];
      for (const code of codes) issued(run, role, code.account, await run.oauth.exchange(code));
      const refreshables = pair.filter((grant): grant is Refreshable => grant.refresh !== undefined);
      for (const grant of refreshables) {
        const answer = await run.oauth.refresh(role, grant.refresh);
        const { access, scopes } = issued(run, role, grant.account, answer);
        await run.expect.alive(access, scopes);
      }
    }),
});

/** Lives and ends of tokens (interface 1, 3, 5.4, 8). */
export default group('oauth/life', [coexistence, ...revocations, ...expiry]);
