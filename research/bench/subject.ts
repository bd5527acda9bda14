import type { ChildProcess } from 'node:child_process';
import { fork, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import autocannon from 'autocannon';

import { freePort } from '../../src/input/listen.js';

export interface Row {
  readonly name: string;
  readonly figure: number;
  readonly bar: number;
  /** Whether the figure has to reach the bar or stay below it. */
  readonly wanted: 'at least' | 'at most';
  readonly unit: 'x' | 'MB' | 'KB' | 'ms';
  readonly note?: string;
}

const children = new Set<ChildProcess>();
process.once('exit', () => children.forEach((child) => child.kill()));

/** No server outlives the benchmark, however it ends. */
function owned(child: ChildProcess): ChildProcess {
  children.add(child);
  child.once('exit', () => children.delete(child));
  return child;
}

/** A server in a process of its own. */
export interface Subject {
  readonly process: ChildProcess;
  readonly url: string;
}

export interface Exchange {
  readonly target: string;
  readonly method: 'GET' | 'POST';
  readonly headers: Record<string, string>;
  readonly body?: string;
}

const here = dirname(fileURLToPath(import.meta.url));
const command = join(here, '..', '..', 'dist', 'cli', 'main.js');

/** What `gamedata mock --json` prints, as far as the benchmark needs it. */
export interface MockFacts {
  readonly baseUrl: string;
  readonly tokens: Readonly<Record<'account' | 'service', { readonly token: string }>>;
}

export async function startMock(...flags: string[]): Promise<Subject & { facts: MockFacts }> {
  const child = owned(
    spawn(process.execPath, [command, 'mock', '--port', '0', '--json', ...flags], {
      stdio: ['ignore', 'pipe', 'inherit'],
    }),
  );
  const facts = await firstJson<MockFacts>(child);
  return { process: child, url: facts.baseUrl, facts };
}

/** `gamedata proxy` for a server. */
export async function startProxy(target: string): Promise<Subject> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-proxy-'));
  const ready = join(folder, 'ready.json');
  const args = ['proxy', '--base-url', target, '--port', '0', '--ready-file', ready, '--quiet'];
  const child = owned(spawn(process.execPath, [command, ...args], { stdio: ['ignore', 'ignore', 'inherit'] }));
  child.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  while (!existsSync(ready)) {
    if (child.exitCode !== null) throw new Error('the proxy ended before it was ready');
    await new Promise((done) => setTimeout(done, 20));
  }
  return { process: child, url: (JSON.parse(readFileSync(ready, 'utf8')) as MockFacts).baseUrl };
}

export async function startBareExpress(): Promise<Subject> {
  const child = owned(
    spawn(process.execPath, [join(here, 'bare-express.mjs')], { stdio: ['ignore', 'pipe', 'inherit'] }),
  );
  return { process: child, url: (await firstJson<MockFacts>(child)).baseUrl };
}

/** The first JSON value that a process prints, over as many lines as it takes. */
async function firstJson<T>(child: ChildProcess): Promise<T> {
  if (!child.stdout) throw new Error('the process has no output');
  let text = '';
  for await (const line of createInterface({ input: child.stdout })) {
    text += line;
    try {
      return JSON.parse(text) as T;
    } catch {
      // more lines to come
    }
  }
  throw new Error(`the process ended before it was ready: ${text}`);
}

/** A bare server that sends the bytes that the mock sends. */
export async function startBare(exchanges: readonly Exchange[], mock: string): Promise<Subject> {
  const replies: Record<string, { headers: Record<string, string>; body: string }> = {};
  for (const { target, method, headers, body } of exchanges) {
    const response = await fetch(mock + target, { method, headers, body });
    if (response.status !== 200) throw new Error(`${method} ${target}: ${response.status} ${await response.text()}`);
    const bytes = Buffer.from(await response.arrayBuffer());
    const type = response.headers.get('content-type') ?? '';
    replies[target] = {
      headers: { 'content-type': type, 'content-length': String(bytes.length) },
      body: bytes.toString('base64'),
    };
  }
  const child = owned(fork(join(here, 'bare.mjs')));
  const port = await new Promise<number>((done) => {
    child.once('message', (message: { port: number }) => done(message.port));
    child.send({ replies });
  });
  return { process: child, url: `http://127.0.0.1:${port}` };
}

export async function startPrism(): Promise<Subject> {
  const cli = join(
    dirname(createRequire(import.meta.url).resolve('@stoplight/prism-cli/package.json')),
    'dist',
    'index.js',
  );
  const port = await freePort();
  const flags = ['mock', 'dist/openapi/openapi.json', '--port', String(port), '--verboseLevel', 'error'];
  const child = owned(spawn(process.execPath, [cli, ...flags], { stdio: 'ignore' }));
  const url = `http://127.0.0.1:${port}`;
  for (let tries = 0; tries < 200; tries++) {
    if (
      await fetch(`${url}/profile`, { headers: { authorization: 'Bearer x' } }).then(
        () => true,
        () => false,
      )
    )
      return { process: child, url };
    await new Promise((done) => setTimeout(done, 100));
  }
  throw new Error('Prism did not start');
}

/** Requests that the server answers per second of its own processor time: independent of how fast the load comes. */
async function rate(
  { process: child, url }: Subject,
  { target, method, headers, body }: Exchange,
  seconds: number,
): Promise<number> {
  const before = cpuSeconds(child);
  const result = await autocannon({ url: url + target, method, headers, body, connections: 16, duration: seconds });
  const used = cpuSeconds(child) - before;
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${method} ${url}${target}: ${result.non2xx} refusals, ${result.errors} errors`);
  return result.requests.total / used;
}

/** Sends so many requests, each of the exchanges in turn. */
export async function load(url: string, exchanges: readonly Exchange[], amount: number): Promise<void> {
  const requests = exchanges.map(({ target, method, headers, body }) => ({ path: target, method, headers, body }));
  const { non2xx, errors } = await autocannon({ url, requests, connections: 8, amount });
  if (non2xx > 0 || errors > 0) throw new Error(`${url}: ${non2xx} refusals, ${errors} errors`);
}

/** Seconds after which Node has compiled what a request runs: a subject that is measured sooner pays for the compiler. */
const warmUp = 3;

/**
 * Median ratio of two subjects over many short rounds in turn: what else the machine does then slows both. `other` is what
 * the second is asked, where it differs.
 */
export async function ratio(a: Subject, b: Subject, exchange: Exchange, other: Exchange = exchange): Promise<number> {
  await rate(a, exchange, warmUp);
  await rate(b, other, warmUp);
  const ratios: number[] = [];
  for (let round = 0; round < 30; round++) ratios.push((await rate(a, exchange, 0.4)) / (await rate(b, other, 0.4)));
  return median(ratios);
}

export function median(values: number[]): number {
  return values.sort((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;
}

function cpuSeconds(child: ChildProcess): number {
  const fields = readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

/** Waits until a process has nothing left to do. */
export async function idle(child: ChildProcess): Promise<void> {
  let used;
  do {
    used = cpuSeconds(child);
    await new Promise((done) => setTimeout(done, 100));
  } while (cpuSeconds(child) - used > 0.02);
}

/** Resident memory, MB. */
export function residentMegabytes(child: ChildProcess): number {
  const line = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'));
  return Number(line?.[1]) / 1024;
}
