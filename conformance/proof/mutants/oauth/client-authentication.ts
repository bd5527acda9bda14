import type { OldMutant as Mutant } from '../../mutant.js';
import type { Interceptor } from '../../interceptor/interceptor.js';
import { answerOf } from '../../interceptor/interceptor.js';
import { usedBasic } from './planting.js';

/** A secret that is put right, if it is close enough to the registered one. */
const closeSecret =
  (isClose: (given: string, secret: string) => boolean) =>
  (seam: Interceptor): void =>
    seam.form('issueToken', (form) => {
      const given = form.get('client_secret') ?? '';
      const secret = seam.service.authority.clients.get(form.get('client_id') ?? '')?.secret;
      if (secret && given !== '' && isClose(given, secret)) form.set('client_secret', secret);
    });

export const clientAuthentication: readonly Mutant[] = [
  {
    id: 'M-AZ-54',
    bug: 'the secret is compared without regard to case',
    rows: ['AUTH-CODE-020', 'TOK-CC-006'],
    plant: closeSecret((given, secret) => given !== secret && given.toLowerCase() === secret.toLowerCase()),
  },
  {
    id: 'M-AZ-54-prefix',
    bug: 'the secret is compared by its beginning',
    rows: ['AUTH-CODE-020', 'TOK-CC-006'],
    plant: closeSecret((given, secret) => given !== secret && given.startsWith(secret)),
  },
  {
    id: 'M-AZ-55',
    bug: 'a public client has to send a secret',
    rows: ['AUTH-CODE-021'],
    plant: (seam) =>
      seam.form('issueToken', (form) => {
        const client = seam.service.authority.clients.get(form.get('client_id') ?? '');
        if (client?.type !== 'public' || form.get('grant_type') !== 'authorization_code' || form.has('client_secret'))
          return undefined;
        return answerOf(401, { error: 'invalid_client' }, { 'cache-control': 'no-store', pragma: 'no-cache' });
      }),
  },
  {
    id: 'M-AD-18',
    bug: 'client_id is optional in the exchange, and taken from the code',
    rows: ['AUTH-CODE-022'],
    plant: (seam) =>
      seam.form('issueToken', (form) => {
        const code = seam.service.authority.store.findCode(form.get('code') ?? '');
        if (code && !form.get('client_id')) form.set('client_id', code.grant.clientId);
      }),
  },
  {
    id: 'N-AUTH-CODE-023',
    bug: 'an unknown client_id is invalid_grant',
    rows: ['AUTH-CODE-023'],
    plant: (seam) =>
      seam.oauth('issueToken', (body, _, { form }) => {
        const known = seam.service.authority.clients.has(form.get('client_id') ?? '');
        if (body.error === 'invalid_client' && !known) body.error = 'invalid_grant';
      }),
  },
  {
    id: 'M-AD-24',
    bug: 'a confidential client may leave its secret out, or empty',
    rows: ['TOK-ERR-005', 'AUTH-CODE-019'],
    plant: (seam) =>
      seam.form('issueToken', (form, request) => {
        const secret = seam.service.authority.clients.get(form.get('client_id') ?? '')?.secret;
        if (secret && !form.get('client_secret') && !usedBasic(request)) form.set('client_secret', secret);
      }),
  },
  {
    id: 'M-AD-25',
    bug: 'a failed Basic login is answered 400 without WWW-Authenticate',
    rows: ['TOK-ERR-011'],
    plant: (seam) =>
      seam.reply((reply, request) => {
        if (request.operation !== 'issueToken' || reply.status !== 401 || !usedBasic(request)) return;
        reply.status = 400;
        delete reply.headers['www-authenticate'];
      }),
  },
  {
    id: 'N-TOK-CC-005',
    bug: 'client_credentials needs no secret',
    rows: ['TOK-CC-005'],
    plant: (seam) =>
      seam.form('issueToken', (form, { headers }) => {
        const secret = seam.service.authority.clients.get(form.get('client_id') ?? '')?.secret;
        if (form.get('grant_type') !== 'client_credentials' || headers.authorization !== undefined) return;
        if (secret && !form.get('client_secret')) form.set('client_secret', secret);
      }),
  },
  {
    id: 'M-RL-09',
    bug: 'a confidential client refreshes without its secret',
    rows: ['TOK-REFRESH-011'],
    plant: (seam) =>
      seam.form('issueToken', (form, { headers }) => {
        const secret = seam.service.authority.clients.get(form.get('client_id') ?? '')?.secret;
        if (form.get('grant_type') !== 'refresh_token' || headers.authorization !== undefined || !secret) return;
        if (!form.get('client_secret')) form.set('client_secret', secret);
      }),
  },
  {
    id: 'M-RL-10',
    bug: 'a public client has to send a secret to refresh',
    rows: ['TOK-REFRESH-012'],
    plant: (seam) =>
      seam.form('issueToken', (form) => {
        const client = seam.service.authority.clients.get(form.get('client_id') ?? '');
        if (client?.type !== 'public' || form.get('grant_type') !== 'refresh_token' || form.has('client_secret'))
          return undefined;
        return answerOf(401, { error: 'invalid_client' }, { 'cache-control': 'no-store', pragma: 'no-cache' });
      }),
  },
  {
    id: 'M-RL-20',
    bug: 'a failed client authentication uses the refresh token up',
    rows: ['TOK-REFRESH-023'],
    plant: (seam) =>
      seam.oauth('issueToken', (body, _, { form }) => {
        const text = form.get('refresh_token');
        if (body.error !== 'invalid_client' || text === null) return;
        seam.acted();
        seam.service.authority.store.endToken(text, 'used');
      }),
  },
];
