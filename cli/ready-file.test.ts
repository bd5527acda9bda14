import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';

import type { MockFacts } from '../src/server/facts.js';
import { writeReadyFile } from './ready-file.js';
import { run } from './run.js';

vi.mock('./ready-file.js', { spy: true });

const facts = { baseUrl: 'http://127.0.0.1:4010' } as MockFacts;
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gamedata-ready-'));
});
afterEach(() => rm(folder, { recursive: true }));

it('is there whole, for its owner alone, and goes with the mock', async () => {
  const place = join(folder, 'ready.json');
  const remove = await writeReadyFile(place, facts);
  expect(JSON.parse(await readFile(place, 'utf8'))).toEqual(facts);
  expect((await stat(place)).mode & 0o777).toBe(0o600);
  expect(await readdir(folder)).toEqual(['ready.json']);
  remove();
  expect(await readdir(folder)).toEqual([]);
});

it('says what to do where it cannot be written, and leaves nothing', async () => {
  const place = join(folder, 'none', 'ready.json');
  await expect(writeReadyFile(place, facts)).rejects.toThrow(
    `--ready-file ${place}: cannot be written (ENOENT); name a file in a folder that exists`,
  );
  expect(await readdir(folder)).toEqual([]);
});

it.each([
  ['mock', '--quiet'],
  ['proxy', '--quiet', '--base-url', 'http://127.0.0.1:9'],
])('can be asked to stop as soon as it is there: %s', async (...command) => {
  const place = join(folder, 'ready.json');
  const actual = await vi.importActual<typeof import('./ready-file.js')>('./ready-file.js');
  vi.mocked(writeReadyFile).mockImplementationOnce(async (...args) => {
    const remove = await actual.writeReadyFile(...args);
    process.emit('SIGTERM');
    return remove;
  });
  const output = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  expect(await run([...command, '--port', '0', '--ready-file', place])).toBe(0);
  output.mockRestore();
  process.exitCode = undefined; // the proxy's, through which nothing passed
  process.removeAllListeners('SIGINT').removeAllListeners('SIGTERM');
  expect(await readdir(folder)).toEqual([]);
});
