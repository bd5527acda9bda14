/**
 * `npm run foreign`: tests authorization servers that nobody here wrote against the authorization rows, each through
 * its public address; `npm run foreign -- oidc-provider` tests one. Installs into dist/foreign, stores the results.
 */
import { execFileSync, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { stringify } from 'yaml';

import { Gateway } from './gateway.js';
import { pageOf, testedRows } from './page.js';
import { entries, falseAlarms, folder, onboardings, serverNames, serverOf, world } from './server.js';
import type { Results, Server } from './server.js';
import { described } from '../../conformance/machine/certificate.js';
import { contractMachine } from '../../conformance/machine/contract.js';
import { svgOf } from '../../conformance/machine/draw.js';
import type { LearnedMachine } from '../../conformance/machine/learn.js';
import type { RunReport } from '../../conformance/result.js';
import { machinesPage, storedMachines } from './machines.js';
import type { StoredMachine } from './machines.js';
import { root } from '../../scripts/generate/document.js';
import { written } from '../../scripts/formatted.js';
import { freePort } from '../../src/input/listen.js';
import { onPath } from '../../scripts/machine.js';

const cache = join(root, 'dist', 'foreign');
process.chdir(root);

interface Flags {
  readonly only?: string;
  readonly seed: string;
  readonly runs: string;
  readonly page?: boolean;
  readonly machine?: boolean;
  readonly extraStates: string;
}

async function foreign(names: readonly string[], flags: Flags): Promise<void> {
  if (flags.page) return flags.machine ? writeMachines() : writePage();
  mkdirSync(cache, { recursive: true });
  cpSync(folder, cache, { recursive: true });
  const untried: string[] = [];
  for (const name of names.length > 0 ? names : serverNames()) {
    const server = serverOf(name);
    const missing = server.needs.filter((program) => !onPath(program));
    if (missing.length > 0) {
      untried.push(`${name}: ${missing.join(' and ')} is not on this machine`);
      continue;
    }
    console.log(`${name}: ${server.package} ${server.version} (${server.language})`);
    try {
      if (flags.machine) {
        await learned(name, server, flags);
        continue;
      }
      const report = await tried(name, server, flags);
      show(report);
      if (flags.only === undefined) await store(name, report);
    } catch (error) {
      untried.push(`${name}: ${(error as Error).message}`);
    }
  }
  if (flags.machine) await writeMachines();
  else if (flags.only === undefined) await writePage();
  for (const line of untried) console.log(`could not run ${line}`);
  if (untried.length > 0 && names.length > 0) process.exitCode = 1;
}

/** Where a server runs, and its target file. */
interface Running {
  readonly url: string;
  readonly target: string;
}

/** Installs and starts a server, directly where it has a target file of its own, else behind the gateway, and stops it. */
async function withServer<T>(name: string, server: Server, action: (running: Running) => Promise<T>): Promise<T> {
  const place = join(cache, name);
  const log = join(cache, `${name}.log`);
  const output = openSync(log, 'w');
  try {
    execFileSync('sh', ['-c', server.install], { cwd: place, stdio: ['ignore', output, output] });
  } catch {
    throw new Error(`its installation failed; see ${log}`);
  }
  const port = await freePort();
  const gateway = server.target ? undefined : new Gateway(port, { ...server, world: world() });
  const url = gateway ? await gateway.start() : `http://127.0.0.1:${port}`;
  const child = spawn('sh', ['-c', `exec ${server.start}`], {
    cwd: place,
    env: { ...process.env, PORT: String(port), PUBLIC_URL: url },
    stdio: ['ignore', output, output],
  });
  try {
    await ready(child, port, log);
    const target = join(cache, `${name}.target.yaml`);
    writeFileSync(target, stringify(targetOf(name, server, url)));
    return await action({ url, target });
  } finally {
    gateway?.stop();
    child.kill();
  }
}

/** Tests a server. */
const tried = (name: string, server: Server, { only, seed, runs }: Flags): Promise<RunReport> =>
  withServer(name, server, async ({ url, target }) => {
    const rows = ['--only', only ?? testedRows.join(',')];
    const report = ['--report', join(cache, `${name}.report`)];
    await gamedata(['verify', '--target', target, ...report, ...rows, '--seed', seed, '--runs', runs], url);
    return JSON.parse(readFileSync(join(cache, `${name}.report`, 'report.json'), 'utf8')) as RunReport;
  });

/** Waits until the server answers, up to two minutes. */
async function ready(child: ChildProcess, port: number, log: string): Promise<void> {
  for (let tries = 0; tries < 1200; tries += 1) {
    if (child.exitCode !== null) throw new Error(`it ended at its start; see ${log}`);
    const answered = await fetch(`http://127.0.0.1:${port}/`).then(
      () => true,
      () => false,
    );
    if (answered) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`it did not answer within two minutes; see ${log}`);
}

function targetOf(name: string, server: Server, url: string): object {
  const { clients: served, withoutRefresh, consent = 'form', target } = server;
  const { accounts, clients } = world();
  const declared = Object.entries(clients)
    .filter(([role]) => served?.includes(role) ?? true)
    .map(([role, client]) => [role, withoutRefresh?.includes(role) ? { ...client, refresh: false } : client]);
  return {
    name,
    base_url: url,
    accounts: Object.fromEntries(Object.keys(accounts).map((account) => [account, { username: account }])),
    clients: Object.fromEntries(declared) as object,
    known: { owner: 'owner' },
    ...(target ?? { control_url: `${url}/__control`, consent }),
  };
}

/** Learns a server's machine, tests it against the rows that the certificate is of, and stores both. */
const learned = (name: string, server: Server, { extraStates }: Flags): Promise<void> =>
  withServer(name, server, async ({ url, target }) => {
    const contract = join(cache, 'contract.json');
    writeFileSync(contract, JSON.stringify({ machine: described(await contractMachine()) }));
    const folders = {
      machine: join(cache, `${name}.machine`),
      timed: join(cache, `${name}.timed`),
      report: join(cache, `${name}.report`),
    };
    const flags = ['--compare', contract, '--report', folders.machine, '--extra-states', extraStates];
    await gamedata(['learn', '--target', target, ...flags], url);
    await gamedata(['learn', '--target', target, '--report', folders.timed, '--time', '--budget', '500000'], url);
    const rows = ['LIFE-009', 'INTRO-017', 'TOK-RESP-017'];
    await gamedata(['verify', '--target', target, '--report', folders.report, '--only', rows.join(',')], url);
    const machine = learnedIn(folders.machine);
    const timed = existsSync(join(folders.timed, 'machine.json')) ? learnedIn(folders.timed) : null;
    const { lifecycle, rows: judged } = JSON.parse(
      readFileSync(join(folders.report, 'report.json'), 'utf8'),
    ) as RunReport;
    console.log(`  ${machine.verdict} ${machine.differences.length} differences; ${machine.seconds} s`);
    await storeMachine(name, { machine, timed, lifecycle, judged });
  });

const learnedIn = (place: string): LearnedMachine =>
  JSON.parse(readFileSync(join(place, 'machine.json'), 'utf8')) as LearnedMachine;

async function gamedata(args: readonly string[], url: string): Promise<void> {
  const child = spawn(process.execPath, ['--import', 'tsx', 'cli/main.ts', ...args], {
    env: { ...process.env, PUBLIC_URL: url },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const code = await new Promise((resolve) => child.on('exit', resolve));
  if (code !== 0 && code !== 1) console.log(`  gamedata ${args[0]} ended with exit code ${String(code)}`);
}

function show({ rows, seconds }: RunReport): void {
  for (const { id, verdict, reason, failure } of rows) {
    if (verdict === 'pass') continue;
    console.log(
      `  ${verdict.padEnd(14)} ${id.padEnd(20)} ${failure ? `${failure.expected}; got ${failure.got}` : reason}`,
    );
  }
  const count = (wanted: string): number => rows.filter(({ verdict }) => verdict === wanted).length;
  console.log(
    `  ${['pass', 'fail', 'warn', 'could not run', 'not exercised', 'suite error'].map((verdict) => `${verdict} ${count(verdict)}`).join(', ')}; ${Math.round(seconds)} s`,
  );
}

async function store(name: string, { rows, seconds, requests }: RunReport): Promise<void> {
  const results: Results = {
    seconds: Math.round(seconds),
    requests: requests.sent,
    passed: rows.filter(({ verdict }) => verdict === 'pass').length,
    rows: Object.fromEntries(rows.flatMap(({ id, verdict }) => (verdict === 'pass' ? [] : [[id, verdict]]))),
  };
  await written(join(folder, name, 'results.json'), JSON.stringify(results));
}

async function storeMachine(
  name: string,
  {
    machine,
    timed,
    lifecycle,
    judged,
  }: Pick<RunReport, 'lifecycle'> & {
    machine: LearnedMachine;
    timed: LearnedMachine | null;
    judged: RunReport['rows'];
  },
): Promise<void> {
  const stored: StoredMachine = {
    ...machine,
    rows: Object.fromEntries(judged.map(({ id, verdict }) => [id, verdict])),
    certificate: lifecycle?.certificate ?? null,
    timed: timed && storedTimed(timed),
  };
  await written(join(folder, name, 'machine.json'), JSON.stringify(stored));
}

const storedTimed = ({ states, verdict, words, requests, seconds, readings, differences }: LearnedMachine) => ({
  states,
  verdict,
  words,
  requests,
  seconds,
  readings,
  differences: differences.map(({ script: _, ...told }) => told),
});

async function writeMachines(): Promise<void> {
  const all = storedMachines();
  for (const { name, server, stored } of all)
    writeFileSync(
      join('research/foreign/machines', `${name}.svg`),
      svgOf(stored.machine, `The token lifecycle of ${server.package}`),
    );
  await written('research/foreign/machines/README.md', await machinesPage(all));
}

const writePage = (): Promise<void> =>
  written('research/foreign/README.md', pageOf(entries(), falseAlarms(), onboardings()));

await new Command('npm run foreign --')
  .description('Test third-party authorization servers')
  .argument('[servers...]', `of ${serverNames().join(', ')} (default: all)`)
  .option('--only <ids>', 'run these requirements alone, and store nothing')
  .option('--seed <number>', 'seed of generated values', '1')
  .option('--runs <number>', 'cases of each property', '10')
  .option('--page', 'run nothing, and write the page of the stored results')
  .option('--machine', "learn the servers' machines, and write the page of them")
  .option('--extra-states <number>', 'with --machine: hidden states that the final check allows for', '1')
  .action(foreign)
  .parseAsync();
