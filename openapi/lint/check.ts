/**
 * `npm run check:openapi`: the contract by Redocly, Spectral, swagger-parser, Ajv and our own rules; its 3.0 form and the
 * control protocol by the first three; its editions, which are the contract with parts taken away, by all but Spectral,
 * which takes longest. They are generated first where what was built is older than its sources.
 */
import { readdirSync, statSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { parse } from 'yaml';

import type { Document } from '../../scripts/generate/document.js';
import { endWith, root } from '../../scripts/generate/document.js';
import type { Flags } from '../../scripts/generate/editions.js';
import type { Gap } from '../../scripts/generate/prose.js';
import { exceptions } from './exceptions.js';
import { byRedocly, bySpectral, bySwaggerParser } from './linters.js';
import { rules } from './rules.js';

const newest = (folder: string): number =>
  Math.max(...readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => changedAt(join(folder, name))));
const changedAt = (file: string): number => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;

const sources = ['openapi', join('scripts', 'generate')].map((folder) => newest(join(root, folder)));
if (Math.max(...sources) > changedAt(join(root, 'dist', 'openapi', 'openapi.json')))
  await import('../../scripts/generate.js');

const flags = parse(await readFile(join(root, 'openapi', 'editions.yaml'), 'utf8')) as Flags;
const gaps = parse(await readFile(join(root, 'openapi', 'gaps.yaml'), 'utf8')) as Gap[];
const known = { flags: new Set(flags.flags.map(({ flag }) => flag)), gaps: new Set(gaps.map(({ id }) => id)) };

const documents = ['openapi', ...Object.keys(flags.editions).map((edition) => `openapi.${edition}`)];
const published = (name: string): string => join('dist', 'openapi', `${name}.yaml`);
let problems = 0;

const control = join('openapi', 'control.yaml');
const [ofControl = [], ...ofContracts] = await byRedocly([control, ...documents.map(published)]).catch(endWith);

for (const [index, name] of documents.entries()) {
  const document = await read<Document>(published(name));
  const isContract = name === 'openapi';
  const own = rules.flatMap((rule) => rule.check(document, known).map((problem) => `${rule.name}: ${problem}`));
  const schemas = Object.keys(document.components.schemas).length;
  const found = [
    ...ofContracts[index]!,
    ...(isContract ? await bySpectral(name, document, exceptions) : []),
    ...(await bySwaggerParser(document)),
    ...compileAll(document),
    ...own,
  ];
  const linters = `Redocly, ${isContract ? 'Spectral, ' : ''}swagger-parser`;
  report(name, found, `${linters}, ${schemas} schemas under Ajv 2020, ${rules.length} own rules`);
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
const older = published('openapi.3.0');
const [ofOlder = []] = await byRedocly([older], ...letter).catch(endWith);
await lint('openapi.3.0', older, ofOlder);
await lint('control', control, ofControl);
for (const { rule, because } of exceptions) console.log(`without Spectral's ${rule}: ${because}`);
process.exitCode = problems === 0 ? 0 : 1;

async function lint(name: string, file: string, ofRedocly: readonly string[]): Promise<void> {
  const document = await read<object>(file);
  const found = [...(await bySpectral(name, document, exceptions)), ...(await bySwaggerParser(document))];
  report(name, [...ofRedocly, ...found], 'Redocly, Spectral, swagger-parser');
}

async function read<T>(file: string): Promise<T> {
  const text = await readFile(join(root, file), 'utf8');
  return (file.endsWith('.json') ? JSON.parse(text) : parse(text)) as T;
}

function report(name: string, found: readonly string[], by: string): void {
  for (const problem of found) console.log(`${name}: ${problem}`);
  console.log(`${name}: ${found.length} problems (${by})`);
  problems += found.length;
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
