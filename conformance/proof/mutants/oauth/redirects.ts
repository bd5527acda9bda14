import type { OldMutant as Mutant } from '../../mutant.js';
import type { Json, Interceptor } from '../../interceptor/interceptor.js';
import { withParameter } from './planting.js';

/** Puts something else in place of `state` in a redirect. */
const stateAs =
  (change: (state: string) => string) =>
  (seam: Interceptor): void =>
    seam.redirect((location) => {
      const state = location === null ? null : new URL(location).searchParams.get('state');
      if (location === null || state === null) return location;
      return withParameter(location, 'state', change(state));
    });

/** A list of redirect URIs in which more is found than stands there. */
const finding = (uris: readonly string[], found: (uri: string) => boolean): readonly string[] =>
  Object.assign([...uris], { includes: (uri: string) => uris.indexOf(uri) >= 0 || found(uri) });

export const redirects: readonly Mutant[] = [
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
    id: 'N-AUTH-STATE-002',
    bug: 'redirected errors have no state',
    rows: ['AUTH-STATE-002'],
    plant: (seam) =>
      seam.redirect((location) =>
        location?.includes('error=') ? location.replace(/([?&])state=[^&]*&?/, '$1') : location,
      ),
  },
  {
    id: 'M-AD-12',
    bug: 'the redirect target gets a slash at its end',
    rows: ['AUTH-REDIR-001'],
    plant: (seam) => seam.redirect((location) => location?.replace(/^([^?]*)\?/, '$1/?')),
  },
  {
    id: 'N-AUTH-REDIR-005',
    bug: 'the query of the registered redirect_uri is lost',
    rows: ['AUTH-REDIR-005'],
    plant: (seam) => seam.redirect((location) => location?.replace('tenant=7&', '')),
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
    id: 'N-AUTH-ERR-003',
    bug: 'failures of good clients are shown on a page',
    rows: ['AUTH-ERR-003'],
    plant: (seam) =>
      seam.reply((reply, { path }) => {
        const body = reply.json as Json | undefined;
        if (path !== '/__control/consent' || !String(body?.location ?? '').includes('error=')) return;
        Object.assign(body!, { status: 400, location: null, body: '<p>That did not work.</p>' });
      }),
  },
];
