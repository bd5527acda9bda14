import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';

import { freePort } from '../input/listen.js';
import { authorizationQuery, codeClient } from './calls-oauth.fixture.js';
import { epoch, send, startTestMock, withToken } from './mock.fixture.js';
import type { Mock, MockOptions } from './mock.js';
import { startMock } from './mock.js';

const started: Mock[] = [];
const folders: string[] = [];
afterEach(async () => {
  await Promise.all(started.splice(0).map((mock) => mock.close()));
  await Promise.all(folders.splice(0).map((folder) => rm(folder, { recursive: true, force: true })));
});

async function start(options: MockOptions = {}): Promise<Mock> {
  const mock = await startTestMock(options);
  started.push(mock);
  return mock;
}

describe('two mocks in one process', () => {
  it('share neither tokens nor codes nor filters nor clocks nor stash events', async () => {
    const [one, two] = await Promise.all([start(), start()]);
    const headers = await withToken(one, 'account:item_filter');
    expect((await send(one.url, { path: '/item-filter', headers })).status).toBe(200);
    expect((await send(two.url, { path: '/item-filter', headers })).status).toBe(401);
    expect(await two.tokens()).toEqual([]);

    const others = await withToken(two, 'account:item_filter');
    const before = (await send(two.url, { path: '/item-filter', headers: others })).text;
    const made = {
      method: 'POST',
      path: '/item-filter',
      headers: { ...headers, 'content-type': 'application/json' },
      body: '{"filter_name":"x","realm":"pc","filter":""}',
    };
    expect((await send(one.url, made)).status).toBe(200);
    expect((await send(two.url, { path: '/item-filter', headers: others })).text).toBe(before);

    await one.clock.advance({ days: 100 });
    await one.clock.freeze();
    expect((await two.clock.now()).getTime() - Date.parse(epoch)).toBeLessThan(60_000);
    await one.reset();
    expect((await send(two.url, { path: '/item-filter', headers: others })).status).toBe(200);
  });

  it('are the same byte for byte where seed and epoch are, and differ where the seed does', async () => {
    const [one, same, other] = await Promise.all([start({ seed: 7 }), start({ seed: 7 }), start({ seed: 8 })]);
    const look = async (mock: Mock): Promise<string> =>
      (
        await send(mock.url, {
          path: '/league/Standard/ladder',
          headers: await withToken(mock, 'service:leagues:ladder'),
        })
      ).text;
    expect(await look(one)).toBe(await look(same));
    expect(await look(one)).not.toBe(await look(other));
  });
});

describe('close', () => {
  const open = (mock: Mock): Promise<Socket> =>
    new Promise((done, fail) => {
      const socket = connect(mock.port, '127.0.0.1', () => done(socket));
      socket.on('error', fail);
    });

  it('ends soon though connections are kept alive, half asked, or silent', async () => {
    const mock = await startTestMock();
    const idle = await open(mock);
    idle.write('GET / HTTP/1.1\r\nhost: localhost\r\n\r\n');
    await new Promise((done) => idle.once('data', done));
    const asking = await open(mock);
    asking.write(
      'POST /oauth/token HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/x-www-form-urlencoded\r\ncontent-length: 100\r\n\r\nhalf',
    );
    const silent = await open(mock);
    for (const socket of [idle, asking, silent]) socket.on('error', () => {});
    const from = performance.now();
    await mock.close();
    expect(performance.now() - from).toBeLessThan(3000);
    for (const socket of [idle, asking, silent]) socket.destroy();
    await expect(send(mock.url, { path: '/' })).rejects.toThrow('ECONNREFUSED');
  });

  it('may be asked for twice', async () => {
    const mock = await startTestMock();
    await Promise.all([mock.close(), mock.close()]);
    await mock.close();
  });

  it('frees the port', async () => {
    const port = await freePort();
    await (await startTestMock({ port })).close();
    await start({ port });
  });
});

describe('what cannot be started', () => {
  it.each([
    [{ switches: { 'params.overmax': 'clamp' } }, 'params.overMax'],
    [{ switches: { 'params.overMax': 'cut' } }, 'reject, clamp'],
    [{ edition: 'future' }, 'base, extended'],
    [{ flags: { 'F-NOTHING': true } }, 'F-CX'],
    [{ epoch: 'yesterday' }, '2026-01-01T00:00:00Z'],
    [{ autoApprove: 'nobody' }, 'alice'],
    [{ controlToken: '' }, 'the control token: it is empty'],
    [{ controlToken: 'two words' }, 'the control token: it has characters'],
    [{ host: 'no.such.host.invalid' }, '127.0.0.1'],
    [{ fixtures: '/no/such/folder' }, '/no/such/folder'],
  ] as [MockOptions, string][])('%j is said in one line that names the remedy', async (options, word) => {
    const error: unknown = await startMock(options).then(
      (mock) => mock.close(),
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(Error);
    expect((error as Error).message).toContain(word);
    expect((error as Error).message).not.toContain('\n');
  });

  it('names the port that is taken', async () => {
    const mock = await start();
    await expect(startMock({ port: mock.port })).rejects.toThrow(
      `port ${mock.port}: another program listens on 127.0.0.1:${mock.port}; stop it, or choose another port (port 0 takes any)`,
    );
  });
});

describe('fixtures of one’s own', () => {
  const accounts = (name: string): string =>
    `owner:\n  name: owner\nalice:\n  name: ${name}\n  locale: en_GB\nbob:\n  name: bob\n`;

  async function folderWith(files: Record<string, string>): Promise<string> {
    const folder = await mkdtemp(join(tmpdir(), 'fixtures-'));
    folders.push(folder);
    for (const [name, text] of Object.entries(files)) {
      await mkdir(join(folder, name, '..'), { recursive: true });
      await writeFile(join(folder, name), text);
    }
    return folder;
  }

  /** Waits for a line that the mock says. */
  function listener(): { log: (line: string) => void; heard: (part: string) => Promise<string> } {
    const waiting: { part: string; done: (line: string) => void }[] = [];
    return {
      log: (line) => {
        for (const one of waiting.splice(0))
          if (line.includes(one.part)) one.done(line);
          else waiting.push(one);
      },
      heard: (part) => new Promise((done) => waiting.push({ part, done })),
    };
  }

  const nameOf = async (mock: Mock, headers: { authorization: string }): Promise<string> =>
    (await send(mock.url, { path: '/profile', headers })).json<{ name: string }>().name;

  it('lie over the built-in ones, are read again when they change, and never cost a token or a filter', async () => {
    const folder = await folderWith({ 'accounts.yaml': accounts('first') });
    const { log, heard } = listener();
    const mock = await start({ fixtures: folder, log });
    const headers = await withToken(mock, 'account:profile');
    const filters = await withToken(mock, 'account:item_filter');
    expect(await nameOf(mock, headers)).toBe('first');
    await send(mock.url, {
      method: 'POST',
      path: '/item-filter',
      headers: { ...filters, 'content-type': 'application/json' },
      body: '{"filter_name":"Mine","realm":"pc","filter":""}',
    });

    const reloaded = heard('reloaded');
    await writeFile(join(folder, 'accounts.yaml'), accounts('second'));
    await reloaded;
    expect(await nameOf(mock, headers)).toBe('second');
    expect((await send(mock.url, { path: '/item-filter', headers: filters })).text).toContain('Mine');

    const refused = heard('not reloaded');
    await writeFile(join(folder, 'accounts.yaml'), 'alice:\n  name: 7\n  colour: red\n');
    expect(await refused).toContain('accounts.yaml');
    expect(await nameOf(mock, headers)).toBe('second');

    const mended = heard('fixtures reloaded');
    await writeFile(join(folder, 'accounts.yaml'), accounts('third'));
    await mended;
    expect(await nameOf(mock, headers)).toBe('third');
  });

  it('that come while it runs are known to the control protocol too', async () => {
    const folder = await folderWith({ 'accounts.yaml': accounts('first') });
    const { log, heard } = listener();
    const mock = await start({ fixtures: folder, log });
    const ask = (path: string, body: object) =>
      send(mock.url, {
        method: 'POST',
        path: `/__control${path}`,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
    const client = codeClient(mock.world);
    const url = `${mock.url}/oauth/authorize?${authorizationQuery(client)}`;
    const decide = (account: string) => ask('/consent', { url, account, decision: 'approve' });
    expect((await decide('newcomer')).status).toBe(400);

    const reloaded = heard('reloaded');
    await writeFile(join(folder, 'accounts.yaml'), `${accounts('first')}newcomer:\n  name: newcomer\n`);
    await reloaded;
    expect((await decide('newcomer')).json<{ location: string }>().location).toContain('code=');
    const revocation = { by: 'user', account: 'newcomer', client_id: client.id };
    expect((await ask('/revocations', revocation)).status).toBe(204);
  });

  it('that are broken from the start are refused with file and rule', async () => {
    const folder = await folderWith({ 'accounts.yaml': 'alice:\n  name: [1]\n' });
    await expect(startMock({ fixtures: folder })).rejects.toThrow('accounts.yaml');
  });
});
