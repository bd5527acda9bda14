import type { Request, Response } from 'express';

import type { GameOperation, Operation, Switches } from '../contract/index.js';
import type { ErrorBody } from '../game/errors.js';
import { errorBody } from '../game/errors.js';
import type { Game, GameRequest } from '../game/game.js';
import { handlers } from '../game/index.js';
import type { Bearer } from '../oauth/index.js';
import { bearer, OAuthError } from '../oauth/index.js';
import { mediaType, readText } from './body.js';
import { draftOf } from './exchanges.js';
import { ofToken } from './identity.js';
import { writeJson } from './present.js';
import { Refusal } from './refusal.js';
import { checkBody, innerRealm, readParameters } from './request.js';
import type { Match } from './routes.js';
import { jsonType, reasonHeader } from './send.js';
import type { Wire } from './send.js';
import type { Service } from './service.js';

/** A request to a data operation that has passed everything before the operation itself. */
type Admitted = GameRequest<GameOperation>;

interface Outcome {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: unknown;
}

const run = handlers as unknown as Readonly<Record<GameOperation, (request: Admitted, game: Game) => Outcome>>;

/** The steps of every data request, in the order in which they refuse: 401, 403, then the rest (K-129). */
export async function answerData(
  { operation, captured }: Match,
  query: string,
  req: Request,
  res: Response,
  service: Service,
): Promise<Wire> {
  const logical = operation.logical as GameOperation;
  const { account, client, token } = authorize(operation, req.headers.authorization, service);
  const draft = draftOf(res);
  if (draft) draft.identity ??= ofToken(token);
  const params = readParameters(operation, captured, query, service.switches);
  const body = operation.body === undefined ? undefined : await readJson(operation, req, res, service.switches);
  const outcome = run[logical]({ params, body, account, client } as Admitted, service.game);
  return present(operation, outcome, params.realm, service);
}

function authorize(
  operation: Operation,
  header: string | undefined,
  service: Service,
): Extract<Bearer, { kind: 'token' }> {
  const caller = bearer(header, service.authority);
  if (caller.kind === 'none') {
    throw new Refusal(401, 'this operation needs an access token; send Authorization: Bearer <token>', challenge());
  }
  if (caller.kind === 'invalid') {
    throw new Refusal(401, 'the access token is unknown, expired or revoked', {
      ...challengeTo(401, operation),
      'x-mock-reason': reasonHeader(caller.reason),
    });
  }
  const { scope } = operation;
  if (scope !== undefined && !caller.token.scopes.includes(scope)) {
    throw new Refusal(403, `the access token lacks the scope ${scope}`, challengeTo(403, operation));
  }
  return caller;
}

const challenge = (error = ''): Record<string, string> => ({ 'www-authenticate': `Bearer realm="data"${error}` });

/** The challenge that belongs to a refused token (RFC 6750 3.1); no header for any other status. */
export function challengeTo(status: number, { scope }: Operation): Readonly<Record<string, string>> {
  if (status === 401) return challenge(', error="invalid_token"');
  return status === 403 ? challenge(`, error="insufficient_scope"${scope ? `, scope="${scope}"` : ''}`) : {};
}

async function readJson(operation: Operation, req: Request, res: Response, switches: Switches): Promise<unknown> {
  if (mediaType(req.headers['content-type']) !== operation.body) {
    throw new Refusal(415, `the content-type must be ${operation.body}`);
  }
  const text = await readText('json', req, res);
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    throw new Refusal(
      400,
      text === '' ? 'the body is empty; send a JSON object' : 'the body is not JSON; send a JSON object',
    );
  }
  const readable = reread(operation, body, switches);
  checkBody(operation.logical, readable, switches);
  return readable;
}

/** The body as the contract has it, where a switch lets the wire differ. */
function reread({ logical }: Operation, body: unknown, switches: Switches): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body;
  const fields: Record<string, unknown> = { ...body };
  if (typeof fields.realm === 'string') fields.realm = innerRealm(fields.realm, switches);
  // K-071: 'must be true if present', and a server may refuse false or not look at it.
  const ignored = logical === 'updateItemFilter' && switches['filters.publicFalse'] === 'ignore';
  if (ignored && fields.public === false) delete fields.public;
  return fields;
}

function present(operation: Operation, outcome: Outcome, realm: unknown, service: Service): Wire {
  const { switches, presenter, kept } = service;
  const status = lookupStatus(operation, outcome, switches);
  if (isError(outcome.body)) {
    return {
      status,
      headers: { 'content-type': jsonType },
      content: errorContent(status, outcome.body, switches),
      reason: outcome.body.error.message,
    };
  }
  const write = (): string => {
    const body = presenter ? presenter.body(operation, outcome.status, outcome.body, realm) : outcome.body;
    return writeJson(body, switches['json.form']);
  };
  // A shuffled order of members is a new one for each reply, so such a text is not kept.
  const shuffled = switches['json.keyOrder'] === 'shuffled';
  const content = shuffled ? write() : (kept.content(outcome.body as object, write) ?? write());
  return { status, headers: { 'content-type': jsonType, ...outcome.headers }, content };
}

/** A lookup that found nothing answers with a null wrapper; its status is a matter of reading (K-024). */
function lookupStatus({ wrapper }: Operation, { status, body }: Outcome, switches: Switches): number {
  const missing = wrapper !== undefined && status === 200 && (body as Record<string, unknown>)[wrapper] === null;
  return missing ? Number(switches['lookup.nullStatus']) : status;
}

/** A refused data request on the wire (K-014, K-067). */
export function refuseData({ status, message, headers }: Refusal, switches: Switches): Wire {
  const { 'www-authenticate': authenticate, ...rest } = headers;
  const shown =
    switches['errors.wwwAuthenticate'] && authenticate !== undefined
      ? { 'www-authenticate': authenticate, ...rest }
      : rest;
  const content = errorContent(status, errorBody(status, message), switches);
  return {
    status,
    headers: { ...(content !== '' && { 'content-type': jsonType }), ...shown },
    content,
    reason: message,
  };
}

const isError = (body: unknown): body is ErrorBody =>
  typeof body === 'object' && body !== null && 'error' in body && Object.keys(body).length === 1;

/** The OAuth errors that a data request can end in, by status. */
const accessErrors: Readonly<Record<number, 'invalid_token' | 'insufficient_scope'>> = {
  401: 'invalid_token',
  403: 'insufficient_scope',
};

function errorContent(status: number, body: ErrorBody, switches: Switches): string {
  const code = switches['errors.accessForm'] === 'oauth' ? accessErrors[status] : undefined;
  if (code) return writeJson(new OAuthError(code, body.error.message).body, switches['json.form']);
  const shape = switches['errors.shape'];
  if (shape === 'empty') return '';
  return writeJson(shape === 'string' ? { error: body.error.message } : body, switches['json.form']);
}
