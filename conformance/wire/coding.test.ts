import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';

import { uncoded } from './coding.js';

const text = Buffer.from(JSON.stringify({ name: 'Zoë'.repeat(100) }));

describe('a content coding', () => {
  it.each<[codings: string | undefined, body: Buffer]>([
    [undefined, text],
    ['', text],
    ['identity', text],
    ['gzip', gzipSync(text)],
    ['X-GZIP', gzipSync(text)],
    ['br', brotliCompressSync(text)],
    ['deflate', deflateSync(text)],
    ['deflate', deflateSync(text, { level: 0 })],
    ['deflate', deflateRawSync(text)],
    ['deflate', deflateRawSync(text, { level: 0 })],
    ['deflate , br', brotliCompressSync(deflateSync(text))],
  ])('%s is undone', (codings, body) => {
    expect(uncoded(body, codings)).toEqual({ bytes: text });
  });

  it('of an empty body says nothing', () => {
    expect(uncoded(Buffer.alloc(0), 'zstd')).toEqual({ bytes: Buffer.alloc(0) });
  });

  it.each([
    ['zstd', text, 'the response has Content-Encoding zstd, which the suite did not ask for and cannot decode'],
    ['gzip', text, 'the response has Content-Encoding gzip, and its body is not gzip (incorrect header check)'],
    ['br', gzipSync(text), 'the response has Content-Encoding br, and its body is not br ('],
    ['gzip', gzipSync(text).subarray(0, -9), 'the response has Content-Encoding gzip, and its body is not gzip ('],
    ['constructor', text, 'which the suite did not ask for and cannot decode'],
  ])('%s is named where it cannot be undone', (codings, body, words) => {
    expect(uncoded(body, codings).problem).toContain(words);
  });

  it.each([
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
    ['deflate', deflateSync],
  ])('%s of more than is read is named, and takes no memory', (name, coder) => {
    const bomb = coder(Buffer.alloc(8 * 1024 * 1024));
    expect(uncoded(bomb, name, 1024 * 1024).problem).toBe(
      `the response has Content-Encoding ${name} and more than 1 MB when it is decoded`,
    );
    expect(uncoded(coder(bomb), `${name}, ${name}`, 1024 * 1024).problem).toContain('more than 1 MB');
  });
});
