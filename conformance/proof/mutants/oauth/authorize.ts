import { hash } from 'node:crypto';

import { challengeOf } from '../../../../src/oauth/pkce.js';
import { mutants, together } from '../../mutant.js';
import { authorization, mapQuery, clientOf, errorLocation } from '../../operators/oauth.js';
import { redirect, mapRedirect } from '../../operators/oauth.js';

/** The S256 challenge that fits where the request's own challenge is taken for the verifier itself. */
const hashed = (query: URLSearchParams): void => {
  query.set('code_challenge', hash('sha256', query.get('code_challenge') ?? '', 'base64url'));
  query.set('code_challenge_method', 'S256');
};

const known = /^(client_id|response_type|scope|state|redirect_uri|code_challenge|code_challenge_method)$/;

export const authorize = mutants({
  'AUTH-REQ-002 M-AD-07: response_type defaults to code': () => mapQuery('response_type', (type) => type || 'code'),
  'AUTH-REQ-003: a missing scope means account:profile': () => mapQuery('scope', (scope) => scope || 'account:profile'),
  'AUTH-REQ-004 M-AZ-06: a missing state is accepted': () =>
    together(
      mapQuery('state', (state) => state ?? 'none-was-sent'),
      mapRedirect('state', (state) => (state === 'none-was-sent' ? null : undefined)),
    ),
  'AUTH-REQ-005: PKCE may be left out': () =>
    together(
      mapQuery('code_challenge', (challenge) => challenge || challengeOf('n'.repeat(43))),
      mapQuery('code_challenge_method', (method) => method || 'S256'),
    ),
  'AUTH-REQ-006 M-AZ-20: a missing code_challenge_method defaults to plain': () =>
    authorization((query) => void (query.has('code_challenge_method') || hashed(query))),
  'AUTH-REQ-008: a missing redirect_uri means the registered one': () =>
    mapQuery('redirect_uri', (uri, query, at) => uri || (clientOf(query, at)?.redirectUris[0] ?? '')),
  'AUTH-REQ-010 M-AZ-25: unknown parameters give invalid_request': () =>
    redirect((location, { query }) => {
      const uri = query.get('redirect_uri');
      if (location === null || uri === null || [...query.keys()].every((name) => known.test(name))) return location;
      return errorLocation(uri, 'invalid_request', query);
    }),
  'AUTH-REQ-011 M-AZ-27: an empty state counts as one': () =>
    together(
      mapQuery('state', (state) => (state === '' ? 'it-was-empty' : state)),
      mapRedirect('state', (state) => (state === 'it-was-empty' ? '' : undefined)),
    ),
  'AUTH-REQ-012: of a parameter that is sent twice the last one counts': () =>
    authorization((query) => {
      for (const name of new Set(query.keys())) query.set(name, query.getAll(name).at(-1) ?? '');
    }),
  'AUTH-RESP-001 M-AZ-08: response_type=token is honoured, with the token in the fragment': () =>
    redirect((location, { query, order }) => {
      if (query.get('response_type') !== 'token' || order.decision !== 'approve') return location;
      const state = encodeURIComponent(query.get('state') ?? '');
      return `${query.get('redirect_uri')}#access_token=0123456789abcdef0123456789abcdef01234567&token_type=bearer&state=${state}`;
    }).also('AUTH-REDIR-006'),
  'AUTH-RESP-001 M-AZ-09: response_type is compared without regard to case': () =>
    mapQuery('response_type', (type) => type?.toLowerCase() ?? null),
  'AUTH-PKCE-001 M-AZ-18: PKCE plain is accepted': () =>
    authorization((query) => void (query.get('code_challenge_method') === 'plain' && hashed(query))),
  'AUTH-PKCE-002: the method is compared without regard to case': () =>
    mapQuery('code_challenge_method', (method) => method?.toUpperCase() ?? null),
});
