import fc from 'fast-check';

import { check, group } from '../../engine/check.js';
import type { DefinedCheck } from '../../engine/check.js';
import type { Fields, Grant, Run } from '../../engine/run.js';
import { attempt, MissingCapability, PrerequisiteFailed } from '../../verdict.js';
import type { Undecided } from '../../verdict.js';
import { gWord } from '../../generators/data.js';
import { assumeWorking, fresh, refreshable, spare, userRoles, works } from '../../model/probe.js';
import type { Refreshable } from '../../model/probe.js';
import { anyRevocation, revocation, revocationOf, eachUnknownToken } from '../../model/authentication-methods.js';
import type { AuthenticationMethod } from '../../model/authentication-methods.js';
import { member } from '../../wire/answer.js';
import { after, timeline } from '../../model/timeline.js';
import { deadAge } from './refresh-life.js';
import { revokeAccessChecks } from './revoke-access.js';
import { refusedAs } from './token-errors.js';

/** The endpoint says that the token is good for nothing now, and so it is. */
async function ends(run: Run, method: AuthenticationMethod, grant: Grant, more: Fields = []): Promise<void> {
  run.expect.status(await method.ask(grant.access, more), 200);
  await run.expect.dead(grant.access, grant.scopes);
}

async function endsRefresh(
  run: Run,
  method: AuthenticationMethod,
  { role, refresh }: Refreshable,
  more: Fields = [],
): Promise<void> {
  run.expect.status(await method.ask(refresh, more), 200);
  refusedAs(run, ['invalid_grant'])(await run.oauth.refresh(role, refresh));
}

/** A fresh grant whose access token works. */
async function live(run: Run, role: AuthenticationMethod['role']): Promise<Grant> {
  const grant = await spare(run, role);
  await assumeWorking(run, grant);
  return grant;
}

const hint = (value: string): Fields => [['token_type_hint', value]];

const effects: readonly DefinedCheck[] = [
  check({
    id: 'REV-003',
    level: 'MUST',
    sentence: 'Revoking a valid access token answers 200, and requests with the token are refused from then on.',
    source: '3,4.1',
    needs: ['revoke'],
    judge: async (run) => {
      const method = await anyRevocation(run);
      await ends(run, method, await live(run, method.role));
      const grant = await live(run, method.role);
      if (grant.refresh !== undefined) await ends(run, method, await run.oauth.refreshed(grant));
    },
  }),

  check({
    id: 'REV-004',
    level: 'MUST-RFC',
    sentence: 'Revoking a valid refresh token answers 200, and it can no longer be exchanged (RFC 7009 2).',
    source: '4.1',
    needs: ['refresh:confidential', 'consent', 'revoke'],
    judge: async (run) => {
      const method = await revocationOf(run, 'confidential');
      await endsRefresh(run, method, await refreshable(run, 'confidential'));
      const next = await run.oauth.refreshed(await refreshable(run, 'confidential'));
      if (next.refresh !== undefined) await endsRefresh(run, method, { ...next, refresh: next.refresh });
    },
  }),

  check({
    id: 'REV-005',
    level: 'MUST-RFC',
    sentence: 'Revoking an unknown token answers 200 (RFC 7009 2.2).',
    source: '4.1',
    needs: ['revoke'],
    judge: async (run) => {
      const method = await anyRevocation(run);
      const grant = await live(run, method.role);
      const unknown = async (text: string): Promise<void> => run.expect.status(await method.ask(text), 200);
      await eachUnknownToken(run, grant, { share: 0.2 }, unknown);
      // A hint changes nothing in this: the search goes on among the tokens of other types (RFC 7009 2.1).
      for (const word of ['access_token', 'refresh_token'])
        run.expect.status(await method.ask('cx-was-never-issued', hint(word)), 200);
      // None of these is the token itself.
      await run.expect.alive(grant.access, grant.scopes);
    },
  }),

  check({
    id: 'REV-006',
    level: 'MUST-RFC',
    sentence: 'Revoking a token again answers 200 again.',
    source: '4.1',
    needs: ['revoke'],
    judge: async (run) => {
      const method = await anyRevocation(run);
      const grant = await live(run, method.role);
      for (const time of ['first', 'second', 'third']) {
        const answer = await method.ask(grant.access);
        if (time === 'first' && answer.status !== 200)
          throw new PrerequisiteFailed(`a revocation answered ${answer.status}`);
        run.expect.status(answer, 200);
      }
      await run.expect.dead(grant.access, grant.scopes);
      if (grant.refresh === undefined) return;
      // A refresh token that was used, and one that was revoked: invalid tokens are no error (RFC 7009 2.2).
      const used = await refreshable(run, method.role);
      await run.oauth.refreshed(used);
      const revoked = await refreshable(run, method.role);
      await method.ask(revoked.refresh);
      for (const { refresh } of [used, revoked]) run.expect.status(await method.ask(refresh), 200);
    },
  }),

  check({
    id: 'REV-018',
    level: 'MUST-RFC',
    sentence: 'Revoking an expired token answers 200 (RFC 7009 2.2).',
    source: '4.1',
    needs: ['revoke', 'clock'],
    phase: 'clock',
    judge: async (run) => {
      const time = await timeline(run);
      for (const role of userRoles(run)) {
        const method = await revocation(run, role);
        if (!method.works) continue;
        const grant = await live(run, role);
        await after(time, (await time.now()) + deadAge(role));
        if (await works(run, grant.access, grant.scopes)) throw new PrerequisiteFailed('the token does not expire');
        // What the endpoint is asked with may have expired as well.
        const other = await method.ask('cx-was-never-issued');
        if (other.status !== 200) throw new PrerequisiteFailed(`a token never issued is answered ${other.status}`);
        return run.expect.status(await method.ask(grant.access), 200);
      }
      run.expect.notExercised('no token that expires can be revoked');
    },
  }),

  check({
    id: 'REV-007',
    level: 'MUST-RFC',
    sentence:
      'A wrong token_type_hint does not stop the revocation: the search goes on through all types (RFC 7009 2.1).',
    source: '4.1',
    needs: ['refresh:confidential', 'consent', 'revoke'],
    judge: async (run) => {
      const method = await revocationOf(run, 'confidential');
      await ends(run, method, await fresh(run, 'confidential'), hint('refresh_token'));
      await endsRefresh(run, method, await refreshable(run, 'confidential'), hint('access_token'));
      await ends(run, method, await fresh(run, 'confidential'), hint('access_token'));
      await endsRefresh(run, method, await refreshable(run, 'confidential'), hint('refresh_token'));
    },
  }),

  check({
    id: 'REV-008',
    level: 'SHOULD-RFC',
    sentence: 'A token_type_hint that the server does not know is ignored.',
    source: '4.1',
    needs: ['revoke'],
    judge: async (run) => {
      const method = await anyRevocation(run);
      await run.expect.property(
        'a hint that is no type of token',
        fc.oneof(gWord(['access_token', 'refresh_token']), fc.constantFrom('pat', 'id_token', 'Access_Token')),
        { share: 0.06 },
        async (word) => {
          const grant = await spare(run, method.role);
          const answer = await method.ask(grant.access, hint(word));
          // RFC 7009 2.2 has it ignored, and 2.2.1 has this error, for tokens of a type that cannot be revoked.
          if (answer.status === 400 && member(answer.json, 'error') === 'unsupported_token_type') {
            return run.expect.warn('a token_type_hint that is not known is refused with unsupported_token_type');
          }
          run.expect.status(answer, 200);
          await run.expect.dead(grant.access, grant.scopes);
        },
      );
    },
  }),

  check({
    id: 'REV-009',
    level: 'MUST-RFC',
    sentence: 'A revocation without `token` is refused with 400 and invalid_request.',
    source: '4.1',
    needs: ['revoke'],
    judge: async (run) => {
      const method = await anyRevocation(run);
      const refuse = await run.expect.negative<Fields>({
        valid: async () => [['token', (await spare(run, method.role)).access]],
        send: (fields) => method.send(fields),
        refused: (answer) => {
          run.expect.status(answer, 400);
          // That there is an error in text is REV-015.
          const error = member(answer.json, 'error');
          if (typeof error === 'string') run.expect.equal(error, 'invalid_request', 'error', answer);
        },
      });
      await refuse('without token', () => []);
      await refuse('with a hint alone', () => hint('access_token'));
      // No RFC has an empty value treated as left out here: it is a token that was never issued as well (RFC 7009 2.2).
      run.expect.status(await method.send([['token', '']]), 400, 200);
    },
  }),

  check({
    id: 'REV-011',
    level: 'SHOULD-RFC',
    sentence: 'Revoking a refresh token also ends the access tokens of the same grant (RFC 7009 2.1).',
    source: '4.1',
    gap: 'K-089',
    needs: ['refresh:confidential', 'consent', 'revoke'],
    judge: async (run) => {
      const method = await revocationOf(run, 'confidential');
      const grant = await refreshable(run, 'confidential');
      await endRefresh(method, grant);
      const alive = await works(run, grant.access, grant.scopes);
      run.expect.that(true, 'the access token dead, or alive', alive);
      if (alive)
        run.expect.warn('the access token of a revoked refresh token still works (RFC 7009 2.1: SHOULD, K-089)');
    },
  }),

  check({
    id: 'REV-012',
    level: 'MAY',
    sentence: 'Revoking an access token may end the refresh token of its grant.',
    source: '4.1',
    gap: 'K-089',
    needs: ['refresh:confidential', 'consent', 'revoke'],
    judge: async (run) => {
      const method = await revocationOf(run, 'confidential');
      const grant = await refreshable(run, 'confidential');
      await method.ask(grant.access);
      if (await works(run, grant.access, grant.scopes))
        throw new PrerequisiteFailed('the access token was not revoked');
      const { status } = await run.oauth.refresh('confidential', grant.refresh);
      run.expect.note(
        `Revoking an access token ${status === 200 ? 'leaves the refresh token alive' : 'ends the refresh token too'}`,
      );
    },
  }),

  check({
    id: 'REV-013',
    level: 'INFER',
    sentence: 'Other grants of the same user and client are untouched by a revocation.',
    source: '3',
    entailed: '3: a revocation ends the token, and its own grant at most (RFC 7009 2.1)',
    needs: ['revoke'],
    judge: async (run) => {
      const method = await anyRevocation(run);
      const bystanders: Grant[] = [await live(run, method.role)];
      for (const role of userRoles(run).filter((one) => one === 'public' || one === 'confidential_other')) {
        bystanders.push(await live(run, role));
      }
      if (run.facts.target.clients.service) bystanders.push(await run.oauth.clientCredentials('service'));
      if (bystanders[0]!.account !== null && run.oauth.accounts().includes('bob')) {
        bystanders.push(await fresh(run, method.role, { account: 'bob' }));
      }
      const victim = await live(run, method.role);
      await method.ask(victim.access);
      if (await works(run, victim.access, victim.scopes)) throw new PrerequisiteFailed('the token was not revoked');
      if (victim.refresh !== undefined) await method.ask(victim.refresh);
      await run.expect.each(
        ({ role, account }) => `another grant of ${account ?? 'the owner'} for client ${role}`,
        bystanders,
        async (grant) => {
          await run.expect.alive(grant.access, grant.scopes);
          if (grant.refresh === undefined) return;
          run.expect.status(await run.oauth.refresh(grant.role, grant.refresh), '2xx');
        },
      );
    },
  }),

  check({
    id: 'REV-017',
    level: 'INFER',
    sentence: 'Client-credentials tokens can be revoked at this endpoint too.',
    source: '3',
    entailed: '3, 4.1: an access token ends by revocation there, and none is excepted',
    needs: ['client:service', 'revoke'],
    judge: async (run) => {
      let first: Undecided | undefined;
      for (const role of ['service', 'service_account', 'operations'] as const) {
        if (!run.facts.target.clients[role]) continue;
        // A client may be let revoke its own tokens only (RFC 7009 2.1), and need not have a scope for that.
        const own = async () => ends(run, await revocationOf(run, role), await live(run, role));
        const { undecided } = await attempt(own, [MissingCapability, PrerequisiteFailed]);
        if (!undecided) return;
        first ??= undecided;
      }
      throw first ?? new MissingCapability('a client that uses client_credentials');
    },
  }),
];

async function endRefresh(method: AuthenticationMethod, { role, refresh }: Refreshable): Promise<void> {
  await method.ask(refresh);
  // Whether it is dead is asked after the access token was: a refresh would change that.
  if (!method.works)
    throw new PrerequisiteFailed(`no method was found to revoke tokens of client ${role}: ${method.said}`);
}

/** Revocation (interface 3, 4.1; RFC 7009). */
export default group('oauth/revoke', [...revokeAccessChecks, ...effects]);
