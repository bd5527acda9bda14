import { check } from '../../engine/check.js';
import type { DefinedCheck } from '../../engine/check.js';
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
export const tokenErrorCodes: readonly DefinedCheck[] = [
  check({
    id: 'TOK-ERR-015',
    level: 'MUST-RFC',
    sentence:
      'A code or refresh token that is unknown, expired, revoked, used or of another client is refused with invalid_grant, as is a redirect_uri or code_verifier that does not match (RFC 6749 5.2, RFC 7636 4.6).',
    source: '4.1,5.1,7',
    needs: [['client:confidential', 'client:public'], 'consent'],
    judge: async (run) => {
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
    },
  }),

  check({
    id: 'TOK-ERR-016',
    level: 'MUST-RFC',
    sentence:
      'Client authentication that fails is refused with invalid_client: an unknown client, a wrong secret, none where there is one (RFC 6749 5.2).',
    source: '4.1,5.1,7',
    gap: 'K-080',
    needs: [
      ['client:confidential', 'client:service'],
      ['consent', 'client:service'],
    ],
    judge: async (run) => {
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
    },
  }),

  check({
    id: 'TOK-ERR-017',
    level: 'MUST-RFC',
    sentence:
      'A token request that lacks a required parameter, or has one twice, is refused with invalid_request (RFC 6749 5.2).',
    source: '4.1,5.1,7',
    needs: ['client:confidential', 'consent'],
    judge: (run) =>
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
  }),

  check({
    id: 'TOK-ERR-018',
    level: 'MUST-RFC',
    sentence: 'A token request that is refused for its scope is refused with invalid_scope (RFC 6749 5.2).',
    source: '4.1,5.1,7',
    gap: 'K-083',
    needs: ['client:service'],
    judge: (run) => {
      const send = (): Promise<Answer> =>
        run.oauth.tokenRequest(credentialFields(run, 'service', 'service:cx_unknown'));
      return each(run, ['invalid_scope'], [{ what: 'an unknown scope', send }]);
    },
  }),

  check({
    id: 'TOK-ERR-019',
    level: 'MUST-RFC',
    sentence:
      'A client that may not use a grant type is refused with unauthorized_client, or with the error of what its request lacks besides (RFC 6749 5.2).',
    source: '4.1,5.1,7',
    needs: ['client:public'],
    judge: (run) => {
      const send = (): Promise<Answer> => run.oauth.tokenRequest(credentialFields(run, 'public', 'service:leagues'));
      const errors = ['unauthorized_client', 'invalid_client', 'invalid_request', 'invalid_scope'];
      return each(run, errors, [{ what: 'client_credentials of a public client', send }]);
    },
  }),
];
