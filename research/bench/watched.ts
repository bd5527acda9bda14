import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { LimitSettings } from '../../src/client/index.js';
import { realistic } from '../../src/server/limits/realistic.js';
import { readsOf } from './http.js';
import type { Row } from './subject.js';
import { ratio, startMock } from './subject.js';

/** The limits of `--limits realistic`, with numbers that nobody reaches. */
const limits: LimitSettings = {
  ...realistic,
  policies: realistic.policies.map((policy) => ({
    ...policy,
    rules: policy.rules.map(({ rule, windows }) => ({
      rule,
      windows: windows.map((window) => ({ ...window, hits: 1_000_000_000 })),
    })),
  })),
  edge: { user_agent: false, flood: { hits: 1_000_000_000, period: 10, restriction: 60 } },
};

/**
 * The least share of the throughput that is left. A mock with limits sends six more headers, and six headers alone take a
 * bare Node server down to about 0.8.
 */
const bars = { 'journal and limits': 0.75, 'the journal alone': 0.8 };

/** The read path with journal and limits on, and with the journal alone, against the same mock without. */
export async function watchedRows(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-'));
  const file = join(folder, 'limits.json');
  writeFileSync(file, JSON.stringify(limits));
  const plain = await startMock();
  const watched = [
    ['journal and limits', await startMock('--journal', '--limits', file)],
    ['the journal alone', await startMock('--journal')],
  ] as const;
  try {
    const rows: Row[] = [];
    const others = (await readsOf(plain)).map(([, exchange]) => exchange);
    for (const [what, subject] of watched) {
      for (const [at, [name, exchange]] of (await readsOf(subject)).entries()) {
        rows.push({
          name: `${name} with ${what}, against without`,
          figure: await ratio(subject, plain, exchange, others[at]),
          bar: bars[what],
          wanted: 'at least',
          unit: 'x',
        });
      }
    }
    return rows;
  } finally {
    for (const subject of [plain, ...watched.map(([, one]) => one)]) subject.process.kill();
    rmSync(folder, { recursive: true });
  }
}
