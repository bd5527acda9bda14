#!/usr/bin/env node
import loader from 'node:module';
import { dirname, join } from 'node:path';

/** What later Nodes have than the one whose types are known here. */
interface NewLoader {
  readonly findPackageJSON?: (from: string) => string | undefined;
  readonly enableCompileCache?: (folder: string) => unknown;
}

// The rest is loaded once this Node is known to understand it. `engines` of package.json says the same; a test compares.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

if (major > 20 || (major === 20 && minor >= 19)) {
  keepCompiled(loader as NewLoader);
  void import('./start.js');
} else {
  process.stderr.write(
    `gamedata: needs Node 20.19 or newer, and this is Node ${process.versions.node}; install a newer Node, or select one (nvm use 22)\n`,
  );
  process.exitCode = 2;
}

/**
 * Node 22.14 and later keep what they compile for the next start. It stays inside the package: in the system's folder
 * for temporary files, others could write what is run here. Where the package cannot be written, nothing is kept.
 */
function keepCompiled({ findPackageJSON, enableCompileCache }: NewLoader): void {
  const manifest = findPackageJSON?.(import.meta.url);
  if (manifest !== undefined) enableCompileCache?.(join(dirname(manifest), 'node_modules', '.cache', 'gamedata'));
}
