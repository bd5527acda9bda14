import { scopes as contractScopes } from '../../src/contract/index.js';
import { isObject } from '../json.js';
import type { JsonObject } from '../json.js';
import { redirectOf } from './answers.js';
import { unreachable } from './unreachable.js';
import { endpointPaths, endpoints } from './endpoints.js';
import type { Endpoint } from './endpoints.js';
import type { Transport } from './hooks.js';
import { SetupError } from '../../src/input/setup-error.js';

/** What the metadata of an authorization server says (RFC 8414, OpenID Connect Discovery 1.0). */
export interface Discovery {
  /** The issuer, without a slash at the end. */
  readonly issuer: string;
  readonly paths: Readonly<Partial<Record<Endpoint, string>>>;
  /** Where it was read. */
  readonly sources: readonly string[];
  /** What is missing in it, or differs from what the interface wants, a line each. */
  readonly remarks: readonly string[];
}

const members: Readonly<Record<Endpoint, string>> = {
  authorize: 'authorization_endpoint',
  token: 'token_endpoint',
  revoke: 'revocation_endpoint',
  introspect: 'introspection_endpoint',
};

/** Where the metadata of an issuer may be: RFC 8414 3.1 puts the well-known part before the issuer's path, OpenID behind it. */
function metadataUrls(issuer: string): readonly string[] {
  const { origin, pathname } = new URL(issuer);
  const path = pathname.replace(/(?<!\/)\/+$/, '');
  return [
    ...new Set([
      `${origin}/.well-known/oauth-authorization-server${path}`,
      `${origin}${path}/.well-known/openid-configuration`,
      `${origin}/.well-known/openid-configuration${path}`,
      `${origin}${path}/.well-known/oauth-authorization-server`,
    ]),
  ];
}

/**
 * Reads where an issuer has its endpoints.
 *
 * @param issuer its URL, or that of its metadata
 * @throws SetupError where it is no URL, does not answer, or has no metadata
 */
export async function discovered(issuer: string, transport: Transport): Promise<Discovery> {
  if (!/^https?:\/\//i.test(issuer) || !URL.canParse(issuer))
    throw new SetupError(`--from ${issuer}: not an http or https URL; write it as https://login.example/realms/one`);
  const base = issuer
    .replace(/[?#].*$/s, '')
    .replace(/\/\.well-known\/(?:oauth-authorization-server|openid-configuration)/, '');
  const found: { readonly url: string; readonly metadata: JsonObject }[] = [];
  const tried: string[] = [];
  for (const url of metadataUrls(base)) {
    const met = await metadataAt(url, transport);
    if (typeof met === 'string') tried.push(`${url} returned ${met}`);
    else found.push({ url, metadata: met });
  }
  if (found.length === 0)
    throw new SetupError(
      `--from ${issuer}: no metadata of an authorization server: ${tried.join('; ')}; ` +
        'name the issuer as the server has it, or write a file with gamedata target init and fill in paths',
    );
  const metadata = Object.assign({}, ...found.map((one) => one.metadata).toReversed()) as JsonObject;
  const own = base.replace(/(?<!\/)\/+$/, '');
  const paths = pathsOf(metadata, own);
  return {
    issuer: own,
    paths,
    sources: found.map(({ url }) => url),
    remarks: [...remarksOn(metadata, paths, own)],
  };
}

/** The metadata at a URL, or what is there instead. */
async function metadataAt(url: string, transport: Transport): Promise<JsonObject | string> {
  let answer: Awaited<ReturnType<Transport>>;
  try {
    answer = await transport({ method: 'GET', url, headers: { accept: 'application/json' } });
  } catch (error) {
    const { met, remedy } = unreachable(error, url);
    throw new SetupError(`--from ${url}: ${met}; ${remedy.replaceAll('{key}', '--from')}`);
  }
  const location = redirectOf(answer);
  if (location !== undefined) return `${answer.status}, a redirect to ${location}`;
  if (answer.status !== 200) return String(answer.status);
  const value = parsed(answer.text);
  return isObject(value) && endpoints.some((one) => typeof value[members[one]] === 'string')
    ? value
    : '200 without endpoints in JSON';
}

function pathsOf(metadata: JsonObject, base: string): Discovery['paths'] {
  return Object.fromEntries(
    endpoints.flatMap((endpoint) => {
      const url = metadata[members[endpoint]];
      if (typeof url !== 'string' || !URL.canParse(url)) return [];
      return [[endpoint, url.startsWith(`${base}/`) ? url.slice(base.length) : url]];
    }),
  );
}

const listed = (value: unknown): readonly unknown[] | undefined => (Array.isArray(value) ? value : undefined);

function* remarksOn(metadata: JsonObject, paths: Discovery['paths'], base: string): Generator<string> {
  const { issuer } = metadata;
  if (typeof issuer === 'string' && issuer.replace(/(?<!\/)\/+$/, '') !== base)
    yield `it calls itself ${issuer}, not ${base} (RFC 8414 3.3)`;
  for (const endpoint of endpoints)
    if (paths[endpoint] === undefined)
      yield `it has no ${members[endpoint]}: paths.${endpoint} stays ${endpointPaths[endpoint]}`;
  if (listed(metadata.code_challenge_methods_supported)?.includes('S256') === false)
    yield 'it does not list S256 in code_challenge_methods_supported';
  if (listed(metadata.token_endpoint_auth_methods_supported)?.includes('client_secret_post') === false)
    yield 'it does not list client_secret_post in token_endpoint_auth_methods_supported, and the interface sends secrets so';
  for (const grant of ['authorization_code', 'refresh_token', 'client_credentials'])
    if (listed(metadata.grant_types_supported)?.includes(grant) === false)
      yield `it does not list ${grant} in grant_types_supported`;
  const missing = Object.keys(contractScopes).filter(
    (scope) => listed(metadata.scopes_supported)?.includes(scope) === false,
  );
  if (missing.length > 0)
    yield `it does not list in scopes_supported: ${missing.join(', ')}; register those that you need`;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
