import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';

import type { MockFacts } from '../src/server/facts.js';
import { writeReadyFile } from './ready-file.js';
import { run } from './run.js';

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
  await expect(writeReadyFile(`${place}\0`, facts)).rejects.toThrow('cannot be written (ERR_INVALID_ARG_VALUE)');
});

it.each([
  ['mock', '--quiet'],
  ['proxy', '--quiet', '--base-url', 'http://127.0.0.1:9'],
])('is not there before its command can be asked to stop: %s', async (...command) => {
  const place = join(folder, 'ready.json');
  let early: boolean | undefined;
  const before = { SIGINT: process.listenerCount('SIGINT'), SIGTERM: process.listenerCount('SIGTERM') };
  const listening = (event: string | symbol): void => {
    if (event !== 'SIGTERM') return;
    early = existsSync(place);
    queueMicrotask(() => process.emit('SIGTERM'));
  };
  process.on('newListener', listening);
  const output = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  expect(await run([...command, '--port', '0', '--ready-file', place])).toBe(0);
  output.mockRestore();
  process.off('newListener', listening);
  process.exitCode = undefined; // the proxy's, through which nothing passed
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process
      .listeners(signal)
      .slice(before[signal])
      .forEach((own) => process.off(signal, own));
  expect(early).toBe(false);
  expect(await readdir(folder)).toEqual([]);
});

it('does not take the place of what is no file', async () => {
  const refused = writeReadyFile(folder, {});
  await expect(refused).rejects.toThrow(`--ready-file ${folder}: is there, and is no file; name a file of its own`);
});
