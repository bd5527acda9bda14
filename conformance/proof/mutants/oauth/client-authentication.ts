import { mutants } from '../../mutant.js';
import {
  acceptSecret,
  clientOf,
  codeOf,
  formField,
  formReply,
  grantTypeIs,
  isCredentials,
} from '../../operators/oauth.js';
import { isPublic, isRefresh, refuseForm, renameError, usedBasic } from '../../operators/oauth.js';
import { rawReply } from '../../operators/replies.js';

export const clientAuthentication = mutants({
  'AUTH-CODE-020': {
    'M-AZ-54': [
      'the secret is compared without regard to case',
      acceptSecret((given, secret) => given.toLowerCase() === secret.toLowerCase()),
      { also: ['TOK-CC-006'] },
    ],
    'M-AZ-54-prefix': [
      'the secret is compared by its beginning',
      acceptSecret((given, secret) => given.startsWith(secret)),
      { also: ['TOK-CC-006'] },
    ],
  },
  'AUTH-CODE-021': {
    'M-AZ-55': [
      'a public client has to send a secret',
      refuseForm(
        'issueToken',
        (form, at) => isPublic(form, at) && grantTypeIs('authorization_code')(form) && !form.has('client_secret'),
        'invalid_client',
      ),
    ],
  },
  'AUTH-CODE-022': {
    'M-AD-18': [
      'client_id is optional in the exchange, and taken from the code',
      formField('issueToken', 'client_id', (id, form, at) => id || (codeOf(form, at)?.grant.clientId ?? id)),
    ],
  },
  'AUTH-CODE-023': {
    '': [
      'an unknown client_id is invalid_grant',
      renameError('issueToken', 'invalid_client', 'invalid_grant', (form, at) => !clientOf(form, at)),
    ],
  },
  'TOK-ERR-005': {
    'M-AD-24': [
      'a confidential client may leave its secret out, or empty',
      acceptSecret((given, _secret, _form, request) => given === '' && !usedBasic(request)),
      { also: ['AUTH-CODE-019'] },
    ],
  },
  'TOK-ERR-011': {
    'M-AD-25': [
      'a failed Basic login is answered 400 without WWW-Authenticate',
      rawReply('issueToken', (reply, request) => {
        if (reply.status !== 401 || !usedBasic(request)) return;
        reply.status = 400;
        delete reply.headers['www-authenticate'];
      }),
    ],
  },
  'TOK-CC-005': {
    '': [
      'client_credentials needs no secret',
      acceptSecret(
        (given, _, form, { headers }) => given === '' && isCredentials(form) && headers.authorization === undefined,
      ),
    ],
  },
  'TOK-REFRESH-011': {
    'M-RL-09': [
      'a confidential client refreshes without its secret',
      acceptSecret(
        (given, _, form, { headers }) => given === '' && isRefresh(form) && headers.authorization === undefined,
      ),
    ],
  },
  'TOK-REFRESH-012': {
    'M-RL-10': [
      'a public client has to send a secret to refresh',
      refuseForm(
        'issueToken',
        (form, at) => isPublic(form, at) && isRefresh(form) && !form.has('client_secret'),
        'invalid_client',
      ),
    ],
  },
  'TOK-REFRESH-023': {
    'M-RL-20': [
      'a failed client authentication uses the refresh token up',
      formReply('issueToken', (body, _, { form }, at) => {
        const text = form.get('refresh_token');
        if (body.error !== 'invalid_client' || text === null) return;
        at.acted();
        at.service.authority.store.endToken(text, 'used');
      }),
    ],
  },
});
