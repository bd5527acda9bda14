/** `npm run docs`: the contract as one Redoc page that needs no network, and the suite's own proof as another. */
import { copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { auditLedger } from '../conformance/audit/ledger.js';
import { ledger } from '../conformance/ledger.gen.js';
import { publishedClients } from '../conformance/proof/clients.js';
import { publishedMatrix } from '../conformance/proof/matrix.js';
import { publishedFaults } from '../conformance/proof/enumeration.js';
import { proofPage } from '../conformance/proof/page.js';
import { tryFiles } from '../src/server/try/page.js';
import { requirementsPage } from './requirements-page.js';
import { finishedPage } from './docs-page.js';
import { root, runRedocly } from './generate/document.js';

const output = join(root, 'dist', 'docs', 'index.html');
await mkdir(join(root, 'dist', 'docs'), { recursive: true });
// The page stands at the address of the mock that serves it.
const served = join('dist', 'docs', 'openapi.json');
const contract = JSON.parse(await readFile(join(root, 'dist', 'openapi', 'openapi.json'), 'utf8')) as object;
await writeFile(join(root, served), JSON.stringify({ ...contract, servers: [{ url: '/' }] }));
await runRedocly(
  'build-docs',
  served,
  '--output',
  output,
  '--inlineBundle',
  '--title',
  'Game Data Developer Interface',
);

await rm(join(root, served));
const page = await readFile(output, 'utf8');
const quiet = finishedPage(page);
await writeFile(output, quiet);
console.log(`dist/docs/index.html: ${Math.round(quiet.length / 1024)} KiB`);

/** From `node_modules` to `dist/docs`: what /try runs on, and the licences of what the pages contain, beside them. */
const copies = {
  ...Object.fromEntries(Object.keys(tryFiles).map((name) => [`swagger-ui-dist/${name}`, `try/${name}`])),
  'swagger-ui-dist/LICENSE': 'try/LICENSE',
  'swagger-ui-dist/NOTICE': 'try/NOTICE',
  'swagger-ui-dist/swagger-ui-bundle.js.LICENSE.txt': 'try/swagger-ui-bundle.js.LICENSE.txt',
  '@redocly/cli/LICENSE': 'redoc.LICENSE.txt',
  '@redocly/cli/THIRD_PARTY_NOTICES': 'redoc.NOTICES.txt',
};
await mkdir(join(root, 'dist', 'docs', 'try'), { recursive: true });
for (const [from, to] of Object.entries(copies))
  await copyFile(join(root, 'node_modules', from), join(root, 'dist', 'docs', to));

const proof = proofPage(publishedMatrix(), publishedClients(), publishedFaults());
await writeFile(join(root, 'dist', 'docs', 'proof.html'), proof);
console.log(`dist/docs/proof.html: ${Math.round(proof.length / 1024)} KiB`);

const requirements = requirementsPage(ledger, auditLedger, publishedMatrix());
await writeFile(join(root, 'dist', 'docs', 'requirements.html'), requirements);
console.log(`dist/docs/requirements.html: ${Math.round(requirements.length / 1024)} KiB`);
