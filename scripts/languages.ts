/**
 * `npm run languages [-- ID...]`: generates a client with every generator of openapi/languages, compiles it as strictly
 * as its language can, and runs it against the mock; likewise the OAuth libraries. Writes results.json there, which
 * `npm run readme` makes the tables of. Downloads stay in dist/languages.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Attempt } from './languages/attempt.js';
import { attempt, columns, sizeOf } from './languages/attempt.js';
import { folder, readTools, workshop } from './languages/tools.js';
import { expectedLines, startWorlds } from './languages/world.js';

const wanted = process.argv.slice(2);
const tools = readTools();
const unknown = wanted.filter((id) => !tools.some((tool) => tool.id === id));
if (unknown.length > 0) {
  console.error(`languages: no ${unknown.join(', ')}; there are ${tools.map(({ id }) => id).join(', ')}`);
  process.exit(2);
}

const file = join(folder, 'results.json');
const known = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Attempt[]) : [];
const results = new Map(known.map((one) => [one.tool, one]));
for (const id of results.keys()) if (!tools.some((tool) => tool.id === id)) results.delete(id);

const worlds = await startWorlds();
try {
  const lines = await expectedLines(worlds);
  const expected = {
    client: lines,
    oauth: ['code: alice', 'refresh: alice', 'client credentials: 200', 'revocation: 401'],
  };
  for (const tool of tools.filter(({ id }) => wanted.length === 0 || wanted.includes(id))) {
    const result = await attempt(tool, worlds, expected[tool.kind]);
    // A machine that lacks a toolchain does not take back what another has shown.
    if (result.skipped === undefined || !results.has(tool.id)) results.set(tool.id, result);
    const cells = columns[tool.kind].map((name) => result.cells[name]);
    const all = cells.every((cell) => cell === 'yes');
    console.log(
      `${tool.id} ${tool.version}: ${result.skipped ?? (all ? 'all steps' : cells.join(', '))}, ${result.seconds} s`,
    );
    if (result.cause !== undefined) console.log(`  ${result.cause}`);
    const ordered = tools.flatMap(({ id }) => results.get(id) ?? []);
    writeFileSync(file, `${JSON.stringify(ordered, null, 2)}\n`);
  }
} finally {
  await worlds.close();
}
console.log(`dist/languages holds ${Math.round(sizeOf(workshop) / 2 ** 20)} MiB`);
