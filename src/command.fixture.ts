import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const source = join(root, 'cli', 'main.ts');
const built = join(root, 'dist', 'cli', 'main.js');

/** What `npm run build` makes the command from. */
const inputs = ['cli', 'conformance', 'fixtures', 'scripts/build.ts', 'src', 'package-lock.json'];
const isInput = (name: string): boolean => !/[.](?:test|fixture|cases)[.]ts$|[.]md$/.test(name);

/** When a file was written, or the youngest of a folder, ms; 0 where there is none. */
function written(path: string): number {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found?.isDirectory()) return found?.mtimeMs ?? 0;
  const below = readdirSync(path, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() || isInput(entry.name))
    .map(({ name }) => written(join(path, name)));
  return Math.max(0, ...below);
}

/** Whether the build is of the sources as they are: it was written after each of them. */
const isCurrent = inputs.every((path) => written(join(root, path)) < written(built));

/**
 * What tests start Node with for the command line: the built one if nothing has changed since, for it starts in a third of
 * the time, and its sources otherwise.
 */
export const command: readonly string[] = isCurrent ? [built] : ['--import', 'tsx', source];

/** The entry for tests of servers, `game-data-contract/vitest`, by the same rule. */
export const vitestEntry: string = isCurrent
  ? join(root, 'dist', 'conformance', 'vitest.js')
  : join(root, 'conformance', 'vitest.ts');
