import type { LogicalOperation } from '../../src/contract/index.js';
import { bounds, clipped } from './bounds.js';

/** What was asked: the operation and the values of its parameters, where the request was made for one. */
export interface Asked {
  /** `control` is the server's control surface, which no rule of the interface holds for. */
  readonly server: 'data' | 'authorization' | 'control';
  readonly operation?: LogicalOperation;
  /** Path and query parameters by name, as the contract names them: `{ realm: 'game2', name: 'Kaya' }`. */
  readonly args: Readonly<Record<string, unknown>>;
  /** Grant type of a token request that was meant to succeed or fail on its own merits. */
  readonly grant?: string;
  /** Kind of the client that a token request was made for, where there is one. */
  readonly client?: 'confidential' | 'public' | 'service';
  /** One of several requests that were sent at the same time. */
  readonly race?: true;
  /** What a hook did, which was not on the wire like this: by what, and what it was given. */
  readonly hook?: {
    readonly name: string;
    readonly input: unknown;
    readonly by: 'adapter' | 'control' | 'form' | 'auto';
    readonly failed?: true;
  };
}

/** A request on the wire. */
export interface Sent {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** One answer of the server under test, with the request that it answers. */
export interface Answer {
  /** Ordinal within the run, from 1. */
  readonly number: number;
  readonly asked: Asked;
  readonly request: Sent;
  readonly status: number;
  /** Names in lower case; a header that came more than once is a list. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  /** The body as text, or its beginning where it is long (`bounds`). */
  readonly text: string;
  /** The body as JSON, or undefined where it is not JSON; null in place of what lies too deep in it (`bounds`). */
  readonly json: unknown;
  /** Something lay too deep in the JSON. */
  readonly pruned?: true;
  /** What keeps the body from being a JSON text, or from being read at all, where that is not plain from the text. */
  readonly problem?: string;
  /** Milliseconds from the first byte sent to the last byte received. */
  readonly ms: number;
  /** How many requests were under way with it, itself included. */
  readonly underWay?: number;
}

/** An answer to be shown later: the beginning of its text, and nothing of what was parsed. */
export function evident(answer: Answer): Answer {
  const { number, asked, request, status, headers, text, ms } = answer;
  return { number, asked, request, status, headers, text: clipped(text, bounds.shown), json: undefined, ms };
}

/** Characters of an exchange that may be many. */
export const sizeOf = ({ request: { url, headers, body = '' }, text }: Answer): number =>
  Object.values(headers).reduce((sum, value) => sum + value.length, url.length + body.length + text.length);

/** Whether an answer says that the request succeeded. */
export const succeeded = ({ status }: Pick<Answer, 'status'>): boolean => status >= 200 && status < 300;

/** One header, the values joined by commas where it came more than once. */
export function header(answer: Pick<Answer, 'headers'>, name: string): string | undefined {
  const value = answer.headers[name.toLowerCase()];
  return typeof value === 'string' ? value : value?.join(', ');
}

/** Whether a server asks for the same request at another time: no word on the request itself. */
export const saysLater = (answer: Pick<Answer, 'status' | 'headers'>): boolean =>
  answer.status === 429 || (answer.status === 503 && header(answer, 'retry-after') !== undefined);

/** A member of a JSON object, or undefined where there is no object or no such member of its own. */
export function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;
}

/** The media type of an answer in small letters, parameters aside; undefined where it names none. */
export const mediaType = (answer: Pick<Answer, 'headers'>): string | undefined =>
  header(answer, 'content-type')?.split(';')[0]?.trim().toLowerCase();

/** Whether an answer is sent as application/json, as RFC 6749 5.1 and RFC 7662 2.2 want it. */
export const isJson = (answer: Answer): boolean => mediaType(answer) === 'application/json';

/** Seconds by the Date header of an answer, or undefined where it has none. */
export function dateOf(answer: Answer): number | undefined {
  const ms = Date.parse(header(answer, 'date') ?? '');
  return Number.isNaN(ms) ? undefined : ms / 1000;
}
