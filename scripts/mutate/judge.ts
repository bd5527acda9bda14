import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

import { ledger } from '../../conformance/ledger.gen.js';
import { isBinding } from '../../conformance/ledger.js';
import type { Result } from '../../conformance/proof/standard/mutant.js';
import { loadTarget } from '../../conformance/target/load.js';
import { verify } from '../../conformance/verify.js';
import { root } from '../generate/document.js';

/** What is installed, built and kept. */
export const folder = join(root, 'dist', 'standard');
const program = join(root, 'dist', 'mutated', 'src', 'cli', 'main.js');
/** Read by what the instrumenter writes into the code. */
const variable = '__STRYKER_ACTIVE_MUTANT__';
/** Seconds of one run: an endless loop of a mutant ends there. */
const patience = 120;

export type Judgement = Pick<Result, 'end' | 'row' | 'why' | 'seconds'>;

/**
 * Runs the suite against the mock with a mutant, until a binding row fails: some rows first, as a run of their own, then
 * the whole suite against a new mock. The order changes what it takes, and not whether a row fails.
 */
export async function judged(id: string, first: readonly string[], more: NodeJS.ProcessEnv = {}): Promise<Judgement> {
  Object.assign(process.env, { [variable]: id, ...more });
  const begun = performance.now();
  const early = first.length > 0 ? await run(first) : undefined;
  const found = early?.end === 'killed' ? early : await run([]);
  return { ...found, seconds: Math.round((performance.now() - begun) / 100) / 10 };
}

/** A run of the named rows, of all where none is named. */
async function run(only: readonly string[]): Promise<Omit<Judgement, 'seconds'>> {
  const file = join(folder, `target-${process.pid}.yaml`);
  const mock = spawn(process.execPath, [program, 'mock', '--port', '0', '--json', '--write-target', file], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const ended = new Promise<void>((done) => mock.on('close', () => done()));
  const stop = new AbortController();
  let row: string | undefined;
  try {
    if (!(await started(mock))) return { end: 'no start' };
    const target = await loadTarget({ file, env: {}, stdin: async () => '' });
    const binding = new Set(ledger.filter(isBinding).map(({ id }) => id as string));
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
      timeLimit: patience,
      replay: '',
      signal: stop.signal,
      onRow: ({ id, verdict }) => {
        if (verdict !== 'fail' || row !== undefined || !binding.has(id)) return;
        row = id;
        stop.abort('a row failed');
      },
    });
    if (row !== undefined) return { end: 'killed', row };
    return outcome === 'conformant' ? { end: 'survived' } : { end: 'no end', why: `${outcome}: ${summary}` };
  } finally {
    mock.kill('SIGTERM');
    const hard = setTimeout(() => mock.kill('SIGKILL'), 5000);
    await ended;
    clearTimeout(hard);
  }
}

/** Whether the mock says that it is ready. */
const started = (mock: ChildProcess): Promise<boolean> =>
  new Promise((done) => {
    createInterface({ input: mock.stdout! }).once('line', () => done(true));
    mock.once('close', () => done(false));
  });
