import { createReadStream } from 'node:fs';
import { open, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Tokenizer, TokenParser } from '@streamparser/json';

import { SetupError } from '../../src/input/setup-error.js';
import { lackOfEntry } from './entry.js';
import type { HarEntry } from './entry.js';

/** Where an exchange stands: the file, and its number there, from 1 (for JSON lines the line). */
export interface Place {
  readonly file: string;
  readonly number: number;
  readonly form: 'har' | 'lines';
}

export interface Recorded {
  readonly entry: HarEntry;
  readonly place: Place;
}

const endings = /\.(har|jsonl|ndjson)$/i;
/** Bytes read at a time. */
const portion = 256 * 1024;
/** Bytes of one line: twice the longest answer that is judged, and escapes. */
const longestLine = 64 * 1024 * 1024;

const remedy = 'record HAR 1.2, or JSON lines with an entry of a HAR on each';

/**
 * The files that paths name; a folder stands for its files that end in .har, .jsonl or .ndjson.
 *
 * @throws SetupError for a path that is not there, and for a folder without any
 */
export async function filesOf(paths: readonly string[]): Promise<readonly string[]> {
  const files: string[] = [];
  for (const path of paths) {
    const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
      throw new SetupError(
        `${path}: cannot be read (${error.code ?? error.message}); name a HAR file or a folder of them`,
      );
    });
    if (!found.isDirectory()) {
      files.push(path);
      continue;
    }
    const inside = (await readdir(path)).filter((name) => endings.test(name)).toSorted();
    if (inside.length === 0)
      throw new SetupError(`${path}: has no file that ends in .har, .jsonl or .ndjson; ${remedy}`);
    files.push(...inside.map((name) => join(path, name)));
  }
  return files;
}

/**
 * Every exchange of a file, in its order, with flat memory however large the file is.
 *
 * @throws SetupError that names the file, the place and the remedy where it cannot be read
 */
export async function* exchangesOf(file: string): AsyncGenerator<Recorded> {
  try {
    yield* (await formOf(file)) === 'har' ? archived(file) : lines(file);
  } catch (error) {
    if (error instanceof SetupError || !(error instanceof Error && 'code' in error)) throw error;
    throw new SetupError(`${file}: cannot be read (${String(error.code)}); name a HAR file or a folder of them`);
  }
}

/** By its name or its beginning: the root of a HAR has one member, `log`. */
export async function formOf(file: string): Promise<Place['form']> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(4096), 0, 4096, 0);
    const start = buffer.toString('utf8', 0, bytesRead);
    return /^\uFEFF?\s*\{\s*"log"\s*:/.test(start) || /\.har$/i.test(file) ? 'har' : 'lines';
  } finally {
    await handle.close();
  }
}

async function* archived(file: string): AsyncGenerator<Recorded> {
  const tokens = new Tokenizer({ stringBufferSize: 64 * 1024 });
  // What was handed out is forgotten: only the entry that is being read is held.
  const parser = new TokenParser({ paths: ['$.log.entries.*'], keepStack: false });
  let [number, place] = [0, 0];
  let ready: unknown[] = [];
  tokens.onToken = (token) => {
    place = token.offset;
    parser.write(token);
  };
  tokens.onError = parser.onError = (error) => {
    throw error;
  };
  parser.onValue = ({ value }) => void ready.push(value);
  const position = { offset: 0, line: 1 };
  for await (const chunk of portions(file)) {
    try {
      tokens.write(chunk);
    } catch (error) {
      throw broken(file, number + ready.length + 1, position, chunk, offsetOf(error as Error, place), error as Error);
    }
    position.offset += chunk.length;
    for (const byte of chunk) if (byte === 0x0a) position.line += 1;
    for (const value of ready) yield recorded(value, { file, number: (number += 1), form: 'har' });
    ready = [];
  }
  if (!parser.isEnded)
    throw new SetupError(
      `${file}:${position.line}: ends at byte ${position.offset}, in the middle of ${number === 0 ? 'the JSON' : `what follows exchange ${number}`}; export the recording again`,
    );
}

/** The file in portions, without a byte order mark. */
async function* portions(file: string): AsyncGenerator<Buffer> {
  let isFirst = true;
  for await (const chunk of createReadStream(file, { highWaterMark: portion }) as AsyncIterable<Buffer>) {
    const marked = isFirst && chunk[0] === 0xef && chunk[1] === 0xbb && chunk[2] === 0xbf;
    // White space in its place keeps the offsets of what follows.
    if (marked) chunk.fill(0x20, 0, 3);
    isFirst = false;
    yield chunk;
  }
}

/** The byte of which the tokenizer complains, or the one of the last token, which the parser complains of. */
function offsetOf({ message }: Error, token: number): number {
  const [, absolute] = /absolute position "(\d+)"/.exec(message) ?? [];
  return absolute === undefined ? token : Number(absolute);
}

function broken(
  file: string,
  number: number,
  { offset, line }: { offset: number; line: number },
  chunk: Buffer,
  at: number,
  { message }: Error,
): SetupError {
  let here = line;
  for (const byte of chunk.subarray(0, Math.max(0, at - offset))) if (byte === 0x0a) here += 1;
  const [what = 'it'] = /Unexpected (?:"[^]?[^"]*"|[A-Z_]+(?: \("[^]*?"\))?)/.exec(message) ?? [];
  return new SetupError(
    `${file}:${here}: is not JSON at byte ${at}, in exchange ${number} (${what}); export the recording again, or cut the file before it and close its lists`,
  );
}

async function* lines(file: string): AsyncGenerator<Recorded> {
  let number = 0;
  let parts: Buffer[] = [];
  let length = 0;
  const read = (line: Buffer): Recorded | undefined => {
    number += 1;
    const text = line.toString('utf8').trim();
    if (text === '') return undefined;
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      throw new SetupError(`${file}:${number}: is not JSON; ${remedy}`);
    }
    return recorded(value, { file, number, form: 'lines' });
  };
  for await (const chunk of portions(file)) {
    let from = 0;
    for (let end = chunk.indexOf(0x0a); end >= 0; end = chunk.indexOf(0x0a, from)) {
      const one = read(Buffer.concat([...parts, chunk.subarray(from, end)]));
      [parts, length, from] = [[], 0, end + 1];
      if (one) yield one;
    }
    // A copy: the stream reuses its memory.
    parts.push(Buffer.from(chunk.subarray(from)));
    length += chunk.length - from;
    if (length > longestLine)
      throw new SetupError(`${file}:${number + 1}: has more than ${longestLine / 1024 / 1024} MB; ${remedy}`);
  }
  const last = read(Buffer.concat(parts));
  if (last) yield last;
}

function recorded(value: unknown, place: Place): Recorded {
  const lack = lackOfEntry(value);
  if (lack === undefined) return { entry: value as HarEntry, place };
  const { file, number, form } = place;
  throw new SetupError(`${form === 'har' ? `${file}: exchange ${number}` : `${file}:${number}`} ${lack}; ${remedy}`);
}

/** `traffic.har, exchange 12`; `traffic.jsonl, line 12`. */
export const placeText = ({ file, number, form }: Place): string =>
  `${file}, ${form === 'har' ? 'exchange' : 'line'} ${number}`;
