import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import { readReport } from './report-file.js';
import { jsonText } from './text.js';
import { sampleReport, withRows } from './report/sample.fixture.js';

let folder: string;
beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), 'reports-'))));
afterAll(() => rmSync(folder, { recursive: true }));

function file(text: string): string {
  const path = join(folder, 'report.json');
  writeFileSync(path, text);
  return path;
}

describe('a report.json', () => {
  it('is read back, and nothing is printed of it', async () => {
    const printed = vi.spyOn(console, 'warn');
    // What compiles the schema complains when the module is loaded.
    vi.resetModules();
    const { readReport } = await import('./report-file.js');
    const report = withRows([]);
    expect(readReport(file(jsonText(report)))).toEqual(JSON.parse(jsonText(report)));
    expect(printed).not.toHaveBeenCalled();
    vi.restoreAllMocks();
  });

  it('of an earlier version has suite errors by their name of then', () => {
    const report = sampleReport();
    const before = jsonText(report).replaceAll('"suite error":', '"harness error":');
    const text = before.replaceAll(/("verdict": ?)"suite error"/g, '$1"harness error"');
    expect(text).toContain('"harness error"');
    expect(readReport(file(text))).toEqual(JSON.parse(jsonText(report)));
  });

  it.each([
    ['no JSON', '{', /report\.json: is not JSON \(.*\); name a report\.json that gamedata verify --report wrote/],
    ['another object', '{}', /report\.json: must have required property/],
    ['a date that is none', jsonText({ ...withRows([]), started: 'now' }), /started|format/],
  ])('that is %s is refused', (_, text, words) => {
    expect(() => readReport(file(text))).toThrow(words);
  });
});
