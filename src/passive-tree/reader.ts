import { decodeBase64url, roomOfBase64url } from './base64url.js';
import { TreeLinkError } from './error.js';
import { roomFor, USUAL_SIZE } from './room.js';
import type { ByteOrder, MasteryPair, PassiveTree } from './tree.js';
import { isVersion } from './tree.js';

/** A slice of this is a list without holes, which is made and read faster than one with. */
const ZEROS: readonly number[] = Array.from({ length: 255 }, () => 0);

/** Nearly all links are decoded into this. */
const usual = roomFor(USUAL_SIZE);

/** Reads forward through the bytes of a link. What the hot path does not need stands in functions of its own. */
export class Reader {
  private at = 0;
  private end = 0;
  private little = false;
  private room: Uint8Array = usual.bytes;
  private view = usual.view;

  /**
   * Begins anew, with the first byte of a link.
   * @throws TreeLinkError where the link is no base64url text, as `decodeBase64url` does
   */
  start(link: string): void {
    const size = roomOfBase64url(link);
    const { bytes, view } = size <= USUAL_SIZE ? usual : roomFor(size);
    this.at = 0;
    this.end = decodeBase64url(link, bytes);
    this.little = false;
    this.room = bytes;
    this.view = view;
  }

  /** The bytes of the link: a view, good until the next link is read. */
  get bytes(): Uint8Array {
    return this.room.subarray(0, this.end);
  }

  get byteOrder(): ByteOrder {
    return this.little ? 'little' : 'big';
  }

  /** The version word, which also settles the byte order: 00 00 00 06 or 06 00 00 00 (K-062). */
  version(): PassiveTree['version'] {
    const at = this.take(4, 'version');
    const big = this.view.getUint32(at);
    if (isVersion(big)) return big;
    const little = this.view.getUint32(at, true);
    if (!isVersion(little)) throw noVersion(big, little);
    this.little = true;
    return little;
  }

  byte(name: string): number {
    return this.room[this.take(1, name)]!;
  }

  flag(name: string): boolean {
    const value = this.byte(name);
    if (value > 1) throw notAFlag(name, value, this.at - 1);
    return value === 1;
  }

  words(name: string): number[] {
    return this.takeWords(this.byte(name), name);
  }

  wordsToEnd(name: string): number[] {
    const left = this.end - this.at;
    if (left % 2 === 1) throw oddByte(name, left, this.end - 1);
    return this.takeWords(left / 2, name);
  }

  pairs(name: string): MasteryPair[] {
    const count = this.byte(name);
    const at = this.take(count * 4, name);
    if (count === 0) return [];
    const entries = new Array<MasteryPair>(count);
    for (let i = 0; i < count; i++) {
      const pair = this.view.getUint32(at + i * 4, this.little);
      entries[i] = { node: pair & 0xffff, effect: pair >>> 16 };
    }
    return entries;
  }

  /** Refuses bytes beyond the layout. */
  finish(): void {
    if (this.at !== this.end) throw trailing(this.at, this.end);
  }

  /** Steps over `size` bytes of the element `name` and returns where they begin. */
  private take(size: number, name: string): number {
    const start = this.at;
    this.at = start + size;
    if (this.at > this.end) throw truncated(name, size, start, this.end);
    return start;
  }

  /** Two words a step: one load and one check of bounds for both, a quarter less time than word by word. */
  private takeWords(count: number, name: string): number[] {
    const { view, little } = this;
    const shiftFirst = little ? 0 : 16;
    const shiftSecond = 16 - shiftFirst;
    const at = this.take(count * 2, name);
    if (count === 0) return [];
    const values = count <= ZEROS.length ? ZEROS.slice(0, count) : new Array<number>(count);
    let i = 0;
    for (; i + 1 < count; i += 2) {
      const both = view.getInt32(at + i * 2, little);
      values[i] = (both >>> shiftFirst) & 0xffff;
      values[i + 1] = (both >>> shiftSecond) & 0xffff;
    }
    if (i < count) values[i] = view.getUint16(at + i * 2, little);
    return values;
  }
}

function truncated(name: string, size: number, at: number, end: number): TreeLinkError {
  const left = counted(end - at, 'byte');
  const message = `expected ${named(name, size)} (${counted(size, 'byte')}) at offset ${at}, ${left} left`;
  return new TreeLinkError('truncated', { byte: at }, message);
}

/** "12 hashes", "count of hashes", "class": a list has its count, one byte, and its entries, two or four bytes each. */
function named(name: string, size: number): string {
  const noun = { hashes: 'hash', extended: 'extended hash', mastery: 'mastery pair' }[name];
  if (noun === undefined) return name;
  const plural = noun.endsWith('hash') ? `${noun}es` : `${noun}s`;
  if (size === 1) return `count of ${plural}`;
  const count = name === 'mastery' ? size / 4 : size / 2;
  return `${count} ${count === 1 ? noun : plural}`;
}

/** Why a version word is none in either byte order. */
const noVersion = (big: number, little: number): TreeLinkError =>
  isOld(big) || isOld(little) ? oldVersion(Math.min(big, little)) : unknownVersion(big);

/** Versions before those that the interface lays out. */
const isOld = (word: number): boolean => word === 2 || word === 3;

const oldVersion = (version: number): TreeLinkError =>
  new TreeLinkError(
    'version',
    { byte: 0 },
    `version ${version} at offset 0 is older than 4, 5 and 6, which can be read; make the link anew`,
  );

function unknownVersion(word: number): TreeLinkError {
  const bytes = word
    .toString(16)
    .padStart(8, '0')
    .replace(/..(?=.)/g, '$& ');
  const message = `version word ${bytes} at offset 0 is not 4, 5 or 6 in either byte order`;
  return new TreeLinkError('version', { byte: 0 }, message);
}

function notAFlag(name: string, value: number, at: number): TreeLinkError {
  return new TreeLinkError('range', { byte: at }, `${name} at offset ${at} must be 0 or 1, got ${value}`);
}

function oddByte(name: string, left: number, at: number): TreeLinkError {
  const message = `byte at offset ${at} is left over: ${name} are two bytes each, and ${counted(left, 'byte')} are left`;
  return new TreeLinkError('truncated', { byte: at }, message);
}

function trailing(at: number, end: number): TreeLinkError {
  const message = `${counted(end - at, 'byte')} too many at offset ${at}, where the tree ends`;
  return new TreeLinkError('trailing', { byte: at }, message);
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
