import { isUtf8 } from 'node:buffer';

import type { Redirect } from '../engine/run.js';
import { header } from '../wire/answer.js';
import type { Answer, Sent } from '../wire/answer.js';
import { bodyOf, TooMuch } from '../wire/body.js';
import { clipped } from '../wire/bounds.js';
import { uncoded } from '../wire/coding.js';
import type { Target } from '../target/target.js';
import { headersOf, requestBody, responseBody } from './entry.js';
import type { HarEntry } from './entry.js';
import type { Recognized } from './recognize.js';

/** Why a recorded exchange cannot be judged. */
export class NotJudgeable extends Error {}

/** Fields of forms and queries whose values are credentials. */
const secretFields = /^(client_secret|code|code_verifier|token|access_token|refresh_token|password)$/;

/** Texts that a tool wrote over a credential: `[redacted]`, `***`, `abc…`. */
const isPlaceholder = (text: string): boolean =>
  /redact|remov|hidden|mask|filter|sanitiz|secret|scrub/i.test(text) ||
  /^[*xX.#•-]+$/.test(text) ||
  /^(<.*>|\[.*\]|\{.*\}|\(.*\)|\$\{.*\})$/s.test(text) ||
  /(…|\.\.\.)$/.test(text);

/**
 * An exchange as monitors read it. What a recording has in place of tokens and codes counts as one of its own each time,
 * for nobody can tell what the server gave.
 *
 * @throws NotJudgeable where the recording does not have what there is to judge
 */
export function answerOf(entry: HarEntry, { operation, args }: Recognized, target: Target, number: number): Answer {
  const { response } = entry;
  if (response.status < 100) throw new NotJudgeable('no response was recorded');
  const headers = { ...headersOf(response.headers) };
  if (Object.keys(headers).length === 0) throw new NotJudgeable('the headers of the response were not recorded');
  const { partial } = responseBody(entry);
  const bytes = plainBody(entry, header({ headers }, 'content-encoding'));
  const body = bodyIn(operation.logical === 'issueToken' ? withTokens(bytes, number) : bytes);
  if (partial && body.json === undefined && response.status !== 304)
    throw new NotJudgeable('the body of the response was not recorded, or not to its end');
  const location = header({ headers }, 'location') ?? redirectIn(entry);
  if (location !== undefined) headers['location'] = withCode(location, number);
  const sent = sentOf(entry);
  const form = isForm(sent) ? new URLSearchParams(requestBody(entry)) : undefined;
  const grant = operation.logical === 'issueToken' ? form?.get('grant_type') : undefined;
  const client = form && clientOf(form, sent, target);
  return Object.defineProperties(
    {
      number,
      asked: {
        server: operation.server,
        operation: operation.logical,
        args,
        ...(grant && { grant }),
        ...(client && { client: grant === 'client_credentials' ? ('service' as const) : client }),
      },
      request: withoutCredentials(sent),
      status: response.status,
      headers,
      ms: typeof entry.time === 'number' ? entry.time : 0,
    },
    Object.getOwnPropertyDescriptors(body),
  ) as Answer;
}

/**
 * The body as the server meant it. A HAR has bodies decoded (HAR 1.2, content), but some recorders keep them as they came.
 *
 * @throws NotJudgeable where that is not readable
 */
function plainBody(entry: HarEntry, codings: string | undefined): Buffer {
  const { bytes } = responseBody(entry);
  if (codings === undefined || isText(bytes)) return bytes;
  const plain = uncoded(bytes, codings).bytes;
  if (plain) return plain;
  throw new NotJudgeable(`the body was recorded with Content-Encoding ${clipped(codings, 40)} and cannot be decoded`);
}

/** Whether bytes are a text, and not what a coding made of one, or what was left of that when it was taken for one. */
const isText = (bytes: Buffer): boolean =>
  isUtf8(bytes) && !/[\0-\x08\x0e-\x1f\ufffd]/.test(bytes.toString('utf8', 0, 4096));

function bodyIn(bytes: Buffer): ReturnType<typeof bodyOf> {
  try {
    return bodyOf(bytes);
  } catch (error) {
    throw error instanceof TooMuch ? new NotJudgeable(error.message) : error;
  }
}

const redirectIn = ({ response: { status, redirectURL } }: HarEntry): string | undefined =>
  status >= 300 && status < 400 && typeof redirectURL === 'string' && redirectURL !== '' ? redirectURL : undefined;

function sentOf(entry: HarEntry): Sent {
  const { method, url, headers, postData } = entry.request;
  const given = Object.fromEntries(
    Object.entries(headersOf(headers)).map(([name, value]) => [name, [value].flat().join(', ')]),
  );
  const { mimeType } = postData ?? {};
  const body = requestBody(entry);
  return {
    method,
    url,
    headers: {
      ...(typeof mimeType === 'string' && mimeType !== '' && { 'content-type': mimeType }),
      ...given,
    },
    ...(body !== undefined && { body }),
  };
}

const isForm = ({ headers }: Sent): boolean =>
  headers['content-type']?.split(';')[0]?.trim().toLowerCase() === 'application/x-www-form-urlencoded';

/** The kind of client, where the request tells: one that sends no secret may have been stripped of it. */
function clientOf(form: URLSearchParams, { headers }: Sent, { clients }: Target): Answer['asked']['client'] {
  const known = Object.values(clients).find((client) => client.client_id === form.get('client_id'));
  if (known) return known.client_secret === undefined ? 'public' : 'confidential';
  return form.has('client_secret') || /^basic /i.test(headers['authorization'] ?? '') ? 'confidential' : undefined;
}

/** A request that may be shown: form fields, queries and headers without what opens a door. */
function withoutCredentials(sent: Sent): Sent {
  const { method, url, headers, body } = sent;
  const fields = (text: string): string =>
    text
      .split('&')
      .map((field) => {
        const [name = ''] = field.split('=', 1);
        return name !== field && secretFields.test(name) ? `${name}=(hidden)` : field;
      })
      .join('&');
  const query = url.indexOf('?') + 1;
  const shown = Object.entries(headers).map(([name, value]): [string, string] => {
    if (/^(proxy-)?authorization$/.test(name)) return [name, `${value.split(' ')[0] ?? ''} (hidden)`];
    return [name, /cookie|token|secret|key$/.test(name) ? '(hidden)' : value];
  });
  return {
    method,
    url: query === 0 ? url : url.slice(0, query) + fields(url.slice(query)),
    headers: Object.fromEntries(shown),
    ...(body !== undefined && { body: isForm(sent) ? fields(body) : body }),
  };
}

/** Every value of a request that opens a door. */
export function credentialsOf(entry: HarEntry): string[] {
  const { headers, body, url } = sentOf(entry);
  const given = Object.entries(headers).flatMap(([name, value]) => {
    if (/^(proxy-)?authorization$/.test(name)) {
      const [, scheme = '', text = value] = /^(\S+) +(.*)$/s.exec(value) ?? [];
      return scheme.toLowerCase() === 'basic'
        ? [text, ...Buffer.from(text, 'base64').toString('utf8').split(/:(.*)/s)]
        : [text];
    }
    if (name === 'cookie') return value.split(';').map((pair) => pair.replace(/^[^=]*=/, '').trim());
    return /token|secret|key$/.test(name) ? [value] : [];
  });
  const fields = [url.replace(/^[^?]*\??/s, '').replace(/#.*$/s, ''), body ?? ''].flatMap((text) =>
    [...new URLSearchParams(text)].flatMap(([name, value]) => (secretFields.test(name) ? [value] : [])),
  );
  return [...given, ...fields].filter((value) => value !== '' && !isPlaceholder(value));
}

/** A token answer in which each placeholder is a token of its own. */
function withTokens(bytes: Buffer, number: number): Buffer {
  const text = bytes.toString('utf8');
  const changed = text.replace(
    /("(access_token|refresh_token)"\s*:\s*)"([^"\\]*)"/g,
    (whole, start: string, name: string, value: string) =>
      isPlaceholder(value) ? `${start}"redacted-${name.charAt(0)}${number}"` : whole,
  );
  return changed === text ? bytes : Buffer.from(changed);
}

const withCode = (location: string, number: number): string =>
  location.replace(/([?&]code=)([^&#]*)/, (whole, start: string, value: string) =>
    isPlaceholder(decoded(value)) ? `${start}redacted-c${number}` : whole,
  );

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}

/** Where the authorization endpoint sent a browser, with the request that it answers. */
export function redirectOf(answer: Answer): { readonly redirect: Redirect; readonly fields: [string, string][] } {
  const location = header(answer, 'location') ?? null;
  const query = new URLSearchParams(location?.split('#')[0]?.split(/\?(.*)/s)[1] ?? '');
  return {
    redirect: {
      status: answer.status,
      location,
      query,
      code: query.get('code'),
      error: query.get('error'),
      page: answer.text,
    },
    fields: [...new URLSearchParams(answer.request.url.split('#')[0]?.split(/\?(.*)/s)[1] ?? '')],
  };
}
