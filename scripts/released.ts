/**
 * `npm run released`: what the last release asked still holds. Its requirements are in
 * conformance/requirements/released.json; none is gone, none says something else in silence, and the mock of this
 * version passes them. `--write` takes the requirements of this version for the next comparison, when it is released.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { parse } from 'yaml';

import { auditLedger } from '../conformance/audit/ledger.js';
import { ledger } from '../conformance/ledger.gen.js';
import { readReport } from '../conformance/report-file.js';
import { standing } from '../conformance/standing.js';
import { packageVersion } from '../cli/version.js';
import { root } from './generate/document.js';
import type { Release, Restated } from './released/problems.js';
import { standingProblems, statementProblems } from './released/problems.js';

const { write } = new Command('npm run released --')
  .description('Check that what the last release asked still holds')
  .option('--write', 'take the requirements of this version for the next comparison')
  .parse()
  .opts<{ write?: boolean }>();

const folder = join(root, 'conformance', 'requirements');
const files = { released: join(folder, 'released.json'), restated: join(folder, 'restated.yaml') };

const now: Release = {
  version: packageVersion(),
  server: Object.fromEntries(ledger.map(({ id, level, statement }) => [id, { level, sentence: statement }])),
  client: Object.fromEntries(auditLedger.map(({ id, level, sentence }) => [id, { level, sentence }])),
};

/** Cases of each property: the whole suite takes about half a minute. */
const runs = 25;

function standingsOnTheMock(): Parameters<typeof standingProblems>[1] {
  const place = mkdtempSync(join(tmpdir(), 'gamedata-released-'));
  try {
    const gamedata = [process.execPath, join(root, 'dist', 'cli', 'main.js')];
    const [target, out] = [join(place, 'target.yaml'), join(place, 'out')];
    const verify = [...gamedata, 'verify', '--quiet', '--runs', String(runs), '--report', out];
    const [node = '', ...words] = [...gamedata, 'mock', '--write-target', target, '--exec', '--', ...verify];
    try {
      execFileSync(node, words, { stdio: ['ignore', 'ignore', 'inherit'] });
    } catch (error) {
      const { status } = error as { readonly status?: number };
      if (status !== 1 && status !== 3) throw error; // what was violated or is missing is in the report
    }
    const { rows } = readReport(join(out, 'report.json'));
    return new Map(rows.map((row) => [row.id, { standing: standing(row), got: row.failure?.got ?? '' }]));
  } finally {
    rmSync(place, { recursive: true });
  }
}

if (write) {
  writeFileSync(files.released, textOf(now));
  writeFileSync(
    files.restated,
    `${readFileSync(files.restated, 'utf8')
      .split('\n')
      .filter((line) => line.startsWith('#'))
      .join('\n')}\n[]\n`,
  );
  console.log(`released: the requirements of ${now.version} are written`);
} else {
  const released = JSON.parse(readFileSync(files.released, 'utf8')) as Release;
  const restated = parse(readFileSync(files.restated, 'utf8')) as Restated[];
  const problems = [...statementProblems(released, now, restated), ...standingProblems(released, standingsOnTheMock())];
  for (const problem of problems) console.error(problem);
  const count = Object.keys(released.server).length + Object.keys(released.client).length;
  console.log(`released: ${count} requirements of ${released.version}, ${problems.length} problems`);
  process.exitCode = problems.length === 0 ? 0 : 1;
}

/** A requirement a line, so that a change of one is a change of one. */
function textOf({ version, server, client }: Release): string {
  const lines = (of: Release['server']): string =>
    Object.entries(of)
      .map(([id, requirement]) => `    ${JSON.stringify(id)}: ${JSON.stringify(requirement)}`)
      .join(',\n');
  return `{\n  "version": ${JSON.stringify(version)},\n  "server": {\n${lines(server)}\n  },\n  "client": {\n${lines(client)}\n  }\n}\n`;
}
