import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { decodeTree, encodeTree, inspectLink, type PassiveTree } from './index.js';

interface Vector {
  name: string;
  about: string;
  tree: PassiveTree;
  bytes: string;
  link: string;
  little: string;
}

const vectors = parse(readFileSync(new URL('../../fixtures/trees.yaml', import.meta.url), 'utf8')) as Vector[];
const bare = (link: string) => link.replace(/=+$/, '');

describe.each(vectors)('golden vector $name: $about', ({ tree, bytes, link, little }) => {
  it.each([
    ['big-endian, padded', link],
    ['big-endian, unpadded', bare(link)],
    ['little-endian, padded', little],
    ['little-endian, unpadded', bare(little)],
  ])('is read %s', (_, text) => {
    expect(decodeTree(text)).toStrictEqual(tree);
  });

  it('is written in either order, padded or not, and big-endian and padded by default', () => {
    expect(encodeTree(tree)).toBe(link);
    expect(encodeTree(tree, {})).toBe(link);
    expect(encodeTree(tree, { byteOrder: 'big', padding: false })).toBe(bare(link));
    expect(encodeTree(tree, { byteOrder: 'little' })).toBe(little);
    expect(encodeTree(tree, { byteOrder: 'little', padding: false })).toBe(bare(little));
  });

  it('tells its bytes, order and padding', () => {
    const details = inspectLink(link);
    expect(Buffer.from(details.bytes).toString('hex')).toBe(bytes);
    expect(details).toMatchObject({ tree, byteOrder: 'big', padded: true });
    expect(inspectLink(bare(little))).toMatchObject({ byteOrder: 'little', padded: bare(little) === little });
  });
});
