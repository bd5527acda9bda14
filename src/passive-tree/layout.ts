import type { Reader } from './reader.js';
import type { PassiveTree, TreeV4, TreeV5, TreeV6 } from './tree.js';
import type { Writer } from './writer.js';

/**
 * What follows the uint32 version, in order: interface 2 "Serialised passive tree", row by row, each row in both
 * directions. (One description carried through either direction was measured: a tenth slower, since the engine then
 * specialises for neither.)
 */
interface Layout<Tree> {
  read(from: Reader): Tree;
  write(to: Writer, tree: Tree): void;
}

const version4: Layout<TreeV4> = {
  read: (from) => ({
    version: 4,
    class: from.byte('class'),
    ascendancy: from.byte('ascendancy'),
    fullscreen: from.flag('fullscreen'),
    hashes: from.wordsToEnd('hashes'),
  }),
  write: (to, tree) => {
    to.byte('class', tree.class);
    to.byte('ascendancy', tree.ascendancy);
    to.flag('fullscreen', tree.fullscreen);
    to.wordsToEnd('hashes', tree.hashes);
  },
};

const version5: Layout<TreeV5> = {
  read: (from) => ({
    version: 5,
    class: from.byte('class'),
    ascendancy: from.byte('ascendancy'),
    hashes: from.words('hashes'),
    extended: from.words('extended'),
  }),
  write: (to, tree) => {
    to.byte('class', tree.class);
    to.byte('ascendancy', tree.ascendancy);
    to.words('hashes', tree.hashes);
    to.words('extended', tree.extended);
  },
};

/** Rule 4: ascendancy in the low two bits of its byte, bloodline in the other six. */
const ASCENDANCY_BITS = 2;

const version6: Layout<TreeV6> = {
  read: (from) => {
    const ownClass = from.byte('class');
    const ascendancy = from.byte('ascendancy');
    return {
      version: 6,
      class: ownClass,
      ascendancy: ascendancy & ((1 << ASCENDANCY_BITS) - 1),
      bloodline: ascendancy >> ASCENDANCY_BITS,
      hashes: from.words('hashes'),
      extended: from.words('extended'),
      mastery: from.pairs('mastery'),
    };
  },
  write: (to, tree) => {
    to.byte('class', tree.class);
    to.bits('ascendancy', tree.ascendancy, ASCENDANCY_BITS, 'bloodline', tree.bloodline);
    to.words('hashes', tree.hashes);
    to.words('extended', tree.extended);
    to.pairs('mastery', tree.mastery);
  },
};

/** Reads the version word and what it announces; refuses bytes beyond it. */
export function readTree(from: Reader): PassiveTree {
  const version = from.version();
  const tree = version === 6 ? version6.read(from) : version === 5 ? version5.read(from) : version4.read(from);
  from.finish();
  return tree;
}

/** Writes what follows the version word. */
export function writeTree(to: Writer, tree: PassiveTree): void {
  if (tree.version === 6) version6.write(to, tree);
  else if (tree.version === 5) version5.write(to, tree);
  else version4.write(to, tree);
}

/** Members that only other versions have: a tree to encode must not carry them, for they would be lost. */
export const foreignTo: Record<PassiveTree['version'], readonly string[]> = {
  4: ['bloodline', 'extended', 'mastery'],
  5: ['bloodline', 'fullscreen', 'mastery'],
  6: ['fullscreen'],
};
