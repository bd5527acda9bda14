import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

import { groups } from '../../conformance/checks/index.js';
import { ledger } from '../../conformance/ledger.gen.js';
import { isBinding } from '../../conformance/ledger.js';
import type { Ending } from './mutant.js';
import { planOf } from '../../conformance/plan.js';
import { loadTarget } from '../../conformance/target/load.js';
import { verify } from '../../conformance/verify.js';
import { root } from '../../scripts/generate/document.js';

/** The suite in parts: the groups of its checks, and the monitors, each by the words that select it. */
export const parts: ReadonlyMap<string, readonly string[]> = new Map<string, readonly string[]>([
  ...groups.map(({ name }) => [name, [name]] as const),
  ['monitors', planOf([]).flatMap(({ row, check }) => (check ? [] : [row.id]))],
]);

/** What is installed, built and kept. */
export const folder = join(root, 'dist', 'standard');
const program = join(root, 'dist', 'mutated', 'cli', 'main.js');
/** Read by what the instrumenter writes into the code. */
export const variable = '__STRYKER_ACTIVE_MUTANT__';
/** Seconds of one run: an endless loop of a mutant ends there. */
const runTimeout = 120;

export interface Judgement extends Ending {
  readonly seconds: number;
}

/** A mutant to try. */
export interface Order {
  readonly id: string;
  /** Rows that are tried before the others. */
  readonly first: readonly string[];
  /** The parts of the suite that reach the mutant. */
  readonly parts: readonly string[];
}

/**
 * Runs the suite against the mock with a mutant, until a binding row fails: some rows first, as a run of their own, then
 * the named parts against a new mock. The order changes what it takes, and not whether a row fails. A part that does not
 * reach the mutant gets the answers of the mock without it.
 */
export async function judged({ id, first, parts: reached }: Order): Promise<Judgement> {
  const begun = performance.now();
  const early = first.length > 0 ? await run(id, first) : undefined;
  const only = reached.length === parts.size ? [] : reached.flatMap((part) => parts.get(part) ?? []);
  const found = early?.end === 'killed' ? early : await run(id, only);
  return { ...found, seconds: Math.round((performance.now() - begun) / 100) / 10 };
}

/** A run of the named rows and groups against the mock with a mutant, of all where none is named. */
export async function run(id: string, only: readonly string[]): Promise<Ending> {
  // The codec runs in a process of its own, which inherits it as the mock does.
  process.env[variable] = id;
  const file = join(folder, `target-${process.pid}.yaml`);
  const mock = spawn(process.execPath, [program, 'mock', '--port', '0', '--json', '--write-target', file], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const ended = new Promise<void>((done) => mock.on('close', () => done()));
  // Whoever stops this process leaves no mock behind.
  const kill = (): void => void mock.kill('SIGKILL');
  process.once('exit', kill);
  const stop = new AbortController();
  let row: string | undefined;
  try {
    if (!(await started(mock))) return { end: 'no start' };
    const target = await loadTarget({ file, env: {}, stdin: async () => '' });
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

/** Whether the mock says that it is ready. */
const started = (mock: ChildProcess): Promise<boolean> =>
  new Promise((done) => {
    createInterface({ input: mock.stdout! }).once('line', () => done(true));
    mock.once('close', () => done(false));
  });
