import { isUtf8 } from 'node:buffer';
import { randomInt } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';

import { PrerequisiteFailed } from '../verdict.js';
import { bounds, clipped } from './bounds.js';

/** What an answer has of its body. */
export interface Body {
  /** The text, or its beginning where the text is long. */
  readonly text: string;
  /** The body as JSON, or undefined where it is not JSON; null in place of what lies too deep in it. */
  readonly json: unknown;
  /** Something lay too deep. */
  readonly pruned?: true;
  /** What keeps the body from being a JSON text, or from being read at all, where that is not plain from the text. */
  readonly problem?: string;
}

/** An answer has more in it than is read. */
export class TooMuch extends PrerequisiteFailed {}

/** Bytes of memory that a value and a name take, about: no less than most do. */
const taken = { value: 32, name: 400 };

interface Reading {
  /** Keeps the text of JSON as that of pages is kept, for who parses it again. */
  readonly whole?: boolean;
  /** Whether there is memory for so many bytes more. */
  readonly takes?: (bytes: number) => boolean;
}

/** @throws TooMuch where it is JSON with more values or names than are read, or there is no memory for it */
export function bodyOf(all: Buffer, { whole = false, takes = () => true }: Reading = {}): Body {
  const bytes = withoutEnd(withoutMark(all));
  const most = whole ? bounds.text : bounds.besideJson;
  const { values, names, depth } = measured(bytes);
  if (values > bounds.values)
    throw new TooMuch(`JSON of more than ${bounds.values} members and elements, which is not read`);
  if (names > bounds.names)
    throw new TooMuch(`JSON with more than ${bounds.names} different names of members, which is not read`);
  const size = all.length + values * taken.value + names * taken.name;
  if (!takes(size))
    throw new TooMuch(`${all.length} bytes, and the answers before take all the memory that a run may have for them`);
  const deep = depth > bounds.depth;
  const read = (from: Buffer): unknown => parsed(from.toString('utf8'), deep);
  const json = read(bytes);
  const problem = problemOf(all, json);
  if (json === undefined) return { text: beginning(all, bounds.text), json, ...problem };
  const rest = { text: beginning(all, most), ...(deep && { pruned: true as const }), ...problem };
  if (bytes.length < bounds.packed || typeof json !== 'object' || json === null) return { ...rest, json };
  const packed = deflateRawSync(bytes, { level: 1 });
  let held = new WeakRef(json);
  const get = (): unknown => {
    let value = held.deref();
    if (!value) {
      takes(size);
      value = read(inflateRawSync(packed)) as object;
      held = new WeakRef(value);
    }
    return value;
  };
  return Object.defineProperty(rest, 'json', { enumerable: true, get }) as Body;
}

const mark = Buffer.from('\ufeff');
const hasMark = (bytes: Buffer): boolean => bytes.subarray(0, mark.length).equals(mark);

/** A parser may ignore a byte-order mark (RFC 8259 8.1): what follows is judged, and the mark by its own row. */
const withoutMark = (bytes: Buffer): Buffer => (hasMark(bytes) ? bytes.subarray(mark.length) : bytes);

/** What RFC 8259 8.1 forbids of a text, in words. */
function problemOf(bytes: Buffer, json: unknown): { readonly problem?: string } {
  const isWide = /^(fffe|feff)$/.test(bytes.toString('hex', 0, 2));
  if (hasMark(bytes) || isWide)
    return { problem: `the body begins with a byte-order mark${isWide ? ' of UTF-16' : ''}; RFC 8259 8.1` };
  return json === undefined || isUtf8(bytes) ? {} : { problem: 'the body is not UTF-8; RFC 8259 8.1' };
}

const beginning = (bytes: Buffer, most: number): string =>
  // A character has four bytes at most: one that is cut in two lies behind what is kept.
  clipped(bytes.toString('utf8', 0, most * 4), most);

/** The bytes without the white space of JSON at their end, of which there may be more than of anything else. */
function withoutEnd(bytes: Buffer): Buffer {
  let end = bytes.length;
  while (end > 0 && isBlank(bytes[end - 1])) end -= 1;
  return bytes.subarray(0, end);
}

const isBlank = (byte: number | undefined): boolean => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;

interface Measures {
  readonly values: number;
  readonly names: number;
  readonly depth: number;
}

/** How much JSON has of what is bounded, counted until there is too much of it. One pass over the bytes, without recursion. */
function measured(bytes: Buffer): Measures {
  let level = 0;
  let depth = 0;
  let values = 0;
  const names = new Set<number>();
  let [from, to] = [0, 0];
  const { length } = bytes;
  for (let at = 0; at < length; at += 1) {
    const byte = bytes[at];
    // What there may be most of goes first.
    if (byte === 0x20) continue;
    if (byte === 0x22) {
      for (from = at += 1; at < length && bytes[at] !== 0x22; at += 1) if (bytes[at] === 0x5c) at += 1;
      to = at;
    } else if (byte === 0x3a) {
      names.add(hashOf(bytes, from, to));
      if (names.size > bounds.names) break;
      // What is no JSON may have another colon.
      from = to;
    } else if (byte === 0x2c) {
      values += 1;
      if (values > bounds.values) break;
    } else if (byte === 0x5b || byte === 0x7b) {
      values += 1;
      level += 1;
      if (level > depth) depth = level;
    } else if (byte === 0x5d || byte === 0x7d) {
      level -= 1;
    } else if (level === 0 && !isBlank(byte)) {
      // Neither an array nor an object.
      break;
    }
  }
  return { values, names: names.size, depth };
}

/** Nobody can foresee which names have the same hash in a run. */
const seed = randomInt(2 ** 32);

/** Tells names apart, FNV-1a. */
function hashOf(bytes: Buffer, from: number, to: number): number {
  let hash = seed;
  for (let at = from; at < to; at += 1) hash = Math.imul(hash ^ bytes[at]!, 0x01000193);
  return hash;
}

function parsed(text: string, deep: boolean): unknown {
  try {
    const value: unknown = JSON.parse(text);
    if (deep) prune(value);
    return value;
  } catch {
    return undefined;
  }
}

type Container = Record<string, unknown>;
const isContainer = (value: unknown): value is Container => typeof value === 'object' && value !== null;

/** Puts null in place of what lies too deep, level by level. */
function prune(value: unknown): void {
  let level = [value].filter(isContainer);
  for (let depth = 2; level.length > 0; depth += 1) {
    const next: Container[] = [];
    for (const one of level) {
      for (const [name, inner] of Object.entries(one)) {
        if (!isContainer(inner)) continue;
        // An assignment to __proto__ would be something else.
        if (depth > bounds.depth) Object.defineProperty(one, name, { value: null });
        else next.push(inner);
      }
    }
    level = next;
  }
}
