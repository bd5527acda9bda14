import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';

import { tryNew, writeNew } from './new-file.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'new-file-'));
  writeFileSync(join(folder, 'there'), 'work');
});
afterEach(() => rmSync(folder, { recursive: true }));

const named = (name: string, force?: boolean) => ({ option: '--out', file: join(folder, name), force });

it('is not written over what is there, which is told before a run as after it', async () => {
  for (const step of [() => tryNew(named('there')), () => writeNew(named('there'), 'new')])
    await expect(step()).rejects.toThrow(/: the file exists; name another one, or add --force to overwrite it$/);
  expect(readFileSync(join(folder, 'there'), 'utf8')).toBe('work');
});

it('is written over it where that is asked for, and not before the run is over', async () => {
  await tryNew(named('there', true));
  expect(readFileSync(join(folder, 'there'), 'utf8')).toBe('work');
  await writeNew(named('there', true), 'new');
  expect(readFileSync(join(folder, 'there'), 'utf8')).toBe('new');
});

it.each([true, false])('leaves nothing where it was only tried, with force %s', async (force) => {
  await tryNew(named('later', force));
  expect(existsSync(join(folder, 'later'))).toBe(false);
  await expect(tryNew(named('none/later', force))).rejects.toThrow('cannot be written (ENOENT)');
});
