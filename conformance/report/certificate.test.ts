import { expect, it } from 'vitest';

import { certificateLines } from './certificate.js';
import { sampleReport } from './sample.fixture.js';

it.each([
  ['could not run', 'LIFE-009 could not run'],
  ['not exercised', 'LIFE-009 was not exercised'],
  ['fail', 'LIFE-009 failed'],
] as const)('a certificate that is not there says what became of its row: %s', (verdict, words) => {
  const report = sampleReport();
  const { certificate: _, ...lifecycle } = report.lifecycle!;
  const rows = [{ ...report.rows[0]!, id: 'LIFE-009', verdict }];
  expect(certificateLines({ ...report, lifecycle, rows })).toEqual([
    `No certificate of the token lifecycle: ${words}.`,
  ]);
});
