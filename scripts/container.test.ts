/**
 * Builds the image of `Containerfile` without a registry, on a base of Node's own files, and runs it as itself and as
 * compose.yaml runs it, with the store and the balancer of this machine.
 */
import type { ChildProcess } from 'node:child_process';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';

import { connectMock } from '../src/client/index.js';
import { freePort } from '../src/input/listen.js';
import { send } from '../src/server/mock.fixture.js';
import { noNginx, startNginx } from '../src/server/replicas/nginx.fixture.js';
import { noEngine, untilListening } from '../src/server/replicas/engine.fixture.js';
import { root } from './generate/document.js';

const folder = mkdtempSync(join(tmpdir(), 'gamedata-container-'));
const options = ['--storage-driver', 'vfs', '--root', join(folder, 'store'), '--runroot', join(folder, 'run')];
const buildah = (...args: readonly string[]): string =>
  execFileSync('buildah', [...options, ...args], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
const build = (tag: string, ...args: readonly string[]): string =>
  buildah('build', '--isolation', 'chroot', '--quiet', '--tag', tag, ...args);

/** Why no image can be built here; undefined where one can. */
const missing =
  spawnSync('buildah', ['--version']).status === 0 ? base() : 'there is no buildah (apt-get install buildah)';
if (missing !== undefined) console.error(`SKIPPED, the container: ${missing}`);

/** Builds the image `node`: what `node` is made of on this machine, and nothing else. */
function base(): string | undefined {
  if (process.platform !== 'linux') return `${process.platform} has no containers`;
  const libraries = execFileSync('ldd', [process.execPath], { encoding: 'utf8' }).match(/\/\S+/g) ?? [];
  const place = join(folder, 'base');
  for (const file of libraries) put(realpathSync(file), join(place, file));
  put(process.execPath, join(place, 'usr', 'bin', 'node'));
  writeFileSync(join(place, 'Containerfile'), 'FROM scratch\nCOPY . /\nENV PATH=/usr/bin\n');
  try {
    build('node', place);
    return undefined;
  } catch (error) {
    const { stderr = '', message } = error as Error & { stderr?: string };
    return `buildah builds no image here (${stderr.trim().split('\n').at(-1) ?? message})`;
  }
}

function put(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true });
  cpSync(from, to, { recursive: true, dereference: true });
}

/** The folder `app` as npm would install it: the package as it is packed, and the packages that it needs. */
function install(app: string): void {
  const own = join(app, 'node_modules', 'game-data-contract');
  mkdirSync(own, { recursive: true });
  const packing = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder];
  const stdio = ['ignore', 'pipe', 'ignore'] as const;
  const [{ filename }] = JSON.parse(
    execFileSync('npm', packing, { cwd: root, encoding: 'utf8', stdio: [...stdio] }),
  ) as [{ filename: string }];
  execFileSync('tar', ['-xzf', join(folder, filename), '-C', own, '--strip-components=1']);
  const needed = [own, join(root, 'node_modules', '@redis', 'client')];
  for (const place of needed) {
    if (place !== own) put(place, join(app, place.slice(root.length)));
    const { dependencies = {} } = JSON.parse(readFileSync(join(place, 'package.json'), 'utf8')) as {
      dependencies?: Readonly<Record<string, string>>;
    };
    for (const name of Object.keys(dependencies)) {
      const found = join(root, 'node_modules', name);
      if (!needed.includes(found)) needed.push(found);
    }
  }
}

const children: ChildProcess[] = [];

/** What an image says of itself. */
interface Configuration {
  readonly Entrypoint: readonly string[];
  readonly Cmd: readonly string[];
}

/** The container of the image, in which every command of these tests runs. */
let container = '';

const configuration = (): Configuration =>
  (JSON.parse(buildah('inspect', container)) as { OCIv1: { config: Configuration } }).OCIv1.config;

/** Runs the image with arguments; gives the first line that it prints. */
async function run(args: readonly string[]): Promise<string> {
  const { Entrypoint } = configuration();
  const command = [...options, 'run', '--isolation', 'chroot', container, '--', ...Entrypoint, ...args];
  const child = spawn('buildah', command, { stdio: ['ignore', 'pipe', 'pipe'] });
  children.push(child);
  let said = '';
  child.stderr.on('data', (part: Buffer) => (said += part.toString()));
  for await (const line of createInterface({ input: child.stdout })) return line;
  throw new Error(`the container ended: ${said}`);
}

interface Service {
  readonly command: readonly string[];
  readonly volumes?: readonly string[];
}

describe.skipIf(missing)(missing === undefined ? 'the container' : `the container (SKIPPED: ${missing})`, () => {
  beforeAll(() => {
    const context = join(folder, 'context');
    install(join(context, 'app'));
    build('game-data-contract', '--build-arg', 'BASE=localhost/node', '-f', join(root, 'Containerfile'), context);
    container = buildah('from', 'game-data-contract').trim();
  });
  afterAll(async () => {
    for (const child of children.reverse()) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      const ended = once(child, 'exit');
      child.kill();
      await ended;
    }
    rmSync(folder, { recursive: true, force: true });
  });

  it('serves the contract and its documentation', async () => {
    const line = await run(['mock', '--host', '0.0.0.0', '--port', '0', '--quiet']);
    const url = `http://127.0.0.1:${new URL(line).port}`;
    expect((await send(url, { path: '/health' })).status).toBe(200);
    expect((await send(url, { path: '/docs' })).status).toBeLessThan(400);
  });

  it('runs as a user without rights, and answers other machines', () => {
    expect(buildah('run', '--isolation', 'chroot', container, '--', 'node', '-p', 'process.getuid()').trim()).toBe(
      '1000',
    );
    expect(configuration().Cmd).toEqual(['mock', '--host', '0.0.0.0', '--port', '4010']);
  });

  const absent = noEngine ?? noNginx;
  if (absent !== undefined) console.error(`SKIPPED, compose.yaml: ${absent}`);
  it.skipIf(absent)('is one mock with another behind a balancer, as compose.yaml says', async () => {
    const [store, first, second, front] = await Promise.all([freePort(), freePort(), freePort(), freePort()]);
    const url = `http://127.0.0.1:${front}`;
    const text = readFileSync(join(root, 'compose.yaml'), 'utf8')
      .replaceAll(/\$\{PUBLIC_URL:-[^}]*\}/g, url)
      .replaceAll(/\$\{CONTROL_TOKEN:\?[^}]*\}/g, 'our-secret')
      .replaceAll('store:6379', `127.0.0.1:${store}`);
    expect(text).not.toContain('${');
    const services = (parse(text, { merge: true }) as { services: Readonly<Record<string, Service>> }).services;
    const { balancer, store: engine, 'mock-1': one, 'mock-2': other } = services;

    const [program = '', ...given] = engine?.command ?? [];
    const stores = spawn(program, [...given, '--port', `${store}`, '--dir', folder], {
      stdio: 'ignore',
    });
    children.push(stores);
    await untilListening(store);
    const at = (service: Service | undefined, port: number): readonly string[] =>
      (service?.command ?? []).map((word) => word.replace('--port=4010', `--port=${port}`));
    await Promise.all([run([...at(one, first), '--quiet']), run([...at(other, second), '--quiet'])]);
    const [file = ''] = balancer?.volumes?.[0]?.split(':') ?? [];
    const balancing = readFileSync(join(root, file), 'utf8')
      .replace('mock-1:4010', `127.0.0.1:${first}`)
      .replace('mock-2:4010', `127.0.0.1:${second}`)
      .replace('listen 8080', `listen ${front}`);
    children.push(startNginx(folder, balancing));
    while (!(await send(url, { path: '/health' }).catch(() => null))) await new Promise((done) => setTimeout(done, 20));

    const issuer = await send(url, { path: '/.well-known/oauth-authorization-server' });
    expect(issuer.json<{ issuer: string }>().issuer).toBe(url);
    expect((await send(url, { path: '/__control/clock' })).status).toBe(401);
    const mock = connectMock(url, { controlToken: 'our-secret' });
    const { access_token: token } = await mock.issueToken({ account: 'alice', scopes: ['account:profile'] });
    for (const port of [first, second, front]) {
      const headers = { authorization: `Bearer ${token}` };
      expect((await send(`http://127.0.0.1:${port}`, { path: '/profile', headers })).status).toBe(200);
    }
  });
});
