/** uint32 pair of a version 6 link: low half the mastery node's skill hash, high half the chosen effect's hash. */
export interface MasteryPair {
  node: number;
  effect: number;
}

interface TreeHead {
  /** 0..255; 0 in an atlas tree. Values are not listed in the interface: every byte is kept (K-064). */
  class: number;
  /** Skill hashes, 0..65535 each, in the order of the link, duplicates kept. */
  hashes: number[];
}

/** Version 4: no counts, the hashes run to the end of the stream. */
export interface TreeV4 extends TreeHead {
  version: 4;
  /** The whole byte, 0..255. */
  ascendancy: number;
  fullscreen: boolean;
}

/** Version 5: adds cluster jewel hashes. At most 255 entries a list. */
export interface TreeV5 extends TreeHead {
  version: 5;
  /** The whole byte, 0..255. */
  ascendancy: number;
  /** Hashes of cluster jewel nodes, 0..65535 each. */
  extended: number[];
}

/** Version 6, with 6.1 and 6.2, which only refine the ascendancy byte. At most 255 entries a list. */
export interface TreeV6 extends TreeHead {
  version: 6;
  /** Low two bits of the byte: 0 none, 1..3 first to third ascendancy of the class. */
  ascendancy: number;
  /** Upper six bits, 0..63: 0 none, 1..3 the wildwood ascendancies of 6.1, 4..7 further bloodlines, the rest kept. */
  bloodline: number;
  /** Hashes of cluster jewel nodes, 0..65535 each. */
  extended: number[];
  mastery: MasteryPair[];
}

/** A serialised passive or atlas tree, as interface 2 "Serialised passive tree" lays it out. */
export type PassiveTree = TreeV4 | TreeV5 | TreeV6;

/** The interface does not show the byte order; the version word tells it (K-062). */
export type ByteOrder = 'big' | 'little';

/** Whether a value is a version that the interface lays out. */
export function isVersion(value: unknown): value is PassiveTree['version'] {
  return value === 4 || value === 5 || value === 6;
}
