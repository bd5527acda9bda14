import type { Json } from '../../interceptor/interceptor.js';
import { answerOf } from '../../interceptor/interceptor.js';
import { bearerOf } from '../../interceptor/who.js';
import { intercept, mutants } from '../../mutant.js';
import { form, isCredentials, isPublic } from '../../operators/oauth.js';
import { mapMember, refusal } from '../../operators/oauth.js';
import { foundToken, keptToken } from '../../operators/tokens.js';
import { refuse } from '../../operators/requests.js';

const day = 86_400_000;

/** Whether a request is the application's withdrawal on the settings page. */
const isWithdrawal = ({ path, json }: { readonly path: string; readonly json: unknown }): boolean =>
  path === '/__control/revocations' && (json as Json | undefined)?.by === 'application';

export const clientCredentials = mutants({
  'TOK-CC-002 M-CC-04: the response of client credentials has a refresh token': () =>
    mapMember('issueToken', 'refresh_token', (token, body, sent, { service }) =>
      isCredentials(sent) && body.access_token ? service.authority.newToken() : token,
    ),
  'TOK-CC-003 M-CC-03: a client-credentials token expires after 28 days': () =>
    keptToken(({ grant, issuedAt }) =>
      grant.kind === 'client_credentials' ? { expiresAt: issuedAt + 28 * day } : null,
    ),
  'TOK-CC-004 M-CC-01: a public client can use client_credentials': () =>
    form('issueToken', (sent, at) => {
      const other = at.service.authority.clients.get('example-service-account');
      if (!isCredentials(sent) || !isPublic(sent, at) || !other?.secret) return;
      sent.set('client_id', other.id);
      sent.set('client_secret', other.secret);
    }),
  'TOK-CC-007 M-AD-27: only one service scope of a token is honoured': () =>
    keptToken(({ grant, scopes }) => (grant.kind === 'client_credentials' ? { scopes: scopes.slice(0, 1) } : null)),
  'TOK-CC-010: a client-credentials token is of the client itself': () =>
    mapMember('issueToken', 'username', (name, body, sent) =>
      body.access_token && isCredentials(sent) ? sent.get('client_id') : name,
    ),
  "TOK-CC-011 M-CC-06: the owner's data cannot be reached with a client-credentials token": () =>
    refuse(
      ['getProfile', 'listCharacters'],
      ({ headers }, at) => at.service.authority.store.findToken(bearerOf(headers))?.grant.kind === 'client_credentials',
      404,
    ),
  'TOK-CC-012 M-CC-07: a client-credentials token cannot be revoked on the settings page': () =>
    intercept((at) => at.request((request) => (isWithdrawal(request) ? answerOf(204, undefined) : undefined))),
  'LIFE-013 M-AD-36: a client-credentials token ends when the clock goes on by more than 2^31 ms': () =>
    foundToken(({ grant, issuedAt }, at) =>
      grant.kind === 'client_credentials' && at.service.authority.now() - issuedAt > 2 ** 31
        ? { expiresAt: issuedAt }
        : null,
    ),
  'LIFE-007 M-AD-32: the revocation on the settings page only keeps new tokens from being made': () =>
    intercept((at) => {
      const blocked = new Set<string>();
      at.request((request) => {
        if (!isWithdrawal(request)) return undefined;
        blocked.add(String((request.json as Json).client_id));
        return answerOf(204, undefined);
      });
      at.form('issueToken', (sent) =>
        isCredentials(sent) && blocked.has(sent.get('client_id') ?? '') ? refusal('unauthorized_client') : undefined,
      );
    }),
});
