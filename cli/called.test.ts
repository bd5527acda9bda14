import { join } from 'node:path';
import { expect, it } from 'vitest';

import { called } from './called.js';

const project = join('/', 'home', 'project');

it.each([
  ['in a project that has the package', [project, 'node_modules', '.bin', 'gamedata'], 'npx gamedata'],
  [
    'in such a project on Windows',
    [project, 'node_modules', 'game-data-contract', 'dist', 'cli', 'main.js'],
    'npx gamedata',
  ],
  [
    'in an empty folder',
    ['/', 'home', '.npm', '_npx', '1', 'node_modules', '.bin', 'gamedata'],
    'npx --package game-data-contract gamedata',
  ],
  ['in a clone', [project, 'dist', 'cli', 'main.js'], `node ${join('dist', 'cli', 'main.js')}`],
  ['where it is on the path', ['/', 'usr', 'local', 'bin', 'gamedata'], 'gamedata'],
])('is what a shell finds %s', (_, parts, expected) => {
  expect(called(join(...parts), project)).toBe(expected);
});
