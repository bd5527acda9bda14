import { forEach, mutants, operator } from '../../mutant.js';
import { field, form, formReply, isCredentials, isExchange, isPublic } from '../../operators/oauth.js';
import { isRefresh, refuseForm, tokenMember, tokenResponse } from '../../operators/oauth.js';
import { header, rawReply } from '../../operators/replies.js';
import { request } from '../../operators/requests.js';

/** Requests for tokens of a user. */
const isUsers = (sent: URLSearchParams): boolean => !isCredentials(sent);

/** What takes the place of a number: of any, or of the one named. */
const number = (to: (value: number) => unknown) => (value: unknown) => (typeof value === 'number' ? to(value) : value);
const instead = (of: number, other: number) => number((value) => (value === of ? other : value));

const inMs = number((seconds) => seconds * 1000);
const otherSub = (sub: unknown) => String(sub).replace(/^.{8}/, '01234567');

/** Fields that may be sent more than once, where `which` says so; the last one counts. */
const repeatable = operator('repeatable', (_, which: (values: readonly string[]) => boolean = () => true) =>
  form('issueToken', (sent) => {
    for (const name of new Set(sent.keys())) {
      const values = sent.getAll(name);
      if (which(values)) sent.set(name, values.at(-1)!);
    }
  }),
);

export const tokenResponses = mutants({
  'TOK-RESP-001 M-TR-04: expires_in is a text': () => tokenMember('expires_in', number(String)),
  'TOK-RESP-002: token_type is Mac': () => tokenMember('token_type', 'mac'),
  'TOK-RESP-002 refresh: token_type of a refresh is access_token': () =>
    tokenMember('token_type', 'access_token', isRefresh).exercise('TOK-REFRESH-001'),
  'TOK-RESP-003 M-TR-03: expires_in is in milliseconds': () => tokenMember('expires_in', inMs).also('TOK-RESP-005'),
  'TOK-RESP-003 left: expires_in of a refreshed token is a day short': () =>
    tokenMember('expires_in', instead(2_592_000, 2_505_600), isRefresh).warns().exercise('TOK-REFRESH-001'),
  'TOK-RESP-003 null: expires_in of user tokens is null': () =>
    tokenMember('expires_in', null, isUsers).also('TOK-RESP-005').exercise('AUTH-CODE-001'),
  'TOK-RESP-001 M-TR-01: expires_in is left out for client credentials': () =>
    tokenMember('expires_in', undefined, isCredentials),
  'TOK-RESP-004 zero: expires_in of client credentials is 0': () => tokenMember('expires_in', 0, isCredentials),
  'TOK-RESP-005 M-TR-05: expires_in of public tokens is 2592000': () =>
    tokenMember('expires_in', instead(36_000, 2_592_000)),
  "TOK-RESP-005 refresh: expires_in of a public client's refreshed token is a confidential client's": () =>
    tokenMember('expires_in', instead(36_000, 2_592_000), isRefresh).exercise('TOK-REFRESH-001'),
  'TOK-RESP-003 refreshed: expires_in of a refreshed token is null': () =>
    tokenMember('expires_in', null, isRefresh).also('TOK-RESP-005').exercise('TOK-REFRESH-001'),
  'TOK-RESP-006: scopes are separated by commas': () =>
    tokenMember('scope', (scope: string) => scope.replaceAll(' ', ',')),
  'TOK-RESP-001 list: scope is a list': () =>
    tokenMember('scope', (scope: string) => scope.split(' ')).exercise('AUTH-CODE-001'),
  "TOK-RESP-007 M-TR-09: username holds the account's UUID": () =>
    tokenResponse((body) => void (body.username = body.sub)),
  'TOK-RESP-008: sub is a number': () => tokenMember('sub', '7').also('TOK-RESP-009'),
  'TOK-RESP-008 form: sub has no hyphens': () =>
    tokenMember('sub', (sub: unknown) => String(sub).replaceAll('-', '')).exercise('AUTH-CODE-001'),
  'TOK-RESP-010: no refresh token is issued': () => tokenMember('refresh_token', undefined),
  'TOK-RESP-010 public: public clients get no refresh token although they may': () =>
    tokenMember('refresh_token', undefined, isPublic),
  'TOK-RESP-011: a client without refresh tokens gets one': () =>
    tokenResponse((body, sent, { service }) => {
      if (isExchange(sent)) body.refresh_token ??= service.authority.newToken();
    }),
  'TOK-RESP-011 null: a client without refresh tokens gets null for one': () =>
    tokenMember('refresh_token', (token: unknown) => token ?? null, isExchange),
  'TOK-RESP-012: tokens may be cached': () => header('issueToken', 'cache-control', null),
  'TOK-RESP-012 refresh: refresh responses may be cached': () =>
    header('issueToken', 'cache-control', null, (request) => isRefresh(request.form)).exercise('TOK-REFRESH-001'),
  'TOK-RESP-012 private: Cache-Control of token responses is private': () =>
    header('issueToken', 'cache-control', 'private, no-cache').exercise('AUTH-CODE-001'),
  'TOK-RESP-013 M-AD-21: no Pragma header': () => header('issueToken', 'pragma', null).warns(),
  'TOK-RESP-014: a token response has status 201': () =>
    formReply('issueToken', (_, reply) => void (reply.status === 200 && (reply.status = 201))),
  'TOK-RESP-014 type: token responses are text/html': () =>
    formReply('issueToken', (_, { status, headers }) => {
      if (status === 200) headers['content-type'] = 'text/html';
    }).exercise('AUTH-CODE-001'),
  'TOK-RESP-014 mark: token responses begin with a byte order mark': () =>
    rawReply('issueToken', (one) => void (one.status === 200 && (one.content = `\ufeff${one.content}`))).exercise(
      'AUTH-CODE-001',
    ),
  'TOK-RESP-015 M-TR-16: the same access token is returned for two grants': (known = new Map<string, unknown>()) =>
    tokenResponse((body, sent) => {
      const key = `${sent.get('client_id')} ${String(body.username)} ${String(body.scope)}`;
      if (known.has(key)) body.access_token = known.get(key);
      else known.set(key, body.access_token);
    }),
  'TOK-RESP-015 refresh: the refresh token is the access token': () =>
    tokenResponse((body) => void (body.refresh_token && (body.refresh_token = body.access_token))).exercise(
      'AUTH-CODE-001',
    ),
  'TOK-RESP-016: access tokens have characters that a bearer header cannot carry': () =>
    tokenMember('access_token', (token: string) => `${token}|"é`).exercise('AUTH-CODE-001'),
  'TOK-RESP-016 space: access tokens of client credentials have a space in them': () =>
    tokenMember('access_token', (token: string) => `${token.slice(0, 20)} ${token.slice(20)}`, isCredentials).exercise(
      'TOK-CC-001',
    ),
  'TOK-RESP-017 client: sub is another for each client': () => tokenMember('sub', otherSub, isPublic),
  ...forEach(['expires_in', 'token_type', 'scope', 'username', 'sub'], (name) => ({
    [`TOK-RESP-001 refresh-${name}: ${name} is left out of refresh responses`]: () =>
      tokenMember(name, undefined, isRefresh).exercise('TOK-REFRESH-001'),
  })),
  'TOK-REFRESH-001: a refresh gives no refresh token': () => tokenMember('refresh_token', undefined, isRefresh),
  'TOK-REFRESH-013 empty: scope of a refresh is empty': () => tokenMember('scope', '', isRefresh),
  'TOK-REFRESH-028 sub: sub is another after a refresh': () => tokenMember('sub', otherSub, isRefresh),
  'TOK-REFRESH-028 second: username is lost at the second refresh': (turns = new Map<unknown, number>()) =>
    tokenResponse((body, sent) => {
      if (!isRefresh(sent)) return;
      const turn = (turns.get(sent.get('refresh_token')) ?? 0) + 1;
      turns.set(body.refresh_token, turn);
      if (turn > 1) body.username = '';
    }),
  'TOK-ERR-001 shape: only invalid_grant has the error shape of the data API': () =>
    formReply('issueToken', ({ error }) =>
      error === 'invalid_grant' ? { error: { code: 2, message: error } } : undefined,
    ).exercise('AUTH-CODE-016'),
  'TOK-ERR-001 text: errors of the token endpoint are form-encoded text': () =>
    rawReply('issueToken', (one) => void (one.status >= 400 && (one.json = 'error=invalid_grant'))).exercise(
      'AUTH-CODE-016',
    ),
  'TOK-ERR-002 case: grant_type is compared without regard to case': () =>
    field('issueToken', 'grant_type', (type) => type.toLowerCase()),
  'TOK-ERR-002 guess: an unknown grant_type is guessed from what else is there': () =>
    field('issueToken', 'grant_type', (type, sent) => {
      if (['authorization_code', 'refresh_token', 'client_credentials'].includes(type)) return null;
      if (sent.has('code')) return 'authorization_code';
      return sent.has('refresh_token') ? 'refresh_token' : 'client_credentials';
    }).also('TOK-ERR-003'),
  'TOK-ERR-004 last: of a field that is sent twice the last one counts': () => repeatable(),
  'TOK-ERR-004 same: a field may be sent twice with the same value': () =>
    repeatable((values) => new Set(values).size === 1),
  'TOK-ERR-005: an empty grant_type means authorization_code': () =>
    form('issueToken', (sent) => void (sent.get('grant_type') === '' && sent.set('grant_type', 'authorization_code'))),
  'TOK-ERR-005 scope: an empty scope in an exchange is refused': () =>
    refuseForm('issueToken', (sent) => isExchange(sent) && sent.get('scope') === '', 'invalid_scope'),
  'TOK-ERR-005 public: an empty client_secret of a public client is refused': () =>
    refuseForm('issueToken', (sent, at) => isPublic(sent, at) && sent.get('client_secret') === '', 'invalid_client'),
  'TOK-ERR-005 bare: a grant_type without a value and `=` means client_credentials': () =>
    request('issueToken', (one) => {
      one.body = one.body.replace(/(^|&)grant_type(?=&|$)/, '$1grant_type=client_credentials');
    }),
  'TOK-ERR-006 state: a field of another grant is refused': () =>
    form('issueToken', (sent) => void (isCredentials(sent) && sent.size > 4 && sent.delete('grant_type'))),
  'TOK-ERR-010: a refused token request answers with empty token fields': () =>
    formReply('issueToken', (body, { status }) =>
      status >= 400 ? { ...body, access_token: 'none', token_type: 'bearer' } : undefined,
    ).exercise('AUTH-CODE-016'),
  'TOK-ERR-014: grant_type has to come first': () =>
    form('issueToken', (sent) => void ([...sent.keys()].indexOf('grant_type') > 3 && sent.delete('grant_type'))),
});
