import type { OldMutant as Mutant } from '../../mutant.js';
import type { Interceptor } from '../../interceptor/interceptor.js';
import { codeOf, parameterOf, withParameter } from './planting.js';

type Match = (offered: string, registered: string) => boolean;

/** Redirect URIs that are found registered although they are not the same text. */
const matched =
  (same: Match): Mutant['plant'] =>
  (seam) =>
    seam.clients(({ redirectUris }) => ({
      redirectUris: Object.assign([...redirectUris], {
        includes(uri: string) {
          if (redirectUris.indexOf(uri) >= 0) return true;
          const found = redirectUris.some((registered) => same(uri, registered));
          if (found) seam.acted();
          return found;
        },
      }),
    }));

/** Redirect URIs of an exchange that are taken for the one that the code was received with. */
const matchedAtExchange =
  (same: Match): Mutant['plant'] =>
  (seam) =>
    seam.form('issueToken', (form) => {
      const code = codeOf(form, seam);
      const offered = form.get('redirect_uri');
      if (code && offered && same(offered, code.redirectUri)) form.set('redirect_uri', code.redirectUri);
    });

/** Both parsed, and compared in some of their parts. */
const byParts =
  (parts: (url: URL) => readonly string[]): Match =>
  (offered, registered) => {
    if (!URL.canParse(offered)) return false;
    const [one, other] = [new URL(offered), new URL(registered)].map((url) => parts(url).join(' '));
    return one === other;
  };

const ways: readonly { readonly word: string; readonly bug: string; readonly same: Match }[] = [
  {
    word: 'case',
    bug: 'without regard to case',
    same: (offered, registered) => offered.toLowerCase() === registered.toLowerCase(),
  },
  {
    word: 'encoded',
    bug: 'with percent-encoded characters decoded',
    same: (offered, registered) => decodeURI(offered) === decodeURI(registered),
  },
  {
    word: 'slash',
    bug: 'without regard to a slash at its end',
    same: (offered, registered) => offered.replace(/\/$/, '') === registered.replace(/\/$/, ''),
  },
  {
    word: 'query',
    bug: 'without its query',
    same: byParts(({ origin, pathname, username, hash }) => [origin, pathname, username, hash]),
  },
  {
    word: 'fragment',
    bug: 'without its fragment',
    same: (offered, registered) => offered.split('#')[0] === registered,
  },
  {
    word: 'origin',
    bug: 'by its origin alone',
    same: byParts(({ origin }) => [origin]),
  },
  {
    word: 'host',
    bug: 'without its port',
    same: byParts(({ protocol, hostname, pathname, search, username, hash }) => [
      protocol,
      hostname,
      pathname,
      search,
      username,
      hash,
    ]),
  },
  {
    word: 'scheme',
    bug: 'without its scheme',
    same: (offered, registered) => offered.replace(/^https?:/, '') === registered.replace(/^https?:/, ''),
  },
  {
    word: 'userinfo',
    bug: 'without its user information',
    same: byParts(({ origin, pathname, search, hash }) => [origin, pathname, search, hash]),
  },
  {
    word: 'suffix',
    bug: 'by its host, of which subdomains are accepted',
    same: (offered, registered) =>
      URL.canParse(offered) &&
      new URL(offered).hostname.endsWith(`.${new URL(registered).hostname}`) &&
      new URL(offered).pathname === new URL(registered).pathname,
  },
  {
    word: 'decoded',
    bug: 'after it was percent-decoded and its dots resolved',
    same: (offered, registered) => {
      if (!URL.canParse(offered)) return false;
      try {
        return decodeURIComponent(new URL(offered).href) === registered;
      } catch {
        return false;
      }
    },
  },
];

/** Requests of one client only. */
const ofClient = (seam: Interceptor, type: 'confidential' | 'public', form: URLSearchParams): boolean =>
  seam.service.authority.clients.get(form.get('client_id') ?? '')?.type === type;

export const redirectMatching: readonly Mutant[] = [
  ...ways.map(({ word, bug, same }): Mutant => ({
    id: `N-AUTH-REDIR-002-${word}`,
    bug: `redirect_uri is compared ${bug}`,
    rows: ['AUTH-REDIR-002'],
    plant: matched(same),
  })),
  ...ways
    .filter(({ word }) => ['case', 'slash', 'query', 'origin', 'host', 'scheme'].includes(word))
    .map(({ word, bug, same }): Mutant => ({
      id: `N-AUTH-CODE-013-${word}`,
      bug: `redirect_uri of an exchange is compared ${bug}`,
      rows: ['AUTH-CODE-013'],
      plant: matchedAtExchange(same),
    })),
  {
    id: 'N-AUTH-CODE-013-registered',
    bug: 'redirect_uri of an exchange may be any that is registered for the client',
    rows: ['AUTH-CODE-013'],
    plant: (seam) =>
      matchedAtExchange((offered) => {
        const id = seam.service.authority.clients.get(offered)?.id;
        const all = [...seam.service.authority.clients.values()].flatMap(({ redirectUris }) => redirectUris);
        return id === undefined && all.includes(offered);
      })(seam),
  },
  {
    id: 'N-AUTH-CODE-013-public',
    bug: 'redirect_uri of a public exchange is not compared',
    rows: ['AUTH-CODE-013'],
    plant: (seam) =>
      seam.form('issueToken', (form) => {
        const code = codeOf(form, seam);
        if (code && form.get('redirect_uri') && ofClient(seam, 'public', form))
          form.set('redirect_uri', code.redirectUri);
      }),
  },
  {
    id: 'N-AUTH-CODE-012-public',
    bug: 'a public client may leave redirect_uri out of the exchange',
    rows: ['AUTH-CODE-012'],
    plant: (seam) =>
      seam.form('issueToken', (form) => {
        const code = codeOf(form, seam);
        if (code && !form.get('redirect_uri') && ofClient(seam, 'public', form))
          form.set('redirect_uri', code.redirectUri);
      }),
  },
  {
    id: 'N-AUTH-REDIR-005-first',
    bug: 'the browser goes to the first registered address, whichever was asked for',
    rows: ['AUTH-REDIR-005'],
    plant: (seam) =>
      seam.redirect((location, { query }) => {
        const first = seam.service.authority.clients.get(query.get('client_id') ?? '')?.redirectUris[0];
        if (location === null || first === undefined || query.get('redirect_uri') === first) return location;
        const to = new URL(first);
        for (const name of ['code', 'state', 'error']) {
          const value = parameterOf(location, name);
          if (value !== null) to.searchParams.set(name, value);
        }
        return to.href;
      }),
  },
  {
    id: 'N-AUTH-REDIR-005-error',
    bug: 'an error replaces the query of the registered redirect_uri',
    rows: ['AUTH-REDIR-005'],
    plant: (seam) =>
      seam.redirect((location) => (location?.includes('error=') ? location.replace('tenant=7&', '') : location)),
  },
  {
    id: 'N-AUTH-REDIR-005-mark',
    bug: 'a second question mark is put after the query of the registered redirect_uri',
    rows: ['AUTH-REDIR-005'],
    plant: (seam) => seam.redirect((location) => location?.replace('tenant=7&', 'tenant=7?')),
  },
  {
    id: 'N-AUTH-REDIR-006-error',
    bug: 'errors are told in the fragment',
    rows: ['AUTH-REDIR-006'],
    beside: ['AUTH-DENY-001', 'AUTH-ERR-003'],
    plant: (seam) =>
      seam.redirect((location) => (location?.includes('error=') ? location.replace('?', '#') : location)),
  },
  {
    id: 'N-AUTH-REDIR-006-both',
    bug: 'code and state stand in the query and in the fragment',
    rows: ['AUTH-REDIR-006'],
    beside: ['AUTH-REQ-001'],
    plant: (seam) =>
      seam.redirect((location) =>
        location?.includes('code=') ? `${location}#code=${parameterOf(location, 'code')}` : location,
      ),
  },
  {
    id: 'N-AUTH-REDIR-003-registered',
    bug: 'with an unknown client_id the browser is sent to an address that some client has registered',
    rows: ['AUTH-REDIR-003'],
    plant: (seam) =>
      seam.redirect((location, { query }) => {
        const uri = query.get('redirect_uri');
        const { clients } = seam.service.authority;
        if (location !== null || uri === null || clients.has(query.get('client_id') ?? '')) return location;
        const known = [...clients.values()].some(({ redirectUris }) => redirectUris.indexOf(uri) >= 0);
        return known ? withParameter(uri, 'error', 'invalid_client') : location;
      }),
  },
  {
    id: 'N-AUTH-REDIR-003-case',
    bug: 'client_id is looked up without regard to case',
    rows: ['AUTH-REDIR-003'],
    plant: (seam) =>
      seam.authorization((query) => {
        const given = query.get('client_id')?.toLowerCase();
        const meant = [...seam.service.authority.clients.keys()].find((id) => id.toLowerCase() === given);
        if (meant !== undefined) query.set('client_id', meant);
      }),
  },
];
