import type { LogicalOperation, Operation, Realm, Scope } from '../../src/contract/index.js';
import { operationList, parameterTable } from '../../src/contract/index.js';
import { textOf } from '../../src/server/exchange-record.js';
import type { ExchangeRecord } from '../../src/server/exchange-record.js';
import { uncoded } from '../wire/coding.js';
import { connectionMark, copyMark } from './owner.js';

/** One request of the client (or of the browser on its behalf) and what became of it. Secrets are in it: it stays in this process. */
export interface Call {
  readonly number: number;
  /** Arrival and end, real ms since the world began. */
  readonly at: number;
  readonly end: number;
  /** Arrival on the mock's clock, ms since 1970. */
  readonly clock: number;
  readonly method: string;
  /** Path and query as sent. */
  readonly target: string;
  /** Without what a path need not percent-encode. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** The operation of the interface; undefined for pages and unknown paths. */
  readonly operation: LogicalOperation | undefined;
  /** The scope that the operation needs. */
  readonly scope: Scope | undefined;
  readonly realm: Realm | undefined;
  /** Whether it belongs to the data API. */
  readonly data: boolean;
  /** By their names in lower case; the first of each name. */
  readonly headers: Readonly<Record<string, string>>;
  /** Authorization headers, of which there is one at most (RFC 9110 5.3). */
  readonly credentials: number;
  readonly body: string;
  readonly form: URLSearchParams;
  /** The access token in the `Authorization` header. */
  readonly bearer: string | undefined;
  /** Client id and secret in the `Authorization` header, as they stand there. */
  readonly basic: { readonly id: string; readonly secret: string } | undefined;
  /** Null where nothing was answered. */
  readonly status: number | null;
  readonly replyHeaders: Readonly<Record<string, string>>;
  /** The body of the reply. */
  readonly text: string;
  /** The body of the reply as JSON; undefined where it is none. */
  readonly json: unknown;
  readonly delivery: ExchangeRecord['delivery'];
  readonly decision: ExchangeRecord['decision'];
  readonly reason: string | undefined;
  readonly client: string | undefined;
  readonly account: string | undefined;
  /** Sent by the browser that we gave to the client. */
  readonly browser: boolean;
  /** Which start of the client it belongs to, from 1. */
  readonly start: number;
  /** Which copy of the client sent it, from 1; undefined where there are none, or the system does not tell. */
  readonly copy: number | undefined;
  /** Which connection it came by. */
  readonly connection: string | undefined;
}

/** The header by which requests of our browser are known. */
export const browserMark = 'x-audit-browser';

const authorizationServer: ReadonlySet<LogicalOperation> = new Set<LogicalOperation>([
  'authorize',
  'issueToken',
  'revokeToken',
  'introspectToken',
]);

const operations = new Map<string | undefined, Operation>(operationList.map((one) => [one.id, one]));

/** Texts that several worlds gave, each kept once. */
const texts = new Map<string, string>();
/** Characters of texts that are remembered. */
const mostRemembered = 32_000_000;
let remembered = 0;

/** The same text, which an earlier reply may hold already: worlds differ little in what they serve. */
function kept(text: string): string {
  const known = texts.get(text);
  if (known !== undefined) return known;
  if (remembered + text.length > mostRemembered) {
    texts.clear();
    remembered = 0;
  }
  remembered += text.length;
  texts.set(text, text);
  return text;
}

/** Reads a record. `epoch` is the real instant at which the world began, ms. */
export function readCall(record: ExchangeRecord, { epoch, start }: { epoch: number; start: number }): Call {
  const headers = headersOf(record.requestHeaders);
  const mark = record.target.indexOf('?');
  const body = textOf(record.requestBody);
  const text = kept(record.reply ? textIn(record.reply) : '');
  const authorization = headers.authorization ?? '';
  const form = new URLSearchParams(body);
  const basic = readBasic(authorization);
  const operation = operations.get(record.operationId);
  const json = jsonOf(text);
  const query = new URLSearchParams(mark < 0 ? '' : record.target.slice(mark + 1));
  return {
    number: record.number,
    at: record.realTime - epoch,
    end: record.realTime - epoch + record.elapsed,
    clock: record.at,
    method: record.method,
    target: record.target,
    path: plainPath(record.target),
    query,
    operation: record.logical,
    scope: operation?.scope,
    realm: operation && (realmOf(operation, plainPath(record.target)) ?? realmIn(query, operation)),
    data: record.logical !== undefined && !authorizationServer.has(record.logical),
    headers,
    credentials: record.requestHeaders.filter((text, at) => at % 2 === 0 && /^authorization$/i.test(text)).length,
    body,
    form,
    bearer: /^bearer +(\S+)$/i.exec(authorization)?.[1],
    basic,
    status: record.reply?.status ?? null,
    replyHeaders: Object.fromEntries(
      Object.entries(record.reply?.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]),
    ),
    text,
    get json() {
      return json();
    },
    delivery: record.delivery,
    decision: record.decision,
    reason: record.reason,
    account: record.account,
    client: record.clientId ?? form.get('client_id') ?? basic?.id,
    browser: headers[browserMark] !== undefined,
    start,
    copy: headers[copyMark] === undefined ? undefined : Number(headers[copyMark]),
    connection: headers[connectionMark],
  };
}

/** The text of a reply, whatever its coding. */
const textIn = ({ headers, body }: NonNullable<ExchangeRecord['reply']>): string => {
  const coding = headers['content-encoding'];
  return coding === undefined ? textOf(body) : (uncoded(Buffer.from(body.content), coding).bytes?.toString() ?? '');
};

/** Parsed again where it was collected meanwhile: the replies of all worlds as objects take ten times their text. */
function jsonOf(text: string): () => unknown {
  let kept: WeakRef<{ readonly value: unknown }> | undefined;
  return () => {
    const known = kept?.deref();
    if (known) return known.value;
    const read = { value: parsed(text) };
    kept = new WeakRef(read);
    return read.value;
  };
}

/** The first of each name, in lower case. */
function headersOf(raw: readonly string[]): Record<string, string> {
  const headers: Record<string, string> = {};
  for (let at = 0; at + 1 < raw.length; at += 2) headers[raw[at]!.toLowerCase()] ??= raw[at + 1]!;
  return headers;
}

/** The realm that a path names: as a word of its own, or in the place of the parameter. */
function realmOf({ path, realm }: Operation, asked: string): Realm | undefined {
  const at = path.split('/').indexOf('{realm}');
  return at < 0 ? realm : (asked.split('/')[at] as Realm);
}

/** The realm that a query names; pc is the one that is assumed where none is named (interface 4). */
function realmIn(query: URLSearchParams, { logical }: Operation): Realm | undefined {
  const realm = 'realm' in parameterTable[logical] ? query.get('realm') : null;
  return realm === null || realm === '' || realm === 'pc' ? undefined : (realm as Realm);
}

/** The path of a target. Unreserved characters that are percent-encoded stand for themselves (RFC 3986 2.3). */
function plainPath(target: string): string {
  return target.split('?', 1)[0]!.replaceAll(/%[0-9a-f]{2}/gi, (octet) => {
    const character = String.fromCharCode(Number.parseInt(octet.slice(1), 16));
    return /[\w.~-]/.test(character) ? character : octet;
  });
}

function readBasic(authorization: string): Call['basic'] {
  const [, text] = /^basic +(\S+)$/i.exec(authorization) ?? [];
  if (text === undefined) return undefined;
  const [id = '', ...secret] = Buffer.from(text, 'base64').toString().split(':');
  return { id, secret: secret.join(':') };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** A member of the reply's object. */
export const replyOf = (call: Call, name: string): unknown =>
  typeof call.json === 'object' && call.json !== null ? (call.json as Record<string, unknown>)[name] : undefined;

export const grantOf = (call: Call): string | null =>
  call.operation === 'issueToken' ? call.form.get('grant_type') : null;

/** Whether the client got the whole reply. */
export const arrived = (call: Call): boolean => call.delivery === 'sent' && call.status !== null;
