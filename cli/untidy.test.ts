import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';

import { run } from './run.js';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'untidy-'));
  writeFileSync(join(folder, 'file'), 'x');
  writeFileSync(join(folder, 'ring.yaml'), 'base_url: &a\n  b: *a\n');
  writeFileSync(join(folder, 'null.json'), 'null');
});
afterAll(() => rmSync(folder, { recursive: true }));
afterEach(() => vi.restoreAllMocks());

const server = ['--base-url', 'http://127.0.0.1:9'];

describe('untidy input', () => {
  it.each([
    [
      ['verify', ...server, '--only', ''],
      /option '--only <ids>' argument '' is invalid. It takes an id, the beginning of one or a group/,
    ],
    [['verify', 'list', '--only', ' , '], /It takes an id, the beginning of one or a group/],
    [['verify', ...server, '--report', 'FOLDER/file'], /--report \S+file: not a folder; name a writable folder/],
    [['verify', ...server, '--report', 'FOLDER/file/below'], /--report \S+below: not a folder; name a writable folder/],
    [
      ['verify', ...server, '--write-baseline', 'FOLDER/file'],
      /--write-baseline \S+file: the file exists; name another one, or add --force to overwrite it/,
    ],
    [
      ['audit', '--write-baseline', 'FOLDER/file', '--', 'true'],
      /--write-baseline \S+file: the file exists; name another one, or add --force to overwrite it/,
    ],
    [
      ['verify', ...server, '--write-baseline', 'FOLDER/none/known.yaml'],
      /--write-baseline \S+known.yaml: cannot be written \(ENOENT\); name a file in a folder that exists/,
    ],
    [['verify', ...server, '--baseline', 'FOLDER'], /: is a folder; name a YAML list/],
    [['verify', '--target', 'FOLDER/ring.yaml'], /ring\.yaml:2: alias \*a contains itself; replace it by the value/],
    [['doctor', '--target', 'FOLDER/ring.yaml'], /ring\.yaml:2: alias \*a contains itself; replace it by the value/],
    [['replay', 'FOLDER/null.json'], /null\.json: is JSON, but no object; name a file that verify --report wrote/],
    [['replay', 'FOLDER'], /: is a folder; name a file that verify --report wrote/],
    [['doctor', '--target', ''], /--target: is empty; name a target file, or - for standard input/],
    [['doctor', ...server, '--flag', '__proto__=on'], /--flag __proto__=on: no such edition flag; valid: F-/],
    [['mock', '--port', '0', '--edition', 'toString'], /edition toString: no such edition; the editions are /],
    [
      ['mock', '--port', '0', '--epoch', '+275760-09-13T00:00:00Z'],
      /epoch \S+: is not between 1970 and 9000; write it like/,
    ],
    [['toString', '--none'], /^gamedata: unknown /],
  ])('is refused in a line: %j', async (args, words) => {
    let stderr = '';
    let stdout = '';
    vi.spyOn(process.stderr, 'write').mockImplementation((part) => ((stderr += String(part)), true));
    vi.spyOn(process.stdout, 'write').mockImplementation((part) => ((stdout += String(part)), true));
    expect(await run(args.map((arg) => arg.replace('FOLDER', folder)))).toBe(2);
    expect(stderr).toMatch(words);
    expect(stderr).toMatch(/^gamedata[^\n]*\n$/);
    expect(stdout).toBe('');
  });
});
