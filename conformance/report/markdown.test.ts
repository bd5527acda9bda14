import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { code, markdown, words } from './markdown.js';
import { canaryReport, hostileReport, sampleReport, withRows } from './sample.fixture.js';

describe('summary.md', () => {
  it('has the outcome, the numbers, failures with links, and what was lacking', () => {
    const text = markdown(sampleReport());
    for (const part of [
      '## ❌ Not conformant: 4 of 35',
      '| 4 | 1 | 1 | 1 | 3 |',
      '[TOK-REFRESH-004](<https://docs.example/interface#3>) MUST',
      '<code>status 200 with a new access token</code>',
      'Offer POST /clock on control\\_url',
      'no match was in progress',
      '<code>gamedata verify --target target.yaml --seed 7 --report out/</code>',
    ]) {
      expect(text).toContain(part);
    }
  });

  it.each([
    ['a full ledger', sampleReport(980)],
    ['a server that answers 500 to everything', canaryReport()],
    ['hostile text everywhere', hostileReport()],
    ['hundreds of texts that are long in bytes', long()],
  ])('is at most 60 KB: %s', (_, report) => {
    expect(Buffer.byteLength(markdown(report))).toBeLessThanOrEqual(60_000);
  });

  it('says so where something had to go', () => {
    expect(markdown(long())).toMatch(/\*Truncated. See report.html.\*\n$/);
  });

  it('has the same number of cells in every row of a table, whatever the texts are', () => {
    const tables = markdown(hostileReport())
      .split('\n\n')
      .filter((part) => part.startsWith('| '));
    expect(tables.length).toBeGreaterThan(2);
    for (const table of tables) {
      const cells = table.split('\n').map((row) => row.replaceAll(/\\[^a-z]/g, '').split('|').length);
      expect(new Set(cells).size).toBe(1);
    }
  });
});

/** Every section full, every letter three bytes. */
function long() {
  const [failed] = sampleReport().rows;
  const text = '東'.repeat(400);
  const rows = Array.from({ length: 400 }, (_, index) => ({
    ...failed!,
    id: `X-${index}`,
    title: `${index}${text}`,
    statement: text,
    verdict: (['fail', 'warn', 'suite error', 'could not run'] as const)[index % 4]!,
    reason: `${index}${text}`,
    failure: { ...failed!.failure!, expected: `${index}${text}`, got: text, smallest: text },
  }));
  return withRows(rows);
}

describe('text in Markdown', () => {
  it('is nothing but text', () => {
    expect(words('a|b *c* [d](e) <f> `g` @h #1 www.i.example')).toBe(
      'a\\|b \\*c\\* \\[d\\]\\(e\\) \\<f\\> \\`g\\` @\u2060h \\#1 www\u2060.i.example',
    );
    expect(code('a|`b` </code> https://x.example @y')).toBe(
      '<code>a&#124;&#96;b&#96; &#60;/code&#62; https&#58;//x.example &#64;y</code>',
    );
  });

  it('never leaves an active character alone', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => {
        expect(words(text).replaceAll(/\\[^a-zA-Z0-9\s]/g, '')).not.toMatch(/[\\`*_{}[\]<>()#+!|~&$\n]/);
        expect(
          code(text)
            .replace(/^<code>|<\/code>$/g, '')
            .replaceAll(/&#\d+;/g, ''),
        ).not.toMatch(/[\\`*_[\]<>|&@\n]/);
      }),
    );
  });
});
