import type { Operation, Switches } from '../contract/index.js';
import type { ErrorBody } from '../game/errors.js';
import { errorBody } from '../game/errors.js';
import { OAuthError } from '../oauth/index.js';
import { writeJson } from './present.js';
import type { Refusal } from './refusal.js';
import { jsonType } from './send.js';
import type { HttpReply } from './send.js';
import type { Service } from './service.js';

/** What an operation returned. */
export interface Outcome {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: unknown;
  /** Of a reply that cannot change: its bytes, which `write` makes the first time. */
  readonly written?: (write: () => string) => string | Uint8Array;
}

/** What an operation returned, in the form that the switches ask for. */
export function dataReply(operation: Operation, outcome: Outcome, realm: unknown, service: Service): HttpReply {
  const { switches, presenter } = service;
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
  const content = outcome.written && !shuffled ? outcome.written(write) : write();
  return { status, headers: { 'content-type': jsonType, ...outcome.headers }, content };
}

/** A lookup that found nothing answers with a null wrapper; its status is a matter of reading (K-024). */
function lookupStatus({ wrapper }: Operation, { status, body }: Outcome, switches: Switches): number {
  const missing = wrapper !== undefined && status === 200 && (body as Record<string, unknown>)[wrapper] === null;
  return missing ? Number(switches['lookup.nullStatus']) : status;
}

/** A refused data request on the wire (K-014, K-067). */
export function dataRefusal({ status, message, headers }: Refusal, switches: Switches): HttpReply {
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
