export { decodeTree, encodeTree, inspectLink, type EncodeOptions, type LinkDetails } from './codec.js';
export { TreeLinkError, type FaultPlace, type TreeFault } from './error.js';
export { linkText } from './link-text.js';
export type { ByteOrder, MasteryPair, PassiveTree, TreeV4, TreeV5, TreeV6 } from './tree.js';
