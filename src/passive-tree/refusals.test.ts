import { describe, expect, it } from 'vitest';
import { decodeTree, encodeTree, TreeLinkError, type PassiveTree } from './index.js';

/** What a refusal says, as `[reason, place, message]`. */
function refusal(work: () => unknown): [string, number | string | undefined, string] {
  try {
    work();
  } catch (error) {
    if (error instanceof TreeLinkError) return [error.reason, error.path ?? error.offset, error.message];
    throw error;
  }
  throw new Error('was not refused');
}

const ofLink = (link: string) => refusal(() => decodeTree(link));
const ofBytes = (...bytes: number[]) => ofLink(Buffer.from(bytes).toString('base64url'));
const v6: PassiveTree = {
  version: 6,
  class: 6,
  ascendancy: 3,
  bloodline: 5,
  hashes: [4660, 4660],
  extended: [43981],
  mastery: [{ node: 4660, effect: 43981 }],
};
const v5: PassiveTree = { version: 5, class: 4, ascendancy: 1, hashes: [10, 20], extended: [65534] };
const v4: PassiveTree = { version: 4, class: 3, ascendancy: 0, fullscreen: true, hashes: [256, 1] };

describe('characters', () => {
  const links = [encodeTree(v6), encodeTree({ ...v6, hashes: Array.from({ length: 120 }, (_, i) => i * 500) })];

  it.each(links)('refuses each foreign character at each place of %s', (link) => {
    const bare = link.replace(/=+$/, '');
    for (const bad of ['+', '/', ' ', '\n', '\r', '\t', '%', '.', '\0', '"', '\u0141', '\u00c1', '\uff21', '\ud83d']) {
      for (let at = 0; at < bare.length; at++) {
        const [reason, place] = ofLink(bare.slice(0, at) + bad + bare.slice(at + 1));
        expect([reason, place]).toEqual(['alphabet', at]);
        expect(ofLink(bare.slice(0, at) + bad + bare.slice(at)).slice(0, 2)).toEqual(['alphabet', at]);
      }
      expect(ofLink(link + bad)[0]).toMatch(/^(alphabet|padding)$/);
    }
  });

  it('refuses every UTF-16 code unit outside the alphabet', () => {
    for (let code = 0; code < 0x10000; code++) {
      const character = String.fromCharCode(code);
      if (/[A-Za-z0-9_=-]/.test(character)) continue;
      const link = `AAAABgECAwABAQL${character}_wAA`;
      try {
        decodeTree(link);
      } catch (error) {
        if (error instanceof TreeLinkError && error.reason === 'alphabet' && error.offset === 15) continue;
      }
      expect.fail(`U+${code.toString(16)} was let through or refused for another reason`);
    }
  });

  it('refuses each wrong last character, for the bits that it adds', () => {
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    for (const link of ['AAAABgYXARI0AavNAavNEjQ', encodeTree({ ...v4, hashes: [] }).replace(/=+$/, '')]) {
      const taken = [...alphabet].filter((last) => {
        try {
          decodeTree(link.slice(0, -1) + last);
          return true;
        } catch (error) {
          if (!(error instanceof TreeLinkError)) throw error;
          expect(error.offset).toBe(error.reason === 'pad-bits' ? link.length - 1 : 6);
          return error.reason !== 'pad-bits';
        }
      });
      expect(taken).toHaveLength(link.length % 4 === 2 ? 4 : 16);
    }
  });

  it.each([
    ['####', 'alphabet', 0, 'character 0 is "#", which base64url (A-Z a-z 0-9 - _) does not have'],
    ['AAAA+g', 'alphabet', 4, /standard base64 writes "\+" where base64url writes "-"$/],
    ['AAAA/g', 'alphabet', 4, /standard base64 writes "\/" where base64url writes "_"$/],
    ['AAAABg\n', 'alphabet', 6, /^character 6 is U\+000A, which/],
    ['AAAABgAAA%3D', 'alphabet', 9, /percent-decode the link first$/],
    ['AAAAB', 'length', 5, '5 characters cannot hold whole bytes: one is missing or one too many at the end'],
    ['AAAABgYXARI0AavNAavNEjQ==', 'padding', 23, 'padding at character 23 must be 1 "=" or none, got 2'],
    ['AAAABgAAAAAA=', 'padding', 12, 'padding at character 12 must be 0 "=" or none, got 1'],
    ['AAAABgAAAAAA====', 'padding', 12, 'padding at character 12 must be 0 "=" or none, got 4'],
    ['AAAA=BgAAAAA', 'padding', 4, 'padding "=" at character 4 is not at the end: "B" follows it'],
    ['====', 'padding', 0, 'padding at character 0 must be 0 "=" or none, got 4'],
    [
      'AAAABgYXARI0AavNAavNEjR',
      'pad-bits',
      22,
      /^character 22, the last, is "R", which sets bits beyond the last byte/,
    ],
  ])('%s: %s', (link, reason, place, message) => {
    const found = ofLink(link);
    expect(found.slice(0, 2)).toEqual([reason, place]);
    expect(found[2]).toMatch(message);
  });
});

describe('bytes', () => {
  it.each([v6, v5])('refuses every strict prefix of a version $version stream', (tree) => {
    for (const byteOrder of ['big', 'little'] as const) {
      const bytes = Buffer.from(encodeTree(tree, { byteOrder }), 'base64url');
      for (let cut = 0; cut < bytes.length; cut++) {
        expect(ofBytes(...bytes.subarray(0, cut))[0]).toBe('truncated');
      }
    }
  });

  it('refuses prefixes of version 4 that cut a header or a hash, and reads the others', () => {
    const bytes = Buffer.from(encodeTree(v4), 'base64url');
    for (const cut of [0, 1, 2, 3, 4, 5, 6, 8, 10]) expect(ofBytes(...bytes.subarray(0, cut))[0]).toBe('truncated');
    expect(decodeTree(bytes.subarray(0, 9).toString('base64url'))).toEqual({ ...v4, hashes: [256] });
  });

  it.each([
    [[], 0, 'expected version (4 bytes) at offset 0, 0 bytes left'],
    [[0, 0, 0, 6], 4, 'expected class (1 byte) at offset 4, 0 bytes left'],
    [[0, 0, 0, 6, 1], 5, 'expected ascendancy (1 byte) at offset 5, 0 bytes left'],
    [[0, 0, 0, 6, 1, 0], 6, 'expected count of hashes (1 byte) at offset 6, 0 bytes left'],
    [[0, 0, 0, 6, 1, 0, 12, ...Array(10).fill(0)], 7, 'expected 12 hashes (24 bytes) at offset 7, 10 bytes left'],
    [[0, 0, 0, 6, 1, 0, 0, 1, 9], 8, 'expected 1 extended hash (2 bytes) at offset 8, 1 byte left'],
    [[0, 0, 0, 6, 1, 0, 0, 0], 8, 'expected count of mastery pairs (1 byte) at offset 8, 0 bytes left'],
    [[0, 0, 0, 6, 1, 0, 0, 0, 2, 1], 9, 'expected 2 mastery pairs (8 bytes) at offset 9, 1 byte left'],
    [[0, 0, 0, 4, 1, 0], 6, 'expected fullscreen (1 byte) at offset 6, 0 bytes left'],
    [[0, 0, 0, 4, 1, 0, 1, 0, 1, 7], 9, /^byte at offset 9 is left over: hashes are two bytes each, and 3 bytes/],
  ])('truncated: %j', (bytes, place, message) => {
    const found = ofBytes(...bytes);
    expect(found.slice(0, 2)).toEqual(['truncated', place]);
    expect(found[2]).toMatch(message);
  });

  it('refuses bytes after a version 5 or 6 tree', () => {
    for (const tree of [v6, v5, { ...v6, mastery: [] }]) {
      const bytes = Buffer.from(encodeTree(tree), 'base64url');
      const message = `1 byte too many at offset ${bytes.length}, where the tree ends`;
      expect(ofBytes(...bytes, 0)).toEqual(['trailing', bytes.length, message]);
    }
  });

  it('refuses a fullscreen byte that is neither 0 nor 1', () => {
    expect(ofBytes(0, 0, 0, 4, 3, 0, 2)).toEqual(['range', 6, 'fullscreen at offset 6 must be 0 or 1, got 2']);
    expect(ofBytes(4, 0, 0, 0, 3, 0, 255)[0]).toBe('range');
  });

  it.each([2, 3])('refuses version %i as an old one, in either byte order', (version) => {
    const message = `version ${version} at offset 0 is older than 4, 5 and 6, which can be read; make the link anew`;
    expect(ofBytes(0, 0, 0, version, 0)).toEqual(['version', 0, message]);
    expect(ofBytes(version, 0, 0, 0, 0)).toEqual(['version', 0, message]);
  });

  it.each([0, 1, 7, 255, 256, 0x600, 0x60000, 0x06000006, 2 ** 31, 2 ** 32 - 1])('refuses version %i', (word) => {
    const bytes = Buffer.alloc(16);
    bytes.writeUInt32BE(word);
    const hex = bytes.toString('hex', 0, 4).match(/../g)?.join(' ');
    const message = `version word ${hex} at offset 0 is not 4, 5 or 6 in either byte order`;
    expect(ofBytes(...bytes)).toEqual(['version', 0, message]);
  });

  it('refuses what is no text', () => {
    expect(refusal(() => decodeTree(5 as unknown as string))[2]).toBe('link must be a text in base64url, got 5');
  });
});

describe('trees to encode', () => {
  const encoded = (tree: unknown, options?: unknown) =>
    refusal(() => encodeTree(tree as PassiveTree, options as { padding: boolean }));
  const many = (length: number) => Array.from({ length }, () => 1);

  it.each([
    ['type', 'tree', 'tree must be an object, got null', null],
    ['type', 'tree', 'tree must be an object, got a list of 0', []],
    ['type', 'tree', 'tree must be an object, got "AAAA"', 'AAAA'],
    ['missing', 'version', 'version is missing; give it, empty or 0 where there is none', {}],
    ['version', 'version', 'version must be 4, 5 or 6, got 7', { ...v6, version: 7 }],
    ['version', 'version', 'version must be 4, 5 or 6, got "6"', { ...v6, version: '6' }],
    ['range', 'class', 'class must be an integer from 0 to 255, got 256', { ...v6, class: 256 }],
    ['missing', 'class', /^class is missing/, { ...v6, class: undefined }],
    ['range', 'ascendancy', 'ascendancy must be an integer from 0 to 3, got 4', { ...v6, ascendancy: 4 }],
    ['range', 'bloodline', 'bloodline must be an integer from 0 to 63, got 64', { ...v6, bloodline: 64 }],
    ['missing', 'bloodline', /^bloodline is missing/, { ...v6, bloodline: undefined }],
    ['range', 'ascendancy', 'ascendancy must be an integer from 0 to 255, got 256', { ...v5, ascendancy: 256 }],
    ['missing', 'hashes', /^hashes is missing/, { ...v6, hashes: undefined }],
    ['type', 'hashes', 'hashes must be a list, got "ab"', { ...v6, hashes: 'ab' }],
    ['type', 'hashes', 'hashes must be a list, got an object', { ...v6, hashes: { length: 1, 0: 1 } }],
    ['range', 'hashes[1]', 'hashes[1] must be an integer from 0 to 65535, got 65536', { ...v6, hashes: [1, 65536] }],
    ['range', 'hashes[2]', /got -1$/, { ...v6, hashes: [1, 2, -1] }],
    ['range', 'hashes[0]', /got 1.5$/, { ...v6, hashes: [1.5, 2] }],
    ['range', 'hashes[0]', /got NaN$/, { ...v6, hashes: [NaN] }],
    ['type', 'hashes[1]', /got "2"$/, { ...v6, hashes: [1, '2'] }],
    ['type', 'hashes[1]', /got null$/, { ...v6, hashes: [1, null] }],
    ['type', 'hashes[0]', /got true$/, { ...v6, hashes: [true, 1] }],
    ['missing', 'hashes[0]', /^hashes\[0\] is missing/, { ...v6, hashes: Array(2) }],
    ['count', 'hashes', /^hashes has 256 entries; its count is one byte, so 255/, { ...v6, hashes: many(256) }],
    ['count', 'extended', /^extended has 256 entries/, { ...v5, extended: many(256) }],
    ['count', 'mastery', /^mastery has 256 entries/, { ...v6, mastery: many(256) }],
    ['type', 'mastery[0]', 'mastery[0] must be { node, effect }, got 7', { ...v6, mastery: [7] }],
    ['missing', 'mastery[0].effect', /^mastery\[0\]\.effect is missing/, { ...v6, mastery: [{ node: 1 }] }],
    ['range', 'mastery[0].node', /got 65536$/, { ...v6, mastery: [{ node: 65536, effect: 0 }] }],
    ['field', 'mastery', /^mastery has no place in a version 5 link/, { ...v5, mastery: [{ node: 1, effect: 1 }] }],
    ['field', 'bloodline', /^bloodline has no place in a version 5 link/, { ...v5, bloodline: 1 }],
    ['field', 'fullscreen', /^fullscreen has no place in a version 6 link/, { ...v6, fullscreen: true }],
    ['field', 'extended', /^extended has no place in a version 4 link/, { ...v4, extended: [1] }],
    ['type', 'fullscreen', 'fullscreen must be true or false, got 1', { ...v4, fullscreen: 1 }],
    ['missing', 'fullscreen', /^fullscreen is missing/, { ...v4, fullscreen: undefined }],
    ['range', 'hashes[900]', /got 65536$/, { ...v4, hashes: [...many(900), 65536] }],
  ])('%s: %s', (reason, path, message, tree) => {
    const found = encoded(tree);
    expect(found.slice(0, 2)).toEqual([reason, path]);
    expect(found[2]).toMatch(message);
  });

  it('takes an empty list for what the version does not have', () => {
    expect(encodeTree({ ...v5, mastery: [] } as PassiveTree)).toBe(encodeTree(v5));
  });

  it('refuses options that it does not know', () => {
    expect(encoded(v6, { byteOrder: 'be' })).toEqual([
      'type',
      'byteOrder',
      'byteOrder must be "big" or "little", got "be"',
    ]);
    expect(encoded(v6, { padding: 'no' })).toEqual(['type', 'padding', 'padding must be true or false, got "no"']);
  });
});
