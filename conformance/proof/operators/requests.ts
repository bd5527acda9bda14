/** Mutations of requests on their way in: what is refused, ignored, or taken for something else. */
import type { GameOperation, LogicalOperation } from '../../../src/contract/index.js';
import type { Interceptor, Json } from '../interceptor/interceptor.js';
import { answerOf } from '../interceptor/interceptor.js';
import type { Inbound, Outbound } from '../interceptor/traffic.js';
import { operator } from '../mutant.js';

type Value = string | null | readonly string[] | RegExp | ((value: string) => boolean);

/**
 * When a mutation applies: a test of the request, or parameters (path and query, as the contract names them) by their
 * value: a text, one of several, a pattern, a test, or null where it is left out.
 */
export type When = Readonly<Record<string, Value>> | ((request: Inbound, at: Interceptor) => boolean);

/** In a condition: the parameter is there, whatever its value. */
export const given = /^/;

export type Operations = LogicalOperation | readonly LogicalOperation[] | 'all';

const fits = (value: string | null, wanted: Value): boolean => {
  if (wanted === null || value === null) return value === wanted;
  if (typeof wanted === 'function') return wanted(value);
  if (wanted instanceof RegExp) return wanted.test(value);
  return [wanted].flat().includes(value);
};

/** Whether a request is for one of the operations, and meets the condition. */
export function isAsked(at: Interceptor, request: Inbound, operations: Operations, when: When = {}): boolean {
  const { operation, route, query } = request;
  if (operation === undefined || !route) return false;
  if (operations !== 'all' && ![operations].flat().includes(operation)) return false;
  if (typeof when === 'function') return when(request, at);
  const parameter = (name: string): string | null =>
    route.args[name] ?? query.get(name) ?? (name === 'realm' ? (route.realm ?? null) : null);
  return Object.entries(when).every(([name, wanted]) => fits(parameter(name), wanted));
}

/** Another answer in place of the server's own; `body` may be made from the request. */
export const respond = operator(
  'respond',
  (
    at,
    operations: Operations,
    when: When,
    status: number,
    body: Json | ((request: Inbound) => unknown) | undefined,
    headers: Readonly<Record<string, string>> = {},
  ) =>
    at.request((request): Outbound | undefined => {
      if (!isAsked(at, request, operations, when)) return undefined;
      return answerOf(status, typeof body === 'function' ? body(request) : body, headers);
    }),
);

const refusals: Readonly<Record<number, Json>> = {
  400: { error: { code: 2, message: 'Invalid query' } },
  401: { error: { code: 8, message: 'Unauthorized' } },
  403: { error: { code: 6, message: 'Forbidden' } },
  404: { error: { code: 1, message: 'Resource not found' } },
  500: { error: { code: 4, message: 'Internal error' } },
};

/** Requests of the data API that are refused, though they are right; 500 is a server that fails on them. */
export const refuse = operator('refuse', (_, operations: Operations, when: When = {}, status: number = 400) =>
  respond(operations, when, status, refusals[status] ?? refusals[400]),
);

/** Requests of an operation, changed before the server sees them. */
export const request = operator(
  'request',
  (at, operations: Operations, change: (request: Inbound, at: Interceptor) => Outbound | undefined | void) =>
    at.request((one) => (isAsked(at, one, operations) ? change(one, at) : undefined)),
);

/** The query of an operation's requests, changed. */
export const query = operator(
  'query',
  (
    at,
    operations: GameOperation | readonly GameOperation[],
    change: (query: URLSearchParams, at: Interceptor) => void,
    when: When = {},
  ) =>
    at.request((one) => {
      if (!isAsked(at, one, operations, when)) return;
      const { query: sent } = one;
      const before = sent.toString();
      change(sent, at);
      if (sent.toString() !== before) one.query = sent;
    }),
);

/** A query parameter that is not read. */
export const ignoreParameter = operator(
  'ignoreParameter',
  (_, operation: GameOperation, name: string, when: When = {}) => query(operation, (one) => one.delete(name), when),
);

/** A query parameter that has another default. */
export const defaultParameter = operator(
  'defaultParameter',
  (_, operation: GameOperation, name: string, value: string, when: When = {}) =>
    query(operation, (one) => void (one.has(name) || one.set(name, value)), when),
);

/** A query parameter that is taken for another value, where it is there. */
export const mapParameter = operator(
  'mapParameter',
  (_, operation: GameOperation, name: string, to: (value: string) => string, when: When = {}) =>
    query(
      operation,
      (one) => {
        const value = one.get(name);
        if (value !== null) one.set(name, to(value));
      },
      when,
    ),
);

/** Pages that begin `by` entries too late wherever there is an offset. */
export const shiftOffset = operator('shiftOffset', (_, operation: GameOperation, by: number = 1) =>
  mapParameter(operation, 'offset', (offset) => (Number(offset) > 0 ? String(Number(offset) + by) : offset)),
);

/** The JSON body of a filter that is created or updated, changed before the server sees it. */
export const sentBody = operator(
  'sentBody',
  (
    at,
    operation: 'createItemFilter' | 'updateItemFilter',
    change: (body: Json, query: URLSearchParams) => Json | void,
  ) =>
    at.request((one) => {
      if (one.operation !== operation) return;
      const { json } = one;
      if (typeof json !== 'object' || json === null || Array.isArray(json)) return;
      const before = JSON.stringify(json);
      const after = change(json as Json, one.query) ?? json;
      if (JSON.stringify(after) !== before) one.json = after;
    }),
);

/** A clock that is off for one operation. */
export const clock = operator('clock', (at, operation: GameOperation, ms: number, when: When = {}) =>
  at.game((game, acted) => ({
    now() {
      if (!at.current || !isAsked(at, at.current, operation, when)) return game.now();
      acted();
      return game.now() + ms;
    },
  })),
);
