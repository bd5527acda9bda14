import type { Paths } from '../../conformance/engine/expect.js';
import type { RowResult } from '../../conformance/result.js';
import { line } from '../../conformance/text.js';
import { verify } from '../../conformance/verify.js';
import { watchForCrash } from './crash.js';
import { readRepro } from './repro-files.js';
import { targetFrom } from './target-options.js';
import { packageVersion } from './version.js';

/**
 * Runs one failure again and says what became of it: the smallest case of the failed property first, then, where that
 * holds now, the whole check; for a rule that watches all answers, the whole suite.
 *
 * @returns the exit code
 */
export async function replayAndTell(file: string, flags: Readonly<Record<string, unknown>>): Promise<number> {
  const repro = readRepro(file);
  const named = flags['target'] !== undefined || flags['baseUrl'] !== undefined || process.env.GAMEDATA_BASE_URL;
  const target = await targetFrom(named || repro.target === undefined ? flags : { ...flags, target: repro.target });
  const attempt = async (paths: Paths, only: readonly string[] = [repro.row]): Promise<RowResult> => {
    const report = await verify({
      target,
      only,
      seed: repro.seed,
      runs: repro.runs,
      wait: repro.wait,
      budget: 0,
      timeLimit: 600,
      paths: { [repro.row]: paths },
      version: packageVersion(),
      command: `gamedata replay ${file}`,
      replay: `gamedata replay ${file}`,
      waivers: [],
      today: new Date().toISOString().slice(0, 10),
    });
    const row = report.rows.find(({ id }) => id === repro.row);
    if (!row) throw new Error(report.summary);
    return row.reason === undefined && row.verdict === 'could not run' ? { ...row, reason: report.summary } : row;
  };
  const release = watchForCrash('gamedata replay');
  let row: RowResult;
  try {
    row = await attempt(repro.paths);
    const holds = (): boolean => row.verdict !== 'fail' && row.verdict !== 'harness error';
    if (holds() && Object.keys(repro.paths).length > 0) row = await attempt({});
    // A rule that watches every answer may have seen one that only another check asks for.
    if (holds() && row.how === 'monitor') row = await attempt({}, []);
  } finally {
    release();
  }
  const { text, code } = outcome(row, repro);
  process.stdout.write(`${line(row.title)}\n${text}\n`);
  return code;
}

/** Characters of a text of the server. */
const most = 1000;

/** What became of a failure, in words, and the exit code. */
export function outcome(
  { verdict, reason, failure }: RowResult,
  before: { readonly expected: string; readonly got: string },
): { text: string; code: number } {
  if (verdict === 'pass' || verdict === 'warn') {
    return { text: `fixed${reason === undefined ? '' : `, with a warning: ${line(reason, most)}`}`, code: 0 };
  }
  if (verdict !== 'fail' || !failure) {
    return {
      text: `could not be run: ${verdict}${reason === undefined ? '' : ` (${line(reason, most)})`}`,
      code: verdict === 'harness error' ? 2 : 3,
    };
  }
  const told = `\n  expected  ${line(failure.expected, most)}\n  got       ${line(failure.got, most)}`;
  if (failure.expected === before.expected && failure.got === before.got)
    return { text: `still fails${told}`, code: 1 };
  return { text: `changed: it fails otherwise${told}\n  before    ${line(before.got, most)}`, code: 1 };
}
