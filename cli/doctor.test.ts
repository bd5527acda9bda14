import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

import type { DoctorReport } from '../conformance/target/doctor.js';
import type { Mock } from '../src/server/mock.js';
import { startMock } from '../src/server/mock.js';
import { defaultSwitches } from '../src/server/switches.js';
import { doctorCommand } from './doctor.js';
import { flagsOn } from './mock-options.js';
import { targetText } from '../src/server/target-file.js';

const main = fileURLToPath(new URL('main.ts', import.meta.url));
const codec = `${JSON.stringify(process.execPath)} --import tsx ${JSON.stringify(main)} tree pipe`;

let folder: string;
let mock: Mock;
let file: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'doctor-'));
  mock = await startMock({});
  file = join(folder, 'target.yaml');
  const { url, controlUrl, world } = mock;
  const flags = flagsOn({ host: '', seed: 1, edition: 'extended', flag: {}, set: {} });
  writeFileSync(
    file,
    targetText({ url, controlUrl, controlToken: undefined, flags, switches: defaultSwitches, world }),
  );
});
afterAll(async () => {
  await mock.close();
  rmSync(folder, { recursive: true });
});
afterEach(() => (process.exitCode = undefined));

async function run(...args: string[]): Promise<{ code: typeof process.exitCode; text: string }> {
  const parts: string[] = [];
  const stdout = { write: (text: string) => parts.push(text) > 0 } as unknown as NodeJS.WriteStream;
  await doctorCommand(stdout)
    .exitOverride()
    .parseAsync(['--target', file, ...args], { from: 'user' });
  return { code: process.exitCode, text: parts.join('') };
}

describe('gamedata doctor', () => {
  it.each(['control', 'form'])('finds nothing wrong with our mock, consent by %s', async (consent) => {
    const { code, text } = await run('--consent', consent, '--tree-codec', codec, '--json');
    const { ready, findings, coverage } = JSON.parse(text) as DoctorReport;
    expect(findings.filter(({ state }) => state !== 'ok')).toEqual([]);
    expect(findings.map(({ about }) => about)).toEqual(expect.arrayContaining(['clock', 'accounts.bob', 'tree_codec']));
    expect([code, ready, coverage.runnable]).toEqual([undefined, true, coverage.checks]);
    expect(text).not.toContain('service-secret');
  });

  it('shows what it goes by, what it finds and what would let more run', async () => {
    const { code, text } = await run('--consent', 'none', '--tree-codec', 'exit 1', '--service-client-secret', 'wrong');
    expect(code).toBe(2);
    expect(text).toMatch(/^gamedata-mock\n +base_url +http/);
    expect(text).toMatch(/^PROBLEM {2}clients\.service: token request: 401, invalid_client.*\n {9}check clients/m);
    expect(text).toMatch(/^ok {7}base_url: /m);
    expect(text).toMatch(/^ +\d+ need consent: set consent to control, adapter, form or auto/m);
    expect(text).toMatch(
      /^\d+ of \d+ checks can run with these settings \(\d+ %\), once the problems above are fixed; /m,
    );
    expect(text).toMatch(/\nConfiguration error: 2 problems\.\n$/);
    expect(text).not.toMatch(/wrong|-secret/);
  });

  it('does not count what can run while nothing answers', async () => {
    const { code, text } = await run('--base-url', 'http://127.0.0.1:9');
    expect(code).toBe(2);
    expect(text).toMatch(/\nWhat can run is not known until base_url is right\.\n\nConfiguration error: /);
    expect(text).not.toMatch(/checks can run|^ +\d+ need /m);
  });
});
