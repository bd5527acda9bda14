import type { Redirect } from '../engine/run.js';
import { authorizationOrigins, endpointUrl } from '../target/endpoints.js';
import type { ClientEntry, Target } from '../target/target.js';
import { clipped } from '../wire/bounds.js';
import type { AuthorizationAsked, Rule, MonitorRow, Rules } from './rule.js';
import type { Findings } from './findings.js';
import { errorTexts } from './oauth-errors.js';
import { show } from './values.js';

const errors: ReadonlySet<string> = new Set([
  'invalid_request',
  'unauthorized_client',
  'access_denied',
  'unsupported_response_type',
  'invalid_scope',
  'server_error',
  'temporarily_unavailable',
]);

/** The parts of a location, as they were sent. */
interface Location {
  readonly base: string;
  readonly fragment: string;
}

function partsOf(location: string): Location {
  const hash = location.indexOf('#');
  const whole = hash < 0 ? location : location.slice(0, hash);
  const query = whole.indexOf('?');
  return { base: query < 0 ? whole : whole.slice(0, query), fragment: hash < 0 ? '' : location.slice(hash + 1) };
}

/** Scheme and host without letter case, and a root path where there is none: what no client can tell apart. */
function plain(base: string): string {
  const parts = /^([A-Za-z][A-Za-z0-9+.-]*:\/\/[^/]*)(\/.*)?$/.exec(base);
  return parts ? `${parts[1]?.toLowerCase()}${parts[2] ?? '/'}` : base;
}

const isLoopback = (base: string): boolean => /^http:\/\/(127\.0\.0\.1|localhost|\[::1\])(:\d+)?(\/|$)/i.test(base);

const asked = (name: string, { fields }: AuthorizationAsked): readonly string[] =>
  fields.filter(([field]) => field === name).map(([, value]) => value);

/** A state with an empty value is left out (RFC 6749 3.1): AUTH-REQ-004 is about that. */
const stated = (request: AuthorizationAsked): readonly string[] =>
  asked('state', request).filter((value) => value !== '');

/** A redirect to a client, with where it may go. */
interface ToClient extends Location {
  readonly redirect: Redirect;
  readonly request: AuthorizationAsked;
  readonly allowed: readonly string[];
  readonly isAllowed: boolean;
  /** The names that the redirect URI's own query has. */
  readonly ownQuery: URLSearchParams;
}

function clientOf(target: Target, request: AuthorizationAsked): ClientEntry | undefined {
  const [id] = asked('client_id', request);
  const byId = Object.values(target.clients).find((client) => client.client_id === id);
  return byId ?? (id === undefined && request.role ? target.clients[request.role] : undefined);
}

/**
 * Whether the browser was sent to a page of the server itself, and to no client's address: what stands in the query there
 * is no code (`/error?code=400`). With the state of the request it is an answer, wherever it goes.
 */
function isOwnPage(target: Target, { location, query }: Redirect, request: AuthorizationAsked): boolean {
  const from = endpointUrl(target, 'authorize');
  if (location === null || !URL.canParse(location, from)) return false;
  if (stated(request).some((state) => query.getAll('state').includes(state))) return false;
  const there = new URL(location, from);
  const registered = Object.values(target.clients).flatMap(({ redirect_uris }) => redirect_uris);
  const isNamed = [...asked('redirect_uri', request), ...registered].some(
    (uri) => plain(partsOf(uri).base) === plain(partsOf(there.href).base),
  );
  return !isNamed && authorizationOrigins(target).has(there.origin);
}

/** Reads an outcome; undefined where the browser was sent to no client. */
function toClient(target: Target, redirect: Redirect, request: AuthorizationAsked): ToClient | undefined {
  if (redirect.location === null || isOwnPage(target, redirect, request)) return undefined;
  const { base, fragment } = partsOf(redirect.location);
  const client = clientOf(target, request);
  const uris = asked('redirect_uri', request);
  const registered = [
    ...(client?.redirect_uris ?? []),
    ...(client?.redirect_uri === undefined ? [] : [client.redirect_uri]),
  ];
  const offered = uris.filter(
    (uri) =>
      registered.includes(uri) ||
      registered.length === 0 ||
      // A public client's local redirect may name any port (K-081).
      (client?.client_secret === undefined && isLoopback(uri) && registered.some((known) => samePath(known, uri))),
  );
  const allowed = offered.length > 0 ? offered : registered;
  const isAllowed = allowed.some((uri) => plain(partsOf(uri).base) === plain(base));
  const [first = ''] = allowed;
  return {
    base,
    fragment,
    redirect,
    request,
    allowed,
    isAllowed,
    ownQuery: new URLSearchParams(first.split('#')[0]?.split('?')[1] ?? ''),
  };
}

const samePath = (one: string, other: string): boolean =>
  isLoopback(one) && withoutPort(partsOf(one).base) === withoutPort(partsOf(other).base);
const withoutPort = (base: string): string => base.replace(/:\d+(?=\/|$)/, '');

const to =
  (judge: (outcome: ToClient, findings: Findings) => void): Rule =>
  ({ target }) => ({
    redirect(redirect, request, findings) {
      const outcome = toClient(target, redirect, request);
      if (outcome) judge(outcome, findings);
    },
  });

const carriesResponse = (fragment: string): boolean =>
  /(^|[?&])(code|state|error|access_token|refresh_token|id_token)=/.test(fragment);

/** Rows of redirects from the authorization endpoint (interface 4.1; RFC 6749 4.1.2). */
export const redirects: readonly MonitorRow[] = [
  {
    id: 'AUTH-STATE-003',
    level: 'INFER',
    sentence: '`code` and `state` appear exactly once in the query of a redirect.',
    source: '4.1',
    entailed: '4.1: the redirect carries code and state, and RFC 6749 3.1 allows no parameter twice',
    needs: [['client:confidential', 'client:public'], 'consent'],
    rule: to(({ redirect, request, ownQuery }, findings) => {
      if (redirect.code === null) return;
      for (const name of ['code', 'state']) {
        if (ownQuery.has(name) || (name === 'state' && stated(request).length !== 1)) continue;
        findings.look();
        const count = redirect.query.getAll(name).length;
        if (count !== 1) findings.fail(`${name} once in the redirect's query`, `${name} ${count} times`);
      }
    }),
  },
  {
    id: 'AUTH-REDIR-001',
    level: 'MUST',
    sentence:
      'The redirect after success goes to the registered redirect_uri: scheme, authority and path are the same.',
    source: '4.1',
    needs: [['client:confidential', 'client:public'], 'consent'],
    rule: to(({ redirect, base, allowed, isAllowed, fragment }, findings) => {
      const succeeded = redirect.code !== null || /(^|[?&])code=/.test(fragment);
      if (!succeeded || allowed.length === 0) return;
      findings.look();
      if (!isAllowed)
        findings.fail(`a redirect to ${[...new Set(allowed.map(show))].join(' or ')}`, `a redirect to ${show(base)}`);
    }),
  },
  {
    id: 'AUTH-REDIR-006',
    level: 'MUST',
    sentence: 'Response parameters stand in the query and not in the fragment, and no token is in a redirect.',
    source: '4.1',
    needs: [['client:confidential', 'client:public'], 'consent'],
    rule: to(({ redirect, isAllowed, fragment }, findings) => {
      if (!isAllowed) return;
      findings.look();
      if (carriesResponse(fragment))
        findings.fail('response parameters in the query', 'response parameters in the fragment');
      for (const name of ['access_token', 'refresh_token', 'id_token']) {
        if (redirect.query.has(name)) findings.fail('no token in the redirect', `a parameter ${name}`);
      }
    }),
  },
  {
    id: 'AUTH-ERR-001',
    level: 'MUST',
    sentence: 'Error redirects carry an `error` of RFC 6749 4.1.2.1 and no `code`.',
    source: '4.1,7',
    needs: [['client:confidential', 'client:public'], 'consent'],
    rule: to(({ redirect, request, isAllowed, fragment }, findings) => {
      if (!isAllowed || (redirect.code !== null && redirect.error === null) || carriesResponse(fragment)) return;
      // Some response types end without a code and without an error: AUTH-RESP-001 is about that.
      const isError = redirect.error !== null || asked('response_type', request).every((type) => type === 'code');
      if (!isError) return;
      findings.look();
      if (redirect.code !== null) findings.fail('no code beside an error', `error ${show(redirect.error)} and a code`);
      if (redirect.error === null || !errors.has(redirect.error)) {
        findings.fail(`error one of ${[...errors].join(', ')}`, `error is ${show(redirect.error ?? undefined)}`);
      }
    }),
  },
  {
    id: 'AUTH-ERR-002',
    level: 'MUST-RFC',
    sentence:
      'error_description and error_uri, if present, use only the characters that RFC 6749 permits: no `"` and no `\\`.',
    source: '4.1',
    needs: [['client:confidential', 'client:public'], 'consent'],
    rule: to(({ redirect, isAllowed }, findings) => {
      if (!isAllowed || redirect.error === null) return;
      findings.look();
      for (const [name, [permitted, expected]] of Object.entries(errorTexts)) {
        const text = redirect.query.get(name);
        if (text !== null && !permitted.test(text)) findings.fail(expected, `${name} is ${show(text)}`);
      }
    }),
  },
  {
    id: 'AUTH-CODEFMT-001',
    level: 'MUST-RFC',
    sentence:
      'A code is one or more visible characters or spaces (RFC 6749 A.11), and codes of different authorizations are different.',
    source: '4.1',
    needs: [['client:confidential', 'client:public'], 'consent'],
    rule: (context) => {
      const seen = new Set<string>();
      return to(({ redirect: { code } }, findings) => {
        if (code === null) return;
        findings.look();
        if (!/^[\x20-\x7E]+$/.test(code))
          findings.fail('a code of printable ASCII characters', `a code of ${code.length} characters with others`);
        const kept = clipped(code, 4096);
        if (seen.has(kept)) findings.fail('a code of its own for each authorization', 'a code that was issued before');
        else if (seen.size < 100_000) seen.add(kept);
      })(context);
    },
  },
];

/** Whose requirement stands beside a check that brings the case about. */
export const refusedRequests: Rules = {
  'AUTH-ERR-004': () => ({
    refused({ from, error }, { errors: right = [], alike = [], by }, findings) {
      if (from !== 'authorization' || typeof error !== 'string' || !errors.has(error)) return;
      findings.look();
      if (right.includes(error)) return;
      if (alike.includes(error))
        findings.warn(`refused with ${error} instead of ${right.join(' or ')}, in a case of ${by}`);
      else findings.fail(`error ${right.join(' or ')}, in a case of ${by}`, `error ${error}`);
    },
  }),
};
