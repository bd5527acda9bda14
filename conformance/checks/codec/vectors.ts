import type { Tree } from '../../target/hooks.js';

/** Trees with their links in both byte orders, computed from the interface's table. */
export const vectors: readonly {
  readonly name: string;
  readonly tree: Tree;
  readonly big: string;
  readonly little: string;
}[] = [
  {
    name: 'an empty atlas tree',
    tree: { version: 6, class: 0, ascendancy: 0, hashes: [] },
    big: 'AAAABgAAAAAA',
    little: 'BgAAAAAAAAAA',
  },
  {
    name: 'class 1, ascendancy 2, three hashes',
    tree: { version: 6, class: 1, ascendancy: 2, hashes: [1, 258, 65535] },
    big: 'AAAABgECAwABAQL__wAA',
    little: 'BgAAAAECAwEAAgH__wAA',
  },
  {
    name: 'every list, ascendancy byte 0x17',
    tree: {
      version: 6,
      class: 6,
      ascendancy: 3,
      bloodline: 5,
      hashes: [0x1234],
      extended: [0xabcd],
      mastery: [{ node: 0x1234, effect: 0xabcd }],
    },
    big: 'AAAABgYXARI0AavNAavNEjQ',
    little: 'BgAAAAYXATQSAc2rATQSzas',
  },
  {
    name: 'wildwood ascendancy 3',
    tree: { version: 6, class: 2, ascendancy: 1, bloodline: 3, hashes: [7] },
    big: 'AAAABgINAQAHAAA',
    little: 'BgAAAAINAQcAAAA',
  },
  {
    name: 'version 5',
    tree: { version: 5, class: 4, ascendancy: 1, hashes: [10, 20], extended: [65534] },
    big: 'AAAABQQBAgAKABQB__4',
    little: 'BQAAAAQBAgoAFAAB_v8',
  },
  {
    name: 'version 4, full screen',
    tree: { version: 4, class: 3, ascendancy: 0, fullscreen: true, hashes: [256, 1] },
    big: 'AAAABAMAAQEAAAE',
    little: 'BAAAAAMAAQABAQA',
  },
  {
    name: 'an atlas tree with high hashes',
    tree: { version: 6, class: 0, ascendancy: 0, hashes: [64511, 65215, 65535] },
    big: 'AAAABgAAA_v__r___wAA',
    little: 'BgAAAAAAA__7v_7__wAA',
  },
];
