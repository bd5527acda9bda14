import type { Paths } from '../conformance/engine/expect.js';
import { withoutPassing } from '../conformance/report/rows.js';
import type { RowResult } from '../conformance/result.js';
import { line } from '../conformance/text.js';
import { verify } from '../conformance/verify.js';
import { called } from './called.js';
import { watchForCrash } from './crash.js';
import { readRepro } from './repro-files.js';
import { optionsOf, targetFrom, withRate } from './target-options.js';
import { UsageError } from './usage-error.js';
import { packageVersion } from './version.js';

/**
 * Re-runs one failure and prints the result. First the minimal case of the failed property; if that passes, the whole
 * check; for a rule on all responses, the whole suite.
 *
 * @returns the exit code
 * @throws SetupError, UsageError where the command line, a file or the target is wrong
 */
export async function replayAndPrint(file: string, flags: Readonly<Record<string, unknown>>): Promise<number> {
  const repro = readRepro(file);
  const named = flags['target'] !== undefined || flags['baseUrl'] !== undefined || process.env.GAMEDATA_BASE_URL;
  const { safe = false, strict = false, thorough = false } = repro;
  // Whoever names another server says all of it.
  const given = await targetFrom(
    named
      ? flags
      : { ...optionsOf(repro.overrides ?? {}), ...(repro.target !== undefined && { target: repro.target }), ...flags },
  );
  const target = withRate(given, repro);
  const attempt = async (paths: Paths, only: readonly string[] = [repro.row]): Promise<RowResult> => {
    const report = await verify({
      target,
      only,
      seed: repro.seed,
      runs: repro.runs,
      wait: repro.wait,
      safe,
      strict,
      thorough,
      budget: 0,
      timeLimit: 600,
      paths: { [repro.row]: paths },
      version: packageVersion(),
      command: `${called()} replay ${file}`,
      replay: `${called()} replay ${file}`,
      waivers: [],
      today: new Date().toISOString().slice(0, 10),
    });
    if (report.outcome.endsWith('error')) throw new UsageError(report.summary);
    const row = report.rows.find(({ id }) => id === repro.row);
    if (!row) throw new Error(report.summary);
    return row.reason === undefined && row.verdict === 'could not run' ? { ...row, reason: report.summary } : row;
  };
  const release = watchForCrash('gamedata replay');
  let row: RowResult;
  try {
    row = await attempt(repro.paths);
    const passes = (): boolean => row.verdict !== 'fail' && row.verdict !== 'suite error';
    if (passes() && Object.keys(repro.paths).length > 0) row = await attempt({});
    // A rule on all responses may depend on a response that only another check requests.
    if (passes() && row.how === 'monitor') row = await attempt({}, []);
  } finally {
    release();
  }
  const { text, code } = outcome(row, repro);
  process.stdout.write(`${line(row.title)}\n${text}\n`);
  return code;
}

/** Characters of a text of the server. */
const most = 1000;

/** The result of a replay as text, and the exit code. */
export function outcome(
  { verdict, reason, failure }: RowResult,
  before: { readonly expected: string; readonly got: string },
): { text: string; code: number } {
  if (verdict === 'pass' || verdict === 'warn') {
    return { text: `fixed${reason === undefined ? '' : `, with a warning: ${line(reason, most)}`}`, code: 0 };
  }
  if (verdict !== 'fail' || !failure) {
    return {
      text: `undecided: ${verdict}${reason === undefined ? '' : ` (${line(reason, most)})`}`,
      code: verdict === 'suite error' ? 2 : 3,
    };
  }
  const sides = `\n  expected  ${line(failure.expected, most)}\n  got       ${line(failure.got, most)}`;
  if (
    withoutPassing(failure.expected) === withoutPassing(before.expected) &&
    withoutPassing(failure.got) === withoutPassing(before.got)
  )
    return { text: `still fails${sides}`, code: 1 };
  return { text: `changed: fails differently${sides}\n  before    ${line(before.got, most)}`, code: 1 };
}
