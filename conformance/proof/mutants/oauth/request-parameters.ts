import { challengeOf } from '../../../../src/oauth/pkce.js';
import { forEach, mutants, operator } from '../../mutant.js';
import { authorization, clientOf, field, isPublic, parameterOf, redirect } from '../../operators/oauth.js';
import { withParameter } from '../../operators/oauth.js';
import { rawReply } from '../../operators/replies.js';

/** A parameter that public clients may leave out. */
const optional = (name: string, value: string) =>
  field('authorize', name, (sent, query, at) => !sent && isPublic(query, at) && value);

/** Of parameters that are sent twice, those of which one value counts. */
const once = operator(
  'once',
  (_, which: (name: string, values: readonly string[]) => boolean, counts: 'first' | 'last' = 'first') =>
    authorization((query) => {
      for (const name of new Set(query.keys())) {
        const values = query.getAll(name);
        if (values.length > 1 && which(name, values)) query.set(name, values.at(counts === 'first' ? 0 : -1)!);
      }
    }),
);

/** Challenges of the method plain that clients of one type may send. */
const plain = operator('plain', (at, type: 'confidential' | 'public') =>
  authorization((query) => {
    if (query.get('code_challenge_method') !== 'plain' || clientOf(query, at)?.type !== type) return;
    query.set('code_challenge', challengeOf(query.get('code_challenge') ?? ''));
    query.set('code_challenge_method', 'S256');
  }),
);

/** An error under another name. */
const errorAs = operator('errorAs', (_, error: string, other: string) =>
  redirect((location) =>
    location !== null && parameterOf(location, 'error') === error ? withParameter(location, 'error', other) : location,
  ),
);

export const requestParameters = mutants({
  'AUTH-REQ-001: code and state come back by a page that posts itself (form_post), without a redirect': () =>
    redirect((location, { reply }) => {
      if (!location?.includes('code=')) return location;
      Object.assign(reply.json as object, { status: 200, body: '<form method="post"></form>' });
      return null;
    }),
  'AUTH-REQ-002 public: response_type may be left out by public clients': () => optional('response_type', 'code'),
  'AUTH-REQ-003 public: scope may be left out by public clients': () => optional('scope', 'account:profile'),
  'AUTH-REQ-005 confidential: PKCE may be left out by confidential clients': () =>
    field('authorize', 'code_challenge', (_, query, at) => {
      if (query.has('code_challenge') || !query.has('code_challenge_method')) return null;
      return clientOf(query, at)?.type === 'confidential' && challengeOf('n'.repeat(43));
    }).also('AUTH-PKCE-004'),
  'AUTH-REQ-006 public: a missing code_challenge_method means S256 for public clients': () =>
    optional('code_challenge_method', 'S256'),
  'AUTH-REQ-007: a missing client_id is found by redirect_uri': () =>
    field('authorize', 'client_id', (id, query, { service }) => {
      const uri = query.get('redirect_uri') ?? '';
      return !id && [...service.authority.clients.values()].find((one) => one.redirectUris.includes(uri))?.id;
    }),
  'AUTH-REQ-007 redirect: a missing client_id is told by redirect': () =>
    redirect((location, { query }) => {
      const uri = query.get('redirect_uri');
      if (location !== null || query.get('client_id') || uri === null) return location;
      return withParameter(uri, 'error', 'invalid_request');
    }),
  'AUTH-REQ-008 public: a missing redirect_uri means the registered one for public clients': () =>
    field('authorize', 'redirect_uri', (uri, query, at) => {
      const client = clientOf(query, at);
      return !uri && client?.type === 'public' && client.redirectUris[0];
    }),
  'AUTH-REQ-009: what stands before client_id is not read': () =>
    authorization((query) => {
      for (const name of query.keys()) {
        if (name === 'client_id') return;
        query.delete(name);
      }
    }),
  'AUTH-REQ-009 method: code_challenge_method counts only if code_challenge has been read before it': () =>
    authorization((query) => {
      const names = [...query.keys()];
      if (names.indexOf('code_challenge_method') < names.indexOf('code_challenge'))
        query.delete('code_challenge_method');
    }),
  'AUTH-REQ-011 scope: an empty scope means account:profile': () =>
    field('authorize', 'scope', (_, query) => query.get('scope') === '' && 'account:profile'),
  'AUTH-REQ-011 redirect: an empty redirect_uri means the registered one': () =>
    field(
      'authorize',
      'redirect_uri',
      (_, query, at) => query.get('redirect_uri') === '' && clientOf(query, at)?.redirectUris[0],
    ),
  'AUTH-REQ-012 same: a parameter may be sent twice with the same value': () =>
    once((_, values) => new Set(values).size === 1),
  'AUTH-REQ-012 first: of a parameter that is sent twice the first one counts': () => once(() => true),
  ...forEach(['scope', 'state', 'code_challenge', 'redirect_uri', 'client_id'], (name) => ({
    [`AUTH-REQ-012 ${name}: ${name} may be sent twice, and the last one counts`]: () =>
      once((one) => one === name, 'last'),
  })),
  'AUTH-REQ-013: the authorization endpoint knows POST only': () =>
    rawReply('authorize', (one, { method }) => {
      if (method !== 'GET') return;
      one.status = 405;
      delete one.headers.location;
    }),
  'AUTH-REQ-013 every: the authorization endpoint refuses every request with 400': () =>
    rawReply('authorize', (one, { method }) => {
      if (method !== 'GET') return;
      one.status = 400;
      delete one.headers.location;
    }),
  'AUTH-RESP-001 contains: response_type is good if the word code is in it': () =>
    field('authorize', 'response_type', (sent) => sent !== 'code' && sent.split(' ').includes('code') && 'code'),
  'AUTH-RESP-001 public: public clients may have response_type=token, which is taken for code': () =>
    field('authorize', 'response_type', (sent, query, at) => sent === 'token' && isPublic(query, at) && 'code'),
  'AUTH-RESP-001 none: response_type=none is not refused': () =>
    field('authorize', 'response_type', (sent) => sent === 'none' && 'code'),
  'AUTH-PKCE-001 public: plain is accepted from public clients': () => plain('public'),
  'AUTH-PKCE-001 confidential: plain is accepted from confidential clients': () => plain('confidential'),
  'AUTH-PKCE-002 any: every method but plain is taken for S256': () =>
    field('authorize', 'code_challenge_method', (sent) => !['', 'S256', 'plain'].includes(sent) && 'S256'),
  'AUTH-PKCE-002 sha: SHA256 and S512 are taken for S256': () =>
    field('authorize', 'code_challenge_method', (sent) => /^(SHA-?256|S512)$/i.test(sent) && 'S256'),
  'AUTH-ERR-001: errors are told in texts of the server': () =>
    errorAs('invalid_request', 'missing_parameter').exercise('AUTH-REQ-005', 'AUTH-DENY-001'),
  'AUTH-DENY-001 error: a denial is told as server_error': () => errorAs('access_denied', 'server_error'),
  'AUTH-ERR-004 scope: an unknown scope is told as invalid_request': () =>
    errorAs('invalid_scope', 'invalid_request').exercise('AUTH-SCOPE-001'),
  'AUTH-ERR-004 type: an unknown response_type is told as invalid_scope': () =>
    errorAs('unsupported_response_type', 'invalid_scope'),
  'AUTH-ERR-004 parameter: a missing parameter is told as access_denied': () =>
    errorAs('invalid_request', 'access_denied'),
  'AUTH-ERR-003 repeated: a parameter that is sent twice is told on a page': () =>
    redirect((location, { query, reply }) => {
      if (!location?.includes('error=') || new Set(query.keys()).size === query.size) return location;
      Object.assign(reply.json as object, { status: 400, body: '<p>That did not work.</p>' });
      return null;
    }).warns(),
  'AUTH-ERR-003 public: failures of public clients are shown on a page': () =>
    redirect((location, { query, reply }, at) => {
      if (!location?.includes('error=') || !isPublic(query, at)) return location;
      Object.assign(reply.json as object, { status: 400, body: '<p>That did not work.</p>' });
      return null;
    }),
});
