import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import { startMock } from '../src/server/mock.js';
import { mockOptions, rulesOf } from './mock-options.js';
import { run } from './run.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rules-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function file(name: string, text: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, text);
  return path;
}

/** What `gamedata mock` says to standard error, and its exit code. */
async function refused(...args: string[]): Promise<{ code: number; text: string }> {
  let text = '';
  vi.spyOn(process.stderr, 'write').mockImplementation((part) => ((text += String(part)), true));
  const code = await run(['mock', '--port', '0', ...args]);
  vi.restoreAllMocks();
  return { code, text: text.replaceAll(folder, '') };
}

const limits = `policies:
  - name: profile
    operations: [getProfile]
    rules:
      - rule: client
        windows:
          - { hits: 1, period: 10, restriction: 30 }
`;

describe('files of rules', () => {
  it('are handed on, as YAML and as JSON', async () => {
    const flags = {
      host: '127.0.0.1',
      port: 0,
      seed: 1,
      limits: await file('limits.yaml', limits),
      faults: await file('faults.json', '[{"kind": "status", "status": 503, "after": 3}]'),
      journal: true,
    };
    const mock = await startMock(mockOptions(flags, () => {}, rulesOf(flags)));
    expect((await mock.limits.get())?.policies).toMatchObject([{ name: 'profile' }]);
    expect(await mock.faults.list()).toMatchObject([{ kind: 'status', status: 503, after: 3, met: 0 }]);
    await fetch(`${mock.url}/profile`);
    expect(await mock.journal.count({ status: 401 })).toBe(1);
    await mock.close();
  });

  it('that are wrong are refused with file, line and remedy', async () => {
    const faults = await file('faults.yaml', '- kind: reset\n- kind: hang\n  # a typo\n  operation: getprofile\n');
    expect(await refused('--faults', faults)).toEqual({
      code: 2,
      text: expect.stringMatching(
        /^gamedata: \/faults\.yaml:4: faults\[1\]\.operation: there is no "getprofile"; did you mean getProfile\?\n$/,
      ),
    });
    const wrong = await file('wrong.yaml', limits.replace('hits: 1', 'hits: none'));
    expect(await refused('--limits', wrong)).toEqual({
      code: 2,
      text: 'gamedata: /wrong.yaml:7: limits.policies[0].rules[0].windows[0].hits: must be a whole number (how many pass)\n',
    });
    const broken = await file('broken.yaml', '- kind: [reset\n');
    expect(await refused('--faults', broken)).toEqual({ code: 2, text: expect.stringMatching(/\/broken\.yaml:\d: /) });
    expect((await refused('--faults', await file('empty.yaml', ''))).text).toContain('/empty.yaml: is empty');
    const bomb = await file(
      'bomb.yaml',
      'a: &a [x, x, x, x, x, x, x, x, x]\nb: &b [*a, *a, *a, *a, *a, *a, *a]\nc: &c [*b, *b, *b, *b, *b, *b, *b]\nd: [*c, *c, *c, *c]\n',
    );
    expect((await refused('--faults', bomb)).text).toContain('/bomb.yaml: its aliases expand to too many nodes');
    expect((await refused('--limits', 'realistc')).text).toContain(
      'name a file of limits, or observed, realistic or off (did you mean realistic?)',
    );
    expect((await refused('--profile', 'live')).text).toContain('the profiles are described, observed');
  });
});

describe('the profile observed', () => {
  it('sets limits with headers and the lenient verifier, and what is given beside it wins', async () => {
    const flags = { host: '127.0.0.1', port: 0, seed: 1, profile: 'observed' };
    const mock = await startMock(mockOptions(flags, () => {}, {}));
    expect(await mock.limits.get()).toMatchObject({ headers: 'observed', edge: { user_agent: true } });
    await mock.close();
    const own = { ...flags, limits: 'off', edition: 'base', set: { 'pkce.verifier': 'strict' } };
    expect(mockOptions(own, () => {}, {})).toMatchObject({
      edition: 'base',
      limits: 'off',
      switches: { 'pkce.verifier': 'strict' },
    });
  });
});
