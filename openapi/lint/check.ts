/** `npm run check:openapi`: the contract and both editions, by Redocly, by Ajv and by our own rules. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { parse } from 'yaml';

import type { Document } from '../../scripts/generate/document.js';
import { root, runRedocly } from '../../scripts/generate/document.js';
import type { Flags } from '../../scripts/generate/editions.js';
import type { Gap } from '../../scripts/generate/prose.js';
import { rules } from './rules.js';

const flags = parse(await readFile(join(root, 'openapi', 'editions.yaml'), 'utf8')) as Flags;
const gaps = parse(await readFile(join(root, 'openapi', 'gaps.yaml'), 'utf8')) as Gap[];
const surroundings = { flags: new Set(flags.flags.map(({ flag }) => flag)), gaps: new Set(gaps.map(({ id }) => id)) };

const documents = ['openapi', ...Object.keys(flags.editions).map((edition) => `openapi.${edition}`)];
let problems = 0;

for (const name of documents) {
  const file = join('dist', 'openapi', `${name}.json`);
  const document = JSON.parse(await readFile(join(root, file), 'utf8')) as Document;
  const found = [
    ...(await lint(file)),
    ...compileAll(document),
    ...rules.flatMap((rule) => rule.check(document, surroundings).map((problem) => `${rule.name}: ${problem}`)),
  ];
  for (const problem of found) console.log(`${name}: ${problem}`);
  console.log(
    `${name}: ${found.length} problems (Redocly, ${Object.keys(document.components.schemas).length} schemas under Ajv 2020, ${rules.length} own rules)`,
  );
  problems += found.length;
}
// A file that nothing refers to is an operation that is nowhere.
const source = await readFile(join(root, 'openapi', 'openapi.yaml'), 'utf8');
for (const file of await readdir(join(root, 'openapi', 'paths'), { recursive: true })) {
  if (!file.endsWith('.yaml') || source.includes(`./paths/${file}`)) continue;
  console.log(`openapi/paths/${file}: openapi.yaml does not refer to it; give it its path there`);
  problems += 1;
}
// Redocly goes by the letter of 3.0.3, where `nullable` beside `allOf` allows no null; generators go by its meaning. The
// examples are held against that meaning in scripts/generate/openapi30.test.ts.
const letter = ['--skip-rule', 'nullable-type-sibling', '--skip-rule', 'no-invalid-media-type-examples'];
const olderProblems = await lint(join('dist', 'openapi', 'openapi.3.0.json'), ...letter);
for (const problem of olderProblems) console.log(`openapi.3.0: ${problem}`);
console.log(`openapi.3.0: ${olderProblems.length} problems (Redocly)`);
problems += olderProblems.length;
const controlProblems = await lint(join('openapi', 'control.yaml'));
for (const problem of controlProblems) console.log(`control: ${problem}`);
console.log(`control: ${controlProblems.length} problems (Redocly)`);
process.exitCode = problems + controlProblems.length === 0 ? 0 : 1;

/** Errors and warnings alike are problems. */
async function lint(file: string, ...options: string[]): Promise<string[]> {
  try {
    const report = JSON.parse(await runRedocly('lint', file, '--format', 'json', ...options)) as {
      problems: { ruleId: string; message: string; location: { pointer?: string }[] }[];
    };
    return report.problems.map(
      ({ ruleId, message, location }) => `${ruleId}: ${message} at ${location[0]?.pointer ?? '?'}`,
    );
  } catch (error) {
    return [(error as Error).message];
  }
}

/** Redocly lets a broken pattern pass; a validator does not. */
function compileAll(document: Document): string[] {
  const ajv = new Ajv2020({ strict: false });
  addFormats.default(ajv);
  ajv.addSchema({ ...document }, 'contract');
  return Object.keys(document.components.schemas).flatMap((name) => {
    try {
      ajv.compile({ $ref: `contract#/components/schemas/${name}` });
      return [];
    } catch (error) {
      return [`${name}: does not compile: ${(error as Error).message}`];
    }
  });
}
