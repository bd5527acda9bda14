import { mutants, operator } from '../../mutant.js';
import { clientOf, codeOf, isCredentials, isExchange, isPublic, isRefresh } from '../../operators/oauth.js';
import { refreshTokenOf, refuseAs } from '../../operators/oauth.js';
import type { SentForm } from '../../operators/oauth.js';
import type { Interceptor } from '../../interceptor/interceptor.js';
import { isExpired } from '../../operators/tokens.js';

/** Refusals of the token endpoint with one error, where `which` says so, that are told as another, or with another status. */
const told = operator(
  'told',
  (_, error: string, as: string | number, which: (sent: SentForm, at: Interceptor) => unknown = () => true) =>
    refuseAs('issueToken', as, (own, sent, at) => own === error && which(sent, at)),
);

export const errorCodes = mutants({
  'TOK-ERR-001 N-TOK-ERR-001-401: an unknown code has status 401': () =>
    told('invalid_grant', 401, (sent, at) => sent.has('code') && !codeOf(sent, at)).exercise('AUTH-CODE-016'),
  'TOK-ERR-001 N-TOK-ERR-001-404: an unknown refresh token has status 404': () =>
    told('invalid_grant', 404, isRefresh).exercise('TOK-REFRESH-017'),
  'TOK-ERR-001 N-TOK-ERR-001-forbidden: a wrong secret has status 403': () =>
    told('invalid_client', 403).exercise('AUTH-CODE-020'),
  'TOK-ERR-015: whatever is wrong with a grant is invalid_request': () => told('invalid_grant', 'invalid_request'),
  'TOK-ERR-015 used: a used code is invalid_request': () =>
    told('invalid_grant', 'invalid_request', (sent, at) => codeOf(sent, at)?.used),
  'TOK-ERR-015 expired: an expired code is invalid_request': () =>
    told('invalid_grant', 'invalid_request', (sent, at) => isExpired(codeOf(sent, at), at)).exercise('AUTH-CODE-003'),
  'TOK-ERR-015 refresh: an unknown refresh token is invalid_request': () =>
    told('invalid_grant', 'invalid_request', (sent, at) => isRefresh(sent) && !refreshTokenOf(sent, at)),
  'TOK-ERR-015 expired-refresh: an expired refresh token is invalid_request': () =>
    told('invalid_grant', 'invalid_request', (sent, at) => isExpired(refreshTokenOf(sent, at), at)).exercise(
      'TOK-REFRESH-009',
    ),
  'TOK-ERR-015 foreign: a refresh token of another client is invalid_client': () =>
    told('invalid_grant', 'invalid_client', (sent, at) => {
      const token = refreshTokenOf(sent, at);
      return token && token.grant.clientId !== sent.get('client_id');
    }).exercise('TOK-REFRESH-010'),
  'TOK-ERR-016 N-TOK-ERR-001-client: a wrong secret is invalid_grant': () => told('invalid_client', 'invalid_grant'),
  'TOK-ERR-016 unknown: an unknown client_id is invalid_grant': () =>
    told('invalid_client', 'invalid_grant', (sent, at) => sent.get('client_id') && !clientOf(sent, at)),
  'TOK-ERR-016 refresh: a wrong secret in a refresh is unauthorized_client': () =>
    told('invalid_client', 'unauthorized_client', isRefresh).exercise('TOK-REFRESH-011'),
  'TOK-ERR-017: an exchange without a code is invalid_grant': () =>
    told('invalid_request', 'invalid_grant', (sent) => isExchange(sent) && !sent.get('code')),
  'TOK-ERR-017 twice: a field that is sent twice is invalid_grant': () =>
    told('invalid_request', 'invalid_grant', (sent) => new Set(sent.keys()).size < sent.size).exercise('TOK-ERR-004'),
  'TOK-ERR-018: an unknown scope is invalid_request': () => told('invalid_scope', 'invalid_request'),
  'TOK-ERR-019: client_credentials of a public client are invalid_grant': () =>
    refuseAs(
      'issueToken',
      'invalid_grant',
      (_, sent, at) => isCredentials(sent) && isPublic(sent, at) && sent.get('scope') !== null,
    ),
});
