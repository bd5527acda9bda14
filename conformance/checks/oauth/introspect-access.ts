import { check, observation } from '../../engine/check.js';
import type { DefinedCheck } from '../../engine/check.js';
import type { Grant, Run } from '../../engine/run.js';
import { attempt, MissingCapability, PrerequisiteFailed } from '../../verdict.js';
import { bothKinds, fresh, refreshable, spare, userRoles, works } from '../../model/probe.js';
import { after, margin, timeline } from '../../model/timeline.js';
import type { Timeline } from '../../model/timeline.js';
import { anyIntrospection, introspection, revocation } from '../../model/authentication-methods.js';
import { member } from '../../wire/answer.js';
import type { Answer } from '../../wire/answer.js';
import { chainLife, deadAge } from './refresh-life.js';

/** 200 with `active`, a boolean, as it should be. */
export function shows(run: Run, answer: Answer, active: boolean): void {
  run.expect.status(answer, 200);
  run.expect.that(member(answer.json, 'active') === active, `active: ${active}`, member(answer.json, 'active'), answer);
}

interface Question {
  readonly token: string;
  readonly bearer: string | null;
}

/** An introspection that works, to be asked with another credential. */
async function asking(run: Run, refused: (answer: Answer) => void) {
  const method = await anyIntrospection(run);
  const { access } = await fresh(run, method.role);
  return run.expect.negative<Question>({
    valid: () => ({ token: access, bearer: method.bearer }),
    send: ({ token, bearer }) =>
      bearer === method.bearer ? method.ask(token) : run.oauth.introspect([['token', token]], { token: bearer }),
    accepted: (answer) => shows(run, answer, true),
    refused: (answer) => {
      refused(answer);
      run.expect.that(member(answer.json, 'active') === undefined, 'no word about the token', answer.json, answer);
    },
  });
}

/** Bearer tokens that lack oauth:introspect. */
async function bearersWithout(run: Run): Promise<readonly { readonly what: string; readonly token: string }[]> {
  const found = [];
  for (const scope of ['account:profile', 'account:characters', 'service:leagues', 'oauth:revoke'] as const) {
    if (run.oauth.obtainable().has(scope))
      found.push({ what: `a bearer token with ${scope}`, token: await run.oauth.token([scope]) });
  }
  return found;
}

/**
 * The end that introspection announces, in seconds of the timeline. Undefined where it announces none, or the one of
 * `expires_in`: that of a confidential client's token may be later than its life (K-001).
 */
async function announcedEnd(run: Run, time: Timeline, answer: Answer, grant: Grant): Promise<number | undefined> {
  const exp = member(answer.json, 'exp');
  if (typeof exp !== 'number') return undefined;
  const left = exp - (await run.facts.now());
  const expiresIn = Number(member(grant.response, 'expires_in'));
  if (left <= 0 || Math.abs(left - expiresIn) <= margin) return undefined;
  return (await time.now()) + left;
}

/** Who may introspect, and what is shown of tokens that have ended (interface 4.1, 5.3; RFC 7662 2.1 to 2.3). */
export const introspectAccessChecks: readonly DefinedCheck[] = [
  check({
    id: 'INTRO-001',
    level: 'MUST',
    sentence:
      'The introspection endpoint needs the scope oauth:introspect: a token without it meets 403 and learns nothing.',
    source: '4.1,5.3',
    gap: 'K-009',
    needs: ['introspect', 'client:confidential', 'consent'],
    judge: async (run) => {
      const refuse = await asking(run, (answer) => run.expect.status(answer, 403));
      await run.expect.each('$what', await bearersWithout(run), ({ token }) =>
        refuse('refused', (question) => ({ ...question, bearer: token })),
      );
      const method = await anyIntrospection(run);
      if (method.role === 'operations') return;
      await refuse('the token itself as bearer', (question) => ({ ...question, bearer: question.token }));
    },
  }),

  check({
    id: 'INTRO-002',
    level: 'MUST-RFC',
    sentence:
      'Introspection without a credential is refused with 401, or with 400 as RFC 6749 5.2 has it (RFC 7662 2.1).',
    source: '4.1',
    gap: 'K-009',
    needs: ['introspect'],
    judge: async (run) => {
      // Where no client authentication is included, RFC 6749 5.2 lets the status be 400.
      const refuse = await asking(run, (answer) => run.expect.status(answer, 401, 400));
      await refuse('without a credential', (question) => ({ ...question, bearer: null }));
      const refuseToken = await asking(run, (answer) => run.expect.status(answer, 401));
      await refuseToken('with a bearer token that was never issued', (question) => ({
        ...question,
        bearer: 'cx-was-never-issued',
      }));
    },
  }),

  check({
    id: 'INTRO-006',
    level: 'MUST-RFC',
    sentence: 'A revoked token gives `active: false`.',
    source: '4.1',
    needs: ['revoke', 'introspect'],
    judge: async (run) => {
      for (const role of [...userRoles(run).slice(0, 1), 'service' as const, 'operations' as const].filter(
        (one) => run.facts.target.clients[one],
      )) {
        const { value: ends } = await attempt(() => revocation(run, role), [MissingCapability]);
        const method = await introspection(run, role);
        if (!ends?.works || !method.works) continue;
        const grant = await spare(run, role);
        await ends.ask(grant.access);
        if (await works(run, grant.access, grant.scopes)) throw new PrerequisiteFailed('the token was not revoked');
        shows(run, await method.ask(grant.access), false);
        if (grant.refresh === undefined) continue;
        const other = await refreshable(run, role);
        if ((await ends.ask(other.refresh)).status === 200) shows(run, await method.ask(other.refresh), false);
      }
    },
  }),

  check({
    id: 'INTRO-005',
    level: 'MUST-RFC',
    sentence: 'An expired token gives `active: false`.',
    source: '4.1',
    needs: ['introspect', 'clock'],
    phase: 'clock',
    judge: async (run) => {
      const time = await timeline(run);
      const methods = [];
      for (const role of bothKinds(run)) {
        const method = await introspection(run, role);
        if (!method.works) continue;
        const grant = await fresh(run, role);
        methods.push({ method, grant, exp: await announcedEnd(run, time, await method.ask(grant.access), grant) });
      }
      if (methods.length === 0) return run.expect.missing('a user token that can be introspected');
      const by = await time.now();
      for (const { method, grant, exp } of methods.toSorted(
        (a, b) => deadAge(a.method.role) - deadAge(b.method.role),
      )) {
        // What ends is what `exp` says when: until then the token works.
        if (exp !== undefined && exp < by + deadAge(method.role) && (await time.to(exp - margin))) {
          const alive = await works(run, grant.access, grant.scopes);
          run.expect.that(
            alive,
            `a token of client ${method.role} that works until ${margin} s before its exp`,
            'a dead one',
          );
        }
        await after(time, by + deadAge(method.role));
        shows(run, await method.ask(grant.access), false);
      }
      await after(time, by + Math.max(...methods.map(({ method }) => chainLife(method.role))));
      for (const { method, grant } of methods) {
        if (grant.refresh !== undefined) shows(run, await method.ask(grant.refresh), false);
      }
    },
  }),

  check({
    id: 'INTRO-014',
    level: 'SHOULD-RFC',
    sentence: 'Introspection without `token` is refused with 400.',
    source: '4.1',
    needs: ['introspect'],
    judge: async (run) => {
      const method = await anyIntrospection(run);
      const refuse = await run.expect.negative<string | null>({
        valid: async () => (await fresh(run, method.role)).access,
        send: (token) => (token === null ? method.send([]) : method.ask(token)),
        accepted: (answer) => shows(run, answer, true),
        refused: (answer) => {
          const { status } = answer;
          run.expect.that(
            status === 400 ||
              (status === 200 && member(answer.json, 'active') === false) ||
              (status > 400 && status < 500),
            'status 400',
            status,
            answer,
          );
          if (status !== 400) run.expect.warn(`introspection without a token answers ${status} instead of 400`);
        },
      });
      await refuse('without token', () => null);
    },
  }),

  check({
    id: 'INTRO-016',
    level: 'MUST-RFC',
    sentence: 'A call with an expired or revoked bearer token gets 401.',
    source: '4.1',
    needs: ['introspect', 'clock'],
    phase: 'clock',
    judge: async (run) => {
      const time = await timeline(run);
      const method = await anyIntrospection(run);
      const role = userRoles(run)[0];
      const subject = await fresh(run, method.role);
      const holder = (['operations', 'service', 'service_account', 'confidential'] as const).find((one) =>
        run.facts.target.clients[one]?.scopes.includes('oauth:introspect'),
      );
      const asked = (bearer: string): Promise<Answer> =>
        run.oauth.introspect([['token', subject.access]], { token: bearer });
      const alive = await asked((await run.oauth.credential('oauth:introspect')).access);
      if (alive.status === 400 || alive.status === 401)
        run.expect.notExercised('introspection takes no bearer token alone, not even one that works (INTRO-002)');
      const refusedWith401 = async (bearer: string): Promise<void> => {
        const answer = await asked(bearer);
        run.expect.status(answer, 401);
        run.expect.that(member(answer.json, 'active') === undefined, 'no word about the token', answer.json, answer);
      };
      const ends = holder && (await attempt(() => revocation(run, holder), [MissingCapability])).value;
      if (holder !== undefined && ends?.works) {
        const { access } = await run.oauth.spareCredentials(holder, { scopes: ['oauth:introspect'] });
        const ended = await ends.ask(access);
        if (ended.status !== 200)
          throw new PrerequisiteFailed(`the revocation of a token was answered ${ended.status}`);
        await refusedWith401(access);
      }
      if (role === undefined) return;
      // Whether it would have had the scope is asked after whether it works at all (K-129).
      const able = run.oauth.client(role).scopes.includes('oauth:introspect')
        ? (['oauth:introspect'] as const)
        : undefined;
      const caller = await fresh(run, role, able ? { scopes: able } : {});
      const by = await time.now();
      await after(time, by + deadAge(role));
      await refusedWith401(caller.access);
    },
  }),

  observation({
    id: 'INTRO-020',
    sentence:
      'What introspection does with GET, JSON bodies, tokens of other clients and refresh tokens is not stated.',
    source: '4.1',
    gap: 'K-090',
    needs: ['introspect'],
    observe: async (run, note) => {
      const method = await anyIntrospection(run);
      const { access, refresh } = await fresh(run, method.role);
      const said = (answer: Answer): string =>
        `status ${answer.status}, active ${String(member(answer.json, 'active'))}`;
      const token = method.bearer;
      const get = await run.oauth.request('GET', '/oauth/token/introspect', { query: [['token', access]], token });
      note(`Introspection by GET: ${said(get)}`);
      const json = await run.oauth.introspect([['token', access]], {
        token,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ token: access }),
      });
      note(`Introspection with a JSON body: ${said(json)}`);
      if (refresh !== undefined) note(`Introspection of a refresh token: ${said(await method.ask(refresh))}`);
      const others = (['confidential', 'public', 'service'] as const).filter((role) => run.facts.target.clients[role]);
      for (const role of others) {
        if (role !== 'service' && !userRoles(run).includes(role)) continue;
        note(
          `Introspection of a token of client ${role}: ${(await introspection(run, role)).works ? 'active' : 'not shown'}`,
        );
      }
    },
  }),
];
