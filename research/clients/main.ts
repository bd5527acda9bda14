/**
 * `npm run clients`: audits clients around public OAuth libraries, each as the documentation of its library shows it;
 * `npm run clients -- arctic` audits one, and `npm run clients -- --copies 3` those that keep tokens, in several copies.
 * Installs into dist/clients, stores the results.
 */
import { execFileSync, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Command } from 'commander';

import { wholeNumber } from '../../cli/whole-number.js';
import { copies as copyWorlds } from '../../conformance/audit/worlds/copies.js';
import type { RunReport } from '../../conformance/result.js';
import { root } from '../../scripts/generate/document.js';
import { written } from '../../scripts/formatted.js';
import { onPath } from '../../scripts/machine.js';
import { readSurvivors } from '../mutate/reasons.js';
import { audited, auditedCopies, copiesFile, filesOf, folder, listed, resultsFile } from './client.js';
import type { Client, Language, Results } from './client.js';
import { mutate, scores } from './mutants/mutate.js';
import { reference } from './mutants/prepare.js';
import { pageOf } from './page.js';

const cache = join(root, 'dist', 'clients');
process.chdir(root);

interface Flags {
  readonly world?: string;
  readonly page?: boolean;
  readonly mutants?: number;
  readonly jobs: number;
  readonly again: boolean;
  readonly copies?: number;
}

async function clients(names: readonly string[], flags: Flags): Promise<void> {
  if (flags.page) return writePage();
  if (flags.mutants !== undefined && (names.length === 0 || names.includes(reference))) {
    console.log('reference: the reference client of the proof of the audit');
    await mutate(reference, undefined, { ...flags, size: flags.mutants });
  }
  const { clients: single, copies: caching, languages } = listed();
  const all = flags.copies === undefined ? single : caching;
  mkdirSync(join(cache, 'reports'), { recursive: true });
  const untried: string[] = [];
  const installed = new Map<string, string | undefined>();
  const wanted = flags.mutants === undefined ? Object.keys(all) : mutated(all);
  for (const name of names.length > 0 ? names.filter((one) => one !== reference) : wanted) {
    const client = all[name];
    if (!client) throw new Error(`no client is called ${name}; there are ${Object.keys(all).join(', ')}`);
    const language = languages[client.folder]!;
    if (!installed.has(client.folder)) installed.set(client.folder, install(client.folder, language));
    const problem = installed.get(client.folder);
    if (problem !== undefined) {
      untried.push(`${name}: ${problem}`);
      continue;
    }
    console.log(`${name}: ${client.package} ${client.version} (${language.name})`);
    if (flags.mutants === undefined) await audit(name, client, flags);
    else await mutate(name, client, { ...flags, size: flags.mutants });
  }
  if (flags.world === undefined && flags.mutants === undefined) await writePage();
  for (const line of untried) console.error(`SKIPPED: ${line}`);
  if (untried.length > 0) process.exitCode = 1;
}

/** The clients whose files for mutants are listed. */
const mutated = (all: Readonly<Record<string, Client>>): readonly string[] =>
  Object.entries(all).flatMap(([name, client]) => (client.mutated ? [name] : []));

/** Installs what a language's programs need; what kept it from doing so. */
function install(language: string, { needs, install: command }: Language): string | undefined {
  const missing = needs.filter((program) => !onPath(program));
  if (missing.length > 0) return `${missing.join(' and ')} is not on this machine`;
  const place = join(cache, language);
  const stamp = join(cache, `${language}.installed`);
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === filesOf(language)) return undefined;
  cpSync(join(folder, language), place, { recursive: true });
  const log = join(cache, `${language}.log`);
  const output = openSync(log, 'w');
  try {
    execFileSync('sh', ['-c', command], { cwd: place, stdio: ['ignore', output, output] });
  } catch {
    return `its installation failed; see ${log}`;
  }
  writeFileSync(stamp, filesOf(language));
  return undefined;
}

/** Audits a client in all worlds, and stores what came of it; in named worlds, only shows it. */
async function audit(name: string, client: Client, { world, copies }: Flags): Promise<void> {
  const report = join(cache, 'reports', copies === undefined ? name : `${name}-copies`);
  const worlds = world ?? (copies === undefined ? undefined : copyWorlds.map(({ id }) => id).join(','));
  const flags = [
    '--report',
    report,
    ...(worlds === undefined ? [] : ['--world', worlds]),
    ...(copies === undefined ? [] : ['--copies', String(copies), '--only', 'COPY']),
  ];
  const words = ['dist/cli/main.js', 'audit', ...flags, '--', 'sh', '-c', startOf(client)];
  const child = spawn(process.execPath, words, {
    stdio: ['ignore', world === undefined ? 'ignore' : 'inherit', 'inherit'],
  });
  const code = await new Promise((resolve) => child.on('exit', resolve));
  if (code !== 0 && code !== 1) throw new Error(`the audit of ${name} ended with exit code ${String(code)}`);
  const results = resultsOf(JSON.parse(readFileSync(join(report, 'report.json'), 'utf8')) as RunReport);
  for (const [id, verdict] of Object.entries(results.rows)) console.log(`  ${verdict} ${id}`);
  const file = copies === undefined ? resultsFile(name) : copiesFile(name);
  mkdirSync(dirname(file), { recursive: true });
  if (world === undefined) await written(file, JSON.stringify(results));
}

/** The command that starts a client from any folder. */
const startOf = ({ folder: language, start }: Client): string => `cd '${join(cache, language)}' && exec ${start}`;

function resultsOf({ rows, seconds, requests }: RunReport): Results {
  const of = (...verdicts: readonly string[]): RunReport['rows'] =>
    rows.filter(({ verdict }) => verdicts.includes(verdict));
  return {
    seconds: Math.round(seconds),
    requests: requests.sent,
    passed: of('pass').length,
    judged: of('pass', 'fail', 'warn').length,
    rows: Object.fromEntries(of('fail', 'warn').map(({ id, verdict }) => [id, verdict])),
  };
}

const writePage = (): Promise<void> =>
  written(
    join(folder, 'README.md'),
    pageOf(audited(), auditedCopies(), listed(), scores(), readSurvivors(join(folder, 'survivors.yaml'))),
  );

await new Command('npm run clients --')
  .description('Audit clients around public OAuth libraries')
  .argument(
    '[clients...]',
    `of ${Object.keys(listed().clients).join(', ')} (default: all); with --copies of ${Object.keys(listed().copies).join(', ')}`,
  )
  .option('--world <names>', 'audit in these worlds alone, and store nothing')
  .option('--mutants <number>', `audit so many mutants of each of these clients, or of ${reference}`, wholeNumber(1))
  .option('--jobs <number>', 'mutants at a time', wholeNumber(1), 2)
  .option('--again', 'those mutants again that survived', false)
  .option('--copies <number>', 'audit those that keep their tokens, in so many copies at once', wholeNumber(2, 64))
  .option('--page', 'run nothing, and write the page of the stored results')
  .action(clients)
  .parseAsync();
