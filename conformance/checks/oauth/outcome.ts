import { oauthParameters } from '../../../src/contract/index.js';
import type { OAuthParameter } from '../../../src/contract/index.js';
import { check } from '../../engine/check.js';
import type { CheckDefinition, DefinedCheck } from '../../engine/check.js';
import type { AuthorizationRequest, Fields, OAuth, Redirect, Run } from '../../engine/run.js';
import { twisted } from '../../generators/oauth.js';
import type { Twist } from '../../generators/oauth.js';
import { Deviation, PrerequisiteFailed } from '../../verdict.js';
import { authorizationOrigins, endpointUrl } from '../../target/endpoints.js';
import type { Role } from '../../target/target.js';

/** A parameter of an authorization request; all are required (interface 4.1). */
export type Parameter = OAuthParameter<'authorize'>;
export const parameters: readonly Parameter[] = oauthParameters.authorize;

/** The clients of the target that users are sent to, one of each kind. */
export function codeRoles(run: Run): readonly Role[] {
  const roles = (['confidential', 'public'] as const).filter((role) => run.facts.target.clients[role]);
  if (roles.length === 0) run.expect.missing('a client confidential or public in the target');
  return roles;
}

/** The client that a check takes where any will do. */
export const anyRole = (run: Run): Role => codeRoles(run)[0]!;

/** A check of each kind of client that users are sent to. */
export const checkEach = ({
  judge,
  ...rest
}: CheckDefinition<(run: Run, role: Role) => Promise<unknown>>): DefinedCheck =>
  check({ ...rest, judge: (run) => run.expect.each('client %s', codeRoles(run), (role) => judge(run, role)) });

/** A request without a field. */
export const omit =
  (name: string) =>
  (fields: Fields): Fields =>
    fields.filter(([key]) => key !== name);

/** A request with another value in a field. */
export const put =
  (name: string, value: string | ((old: string) => string)) =>
  (fields: Fields): Fields =>
    fields.map(([key, old]) => [key, key !== name ? old : typeof value === 'string' ? value : value(old)]);

/** A request with a value that is missed narrowly. */
export const missed = (name: string, twist: Twist, options?: Parameters<typeof twisted>[2]) =>
  put(name, (old) => twisted(old, twist, options));

export const fieldOf = (fields: Fields, name: string): string => fields.find(([key]) => key === name)![1];

/** Scheme, user information, host, port and path of a URL, in one spelling; undefined where it is none. */
function placeOf(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const { protocol, username, password, host, pathname } = new URL(text);
  return `${protocol}//${username}:${password}@${host}${pathname}`;
}

/** Whether the browser was sent to a URI, whatever the query and fragment. */
export const reached = ({ location }: Pick<Redirect, 'location'>, uri: string): boolean =>
  location !== null && placeOf(location) !== undefined && placeOf(location) === placeOf(uri);

/**
 * Whether a redirect hands something to a client. A server may send the browser to a page of its own, and what stands
 * in the query there is no code (`/error?code=400`).
 */
function handedOver(run: Run, redirect: Redirect, offered: readonly string[]): boolean {
  const { target } = run.facts;
  const from = endpointUrl(target, 'authorize');
  if (redirect.location === null || !URL.canParse(redirect.location, from)) return false;
  const registered = Object.values(target.clients).flatMap(({ redirect_uris }) => redirect_uris);
  if ([...offered, ...registered].some((uri) => reached(redirect, uri))) return true;
  return !authorizationOrigins(target).has(new URL(redirect.location, from).origin);
}

/** What stands in the fragment of a redirect. */
const fragmentOf = ({ location }: Redirect): URLSearchParams =>
  new URLSearchParams(/#(.*)$/s.exec(location ?? '')?.[1] ?? '');

/** Whether the browser carries a code or token away; `offered` are the redirect URIs that the request named. */
export function gaveCode(run: Run, redirect: Redirect, offered: readonly string[]): boolean {
  if (!handedOver(run, redirect, offered)) return false;
  const fragment = fragmentOf(redirect);
  return ['code', 'access_token', 'id_token'].some((name) => redirect.query.has(name) || fragment.has(name));
}

/** Parameters of a response that are told by themselves, or say nothing. */
const responseNames = new Set(['code', 'error', 'state', 'error_description', 'error_uri', 'iss']);

/** Where the browser was sent, in words without secrets. */
export function described(redirect: Redirect): string {
  const { status, location, code, error, query } = redirect;
  if (location === null) return `status ${status} and no redirect`;
  const state = query.get('state');
  const others = [...new Set(query.keys())].filter((name) => !responseNames.has(name));
  const behind = [...new Set(fragmentOf(redirect).keys())];
  const parts = [
    code !== null && 'a code',
    error !== null && `error ${error}`,
    state !== null && `state ${JSON.stringify(state)}`,
    others.length > 0 && others.join(', '),
    behind.length > 0 && `${behind.join(', ')} in the fragment`,
  ].filter((part) => part !== false);
  return `status ${status}, sent to ${location.replace(/[?#].*$/s, '')} with ${parts.join(', ') || 'nothing'}`;
}

/** An expectation of where the browser was sent. */
export const thatSent = (run: Run, redirect: Redirect, holds: boolean, expected: string): void =>
  run.expect.that(holds, expected, described(redirect));

/** The redirect URIs that a request names. */
const offeredIn = (fields: Fields): readonly string[] =>
  fields.filter(([name]) => name === 'redirect_uri').map(([, value]) => value);

/** Nobody was handed a code or a token. */
export function noCode(run: Run, redirect: Redirect, fields: Fields): void {
  thatSent(run, redirect, !gaveCode(run, redirect, offeredIn(fields)), 'no code');
}

/**
 * No code; and where the browser was sent back to the client, an error. Whether it must be sent back is the business of
 * AUTH-ERR-003, and whether the error is one of these that of AUTH-ERR-004.
 */
export function refusedWith(run: Run, errors: readonly string[], alike: readonly string[] = []) {
  return (redirect: Redirect, fields: Fields): void => {
    noCode(run, redirect, fields);
    const [uri] = offeredIn(fields);
    if (uri === undefined || !reached(redirect, uri)) return;
    const error = redirect.error ?? fragmentOf(redirect).get('error');
    thatSent(run, redirect, error !== null, 'an error at the redirect URI');
    run.expect.sentBack({ ...redirect, error }, { errors, alike });
  };
}

/** A request that works was approved: back at the redirect URI with a code. */
export function gotCode(run: Run, redirect: Redirect, { redirect_uri }: AuthorizationRequest): void {
  thatSent(run, redirect, reached(redirect, redirect_uri), `a redirect to ${redirect_uri}`);
  thatSent(run, redirect, Boolean(redirect.code), 'a code in the query of the redirect');
}

/** The same, and the state is as it was. */
export function approved(run: Run, redirect: Redirect, request: AuthorizationRequest): void {
  gotCode(run, redirect, request);
  run.expect.equal(redirect.query.get('state'), request.state, 'state in the query of the redirect');
}

type FieldChange = (fields: Fields, request: AuthorizationRequest) => Fields;

/** Sends a user with the changed request, who approves, and judges where it led: by default, not to a code. */
export type RefuseRequest = (
  what: string,
  change: FieldChange,
  refused?: (redirect: Redirect, fields: Fields, request: AuthorizationRequest) => void,
) => Promise<Redirect>;

/**
 * The negative of the authorization endpoint, where the answer is what a browser meets and not a response: a complete
 * request that must give a code, then the same with one thing changed.
 */
export async function refusing(
  run: Run,
  role: Role,
  options?: Parameters<OAuth['authorizationRequest']>[1],
): Promise<RefuseRequest> {
  const control = run.oauth.authorizationRequest(role, options);
  const redirect = await run.oauth.authorize(control.fields);
  if (redirect.code === null) {
    throw new PrerequisiteFailed(
      `the unchanged request did not work, so a refusal shows nothing: expected a code; got ${described(redirect)}`,
    );
  }
  return async (what, change, refused = (redirect, fields) => noCode(run, redirect, fields)) => {
    const request = run.oauth.authorizationRequest(role, options);
    const fields = change(request.fields, request);
    const changed = await run.oauth.authorize(fields);
    try {
      refused(changed, fields, request);
    } catch (error) {
      throw error instanceof Deviation ? error.within(what) : error;
    }
    return changed;
  };
}
