import { describe, expect, it } from 'vitest';

import { annotations } from './annotations.js';
import { canaryReport, hostileReport, sampleReport, withRows } from './sample.fixture.js';

const lines = (text: string): string[] => text.trimEnd().split('\n');

describe('annotations', () => {
  it('are an error for each failure and a notice at the end', () => {
    const [first, ...others] = lines(annotations(sampleReport()));
    expect(first).toBe(
      '::error title=[TOK-REFRESH-004 MUST] The used refresh token is expired immediately%3A second use is invalid_grant' +
        '::expected status 400, error invalid_grant; got status 200 with a new access token' +
        '%0Ahttps://docs.example/interface#3%0Agamedata replay out/repro/TOK-REFRESH-004.json',
    );
    expect(others).toHaveLength(4);
    expect(others.at(-1)).toMatch(/^::notice title=Game Data conformance::Not conformant: /);
  });

  it('are one for failures that are alike', () => {
    const told = lines(annotations(canaryReport()));
    expect(told).toHaveLength(4);
    expect(told[0]).toContain('%0A326 other requirements failed with the same message.');
  });

  it('are at most ten', () => {
    const [row] = sampleReport().rows;
    const rows = Array.from({ length: 30 }, (_, index) => ({
      ...row!,
      failure: { ...row!.failure!, got: `status ${index}` },
    }));
    const told = lines(annotations(withRows(rows)));
    expect(told).toHaveLength(11);
    expect(told.at(-1)).toContain('20 more failures in report.html');
  });

  it('are commands of ours only, whatever the texts are', () => {
    const told = lines(annotations(hostileReport('a\n::error::boom\r\n::set-output name=x::y %0A')));
    for (const line of told) {
      const [, title = '', data = ''] = /^::(?:error|notice) title=([^:,\r\n]*)::(.*)$/.exec(line) ?? [];
      expect(title).not.toBe('');
      expect(data).toContain('%250A');
    }
  });
});
