import { hash } from 'node:crypto';

import type { Mutant } from '../../mutant.js';
import type { Json, Seam } from '../../seam/seam.js';
import { isConsent } from '../../seam/seam.js';

/** Puts something else in place of `state` in a redirect. */
const stateAs =
  (change: (state: string) => string) =>
  (seam: Seam): void =>
    seam.redirect((location) => {
      const state = location === null ? null : new URL(location).searchParams.get('state');
      if (location === null || state === null) return location;
      return withParameter(location, 'state', change(state));
    });

function withParameter(location: string, name: string, value: string | null): string {
  const url = new URL(location);
  if (value === null) url.searchParams.delete(name);
  else url.searchParams.set(name, value);
  return url.href;
}

/** A list of redirect URIs in which more is found than stands there. */
const finding = (uris: readonly string[], found: (uri: string) => boolean): readonly string[] =>
  Object.assign([...uris], { includes: (uri: string) => uris.indexOf(uri) >= 0 || found(uri) });

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

export const authorize: readonly Mutant[] = [
  {
    id: 'M-AD-07',
    bug: 'response_type defaults to code',
    rows: ['AUTH-REQ-002'],
    plant: (seam) =>
      seam.authorization((query) => void (query.get('response_type') || query.set('response_type', 'code'))),
  },
  {
    id: 'M-AD-12',
    bug: 'the redirect target gets a slash at its end',
    rows: ['AUTH-REDIR-001'],
    plant: (seam) => seam.redirect((location) => location?.replace(/^([^?]*)\?/, '$1/?')),
  },
  {
    id: 'M-AD-14',
    bug: 'error_description carries quotes from user input',
    rows: ['AUTH-ERR-002'],
    plant: (seam) =>
      seam.redirect((location, { query }) =>
        location?.includes('error=')
          ? withParameter(location, 'error_description', `not for "${query.get('scope') ?? ''}"`)
          : location,
      ),
  },
  {
    id: 'M-AD-15',
    bug: 'codes are derived from the user and the second',
    rows: ['AUTH-CODEFMT-001'],
    plant: (seam) =>
      seam.authority((authority) => ({
        newToken() {
          const request = seam.current;
          if (!request || !isConsent(request)) return authority.newToken();
          seam.acted();
          const { account } = request.json as Json;
          return hash('sha1', `${String(account)} ${Math.floor(authority.now() / 1000)}`, 'hex');
        },
      })),
  },
  {
    id: 'M-AZ-01',
    bug: 'state is not encoded in the redirect, and so cut at the first & or #',
    rows: ['AUTH-STATE-001'],
    plant: (seam) =>
      seam.redirect((location) => {
        const state = location === null ? null : new URL(location).searchParams.get('state');
        return state === null ? location : location?.replace(/([?&]state=)[^&]*/, (_, name: string) => name + state);
      }),
  },
  {
    id: 'M-AZ-03',
    bug: '+ in state becomes a space',
    rows: ['AUTH-STATE-001'],
    plant: stateAs((state) => state.replaceAll('+', ' ')),
  },
  {
    id: 'M-AZ-04',
    bug: 'state is put in lower case',
    rows: ['AUTH-STATE-001'],
    plant: stateAs((state) => state.toLowerCase()),
  },
  { id: 'M-AZ-04-trim', bug: 'state is trimmed', rows: ['AUTH-STATE-001'], plant: stateAs((state) => state.trim()) },
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
    id: 'M-AZ-11',
    bug: 'redirect_uri is matched by its beginning',
    rows: ['AUTH-REDIR-002'],
    plant: (seam) =>
      seam.clients(({ redirectUris }) => ({
        redirectUris: finding(redirectUris, (uri) => {
          const found = redirectUris.some((registered) => uri.startsWith(registered));
          if (found) seam.acted();
          return found;
        }),
      })),
  },
  {
    id: 'M-AZ-14',
    bug: 'a redirect_uri of any registered client is accepted',
    rows: ['AUTH-REDIR-004'],
    plant: (seam) =>
      seam.authority(({ clients }) => ({
        clients: new Map(
          [...clients].map(([id, client]) => [
            id,
            {
              ...client,
              redirectUris: finding(client.redirectUris, (uri) => {
                const found = [...clients.values()].some(({ redirectUris }) => redirectUris.indexOf(uri) >= 0);
                if (found) seam.acted();
                return found;
              }),
            },
          ]),
        ),
      })),
  },
  {
    id: 'M-AZ-16',
    bug: 'with an unknown client_id the browser is sent to the offered address, with an error',
    rows: ['AUTH-REDIR-003'],
    plant: (seam) =>
      seam.redirect((location, { query }) => {
        const uri = query.get('redirect_uri');
        if (location !== null || uri === null || seam.service.authority.clients.has(query.get('client_id') ?? ''))
          return location;
        return withParameter(withParameter(uri, 'error', 'unauthorized_client'), 'state', query.get('state') ?? '');
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
    id: 'M-AZ-20',
    bug: 'a missing code_challenge_method defaults to plain',
    rows: ['AUTH-REQ-006'],
    plant: (seam) => seam.authorization((query) => void (query.has('code_challenge_method') || hashed(query))),
  },
  {
    id: 'M-AZ-23',
    bug: 'a code is issued although the user denied',
    rows: ['AUTH-DENY-001', 'AUTH-ERR-001'],
    plant: (seam) =>
      seam.redirect((location, { order }) =>
        location !== null && order.decision === 'deny'
          ? withParameter(location, 'code', seam.service.authority.newToken())
          : location,
      ),
  },
  {
    id: 'M-AZ-24',
    bug: 'a code is issued without consent',
    rows: ['AUTH-NOCONSENT-001'],
    plant(seam) {
      seam.switches({ 'consent.mode': 'auto' });
      seam.reply((reply, request) => {
        if (request.operation === 'authorize' && reply.headers.location?.includes('code=')) seam.acted();
      });
    },
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
    id: 'M-AZ-31',
    bug: 'an unknown scope is echoed as granted',
    rows: ['AUTH-SCOPE-001'],
    plant(seam) {
      const byCode = new Map<string, string>();
      seam.switches({ 'scopes.unknown': 'drop' });
      seam.redirect((location, { query }) => {
        const code = location === null ? null : new URL(location).searchParams.get('code');
        if (code !== null) byCode.set(code, query.get('scope') ?? '');
        return location;
      });
      seam.oauth('issueToken', (body, _, { form }) => {
        const scope = byCode.get(form.get('code') ?? '');
        if (scope !== undefined && body.scope !== undefined) body.scope = scope;
      });
    },
  },
  {
    id: 'M-AZ-35',
    bug: "the token carries the application owner's identity in place of the user's",
    rows: ['AUTH-USER-001'],
    plant: (seam) =>
      seam.store((store, acted) => ({
        addCode(code) {
          acted();
          store.addCode({ ...code, grant: { ...code.grant, account: 'owner' } });
        },
      })),
  },
];
