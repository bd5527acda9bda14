import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { parse } from 'yaml';

import { flags as flagTable, switchTable } from '../src/contract/index.js';
import type { Mock } from '../src/server/mock.js';
import { startMock } from '../src/server/mock.js';
import { defaultSwitches, readSwitches } from '../src/server/switches.js';
import type { MockFacts } from '../src/server/facts.js';
import { environmentOf, gatherFacts } from '../src/server/facts.js';
import { flagsOn } from './mock-options.js';
import { runMock } from './mock-run.js';
import { run } from './run.js';
import { firstScreen } from './screen.js';
import { switchJson, switchList } from './switch-list.js';
import { packageFile } from '../src/input/package.js';
import { codecCommand, targetText } from '../src/server/target-file.js';

const plain = { strong: String, faint: String };
const onIn = (edition: string): ReadonlySet<string> => flagsOn({ host: '', seed: 1, edition, flag: {}, set: {} });
const gather = (mock: Mock, edition: string): Promise<MockFacts> =>
  gatherFacts(mock, { version: '0', edition, flags: onIn(edition) });

describe.each(['extended', 'base'])('what a mock of the edition %s says of itself', (edition) => {
  let mock: Mock;
  let facts: MockFacts;
  beforeAll(async () => {
    mock = await startMock({ edition });
    facts = await gather(mock, edition);
  });
  afterAll(() => mock.close());

  it('fits on a screen', () => {
    expect(firstScreen(facts, plain).split('\n').length).toBeLessThanOrEqual(40);
  });

  it('has curl lines that work', async () => {
    const lines = firstScreen(facts, plain)
      .split('\n')
      .filter((line) => line.startsWith('curl '));
    expect(lines).toHaveLength(3);
    for (const line of lines) {
      const [, authorization = '', url = ''] = /^curl -H 'Authorization: (.*?)' '?(.*?)'?$/.exec(line) ?? [];
      const response = await fetch(url, { headers: { authorization } });
      expect([url, response.status]).toEqual([url, 200]);
      await response.body?.cancel();
    }
  });

  it('hands out tokens that reach an account’s, a guild’s and the service’s data', async () => {
    const environment = environmentOf(facts);
    const status = async (path: string, token: string | undefined): Promise<number> => {
      const response = await fetch(`${environment.GAMEDATA_BASE_URL}${path}`, {
        headers: { authorization: `Bearer ${token}` },
      });
      await response.body?.cancel();
      return response.status;
    };
    for (const path of [
      '/profile',
      '/account/leagues',
      '/character',
      '/item-filter',
      `/stash/${String(mock.world.known.stash_league)}`,
    ]) {
      expect([path, await status(path, environment.GAMEDATA_TOKEN_ACCOUNT)]).toEqual([path, 200]);
    }
    expect(
      await status(`/guild/stash/${String(mock.world.known.guild_league)}`, environment.GAMEDATA_TOKEN_ACCOUNT),
    ).toBe(200);
    for (const path of [
      '/league',
      '/pvp-match',
      '/public-stash-tabs',
      ...(edition === 'extended' ? ['/currency-exchange'] : []),
    ]) {
      expect([path, await status(path, environment.GAMEDATA_TOKEN_SERVICE)]).toEqual([path, 200]);
    }
  });

  it('writes a target file that is true', async () => {
    const { url, controlUrl, world } = mock;
    const text = targetText({
      url,
      controlUrl,
      controlToken: undefined,
      flags: onIn(edition),
      switches: defaultSwitches,
      world,
    });
    const target = parse(text) as {
      base_url: string;
      control_url: string;
      edition: Record<string, string>;
      accounts: object;
      clients: Record<
        string,
        { client_id: string; client_secret?: string; scopes: string[]; redirect_uris?: string[] }
      >;
      known: object;
    };
    expect(target).toMatchObject({ base_url: url, auth_url: url, control_url: controlUrl, consent: 'control' });
    expect(Object.keys(target.edition)).toEqual(flagTable.map(({ flag }) => flag));
    expect(target.edition['F-CX']).toBe(edition === 'extended' ? 'on' : 'off');
    expect(target.accounts).toEqual({
      alice: { username: 'alice' },
      bob: { username: 'bob' },
      carol: { username: 'carol' },
    });
    expect(target.known).toEqual(world.known);
    expect(Object.fromEntries(Object.entries(target.clients).map(([role, { client_id: id }]) => [role, id]))).toEqual({
      confidential: 'example-web',
      confidential_other: 'example-other',
      confidential_no_refresh: 'example-web-norefresh',
      confidential_limited: 'example-limited',
      guild: 'example-guild',
      public: 'example-desktop',
      service: 'example-service',
      service_account: 'example-service-account',
      operations: 'example-operations',
    });
    expect(target.clients.confidential?.redirect_uris).toHaveLength(2);
    expect(target.clients.public).not.toHaveProperty('client_secret');
    for (const role of ['service', 'service_account', 'operations']) {
      const { client_id: clientId = '', scopes = [] } = target.clients[role] ?? {};
      expect((await mock.issueToken({ clientId, scopes })).scope.split(' ').sort()).toEqual([...scopes].sort());
    }
    for (const role of ['confidential', 'confidential_limited', 'guild', 'public']) {
      const { client_id: clientId = '', scopes = [] } = target.clients[role] ?? {};
      expect((await mock.issueToken({ account: 'alice', clientId, scopes })).scope.split(' ').sort()).toEqual(
        [...scopes].sort(),
      );
    }
  });
});

describe('gamedata mock', () => {
  it('writes a target file that nobody else may read, though one was there that everybody could', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'target-'));
    const [fresh, old] = [join(folder, 'fresh.yaml'), join(folder, 'old.yaml')];
    const mark =
      '# Written by gamedata mock --write-target, which replaces this file as long as it begins with this line.\n';
    await writeFile(old, `${mark}old: true\n`, { mode: 0o644 });
    for (const target of [fresh, old]) {
      const flags = {
        host: '127.0.0.1',
        seed: 1,
        edition: 'extended',
        flag: {},
        set: {},
        exec: true,
        writeTarget: target,
      };
      expect(await runMock(flags, [process.execPath, '-e', ''])).toBe(0);
      expect((await stat(target)).mode & 0o777).toBe(0o600);
      expect((await stat(target)).size).toBeGreaterThan(1000);
    }
    await rm(folder, { recursive: true });
  });

  it.each([
    [['--control-token', ''], 'gamedata: the control token: it is empty; give printable ASCII'],
    [['--allow-host', 'http://mock.test'], 'gamedata: allow-host http://mock.test: not a host name'],
  ])('ends with 2 and one line for %j', async (options, line) => {
    const written: string[] = [];
    const write = vi.spyOn(process.stderr, 'write').mockImplementation((text) => written.push(String(text)) > 0);
    const code = await run(['mock', '--port', '0', ...options]);
    write.mockRestore();
    expect([code, written]).toEqual([2, [expect.stringContaining(line)]]);
  });
});

describe('targetText', () => {
  it('follows the switches', () => {
    const switches = readSwitches({
      'refresh.revokeOldAccess': true,
      'refresh.reuseRevokesFamily': true,
      'scopes.unknown': 'drop',
      'params.overMax': 'clamp',
      'lookup.nullStatus': 404,
      'names.game2': 'second',
    });
    const world = { accounts: [], clients: [], known: {} };
    const target = parse(
      targetText({ url: 'u', controlUrl: 'c', controlToken: 't', flags: new Set(), switches, world }),
    ) as object;
    expect(target).toMatchObject({
      control_token: 't',
      names: { game2: 'second', livestream: 'livestream' },
      readings: {
        access_after_refresh: 'revoked',
        refresh_reuse: 'revokes_family',
        invalid_scope: 'drop',
        over_max: 'clamp',
        null_lookup_status: 404,
      },
    });
  });

  it('declares that a limit is lowered where whatever is wrong with a parameter is replaced', () => {
    const facts = { url: 'u', controlUrl: 'c', controlToken: 't', flags: new Set<string>() };
    const world = { accounts: [], clients: [], known: {} };
    const text = targetText({ ...facts, switches: readSwitches({ 'params.invalid': 'clamp' }), world });
    expect(parse(text)).toMatchObject({ readings: { over_max: 'clamp' } });
  });
});

describe('codecCommand', () => {
  it('names this program by its place, so that no folder of installation is needed', () => {
    expect(codecCommand('/usr/bin/node', '/app/dist/cli/main.js')).toBe(
      '/usr/bin/node /app/dist/cli/main.js tree pipe',
    );
    expect(codecCommand('/my node/node', '/app/bin/gamedata')).toBe('"/my node/node" /app/bin/gamedata tree pipe');
    expect(codecCommand('/usr/bin/node', '/app/cli/main.ts')).toBe(
      '/usr/bin/node --import tsx /app/cli/main.ts tree pipe',
    );
  });

  it('names the program that was built where another one writes the file', () => {
    const program = packageFile('dist', 'cli', 'main.js');
    expect(codecCommand('/usr/bin/node', '/app/some-tests.js')).toContain(program);
  });
});

describe('the list of switches', () => {
  it('shows each with its default, what it decides and the open point', () => {
    const text = switchList(plain, 80);
    for (const { name, gap } of switchTable) {
      expect(text).toContain(`\n${name}  `.trimStart());
      expect(text).toContain(`${gap}: `);
    }
    expect(text).toContain('pkce.verifier  strict | lenient  default strict, from observation\n');
    expect(text).toContain('lookup.nullStatus  200 | 404  default 200, from the description\n');
    expect(
      Math.max(
        ...text
          .split('\n')
          .filter((line) => line.startsWith('    '))
          .map((line) => line.length),
      ),
    ).toBeLessThanOrEqual(80);
  });

  it('is there for programs too', () => {
    const rows = JSON.parse(switchJson()) as { name: string; values: unknown[]; default: unknown }[];
    expect(rows.map(({ name }) => name)).toEqual(switchTable.map(({ name }) => name));
    expect(rows.find(({ name }) => name === 'lookup.nullStatus')).toMatchObject({
      values: [200, 404],
      default: 200,
      gap: expect.stringMatching(/^K-/) as string,
    });
  });
});
