import { base64urlOfBytes } from './base64url.js';
import { shown, TreeLinkError } from './error.js';
import { foreignTo, readTree, writeTree } from './layout.js';
import { Reader } from './reader.js';
import type { ByteOrder, PassiveTree } from './tree.js';
import { isVersion } from './tree.js';
import { missing, Writer } from './writer.js';

/** What a link says beside its tree: with it, `encodeTree(tree, { byteOrder, padding: padded })` gives the same text. */
export interface LinkDetails {
  tree: PassiveTree;
  byteOrder: ByteOrder;
  /** False where `=` characters that a padded text would end with were left off. */
  padded: boolean;
  bytes: Uint8Array;
}

export interface EncodeOptions {
  /** Order of all multi-byte integers, the version word included. Default `big` (K-062). */
  byteOrder?: ByteOrder;
  /** Whether `=` fills the last group of four characters. Default true (RFC 4648 3.2, K-063). */
  padding?: boolean;
}

/**
 * Reads a passive or atlas tree link, in either byte order, padded or not (interface 2 "Serialised passive tree").
 * Lists keep their order and their duplicates; nothing is guessed, skipped or cut off.
 *
 * @param link the base64url text alone; `linkText` takes it out of a URL
 * @throws TreeLinkError with the character or byte offset of what is wrong
 */
export function decodeTree(link: string): PassiveTree {
  return readTree(readerOf(link));
}

/** Reads a link as `decodeTree` does, and tells how it was written. */
export function inspectLink(link: string): LinkDetails {
  const tree = readTree(readerOf(link));
  const { byteOrder, bytes } = reader;
  return { tree, byteOrder, padded: link.length % 4 === 0, bytes: Uint8Array.from(bytes) };
}

/** Kept between calls: reading calls nothing back, so no two links are ever in it at once. */
const reader = new Reader();

function readerOf(link: string): Reader {
  if (typeof link !== 'string') throw notAText(link);
  reader.start(link);
  return reader;
}

function notAText(link: unknown): TreeLinkError {
  return new TreeLinkError('type', { path: 'link' }, `link must be a text in base64url, got ${shown(link)}`);
}

/** Kept between calls, since a fresh buffer costs more than filling it. Taken while in use: a getter may call back. */
let idleWriter: Writer | undefined;

/**
 * Writes a tree as a link: its version's layout, big-endian and padded unless told otherwise.
 * Nothing is cut to fit: what the layout has no room for is refused.
 *
 * @throws TreeLinkError with the path of the field that is missing, of the wrong type, out of range or too long
 */
export function encodeTree(tree: PassiveTree, options?: EncodeOptions): string {
  checkHead(tree);
  const little = options !== undefined && isLittle(options);
  const padding = options === undefined || isPadded(options);
  const writer = idleWriter ?? new Writer();
  idleWriter = undefined;
  try {
    writer.start(tree.version, little);
    writeTree(writer, tree);
    return base64urlOfBytes(writer.bytes, writer.size, padding);
  } finally {
    idleWriter = writer;
  }
}

function isLittle({ byteOrder = 'big' }: EncodeOptions): boolean {
  if (byteOrder === 'big' || byteOrder === 'little') return byteOrder === 'little';
  const message = `byteOrder must be "big" or "little", got ${shown(byteOrder)}`;
  throw new TreeLinkError('type', { path: 'byteOrder' }, message);
}

function isPadded({ padding = true }: EncodeOptions): boolean {
  if (typeof padding === 'boolean') return padding;
  throw new TreeLinkError('type', { path: 'padding' }, `padding must be true or false, got ${shown(padding)}`);
}

/** Refuses what is no tree of a known version, and members that the version's link has no place for. */
function checkHead(tree: PassiveTree): void {
  if (typeof tree !== 'object' || tree === null || !isVersion(tree.version)) refuseHead(tree);
  const foreign = foreignTo[tree.version];
  const members = tree as unknown as Record<string, unknown>;
  for (let i = 0; i < foreign.length; i++) {
    if (members[foreign[i]!] !== undefined) refuseForeign(members, foreign[i]!);
  }
}

function refuseHead(tree: unknown): never {
  if (typeof tree !== 'object' || tree === null || Array.isArray(tree)) {
    throw new TreeLinkError('type', { path: 'tree' }, `tree must be an object, got ${shown(tree)}`);
  }
  const { version } = tree as Record<string, unknown>;
  if (version === undefined) throw missing('version');
  throw new TreeLinkError('version', { path: 'version' }, `version must be 4, 5 or 6, got ${shown(version)}`);
}

/** An empty list says nothing that could be lost: other codecs give one for `mastery` in version 5. */
function refuseForeign(members: Record<string, unknown>, name: string): void {
  const value = members[name];
  if (Array.isArray(value) && value.length === 0) return;
  const message = `${name} has no place in a version ${members.version} link; leave it out or choose another version`;
  throw new TreeLinkError('field', { path: name }, message);
}
