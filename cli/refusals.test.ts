import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { startMock } from '../src/server/mock.js';
import type { Mock } from '../src/server/mock.js';
import { gamedata } from './verify.fixture.js';

let folder: string;
let mock: Mock;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'refusals-'));
  mock = await startMock();
});
afterAll(async () => {
  await mock.close();
  rmSync(folder, { recursive: true, force: true });
});

describe('what a command refuses before it does anything', () => {
  it('is to replace a target file that a person wrote', async () => {
    const file = join(folder, 'target.yaml');
    writeFileSync(file, 'base_url: http://game.example\n');
    const refused = await gamedata(['mock', '--port', '0', '--write-target', file, '--exec', '--', 'true']);
    expect(refused).toMatchObject({ code: 2 });
    expect(refused.stderr).toContain(
      `gamedata: --write-target ${file}: the file exists and is not one that gamedata mock wrote; name another one, or remove it`,
    );
    expect(readFileSync(file, 'utf8')).toBe('base_url: http://game.example\n');
    rmSync(file);
    const again = (): Promise<unknown> =>
      gamedata(['mock', '--port', '0', '--write-target', file, '--exec', '--', 'true']);
    expect([await again(), await again()]).toEqual([
      expect.objectContaining({ code: 0 }),
      expect.objectContaining({ code: 0 }),
    ]);
    expect(readFileSync(file, 'utf8')).toMatch(/^# Written by gamedata mock/);
  });

  it('is to begin with a file that is no snapshot', async () => {
    const file = join(folder, 'odd.json');
    writeFileSync(file, '{"foo":1}');
    expect(await gamedata(['mock', '--port', '0', '--snapshot', file])).toMatchObject({
      code: 2,
      stderr: `gamedata: --snapshot ${file} is not a file that mock.snapshots.export gave: it lacks the member snapshot\n`,
    });
  });

  it.each(['mock', 'audit watch'])('is a port that another program has: %s', async (command) => {
    expect(await gamedata([...command.split(' '), '--port', String(mock.port)])).toMatchObject({
      code: 2,
      stderr: `gamedata: port ${mock.port}: another program listens on 127.0.0.1:${mock.port}; stop it, or choose another port (port 0 takes any)\n`,
    });
  });

  it('is a wrong client secret, which no check of the server could tell', async () => {
    const file = join(folder, 'wrong.yaml');
    const service = '{ client_id: example-service, client_secret: no-such-secret, scopes: [service:leagues] }';
    writeFileSync(file, `base_url: ${mock.url}\nclients: { service: ${service} }\n`);
    const wrong = await gamedata(['verify', '--target', file, '--only', 'LEAGUE']);
    expect(wrong).toMatchObject({ code: 2, stdout: '' });
    expect(wrong.stderr).toMatch(
      /^gamedata: clients\.service: token request: 401, invalid_client.*; check clients\.service\.client_id and client_secret/,
    );
    expect(wrong.stderr).toContain('gamedata: Configuration error: nothing was tested.');
  });

  it('is a placeholder that the audit does not know', async () => {
    const { code, stderr } = await gamedata(['audit', '--env', 'TOKEN=tokn', '--env', 'URL={base}/', '--', 'true']);
    expect(code).toBe(2);
    expect(stderr).toContain(
      'gamedata: env TOKEN=tokn: tokn is not a placeholder (did you mean token?); the placeholders are base_url, auth_url,',
    );
    expect(stderr).toContain('gamedata: env URL={base}/: base is not a placeholder');
  });

  it.each([
    ['audit wach', 'audit watch'],
    ['audit wrolds', 'audit worlds'],
    ['mock swithces', 'mock switches'],
  ])('is a mistyped subcommand: %s', async (given, meant) => {
    const { code, stderr } = await gamedata(given.split(' '));
    expect(code).toBe(2);
    expect(stderr).toContain(`did you mean gamedata ${meant}? Your own command goes after --`);
  });
});

describe('a command of the caller without --', () => {
  it('is not run by the audit', async () => {
    const { code, stderr } = await gamedata(['audit', 'init']);
    expect(code).toBe(2);
    expect(stderr).toContain(
      'gamedata audit has no command init; it has watch, list, worlds. Your own command goes after --',
    );
  });

  it('is told from the number that npm leaves of its own --port', async () => {
    const { code, stderr } = await gamedata(['mock', '0']);
    expect(code).toBe(2);
    expect(stderr).toContain('unexpected argument 0; to choose a port, write npm start -- --port 0');
  });
});

describe('an old Node', () => {
  const root = fileURLToPath(new URL('..', import.meta.url));
  const main = fileURLToPath(new URL('main.ts', import.meta.url));
  const { engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { engines: { node: string } };

  const under = async (version: string): Promise<{ code: number; stdout: string; stderr: string }> => {
    const preload = join(folder, `${version}.cjs`);
    writeFileSync(
      preload,
      `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } });`,
    );
    const args = ['--import', 'tsx', '--require', preload, main, '--version'];
    return promisify(execFile)(process.execPath, args).then(
      (output) => ({ code: 0, ...output }),
      ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({ code, stdout, stderr }),
    );
  };

  it.each(['18.20.8', '20.18.3'])('%s is told which one is needed', async (version) => {
    expect(engines.node).toBe('>=20.19');
    expect(await under(version)).toEqual({
      code: 2,
      stdout: '',
      stderr: `gamedata: needs Node 20.19 or newer, and this is Node ${version}; install a newer Node, or select one (nvm use 22)\n`,
    });
  });

  it.each(['20.19.0', '22.1.0'])('%s is good', async (version) => {
    expect(await under(version)).toMatchObject({ code: 0 });
  });
});
