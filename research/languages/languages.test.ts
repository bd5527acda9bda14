import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { Document } from '../../scripts/generate/document.js';
import { root } from '../../scripts/generate/document.js';
import { typesOf } from '../../scripts/generate/types.js';
import { folder, readTools, statementsOf } from './tools.js';
import type { Worlds } from './world.js';
import { application, expectedLines, refreshToken, startWorlds } from './world.js';

const place = join(root, 'dist', 'samples-languages');
const run = promisify(execFile);
let worlds: Worlds;

beforeAll(async () => {
  worlds = await startWorlds();
});
afterAll(async () => {
  await worlds.close();
  rmSync(place, { recursive: true, force: true });
});

/** Compiles a tool's programs with its own settings, with the packages that this project has, and gives their folder. */
async function compiled(id: string): Promise<string> {
  const to = join(place, id);
  cpSync(join(folder, id), to, { recursive: true });
  if (id === 'openapi-typescript') {
    const contract = JSON.parse(readFileSync(join(root, 'dist', 'openapi', 'openapi.json'), 'utf8')) as Document;
    mkdirSync(join(to, 'generated'), { recursive: true });
    writeFileSync(join(to, 'generated', 'game.ts'), await typesOf(contract));
  }
  const tsc = join(root, 'node_modules', 'typescript-newest', 'bin', 'tsc');
  await run(process.execPath, [tsc, '-p', to]).catch(({ stdout }: { stdout: string }) => expect(stdout).toBe(''));
  return join(to, 'out');
}

async function printed(program: string, url: string): Promise<string[]> {
  const REFRESH_TOKEN = await refreshToken(worlds.mock);
  const env = { GAME_URL: url, CLIENT_ID: application.id, CLIENT_SECRET: application.secret, REFRESH_TOKEN };
  const { stdout } = await run(process.execPath, [program], { env: { ...process.env, ...env } });
  return stdout.trim().split('\n');
}

// Two compilers and five programs run: on a busy machine they are slow.
describe('programs that readers copy', { timeout: 300_000 }, () => {
  it('read by openapi-typescript what is there, beside unknown members and values too', async () => {
    const programs = await compiled('openapi-typescript');
    const { client, example } = await expectedLines(worlds);
    expect(client.join('\n')).not.toMatch(/undefined|\b0 /);
    expect(example).toHaveLength(10);
    for (const url of Object.values(worlds.urls)) {
      expect(await printed(join(programs, 'main.js'), url)).toEqual(client);
      expect(await printed(join(programs, 'ladder.js'), url)).toEqual(example);
    }
  });

  it('log in at a mock that is started as the page says', async () => {
    const page = readFileSync(join(folder, 'README.md'), 'utf8');
    const [, options = 'none'] = /^npx gamedata mock(.*) &$/m.exec(page) ?? [];
    const [, variables = 'none'] = /^export (.*)$/m.exec(page) ?? [];
    const given = Object.fromEntries(variables.split(' ').map((one) => one.split('=') as [string, string]));
    const programs = await compiled('oauth-openid-client');
    const command = [join(root, 'dist', 'cli', 'main.js'), 'mock', ...options.split(' ').filter(Boolean)];
    const mock = spawn(process.execPath, [...command, '--port', '0', '--quiet'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    try {
      const [address] = (await once(mock.stdout, 'data')) as [Buffer];
      const env = { ...process.env, ...given, GAME_URL: address.toString().trim() };
      const { stdout } = await run(process.execPath, [join(programs, 'main.js')], { env });
      expect(stdout.trim().split('\n')).toEqual((await expectedLines(worlds)).oauth);
    } finally {
      mock.kill();
    }
  });

  it('log in with openid-client', async () => {
    const programs = await compiled('oauth-openid-client');
    const { oauth } = await expectedLines(worlds);
    expect(await printed(join(programs, 'main.js'), worlds.urls.described)).toEqual(oauth);
  });

  it.each(readTools().flatMap(({ id, example }) => (example ? [{ id, ...example }] : [])))(
    'take at most fifteen lines with $id',
    ({ id, program }) => {
      const lines = statementsOf(readFileSync(join(folder, id, program), 'utf8'));
      expect(lines.length, lines.join('\n')).toBeLessThanOrEqual(15);
      expect(lines.length).toBeGreaterThan(5);
    },
  );

  it('meet members and values that the contract does not know', async () => {
    const { access_token: token } = await worlds.mock.issueToken({ account: 'alice', scopes: ['account:characters'] });
    const headers = { authorization: `Bearer ${token}` };
    const read = async (url: string): Promise<string> =>
      (await fetch(`${url}/character/AsterOfReeds`, { headers })).text();
    const { described, member, value } = worlds.urls;
    expect(await read(described)).not.toMatch(/added_later|tablet|Fabled/);
    expect((await read(member)).match(/added_later/g)?.length).toBeGreaterThan(20);
    const changed = await read(value);
    for (const unlisted of ['"realm":"tablet"', '"rarity":"Fabled"', '"frameType":99', '"displayMode":99'])
      expect(changed).toContain(unlisted);
  });
});
