import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Run } from './run.js';
import { folder, nameOf, sealed } from './run.js';
import type { Source } from './sources.js';
import { sources } from './sources.js';
import { digestOf, treeAt, versionsOf } from './tree.js';

/** Runs of a subject that are kept: the newest, and the one that it is compared with. */
const kept = 2;

/** Writes a file for each published run that has none, and returns their names. Needs the history of the repository. */
export function takeRuns(): readonly string[] {
  mkdirSync(folder, { recursive: true });
  const written: string[] = [];
  for (const source of sources())
    for (const run of runsOf(source)) {
      const file = join(folder, nameOf(run));
      if (existsSync(file)) continue;
      writeFileSync(file, `${JSON.stringify(run, null, 2)}\n`);
      written.push(file);
    }
  return written;
}

function runsOf(source: Source): readonly Run[] {
  const found: Run[] = [];
  let content = '';
  // The oldest first: a file that has several subjects changes with each of them.
  for (const { commit, date, path, text } of versionsOf(source.file).toReversed()) {
    const tree = treeAt(commit);
    const published = source.run(text, path, tree);
    const now = JSON.stringify(published && { ...published, causes: [] });
    if (!published || now === content) continue;
    content = now;
    const { version } = JSON.parse(tree.read('package.json') ?? '{}') as { readonly version: string };
    const digests = digestsAt(source, commit, path);
    const { subject, seconds, requests, cells, causes } = published;
    found.push(
      sealed({
        kind: source.kind,
        subject,
        date,
        commit,
        version,
        digests,
        seconds,
        ...(requests !== undefined && { requests }),
        cells,
        causes,
      }),
    );
  }
  return found.slice(-kept);
}

/** What a run of a source depends on, in a commit. */
export const digestsAt = (source: Source, commit: string, path: string = source.file): Run['digests'] => ({
  suite: digestOf(commit, source.judges),
  contract: digestOf(commit, ['openapi']),
  target: digestOf(commit, source.target(path)),
});
