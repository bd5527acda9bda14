import { writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';

import { badge, badgeEndpoint } from './badge.js';
import { makeFolder, tryFolder, unwritable } from './folder.js';
import { html } from './html.js';
import { json } from './json.js';
import { junit } from './junit.js';
import { markdown } from './markdown.js';
import type { RunReport } from '../result.js';
import { sarif } from './sarif.js';

/** Every format by its file name. Each is a pure function of the report. The HTML page comes first. */
export const formats: Readonly<Record<string, (report: RunReport) => string>> = {
  'report.html': html,
  'report.json': json,
  'junit.xml': junit,
  'report.sarif': sarif,
  'summary.md': markdown,
  'badge.svg': badge,
  'badge.json': badgeEndpoint,
};

/** The files written, and a line for each that could not be written. */
export interface WrittenReport {
  readonly files: readonly string[];
  readonly problems: readonly string[];
}

/** Folder of the scripts and of the cases to replay. */
export const reproFolder = (folder: string): string => join(folder, 'repro');

/** Why a report could not be written to a folder, before the run starts. Makes the folder if it is missing. */
export const tryReports = (folder: string): Promise<string | undefined> =>
  tryFolder(folder, { files: Object.keys(formats), folders: [basename(reproFolder(folder))] });

/**
 * Writes a report in every format, and the script of each failure as `repro/<id>.sh`. Makes the folder if
 * it is missing. Returns the files without the scripts. A file that cannot be written does not stop the others.
 */
export async function writeReports(report: RunReport, folder: string): Promise<WrittenReport> {
  const files: string[] = [];
  const problems: string[] = [];
  const attempt = (path: string, act: () => Promise<void>): Promise<boolean> =>
    act().then(
      () => true,
      (error: Error) => {
        problems.push(unwritable(folder, path, error));
        return false;
      },
    );
  if (!(await attempt(folder, () => makeFolder(folder)))) return { files, problems };
  for (const [name, make] of Object.entries(formats)) {
    const file = join(folder, name);
    if (await attempt(file, async () => writeFile(file, make(report)))) files.push(file);
  }
  const place = reproFolder(folder);
  await attempt(place, () => writeScripts(report, place));
  return { files, problems };
}

async function writeScripts({ rows }: RunReport, folder: string): Promise<void> {
  const scripts = rows.flatMap(({ id, failure }) => (failure?.script ? [[id, failure.script] as const] : []));
  if (scripts.length > 0) await makeFolder(folder);
  for (const [id, script] of scripts) await writeFile(join(folder, `${fileName(id)}.sh`), script, { mode: 0o755 });
}

/** An id as part of a file's name, whatever it has in it. */
const fileName = (id: string): string => id.replaceAll(/[^\w.-]/g, '_').replace(/^[.]+/, '_');
