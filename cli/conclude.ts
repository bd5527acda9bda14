import { appendFile } from 'node:fs/promises';

import { annotations } from '../conformance/report/annotations.js';
import { brief, ending } from '../conformance/report/ending.js';
import { json } from '../conformance/report/json.js';
import { markdown } from '../conformance/report/markdown.js';
import { terminalOf } from '../conformance/report/terminal.js';
import type { Terminal } from '../conformance/report/terminal.js';
import { tryReports } from '../conformance/report/write.js';
import type { WrittenReport } from '../conformance/report/write.js';
import type { RunReport } from '../conformance/result.js';
import { complain, goOnWithoutOutput } from './output.js';
import { UsageError } from './usage-error.js';

/** The flags of a run for what it prints. */
export interface OutputFlags {
  /** Failures and the verdict alone. */
  readonly quiet?: boolean;
  /** The report as JSON on standard output, all else on standard error. */
  readonly json?: boolean;
}

/**
 * Sees before a run that its reports can be written. With them the run goes on where nobody reads what it prints.
 *
 * @throws UsageError where they cannot
 */
export async function readyReports(folder: string | undefined): Promise<void> {
  if (folder === undefined) return;
  const problem = await tryReports(folder);
  if (problem !== undefined) throw new UsageError(problem);
  goOnWithoutOutput();
}

/** Where a run tells people what it does, and what is known of that place. */
export function voiceOf({ json: bare = false }: OutputFlags): {
  readonly terminal: Terminal;
  readonly say: (text: string) => void;
} {
  const stream = bare ? process.stderr : process.stdout;
  return { terminal: terminalOf(stream, process.env), say: (text) => void stream.write(text) };
}

/** Prints the end of a run, and hands it to GitHub where it runs there. Returns the exit code. */
export async function conclude(
  report: RunReport,
  { files, problems }: WrittenReport,
  flags: OutputFlags = {},
): Promise<number> {
  const all = [...problems];
  const summary = process.env.GITHUB_STEP_SUMMARY;
  if (summary) {
    await appendFile(summary, markdown(report)).catch(({ code, message }: NodeJS.ErrnoException) =>
      all.push(`GITHUB_STEP_SUMMARY ${summary}: cannot be written (${code ?? message}); unset it, or name a file`),
    );
  }
  const { terminal, say } = voiceOf(flags);
  say(flags.quiet ? brief(report, terminal) : ending(report, files, terminal));
  if (process.env.GITHUB_ACTIONS === 'true') say(annotations(report));
  if (flags.json) process.stdout.write(json(report));
  for (const problem of all) complain(problem);
  return all.length > 0 ? 2 : report.exitCode;
}
