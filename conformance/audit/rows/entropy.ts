import { count } from '../../text.js';
import type { Call } from '../call.js';
import { groups } from '../row.js';
import { isPeriodic, originOf } from './derivation.js';

/** Alphabets that values are made of, the smallest first. */
const alphabets: readonly (readonly [RegExp, number])[] = [
  [/^\d*$/, 10],
  [/^[\da-f]*$|^[\dA-F]*$/, 16],
  [/^[\da-f-]*$/, 17],
  [/^[a-z]*$|^[A-Z]*$/, 26],
  [/^[\da-z]*$|^[\dA-Z]*$/, 36],
  [/^[A-Za-z]*$/, 52],
  [/^[\dA-Za-z]*$/, 62],
  [/^[\w-]*$/, 64],
];

/** Bits of a character of a text, by the smallest alphabet that it is made of. */
const bitsOfEach = (text: string): number => Math.log2(alphabets.find(([form]) => form.test(text))?.[1] ?? 66);

/** The most bits that the shortest of some values can hold, by the alphabet that all of them are made of. */
export function bitsOf(values: readonly string[]): number {
  if (values.length === 0) return 0;
  return Math.min(...values.map(({ length }) => length)) * bitsOfEach(values.join(''));
}

/** A client makes all of its values in one way: the origin of so many is tried. */
export const triedOrigins = 3;

/** So many different values show at each place what may stand there. */
const enough = 16;

/**
 * The most bits that values of one length can hold, place by place: what stands in all of them at a place holds none.
 * Undefined where there are too few to tell.
 */
export function bitsByPlace(values: readonly string[]): number | undefined {
  const same = groups([...new Set(values)], ({ length }) => String(length)).toSorted((a, b) => b.length - a.length)[0];
  if (same === undefined || same.length < enough) return undefined;
  return Array.from(same[0]!, (first, at) => {
    const seen = same.map((value) => value[at]!);
    return seen.every((character) => character === first) ? 0 : bitsOfEach(seen.join(''));
  }).reduce((sum, bits) => sum + bits, 0);
}

/**
 * Why a value is not random, as a phrase; undefined where nothing speaks against it. `others` are all values of the kind;
 * `request` is what it was made for. Origins are tried where `thorough`: that takes a tenth of a second.
 */
export function structureOf(
  value: string,
  others: readonly string[],
  epoch: number,
  request: Call | undefined,
  thorough = true,
): string | undefined {
  if (new Set(value).size < 8) return `${new Set(value).size} different characters in ${value.length}`;
  const decoded = Buffer.from(value, 'base64url').toString('latin1');
  if (isPeriodic(value) || isPeriodic(decoded)) return 'one and the same part again and again';
  if (/^[\x20-\x7e]{12,}$/.test(decoded) && bitsOf([decoded]) < 240) return 'the base64url of a short text';
  const bits = bitsOf(others) / shortest(others);
  const twin = others.find((other) => {
    const same = other !== value && other.length === value.length ? shared(other, value) : 0;
    // A name before enough random characters does no harm.
    return same > value.length / 2 && (value.length - same) * bits < 220;
  });
  if (twin !== undefined) return 'a text that shares most of its characters with another verifier';
  if (request === undefined || epoch === 0) return undefined;
  const born = epoch + request.at;
  for (const text of [value, decoded])
    for (const [digits] of text.matchAll(/\d{10,16}/g)) {
      if (bitsOf([text.replace(digits, '')]) >= 240) continue;
      if (near(Number(digits.slice(0, 13)), born) || near(Number(digits.slice(0, 10)) * 1000, born))
        return 'the time of the request';
    }
  const shown = [request.query.get('state') ?? '', request.query.get('client_id') ?? ''];
  return thorough ? originOf(value, born, shown) : undefined;
}

/** Why a state can be guessed, as a phrase; undefined where nothing speaks against it. `others` are all states. */
export function guessable(
  state: string,
  others: readonly string[],
  born: number,
  clientId: string,
  thorough = true,
): string | undefined {
  if (/^\d+$/.test(state) && state.length < 20) return 'a number';
  const bits = Math.max((bitsOf(others) / shortest(others)) * state.length, 4 * state.length);
  if (bits < 60) return `${count(state.length, 'character')}, ${count(Math.round(bits), 'bit')} at most`;
  return thorough ? originOf(state, born, [clientId]) : undefined;
}

const shortest = (values: readonly string[]): number => Math.min(...values.map(({ length }) => length));

const near = (instant: number, born: number): boolean => Math.abs(instant - born) < 3_600_000;

const shared = (one: string, other: string): number =>
  [...one].filter((character, at) => character === other[at]).length;
