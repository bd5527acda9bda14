import { mutants, operator } from '../../mutant.js';
import { acceptSecret, clientOf, codeOf, formReply, grantTypeIs, isPublic } from '../../operators/oauth.js';
import { mapField, refuseForm, usedBasic } from '../../operators/oauth.js';
import type { GrantType } from '../../operators/oauth.js';
import { rawReply } from '../../operators/replies.js';

/** Public clients that have to send a secret for a grant type. */
const demandSecret = operator('demandSecret', (at, type: GrantType) =>
  refuseForm(
    'issueToken',
    (form) => isPublic(form, at) && grantTypeIs(type)(form) && !form.has('client_secret'),
    'invalid_client',
  ),
);

/** Confidential clients that need not send their secret for a grant type. */
const spareSecret = operator('spareSecret', (_, type: GrantType) =>
  acceptSecret(
    (given, _, form, { headers }) => given === '' && grantTypeIs(type)(form) && headers.authorization === undefined,
  ),
);

/** Secrets that are compared, for a grant type, without the spaces at their ends. */
const trimSecret = operator('trimSecret', (_, type: GrantType) =>
  acceptSecret((given, secret, form) => grantTypeIs(type)(form) && given.trim() === secret.trim()),
);

export const clientAuthentication = mutants({
  'AUTH-CODE-020 M-AZ-54: the secret is compared without regard to case': () =>
    acceptSecret((given, secret) => given.toLowerCase() === secret.toLowerCase()).also('TOK-CC-006'),
  'AUTH-CODE-020 M-AZ-54-prefix: the secret is compared by its beginning': () =>
    acceptSecret((given, secret) => given.startsWith(secret)).also('TOK-CC-006'),
  'AUTH-CODE-020 space: spaces at the ends of a secret are cut off in an exchange': () =>
    trimSecret('authorization_code'),
  'AUTH-CODE-020 long: only the first characters of a long secret count': () =>
    acceptSecret((given, secret, _form, _request, at) => {
      const clients = [...at.service.authority.clients.values()].filter((one) => one.redirectUris.length > 0);
      const length = Math.max(...clients.map((one) => one.secret?.length ?? 0)) - 1;
      return secret.length > length && given.slice(0, length) === secret.slice(0, length);
    }),
  'TOK-CC-006 trim: spaces at the ends of a secret are cut off for client credentials': () =>
    trimSecret('client_credentials'),
  'AUTH-CODE-021 M-AZ-55: a public client has to send a secret': () => demandSecret('authorization_code'),
  'AUTH-CODE-022 M-AD-18: client_id is optional in the exchange, and taken from the code': () =>
    mapField('issueToken', 'client_id', (id, form, at) => id || (codeOf(form, at)?.grant.clientId ?? id)),
  'AUTH-CODE-023: an unknown client_id is taken for the client of the code': () =>
    mapField('issueToken', 'client_id', (id, form, at) =>
      id && !clientOf(form, at) ? (codeOf(form, at)?.grant.clientId ?? id) : id,
    ),
  'AUTH-CODE-019 M-AD-24: a confidential client may leave its secret out, or empty': () =>
    acceptSecret((given, _secret, _form, request) => given === '' && !usedBasic(request)).also(
      'TOK-CC-005',
      'TOK-REFRESH-011',
    ),
  'TOK-ERR-011 M-AD-25: a failed Basic login is answered 400 without WWW-Authenticate': () =>
    rawReply('issueToken', (reply, request) => {
      if (reply.status !== 401 || !usedBasic(request)) return;
      reply.status = 400;
      delete reply.headers['www-authenticate'];
    }),
  'TOK-CC-005: client_credentials needs no secret': () => spareSecret('client_credentials'),
  'TOK-REFRESH-011 M-RL-09: a confidential client refreshes without its secret': () => spareSecret('refresh_token'),
  'TOK-REFRESH-012 M-RL-10: a public client has to send a secret to refresh': () => demandSecret('refresh_token'),
  'TOK-REFRESH-023 M-RL-20: a failed client authentication uses the refresh token up': () =>
    formReply('issueToken', (body, _, { form }, at) => {
      const text = form.get('refresh_token');
      if (body.error !== 'invalid_client' || text === null) return;
      at.acted();
      at.service.authority.store.endToken(text, 'used');
    }),
});
