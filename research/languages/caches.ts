import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { workshop } from './tools.js';

const caches = join(workshop, 'caches');
const pipLog = join(caches, 'pip.log');

/** Keeps all that package managers download below dist/languages: nothing that the machine has helps a run. */
export const cacheSettings: Readonly<Record<string, string>> = {
  npm_config_cache: join(caches, 'npm'),
  PIP_NO_CACHE_DIR: '1',
  PIP_FIND_LINKS: '',
  PIP_LOG: pipLog,
  GOMODCACHE: join(caches, 'go'),
  GOCACHE: join(workshop, 'go-build'),
  GOFLAGS: '-modcacherw',
  CARGO_HOME: join(caches, 'cargo'),
  CARGO_TARGET_DIR: join(workshop, 'target'),
  MAVEN_OPTS: `-Dmaven.repo.local=${join(caches, 'maven')}`,
};

/** Bytes that were downloaded: what each cache holds as it came, and what pip says, which may keep nothing. */
export function downloaded(): number {
  const kept = ['npm', 'go/cache/download', 'cargo/registry/cache', 'cargo/registry/index', 'maven'];
  return kept.reduce((sum, name) => sum + sizeOf(join(caches, name)), 0) + byPip();
}

function byPip(): number {
  if (!existsSync(pipLog)) return 0;
  const said = readFileSync(pipLog, 'utf8').matchAll(/Downloading .*\((\d+(?:\.\d+)?) (bytes|kB|MB)\)/g);
  return [...said].reduce((sum, [, size, unit]) => sum + Number(size) * (bytesOf[unit ?? ''] ?? 0), 0);
}

const bytesOf: Record<string, number> = { bytes: 1, kB: 1e3, MB: 1e6 };

/** Bytes below a folder, links not followed. */
export function sizeOf(path: string): number {
  if (!existsSync(path)) return 0;
  return readdirSync(path, { withFileTypes: true }).reduce((sum, entry) => {
    const inner = join(path, entry.name);
    if (entry.isDirectory()) return sum + sizeOf(inner);
    return entry.isFile() ? sum + statSync(inner).size : sum;
  }, 0);
}
