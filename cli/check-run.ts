import { rowIds } from '../conformance/plan.js';
import { readBaseline } from '../conformance/waivers.js';
import { writeReports } from '../conformance/report/write.js';
import { checkTraffic } from '../conformance/traffic/judge.js';
import { redactTraffic } from '../conformance/traffic/redact.js';
import { called } from './called.js';
import { conclude, readyReports } from './conclude.js';
import { namesServer, targetFrom } from './target-options.js';
import { packageVersion } from './version.js';

/** The flags of `gamedata check` beside those of the target. */
export interface CheckFlags {
  readonly only?: readonly string[];
  readonly baseline?: string;
  readonly report?: string;
  readonly redact?: string;
  readonly target?: string;
}

/** Takes the place of the address until the recording gives it; nothing is ever asked there. */
const unnamed = 'http://recording.invalid';

/**
 * Runs `gamedata check` and reports as `gamedata verify` does.
 *
 * @returns the exit code
 * @throws SetupError, UsageError where the command line or a file is wrong
 */
export async function checkAndTell(paths: readonly string[], flags: CheckFlags): Promise<number> {
  const { only = [], baseline, report: folder, redact } = flags;
  const given = flags as Readonly<Record<string, unknown>>;
  const named = namesServer(given);
  const target = await targetFrom(named ? given : { ...given, baseUrl: unnamed });
  const waivers = baseline === undefined ? [] : readBaseline(baseline, rowIds);
  await readyReports(folder);
  const command = `${called()} check ${paths.join(' ')}${flags.target === undefined ? '' : ` --target ${flags.target}`}`;
  const report = await checkTraffic({
    paths,
    target,
    named,
    only,
    waivers,
    today: new Date().toISOString().slice(0, 10),
    version: packageVersion(),
    command: only.length === 0 ? command : `${command} --only ${only.join(',')}`,
    replay: `${command} --only {row}`,
  });
  const copies = redact === undefined ? [] : await redactTraffic({ paths, out: redact, target, named });
  const { files, problems } = folder === undefined ? { files: [], problems: [] } : await writeReports(report, folder);
  return conclude(report, { files: [...files, ...copies], problems });
}
