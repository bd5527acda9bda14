import type { Request, Response } from './http.js';
import type { components } from '../contract/index.js';
import type { Answer, Authorization, Decision } from '../oauth/index.js';
import { OAuthError, authorize, consent, failed, introspectToken, issueToken, revokeToken } from '../oauth/index.js';
import { mediaType, readText } from './body.js';
import { consentPage, refusedPage } from './pages/consent.js';
import { htmlHeaders } from './pages/html.js';
import { readPairs } from './request.js';
import { Refusal } from './refusal.js';
import type { Match } from './routes.js';
import { isLoopback, jsonType, reasonHeader } from './send.js';
import type { HttpReply } from './send.js';
import type { Service } from './service.js';

const endpoints = { issueToken, revokeToken, introspectToken } as const;
type Endpoint = keyof typeof endpoints;

/** The endpoints of the authorization server: the consent page, and the three that take a form. */
export async function answerAuthorization(
  { operation }: Match,
  query: string,
  req: Request,
  res: Response,
  service: Service,
): Promise<HttpReply> {
  if (operation.logical === 'authorize') return answerAuthorize(query, service, req);
  const form = await readForm(req, res);
  const answer: Answer<Endpoint> = endpoints[operation.logical as Endpoint](
    form,
    req.headers.authorization,
    service.authority,
  );
  return reply(answer);
}

function reply({ status, headers, body, error, text }: Answer<Endpoint>): HttpReply {
  return {
    status,
    headers: { 'content-type': jsonType, ...headers, ...(error && reason(error)) },
    content: text ?? JSON.stringify(body),
  };
}

const reason = (error: OAuthError): Record<string, string> => ({ 'x-mock-reason': reasonHeader(error.reason) });

/** What the authorization endpoint answers to a browser that nobody is known to sit at: a page, or a redirect. */
function answerAuthorize(query: string, service: Service, req: Request): HttpReply {
  const outcome = authorize(readQuery(query), service.authority);
  if (outcome.kind !== 'consent') return answerFailure(outcome, service, req);
  if (service.switches['consent.mode'] === 'auto') {
    const decision = { approve: true, account: service.user };
    return redirect(service, consent(outcome.request, decision, service.authority));
  }
  return {
    status: 200,
    headers: htmlHeaders(outcome.request.redirectUri),
    content: consentPage(outcome.request, query, service),
  };
}

/**
 * The user's decision about the request in `query`, which is checked anew.
 * @throws Refusal 400 for a scope that the request does not ask for
 */
export function answerDecision(query: string, decision: Decision, service: Service, req: Request): HttpReply {
  const outcome = authorize(readQuery(query), service.authority);
  if (outcome.kind !== 'consent') return answerFailure(outcome, service, req);
  const { scopes } = outcome.request;
  const stray = decision.scopes?.find((scope) => !scopes.includes(scope));
  if (stray !== undefined)
    throw new Refusal(400, `field scope: the request asks for ${scopes.join(', ')}, not for ${stray}`);
  return redirect(service, consent(outcome.request, decision, service.authority));
}

const readQuery = (query: string): URLSearchParams => new URLSearchParams(readPairs(query, 'query'));

/**
 * The page of a refused request, or the redirect that tells the client of a failure. The page says what X-Mock-Reason does,
 * and to whom: the reason may name the redirect URIs of a client.
 */
function answerFailure(
  outcome: Exclude<Authorization, { kind: 'consent' }>,
  service: Service,
  { address }: Request,
): HttpReply {
  if (outcome.kind === 'redirect') return redirect(service, outcome.location, reason(outcome.error));
  const status = Number(service.switches['authorize.badClientStatus']);
  const { error } = outcome;
  const words = isLoopback(address) ? error.reason : error.description;
  return { status, headers: { ...htmlHeaders(), ...reason(error) }, content: refusedPage(error.code, words) };
}

/** A redirect back to the client with the status that the switch names. */
function redirect(service: Service, location: string, headers: Record<string, string> = {}): HttpReply {
  return {
    status: Number(service.switches['authorize.status']),
    headers: { location, 'cache-control': 'no-store', ...headers },
    content: '',
  };
}

const formType = 'application/x-www-form-urlencoded';

/** A form body. A repeated field stays repeated: refusing it is the endpoint's business (RFC 6749 3.2). */
export async function readForm(req: Request, res: Response): Promise<URLSearchParams> {
  if (mediaType(req.headers['content-type']) !== formType)
    throw new Refusal(400, `the content-type must be ${formType}`);
  return new URLSearchParams(readPairs(await readText('form', req, res), 'form'));
}

/**
 * A request to the authorization server that got no further, as RFC 6749 5.2 has it. Of a body that cannot be read it says
 * `invalid_request`, which is a 400. For a server that cannot answer it has no code; those of the redirect (4.1.2.1) say it.
 */
export function refuseAuthorization({ status, message, headers }: Refusal): HttpReply {
  const { headers: own, body } = failed(new OAuthError(status === 401 ? 'invalid_client' : 'invalid_request', message));
  return {
    status: [413, 415].includes(status) ? 400 : status,
    headers: { 'content-type': jsonType, ...own, 'x-mock-reason': reasonHeader(message), ...headers },
    content: JSON.stringify(status >= 429 ? outage(status) : body),
  };
}

const outage = (status: number): components['schemas']['OAuthError'] =>
  status === 429 || status === 503
    ? { error: 'temporarily_unavailable', error_description: 'The server cannot answer now; try again later.' }
    : { error: 'server_error', error_description: 'The server failed.' };
