import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { sampleReport } from '../conformance/report/sample.fixture.js';
import { readRepro, writeRepros } from './repro-files.js';

let folder: string;
beforeAll(() => (folder = mkdtempSync(join(tmpdir(), 'repro-'))));
afterAll(() => rmSync(folder, { recursive: true }));

const right = { row: 'TOK-RESP-004', seed: 7, runs: 100, wait: false, paths: { 1: '12:0:1' }, expected: 'a', got: 'b' };

describe('a file to replay', () => {
  it('is what the report wrote', async () => {
    const manner = { wait: true, safe: true, strict: true, rate: 2 };
    const overrides = { name: ['livestream=stream'] };
    await writeRepros(sampleReport(), folder, { target: 'target.yaml', overrides, ...manner });
    expect(readRepro(join(folder, 'repro', 'TOK-RESP-004.json'))).toMatchObject({
      row: 'TOK-RESP-004',
      seed: 7,
      overrides,
      ...manner,
    });
    writeFileSync(join(folder, 'marked.json'), `\uFEFF${JSON.stringify(right)}\r\n`);
    expect(readRepro(join(folder, 'marked.json'))).toEqual(right);
  });

  it.each([
    ['null', 'is JSON, but no object'],
    ['7', 'is JSON, but no object'],
    ['[]', 'is JSON, but no object'],
    ['"x"', 'is JSON, but no object'],
    ['', 'is empty'],
    ['{', 'is not JSON'],
    ['['.repeat(100_000), 'is not JSON'],
    ['{}', 'lacks a right row, seed, runs, wait, paths, expected, got'],
    [JSON.stringify({ ...right, paths: null }), 'lacks a right paths'],
    [JSON.stringify({ ...right, paths: { 1: '0:x' } }), 'lacks a right paths'],
    [JSON.stringify({ ...right, seed: 1e300, runs: 0 }), 'lacks a right seed, runs'],
    [JSON.stringify({ ...right, runs: 1.5, target: 7 }), 'lacks a right runs, target'],
    [JSON.stringify({ ...right, safe: 'yes', rate: 0 }), 'lacks a right safe, rate'],
    [JSON.stringify({ ...right, overrides: { name: 7 } }), 'lacks a right overrides'],
    [JSON.stringify({ ...right, expected: {}, got: null }), 'lacks a right expected, got'],
    [JSON.stringify({ ...right, row: 'NO-1' }), 'NO-1 is no requirement of this version'],
    [' '.repeat(1024 * 1024 + 1), 'exceeds 1 MiB'],
  ])('is refused in words: %.40s', (text, words) => {
    const file = join(folder, 'broken.json');
    writeFileSync(file, text);
    expect(() => readRepro(file)).toThrow(
      expect.objectContaining({
        name: expect.stringMatching(/^(UsageError|SetupError)$/) as string,
        message: expect.stringMatching(new RegExp(`^${file}: ${words}; name (a|another) file`)) as string,
      }) as Error,
    );
  });
});
