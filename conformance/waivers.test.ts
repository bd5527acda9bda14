import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

import { newFolder } from '../src/input/folder.fixture.js';
import { printBaseline } from './report/baseline.js';
import { applyWaivers, parseBaseline, readBaseline } from './waivers.js';
import { canaryReport, hostileReport, sampleReport } from './report/sample.fixture.js';
import { standing } from './standing.js';

const { rows } = sampleReport();
const today = '2026-01-31';
const reason = 'agreed';
const apply = (...waivers: Parameters<typeof applyWaivers>[1]) => applyWaivers(rows, waivers, today);
const caught = (act: () => unknown): unknown => {
  try {
    return act();
  } catch (error) {
    return error;
  }
};

describe('a baseline file', () => {
  it('is a list of waivers, each with its place', () => {
    const text = `# known\n- { id: A-1, reason: because, issue: https://x.example/1, expires: 2027-01-31 }\n-\n  id: A-2\n  reason:\n`;
    expect(parseBaseline(text, 'known.yaml')).toEqual([
      { id: 'A-1', reason: 'because', issue: 'https://x.example/1', expires: '2027-01-31', at: 'known.yaml:2' },
      { id: 'A-2', reason: '', at: 'known.yaml:4' },
    ]);
    expect(parseBaseline('# nothing yet\n', 'known.yaml')).toEqual([]);
    expect(parseBaseline('', 'known.yaml')).toEqual([]);
  });

  it.each([
    ['- { id: A-1\n- b', 'known.yaml:1: invalid YAML: the { here is never closed'],
    ['id: A-1\nreason: b', 'known.yaml:1: a baseline must be a list'],
    ['- A-1', 'known.yaml:1: an entry must be'],
    ['- reason: x', 'known.yaml:1: an entry needs an id'],
    ['- id: A\n  reason: x\n  until: y', 'known.yaml:3: "until" is not a key'],
    ['- id: A\n  reason: 5', 'known.yaml:2: reason must be a string'],
    ['- id: A\n  id: B\n  reason: 5', 'known.yaml:2'],
    ['- id: A\n  reason: x\n  expires: 2027-02-30', 'expires must be a date'],
    ['- &a { id: A, reason: x }\n- *a', 'known.yaml:2: an entry must be'],
    ['- [a', 'known.yaml:1'],
    ['- &a [*a]', 'known.yaml:1: alias *a contains itself'],
    ['- &a { id: A, reason: *a }', 'known.yaml:1: alias *a contains itself'],
    ['['.repeat(50_000), 'known.yaml:1: nests deeper than 32 levels'],
    ['- { id: A, reason: x }\n'.repeat(20_000), 'known.yaml: has more than 100,000 YAML tokens'],
    ['5', 'known.yaml:1: a baseline must be a list'],
    ['- null', 'known.yaml:1: an entry must be'],
  ])('%j is told with its line', (text, message) => {
    const error = caught(() => parseBaseline(text, 'known.yaml'));
    expect(error).toMatchObject({ name: 'SetupError', message: expect.stringContaining(message) as string });
  });

  it('is read from a file, or named when it is not there', () => {
    const folder = newFolder();
    const file = join(folder, 'known.yaml');
    const wanted = 'name a YAML list of { id, reason, issue?, expires? }, as --write-baseline writes it';
    for (const [place, words] of [
      [file, 'no such file'],
      [folder, 'is a folder'],
      [join('/dev/null', 'known.yaml'), 'has a file where a folder should be'],
      ['/dev/zero', 'exceeds 1 MiB'],
    ] as const)
      expect(caught(() => readBaseline(place, new Set()))).toMatchObject({
        name: 'SetupError',
        message: `${place}: ${words}; ${wanted}`,
      });
    writeFileSync(file, '\uFEFF- id: A-1\r\n  reason: b\r\n');
    expect(readBaseline(file, new Set(['A-1']))).toEqual([{ id: 'A-1', reason: 'b', at: `${file}:1` }]);
    writeFileSync(file, '- { id: A-1, reason: b }');
    expect(readBaseline(file, new Set(['A-1']))).toEqual([{ id: 'A-1', reason: 'b', at: `${file}:1` }]);
  });
});

describe('what is wrong with a baseline whatever a run finds', () => {
  it('is told before the run, all of it', () => {
    const file = join(newFolder(), 'known.yaml');
    writeFileSync(file, '- { id: A-2, reason: b }\n- { id: A-1, reason: }\n- { id: A-1, reason: b }\n');
    expect(() => readBaseline(file, new Set(['A-1']))).toThrow(
      expect.objectContaining({
        problems: [
          `${file}:1: the waiver of A-2 names an unknown requirement (did you mean A-1?); correct it (ids are never renamed).`,
          `${file}:2: the waiver of A-1 has no reason; say why the deviation is accepted.`,
          `${file}:3: the waiver of A-1 is a duplicate, first at ${file}:2; remove one.`,
        ],
      }),
    );
  });
});

describe('waivers', () => {
  it('cover the failures that they name and nothing else', () => {
    const { rows: after, problems } = apply({ id: 'TOK-RESP-004', reason, issue: '#1', expires: today, at: 'k:1' });
    expect(problems).toEqual([]);
    expect(after.filter((row, index) => row !== rows[index]).map(({ id, waived }) => [id, waived])).toEqual([
      ['TOK-RESP-004', { reason, issue: '#1', expires: today }],
    ]);
  });

  it.each([
    ['an unknown id', { id: 'NO-1', reason }, 'names an unknown requirement'],
    ['no reason', { id: 'TOK-RESP-004', reason: ' ' }, 'has no reason'],
    ['a date that is past', { id: 'TOK-RESP-004', reason, expires: '2026-01-30' }, 'expired on 2026-01-30'],
    ['a row that passes', { id: rows.find(({ verdict }) => verdict === 'pass')!.id, reason }, 'is stale'],
    ['a row that only warns', { id: 'AUTH-WARN-001', reason }, 'only warns'],
    ['a row without a check', { id: 'XF-009', reason }, 'never checked'],
  ])('with %s are a problem and cover nothing', (_, waiver, problem) => {
    const { rows: after, problems } = apply({ ...waiver, at: 'known.yaml:3' });
    expect(problems).toEqual([expect.stringContaining(problem)]);
    expect(problems[0]).toMatch(new RegExp(`^known.yaml:3: the waiver of ${waiver.id} `));
    expect(after).toEqual(rows);
  });

  it('of one row twice are a problem, and the first counts', () => {
    const { rows: after, problems } = apply(
      { id: 'TOK-RESP-004', reason, at: 'a.yaml:1' },
      { id: 'TOK-RESP-004', reason: 'other', at: 'b.yaml:9' },
    );
    expect(problems).toEqual(['b.yaml:9: the waiver of TOK-RESP-004 is a duplicate, first at a.yaml:1; remove one.']);
    expect(after.find(({ id }) => id === 'TOK-RESP-004')?.waived).toEqual({ reason });
  });

  it('of rows that were not decided are neither used nor stale', () => {
    expect(
      apply({ id: 'LIFE-003', reason }, { id: 'PVP-STATE-002', reason }, { id: 'REV-011', reason }).problems,
    ).toEqual([]);
  });

  it('of rows outside a selection are known by the ledger', () => {
    const known = new Set(['OTHER-1']);
    expect(applyWaivers([], [{ id: 'OTHER-1', reason }], today, known).problems).toEqual([]);
  });
});

describe('what is printed to paste', () => {
  it('names every failure that is not known, with an empty reason', () => {
    const text = printBaseline(sampleReport());
    const waivers = parseBaseline(text, 'known.yaml');
    expect(waivers.map(({ id, reason }) => [id, reason])).toEqual(
      rows.filter((row) => standing(row) === 'fail').map(({ id }) => [id, '']),
    );
    expect(applyWaivers(rows, waivers, today).problems).toHaveLength(waivers.length);
  });

  it('covers everything once reasons are given', () => {
    for (const report of [sampleReport(), canaryReport(), hostileReport()]) {
      const text = printBaseline(report).replaceAll("reason: ''", 'reason: known');
      const after = applyWaivers(report.rows, parseBaseline(text, 'known.yaml'), today);
      expect(after.problems).toEqual([]);
      expect(after.rows.filter((row) => standing(row) === 'fail')).toEqual([]);
    }
  });
});
