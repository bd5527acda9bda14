import { existsSync, mkdtempSync, readFileSync, rmSync, watch } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { Agent } from './mcp.fixture.js';
import { connectAgent } from './mcp.fixture.js';

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

describe('the tools', () => {
  let agent: Agent;
  beforeAll(async () => {
    agent = await connectAgent();
  });
  afterAll(() => agent[Symbol.asyncDispose]());

  it('are few, described, and take no arguments but their own', async () => {
    const { tools } = await agent.client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      'start_mock',
      'mint_token',
      'move_clock',
      'read_journal',
      'audit_client',
      'explain_requirement',
      'decode_link',
    ]);
    for (const { description, inputSchema } of tools) {
      expect(description).toMatch(/^[A-Z].+\.$/);
      expect(inputSchema).toMatchObject({ type: 'object', additionalProperties: false });
    }
  });

  it('start a mock, mint a token, let it expire and show why it is refused', async () => {
    const started = await agent.call('start_mock');
    const [, url = ''] = /serves (http:\S+);/.exec(started.text) ?? [];
    expect(started.text).toContain(`GAMEDATA_BASE_URL=${url}\n`);
    const minted = await agent.call('mint_token', { account: 'alice', scopes: ['account:profile'] });
    const [, token = ''] = /^access_token: (\S+)$/m.exec(minted.text) ?? [];
    const status = async (): Promise<number> =>
      (await fetch(`${url}/profile`, { headers: { authorization: `Bearer ${token}` } })).status;
    expect(await status()).toBe(200);
    expect((await agent.call('move_clock', { days: 60 })).text).toMatch(/\d access expired/);
    expect(await status()).toBe(401);
    const refused = await agent.call('read_journal', { status: '4xx' });
    expect(refused.text).toMatch(/^1 request:\n#\d+ 401 GET \/profile {2}getProfile\n {3}\S/);
    expect(refused.text).not.toContain(token);
  });

  it('have a mock at most: another start replaces it', async () => {
    const [, first = ''] = /serves (http:\S+);/.exec((await agent.call('start_mock')).text) ?? [];
    await agent.call('start_mock', { profile: 'observed' });
    await expect(fetch(`${first}/health`)).rejects.toThrow('fetch failed');
  });

  it('decode a link', async () => {
    expect((await agent.call('decode_link', { link: 'AAAABgYXARI0AavNAavNEjQ' })).text).toMatch(
      /^version 6, .+Next: /s,
    );
  });

  it('say what to do next', async () => {
    for (const [name, args] of [
      ['start_mock', {}],
      ['mint_token', { scopes: ['service:leagues'] }],
      ['move_clock', { hours: 1 }],
      ['read_journal', {}],
      ['explain_requirement', { id: 'tok-bearer-001' }],
    ] as const) {
      const { text, isError } = await agent.call(name, args);
      expect([name, isError]).toEqual([name, false]);
      expect(text).toMatch(/\n\nNext: .+\.$/);
      expect(text.length, name).toBeLessThan(2500);
    }
  });

  it('explain a requirement of clients and of servers that have the same id', async () => {
    const { text } = await agent.call('explain_requirement', { id: 'AUTH-STATE-003' });
    expect(text).toMatch(/AUTH-STATE-003 \(of clients\).*AUTH-STATE-003 \(of servers\)/s);
  });

  it.each([
    ['no_such_tool', {}, /no_such_tool not found/],
    ['mint_token', { scopes: 'account:profile' }, /expected array.+at scopes/],
    ['mint_token', { scopes: ['account:profile'], acount: 'alice' }, /Unrecognized key: "acount"/],
    ['mint_token', { scopes: ['account:nothing'], account: 'alice' }, /account:nothing/],
    ['move_clock', {}, /give days, hours, minutes or seconds/],
    ['move_clock', { days: -1 }, /at days/],
    ['read_journal', { status: '9xx' }, /a status such as 401, or a class such as 4xx/],
    ['audit_client', { command: [] }, /at command/],
    ['audit_client', { command: ['true'], worlds: ['nowhere'] }, /nowhere: no such world/],
    ['audit_client', { command: ['true'], only: ['NOWHERE'] }, /NOWHERE: no requirement of that name/],
    ['audit_client', { command: ['true'], env: { API: 'nothing' } }, /nothing is not a placeholder/],
    ['explain_requirement', { id: 'TOK-BEARER-0001' }, /did you mean TOK-BEARER-001\?/],
    ['explain_requirement', { id: 'TOK-BEARER' }, /is a group; name one of TOK-BEARER-001/],
    ['decode_link', { link: '####' }, /copy the whole link/],
  ])('refuse %s %j with the remedy', async (name, args, message) => {
    expect(await agent.call(name, args)).toEqual({ isError: true, text: expect.stringMatching(message) as string });
  });

  it('say of a client that does not start what to correct', async () => {
    const { text } = await agent.call('audit_client', { command: ['/no/such/client'], worlds: [] });
    expect(text).toMatch(/^Configuration error: there is no command .+Next: correct what the first line names/s);
  });
});

it('a tool that needs a mock says how to start one', async () => {
  await using agent = await connectAgent();
  expect(await agent.call('read_journal')).toEqual({
    isError: true,
    text: 'no mock runs in this session; call start_mock first',
  });
});

it('the resources are the contract, whole and in parts, requirements and worlds', async () => {
  await using agent = await connectAgent();
  const read = async (uri: string): Promise<string> => {
    const [content] = (await agent.client.readResource({ uri })).contents;
    return content && 'text' in content ? content.text : '';
  };
  const { resources } = await agent.client.listResources();
  for (const { uri } of resources) expect((await read(uri)).length, uri).toBeGreaterThan(1000);
  expect(await read('gamedata://contract/operations/getProfile')).toContain('"/profile"');
  expect(await read('gamedata://contract/schemas/Item')).toContain('"Item"');
  await expect(read('gamedata://contract/operations/getProfil')).rejects.toThrow('did you mean getProfile?');
});

it('an agent that leaves takes the mock and a running audit with it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'gamedata-mcp-'));
  const file = join(folder, 'pid');
  try {
    const agent = await connectAgent();
    const [, url = ''] = /serves (http:\S+);/.exec((await agent.call('start_mock')).text) ?? [];
    const hanging = `require('fs').writeFileSync(${JSON.stringify(file)}, String(process.pid)); setInterval(() => {}, 1000)`;
    const begun = new Promise<void>((done) => {
      const watcher = watch(folder, () => {
        if (!existsSync(file) || readFileSync(file, 'utf8') === '') return;
        watcher.close();
        done();
      });
    });
    const audit = agent.call('audit_client', { command: [process.execPath, '-e', hanging] });
    const left = audit.catch(() => {}); // the connection closes below it
    await begun;
    const pid = Number(readFileSync(file, 'utf8'));
    expect(isAlive(pid)).toBe(true);
    await agent.client.close();
    await left;
    expect([isAlive(pid), isAlive(agent.pid)]).toEqual([false, false]);
    await expect(fetch(`${url}/health`)).rejects.toThrow('fetch failed');
  } finally {
    rmSync(folder, { recursive: true });
  }
});
