import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { badge, badgeEndpoint } from './badge.js';
import { html } from './html.js';
import { json } from './json.js';
import { junit } from './junit.js';
import { markdown } from './markdown.js';
import type { RunReport } from '../result.js';
import { sarif } from './sarif.js';

/** Every format by its file; each is a pure function of the report. The page for people comes first. */
export const formats: Readonly<Record<string, (report: RunReport) => string>> = {
  'report.html': html,
  'report.json': json,
  'junit.xml': junit,
  'report.sarif': sarif,
  'summary.md': markdown,
  'badge.svg': badge,
  'badge.json': badgeEndpoint,
};

/**
 * Writes a report in every format, and the script of each failure as `repro/<id>.sh`. The directory is made where it is
 * missing. Answers the files that were written, without the scripts.
 */
export async function writeReports(report: RunReport, directory: string): Promise<string[]> {
  await mkdir(directory, { recursive: true });
  const files = await Promise.all(
    Object.entries(formats).map(async ([name, make]) => {
      const file = join(directory, name);
      await writeFile(file, make(report));
      return file;
    }),
  );
  await writeScripts(report, join(directory, 'repro'));
  return files;
}

async function writeScripts({ rows }: RunReport, directory: string): Promise<void> {
  const scripts = rows.flatMap(({ id, failure }) => (failure?.script ? [[id, failure.script] as const] : []));
  if (scripts.length > 0) await mkdir(directory, { recursive: true });
  for (const [id, script] of scripts) await writeFile(join(directory, `${fileName(id)}.sh`), script, { mode: 0o755 });
}

/** An id as part of a file's name, whatever it has in it. */
const fileName = (id: string): string => id.replaceAll(/[^\w.-]/g, '_').replace(/^[.]+/, '_');
