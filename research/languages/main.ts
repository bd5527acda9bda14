/**
 * `npm run languages [-- [--record] ID...]`: generates a client with every generator of research/languages, compiles it as strictly
 * as its language can, and runs it against the mock; likewise the OAuth libraries. With `--record` it
 * writes results.json there, which `npm run readme` makes the tables of. Downloads stay in dist/languages.
 */
import { availableParallelism } from 'node:os';

import { attempt } from './attempt.js';
import { downloaded, sizeOf } from './caches.js';
import { costOf, readResults, writeResults } from './results.js';
import { readTools, workshop } from './tools.js';
import { expectedLines, startWorlds } from './world.js';

const given = process.argv.slice(2);
const record = given.includes('--record');
const wanted = given.filter((word) => word !== '--record');
const tools = readTools();
const unknown = wanted.filter((id) => !tools.some((tool) => tool.id === id));
if (unknown.length > 0) {
  console.error(`languages: no ${unknown.join(', ')}; there are ${tools.map(({ id }) => id).join(', ')}`);
  process.exit(2);
}

const known = readResults();
const results = new Map(known.attempts.map((one) => [one.tool, one]));
for (const id of results.keys()) if (!tools.some((tool) => tool.id === id)) results.delete(id);
const begun = Date.now();
const before = downloaded();
const skipped: string[] = [];
let { whole } = known;

const worlds = await startWorlds();
try {
  const expected = await expectedLines(worlds);
  for (const tool of tools.filter(({ id }) => wanted.length === 0 || wanted.includes(id))) {
    const result = await attempt(tool, worlds, expected);
    if (result.skipped !== undefined) skipped.push(tool.id);
    // A machine that lacks a toolchain does not take back what another has shown.
    if (result.skipped === undefined || !results.has(tool.id)) results.set(tool.id, result);
    const cells = Object.values(result.cells);
    const all = cells.every((cell) => cell === 'yes');
    console.log(
      `${tool.id} ${tool.version}: ${result.skipped ?? (all ? 'all steps' : cells.join(', '))}, ${result.seconds} s`,
    );
    if (result.cause !== undefined) console.log(`  ${result.cause}`);
    save();
  }
} finally {
  await worlds.close();
}
const run = {
  date: new Date().toISOString().slice(0, 10),
  skipped,
  minutes: Math.ceil((Date.now() - begun) / 60_000),
  cores: availableParallelism(),
  cold: before === 0,
  downloaded: downloaded() - before,
  held: sizeOf(workshop),
};
console.log(`languages: ${costOf(run)}`);
if (skipped.length > 0)
  console.error(`languages: NOT TRIED, for want of their toolchain: ${skipped.join(', ')}; see the line of each above`);
if (wanted.length === 0) whole = run;
save();

function save(): void {
  if (!record) return;
  writeResults({ ...(whole && { whole }), attempts: tools.flatMap(({ id }) => results.get(id) ?? []) });
}
