import type { RowId } from '../../../ledger.gen.js';
import type { Interceptor } from '../../interceptor/interceptor.js';
import { forEach, mutants, operator } from '../../mutant.js';
import type { Entries, MutantEntry } from '../../mutant.js';
import { clientOf, codeOf, field, isPublic, parameterOf, redirect, withParameter } from '../../operators/oauth.js';

type UriMatch = (offered: string, registered: string) => boolean;

/** Redirect URIs that are found registered although they are not the same text. */
const matched = operator('matched', (at, same: UriMatch) =>
  at.clients(({ redirectUris }) => ({
    redirectUris: Object.assign([...redirectUris], {
      includes(uri: string) {
        if (redirectUris.indexOf(uri) >= 0) return true;
        const found = redirectUris.some((registered) => same(uri, registered));
        if (found) at.acted();
        return found;
      },
    }),
  })),
);

/** Redirect URIs of an exchange that are taken for the one that the code was received with. */
const matchedAtExchange = operator('matchedAtExchange', (at, same: UriMatch) =>
  field('issueToken', 'redirect_uri', (offered, form) => {
    const received = codeOf(form, at)?.redirectUri;
    return offered && received && same(offered, received) && received;
  }),
);

/** Both parsed, and compared in some of their parts. */
const by =
  (...parts: readonly (keyof URL)[]): UriMatch =>
  (offered, registered) => {
    if (!URL.canParse(offered)) return false;
    const [one, other] = [new URL(offered), new URL(registered)];
    return parts.every((part) => one[part] === other[part]);
  };

const isDecoded: UriMatch = (offered, registered) => {
  try {
    return decodeURIComponent(new URL(offered).href) === registered;
  } catch {
    return false;
  }
};

const isSubdomain: UriMatch = (offered, registered) =>
  by('pathname')(offered, registered) && new URL(offered).hostname.endsWith(`.${new URL(registered).hostname}`);

/** Both without what a pattern matches. */
const without =
  (pattern: RegExp): UriMatch =>
  (offered, registered) =>
    offered.replace(pattern, '') === registered.replace(pattern, '');

const comparisons: Readonly<Record<string, UriMatch>> = {
  'case: without regard to case': (offered, registered) => offered.toLowerCase() === registered.toLowerCase(),
  'encoded: with percent-encoded characters decoded': (offered, registered) =>
    decodeURI(offered) === decodeURI(registered),
  'slash: without regard to a slash at its end': without(/\/$/),
  'query: without its query': by('origin', 'pathname', 'username', 'hash'),
  'fragment: without its fragment': (offered, registered) => offered.split('#')[0] === registered,
  'line: by its first line': (offered, registered) => offered.split('\n')[0] === registered,
  'origin: by its origin alone': by('origin'),
  'host: without its port': by('protocol', 'hostname', 'pathname', 'search', 'username', 'hash'),
  'scheme: without its scheme': without(/^https?:/),
  'userinfo: without its user information': by('origin', 'pathname', 'search', 'hash'),
  'ending: by how it ends': (offered, registered) => offered.endsWith(registered),
  'suffix: by its host, of which subdomains are accepted': isSubdomain,
  'decoded: after it was percent-decoded and its dots resolved': isDecoded,
};

/** Addresses of loopback, which public clients have. */
const onLoopback =
  (same: UriMatch): UriMatch =>
  (offered, registered) =>
    registered.startsWith('http:') && same(offered, registered);

/** A mutant for each comparison whose key fits. */
const each = (row: RowId, keys: RegExp, what: string, compared: (same: UriMatch) => MutantEntry): Entries =>
  forEach(
    Object.entries(comparisons).filter(([text]) => keys.test(text)),
    ([text, same]) => ({ [`${row} ${text.replace(': ', `: ${what} is compared `)}`]: () => compared(same) }),
  );

const isRegistered = (uri: string, { service }: Interceptor): boolean =>
  [...service.authority.clients.values()].some(({ redirectUris }) => redirectUris.includes(uri));

export const redirectMatching = mutants({
  ...each('AUTH-REDIR-002', /^/, 'redirect_uri', matched),
  'AUTH-REDIR-002 public: a public client may name any path of its loopback address': () =>
    matched(onLoopback(by('protocol', 'hostname', 'port'))),
  'AUTH-REDIR-002 loopback: localhost and 127.0.0.1 are taken for each other': () =>
    matched(onLoopback(without(/(?<=^http:\/\/)(localhost|127\.0\.0\.1)(?=[:/])/))),
  ...each('AUTH-CODE-013', /^(case|slash|query|origin|host|scheme):/, 'redirect_uri of an exchange', matchedAtExchange),
  'AUTH-CODE-013 registered: redirect_uri of an exchange may be any that is registered': () =>
    field('issueToken', 'redirect_uri', (uri, form, at) => isRegistered(uri, at) && codeOf(form, at)?.redirectUri),
  'AUTH-CODE-013 public: redirect_uri of a public exchange is not compared': () =>
    field('issueToken', 'redirect_uri', (uri, form, at) => uri && isPublic(form, at) && codeOf(form, at)?.redirectUri),
  'AUTH-CODE-012 public: a public client may leave redirect_uri out of the exchange': () =>
    field('issueToken', 'redirect_uri', (uri, form, at) => !uri && isPublic(form, at) && codeOf(form, at)?.redirectUri),
  'AUTH-REDIR-003 registered: with an unknown client_id the browser is sent to an address that some client has registered':
    () =>
      redirect((location, { query }, at) => {
        const uri = query.get('redirect_uri') ?? '';
        if (location !== null || clientOf(query, at) || !isRegistered(uri, at)) return location;
        return withParameter(uri, 'error', 'invalid_client');
      }),
  'AUTH-REDIR-003 nowhere: with an unknown client_id the browser is redirected, with an empty Location': () =>
    redirect((location, { query }, at) => (location === null && !clientOf(query, at) ? '' : location)),
  'AUTH-REDIR-003 case: client_id is looked up without regard to case': () =>
    field('authorize', 'client_id', (given, _, { service }) =>
      [...service.authority.clients.keys()].find((id) => id.toLowerCase() === given.toLowerCase()),
    ),
  'AUTH-REDIR-005 first: the browser goes to the first registered address, whichever was asked for': () =>
    redirect((location, { query }, at) => {
      const first = clientOf(query, at)?.redirectUris[0];
      if (location === null || first === undefined || query.get('redirect_uri') === first) return location;
      return ['code', 'state', 'error'].reduce((to, name) => {
        const value = parameterOf(location, name);
        return value === null ? to : withParameter(to, name, value);
      }, first);
    }),
  'AUTH-REDIR-005 error: an error replaces the query of the registered redirect_uri': () =>
    redirect((location) => (location?.includes('error=') ? location.replace('tenant=7&', '') : location)),
  'AUTH-REDIR-005 mark: a second question mark is put after the query of the registered redirect_uri': () =>
    redirect((location) => location?.replace('tenant=7&', 'tenant=7?')),
  'AUTH-REDIR-006 error: errors are told in the fragment': () =>
    redirect((location) => (location?.includes('error=') ? location.replace('?', '#') : location)).exercise(
      'AUTH-DENY-001',
      'AUTH-ERR-003',
    ),
  'AUTH-REDIR-006 both: code and state stand in the query and in the fragment': () =>
    redirect((location) =>
      location?.includes('code=') ? `${location}#code=${parameterOf(location, 'code')}` : location,
    ).exercise('AUTH-REQ-001'),
});
