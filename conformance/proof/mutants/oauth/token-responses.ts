import type { OldMutant as Mutant } from '../../mutant.js';
import { isCredentials, response } from './planting.js';

export const tokenResponses: readonly Mutant[] = [
  {
    id: 'M-AD-21',
    bug: 'no Pragma header',
    rows: ['TOK-RESP-013'],
    noticed: 'warn',
    plant: (seam) =>
      seam.reply((reply, { operation }) => {
        if (operation === 'issueToken') delete reply.headers.pragma;
      }),
  },
  {
    id: 'M-TR-01',
    bug: 'expires_in is left out for client credentials',
    rows: ['TOK-RESP-004'],
    plant: response((body, form) => void (isCredentials(form) && delete body.expires_in)),
  },
  {
    id: 'M-TR-03',
    bug: 'expires_in is in milliseconds',
    rows: ['TOK-RESP-003', 'TOK-RESP-005'],
    plant: response((body) => {
      if (typeof body.expires_in === 'number') body.expires_in *= 1000;
    }),
  },
  {
    id: 'M-TR-04',
    bug: 'expires_in is a text',
    rows: ['TOK-RESP-001', 'TOK-RESP-003'],
    plant: response((body) => {
      if (typeof body.expires_in === 'number') body.expires_in = String(body.expires_in);
    }),
  },
  {
    id: 'M-TR-05',
    bug: 'expires_in of public tokens is 2592000',
    rows: ['TOK-RESP-005'],
    plant: response((body) => {
      if (body.expires_in === 36_000) body.expires_in = 2_592_000;
    }),
  },
  {
    id: 'M-TR-09',
    bug: "username holds the account's UUID",
    rows: ['TOK-RESP-007'],
    plant: response((body) => void (body.username = body.sub)),
  },
  {
    id: 'M-TR-16',
    bug: 'the same access token is returned for two grants',
    rows: ['TOK-RESP-015'],
    plant(seam) {
      const known = new Map<string, unknown>();
      response((body, form) => {
        const key = `${form.get('client_id')} ${String(body.username)} ${String(body.scope)}`;
        if (known.has(key)) body.access_token = known.get(key);
        else known.set(key, body.access_token);
      })(seam);
    },
  },
  {
    id: 'N-TOK-RESP-002',
    bug: 'token_type is Mac',
    rows: ['TOK-RESP-002'],
    plant: response((body) => void (body.token_type = 'mac')),
  },
  {
    id: 'N-TOK-RESP-006',
    bug: 'scopes are separated by commas',
    rows: ['TOK-RESP-006'],
    plant: response((body) => void (body.scope = String(body.scope).replaceAll(' ', ','))),
  },
  {
    id: 'N-TOK-RESP-008',
    bug: 'sub is a number',
    rows: ['TOK-RESP-008', 'TOK-RESP-009'],
    plant: response((body) => void (body.sub = '7')),
  },
  {
    id: 'N-TOK-RESP-010',
    bug: 'no refresh token is issued',
    rows: ['TOK-RESP-010'],
    plant: response((body) => void delete body.refresh_token),
  },
  {
    id: 'N-TOK-RESP-011',
    bug: 'a client without refresh tokens gets one',
    rows: ['TOK-RESP-011'],
    plant: response((body, form, { service }) => {
      if (form.get('grant_type') === 'authorization_code') body.refresh_token ??= service.authority.newToken();
    }),
  },
  {
    id: 'N-TOK-RESP-012',
    bug: 'tokens may be cached',
    rows: ['TOK-RESP-012'],
    plant: (seam) =>
      seam.reply((reply, { operation }) => {
        if (operation === 'issueToken') delete reply.headers['cache-control'];
      }),
  },
  {
    id: 'N-TOK-RESP-014',
    bug: 'a token response has status 201',
    rows: ['TOK-RESP-014'],
    plant: (seam) =>
      seam.reply((reply, { operation }) => {
        if (operation === 'issueToken' && reply.status === 200) reply.status = 201;
      }),
  },
];
