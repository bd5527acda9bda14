import { once } from 'node:events';
import { createServer, request as send } from 'node:http';
import type { IncomingMessage, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';

import { proxyFor } from '../conformance/proxy/proxy.fixture.js';
import type { RunReport } from '../conformance/result.js';
import { loadTarget } from '../conformance/target/load.js';
import { checkTraffic } from '../conformance/traffic/judge.js';
import { startMock } from '../src/server/mock.js';
import type { Mock } from '../src/server/mock.js';
import { harmless, withChange, wrong } from './recorded-changes.fixture.js';
import { harOf, recordedFrom } from './recording.fixture.js';
import type { HarEntry } from './recording.fixture.js';
import { run } from './run.js';

let folder: string;
const at = (name: string): string => join(folder, name);
beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), 'gamedata-proxy-'))));
afterAll(() => rmSync(folder, { recursive: true }));

/** A recording under the address that plays it. */
const moved = (entries: readonly HarEntry[], from: string, to: string): HarEntry[] =>
  JSON.parse(JSON.stringify(entries).replaceAll(from, to)) as HarEntry[];

const bytesOf = ({ content }: HarEntry['response']): Buffer =>
  Buffer.from(content.text ?? '', content.encoding === 'base64' ? 'base64' : 'utf8');

/** Headers that are of the connection, which HTTP writes by itself. */
const ofMessage = /^(connection|keep-alive|transfer-encoding|content-length|host|accept-encoding)$/;
const flat = (headers: HarEntry['request']['headers']): string[] =>
  headers.filter(({ name }) => !ofMessage.test(name)).flatMap(({ name, value }) => [name, value]);

const portOf = (server: Server): number => (server.address() as AddressInfo).port;

/** A server that gives the responses of a recording, in their order. */
async function player(recording: () => HarEntry[]): Promise<{ server: Server; url: string }> {
  const server = createServer((_, res) => {
    const { response } = recording().shift()!;
    res.sendDate = false;
    res.writeHead(response.status, flat(response.headers)).end(bytesOf(response));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return { server, url: `http://127.0.0.1:${portOf(server)}` };
}

/** Sends the requests of a recording to another address, one by one. */
async function play(entries: readonly HarEntry[], from: string, to: string): Promise<void> {
  for (const { request } of entries) {
    const outgoing = send(to + request.url.slice(from.length), {
      method: request.method,
      headers: flatRecord(request),
    });
    outgoing.end(request.postData?.text);
    const [answer] = (await once(outgoing, 'response')) as [IncomingMessage];
    answer.resume();
    await once(answer, 'close');
  }
}

const flatRecord = ({ headers }: HarEntry['request']): Record<string, string> =>
  Object.fromEntries(headers.filter(({ name }) => !ofMessage.test(name)).map(({ name, value }) => [name, value]));

const common = { only: [], waivers: [], today: '2026-01-01', version: '0', command: '', replay: '{row}' };

/** What a report says of the server, apart from where the exchanges are from. */
const verdicts = ({ rows, outcome, recording, observations }: RunReport): unknown => [
  outcome,
  recording?.exchanges,
  recording?.judged,
  observations,
  rows.map(({ id, verdict, exercised, reason, failure }) => [
    id,
    verdict,
    exercised,
    reason,
    failure?.expected,
    failure?.got.replaceAll(/[\d.]+ ms/g, 'a time'),
  ]),
];

describe('gives the verdicts that gamedata check gives of the recording', () => {
  let mock: Mock;
  let entries: HarEntry[];
  let playing: HarEntry[] = [];
  let stage: Awaited<ReturnType<typeof player>>;
  beforeAll(async () => {
    mock = await startMock({ autoApprove: true, epoch: '2026-01-01T00:00:00Z' });
    stage = await player(() => playing);
    entries = moved(await recordedFrom(mock), mock.url, stage.url);
  });
  afterAll(async () => {
    stage.server.close();
    await mock.close();
  });

  const extended = async (): Promise<HarEntry[]> => {
    await using other = await startMock({ edition: 'observed', autoApprove: true, epoch: '2026-01-01T00:00:00Z' });
    return moved(await recordedFrom(other), other.url, stage.url);
  };
  /** The refresh that was refused gets what the one before got, with other tokens. */
  const twice = (): HarEntry[] => {
    const copy = structuredClone(entries);
    const [first, second] = copy.filter(({ request }) => request.postData?.text.includes('grant_type=refresh_token'));
    const tokens = JSON.parse(bytesOf(first!.response).toString()) as Record<string, string>;
    const others = { ...tokens, access_token: 'other-access-token-1', refresh_token: 'other-refresh-token-1' };
    second!.response = { ...first!.response, content: { size: 0, mimeType: '', text: JSON.stringify(others) } };
    return copy;
  };
  it.each<[string, () => HarEntry[] | Promise<HarEntry[]>]>([
    ['everything', () => entries],
    ['the observed edition', extended],
    ['a refresh token that is used twice', twice],
    ...wrong.map(([name, path, change, , method]): [string, () => HarEntry[]] => [
      name,
      () => withChange(entries, path, change, method),
    ]),
    ...harmless.map(([name, change]): [string, () => HarEntry[]] => [
      name,
      () => withChange(entries, '/league', change),
    ]),
  ])('%s', async (_, make) => {
    const recording = await make();
    writeFileSync(at('traffic.har'), harOf(recording));
    const target = await loadTarget({ env: {}, overrides: { 'base-url': stage.url } });
    const wanted = await checkTraffic({ ...common, paths: [at('traffic.har')], target, named: true });

    await using running = await proxyFor(stage.url, { ...common, target });
    playing = [...recording];
    await play(recording, stage.url, running.url);
    expect(playing).toEqual([]);
    await running.proxy.relays.close();
    expect(verdicts(running.proxy.report())).toEqual(verdicts(wanted));
    if (make === twice) expect(wanted.rows.find(({ id }) => id === 'LIFE-016')?.verdict).toBe('fail');
  });
});

describe('gamedata proxy', () => {
  afterEach(() => vi.restoreAllMocks());

  /** Runs the command, does something while it listens, and stops it as Ctrl-C does. */
  async function ran(
    args: readonly string[],
    during: (facts: { baseUrl: string; adminUrl: string }) => Promise<void>,
  ): Promise<{ code: number; stdout: string; stderr: string }> {
    const text = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr'] as const)
      vi.spyOn(process[name], 'write').mockImplementation((part) => ((text[name] += String(part)), true));
    const ready = at('ready.json');
    process.exitCode = undefined;
    const over = run(['proxy', '--port', '0', '--ready-file', ready, ...args]);
    while (!existsSync(ready)) {
      const ended = await Promise.race([
        over.then(() => true),
        new Promise<false>((done) => setTimeout(() => done(false), 5)),
      ]);
      if (ended) break;
    }
    if (existsSync(ready)) {
      await during(JSON.parse(readFileSync(ready, 'utf8')) as { baseUrl: string; adminUrl: string });
      process.emit('SIGINT');
    }
    const failed = await over;
    const code = failed === 0 ? Number(process.exitCode ?? 0) : failed;
    process.exitCode = undefined;
    process.removeAllListeners('SIGINT').removeAllListeners('SIGTERM');
    return { code, ...text };
  }

  it('reports at the end, records without credentials, and leaves nothing else', async () => {
    await using mock = await startMock({ epoch: '2026-01-01T00:00:00Z' });
    const { access_token: token } = await mock.issueToken({ account: 'alice', scopes: ['account:profile'] });
    const args = ['--base-url', mock.url, '--report', at('out'), '--record', at('session.har'), '--admin-port', '0'];
    const { code, stdout } = await ran(args, async ({ baseUrl, adminUrl }) => {
      const answer = await fetch(`${baseUrl}/profile`, { headers: { authorization: `Bearer ${token}` } });
      expect(answer.status).toBe(200);
      await answer.text();
      const page = async (): Promise<string> => await (await fetch(adminUrl)).text();
      await vi.waitFor(async () => expect(await page()).toContain('1 of 1 recorded exchange judged'));
      const json = (await (await fetch(`${adminUrl}report.json`)).json()) as RunReport;
      expect(json.recording?.judged).toBe(1);
      expect((await fetch(`${adminUrl}other`)).status).toBe(404);
      const client = (await (await fetch(`${adminUrl}client/report.json`)).json()) as RunReport;
      expect(client).toMatchObject({ subject: 'client', requests: { sent: 1 } });
    });
    expect(code).toBe(0);
    expect(stdout).toContain('Game Data proxy');
    expect(stdout).toMatch(/^Client$[^]*User-Agent[^]*^Server$[^]*Conformant/m);
    expect(existsSync(at('out/client/report.html'))).toBe(true);
    expect(existsSync(at('ready.json'))).toBe(false);
    const session = JSON.parse(readFileSync(at('session.har'), 'utf8')) as { log: { entries: HarEntry[] } };
    expect(session.log.entries.map(({ request }) => request.url)).toEqual([`${mock.url}/profile`]);
    const written = [
      ...readdirSync(at('out'))
        .filter((name) => name.includes('.'))
        .map((name) => `out/${name}`),
      'session.har',
    ];
    for (const name of written) {
      const text = readFileSync(at(name), 'utf8');
      expect(text).not.toContain(token);
      expect(name === 'session.har' && text.includes('alice')).toBe(false);
    }
  });

  it('tells what fails when it fails, and ends with 1', async () => {
    const server = createServer((_, res) => void res.writeHead(200, { 'content-type': 'text/plain' }).end('{"uuid":'));
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { code, stdout, stderr } = await ran(
      ['--base-url', `http://127.0.0.1:${portOf(server)}`, '--json', '--only', 'GEN-001'],
      async ({ baseUrl }) => {
        await (await fetch(`${baseUrl}/profile`, { headers: { authorization: 'Bearer aaaabbbbccccdddd' } })).text();
      },
    );
    server.close();
    expect(code).toBe(1);
    expect((JSON.parse(stdout) as RunReport).rows.map(({ id, verdict }) => [id, verdict])).toEqual([
      ['GEN-001', 'fail'],
    ]);
    expect(stderr).toContain('GEN-001');
    expect(stdout + stderr).not.toContain('aaaabbbbccccdddd');
  });

  it('ends with 1 where the client alone is wrong', async () => {
    await using mock = await startMock({ epoch: '2026-01-01T00:00:00Z' });
    const { code, stdout } = await ran(['--base-url', mock.url, '--quiet'], async ({ baseUrl }) => {
      await (await fetch(`${baseUrl}/profile?access_token=not-a-place-for-it`)).text();
    });
    expect(code).toBe(1);
    expect(stdout).toContain('TOK-BEARER-002');
    expect(stdout).not.toContain('not-a-place-for-it');
  });

  it('ends with 3 where nothing passed', async () => {
    const { code } = await ran(['--base-url', 'http://127.0.0.1:9', '--quiet'], async () => {});
    expect(code).toBe(3);
  });

  it.each<[args: () => string[], message: RegExp]>([
    [() => [], /name the server to test with --target/],
    [
      () => ['--base-url', 'http://127.0.0.1:9', '--record', at('none/x.har')],
      /--record .*x\.har: cannot be written \(ENOENT\)/,
    ],
    [() => ['--base-url', 'http://127.0.0.1:9', '--record', folder], /--record .*: the file exists; name another one/],
    [() => ['--base-url', 'http://127.0.0.1:9', '--ca', at('none.pem')], /none\.pem/],
    [() => ['--base-url', 'http://127.0.0.1:9', '--port', 'x'], /It takes a whole number/],
  ])('refuses what it cannot do: %#', async (args, message) => {
    const { code, stderr } = await ran(args(), async () => {});
    expect(code).toBe(2);
    expect(stderr).toMatch(message);
  });

  it('says whose port it wants', async () => {
    const server = createServer();
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const port = String(portOf(server));
    const { code, stderr } = await ran(['--base-url', 'http://127.0.0.1:9', '--port', port], async () => {});
    server.close();
    expect(code).toBe(2);
    expect(stderr).toContain(
      `port ${port}: another program listens on 127.0.0.1:${port}; stop it, or choose another port`,
    );
  });
});
