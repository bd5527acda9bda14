/** The worked example of docs/replicas.md, with ports that are free here. */
import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';

import { freePort } from '../../input/listen.js';
import { connectMock } from '../../client/index.js';
import { send } from '../mock.fixture.js';
import { noNginx, startNginx } from './nginx.fixture.js';
import { noEngine, untilListening } from './engine.fixture.js';
import { startProcess } from './process.fixture.js';

const missing = noEngine ?? noNginx;

const chapter = readFileSync(new URL('../../../docs/replicas.md', import.meta.url), 'utf8');
const blocks = [...chapter.matchAll(/```(sh|nginx)\n([^]*?)```/g)].map(([, , text = '']) => text);

it('two replicas behind nginx are one mock, and one that is killed is not missed', async ({ skip }) => {
  if (missing) skip(missing);
  const folder = mkdtempSync(join(tmpdir(), 'gamedata-company-'));
  const ports = new Map<string, string>();
  for (const port of ['6379', '4011', '4012', '8080']) ports.set(port, String(await freePort()));
  const here = (text: string): string =>
    text.replaceAll(/\b(6379|4011|4012|8080)\b/g, (port) => ports.get(port) ?? port).replace('/var/lib/redis', folder);
  const [store = '', mocks = '', balancer = ''] = blocks.map(here);
  const children: ChildProcess[] = [];
  const run = (command: string, args: readonly string[]): void =>
    void children.push(spawn(command, args, { stdio: 'ignore' }));
  try {
    const [engine = '', ...options] = store.trim().split(' ');
    run(engine, options);
    await untilListening(Number(ports.get('6379')));
    const lines = mocks.trim().split('\n');
    expect(lines).toHaveLength(2);
    const replicas = await Promise.all(
      lines.map((line) => startProcess(line.replace(/^gamedata mock /, '').split(' '))),
    );
    children.push(...replicas.map(({ process: child }) => child));
    children.push(startNginx(folder, balancer));
    const url = `http://127.0.0.1:${ports.get('8080')}`;
    while (!(await send(url, { path: '/' }).catch(() => null))) await new Promise((done) => setTimeout(done, 20));

    expect((await send(url, { path: '/__control/clock' })).status).toBe(401);
    const mock = connectMock(url, { controlToken: 'our-secret' });
    const issuer = await send(url, { path: '/.well-known/oauth-authorization-server' });
    expect(issuer.json<{ issuer: string }>().issuer).toBe(url);
    const { access_token: token } = await mock.issueToken({ account: 'alice', scopes: ['account:profile'] });
    const profile = async (): Promise<number> =>
      (await send(url, { path: '/profile', headers: { authorization: `Bearer ${token}` } })).status;
    expect([await profile(), await profile()]).toEqual([200, 200]);
    await replicas[0]!.kill('SIGKILL');
    expect([await profile(), await profile(), await profile()]).toEqual([200, 200, 200]);
    await mock.clock.advance({ days: 29 });
    expect([await profile(), await profile()]).toEqual([401, 401]);
  } finally {
    for (const child of children.reverse()) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      const ended = once(child, 'exit');
      child.kill();
      await ended;
    }
    rmSync(folder, { recursive: true, force: true });
  }
});
