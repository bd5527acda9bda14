import { challengeOf } from '../../../../src/oauth/pkce.js';
import type { OldMutant as Mutant } from '../../mutant.js';
import type { Interceptor } from '../../interceptor/interceptor.js';
import { isConsent } from '../../interceptor/interceptor.js';
import { clientOf, parameterOf, withParameter } from './planting.js';

const type = (query: URLSearchParams, seam: Interceptor) => clientOf(query, seam)?.type;

/** Changes the authorization requests of one kind of client. */
const ofType =
  (wanted: 'confidential' | 'public', change: (query: URLSearchParams, seam: Interceptor) => void): Mutant['plant'] =>
  (seam) =>
    seam.authorization((query) => void (type(query, seam) === wanted && change(query, seam)));

/** Fills in what a request left out. */
const fill =
  (name: string, value: string) =>
  (query: URLSearchParams): void => {
    if (!query.get(name)) query.set(name, value);
  };

/** Of a parameter that is sent twice, keeps one value, where `which` says so. */
const once =
  (which: (name: string, values: readonly string[]) => boolean, keep: 0 | -1 = 0): Mutant['plant'] =>
  (seam) =>
    seam.authorization((query) => {
      for (const name of new Set(query.keys())) {
        const values = query.getAll(name);
        if (values.length > 1 && which(name, values)) query.set(name, values.at(keep)!);
      }
    });

const responseType = (isCode: (type: string) => boolean): Mutant['plant'] => {
  return (seam) =>
    seam.authorization((query) => {
      const asked = query.get('response_type');
      if (asked && asked !== 'code' && isCode(asked)) query.set('response_type', 'code');
    });
};

/** Other methods that are taken for S256. */
const method = (isS256: (method: string) => boolean): Mutant['plant'] => {
  return (seam) =>
    seam.authorization((query) => {
      const asked = query.get('code_challenge_method');
      if (asked && asked !== 'S256' && isS256(asked)) query.set('code_challenge_method', 'S256');
    });
};

/** Errors that are told otherwise than they should be. */
const errorAs =
  (change: (error: string) => string): Mutant['plant'] =>
  (seam) =>
    seam.redirect((location) => {
      const error = parameterOf(location, 'error');
      return location === null || error === null ? location : withParameter(location, 'error', change(error));
    });

export const requestParameters: readonly Mutant[] = [
  {
    id: 'N-AUTH-REQ-001',
    bug: 'code and state come back by a page that posts itself (form_post), without a redirect',
    rows: ['AUTH-REQ-001'],
    plant: (seam) =>
      seam.redirect((location, { reply }) => {
        if (!location?.includes('code=')) return location;
        const body = reply.json as Record<string, unknown>;
        body.body = '<form method="post"></form>';
        body.status = 200;
        return null;
      }),
  },
  {
    id: 'N-AUTH-REQ-002-public',
    bug: 'response_type may be left out by public clients',
    rows: ['AUTH-REQ-002'],
    plant: ofType('public', fill('response_type', 'code')),
  },
  {
    id: 'N-AUTH-REQ-003-public',
    bug: 'scope may be left out by public clients',
    rows: ['AUTH-REQ-003'],
    plant: ofType('public', fill('scope', 'account:profile')),
  },
  {
    id: 'N-AUTH-REQ-005-confidential',
    bug: 'PKCE may be left out by confidential clients',
    rows: ['AUTH-REQ-005', 'AUTH-PKCE-004'],
    plant: ofType('confidential', (query) => {
      if (query.has('code_challenge') || !query.has('code_challenge_method')) return;
      query.set('code_challenge', challengeOf('n'.repeat(43)));
    }),
  },
  {
    id: 'N-AUTH-REQ-006-public',
    bug: 'a missing code_challenge_method means S256 for public clients',
    rows: ['AUTH-REQ-006'],
    plant: ofType('public', fill('code_challenge_method', 'S256')),
  },
  {
    id: 'N-AUTH-REQ-007',
    bug: 'a missing client_id is found by redirect_uri',
    rows: ['AUTH-REQ-007'],
    plant: (seam) =>
      seam.authorization((query) => {
        const uri = query.get('redirect_uri') ?? '';
        const client = [...seam.service.authority.clients.values()].find(
          ({ redirectUris }) => redirectUris.indexOf(uri) >= 0,
        );
        if (!query.get('client_id') && client) query.set('client_id', client.id);
      }),
  },
  {
    id: 'N-AUTH-REQ-007-redirect',
    bug: 'a missing client_id is told by redirect',
    rows: ['AUTH-REQ-007'],
    plant: (seam) =>
      seam.redirect((location, { query }) => {
        const uri = query.get('redirect_uri');
        if (location !== null || query.get('client_id') || uri === null) return location;
        return withParameter(uri, 'error', 'invalid_request');
      }),
  },
  {
    id: 'N-AUTH-REQ-008-public',
    bug: 'a missing redirect_uri means the registered one for public clients',
    rows: ['AUTH-REQ-008'],
    plant: ofType('public', (query, seam) => fill('redirect_uri', clientOf(query, seam)!.redirectUris[0]!)(query)),
  },
  {
    id: 'N-AUTH-REQ-009',
    bug: 'what stands before client_id is not read',
    rows: ['AUTH-REQ-009'],
    plant: (seam) =>
      seam.authorization((query) => {
        for (const name of query.keys()) {
          if (name === 'client_id') return;
          query.delete(name);
        }
      }),
  },
  {
    id: 'N-AUTH-REQ-009-method',
    bug: 'code_challenge_method counts only if code_challenge has been read before it',
    rows: ['AUTH-REQ-009'],
    plant: (seam) =>
      seam.authorization((query) => {
        const names = [...query.keys()];
        if (names.indexOf('code_challenge_method') < names.indexOf('code_challenge'))
          query.delete('code_challenge_method');
      }),
  },
  {
    id: 'N-AUTH-REQ-011-scope',
    bug: 'an empty scope means account:profile',
    rows: ['AUTH-REQ-011'],
    plant: (seam) =>
      seam.authorization((query) => void (query.get('scope') === '' && query.set('scope', 'account:profile'))),
  },
  {
    id: 'N-AUTH-REQ-011-redirect',
    bug: 'an empty redirect_uri means the registered one',
    rows: ['AUTH-REQ-011'],
    plant: (seam) =>
      seam.authorization((query) => {
        const registered = clientOf(query, seam)?.redirectUris[0];
        if (query.get('redirect_uri') === '' && registered) query.set('redirect_uri', registered);
      }),
  },
  {
    id: 'N-AUTH-REQ-012-same',
    bug: 'a parameter may be sent twice with the same value',
    rows: ['AUTH-REQ-012'],
    plant: once((_, values) => new Set(values).size === 1),
  },
  {
    id: 'N-AUTH-REQ-012-first',
    bug: 'of a parameter that is sent twice the first one counts',
    rows: ['AUTH-REQ-012'],
    plant: once(() => true),
  },
  ...(['scope', 'state', 'code_challenge', 'redirect_uri', 'client_id'] as const).map((name): Mutant => ({
    id: `N-AUTH-REQ-012-${name}`,
    bug: `${name} may be sent twice, and the last one counts`,
    rows: ['AUTH-REQ-012'],
    plant: once((one) => one === name, -1),
  })),
  {
    id: 'N-AUTH-REQ-013',
    bug: 'the authorization endpoint knows POST only',
    rows: ['AUTH-REQ-013'],
    plant: (seam) =>
      seam.reply((reply, request) => {
        if (request.operation !== 'authorize' || request.method !== 'GET' || isConsent(request)) return;
        reply.status = 405;
        delete reply.headers.location;
      }),
  },
  {
    id: 'N-AUTH-RESP-001-contains',
    bug: 'response_type is good if the word code is in it',
    rows: ['AUTH-RESP-001'],
    plant: responseType((asked) => asked.split(' ').includes('code')),
  },
  {
    id: 'N-AUTH-RESP-001-public',
    bug: 'public clients may have response_type=token, which is taken for code',
    rows: ['AUTH-RESP-001'],
    plant: ofType(
      'public',
      (query) => void (query.get('response_type') === 'token' && query.set('response_type', 'code')),
    ),
  },
  {
    id: 'N-AUTH-RESP-001-none',
    bug: 'response_type=none is not refused',
    rows: ['AUTH-RESP-001'],
    plant: responseType((asked) => asked === 'none'),
  },
  {
    id: 'N-AUTH-PKCE-001-public',
    bug: 'plain is accepted from public clients',
    rows: ['AUTH-PKCE-001'],
    plant: ofType('public', (query) => {
      if (query.get('code_challenge_method') !== 'plain') return;
      query.set('code_challenge', challengeOf(query.get('code_challenge') ?? ''));
      query.set('code_challenge_method', 'S256');
    }),
  },
  {
    id: 'N-AUTH-PKCE-001-confidential',
    bug: 'plain is accepted from confidential clients',
    rows: ['AUTH-PKCE-001'],
    plant: ofType('confidential', (query) => {
      if (query.get('code_challenge_method') !== 'plain') return;
      query.set('code_challenge', challengeOf(query.get('code_challenge') ?? ''));
      query.set('code_challenge_method', 'S256');
    }),
  },
  {
    id: 'N-AUTH-PKCE-002-any',
    bug: 'every method but plain is taken for S256',
    rows: ['AUTH-PKCE-002'],
    plant: method((asked) => asked !== 'plain'),
  },
  {
    id: 'N-AUTH-PKCE-002-sha',
    bug: 'SHA256 and S512 are taken for S256',
    rows: ['AUTH-PKCE-002'],
    plant: method((asked) => /^(SHA-?256|S512)$/i.test(asked)),
  },
  {
    id: 'N-AUTH-ERR-001',
    bug: 'errors are told in words of the server',
    rows: ['AUTH-ERR-001'],
    beside: ['AUTH-REQ-005', 'AUTH-DENY-001'],
    plant: errorAs((error) => (error === 'invalid_request' ? 'missing_parameter' : error)),
  },
  {
    id: 'N-AUTH-DENY-001-error',
    bug: 'a denial is told as server_error',
    rows: ['AUTH-DENY-001'],
    plant: errorAs((error) => (error === 'access_denied' ? 'server_error' : error)),
  },
  {
    id: 'N-AUTH-SCOPE-001-error',
    bug: 'an unknown scope is told as invalid_request',
    rows: ['AUTH-SCOPE-001'],
    plant: errorAs((error) => (error === 'invalid_scope' ? 'invalid_request' : error)),
  },
  {
    id: 'N-AUTH-ERR-003-public',
    bug: 'failures of public clients are shown on a page',
    rows: ['AUTH-ERR-003'],
    plant: (seam) =>
      seam.redirect((location, { query, reply }) => {
        if (!location?.includes('error=') || type(query, seam) !== 'public') return location;
        Object.assign(reply.json as object, { status: 400, body: '<p>That did not work.</p>' });
        return null;
      }),
  },
];
