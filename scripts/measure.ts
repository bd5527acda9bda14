/**
 * `npm run measure`: runs the suite against the mock and writes how many requests each check sends, from which a run
 * announces its most (conformance/requirements/requests.json). The figures are the most of three seeds.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';

import { planOf } from '../conformance/plan.js';
import { tryOut } from '../conformance/proof/trial.js';
import { root } from './generate/document.js';

new Command('npm run measure')
  .description('Write how many requests each check sends to the mock: the most of three seeds')
  .parse();

const measured: Record<string, number> = {};
for (const seed of [1, 2, 3]) {
  const tried = await tryOut({ plan: planOf([]), runs: 100, seed, timeout: 600_000, mutations: [] });
  for (const { row, requests = 0 } of tried.outcomes) measured[row] = Math.max(measured[row] ?? 0, requests);
  console.log(`seed ${seed}: ${tried.requests} requests in ${Math.round(tried.ms / 1000)} s`);
}
const sorted = Object.fromEntries(
  planOf([]).flatMap(({ row, check }) => (check ? [[row.id, measured[row.id] ?? 0]] : [])),
);
writeFileSync(join(root, 'conformance/requirements/requests.json'), `${JSON.stringify(sorted, null, 2)}\n`);
