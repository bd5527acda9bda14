/** Makes everything that follows from the contract: `npm run generate`. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';

import { builtInTexts } from '../src/world/fixtures/files.js';
import { bundle, endWith, operationsOf, root } from './generate/document.js';
import type { Document } from './generate/document.js';
import type { Flags } from './generate/editions.js';
import { applyOverlay, collectMarks, overlayOf } from './generate/editions.js';
import { browserModule } from './generate/browser.js';
import { factsModule, operationsModule, schemasModule } from './generate/facts.js';
import { declaredRows, ledgerModule, ledgerRows } from './generate/ledger.js';
import { fieldRows, fieldsFile, fieldsModule } from './generate/ledger-fields.js';
import { toOpenApi30 } from './generate/openapi30.js';
import { logicalParameters, operationRows } from './generate/operations.js';
import type { Gap } from './generate/prose.js';
import { checkGaps, fillDescriptions, placeGaps } from './generate/prose.js';
import { typesOf } from './generate/types.js';
import { compile, controlSchemas, replySchemas, requestSchemas } from './generate/validators.js';

const manifest = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { readonly version: string };
const readYaml = async <T>(file: string): Promise<T> => parse(await readFile(join(root, file), 'utf8')) as T;

const [bundled, control, gaps, flags] = await Promise.all([
  bundle('openapi/openapi.yaml'),
  bundle('openapi/control.yaml'),
  readYaml<Gap[]>('openapi/gaps.yaml'),
  readYaml<Flags>('openapi/editions.yaml'),
]).catch(endWith);
checkGaps(gaps);
const contract = fillDescriptions(placeGaps(bundled, gaps));
const marks = collectMarks(contract);

const { document: older } = toOpenApi30(contract);

await mkdir(join(root, 'dist', 'openapi'), { recursive: true });
const publish = (name: string, document: object): Promise<void> =>
  save(
    join('dist', 'openapi', name),
    name.endsWith('.json')
      ? JSON.stringify(document)
      : stringify(document, { aliasDuplicateObjects: false, lineWidth: 0 }),
  );

await Promise.all([
  publish('openapi.yaml', contract),
  publish('openapi.json', contract),
  publish('openapi.3.0.yaml', older),
  publish('openapi.3.0.json', older),
  publish('control.yaml', control),
  ...Object.keys(flags.editions).flatMap((edition) => {
    const overlay = overlayOf(edition, flags, marks, contract.info.version);
    const document = applyOverlay(contract, overlay);
    return [
      publish(`${edition}.overlay.yaml`, overlay),
      publish(`openapi.${edition}.yaml`, document),
      publish(`${edition}.examples.json`, repliesOf(document)),
    ];
  }),
]);

/** Of a contract what `Prefer` asks the mock for: replies and their examples. */
function repliesOf(document: Document): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const { path, method, operation } of operationsOf(document))
    (paths[path] ??= {})[method.toLowerCase()] = { responses: operation.responses };
  const { responses, examples } = document.components;
  return { paths, components: { responses, examples } };
}

/**
 * Writes a file that is not so yet: what reads or watches it meanwhile, such as a test or Prism, never sees half of it. What
 * is written is on the disk before this ends: a machine that stops soon after would leave an empty module.
 */
async function save(file: string, text: string): Promise<void> {
  const path = join(root, file);
  const before = await readFile(path, 'utf8').catch(() => undefined);
  if (before !== text) await writeFile(path, text, { flush: true });
}
const write = (name: string, code: string): Promise<void> =>
  save(`src/contract/${name}`, `// Generated from openapi/ by \`npm run generate\`. Do not edit.\n${code}\n`);
const judge = (name: string, code: string): Promise<void> =>
  save(`conformance/${name}`, `// Generated from conformance/ by \`npm run generate\`. Do not edit.\n${code}\n`);
const measured = (): Promise<string> => readFile(join(root, 'conformance/requirements/requests.json'), 'utf8');

const law = { contract, gaps, flags: flags.flags.map(({ flag }) => flag) };
const fields = fieldRows(await readFile(join(root, fieldsFile), 'utf8'), law);

await Promise.all([
  typesOf(contract).then((code) => write('types.gen.ts', code)),
  write('operations.gen.ts', operationsModule(operationRows(contract), logicalParameters(contract))),
  write('facts.gen.ts', factsModule(contract, flags, marks, gaps)),
  write('schemas.gen.ts', schemasModule(contract)),
  write('requests.gen.ts', compile(requestSchemas(contract), contract, { allErrors: true })),
  write('control.gen.ts', compile(controlSchemas(), control, { verbose: true })),
  write('judges.gen.ts', compile(replySchemas(contract), contract, { allErrors: true })),
  judge('fields.gen.ts', fieldsModule(fields)),
  judge('engine/requests.gen.ts', `export const measured: Readonly<Record<string, number>> = ${await measured()};`),
]);

// The ledger is collected from checks and rules, which import what is generated above.
await judge('ledger.gen.ts', ledgerModule(ledgerRows(await declaredRows(), fields, law), contract));

await save(
  'src/input/version.gen.ts',
  `// Generated from package.json by \`npm run generate\`. Do not edit.
/** The version of this package. */
export const packageVersion = (): string => ${JSON.stringify(manifest.version)};\n`,
);
const builtIn = Object.fromEntries(
  builtInTexts()
    .filter(([name]) => name !== 'trees.yaml')
    .map(([name, text]) => [name, name.endsWith('.yaml') ? (parse(text) as unknown) : text]),
);
await save(
  'src/world/fixtures/built-in.gen.ts',
  `// Generated from fixtures/ by \`npm run generate\`. Do not edit.
export const builtIn = JSON.parse(${JSON.stringify(JSON.stringify(builtIn))}) as Readonly<Record<string, unknown>>;\n`,
);

// The script of the dashboard is built from the client, and so from the types above.
for (const page of ['dashboard', 'try']) await save(`src/server/${page}/script.gen.ts`, await browserModule(page));
