import { existsSync, statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { relative, resolve } from 'node:path';

import { defineConfig } from 'vitest/config';
import { BaseSequencer } from 'vitest/node';
import type { TestSpecification } from 'vitest/node';

/** Files that leave something behind in their process. All others share it: what they import is loaded once for all. */
const apart = ['src/server/replicas/behaviour.test.ts'];
/**
 * Whole runs, `npm run test:whole`: every page in a browser, replicas, containers, programs of others, complete audits and
 * proofs. `npm test` leaves them to CI.
 */
const whole = [
  'src/server/axe.test.ts',
  'conformance/proof/one-defect.test.ts',
  'conformance/audit/audit.test.ts',
  'cli/learn.test.ts',
  'src/server/replicas/replicas.test.ts',
  'src/server/replicas/hostile.test.ts',
  'src/server/try/try.test.ts',
  'src/server/chapters.test.ts',
  'research/languages/languages.test.ts',
  'src/server/prism.test.ts',
  'conformance/report/html.test.ts',
  'conformance/audit/copies.test.ts',
  'cli/audit.test.ts',
  'scripts/docs/worker/worker.test.ts',
  'scripts/container.test.ts',
  'src/server/dashboard/dashboard.test.ts',
  'src/server/browser.test.ts',
  'src/server/docs-page.test.ts',
  'cli/vitest-suite.test.ts',
  'cli/guide.test.ts',
  'cli/mcp/session.test.ts',
  'cli/verify.test.ts',
];
/** Files that take longest, the longest first: one of them at the end would leave all cores but one idle. */
const slow = [
  ...apart,
  ...whole,
  'src/server/operations.test.ts',
  'src/world/invariants.test.ts',
  'conformance/monitors/walk.test.ts',
  'cli/exit-codes.test.ts',
];
const missing = slow.filter((name) => !existsSync(name));
if (missing.length > 0) throw new Error(`vitest.config.ts lists files that are not there: ${missing.join(', ')}`);

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number => {
      const at = slow.indexOf(relative(import.meta.dirname, moduleId));
      return at < 0 ? slow.length : at;
    };
    return (await super.sort(files)).toSorted((one, other) => rank(one) - rank(other));
  }
}

/** The judges are megabytes: Node loads what was built of them, which vitest need not read, unless they are newer. */
const judges = { source: 'src/contract/judges.gen.ts', built: 'dist/src/contract/judges.gen.js' };
const isBuilt = existsSync(judges.built) && statSync(judges.built).mtimeMs >= statSync(judges.source).mtimeMs;

const tests = '{src,cli,scripts,research,openapi,fixtures,conformance}/**/*.test.ts';

export default defineConfig({
  resolve: {
    alias: isBuilt ? [{ find: /^.*[/]judges[.]gen[.]js$/, replacement: resolve(judges.built) }] : [],
  },
  test: {
    server: { deps: { external: [/[/]dist[/]src[/]contract[/]/] } },
    // Vitest leaves a core to its own process, which sleeps while tests run. One more than there are cores, for tests of
    // processes and browsers wait much; each further one would load everything once more.
    maxWorkers: availableParallelism() + 1,
    reporters: ['default', './scripts/plain-reporter.ts'],
    sequence: { sequencer: LongestFirst },
    projects: [
      { extends: true, test: { name: 'apart', include: apart } },
      { extends: true, test: { name: 'whole', include: whole, isolate: false } },
      { extends: true, test: { name: 'sharing', include: [tests], exclude: [...apart, ...whole], isolate: false } },
    ],
    // What was transformed is kept, for the whole tests after the others and for the next run.
    experimental: { fsModuleCache: true },
    // Generous: a busy machine is slow, and a test that hangs is found all the same.
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
