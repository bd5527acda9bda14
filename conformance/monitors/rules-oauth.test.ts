import { describe } from 'vitest';

import type { Fields } from '../engine/run.js';
import type { Given } from './answers.fixture.js';
import { answers, goes, judge } from './cases.fixture.js';
import type { Step } from './cases.fixture.js';
import { aToken } from './objects.fixture.js';

const stores = { 'cache-control': 'no-store', pragma: 'no-cache' };
const token = (over: Readonly<Record<string, unknown>> = {}, given: Given = {}): Step =>
  answers('issueToken', aToken(over), {
    asked: { grant: 'authorization_code', client: 'confidential' },
    headers: stores,
    ...given,
  });
const without = (name: string): Step => {
  const { [name]: _, ...rest } = aToken();
  return answers('issueToken', rest, {
    headers: stores,
    asked: { grant: 'authorization_code', client: 'confidential' },
  });
};
const ofApplication = { asked: { grant: 'client_credentials', client: 'service' as const } };
const ofPublic = { asked: { grant: 'authorization_code', client: 'public' as const } };
const refreshed = { asked: { grant: 'refresh_token', client: 'public' as const } };
const error = (body: unknown, status = 400, given: Given = {}): Step =>
  answers('issueToken', body, { status, ...given });

const callback = 'https://app.example/callback';
const asked = (state: readonly string[], uri = callback): Fields => [
  ['client_id', 'web'],
  ['redirect_uri', uri],
  ...state.map((value) => ['state', value] as const),
];
const local: Fields = [
  ['client_id', 'app'],
  ['redirect_uri', 'http://127.0.0.1:9999/cb'],
  ['state', 's'],
];

const withBearer = { 'Content-Type': 'application/x-www-form-urlencoded', authorization: 'Bearer x' };

describe('redirects', () => {
  judge([
    {
      row: 'AUTH-STATE-003',
      right: {
        'B-26 any order, with iss': goes(`${callback}?state=s+1&iss=https%3A%2F%2Fserver.test&code=c`),
        'B-27 space as %20': goes(`${callback}?code=c&state=s%201`),
        'no state was sent': goes(`${callback}?code=c`, asked([])),
        'an empty one was sent, which is left out': goes(`${callback}?code=c`, asked([''])),
        'two were sent': goes(`${callback}?code=c&state=a&state=b`, asked(['a', 'b'])),
        'no redirect': goes(null),
        'an own page with a status': goes('http://server.test/error?code=400'),
      },
      wrong: {
        'state twice': goes(`${callback}?code=c&state=s&state=s`),
        'code twice': goes(`${callback}?code=c&code=c&state=s`),
        'no state': goes(`${callback}?code=c`),
      },
    },
    {
      row: 'AUTH-REDIR-001',
      right: {
        same: goes(`${callback}?code=c&state=s`),
        'host in capitals': goes('https://APP.example/callback?code=c&state=s'),
        'any loopback port of a public client': goes('http://127.0.0.1:9999/cb?code=c&state=s', local),
        'an own page that asks to log in': goes('https://server.test/login?next=%2Foauth'),
        'an error': goes('https://elsewhere.example/?error=invalid_request'),
        'an own page with a status': goes('http://server.test/error?code=400'),
      },
      wrong: {
        'an own page with the answer': goes('http://server.test/done?code=c&state=s', asked(['s'])),
        'a slash more': goes(`${callback}/?code=c&state=s`),
        'another host': goes('https://app.example.evil.example/callback?code=c&state=s'),
        'the URI that was offered and is not registered': goes(
          'https://evil.example/?code=c',
          asked(['s'], 'https://evil.example/'),
        ),
        'a decoded path': goes('https://app.example/call back?code=c', asked(['s'], callback)),
        'in the fragment': goes('https://evil.example/#code=c', asked(['s'], callback)),
      },
    },
    {
      row: 'AUTH-REDIR-006',
      right: { query: goes(`${callback}?code=c&state=s`), 'an anchor': goes(`${callback}?code=c&state=s#_=_`) },
      wrong: {
        fragment: goes(`${callback}#code=c&state=s`),
        'an error in the fragment': goes(`${callback}#error=access_denied`),
        'a token': goes(`${callback}?code=c&access_token=t`),
      },
    },
    {
      row: 'AUTH-ERR-001',
      right: {
        denied: goes(`${callback}?error=access_denied&state=s`),
        success: goes(`${callback}?code=c&state=s`),
        'B-44 a page': goes(null),
        'a login page': goes('https://server.test/login?error=x'),
      },
      wrong: {
        'an unlisted error': goes(`${callback}?error=denied&state=s`),
        'no error': goes(`${callback}?state=s`),
        'a code beside': goes(`${callback}?error=access_denied&code=c`),
      },
    },
    {
      row: 'AUTH-ERR-002',
      right: {
        plain: goes(
          `${callback}?error=access_denied&error_description=The+user%20denied.&error_uri=https://e.example/a`,
        ),
      },
      wrong: {
        quotes: goes(`${callback}?error=invalid_scope&error_description=unknown+%22x%22`),
        'a new line': goes(`${callback}?error=invalid_scope&error_description=a%0Ab`),
        'letters beyond ASCII': goes(`${callback}?error=invalid_scope&error_description=%C3%A9`),
        'a space in the URI': goes(`${callback}?error=invalid_scope&error_uri=a+b`),
      },
    },
    {
      row: 'AUTH-CODEFMT-001',
      right: {
        'two codes': [goes(`${callback}?code=c1&state=s`), goes(`${callback}?code=c2&state=s`)],
        'an own page with a status, twice': [
          goes(`${callback}?code=c1&state=s`),
          goes('http://server.test/error?code=400'),
          goes('http://server.test/error?code=400'),
        ],
      },
      wrong: {
        'the same twice': [goes(`${callback}?code=c&state=s`), goes(`${callback}?code=c&state=s`)],
        'beyond ASCII': goes(`${callback}?code=%C3%A9&state=s`),
        empty: goes(`${callback}?code=&state=s`),
      },
    },
  ]);
});

describe('token answers', () => {
  judge([
    {
      row: 'TOK-RESP-001',
      right: {
        all: token(),
        'no expiry': token({ expires_in: null }, ofApplication),
        'an error with 200': error({ error: 'invalid_grant' }, 200),
      },
      wrong: {
        'no username': without('username'),
        'no expires_in': without('expires_in'),
        'expires_in as text': token({ expires_in: '2592000' }),
        'sub null': token({ sub: null }),
        'scope a list': token({ scope: ['account:profile'] }),
        'no token_type': without('token_type'),
      },
    },
    {
      row: 'TOK-RESP-002',
      right: { bearer: token(), 'none, which is TOK-RESP-001': [token(), without('token_type')] },
      wrong: { mac: token({ token_type: 'mac' }) },
    },
    {
      row: 'TOK-RESP-002',
      right: { bearer: token() },
      wrong: { Bearer: token({ token_type: 'Bearer' }) },
      says: 'warn',
    },
    {
      row: 'TOK-RESP-003',
      right: {
        '30 days': token(),
        'B-08 28 days': token({ expires_in: 2419200 }),
        'a public client': token({ expires_in: 36000 }, ofPublic),
        'text, which is TOK-RESP-001': [token(), token({ expires_in: '2592000' })],
      },
      wrong: {
        milliseconds: token({ expires_in: 2592000000 }),
        null: token({ expires_in: null }),
      },
    },
    {
      row: 'TOK-RESP-003',
      right: { '30 days': token() },
      wrong: { 'what is left': token({ expires_in: 2591999 }), 'of 28 days': token({ expires_in: 2419195 }) },
      says: 'warn',
    },
    {
      row: 'TOK-RESP-004',
      right: { null: token({ expires_in: null }, ofApplication), 'a user': token() },
      wrong: { zero: token({ expires_in: 0 }, ofApplication), '30 days': token({}, ofApplication) },
    },
    {
      row: 'TOK-RESP-005',
      right: {
        '10 hours': token({ expires_in: 36000 }, ofPublic),
        'refreshed, 10 hours': token({ expires_in: 36000 }, refreshed),
      },
      wrong: {
        '30 days': token({}, ofPublic),
        'far less': token({ expires_in: 35994 }, ofPublic),
        'refreshed, 30 days': token({}, refreshed),
        'refreshed, null': token({ expires_in: null }, refreshed),
        'refreshed, none': token({ expires_in: 0 }, refreshed),
      },
    },
    {
      row: 'TOK-RESP-005',
      right: { '10 hours': token({ expires_in: 36000 }, ofPublic) },
      wrong: { 'less at the end of the chain': token({ expires_in: 600 }, refreshed) },
      says: 'warn',
    },
    {
      row: 'TOK-RESP-006',
      right: {
        two: token(),
        'B-45 sorted': token({ scope: 'account:profile account:leagues' }),
        one: token({ scope: 'service:cxapi' }),
        'a list, which is TOK-RESP-001': [token(), token({ scope: ['account:profile'] })],
      },
      wrong: {
        commas: token({ scope: 'account:profile,account:stashes' }),
        unknown: token({ scope: 'profile' }),
      },
    },
    {
      row: 'TOK-RESP-008',
      right: { capitals: token() },
      wrong: { 'a number': token({ sub: '42' }), 'no dashes': token({ sub: 'a'.repeat(32) }) },
    },
    {
      row: 'TOK-RESP-012',
      right: { there: token(), 'among others': token({}, { headers: { 'cache-control': 'private, No-Store' } }) },
      wrong: { none: token({}, { headers: {} }), 'no-cache': token({}, { headers: { 'cache-control': 'no-cache' } }) },
    },
    { row: 'TOK-RESP-013', right: { there: token() }, wrong: { none: token({}, { headers: {} }) }, says: 'warn' },
    {
      row: 'TOK-RESP-014',
      right: { json: token({}, { headers: { 'content-type': 'application/json;charset=UTF-8' } }) },
      wrong: {
        created: token({}, { status: 201 }),
        html: token({}, { headers: { 'content-type': 'text/html' } }),
        'no JSON': token({}, { text: 'access_token=a' }),
      },
    },
    {
      row: 'TOK-RESP-015',
      right: {
        different: [token({ access_token: 'a', refresh_token: 'r' }), token({ access_token: 'b', refresh_token: 's' })],
        'a replay that is refused': [
          token({ access_token: 'a' }),
          error({ error: 'invalid_grant', access_token: 'a' }),
        ],
      },
      wrong: {
        'the same access token': [token(), token()],
        'one for both': token({ access_token: 'a', refresh_token: 'a' }),
        'a refresh token again': [
          token({ access_token: 'a', refresh_token: 'r' }),
          token({ access_token: 'b', refresh_token: 'r' }),
        ],
      },
    },
    {
      row: 'TOK-RESP-016',
      right: {
        opaque: token(),
        'none, which is TOK-RESP-001': [token(), without('access_token')],
        'B-28 a long JWT': token({ access_token: `ey.${'a'.repeat(4000)}==` }),
      },
      wrong: {
        'a space': token({ access_token: 'a b' }),
        empty: token({ access_token: '' }),
        colon: token({ access_token: 'a:b' }),
      },
    },
    {
      row: 'TOK-CC-002',
      right: { none: token({ expires_in: null }, ofApplication), 'a user has one': token({ refresh_token: 'r' }) },
      wrong: {
        one: token({ refresh_token: 'r' }, ofApplication),
        'by what was sent': token({ refresh_token: 'r' }, { asked: {}, requestBody: 'grant_type=client_credentials' }),
      },
    },
  ]);
});

describe('errors of the authorization server', () => {
  const fine = { error: 'invalid_grant', error_description: 'used' };
  judge([
    {
      row: 'TOK-ERR-001',
      right: { fine: error(fine) },
      wrong: {
        'quotes in the description': error({ ...fine, error_description: 'no "x"' }),
        'letters beyond ASCII in the description': error({ ...fine, error_description: 'é' }),
        'a description that is no text': error({ ...fine, error_description: { de: 'x' } }),
        'a space in the URI': error({ ...fine, error_uri: 'a b' }),
      },
      says: 'warn',
    },
    {
      row: 'TOK-ERR-001',
      right: {
        'invalid_grant 400': error(fine),
        'B-12 invalid_client 401': error({ error: 'invalid_client' }, 401),
        'B-12 invalid_client 400': error({ error: 'invalid_client' }),
        'a media type that is refused': error({}, 415),
        'a body that is no form': error({ error: { code: 1 } }, 400, {
          requestHeaders: { 'content-type': 'application/json' },
        }),
        'outside of the contract': error({ error: 'x' }, 404, { method: 'GET' }),
        'too many': error('slow down', 429),
      },
      wrong: {
        'the shape of data errors': error({ error: { code: 8, message: 'Invalid' } }),
        'another word': error({ error: 'bad_request' }),
        'status 200': error(fine, 200),
        'data error with 200': error({ error: { code: 1 } }, 200),
        'status 401': error(fine, 401),
        'status 403': error({ error: 'unauthorized_client' }, 403),
        'no JSON': error(undefined, 400, { text: '<html>' }),
        'another media type': error(fine, 400, { headers: { 'content-type': 'text/plain' } }),
      },
    },
    {
      row: 'TOK-ERR-010',
      right: { none: error(fine) },
      wrong: {
        'an access token': error({ ...fine, access_token: 'a' }),
        'a refresh token': error({ ...fine, refresh_token: 'a' }),
      },
    },
    {
      row: 'REV-015',
      right: { fine: answers('revokeToken', { error: 'invalid_request' }, { status: 400 }) },
      wrong: {
        'a code of its own': answers('revokeToken', { error: 'account_suspended' }, { status: 403 }),
        'quotes in the description': answers(
          'introspectToken',
          { error: 'invalid_request', error_description: 'no "token"' },
          { status: 400 },
        ),
      },
      says: 'warn',
    },
    {
      row: 'REV-015',
      right: {
        'RFC 6749': answers('revokeToken', { error: 'invalid_request' }, { status: 400 }),
        'RFC 6750': answers('introspectToken', { error: 'insufficient_scope' }, { status: 403 }),
        'a body that cannot be decoded': answers('revokeToken', undefined, {
          status: 400,
          text: '',
          requestBody: 'token=%zz',
        }),
        'a challenge only': answers('revokeToken', undefined, {
          status: 401,
          text: '',
          headers: { 'www-authenticate': 'Bearer' },
        }),
        'B-30 an empty answer': answers('revokeToken', undefined, { text: '' }),
        'no credential, so no challenge': answers('revokeToken', { error: 'invalid_client' }, { status: 401 }),
        'a challenge of the scheme that was sent': answers(
          'introspectToken',
          { error: 'invalid_token' },
          {
            status: 401,
            headers: { 'www-authenticate': 'Basic realm="a", Bearer realm="b"' },
            requestHeaders: withBearer,
          },
        ),
        'no such endpoint': answers('revokeToken', { error: { code: 1, message: 'Not found' } }, { status: 404 }),
      },
      wrong: {
        'the name of a status': answers('revokeToken', { error: 'Forbidden' }, { status: 403 }),
        'the shape of data errors': answers('revokeToken', { error: { code: 8 } }, { status: 401 }),
        'nothing at all': answers('introspectToken', undefined, { status: 401, text: '' }),
        'no challenge to a bearer token': answers(
          'revokeToken',
          { error: 'invalid_token' },
          { status: 401, requestHeaders: withBearer },
        ),
        'a challenge without a scheme': answers(
          'introspectToken',
          { error: 'invalid_token' },
          {
            status: 401,
            headers: { 'www-authenticate': 'realm="oauth"' },
            requestHeaders: withBearer,
          },
        ),
        'another media type': answers(
          'revokeToken',
          { error: 'invalid_request' },
          { status: 400, headers: { 'content-type': 'text/html' } },
        ),
      },
    },
    {
      row: 'REV-015',
      right: {
        'a challenge of the scheme that was sent': answers(
          'revokeToken',
          { error: 'invalid_token' },
          { status: 401, headers: { 'www-authenticate': 'Bearer' }, requestHeaders: withBearer },
        ),
      },
      wrong: {
        'a challenge of another scheme': answers(
          'revokeToken',
          { error: 'invalid_token' },
          {
            status: 401,
            headers: { 'www-authenticate': 'Basic realm="oauth"' },
            requestHeaders: withBearer,
          },
        ),
      },
      says: 'warn',
    },
    {
      row: 'INTRO-007',
      right: {
        'B-29 active only': answers('introspectToken', { active: false }),
        'an active one': answers('introspectToken', { active: true, sub: 's' }),
      },
      wrong: { more: answers('introspectToken', { active: false, sub: 's' }) },
      says: 'warn',
    },
    {
      row: 'INTRO-003',
      right: {
        active: answers('introspectToken', { active: true }),
        inactive: answers('introspectToken', { active: false }),
      },
      wrong: {
        text: answers('introspectToken', { active: 'true' }),
        nothing: answers('introspectToken', {}),
      },
    },
    {
      row: 'INTRO-013',
      right: {
        'in order': answers('introspectToken', { active: true, iat: 10, exp: 20 }),
        'B-29 active only': answers('introspectToken', { active: true }),
        'a clock of its own': answers(
          'introspectToken',
          { active: true, iat: 9e9, exp: 9100000000 },
          { headers: { date: 'Thu, 01 Jan 2026 00:00:00 GMT' } },
        ),
      },
      wrong: {
        'after the end': answers('introspectToken', { active: true, iat: 30, exp: 20 }),
        milliseconds: answers('introspectToken', { active: true, iat: 1767225600000 }),
      },
      target: { control_url: 'http://server.test/__control' },
    },
  ]);
});
