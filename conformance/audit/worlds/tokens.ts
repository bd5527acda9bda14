import { asksData, canRefresh, getsTokens, refusedToken, faultedToken, holds } from './conditions.js';
import type { PlannedWorld } from './conditions.js';
import { credentials, tokenCalls } from '../rows/requests.js';

/** The access token ends when the client has used it once. */
const ends = [{ when: { data: 1 }, do: 'end-access' }] as const;

/** Tokens, and the token endpoint. */
export const tokens: readonly PlannedWorld[] = [
  {
    id: 'access-ends',
    title: 'The access token ends midway',
    lawful: '5.3: a token expires or is revoked, and is answered with 401.',
    events: ends,
    survival: 'TOK-SURVIVE-001',
    needs: getsTokens,
    met: refusedToken,
  },
  {
    id: 'rotation',
    title: 'The access token ends midway, the old one dies with each refresh, and the client is started again',
    lawful: '3: a refresh token is dead once it is used.',
    switches: { 'refresh.revokeOldAccess': true },
    events: ends,
    again: true,
    stores: true,
    needs: canRefresh,
  },
  {
    id: 'revoked-by-user',
    title: 'The user revokes the access of the application',
    lawful: '1: users can revoke their tokens at any time.',
    events: [{ when: { data: 1 }, do: 'revoke-user' }],
    needs: canRefresh,
  },
  {
    id: 'lost-refresh-reply',
    title: 'The reply of a refresh is lost',
    lawful: 'A connection can break after the service has rotated the token.',
    events: ends,
    faults: [{ kind: 'lost-reply', on: 'refresh', times: 1 }],
    needs: canRefresh,
  },
  {
    id: 'token-503',
    title: 'The token endpoint is busy when the client refreshes',
    lawful: 'RFC 9110 15.6.4: a service may be unavailable for a while.',
    events: ends,
    faults: [{ kind: 'status', on: 'refresh', times: 1, status: 503, retryAfter: 1 }],
    needs: canRefresh,
  },
  {
    id: 'token-500',
    title: 'The token endpoint fails six times when the client refreshes',
    lawful: 'RFC 9110 15.6.1: a service may fail.',
    events: ends,
    faults: [{ kind: 'status', on: 'refresh', times: 6, status: 500 }],
    needs: canRefresh,
  },
  {
    id: 'token-busy',
    title: 'The token endpoint is busy at the first request',
    lawful: 'RFC 9110 15.6.4: a service may be unavailable for a while.',
    faults: [{ kind: 'status', on: 'token', times: 1, status: 503, retryAfter: 1 }],
    survival: 'TOK-SURVIVE-002',
    needs: getsTokens,
    met: faultedToken,
  },
  {
    id: 'odd-secret',
    title: 'The client secret has + / % and : in it',
    lawful: 'RFC 6749 A.2: a client secret has any printable ASCII characters.',
    secret: 'odd+secret/100%:sure',
    needs: (calm) => tokenCalls(calm).some(({ basic, form }) => basic !== undefined || form.has('client_secret')),
  },
  {
    id: 'odd-tokens',
    title: 'Codes and tokens have + / - . _ ~ in them and = at the end, and the access token ends midway',
    lawful: 'RFC 6749 A.11, A.12, A.17: codes and tokens have any printable ASCII characters.',
    switches: { 'tokens.alphabet': 'reserved' },
    events: ends,
    needs: (calm) => getsTokens(calm) || asksData(calm),
  },
  {
    id: 'unknown-token-members',
    title: 'Token responses have a member that nobody has described',
    lawful: 'RFC 6749 5.1: unrecognized members are ignored.',
    extra: true,
    survival: 'READ-UNKNOWN-002',
    needs: getsTokens,
    met: (call) => call.operation === 'issueToken' && holds('x_undocumented')(call),
  },
  {
    id: 'long-tokens',
    title: 'Tokens are 900 characters long',
    lawful: 'RFC 6749 5.1: the sizes of values are left undefined.',
    switches: { 'tokens.length': 900 },
    survival: 'READ-TOKEN-001',
    needs: getsTokens,
    met: ({ operation, status }) => operation === 'issueToken' && status === 200,
  },
  {
    id: 'no-expires-in',
    title: 'expires_in is left out where it would be null',
    lawful: 'RFC 6749 5.1: expires_in is recommended, not required.',
    switches: { 'tokens.nullExpiresIn': 'omit' },
    survival: 'READ-EXPIRES-001',
    needs: (calm) => credentials(calm).length > 0,
    met: (call) => call.form.get('grant_type') === 'client_credentials' && call.status === 200,
  },
];
