/**
 * `npm run check:regex`: every regular expression that meets input takes linear time, so that no request can stop the
 * mock and no answer the suite. Tests, and the mutation proofs, which meet our own mock and client alone, meet no input.
 */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { expressionsOf, patternsOf, whySlow } from './regex/expressions.js';

/** Expressions that only a run puts together: file -> why they are linear. */
const built: Readonly<Record<string, string>> = {
  'conformance/monitors/shape.ts': 'patterns of the contract, which are judged where they stand',
};

/** Expressions that are linear though the analysis says otherwise: the beginning of the source -> why. */
const linear: Readonly<Record<string, string>> = {
  "\\b(?:cannot|can['’]t|can not|": 'gaps of at most 80 characters; measured: 160,000 words in 25 ms',
};

const files = ['src', 'cli', 'conformance', 'openapi']
  .flatMap((folder) => readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)))
  .filter((file) => !/[.](test|fixture|gen)[.]ts$|^conformance.(audit.)?proof./.test(file))
  .sort();

const problems: string[] = [];
const spared = new Set<string>();
const judged = new Map<string, Promise<string | undefined>>();
for (const file of files) {
  if (!/[.](ts|yaml)$/.test(file)) continue;
  const text = readFileSync(file, 'utf8');
  const found = file.endsWith('.ts')
    ? expressionsOf(file, text)
    : { expressions: patternsOf(file, text), built: [] as string[] };
  for (const place of found.built) {
    spared.add(file);
    if (!(file in built)) problems.push(`${place}: put together by the run, so nobody can judge it; write a template`);
  }
  for (const { line, ...expression } of found.expressions) {
    const { source, flags } = expression;
    const exemption = Object.keys(linear).find((start) => source.startsWith(start));
    if (exemption !== undefined) {
      spared.add(exemption);
      continue;
    }
    const key = `/${source}/${flags}`;
    if (!judged.has(key)) judged.set(key, whySlow(expression));
    const why = await judged.get(key);
    if (why !== undefined) problems.push(`${file}:${line}: ${key} ${why}`);
  }
}
for (const exemption of [...Object.keys(built), ...Object.keys(linear)]) {
  if (!spared.has(exemption)) problems.push(`scripts/regex.ts: nothing is spared by ${exemption}; take it out`);
}
for (const problem of problems) console.error(problem);
console.log(`regex: ${judged.size} expressions, ${problems.length} problems`);
process.exitCode = problems.length === 0 ? 0 : 1;
