import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { targetTemplate } from '../conformance/target/init.js';
import { called } from './called.js';
import { targetCommand } from './target-command.js';

let folder: string;
let stderr: PassThrough;
beforeAll(() => (folder = mkdtempSync(join(tmpdir(), 'target-'))));
afterAll(() => rmSync(folder, { recursive: true }));

async function run(...args: string[]): Promise<string> {
  const stdout = new PassThrough();
  stderr = new PassThrough();
  await targetCommand(stdout, stderr).exitOverride().parseAsync(args, { from: 'user' });
  return String(stdout.read() ?? '');
}

describe('gamedata target', () => {
  it('prints a file to fill in, and the schema', async () => {
    expect(await run('init')).toBe(targetTemplate());
    expect(JSON.parse(await run('schema'))).toMatchObject({ title: 'Target file of the conformance suite' });
  });

  it('writes a new file, and another one over it only by force', async () => {
    const file = join(folder, 'target.yaml');
    expect(await run('init', '--out', file)).toBe('');
    expect(String(stderr.read())).toBe(
      `Written: ${file}. Fill it in; ${called()} doctor --target ${file} checks it.\n`,
    );
    expect(readFileSync(file, 'utf8')).toBe(targetTemplate());
    await expect(run('schema', '--out', file)).rejects.toMatchObject({
      name: 'UsageError',
      message: `target schema --out ${file}: the file exists; name another one, or add --force to overwrite it`,
    });
    await run('schema', '--out', file, '--force');
    expect(JSON.parse(readFileSync(file, 'utf8'))).toHaveProperty('properties');
    await expect(run('init', '--out', join(folder, 'none', 'a.yaml'))).rejects.toThrow(
      'cannot be written (ENOENT); name a file in a folder that exists',
    );
  });
});
