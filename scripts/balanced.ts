/**
 * `npm run balanced`: the whole suite against two replicas behind a balancer that gives each connection to the next one.
 * Exits as `gamedata verify` does. Needs redis-server or valkey-server.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { startBalancer } from '../src/server/replicas/balancer.fixture.js';
import { noEngine, startEngine } from '../src/server/replicas/engine.fixture.js';
import type { MockProcess } from '../src/server/replicas/process.fixture.js';
import { startProcess } from '../src/server/replicas/process.fixture.js';
import { root } from './generate/document.js';

if (noEngine !== undefined) throw new Error(noEngine);
const main = join(root, 'dist', 'cli', 'main.js');
const folder = mkdtempSync(join(tmpdir(), 'gamedata-balanced-'));
const target = join(folder, 'target.yaml');
const replicas: MockProcess[] = [];
let connections = 0;

const engine = await startEngine('--appendfsync', 'everysec');
const balancer = await startBalancer(() => {
  connections += 1;
  return replicas.map(({ port }) => port);
});
try {
  const options = [
    '--port',
    '0',
    '--store',
    engine.url,
    '--public-url',
    balancer.url,
    '--epoch',
    '2026-01-01T00:00:00Z',
  ];
  replicas.push(
    await startProcess([...options, '--write-target', target], [main]),
    await startProcess(options, [main]),
  );
  const own = replicas[0]?.url ?? '';
  writeFileSync(target, readFileSync(target, 'utf8').replaceAll(own, balancer.url));
  const verify = spawn(process.execPath, [main, 'verify', '--target', target, ...process.argv.slice(2)], {
    stdio: 'inherit',
  });
  const [code] = (await once(verify, 'exit')) as [number | null];
  console.log(`${connections} connections, in turn to ${replicas.map(({ port }) => port).join(' and ')}`);
  process.exitCode = code ?? 1;
} finally {
  for (const { process: child } of replicas) child.kill();
  await balancer.close();
  await engine.remove();
  rmSync(folder, { recursive: true, force: true });
}
