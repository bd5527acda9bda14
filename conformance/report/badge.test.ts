import { describe, expect, it } from 'vitest';

import { badge, badgeEndpoint } from './badge.js';
import type { RunReport } from '../result.js';
import { canaryReport, hostileReport, sampleReport, withRows } from './sample.fixture.js';

const passed = sampleReport(980).rows.filter(({ verdict }) => verdict === 'pass');
const known = sampleReport().rows.filter(({ waived }) => waived);

describe('badge', () => {
  it.each<[string, RunReport, string, string]>([
    ['conformant', withRows(passed, { outcome: 'conformant' }), 'conformant 967', 'brightgreen'],
    [
      'conformant with waivers',
      withRows([...passed, ...known], { outcome: 'conformant' }),
      'conformant 967, 1 known',
      'green',
    ],
    ['not conformant', canaryReport(), '653 failed', 'red'],
    ['not conformant by a stale waiver', withRows(passed), 'not conformant', 'red'],
    ['incomplete', withRows(passed, { outcome: 'incomplete' }), 'incomplete', 'orange'],
    ['a configuration error', withRows([], { outcome: 'configuration error' }), 'configuration error', 'lightgrey'],
    ['a suite error', withRows([], { outcome: 'suite error' }), 'suite error', 'lightgrey'],
  ])('%s', (_, report, message, color) => {
    expect(JSON.parse(badgeEndpoint(report))).toMatchObject({
      schemaVersion: 1,
      label: 'game data contract',
      message,
      color,
    });
    expect(badge(report)).toContain(`<title>game data contract: ${message}</title>`);
  });

  it('has nothing of the server in it', () => {
    expect(badge(hostileReport())).toBe(badge(sampleReport()));
  });
});
