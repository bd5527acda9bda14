import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { readFileSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

import { ledger } from '../../conformance/ledger.gen.js';
import { isBinding } from '../../conformance/ledger.js';
import type { Ending } from './mutant.js';
import { rules } from '../../conformance/monitors/rules.js';
import { planOf } from '../../conformance/plan.js';
import { loadTarget } from '../../conformance/target/load.js';
import { verify } from '../../conformance/verify.js';
import { root } from '../../scripts/generate/document.js';

/** The rows with a rule for every answer, some beside a check: they are in every run. */
const watching = [...rules.keys()];
/** The suite in parts: each check, and the rows that watch, each by the words that select it. */
export const parts: ReadonlyMap<string, readonly string[]> = new Map<string, readonly string[]>([
  ...planOf([]).flatMap(({ row, check }) => (check ? [[row.id, [row.id]] as const] : [])),
  ['monitors', watching],
]);

/** The target of a profile has these settings. */
const settings: Readonly<Record<string, Readonly<Record<string, string>>>> = { third: { GAMEDATA_CONSENT: 'form' } };

/**
 * How the mock runs: as the interface describes it, and with other readings of what it leaves open. The target declares
 * them, so that the suite holds the mock to them. What a reading lets a server leave out is judged at another.
 */
export const profiles: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  described: {},
  other: {
    'authorize.badClientStatus': '403',
    'authorize.iss': 'true',
    'authorize.paramOrder': 'state-first',
    'authorize.spaceForm': 'percent',
    'authorize.status': '303',
    'characters.caseTwins': 'true',
    'clientAuth.basic': 'false',
    'clientAuth.invalidClientStatus': '400',
    'code.burnOnFailure': 'true',
    'code.replayRevokes': 'false',
    'cx.keys': 'traded',
    'cx.pruned': 'empty',
    'cx.ratioOrder': 'reversed',
    'cx.retentionHours': '24',
    'cx.skipQuiet': 'true',
    'cx.unaligned': 'reject',
    'dates.form': 'offset',
    'errors.shape': 'string',
    'errors.wwwAuthenticate': 'false',
    'exchange.scope': 'ignore',
    'extra.fields': 'true',
    'filters.createStatus': '201',
    'filters.publicFalse': 'ignore',
    'filters.updateEcho': 'brief',
    'flags.falseForm': 'omit',
    'hex.case': 'upper',
    'introspect.detail': 'active',
    'items.overstack': 'true',
    'json.form': 'pretty',
    'json.keyOrder': 'shuffled',
    'ladder.classNames': 'base',
    'ladder.classRank': 'within',
    'ladder.totalCapped': 'false',
    'ladder.unknown': 'empty',
    'league.lookupBy': 'id',
    'lists.order': 'shuffled',
    'lookup.nullStatus': '404',
    'names.game2': 'second',
    'names.livestream': 'broadcast',
    'optional.absentForm': 'null',
    'params.invalid': 'clamp',
    'params.overMax': 'clamp',
    'paths.acceptPc': 'true',
    'paths.realmWordNames': 'refuse',
    'pkce.verifier': 'lenient',
    'psapi.endId': 'fresh',
    'psapi.idForm': 'reserved',
    'psapi.start': 'now',
    'psapi.unlistedForm': 'null',
    'psapi.unlistedStashType': 'true',
    'realm.game2InPayload': 'omit',
    'redirect.loopbackAnyPort': 'none',
    'refresh.capAccessToChain': 'true',
    'refresh.reuseRevokesFamily': 'true',
    'refresh.revokeOldAccess': 'true',
    'revoke.accessRevokesRefresh': 'true',
    'revoke.auth': 'bearer',
    'revoke.body': 'empty',
    'revoke.refreshRevokesAccess': 'false',
    'revoke.usedRefresh': 'nothing',
    'scopes.order': 'sorted',
    'scopes.unknown': 'drop',
    'stash.listForm': 'flat',
    'tokens.expiresInMode': 'truthful',
    'tokens.form': 'jwt',
  },
  third: {
    'authorize.badClientStatus': '200',
    'authorize.status': '307',
    'cx.retentionHours': '24',
    'dates.form': 'fraction',
    'errors.accessForm': 'oauth',
    'errors.shape': 'empty',
    'exchange.scope': 'reject',
    'json.form': 'escaped',
    'ladder.unknown': 'error',
    'psapi.unlistedForm': 'null-empty',
    'revoke.body': 'html',
    'tokens.alphabet': 'reserved',
  },
};

/** What is installed, built and kept. */
export const folder = join(root, 'dist', 'standard');
const program = join(root, 'dist', 'mutated', 'cli', 'main.js');
/** Read by what the instrumenter writes into the code. */
export const variable = '__STRYKER_ACTIVE_MUTANT__';
/** Seconds of one run: an endless loop of a mutant ends there. */
const runTimeout = 90;
/** Seconds until the mock says that it is ready: a mutant that answers nothing may keep it from that. */
const startTimeout = 15;

export interface Judgement extends Ending {
  readonly seconds: number;
}

/** A mutant to try. */
export interface Order {
  readonly id: string;
  readonly profile: string;
  /** Rows that are tried before the others. */
  readonly first: readonly string[];
  /** The parts of the suite that reach the mutant. */
  readonly parts: readonly string[];
}

/** A part of the suite, and how the mock runs that it is asked of. */
export interface Part {
  readonly profile: string;
  readonly part: string;
}

/**
 * Runs the suite against the mock with a mutant, until a binding row fails: some rows first, as a run of their own, then
 * all that reach it against a new mock. The order changes what it takes, and not whether a row fails. A check that does
 * not reach the mutant gets the answers of the mock without it.
 */
export async function judged({ id, profile, first, parts: reached }: Order): Promise<Judgement> {
  const begun = performance.now();
  const early = first.length > 0 ? await run(id, profile, first) : undefined;
  const all = [...reached.flatMap((part) => parts.get(part) ?? []), ...watching];
  const found = early?.end === 'killed' ? early : await run(id, profile, all);
  return { ...found, seconds: Math.round((performance.now() - begun) / 100) / 10 };
}

/**
 * The numbers of the mutants that a part of the suite reaches. Nothing is mutated, so it must find nothing.
 *
 * @throws Error where it does
 */
export async function reachedBy({ profile, part }: Part): Promise<readonly string[]> {
  const name = `coverage-${process.pid}-`;
  process.env['COVERAGE'] = join(folder, name);
  const { end, row, why } = await run('', profile, parts.get(part)!);
  delete process.env['COVERAGE'];
  // A row may have nothing to judge at the mock as it stands.
  const isIdle = /: 0 of \d+ applicable requirements judged(?:; \d+ not exercised)?\.$/.test(why ?? '');
  if (end !== 'survived' && !isIdle) {
    throw new Error(`the mock without a mutant, ${profile}, ${part}: ${end} ${row ?? why ?? ''}`);
  }
  const files = readdirSync(folder).filter((file) => file.startsWith(name));
  return files.flatMap((file) => {
    const ids = JSON.parse(readFileSync(join(folder, file), 'utf8')) as string[];
    rmSync(join(folder, file));
    return ids;
  });
}

/** A run of the named rows against the mock with a mutant. */
async function run(id: string, profile: string, only: readonly string[]): Promise<Ending> {
  const file = join(folder, `target-${process.pid}.yaml`);
  const mock = mockWith(id, profile, file);
  const ended = new Promise<void>((done) => mock.on('close', () => done()));
  // Whoever stops this process leaves no mock behind.
  const kill = (): void => void mock.kill('SIGKILL');
  process.once('exit', kill);
  const stop = new AbortController();
  let row: string | undefined;
  try {
    if (!(await started(mock))) return { end: 'no start' };
    // A mock whose clients may ask for nothing is none that can be judged.
    const target = await loadTarget({ file, env: settings[profile] ?? {}, stdin: async () => '' }).catch(
      () => undefined,
    );
    if (!target) return { end: 'no start' };
    const binding = new Set(ledger.filter(isBinding).map((one) => one.id as string));
    const { outcome, summary } = await verify({
      version: '0',
      command: 'mutate',
      waivers: [],
      today: '2000-01-01',
      target,
      only,
      seed: 1,
      runs: 100,
      wait: false,
      budget: 0,
      timeLimit: runTimeout,
      replay: '',
      signal: stop.signal,
      onRow: ({ id: name, verdict }) => {
        if (verdict !== 'fail' || row !== undefined || !binding.has(name)) return;
        row = name;
        stop.abort('a row failed');
      },
    });
    if (row !== undefined) return { end: 'killed', row };
    return outcome === 'conformant' ? { end: 'survived' } : { end: 'no end', why: `${outcome}: ${summary}` };
  } finally {
    mock.kill('SIGTERM');
    const late = setTimeout(kill, 5000);
    await ended;
    clearTimeout(late);
    process.off('exit', kill);
  }
}

/** Starts the mock with a mutant, which writes its target file. */
function mockWith(id: string, profile: string, file: string): ChildProcess {
  // The codec runs in a process of its own, which inherits it as the mock does.
  process.env[variable] = id;
  const readings = Object.entries(profiles[profile]!).flatMap(([name, value]) => ['--set', `${name}=${value}`]);
  return spawn(process.execPath, [program, 'mock', '--port', '0', '--json', '--write-target', file, ...readings], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
}

/** Whether the mock says in time that it is ready. */
const started = (mock: ChildProcess): Promise<boolean> =>
  new Promise((done) => {
    const late = setTimeout(() => done(false), startTimeout * 1000);
    const ready = (is: boolean): void => {
      clearTimeout(late);
      done(is);
    };
    createInterface({ input: mock.stdout! }).once('line', () => ready(true));
    mock.once('close', () => ready(false));
  });
