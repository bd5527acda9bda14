import { answerOf } from '../../interceptor/interceptor.js';
import { mutants } from '../../mutant.js';
import { acceptGet, form, mapField, formReply, refuseForm, renameError } from '../../operators/oauth.js';
import { rawReply } from '../../operators/replies.js';
import { request } from '../../operators/requests.js';

const known = /^(client_id|client_secret|grant_type|code|redirect_uri|scope|code_verifier|refresh_token)$/;

export const tokenRequests = mutants({
  'TOK-ERR-001 M-TR-17: the token endpoint uses the error shape of the data API': () =>
    formReply('issueToken', (body, { status }) =>
      status >= 400 ? { error: { code: 2, message: String(body.error_description) } } : undefined,
    ).also('ERR-004'),
  'TOK-ERR-001 M-TR-18: errors of the token endpoint have status 200': () =>
    rawReply('issueToken', (reply) => void (reply.status >= 400 && (reply.status = 200))),
  'TOK-ERR-001 quote: the description of an error repeats a field in quotation marks': () =>
    formReply('issueToken', (body, { status }, { form: sent }) => {
      if (status >= 400) body.error_description = `unknown: "${sent.get('grant_type')}"`;
    }).warns(),
  'TOK-ERR-001 type: errors of the token endpoint are text/plain': () =>
    rawReply('issueToken', (reply) => void (reply.status >= 400 && (reply.headers['content-type'] = 'text/plain'))),
  'TOK-ERR-002: an unknown grant_type is invalid_request': () =>
    renameError('issueToken', 'unsupported_grant_type', 'invalid_request'),
  'TOK-ERR-003 M-AD-23: grant_type defaults to authorization_code': () =>
    mapField('issueToken', 'grant_type', (type) => type || 'authorization_code'),
  'TOK-ERR-004 M-TR-23: a repeated form field is a crash with 500': () =>
    form('issueToken', (sent) =>
      [...sent.keys()].length > new Set(sent.keys()).size ? answerOf(500, { error: 'server_error' }) : undefined,
    ).also('GEN-016'),
  'TOK-ERR-006 M-TR-26: an unknown form field is refused': () =>
    refuseForm('issueToken', (sent) => [...sent.keys()].some((name) => !known.test(name)), 'invalid_request'),
  'TOK-ERR-007 M-TR-21: GET /oauth/token issues tokens': () => acceptGet('/oauth/token'),
  'TOK-ERR-008 M-TR-24: + is not decoded to a space in scope': () =>
    request('issueToken', (one) => {
      one.body = one.body.replace(/(^|&)scope=[^&]*/, (scope) => scope.replaceAll('+', '%2B'));
    }),
  'TOK-ERR-009 M-TR-25: a content type with a charset is refused': () =>
    refuseForm(
      'issueToken',
      (_sent, _at, { headers }) => /charset/i.test(headers['content-type'] ?? ''),
      'invalid_request',
    ),
  'TOK-ERR-009 blank: a content type with a blank before the semicolon is refused': () =>
    refuseForm('issueToken', (_sent, _at, { headers }) => /\s;/.test(headers['content-type'] ?? ''), 'invalid_request'),
});
