import type { Buffer } from 'node:buffer';
import { shown, TreeLinkError } from './error.js';
import { roomFor, USUAL_SIZE } from './room.js';
import type { MasteryPair } from './tree.js';

const BYTE = 0xff;
const WORD = 0xffff;

/**
 * Checks values, whose types are not relied on, and writes them forward into bytes. All but the version 4 list has
 * room in `USUAL_SIZE` bytes. What the hot path does not need stands in functions of its own.
 */
export class Writer {
  /** Bytes written. */
  size = 0;
  private room = roomFor(USUAL_SIZE);
  private little = false;

  get bytes(): Buffer {
    return this.room.bytes;
  }

  /** Begins anew, with the version word (uint32). */
  start(version: number, little: boolean): void {
    this.little = little;
    this.size = 4;
    this.room.view.setUint32(0, version, little);
  }

  byte(name: string, value: unknown): void {
    this.put(fits(value, BYTE) ? value : refuse(value, BYTE, name));
  }

  /** One byte of two members: `low` in its `lowBits` low bits, `high` in the rest. */
  bits(low: string, lowValue: unknown, lowBits: number, high: string, highValue: unknown): void {
    const lowMask = (1 << lowBits) - 1;
    const highMask = BYTE >> lowBits;
    const lowPart = fits(lowValue, lowMask) ? lowValue : refuse(lowValue, lowMask, low);
    const highPart = fits(highValue, highMask) ? highValue : refuse(highValue, highMask, high);
    this.put(lowPart | (highPart << lowBits));
  }

  flag(name: string, value: unknown): void {
    if (typeof value !== 'boolean') throw notAFlag(value, name);
    this.put(value ? 1 : 0);
  }

  words(name: string, values: unknown): void {
    const list = Array.isArray(values) && values.length <= BYTE ? values : refuseList(values, name);
    this.put(list.length);
    this.putWords(list, name);
  }

  wordsToEnd(name: string, values: unknown): void {
    const list = Array.isArray(values) ? values : refuseList(values, name);
    this.reserve(list.length * 2);
    this.putWords(list, name);
  }

  pairs(name: string, values: unknown): void {
    const list: readonly unknown[] = Array.isArray(values) && values.length <= BYTE ? values : refuseList(values, name);
    this.put(list.length);
    for (let i = 0; i < list.length; i++) {
      const entry = list[i];
      if (typeof entry !== 'object' || entry === null) throw notAPair(entry, `${name}[${i}]`);
      const { node, effect } = entry as MasteryPair;
      const low = fits(node, WORD) ? node : refuse(node, WORD, `${name}[${i}].node`);
      const high = fits(effect, WORD) ? effect : refuse(effect, WORD, `${name}[${i}].effect`);
      this.room.view.setInt32(this.size, low | (high << 16), this.little);
      this.size += 4;
    }
  }

  /** Two words a step: one store and one check of bounds for both, a quarter less time than word by word. */
  private putWords(values: readonly unknown[], name: string): void {
    const { little, size: at } = this;
    const { view } = this.room;
    const shiftFirst = little ? 0 : 16;
    const shiftSecond = 16 - shiftFirst;
    const count = values.length;
    let i = 0;
    for (; i + 1 < count; i += 2) {
      const first = values[i];
      const second = values[i + 1];
      if (!fits(first, WORD) || !fits(second, WORD)) refuseWords(values, name);
      view.setInt32(at + i * 2, (first << shiftFirst) | (second << shiftSecond), little);
    }
    if (i < count) {
      const last = values[i];
      if (!fits(last, WORD)) refuseWords(values, name);
      view.setUint16(at + i * 2, last, little);
    }
    this.size = at + count * 2;
  }

  private put(value: number): void {
    this.room.bytes[this.size++] = value;
  }

  private reserve(size: number): void {
    const needed = this.size + size;
    if (needed <= this.room.bytes.length) return;
    const grown = roomFor(needed);
    this.room.bytes.copy(grown.bytes, 0, 0, this.size);
    this.room = grown;
  }
}

/** Only an integer of 0..mask equals its own bits below `mask`, which is a power of two less one. */
function fits(value: unknown, mask: number): value is number {
  return value === ((value as number) & mask);
}

function refuse(value: unknown, max: number, path: string): never {
  if (value === undefined) throw missing(path);
  const reason = typeof value === 'number' ? 'range' : 'type';
  throw new TreeLinkError(reason, { path }, `${path} must be an integer from 0 to ${max}, got ${shown(value)}`);
}

/** Names the first that is no uint16. */
function refuseWords(values: readonly unknown[], path: string): never {
  const index = values.findIndex((value) => !fits(value, WORD));
  refuse(values[index], WORD, `${path}[${index}]`);
}

function refuseList(values: unknown, path: string): never {
  if (values === undefined) throw missing(path);
  if (Array.isArray(values)) {
    const message = `${path} has ${values.length} entries; its count is one byte, so ${BYTE} is the most`;
    throw new TreeLinkError('count', { path }, message);
  }
  throw new TreeLinkError('type', { path }, `${path} must be a list, got ${shown(values)}`);
}

function notAFlag(value: unknown, path: string): TreeLinkError {
  if (value === undefined) return missing(path);
  return new TreeLinkError('type', { path }, `${path} must be true or false, got ${shown(value)}`);
}

function notAPair(value: unknown, path: string): TreeLinkError {
  return new TreeLinkError('type', { path }, `${path} must be { node, effect }, got ${shown(value)}`);
}

export function missing(path: string): TreeLinkError {
  return new TreeLinkError('missing', { path }, `${path} is missing; give it, empty or 0 where there is none`);
}
