import type { JsonObject } from '../json.js';

/** An exchange as a recording has it: an entry of a HAR file (HTTP Archive 1.2), of which only this much is read. */
export interface HarEntry {
  readonly startedDateTime?: unknown;
  readonly time?: unknown;
  readonly request: {
    readonly method: string;
    readonly url: string;
    readonly headers?: unknown;
    readonly postData?: { readonly mimeType?: unknown; readonly text?: unknown; readonly params?: unknown };
  };
  readonly response: {
    readonly status: number;
    readonly headers?: unknown;
    readonly redirectURL?: unknown;
    readonly content?: Content;
  };
}

interface Content {
  readonly size?: unknown;
  readonly mimeType?: unknown;
  readonly text?: unknown;
  readonly encoding?: unknown;
  /** The body itself, whole, where it was not read from a file. */
  readonly bytes?: unknown;
}

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name) ? (value as JsonObject)[name] : undefined;

/** What a value lacks to be an exchange, or undefined where it is one. */
export function lackOfEntry(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'is no object';
  const [request, response] = [memberOf(value, 'request'), memberOf(value, 'response')];
  if (typeof memberOf(request, 'method') !== 'string') return 'has no request.method';
  if (typeof memberOf(request, 'url') !== 'string') return 'has no request.url';
  if (typeof memberOf(response, 'status') !== 'number') return 'has no response.status';
  return undefined;
}

/** Names and values as a HAR lists them; what is no text is left out. */
function pairsOf(list: unknown): (readonly [name: string, value: string])[] {
  if (!Array.isArray(list)) return [];
  return list.flatMap((one: unknown) => {
    const [name, value] = [memberOf(one, 'name'), memberOf(one, 'value')];
    return typeof name === 'string' && typeof value === 'string' ? [[name, value] as const] : [];
  });
}

type Headers = Readonly<Record<string, string | readonly string[]>>;

/** Headers by their names in lower case; one that came more than once is a list. */
export function headersOf(list: unknown): Headers {
  const headers = new Map<string, string | string[]>();
  for (const [name, value] of pairsOf(list)) {
    // HTTP/2 has its own way to say method and status.
    if (name.startsWith(':')) continue;
    const key = name.toLowerCase();
    const before = headers.get(key);
    if (Array.isArray(before)) before.push(value);
    else headers.set(key, before === undefined ? value : [before, value]);
  }
  return Object.fromEntries(headers);
}

/** The request's body as text, or undefined where it has none or it was not recorded. */
export function requestBody({ request: { postData } }: HarEntry): string | undefined {
  if (postData === undefined) return undefined;
  const { text, params } = postData;
  if (typeof text === 'string' && text !== '') return text;
  const pairs = pairsOf(params);
  if (pairs.length === 0) return undefined;
  return pairs.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join('&');
}

/** The response's body, and whether the recording may lack a part of it. */
export function responseBody(entry: HarEntry): { readonly bytes: Buffer; readonly partial: boolean } {
  const { content = {}, headers } = entry.response;
  const { text, encoding, size, bytes: own } = content;
  if (Buffer.isBuffer(own)) return { bytes: own, partial: false };
  const bytes =
    typeof text === 'string' ? Buffer.from(text, encoding === 'base64' ? 'base64' : 'utf8') : Buffer.alloc(0);
  const length = Number(headersOf(headers)['content-length'] ?? 0);
  const told = typeof size === 'number' && size > 0 ? size : typeof text === 'string' ? 0 : length;
  return { bytes, partial: bytes.length < told };
}
