import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';

import type { Hooks } from '../target/hooks.js';
import { openHooks } from '../target/open-hooks.js';
import type { Target } from '../target/target.js';
import { trace } from '../wire/trace.js';
import { Wire } from '../wire/wire.js';
import type { Trace } from '../wire/trace.js';
import { meeting, targetAt } from './evidence.fixture.js';
import { Issued } from './issued.js';
import { scriptOf, stepsOf } from './repro.js';
import { adapterTrace, transportOf } from './transport.js';

const folder = mkdtempSync(join(tmpdir(), 'beside-'));
afterAll(() => rmSync(folder, { recursive: true }));
const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

const adapter = join(folder, 'adapter.mjs');
writeFileSync(
  adapter,
  `let now = 0;
   export const consent = ({ decision }) => decision === 'deny'
     ? { status: 200, location: null, body: '<h1>Nobody asked you</h1>' }
     : { status: 302, location: 'https://app.example/cb?state=s&code=code-of-the-run' };
   export const clock = ({ advance }) => ({ now: new Date((now += advance) * 1000).toISOString() });
   export const revoke = () => { throw new Error('nobody is there'); };`,
);

const words = { title: 'AUTH-CODE-025', expected: 'status 400', got: 'status 200' };
const url = 'https://server.example/oauth/authorize?client_id=web&state=s';

/** What hooks do, as reports show it, and the script of it. */
async function shown(target: Target, act: (hooks: Hooks, wire: Wire) => Promise<unknown>) {
  const issued = new Issued(target);
  const options = { budget: 100, perSecond: 0, concurrency: 4, signal: new AbortController().signal };
  const wire = new Wire({ ...options, seen: (answer) => issued.see(answer) });
  closers.push(() => wire.close());
  const log: Trace = { answers: [] };
  const hooks = await openHooks(target, transportOf(wire, target), adapterTrace(wire));
  await trace.run(log, () => act(hooks, wire));
  const evidence = { answers: log.answers, target, issued };
  return { steps: stepsOf(evidence), script: scriptOf(evidence, words) };
}

/** Runs a script as somebody who enters these lines. */
const entered = (script: string, lines: string): Promise<{ code: number | null; stdout: string; stderr: string }> =>
  new Promise((done) => {
    const child = spawn('sh', ['-c', script], { env: { PATH: process.env.PATH ?? '' } });
    let [stdout, stderr] = ['', ''];
    child.stdout.on('data', (part: Buffer) => (stdout += String(part)));
    child.stderr.on('data', (part: Buffer) => (stderr += String(part)));
    child.on('close', (code) => done({ code, stdout, stderr }));
    child.stdin.on('error', () => {}).end(lines);
  });

describe('what an adapter does', () => {
  const adapted = (at: string): Target => targetAt(at, { consent: 'adapter', adapter });

  it('is part of the trace: the URL that it was given, and what came back', async () => {
    const { steps } = await shown(adapted('https://server.example'), async ({ consent, clock }) => {
      await consent!({ url, account: 'alice', decision: 'approve' });
      await consent!({ url, account: 'bob', decision: 'deny' });
      await clock!.now();
    });
    expect(steps).toEqual([
      {
        method: 'GET',
        url,
        headers: {},
        status: 302,
        responseBody: '',
        responseHeaders: { location: 'https://app.example/cb?state=s&code=${CODE_1}' },
        by: 'adapter',
        note: 'alice approves',
      },
      {
        method: 'GET',
        url,
        headers: {},
        status: 200,
        responseHeaders: {},
        responseBody: '<h1>Nobody asked you</h1>',
        by: 'adapter',
        note: 'bob denies',
      },
    ]);
  });

  it('is told where it fails', async () => {
    const { steps } = await shown(adapted('https://server.example'), async ({ revoke }) => {
      await revoke!({ by: 'user', account: 'alice', client_id: 'web' }).catch(() => {});
    });
    expect(steps).toMatchObject([
      { method: 'CALL', url: 'adapter:revoke', status: 0, responseBody: 'nobody is there', by: 'adapter' },
    ]);
    expect(steps[0]!.body).toContain('"account":"alice"');
  });

  it('is asked for by the script, which goes on with what is entered', async () => {
    const server = await meeting((_, reply) => reply.end('{}'));
    closers.push(server.close);
    const { script } = await shown(adapted(server.url), async ({ consent, clock }, wire) => {
      await consent!({ url, account: 'alice', decision: 'approve' });
      await clock!.advance(20);
      await wire.send(
        { method: 'GET', url: `${server.url}/x?code=code-of-the-run`, headers: {} },
        { server: 'data', args: {} },
      );
    });
    const ran = await entered(script, 'https://app.example/cb?state=s&code=another-code\n\n');
    expect(ran.stderr.split('\n')).toEqual([
      'Open this URL as alice and approve.',
      url,
      'Enter the URL that it redirects to:',
      'Move the clock of the server 20 seconds forward, then press Enter.',
      '',
    ]);
    expect(ran.code).toBe(0);
    expect(server.met.map(({ path }) => path)).toEqual(['/x?code=code-of-the-run', '/x?code=another-code']);
    expect(await entered(script, '')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('run this script in a terminal') as string,
    });
  });
});

describe('moves of the clock', () => {
  const moved = async ({ clock }: Hooks) => {
    await clock!.advance(20);
    await clock!.advance(20.5);
  };
  const notes = [
    'the clock moves 20 s forward, 20 s in this trace',
    'the clock moves 20.5 s forward, 40.5 s in this trace',
  ];

  it('are told with their sum where an adapter makes them', async () => {
    const { steps, script } = await shown(targetAt('https://server.example', { adapter }), moved);
    expect(steps.map(({ url: at, note, by }) => [at, note, by])).toEqual(
      notes.map((note) => ['adapter:clock', note, 'adapter']),
    );
    expect(script).toContain(`# 2. done (adapter): ${notes[1]}`);
  });

  it('are told with their sum, and made again, by the control protocol', async () => {
    let now = 0;
    const server = await meeting(({ path, body, method }, reply) => {
      const { advance = 0 } = (method === 'POST' ? JSON.parse(body) : {}) as { advance?: number };
      now += advance;
      const capabilities = { protocol: 1, capabilities: ['clock'] };
      reply.end(JSON.stringify(path === '/control/' ? capabilities : { now: new Date(now * 1000).toISOString() }));
    });
    closers.push(server.close);
    const target = targetAt(server.url, { control_url: `${server.url}/control` });
    const { steps, script } = await shown(target, moved);
    expect(steps.flatMap(({ note }) => note ?? [])).toEqual(notes);
    expect(script).toContain(`answered 200: ${notes[1]}`);
    expect((await entered(script, '')).code).toBe(0);
    expect(now).toBe(81);
  });
});
