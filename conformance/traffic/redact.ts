import { createWriteStream } from 'node:fs';
import { mkdir, realpath } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { once } from 'node:events';

import { SetupError } from '../../src/input/setup-error.js';
import type { Target } from '../target/target.js';
import { headersOf, requestBody, responseBody } from './entry.js';
import type { HarEntry } from './entry.js';
import { Pseudonyms } from './pseudonyms.js';
import type { Recognized } from './recognize.js';
import { Bodies } from './redact-body.js';
import { Servers } from './servers.js';
import { exchangesOf, filesOf, formOf } from './source.js';

/** Fields of forms and queries that say nothing of anybody; values of all others get pseudonyms. */
const openFields: ReadonlySet<string> = new Set(
  'grant_type response_type code_challenge_method scope token_type_hint redirect_uri realm type season limit offset sort class error error_description'.split(
    ' ',
  ),
);

/** Headers whose values may stay, without what is known of anybody; of others the names do. */
const openHeaders =
  /^(accept|accept-encoding|age|allow|cache-control|content-encoding|content-length|content-type|date|expires|origin|pragma|prefer|preference-applied|retry-after|vary|www-authenticate|access-control-.*|x-rate-limit-.*)$/;

export interface RedactOptions {
  readonly paths: readonly string[];
  /** Where the copy goes: a file, or a folder where there are several. */
  readonly out: string;
  readonly target: Target;
  readonly named: boolean;
}

/**
 * Copies recordings without credentials, names of people and ids. Only exchanges of the contract are copied, and of
 * them only what the contract knows: a value has the same pseudonym wherever it stands. Names are gathered in a first
 * pass, so that memory grows with their number, not with the files.
 *
 * @returns the files written
 * @throws SetupError where a file cannot be read or written
 */
export async function redactTraffic({ paths, out, target, named }: RedactOptions): Promise<readonly string[]> {
  const files = await filesOf(paths);
  const copies = await copiesOf(files, out);
  const book = new Pseudonyms();
  const copy = entryCopier(target, named, book);
  for (const file of files) for await (const { entry } of exchangesOf(file)) copy(entry);
  const again = entryCopier(target, named, book);
  for (const [file, place] of copies) await writeCopy(file, place, again);
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
  const isHar = (await formOf(file)) === 'har';
  const stream = createWriteStream(place, { mode: 0o600 });
  const failed = new Promise<never>((_, reject) =>
    stream.once('error', (error: NodeJS.ErrnoException) =>
      reject(
        new SetupError(
          `--redact ${place}: cannot be written (${error.code ?? error.message}); name a path in a folder that exists`,
        ),
      ),
    ),
  );
  failed.catch(() => {});
  const write = async (text: string): Promise<void> => {
    if (!stream.write(text)) await Promise.race([once(stream, 'drain'), failed]);
  };
  if (isHar)
    await write('{"log":{"version":"1.2","creator":{"name":"gamedata check --redact","version":"1"},"entries":[');
  let isFirst = true;
  for await (const { entry } of exchangesOf(file)) {
    const copied = copy(entry);
    if (!copied) continue;
    await write(`${isHar && !isFirst ? ',\n' : ''}${JSON.stringify(copied)}${isHar ? '' : '\n'}`);
    isFirst = false;
  }
  stream.end(isHar ? ']}}\n' : '');
  await Promise.race([once(stream, 'close'), failed]);
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
    const url = urlOf(request.url, found, book);
    const sent = requestBody(entry);
    const type = [headersOf(request.headers)['content-type'] ?? request.postData?.mimeType ?? ''].flat().join();
    const { bytes, partial } = responseBody(entry);
    const text = bodies.response(bytes, logical, response.status);
    const location = [headersOf(response.headers)['location'] ?? []].flat()[0];
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
        ...(sent !== undefined && {
          postData: {
            mimeType: book.scrub(type),
            text: /x-www-form-urlencoded/i.test(type)
              ? fieldsOf(sent, book)
              : bodies.request(Buffer.from(sent), logical),
          },
        }),
        headersSize: -1,
        bodySize: -1,
      },
      response: {
        status: response.status,
        statusText: '',
        httpVersion: 'HTTP/1.1',
        cookies: [],
        headers: [
          ...headersFor(response.headers, book),
          ...(location === undefined ? [] : [{ name: 'location', value: addressOf(location, book) }]),
        ],
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

const isDate = (text: string): boolean => /^[0-9T:.Z+-]{10,40}$/.test(text);

function headersFor(list: unknown, book: Pseudonyms): object[] {
  return Object.entries(headersOf(list)).flatMap(([name, values]) =>
    [values].flat().flatMap((value) => {
      if (name === 'location') return [];
      if (name === 'authorization') return [{ name, value: authorizationOf(value, book) }];
      if (/cookie/.test(name)) {
        for (const pair of value.split(';')) book.of(pair.replace(/^[^=]*=/, '').trim());
        return [];
      }
      if (!openHeaders.test(name)) book.of(value.trim());
      return [{ name: book.scrub(name), value: openHeaders.test(name) ? book.scrub(value) : '(redacted)' }];
    }),
  );
}

/** The scheme, and pseudonyms of what follows, so that it is seen which requests carry the same token. */
function authorizationOf(value: string, book: Pseudonyms): string {
  const [, scheme = '', text = ''] = /^(bearer|basic) +(.*)$/is.exec(value.trim()) ?? [];
  if (scheme === '') return book.of(value);
  if (scheme.toLowerCase() === 'bearer') return `${scheme} ${book.of(text)}`;
  book.of(text);
  const [id = '', secret = ''] = Buffer.from(text, 'base64').toString('utf8').split(/:(.*)/s);
  return `${scheme} ${Buffer.from([id, secret].map((part) => book.of(decoded(part))).join(':')).toString('base64')}`;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}

/** Form or query, its values read and written anew. */
function fieldsOf(text: string, book: Pseudonyms): string {
  return [...new URLSearchParams(text)]
    .map(([name, value]) => {
      const shown =
        name === 'redirect_uri' ? addressOf(value, book) : openFields.has(name) ? book.scrub(value) : book.of(value);
      return `${encodeURIComponent(book.scrub(name))}=${encodeURIComponent(shown)}`;
    })
    .join('&');
}

/** The address of an application: scheme and host may stay, of its query what is open. */
function addressOf(text: string, book: Pseudonyms): string {
  const [, base = '', query, fragment] = /^([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/s.exec(text) ?? [];
  const start = book.scrub(base.replace(/\/\/[^/@]*@/, '//'));
  return `${start}${query === undefined ? '' : `?${fieldsOf(query, book)}`}${fragment === undefined ? '' : `#${fieldsOf(fragment, book)}`}`;
}

/** Path parameters that name somebody or something of somebody's. */
const personalArguments: ReadonlySet<string> = new Set(['name', 'stash_id', 'substash_id']);

function urlOf(url: string, { operation, args }: Recognized, book: Pseudonyms): string {
  const [, base = '', path = '', query] = /^(https?:\/\/[^/?#]*)([^?#]*)(?:\?([^#]*))?/is.exec(url) ?? [];
  const isPersonal = (name: string): boolean =>
    personalArguments.has(name) || (name === 'id' && operation.logical.endsWith('ItemFilter'));
  const values = new Map(
    Object.entries(args)
      .map(([name, value]) => [String(value), isPersonal(name)] as const)
      .filter(([, personal]) => personal),
  );
  const segments = path.split('/').map((segment) => {
    const read = decoded(segment.replaceAll('+', '%2B'));
    return values.has(read) ? encodeURIComponent(book.of(read)) : encodeURIComponent(book.scrub(read));
  });
  // The cursors of the two streams are public.
  const open = ['getPublicStashTabs', 'getCurrencyExchange'].includes(operation.logical);
  const asked = query === undefined ? '' : `?${open ? book.scrub(query) : fieldsOf(query, book)}`;
  return base.replace(/\/\/[^/@]*@/, '//').toLowerCase() + segments.join('/') + asked;
}
