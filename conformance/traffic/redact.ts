import { mkdir, realpath } from 'node:fs/promises';
import { basename, join } from 'node:path';

import type { LogicalOperation } from '../../src/contract/index.js';
import { SetupError } from '../../src/input/setup-error.js';
import { decoded } from '../../src/redaction/places.js';
import type { Target } from '../target/target.js';
import { headersOf, requestBody, responseBody } from './entry.js';
import type { HarEntry } from './entry.js';
import { formNames, headerValue, isRealm, pairsOf, queryNames } from './kept.js';
import { Pseudonyms } from './pseudonyms.js';
import type { Recognized } from './recognize.js';
import { Bodies } from './redact-body.js';
import { Servers } from './servers.js';
import { exchangesOf, filesOf, formOf } from './source.js';
import { EntryWriter } from './writer.js';

export interface RedactOptions {
  readonly paths: readonly string[];
  /** Where the copy goes: a file, or a folder where there are several. */
  readonly out: string;
  readonly target: Target;
  readonly named: boolean;
}

/**
 * Copies recordings without credentials, names of people and ids. Only exchanges of the contract are copied, and of them
 * only what the contract lists or has a harmless form (`kept.ts`, `Bodies`): a pseudonym stands for everything else, the
 * same one for a value wherever it stands. One pass, with flat memory.
 *
 * @returns the files written
 * @throws SetupError where a file cannot be read or written
 */
export async function redactTraffic({ paths, out, target, named }: RedactOptions): Promise<readonly string[]> {
  const files = await filesOf(paths);
  const copies = await copiesOf(files, out);
  const copy = entryCopier(target, named, new Pseudonyms());
  for (const [file, place] of copies) await writeCopy(file, place, copy);
  return copies.map(([, place]) => place);
}

async function copiesOf(files: readonly string[], out: string): Promise<readonly (readonly [string, string])[]> {
  const [single, ...more] = files;
  const copies: (readonly [string, string])[] =
    single !== undefined && more.length === 0
      ? [[single, out]]
      : files.map((file) => [file, join(out, basename(file))]);
  if (more.length > 0)
    await mkdir(out, { recursive: true }).catch((error: NodeJS.ErrnoException) => {
      throw new SetupError(
        `--redact ${out}: is no folder that can be made (${error.code ?? error.message}); name a folder`,
      );
    });
  const sources = new Set(await Promise.all(files.map((file) => realpath(file))));
  for (const [, place] of copies) {
    const there = await realpath(place).catch(() => undefined);
    if (there !== undefined && sources.has(there))
      throw new SetupError(`--redact ${out}: would overwrite ${place}, which is read; name another path`);
  }
  const names = copies.map(([, place]) => place);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined)
    throw new SetupError(`--redact ${out}: two recordings would both become ${twice}; redact them one by one`);
  return copies;
}

async function writeCopy(file: string, place: string, copy: (entry: HarEntry) => object | undefined): Promise<void> {
  const writer = new EntryWriter(place, { isHar: (await formOf(file)) === 'har', creator: 'gamedata check --redact' });
  const explained = ({ code, message }: NodeJS.ErrnoException): never => {
    throw new SetupError(
      `--redact ${place}: cannot be written (${code ?? message}); name a path in a folder that exists`,
    );
  };
  for await (const { entry } of exchangesOf(file)) {
    const copied = copy(entry);
    if (copied) await writer.write(copied).catch(explained);
  }
  await writer.close().catch(explained);
}

/** What makes the copy of an exchange; undefined for one that is not of the contract. */
export function entryCopier(target: Target, named: boolean, book: Pseudonyms): (entry: HarEntry) => object | undefined {
  const servers = new Servers(target, named);
  const bodies = new Bodies(target, book);
  return (entry) => {
    const { startedDateTime, time, request, response } = entry;
    const found = servers.find(request.method, request.url);
    if ('stray' in found) return undefined;
    const { logical } = found.operation;
    const url = urlOf(request.url, found, target, book);
    const { bytes, partial } = responseBody(entry);
    const text = bodies.response(bytes, found.operation, response.status);
    return {
      ...(typeof startedDateTime === 'string' && isDate(startedDateTime) && { startedDateTime }),
      time: typeof time === 'number' ? time : 0,
      request: {
        method: request.method,
        url,
        httpVersion: 'HTTP/1.1',
        cookies: [],
        headers: headersFor(request.headers, book),
        queryString: [...new URL(url).searchParams].map(([name, value]) => ({ name, value })),
        ...postDataOf(entry, logical, bodies, book),
        headersSize: -1,
        bodySize: -1,
      },
      response: {
        status: response.status,
        statusText: '',
        httpVersion: 'HTTP/1.1',
        cookies: [],
        headers: headersFor(response.headers, book),
        // A body that is cut off stays so: what is left of it is no JSON.
        content: {
          size: partial ? Buffer.byteLength(text) + 1 : Buffer.byteLength(text),
          mimeType: 'application/json',
          ...(text !== '' && { text }),
        },
        redirectURL: '',
        headersSize: -1,
        bodySize: -1,
      },
      cache: {},
      timings: { send: 0, wait: 0, receive: 0 },
    };
  };
}

/** The body of a request: a form by its pairs, anything else by what the contract says of it. */
function postDataOf(entry: HarEntry, logical: LogicalOperation, bodies: Bodies, book: Pseudonyms): object {
  const sent = requestBody(entry);
  if (sent === undefined) return {};
  const { headers, postData } = entry.request;
  const type = [headersOf(headers)['content-type'] ?? postData?.mimeType ?? ''].flat().join();
  const text = /x-www-form-urlencoded/i.test(type)
    ? pairsOf(sent, formNames(logical), book)
    : bodies.request(Buffer.from(sent), logical);
  return { postData: { mimeType: headerValue('content-type', type, book), text } };
}

const isDate = (text: string): boolean => /^[0-9]{4}-[0-9T:.Z+-]{6,25}$/.test(text);

function headersFor(list: unknown, book: Pseudonyms): { name: string; value: string }[] {
  const given = Object.entries(headersOf(list));
  const kept = given.flatMap(([name, values]) =>
    [values].flat().flatMap((value) => {
      const shown = name === 'authorization' ? authorizationOf(value, book) : headerValue(name, value, book);
      return shown === undefined ? [] : [{ name, value: shown }];
    }),
  );
  // That there were headers shows that they were recorded.
  return kept.length === 0 && given.length > 0 ? [{ name: 'x-redacted', value: '(redacted)' }] : kept;
}

/** The scheme, and pseudonyms of what follows, so that it is seen which requests carry the same token. */
function authorizationOf(value: string, book: Pseudonyms): string {
  const [, scheme = '', text = ''] = /^(bearer|basic) +(.*)$/is.exec(value.trim()) ?? [];
  if (scheme === '') return book.of(value);
  if (scheme.toLowerCase() === 'bearer') return `${scheme} ${book.of(text)}`;
  const [id = '', secret = ''] = Buffer.from(text, 'base64').toString('utf8').split(/:(.*)/s);
  return `${scheme} ${Buffer.from([id, secret].map((part) => book.of(decoded(part))).join(':')).toString('base64')}`;
}

/** Scheme and host without what stands before an `@`. */
const withoutUser = (base: string): string =>
  base.slice(0, base.indexOf('//') + 2) + base.slice(Math.max(base.indexOf('//') + 2, base.lastIndexOf('@') + 1));

/** The address: the server's own, the operation's path, and what stays of its parameters. */
function urlOf(url: string, { operation, args }: Recognized, { names }: Target, book: Pseudonyms): string {
  const [, base = '', path = '', query] = /^(https?:\/\/[^/?#]*)([^?#]*)(?:\?([^#]*))?/is.exec(url) ?? [];
  const { logical } = operation;
  const argument = (name: string, value: string): string => {
    const isHour = logical === 'getCurrencyExchange' && name === 'id' && /^[0-9]{1,10}$/.test(value);
    if (logical === 'getCurrencyExchange' && name === 'id' && !isHour && /^[0-9]{1,15}$/.test(value))
      return String(book.number(Number(value)));
    return isHour || isRealm(value) || value === names.game2 ? value : book.of(value);
  };
  const own = operation.path.split('/').slice(1);
  const given = path.split('/');
  const prefix = given.slice(0, given.length - own.length);
  const segments = given.slice(given.length - own.length).map((segment, index) => {
    const [, name] = /^\{(.*)\}$/.exec(own[index] ?? '') ?? [];
    return name === undefined ? segment : encodeURIComponent(argument(name, String(args[name] ?? '')));
  });
  const spelled = (name: string, value: string): boolean => name === 'realm' && value === names.game2;
  const asked = query === undefined ? '' : `?${pairsOf(query, queryNames(logical), book, spelled)}`;
  return withoutUser(base).toLowerCase() + [...prefix, ...segments].join('/') + asked;
}
