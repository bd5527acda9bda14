import { challengeOf } from '../../target/pkce.js';
import { arrived, grantOf } from '../call.js';
import type { Call } from '../call.js';
import { groups } from '../row.js';
import type { Visit, WorldRun } from '../run.js';

/** Authorization requests; an address that was opened twice in one start is one. */
export const authorizations = ({ calls }: WorldRun): Call[] => [
  ...new Map(
    calls
      .filter(({ operation, method }) => operation === 'authorize' && method === 'GET')
      .map((call) => [`${call.start} ${call.target}`, call]),
  ).values(),
];

const granting =
  (grant: string) =>
  ({ calls }: WorldRun): Call[] =>
    calls.filter((call) => grantOf(call) === grant);

export const exchanges = granting('authorization_code');
export const refreshes = granting('refresh_token');
export const credentials = granting('client_credentials');

/** Whether the body of a request came whole: one that breaks off where its client is stopped shows nothing. */
const isWhole = ({ headers, body }: Call): boolean =>
  !(Number(headers['content-length'] ?? 0) > Buffer.byteLength(body));

export const tokenCalls = ({ calls }: WorldRun): Call[] =>
  calls.filter((call) => call.operation === 'issueToken' && isWhole(call));

/** Requests to the data API, those of our browser apart. */
export const dataCalls = ({ calls }: WorldRun): Call[] => calls.filter(({ data, browser }) => data && !browser);

/** Whether a call asks for a page of a stream. */
export const isPage = ({ operation }: Call): boolean =>
  operation === 'getPublicStashTabs' || operation === 'getCurrencyExchange';

/** Requests for pages of a stream; one with HEAD reads none. */
export const pagesOf = (run: WorldRun, operation: Call['operation']): Call[] =>
  dataCalls(run).filter((call) => call.operation === operation && call.method !== 'HEAD');

/** Everything that the client itself sent. */
export const own = ({ calls }: WorldRun): Call[] => calls.filter(({ browser }) => !browser);

/** The names in a list of scopes. */
export const scopesIn = (scope: unknown): string[] =>
  typeof scope === 'string' ? scope.split(' ').filter((name) => name !== '') : [];

/** How a token request authenticates its client. */
const authentication = ({ basic, form }: Call): string =>
  basic === undefined ? (form.has('client_secret') ? 'form' : 'none') : 'header';

/** Whether two token requests are for the same thing: with the same code or token, and for the same scopes. */
export const asksSame = (first: Call, call: Call): boolean =>
  first.operation === call.operation &&
  grantOf(first) === grantOf(call) &&
  ['code', 'refresh_token', 'scope', 'token'].every((name) => first.form.get(name) === call.form.get(name));

/**
 * Whether a token request is `first` again with another way to authenticate the client: libraries find out so which one a
 * server wants (RFC 6749 2.3.1 has two), and take any error for a no.
 */
export const probes = (first: Call, call: Call): boolean =>
  authentication(first) !== authentication(call) && asksSame(first, call);

/** How long after a reply a client can be expected to know of it, ms. */
export const settled = 250;

/** The authorization request that an exchange completes: the one whose challenge fits the verifier, and that gave the code. */
export const requestOf = (run: WorldRun, exchange: Call): Call | undefined => {
  const challenge = challengeOf(exchange.form.get('code_verifier') ?? '');
  const fitting = authorizations(run).filter((call) => call.query.get('code_challenge') === challenge);
  if (fitting.length < 2) return fitting[0];
  const own = exchange.form.get('code');
  const visit = run.visits.find(({ callbacks }) => callbacks.some(({ code }) => code !== undefined && code === own));
  return fitting.find((call) => visit && ledTo(visit, call)) ?? fitting[0];
};

const ledTo = ({ asked }: Visit, { target }: Call): boolean => asked.some((url) => url.includes(target));

/** What our browser did with an authorization request. */
export const visitOf = ({ visits }: WorldRun, call: Call): Visit | undefined =>
  visits.find((visit) => ledTo(visit, call));

/** Requests to the endpoints below /oauth/token, with any method. */
export const formCalls = (run: WorldRun): Call[] =>
  own(run).filter((call) => /^\/oauth\/token(\/|$)/.test(call.path) && isWhole(call));

/** The first refusal of each token. */
export const firstRefusals = (run: WorldRun): Call[] =>
  groups(
    dataCalls(run).filter((call) => call.status === 401 && call.bearer !== undefined && arrived(call)),
    ({ bearer, start }) => `${start} ${bearer}`,
  ).map(([first]) => first!);
