/** A process that audits a client with one of its mutants. */
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { audit } from '../../../conformance/audit/audit.js';
import { commandClient } from '../../../conformance/audit/client.js';
import { violatedIn } from '../../../conformance/audit/judge.js';
import { variable } from '../../mutate/judge.js';
import type { Ending } from '../../mutate/mutant.js';
import { answering, workOff } from '../../mutate/worker.js';

/** What is audited. */
export interface Order {
  /** The command of the client, for the shell. */
  readonly start: string;
  /** It is started again where a world asks for that. */
  readonly restarts: boolean;
  /** Of the mutant; empty for the client as it is. */
  readonly id: string;
  /** Rows that blame the client without a mutant too. */
  readonly known: readonly string[];
  /** Where the program leaves which mutants it reached, if that is asked for. */
  readonly coverage?: string;
}

export interface Judgement extends Ending {
  /** The world whose run blamed it first. */
  readonly world?: string;
  readonly seconds: number;
  /** All rows that failed or warned. */
  readonly found: readonly string[];
  /** The numbers of the mutants whose code ran. */
  readonly reached: readonly string[];
}

/** Seconds that a start may take: a mutant may never end. */
const timeLimit = 20;

/**
 * Audits a client with a mutant in every world, until a row blames it that does not without the mutant. A row has to do so
 * twice, for a busy machine may keep a client waiting. `no start`: it does not get through the calm world, and the audit
 * says so in place of a verdict.
 */
async function judged(order: Order): Promise<Judgement> {
  const begun = performance.now();
  let found = await run(order);
  if (found.row !== undefined && found.world !== undefined) {
    const again = await run(order, found.world);
    if (again.row === undefined) found = await run({ ...order, known: [...order.known, found.row] });
  }
  return { ...found, seconds: Math.round((performance.now() - begun) / 100) / 10 };
}

async function run(order: Order, ...worlds: readonly string[]): Promise<Omit<Judgement, 'seconds'>> {
  const { start, restarts, id, known, coverage } = order;
  // The programs that the audit starts inherit it.
  process.env[variable] = id;
  if (coverage !== undefined) mkdirSync(coverage, { recursive: true });
  const counted = coverage === undefined ? [] : [`COVERAGE=${join(coverage, 'of-')}`, preload];
  const { client, close } = commandClient({ words: ['/usr/bin/env', ...counted, '/bin/sh', '-c', start] });
  const stop = new AbortController();
  const isNew = (row: string): boolean => !known.includes(row);
  let blamed: { readonly row: string; readonly world: string } | undefined;
  try {
    const { report } = await audit({
      client,
      name: 'mutant',
      jobs: 3,
      timeLimit,
      restarts,
      worlds,
      signal: stop.signal,
      onWorld: (one) => {
        const row = violatedIn(one).find(isNew);
        if (id === '' || row === undefined || blamed) return;
        blamed = { row, world: one.world.id };
        stop.abort();
      },
    });
    const found = report.rows
      .filter(({ verdict }) => verdict === 'fail' || verdict === 'warn')
      .map(({ id: row }) => row);
    const reached = coverage === undefined ? [] : readCoverage(coverage);
    if (blamed) return { end: 'killed', ...blamed, found, reached };
    if (report.exitCode >= 2) return { end: 'no start', why: report.summary, found, reached };
    const row = found.find(isNew);
    return { end: row === undefined ? 'survived' : 'killed', ...(row !== undefined && { row }), found, reached };
  } finally {
    await close();
  }
}

/** A module that each program loads first: what ran of it is written when it ends. */
const preload = `NODE_OPTIONS=--import=data:text/javascript,${encodeURIComponent(`import { writeFileSync } from 'node:fs';
process.on('exit', () => {
  const covered = globalThis.__stryker__?.mutantCoverage?.static;
  if (covered) writeFileSync(process.env.COVERAGE + process.pid, JSON.stringify(Object.keys(covered)));
});`)}`;

function readCoverage(folder: string): readonly string[] {
  if (!existsSync(folder)) return [];
  const files = readdirSync(folder).map((file) => join(folder, file));
  const ids = files.flatMap((file) => JSON.parse(readFileSync(file, 'utf8')) as readonly string[]);
  rmSync(folder, { recursive: true });
  return [...new Set(ids)];
}

/** Audits mutants in some processes. */
export const judgeAll = <Task>(
  queue: Task[],
  jobs: number,
  orderOf: (task: Task) => Order,
  done: (task: Task, judgement: Judgement, left: number) => void | Promise<void>,
): Promise<void> => workOff(import.meta.url, queue, jobs, orderOf, done);

answering(import.meta.url, judged);
