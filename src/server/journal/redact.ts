import type { ExchangeRecord, RecordedBody } from '../exchanges.js';

/** Parameters and members that carry credentials: in queries and forms, and in JSON. */
const secretName =
  /^(?:access_token|api_key|client_assertion|client_secret|code|code_verifier|control_token|id_token|password|refresh_token|token)$/i;
const secretMember =
  /"(access_token|api_key|client_assertion|client_secret|code|code_verifier|control_token|id_token|password|refresh_token|token)"(\s*:\s*)"((?:[^"\\]|\\.)*)/gi;
const secretHeader = /auth|cookie|token|secret|key|password/i;
/** Headers whose names only look like that. */
const openHeaders = new Set(['www-authenticate', 'sec-websocket-key', 'pragma']);
const schemes = /^(basic|bearer|digest|dpop) +/i;
/** Anything long enough to be a token or a code. */
const words = /[A-Za-z0-9\-._~]{32,}/g;
const longWord = /[A-Za-z0-9\-._~]{32}/;

/** How much of a body the journal keeps. */
const mostBytes = 64 << 10;

/** What redaction asks of its surroundings. */
export interface Secrets {
  readonly fingerprint: (secret: string) => string;
  /** Whether a text is a token or a code of this mock. */
  readonly isSecret: (word: string) => boolean;
}

/** The headers of a client, which it sends over and over: redacted once. */
export class HeaderList {
  readonly raw: readonly string[];
  readonly secrets: Secrets;
  /** Characters. */
  readonly size: number;
  #marked: readonly string[] | undefined;

  constructor(raw: readonly string[], secrets: Secrets) {
    this.raw = raw;
    this.secrets = secrets;
    this.size = raw.reduce((sum, text) => sum + text.length, 0);
    if (raw.some(hasLongWord)) this.#marked = redactedHeaders(raw, secrets);
  }

  /** With marks in place of credentials. */
  get marked(): readonly string[] {
    return (this.#marked ??= redactedHeaders(this.raw, this.secrets));
  }
}

/**
 * Whether a record gives the same whenever it is redacted: credentials stand where they are known by their names, and no
 * word could be a token that the mock has forgotten by then.
 */
export const canWait = ({ operationId, logical, target, requestBody, reply }: ExchangeRecord): boolean =>
  operationId !== undefined &&
  !isAuthorization(logical) &&
  requestBody.size === 0 &&
  !hasLongWord(target) &&
  !(reply && 'location' in reply.headers);

/** A record with as much of its reply as the journal keeps. */
export function reduced(record: ExchangeRecord): ExchangeRecord {
  const { reply } = record;
  return reply && reply.body.size > mostBytes ? { ...record, reply: { ...reply, body: cut(reply.body) } } : record;
}

/** A record fit to be shown: every credential is a mark, the same for the same secret, and bodies are bounded. */
export function redacted(record: ExchangeRecord, { marked: requestHeaders, secrets }: HeaderList): ExchangeRecord {
  const { requestBody, reply, operationId, logical } = record;
  const ofAuthorization = operationId === undefined || isAuthorization(logical);
  return {
    ...record,
    target: scrubbedTarget(record.target, secrets),
    requestHeaders,
    requestBody:
      requestBody.size === 0
        ? requestBody
        : redactedBody(requestBody, readingOf(requestHeaders, ofAuthorization), secrets),
    reply: reply && {
      ...reply,
      headers: 'location' in reply.headers ? withLocation(reply.headers, secrets) : reply.headers,
      body: isPage(record)
        ? { content: '', size: reply.body.size }
        : redactedBody(reply.body, { compressed: false, open: !ofAuthorization }, secrets),
    },
  };
}

function readingOf(headers: readonly string[], ofAuthorization: boolean): { compressed: boolean; open: boolean } {
  const json = /^application\/json\b/i.test(valueOf(headers, 'content-type'));
  return { compressed: valueOf(headers, 'content-encoding') !== '', open: json && !ofAuthorization };
}

export const isAuthorization = (logical: ExchangeRecord['logical']): boolean =>
  logical === 'issueToken' || logical === 'revokeToken' || logical === 'introspectToken' || logical === 'authorize';

/** A page that was answered to a browser; what the edge says to a client is no page. */
const isPage = ({ decision, reply }: ExchangeRecord): boolean =>
  decision !== 'limited' && reply !== null && !/json/.test(reply.headers['content-type'] ?? '');

/** The value of a header in a list of names and values; '' where there is none. */
export function valueOf(headers: readonly string[], name: string): string {
  for (let index = 0; index < headers.length; index += 2) {
    const given = headers[index] ?? '';
    if (given.length === name.length && given.toLowerCase() === name) return headers[index + 1] ?? '';
  }
  return '';
}

const hasLongWord = (text: string): boolean => text.length >= 32 && longWord.test(text);

const isSecretHeader = (name: string): boolean => secretHeader.test(name) && !openHeaders.has(name.toLowerCase());

const mark = (secret: string, { fingerprint }: Secrets): string => `[redacted ${fingerprint(secret)}]`;

/** Names and values in turn, with marks in place of credentials. */
function redactedHeaders(headers: readonly string[], secrets: Secrets): string[] {
  const result = [...headers];
  for (let index = 0; index < headers.length; index += 2) {
    const value = headers[index + 1] ?? '';
    const name = headers[index] ?? '';
    if (isSecretHeader(name)) {
      const [scheme = ''] = schemes.exec(value) ?? [];
      result[index + 1] = `${scheme}${mark(value.slice(scheme.length), secrets)}`;
    } else if (value.includes('=') || value.length >= 32) {
      result[index + 1] = scrubbedTarget(value, secrets);
    }
  }
  return result;
}

const withLocation = (headers: Readonly<Record<string, string>>, secrets: Secrets): Record<string, string> => ({
  ...headers,
  location: scrubbedTarget(headers.location ?? '', secrets),
});

/** A target or address with the secrets of its query marked, and known secrets wherever they stand. */
function scrubbedTarget(target: string, secrets: Secrets): string {
  const start = target.search(/[?#]/) + 1;
  const marked = start === 0 ? target : target.slice(0, start) + redactedPairs(target.slice(start), secrets);
  return marked.length < 32 ? marked : scrubbed(marked, secrets);
}

const scrubbed = (text: string, secrets: Secrets): string =>
  text.replace(words, (word) => (secrets.isSecret(word) ? mark(word, secrets) : word));

/** `a=1&code=…` with the values of secrets marked. */
function redactedPairs(text: string, secrets: Secrets): string {
  return text
    .split(/([&#;])/)
    .map((pair) => {
      const equals = pair.indexOf('=');
      if (equals < 0 || !secretName.test(decoded(pair.slice(0, equals)))) return pair;
      return `${pair.slice(0, equals + 1)}${mark(decoded(pair.slice(equals + 1)), secrets)}`;
    })
    .join('');
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}

/** `open` bodies are those of the data API: they are kept as they are. */
function redactedBody(
  { content, size }: RecordedBody,
  { compressed, open }: { readonly compressed: boolean; readonly open: boolean },
  secrets: Secrets,
): RecordedBody {
  if (compressed) return { content: '', size };
  const kept = cut({ content, size });
  if (open) return kept;
  const text = kept.content.toString();
  const marked = /^\s*[[{]/.test(text)
    ? text.replace(
        secretMember,
        (_, name: string, colon: string, value: string) => `"${name}"${colon}"${mark(unescaped(value), secrets)}`,
      )
    : redactedPairs(text, secrets);
  return { content: scrubbed(marked, secrets), size };
}

/** The first bytes of a body, as many as the journal keeps; nothing of the whole stays in memory. */
function cut(body: RecordedBody): RecordedBody {
  const { content, size } = body;
  if (size <= mostBytes || Buffer.byteLength(content) <= mostBytes) return body;
  const kept = Buffer.allocUnsafeSlow(mostBytes);
  const length = typeof content === 'string' ? kept.write(content) : content.copy(kept);
  return { content: kept.subarray(0, length), size };
}

function unescaped(text: string): string {
  try {
    return JSON.parse(`"${text}"`) as string;
  } catch {
    return text;
  }
}
