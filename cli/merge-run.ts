import { readReport } from '../conformance/report-file.js';
import { writeReports } from '../conformance/report/write.js';
import { merge } from '../conformance/shards.js';
import { called } from './called.js';
import { conclude, readyReports } from './conclude.js';

/**
 * Merges the reports of shards, and reports the whole run as `gamedata verify` does.
 *
 * @returns the exit code
 * @throws SetupError, UsageError where a file is no shard of the run, or the folder cannot be written
 */
export async function mergeAndTell(files: readonly string[], folder: string | undefined): Promise<number> {
  const whole = merge(
    files.map((file) => ({ file, report: readReport(file) })),
    `${called()} merge ${files.join(' ')}`,
  );
  await readyReports(folder);
  const written = folder === undefined ? { files: [], problems: [] } : await writeReports(whole, folder);
  return conclude(whole, written);
}
