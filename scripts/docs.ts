/**
 * `npm run docs`: the documentation as static files, which the mock serves below `/docs` and any file server can: the
 * contract as one page of Redoc, the chapters, the requirements, the proof, and a search over all of them.
 */
import { copyFile, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { auditLedger } from '../conformance/audit/ledger.js';
import { ledger } from '../conformance/ledger.gen.js';
import { publishedClients } from '../conformance/proof/clients.js';
import { publishedMatrix } from '../conformance/proof/matrix.js';
import { publishedFaults } from '../conformance/proof/enumeration.js';
import { proofPage } from '../conformance/proof/page.js';
import { tryFiles } from '../src/server/try/page.js';
import { buildChapters } from './docs/build.js';
import { gapRecords, gapsOf, withLinksToGaps } from './docs/gap-links.js';
import { noSuchPage, withBar } from './docs/layout.js';
import { withMarksInWords } from './docs/marks.js';
import { finishedRedoc } from './docs/redoc.js';
import { referenceRecords, requirementRecords } from './docs/records.js';
import { requirementsPage } from './docs/requirements-page.js';
import { searchPage } from './docs/search.js';
import { startPage, workerFile, workerScript } from './docs/worker/page.js';
import type { Document } from './generate/document.js';
import { root, runRedocly } from './generate/document.js';

const folder = join(root, 'dist', 'docs');
await rm(folder, { recursive: true, force: true });
await mkdir(join(folder, 'try'), { recursive: true });
const write = async (name: string, text: string): Promise<void> => writeFile(join(folder, name), text);

// The page stands at the address of the mock that serves it; /try reads the document where there is no server.
const served = join('dist', 'docs', 'openapi.json');
const contract = JSON.parse(await readFile(join(root, 'dist', 'openapi', 'openapi.json'), 'utf8')) as Document;
await write(
  'openapi.json',
  JSON.stringify({ ...withLinksToGaps(withMarksInWords(contract)), servers: [{ url: '/' }] }),
);
const output = join(folder, 'index.html');
await runRedocly(
  'build-docs',
  served,
  '--output',
  output,
  '--inlineBundle',
  '--title',
  'Game Data Developer Interface',
);
await write('openapi.json', JSON.stringify(contract));
const redoc = finishedRedoc(await readFile(output, 'utf8'));
await write('index.html', redoc);

/** From `node_modules` to `dist/docs`: what /try runs on, and the licences of what the pages contain, beside them. */
const copies = {
  ...Object.fromEntries(Object.keys(tryFiles).map((name) => [`swagger-ui-dist/${name}`, `try/${name}`])),
  'swagger-ui-dist/LICENSE': 'try/LICENSE',
  'swagger-ui-dist/NOTICE': 'try/NOTICE',
  'swagger-ui-dist/swagger-ui-bundle.js.LICENSE.txt': 'try/swagger-ui-bundle.js.LICENSE.txt',
  '@redocly/cli/LICENSE': 'redoc.LICENSE.txt',
  '@redocly/cli/THIRD_PARTY_NOTICES': 'redoc.NOTICES.txt',
  'minisearch/LICENSE.txt': 'minisearch.LICENSE.txt',
};
for (const [from, to] of Object.entries(copies)) await copyFile(join(root, 'node_modules', from), join(folder, to));

await write(workerFile, await workerScript());
await write('try/index.html', startPage);

const matrix = publishedMatrix();
await write('mutants.html', withBar(proofPage(matrix, publishedClients(), publishedFaults()), 'mutants.html'));
await write(
  'requirements.html',
  withBar(requirementsPage(ledger, auditLedger, matrix, gapsOf(contract)), 'requirements.html'),
);
const records = [
  ...(await buildChapters(folder)),
  ...requirementRecords(ledger, auditLedger),
  ...referenceRecords(contract, redoc),
  ...gapRecords(contract),
];
await write('search.html', await searchPage(records));
await write('404.html', noSuchPage);

const pages = (await readdir(folder)).filter((name) => name.endsWith('.html'));
const sizes = await Promise.all(pages.map(async (name) => (await stat(join(folder, name))).size));
const total = sizes.reduce((sum, size) => sum + size, 0);
console.log(`dist/docs: ${pages.length} pages, ${Math.round(total / 1024)} KiB, ${records.length} places to find`);
