import { endpointPaths } from './table.js';
import type { Endpoint } from './table.js';
import type { Target } from './target.js';

export { endpointPaths } from './table.js';
export type { Endpoint } from './table.js';

/** The same by their operations. */
export const endpointOperations = {
  authorize: 'authorize',
  token: 'issueToken',
  revoke: 'revokeToken',
  introspect: 'introspectToken',
} as const;

export const endpoints = Object.keys(endpointPaths) as readonly Endpoint[];

type Addresses = Pick<Target, 'auth_url' | 'paths'>;

/** Scheme, host and what follows: `paths` has paths below auth_url, and URLs of endpoints elsewhere. */
export const isAbsolute = (path: string): boolean => /^https?:\/\//i.test(path);

/** The URL of an endpoint of this server. */
export const endpointUrl = ({ auth_url: base, paths }: Addresses, endpoint: Endpoint): string => {
  const path = paths[endpoint] ?? endpointPaths[endpoint];
  return isAbsolute(path) ? path : base + path;
};

/** The URL of a path of the interface on this server; any other path is below auth_url as written. */
export function authorizationUrl(target: Addresses, path: string): string {
  const endpoint = endpoints.find((one) => endpointPaths[one] === path);
  if (endpoint !== undefined) return endpointUrl(target, endpoint);
  return target.auth_url + (path.startsWith('/') ? path : `/${path}`);
}

/** What the interface has for a URL: the path of the endpoint that this server has there, with the URL's query. */
export function endpointPath(target: Addresses, url: string): string | undefined {
  const [place = '', query] = url.split(/(?=[?#])(.*)/s);
  const found = endpoints.find((one) => endpointUrl(target, one).replace(/\?.*$/s, '') === place);
  return found && endpointPaths[found] + (query ?? '');
}

/** A URL with further parameters: that of an authorization endpoint may have a query of its own (RFC 6749 3.1). */
export const withQuery = (url: string, query: string): string =>
  query === '' ? url : `${url}${url.includes('?') ? '&' : '?'}${query}`;

/** The origins that belong to the authorization server. */
export const authorizationOrigins = (target: Addresses): ReadonlySet<string> =>
  new Set([target.auth_url, ...endpoints.map((one) => endpointUrl(target, one))].map((url) => new URL(url).origin));
