import { check } from '../../engine/check.js';
import type { Check } from '../../engine/check.js';
import type { Fields, Run } from '../../engine/run.js';
import { refreshable } from '../../model/probe.js';
import type { Answer } from '../../wire/answer.js';
import { anyRole, omit, put } from './outcome.js';
import { credentialFields } from './client-credentials-refused.js';
import { serviceFields, thatCode } from './token-errors.js';

/** A request that is refused for a reason, and what its error should be. */
interface Refused {
  readonly what: string;
  readonly send: () => Promise<Answer>;
  readonly errors?: readonly string[];
}

const each = (run: Run, errors: readonly string[], cases: readonly Refused[]): Promise<void> =>
  run.expect.each('$what', cases, async ({ send, errors: own = errors }) => thatCode(run, own)(await send()));

/** An exchange with one thing changed. */
function exchange(run: Run, what: string, change: (fields: Fields) => Fields): Refused {
  const send = async (): Promise<Answer> =>
    run.oauth.tokenRequest(change(run.oauth.exchangeFields(await run.oauth.code(anyRole(run)))));
  return { what, send };
}

/**
 * TOK-ERR-015 to -019: the code of an error is the one that RFC 6749 5.2 names for the situation. A few situations of each
 * are brought about here; the monitors of these rows judge those of all other checks too.
 */
export const tokenErrorCodes: readonly Check[] = [
  check('TOK-ERR-015', async (run) => {
    const used = async (): Promise<Answer> => {
      const code = await run.oauth.code(anyRole(run));
      await run.oauth.exchange(code);
      return run.oauth.exchange(code);
    };
    const usedRefresh = async (): Promise<Answer> => {
      const grant = await refreshable(run, 'confidential');
      await run.oauth.refreshed(grant);
      return run.oauth.refresh('confidential', grant.refresh);
    };
    const refreshes: readonly Refused[] = [
      { what: 'a refresh token that was used', send: usedRefresh },
      { what: 'an unknown refresh token', send: () => run.oauth.refresh('confidential', 'cx-was-never-issued') },
    ];
    await each(
      run,
      ['invalid_grant'],
      [
        { what: 'a code that was used', send: used },
        exchange(run, 'an unknown code', put('code', 'cx-was-never-issued')),
        exchange(run, 'a wrong verifier', put('code_verifier', 'a'.repeat(64))),
        exchange(run, 'another redirect_uri', put('redirect_uri', 'https://attacker.example/callback')),
        ...(run.facts.target.clients.confidential?.refresh ? refreshes : []),
      ],
    );
  }),

  check('TOK-ERR-016', async (run) => {
    const valid = async (): Promise<Fields> =>
      run.facts.target.clients.service
        ? serviceFields(run)
        : run.oauth.exchangeFields(await run.oauth.code('confidential'));
    const send = (change: (fields: Fields) => Fields) => async () => run.oauth.tokenRequest(change(await valid()));
    await each(
      run,
      ['invalid_client'],
      [
        { what: 'an unknown client', send: send(put('client_id', (id) => `${id}-unknown`)) },
        { what: 'a wrong secret', send: send(put('client_secret', (secret) => `${secret}-wrong`)) },
        // A required parameter is missing as well.
        { what: 'no secret', send: send(omit('client_secret')), errors: ['invalid_client', 'invalid_request'] },
      ],
    );
  }),

  check('TOK-ERR-017', (run) =>
    each(
      run,
      ['invalid_request'],
      [
        exchange(run, 'an exchange without code', omit('code')),
        exchange(run, 'an exchange with two codes', (fields) => [...fields, ['code', 'cx-other']]),
        {
          what: 'a refresh without refresh_token',
          send: () => run.oauth.tokenRequest(omit('refresh_token')(run.oauth.refreshFields('confidential', ''))),
        },
      ],
    ),
  ),

  check('TOK-ERR-018', (run) => {
    const send = (): Promise<Answer> => run.oauth.tokenRequest(credentialFields(run, 'service', 'service:cx_unknown'));
    return each(run, ['invalid_scope'], [{ what: 'an unknown scope', send }]);
  }),

  check('TOK-ERR-019', (run) => {
    const send = (): Promise<Answer> => run.oauth.tokenRequest(credentialFields(run, 'public', 'service:leagues'));
    const errors = ['unauthorized_client', 'invalid_client', 'invalid_request', 'invalid_scope'];
    return each(run, errors, [{ what: 'client_credentials of a public client', send }]);
  }),
];
