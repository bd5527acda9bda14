import { expect, it } from 'vitest';

import type { LogicalOperation } from '../../src/contract/index.js';
import type { Fields } from '../engine/run.js';
import type { RowId } from '../ledger.gen.js';
import type { Target } from '../target/target.js';
import { aRedirect, aTarget, anAnswer } from './answers.fixture.js';
import type { Given } from './answers.fixture.js';
import { createMonitors } from './monitors.js';
import type { MonitorResult, Monitors } from '../engine/monitors.js';
import { rules } from './rules.js';

/** One thing that the monitors are told. */
export type Step = (monitors: Monitors) => void;
/** What happens in one run. */
export type Story = Step | readonly Step[];

/** A row with runs that keep it and runs that break it. */
export interface Case {
  readonly row: RowId;
  /** None of these breaks the row, and all together show its case; the benign variants by their number. */
  readonly right: Readonly<Record<string, Story>>;
  /** Each of these breaks it, on its own. */
  readonly wrong: Readonly<Record<string, Story>>;
  /** What breaking it means: a failure, a warning, or nothing at all, because the row leaves all open. */
  readonly says?: 'fail' | 'warn' | 'nothing';
  readonly target?: Partial<Target>;
  /** Rows that count nothing where all is right. */
  readonly silent?: boolean;
}

/** An answer to an operation. */
export const answers =
  (operation: LogicalOperation | undefined, body: unknown, given?: Given): Step =>
  (monitors) =>
    monitors.answer(anAnswer(operation, body, given));

const request: Fields = [
  ['client_id', 'web'],
  ['redirect_uri', 'https://app.example/callback'],
  ['state', 's 1'],
];

/** A redirect of the authorization endpoint. */
export const goes =
  (location: string | null, fields: Fields = request): Step =>
  (monitors) =>
    monitors.redirect(aRedirect(location), { fields });

/** What a run tells of a row. */
export function resultOf(row: RowId, story: Story, target: Partial<Target> = {}): MonitorResult {
  const rule = rules.get(row);
  const monitors = createMonitors(aTarget(target), rule && new Map([[row, rule]]));
  for (const step of [story].flat() as Step[]) step(monitors);
  const result = monitors.results().get(row);
  if (!result) throw new Error(`no monitor watches ${row}`);
  return result;
}

const words = ({ violations, warnings }: MonitorResult): readonly string[] => [
  ...violations.map(({ expected, got }) => `expected ${expected}; got ${got}`),
  ...warnings,
];

/** Tells vitest of the cases. */
export function judge(cases: readonly Case[]): void {
  for (const { row, right, wrong, says = 'fail', target, silent = false } of cases) {
    it(row, () => {
      let exercised = 0;
      for (const [name, story] of Object.entries(right)) {
        const result = resultOf(row, story, target);
        expect([name, words(result)]).toEqual([name, []]);
        exercised += result.exercised;
      }
      if (!silent) expect(exercised).toBeGreaterThan(0);
      for (const [name, story] of Object.entries(wrong)) {
        const { count, warnings } = resultOf(row, story, target);
        expect([name, count > 0, warnings.length > 0]).toEqual([name, says === 'fail', says === 'warn']);
      }
    });
  }
}
