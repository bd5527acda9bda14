import { hash } from 'node:crypto';

import { challengeOf } from '../../../../src/oauth/pkce.js';
import type { OldMutant as Mutant } from '../../mutant.js';
import type { Interceptor } from '../../interceptor/interceptor.js';
import { withParameter } from './planting.js';

/** The S256 challenge that fits where the request's own challenge is taken for the verifier itself. */
const hashed = (query: URLSearchParams): void => {
  query.set('code_challenge', hash('sha256', query.get('code_challenge') ?? '', 'base64url'));
  query.set('code_challenge_method', 'S256');
};

const asked = [
  'client_id',
  'response_type',
  'scope',
  'state',
  'redirect_uri',
  'code_challenge',
  'code_challenge_method',
];

/** Sets a parameter of authorization requests that left it out. */
const filled =
  (name: string, value: (query: URLSearchParams, seam: Interceptor) => string): Mutant['plant'] =>
  (seam) =>
    seam.authorization((query) => void (query.get(name) || query.set(name, value(query, seam))));

export const authorize: readonly Mutant[] = [
  {
    id: 'M-AD-07',
    bug: 'response_type defaults to code',
    rows: ['AUTH-REQ-002'],
    plant: (seam) =>
      seam.authorization((query) => void (query.get('response_type') || query.set('response_type', 'code'))),
  },
  {
    id: 'N-AUTH-REQ-003',
    bug: 'a missing scope means account:profile',
    rows: ['AUTH-REQ-003'],
    plant: filled('scope', () => 'account:profile'),
  },
  {
    id: 'M-AZ-06',
    bug: 'a missing state is accepted',
    rows: ['AUTH-REQ-004'],
    plant(seam) {
      seam.authorization((query) => void (query.has('state') || query.set('state', 'none-was-sent')));
      seam.redirect((location) =>
        location?.includes('state=none-was-sent') ? withParameter(location, 'state', null) : location,
      );
    },
  },
  {
    id: 'N-AUTH-REQ-005',
    bug: 'PKCE may be left out',
    rows: ['AUTH-REQ-005', 'AUTH-PKCE-004'],
    plant(seam) {
      filled('code_challenge', () => challengeOf('n'.repeat(43)))(seam);
      filled('code_challenge_method', () => 'S256')(seam);
    },
  },
  {
    id: 'M-AZ-20',
    bug: 'a missing code_challenge_method defaults to plain',
    rows: ['AUTH-REQ-006'],
    plant: (seam) => seam.authorization((query) => void (query.has('code_challenge_method') || hashed(query))),
  },
  {
    id: 'N-AUTH-REQ-008',
    bug: 'a missing redirect_uri means the registered one',
    rows: ['AUTH-REQ-008'],
    plant: filled(
      'redirect_uri',
      (query, { service }) => service.authority.clients.get(query.get('client_id') ?? '')?.redirectUris[0] ?? '',
    ),
  },
  {
    id: 'M-AZ-25',
    bug: 'unknown parameters give invalid_request',
    rows: ['AUTH-REQ-010'],
    plant: (seam) =>
      seam.redirect((location, { query }) => {
        const uri = query.get('redirect_uri');
        if (location === null || uri === null || [...query.keys()].every((name) => asked.includes(name)))
          return location;
        return withParameter(withParameter(uri, 'error', 'invalid_request'), 'state', query.get('state') ?? '');
      }),
  },
  {
    id: 'M-AZ-27',
    bug: 'an empty state counts as one',
    rows: ['AUTH-REQ-011'],
    plant(seam) {
      seam.authorization((query) => void (query.get('state') === '' && query.set('state', 'it-was-empty')));
      seam.redirect((location) =>
        location?.includes('state=it-was-empty') ? withParameter(location, 'state', '') : location,
      );
    },
  },
  {
    id: 'N-AUTH-REQ-012',
    bug: 'of a parameter that is sent twice the last one counts',
    rows: ['AUTH-REQ-012'],
    plant: (seam) =>
      seam.authorization((query) => {
        for (const name of new Set(query.keys())) query.set(name, query.getAll(name).at(-1) ?? '');
      }),
  },
  {
    id: 'M-AZ-08',
    bug: 'response_type=token is honoured, with the token in the fragment',
    rows: ['AUTH-RESP-001', 'AUTH-REDIR-006'],
    plant: (seam) =>
      seam.redirect((location, { query, order }) =>
        query.get('response_type') === 'token' && order.decision === 'approve'
          ? `${query.get('redirect_uri')}#access_token=0123456789abcdef0123456789abcdef01234567&token_type=bearer&state=${encodeURIComponent(query.get('state') ?? '')}`
          : location,
      ),
  },
  {
    id: 'M-AZ-09',
    bug: 'response_type is compared without regard to case',
    rows: ['AUTH-RESP-001'],
    plant: (seam) =>
      seam.authorization((query) => {
        const type = query.get('response_type');
        if (type !== null) query.set('response_type', type.toLowerCase());
      }),
  },
  {
    id: 'M-AZ-18',
    bug: 'PKCE plain is accepted',
    rows: ['AUTH-PKCE-001'],
    plant: (seam) =>
      seam.authorization((query) => void (query.get('code_challenge_method') === 'plain' && hashed(query))),
  },
  {
    id: 'N-AUTH-PKCE-002',
    bug: 'the method is compared without regard to case',
    rows: ['AUTH-PKCE-002'],
    plant: (seam) =>
      seam.authorization((query) => {
        const method = query.get('code_challenge_method');
        if (method !== null) query.set('code_challenge_method', method.toUpperCase());
      }),
  },
];
