import fc from 'fast-check';

import { check, observation } from '../../engine/check.js';
import type { DefinedCheck } from '../../engine/check.js';
import type { AuthorizationRequest, Fields, Redirect, Run } from '../../engine/run.js';
import { delicateStates, gState } from '../../generators/oauth.js';
import type { Role } from '../../target/target.js';
import { anyRole, approved, omit, put, reached, refusing, thatSent } from './outcome.js';

/** A reason for which a request is sent back to the client without a code (RFC 6749 4.1.2.1). */
interface ErrorCause {
  readonly what: string;
  readonly change: (fields: Fields) => Fields;
  readonly deny?: boolean;
}

const causes: readonly ErrorCause[] = [
  { what: 'the user denies', change: (fields) => fields, deny: true },
  { what: 'response_type=token', change: put('response_type', 'token') },
  { what: 'an unknown scope alone', change: put('scope', 'account:cx_unknown') },
  { what: 'no scope', change: omit('scope') },
  { what: 'no code_challenge', change: omit('code_challenge') },
  { what: 'code_challenge_method=plain', change: put('code_challenge_method', 'plain') },
];

/** The state of an error that came back to the client; whether it must come back is not judged here. */
function returned(run: Run, redirect: Redirect, { redirect_uri, state }: AuthorizationRequest): void {
  if (redirect.error === null || !reached(redirect, redirect_uri)) return;
  run.expect.equal(redirect.query.get('state'), state, 'state in the query of the redirect');
}

const failed = async (run: Run, role: Role, state: string, { change, deny }: ErrorCause): Promise<void> => {
  const request = run.oauth.authorizationRequest(role, { state });
  returned(run, await run.oauth.authorize(change(request.fields), deny ? { decision: 'deny' } : {}), request);
};

/** AUTH-STATE: the state comes back as it was (interface 4.1, 5.5, RFC 6749 4.1.2). */
export const stateChecks: readonly DefinedCheck[] = [
  check({
    id: 'AUTH-STATE-001',
    level: 'MUST',
    sentence: '`state` is returned unchanged on success.',
    source: '4.1,5.5',
    needs: [['client:confidential', 'client:public'], 'consent'],
    judge: async (run) => {
      const role = anyRole(run);
      const held = async (state: string): Promise<void> => {
        const request = run.oauth.authorizationRequest(role, { state });
        approved(run, await run.oauth.authorize(request.fields), request);
      };
      await run.expect.each('state %j', delicateStates, held);
      await run.expect.property('any state', gState, { share: 0.2 }, held);
    },
  }),

  check({
    id: 'AUTH-STATE-002',
    level: 'MUST-RFC',
    sentence: '`state` is returned unchanged on redirected errors.',
    source: '4.1',
    needs: [['client:confidential', 'client:public'], 'consent'],
    judge: async (run) => {
      const role = anyRole(run);
      const possible = causes.filter(({ deny }) => !deny || run.facts.target.consent !== 'auto');
      await run.expect.each('$what', possible, (cause) =>
        failed(run, role, delicateStates[possible.indexOf(cause) % delicateStates.length]!, cause),
      );
      await run.expect.property(
        'any state, whatever is wrong',
        fc.record({ state: gState, cause: fc.nat({ max: possible.length - 1 }) }),
        { share: 0.15 },
        ({ state, cause }) => failed(run, role, state, possible[cause]!),
      );
    },
  }),

  observation({
    id: 'AUTH-STATE-004',
    sentence: 'A state with non-ASCII characters or of more than 1 KiB may be refused or returned.',
    source: '4.1',
    needs: [['client:confidential', 'client:public'], 'consent'],
    observe: async (run, note) => {
      const role = anyRole(run);
      for (const { what, state } of [
        { what: 'A state with non-ASCII characters', state: 'ключ-漢字-😀' },
        { what: 'A state of 2,000 characters', state: 'state-long'.repeat(200) },
      ]) {
        const redirect = await run.oauth.authorize(run.oauth.authorizationRequest(role, { state }).fields);
        const got = redirect.query.get('state');
        const came = got === state ? 'came back unchanged' : got === null ? 'did not come back' : 'came back changed';
        const then = redirect.code !== null ? 'with a code' : (redirect.error ?? `status ${redirect.status}`);
        note(`${what} ${came}, ${then}.`);
      }
    },
  }),
];

/** AUTH-DENY: what a user's no leads to (interface 4.1, 7). */
export const denyChecks: readonly DefinedCheck[] = [
  check({
    id: 'AUTH-DENY-001',
    level: 'MUST',
    sentence: 'When the user denies, the redirect carries error=access_denied and no code.',
    source: '4.1,7',
    needs: [['client:confidential', 'client:public'], 'consent', 'deny'],
    judge: async (run) => {
      // As a control, the same request can be approved.
      await refusing(run, anyRole(run));
      for (const state of ['as it was', delicateStates[1]!]) {
        const request = run.oauth.authorizationRequest(anyRole(run), { state });
        const redirect = await run.oauth.authorize(request.fields, { decision: 'deny' });
        thatSent(run, redirect, redirect.code === null, 'no code');
        thatSent(run, redirect, reached(redirect, request.redirect_uri), `a redirect to ${request.redirect_uri}`);
        run.expect.equal(redirect.error, 'access_denied', 'error');
      }
    },
  }),
];
