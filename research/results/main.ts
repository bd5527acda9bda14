/**
 * `npm run results`: takes the published runs of research/ into research/results/runs, a file each, and makes from them
 * the site dist/results, the table of docs/results.md and the picture. `--rebuild server/oidc-provider/TOK-RESP` runs
 * one subject again and compares a cell.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';

import { auditLedger } from '../../conformance/audit/ledger.js';
import { ledger } from '../../conformance/ledger.gen.js';
import { root } from '../../scripts/generate/document.js';
import { committedFiles } from './files.js';
import { rebuild, rebuiltText } from './rebuild.js';
import { doubts, latest, storedRuns } from './run.js';
import type { SentenceOf, Shown } from './site.js';
import { siteOf } from './site.js';
import { sources } from './sources.js';
import { digestsAt, takeRuns } from './take.js';
import { headCommit } from './tree.js';

process.chdir(root);
const site = join('dist', 'results');

const requirements = {
  client: new Map(auditLedger.map((row) => [row.id, row])),
  server: new Map<string, { level: string; sentence: string }>(
    ledger.map(({ id, level, statement }) => [id, { level, sentence: statement }]),
  ),
};

const sentenceOf: SentenceOf = (kind, id) => requirements[kind === 'client' ? kind : 'server'].get(id);

async function results({
  rebuild: cell,
  take = true,
}: {
  readonly rebuild?: string;
  readonly take?: boolean;
}): Promise<void> {
  if (cell !== undefined) {
    try {
      const rebuilt = rebuild(cell, storedRuns());
      console.log(rebuiltText(cell, rebuilt));
      process.exitCode = rebuilt.differences.length === 0 ? 0 : 1;
    } catch (error) {
      // A name that is none, or a program that this machine has not: the message is what there is to say.
      console.error(`results: ${(error as Error).message}`);
      process.exitCode = 2;
    }
    return;
  }
  if (take) console.log(`results: ${takeRuns().length} new runs`);
  const [date, head] = [new Date(), headCommit()];
  const known = new Map(sources().map((source) => [`${source.kind} ${source.id}`, source]));
  const shown = latest(storedRuns()).map((one): Shown => {
    const source = known.get(`${one.run.kind} ${one.run.subject.id}`);
    const digests = source ? digestsAt(source, head) : { suite: '', contract: '', target: '' };
    return { ...one, doubts: doubts(one.run, { date, digests }) };
  });
  rmSync(site, { recursive: true, force: true });
  mkdirSync(site, { recursive: true });
  const pages = siteOf(shown, sentenceOf);
  for (const [name, html] of pages) writeFileSync(join(site, name), html);
  for (const [file, text] of await committedFiles(shown)) writeFileSync(file, text);
  console.log(`results: ${shown.length} subjects, ${pages.size} pages in ${site}`);
}

await new Command('npm run results --')
  .description('Publish the results of third-party servers, clients and libraries')
  .option('--rebuild <cell>', 'run a subject again and compare a cell: server/oidc-provider/TOK-RESP')
  .option('--no-take', 'make the pages of the runs that are there, and look for no others')
  .action(results)
  .parseAsync();
