import { deref, oauthParameters, parameterTable } from '../../contract/index.js';
import type { LogicalOperation, OAuthOperation } from '../../contract/index.js';
import { redactedJson } from '../../redaction/json.js';
import { isCredentialName, redactedHeader, redactedPairs, scrubbed } from '../../redaction/places.js';
import { sizeOf, textOf } from '../exchange-record.js';
import type { ExchangeRecord, RecordedBody } from '../exchange-record.js';

/** How much of a body the journal keeps. */
const mostBytes = 64 << 10;

/** What redaction depends on. */
export interface Secrets {
  /** What stands in the place of a secret: the same for the same one. */
  readonly mark: (secret: string) => string;
  /** A text with marks in the place of every secret of the mock. */
  readonly hide: (text: string) => string;
}

/** The headers of a client, which it sends over and over: redacted once, when somebody looks. */
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
  }

  /** With marks in place of credentials. */
  get marked(): readonly string[] {
    return (this.#marked ??= this.raw.map((text, index) =>
      index % 2 === 0 ? this.secrets.hide(text) : headerOf(this.raw[index - 1] ?? '', text, this.secrets),
    ));
  }
}

/** A record with as much of its bodies as the journal keeps; nothing of the whole stays in memory. */
export function reduced(record: ExchangeRecord): ExchangeRecord {
  const { reply } = record;
  const requestBody = cut(record.requestBody);
  const body = reply && cut(reply.body);
  // Nearly every record fits, and is kept as it is.
  if (requestBody === record.requestBody && (!reply || body === reply.body)) return record;
  return { ...record, requestBody, reply: reply && body && { ...reply, body } };
}

/**
 * A record fit to be shown: every secret of the mock is a mark wherever it stands, and so is what stands where the contract
 * has a credential, and what the contract does not know of a query, a form or a request's JSON.
 */
export function redacted(record: ExchangeRecord, { marked, secrets }: HeaderList): ExchangeRecord {
  const { reply, logical } = record;
  const free = (text: string): string => scrubbed(secrets.hide(text), secrets.mark);
  const maybe = (text: string | undefined): string | undefined => (text === undefined ? undefined : free(text));
  return {
    ...record,
    method: secrets.hide(record.method),
    target: targetOf(record.target, queryNames(logical), secrets),
    account: maybe(record.account),
    clientId: maybe(record.clientId),
    reason: maybe(record.reason),
    requestHeaders: marked,
    requestBody: requestBodyOf(record, secrets),
    reply: reply && {
      ...reply,
      headers: Object.fromEntries(
        Object.entries(reply.headers).map(([name, value]) => [name, replyHeaderOf(name, value, secrets)]),
      ),
      body: isPage(record) ? { content: '', size: reply.body.size } : replyBodyOf(reply.body, logical, secrets),
    },
  };
}

/** A sentence of ours about an exchange, which may quote it. */
export const redactedText = (text: string, { secrets: { hide, mark } }: HeaderList): string =>
  scrubbed(hide(text), mark);

export const isAuthorization = (logical: ExchangeRecord['logical']): logical is OAuthOperation =>
  logical !== undefined && Object.hasOwn(oauthParameters, logical);

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

const headerOf = (name: string, value: string, { hide, mark }: Secrets): string =>
  redactedHeader(name, hide(value), mark);

const members = (schema: string): readonly string[] =>
  Object.keys(deref({ $ref: `#/components/schemas/${schema}` }).schema.properties ?? {});

type Known = (name: string) => boolean;
const known = (names: readonly string[]): Known => {
  const all = new Set(names.filter((name) => !isCredentialName(name)));
  return (name) => all.has(name);
};

/** What the contract has in a request's body, and in the replies of the authorization server. */
const filterMembers = known([...members('ItemFilterCreate'), ...members('ItemFilterUpdate')]);
const replyMembers = known([
  ...members('TokenResponse'),
  ...members('IntrospectionResponse'),
  ...members('OAuthError'),
]);
/** A redirect carries the answer in its query. */
const redirectNames = known(['state', 'error', 'error_description', 'error_uri', 'iss', 'scope']);
const everything: Known = () => true;

const queryNames = (logical: LogicalOperation | undefined): Known =>
  known(logical === undefined ? [] : Object.keys(parameterTable[logical]));

function targetOf(target: string, isOpen: Known, { hide, mark }: Secrets): string {
  const [, path = '', sign = '', query = '', fragment = ''] = /^([^?#]*)(\??)([^#]*)(.*)$/s.exec(hide(target)) ?? [];
  const rest = fragment === '' ? '' : `#${redactedPairs(fragment.slice(1), isOpen, mark)}`;
  return scrubbed(path, mark) + sign + redactedPairs(query, isOpen, mark) + rest;
}

function replyHeaderOf(name: string, value: string, secrets: Secrets): string {
  return name.toLowerCase() === 'location' ? targetOf(value, redirectNames, secrets) : headerOf(name, value, secrets);
}

function requestBodyOf({ requestBody, requestHeaders, logical }: ExchangeRecord, secrets: Secrets): RecordedBody {
  const { size } = requestBody;
  if (size === 0) return requestBody;
  if (valueOf(requestHeaders, 'content-encoding') !== '') return { content: '', size };
  const text = textOf(requestBody);
  if (isJson(text)) return { content: redactedJson(text, { ...secrets, isOpen: filterMembers }), size };
  const isForm = /^application\/x-www-form-urlencoded\b/i.test(valueOf(requestHeaders, 'content-type'));
  const names = known(isAuthorization(logical) ? oauthParameters[logical] : []);
  return { content: isForm ? redactedPairs(secrets.hide(text), names, secrets.mark) : secrets.mark(text), size };
}

function replyBodyOf(body: RecordedBody, logical: LogicalOperation | undefined, secrets: Secrets): RecordedBody {
  const { size } = body;
  const text = textOf(body);
  if (text === '' || !isJson(text)) return { content: scrubbed(secrets.hide(text), secrets.mark), size };
  return {
    content: redactedJson(text, { ...secrets, isOpen: isAuthorization(logical) ? replyMembers : everything }),
    size,
  };
}

/** A text that begins with a mark is none. */
const isJson = (text: string): boolean => /^\s*(?:\{|\[(?!redacted ))/.test(text);

/** The first bytes of a body, as many as the journal keeps. */
function cut(body: RecordedBody): RecordedBody {
  const { content, size } = body;
  if (size <= mostBytes || sizeOf(content) <= mostBytes) return body;
  const kept = new Uint8Array(mostBytes);
  if (typeof content === 'string')
    return { content: kept.subarray(0, new TextEncoder().encodeInto(content, kept).written), size };
  kept.set(content.subarray(0, mostBytes));
  return { content: kept, size };
}
