import type { OldMutant as Mutant } from '../../mutant.js';
import { answerOf } from '../../interceptor/interceptor.js';

const uncached = { 'cache-control': 'no-store', pragma: 'no-cache' };
const fields = [
  'client_id',
  'client_secret',
  'grant_type',
  'code',
  'redirect_uri',
  'scope',
  'code_verifier',
  'refresh_token',
];

export const tokenRequests: readonly Mutant[] = [
  {
    id: 'M-AD-23',
    bug: 'grant_type defaults to authorization_code',
    rows: ['TOK-ERR-003'],
    plant: (seam) =>
      seam.form('issueToken', (form) => {
        if (!form.get('grant_type')) form.set('grant_type', 'authorization_code');
      }),
  },
  {
    id: 'M-TR-17',
    bug: 'the token endpoint uses the error shape of the data API',
    rows: ['TOK-ERR-001', 'ERR-004'],
    plant: (seam) =>
      seam.oauth('issueToken', (body, reply) =>
        reply.status >= 400 ? { error: { code: 2, message: String(body.error_description) } } : undefined,
      ),
  },
  {
    id: 'M-TR-18',
    bug: 'errors of the token endpoint have status 200',
    rows: ['TOK-ERR-001'],
    plant: (seam) =>
      seam.reply((reply, { operation }) => {
        if (operation === 'issueToken' && reply.status >= 400) reply.status = 200;
      }),
  },
  {
    id: 'M-TR-21',
    bug: 'GET /oauth/token issues tokens',
    rows: ['TOK-ERR-007'],
    plant: (seam) =>
      seam.request((request) => {
        if (request.method !== 'GET' || request.path !== '/oauth/token') return;
        request.method = 'POST';
        request.headers['content-type'] = 'application/x-www-form-urlencoded';
        request.form = request.query;
      }),
  },
  {
    id: 'M-TR-23',
    bug: 'a repeated form field is a crash with 500',
    rows: ['TOK-ERR-004', 'GEN-016'],
    plant: (seam) =>
      seam.form('issueToken', (form) =>
        [...form.keys()].length > new Set(form.keys()).size ? answerOf(500, { error: 'server_error' }) : undefined,
      ),
  },
  {
    id: 'M-TR-24',
    bug: '+ is not decoded to a space in scope',
    rows: ['TOK-ERR-008'],
    plant: (seam) =>
      seam.request((request) => {
        if (request.operation !== 'issueToken') return;
        request.body = request.body.replace(/(^|&)scope=[^&]*/, (scope) => scope.replaceAll('+', '%2B'));
      }),
  },
  {
    id: 'M-TR-25',
    bug: 'a content type with a charset is refused',
    rows: ['TOK-ERR-009'],
    plant: (seam) =>
      seam.request(({ operation, headers }) =>
        operation === 'issueToken' && /charset/i.test(headers['content-type'] ?? '')
          ? answerOf(400, { error: 'invalid_request' }, uncached)
          : undefined,
      ),
  },
  {
    id: 'M-TR-26',
    bug: 'an unknown form field is refused',
    rows: ['TOK-ERR-006'],
    plant: (seam) =>
      seam.form('issueToken', (form) =>
        [...form.keys()].some((name) => !fields.includes(name))
          ? answerOf(400, { error: 'invalid_request' }, uncached)
          : undefined,
      ),
  },
  {
    id: 'N-TOK-ERR-002',
    bug: 'an unknown grant_type is invalid_request',
    rows: ['TOK-ERR-002'],
    plant: (seam) =>
      seam.oauth('issueToken', (body) => {
        if (body.error === 'unsupported_grant_type') body.error = 'invalid_request';
      }),
  },
];
