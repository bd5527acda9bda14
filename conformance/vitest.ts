import { randomInt } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TestContext } from 'vitest';

import type { AuditVerdict } from './audit/start.js';
import { rowResult, titleOf, unreached } from './engine/assemble.js';
import { runPlan, unserved } from './run-plan.js';
import type { RunEnd } from './run-plan.js';
import type { Outcome } from './engine/outcome.js';
import { planOf } from './plan.js';
import type { RowId } from './ledger.gen.js';
import { applyWaivers } from './waivers.js';
import type { RowResult } from './result.js';
import { evidence, pageOf } from './report/rows.js';
import { block } from './text.js';
import { loadTarget } from './target/load.js';
import type { Target } from './target/target.js';

export type { AuditFinding, AuditSession, AuditVerdict, StartAuditOptions } from './audit/start.js';
export { startAudit } from './audit/start.js';

declare module 'vitest' {
  // oxlint-disable-next-line no-explicit-any, no-unused-vars -- vitest's own declaration, which this one has to repeat
  interface Matchers<T = any> {
    /** The verdict of `startAudit` on a client: nothing that binds it was violated. */
    toBeConformant: () => Promise<void>;
  }
}

expect.extend({
  async toBeConformant(given: AuditVerdict | Promise<AuditVerdict>) {
    const { conformant, summary, failures } = await given;
    const words = failures.map(
      ({ id, level, sentence, expected, got }) =>
        `${id} ${level}: ${sentence}\n  expected ${expected}\n       got ${got}`,
    );
    return { pass: conformant, message: () => block([summary, ...words].join('\n'), 8000) };
  },
});

export interface ConformanceOptions {
  /** Path of the target file, from the folder that vitest runs in. */
  readonly target: string;
  /** Requirements, their beginnings or groups, as `gamedata verify --only` takes them; all by default. */
  readonly only?: readonly string[];
  /** Seed of generated values; random by default. The name of the suite states it. */
  readonly seed?: number;
  /** Cases of each property; 100 by default. */
  readonly runs?: number;
  /** Fails requirements too that no sentence of the interface entails; they are warnings by default. */
  readonly strict?: boolean;
  /** Seconds after which the run ends, incomplete; 1200 by default. */
  readonly timeLimit?: number;
}

/**
 * Registers a test for each requirement in the calling test file. One run tests them all; each test waits for its own
 * outcome, and has no time limit. A violated requirement fails its test. One that could not run, was not exercised, is
 * not applicable or is waived by the target file skips it, with the reason. A warning passes, with an annotation.
 *
 * @throws SetupError where a word of `only` names nothing. A configuration error of the target fails the whole suite.
 */
export function conformance({
  target: file,
  only = [],
  seed = randomInt(2 ** 31),
  runs = 100,
  strict = false,
  timeLimit = 1200,
}: ConformanceOptions): void {
  const plan = planOf(only);
  const replay = `npx gamedata verify --target ${file} --seed ${seed}${runs === 100 ? '' : ` --runs ${runs}`}${strict ? ' --strict' : ''} --only {row}`;
  const outcomes = new Map<RowId, Outcome>();
  const heard = new Map<RowId, () => void>();
  const stop = new AbortController();
  const told: RowResult[] = [];
  let target: Target;
  let run: Promise<RunEnd> | undefined;

  describe(`conformance of ${file}, seed ${seed}`, () => {
    beforeAll(async () => {
      target = await loadTarget({ file, env: process.env });
      const begun = new Promise<void>((done) => {
        run = runPlan({ target, only, seed, runs, wait: false, strict, budget: 0, timeLimit, replay }, plan, {
          signal: stop.signal,
          onOutcome: (outcome) => {
            outcomes.set(outcome.row, outcome);
            heard.get(outcome.row)?.();
            done();
          },
        });
      });
      const tail = await Promise.race([begun, run]);
      if (tail && tail.problems.length > 0) throw failure(tail.problems.join('\n'));
    }, 0);

    for (const { row } of plan) {
      test(titleOf(row), { timeout: 0 }, async (context) => {
        const decided = new Promise<void>((done) => heard.set(row.id, done));
        const tail = outcomes.has(row.id) ? undefined : await Promise.race([decided, run]);
        const outcome = outcomes.get(row.id);
        if (!outcome && tail?.crash !== undefined) throw failure(`the suite crashed (${tail.crash})`);
        const result = rowResult(row, outcome ?? unreached(row, tail?.stopped ?? 'the run ended first'));
        told.push(result);
        await tell(result, target, context);
      });
    }

    afterAll(async () => {
      stop.abort('the tests ended');
      const end = await run;
      // A filter of vitest may choose what cannot be judged; the whole of a suite that judges nothing shows nothing.
      if (told.length === plan.length && !told.some(({ verdict }) => isJudged(verdict)))
        throw failure(
          `nothing was judged. ${told[0]!.id} ${told[0]!.verdict}: ${told[0]!.reason ?? 'no reason given'}`,
        );
      if (only.length === 0 && told.length === plan.length && end?.isUnserved === true) throw failure(unserved);
    }, 0);
  });
}

const isJudged = (verdict: RowResult['verdict']): boolean => ['pass', 'warn', 'fail', 'suite error'].includes(verdict);

/** Ends a test as its requirement ended. */
async function tell(result: RowResult, { waivers }: Target, context: TestContext): Promise<void> {
  const own = waivers.filter(({ id }) => id === result.id);
  const { rows, problems } = applyWaivers([result], own, new Date().toISOString().slice(0, 10));
  const { verdict, reason = verdict, notes, waived } = rows[0]!;
  for (const note of notes) await context.annotate(block(note, longest));
  if (problems.length > 0) throw failure(problems.join('\n'));
  if (waived) return context.skip(`waived: ${waived.reason}`);
  if (verdict === 'warn') return void (await context.annotate(block(reason, longest), 'warning'));
  if (verdict === 'pass') return undefined;
  if (verdict === 'suite error') throw failure(`suite error: ${reason}`);
  if (verdict === 'fail') throw failure(wordsOf(result));
  return context.skip(block(`${verdict}: ${reason}`, longest));
}

const longest = 2000;

function wordsOf(row: RowResult): string {
  const { expected, got } = evidence(row);
  return [
    `expected ${expected}`,
    `     got ${got}`,
    `requirement: ${row.statement}`,
    `see: ${pageOf(row)} (section ${row.section})`,
    ...(row.failure?.smallest === undefined ? [] : [`minimal case: ${row.failure.smallest}`]),
    ...(row.failure ? [`replay: ${row.failure.replay}`] : []),
  ].join('\n');
}

/** An error whose place in the code of the suite is of no use to the reader. */
function failure(words: string): Error {
  const error = new Error(block(words, 4 * longest));
  error.name = 'Conformance';
  error.stack = '';
  return error;
}
