import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { RunReport } from '../result.js';
import { hostileReport, sampleReport, withRows } from './sample.fixture.js';
import { formats, writeReports } from './write.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'report-'));
});
afterAll(() => rm(folder, { recursive: true }));

describe('writeReports', () => {
  it('writes every format and the scripts into a directory that it makes', async () => {
    const out = join(folder, 'a', 'out');
    const report = sampleReport();
    expect(await writeReports(report, out)).toEqual({
      files: Object.keys(formats).map((name) => join(out, name)),
      problems: [],
    });
    expect(JSON.parse(await readFile(join(out, 'report.json'), 'utf8'))).toEqual(JSON.parse(JSON.stringify(report)));
    const script = join(out, 'repro', 'TOK-REFRESH-004.sh');
    expect(await readFile(script, 'utf8')).toBe(report.rows[0]!.failure!.script);
    expect((await stat(script)).mode & 0o111).toBe(0o111);
  });

  it('writes over what an earlier run wrote', async () => {
    const out = join(folder, 'twice');
    await writeReports(sampleReport(), out);
    await writeReports(sampleReport(20, { seed: 8 }), out);
    expect((JSON.parse(await readFile(join(out, 'report.json'), 'utf8')) as RunReport).seed).toBe(8);
  });

  it('never leaves its directory', async () => {
    const out = join(folder, 'inside');
    const [row] = sampleReport().rows;
    await writeReports(withRows([{ ...row!, id: '../../escaped' }]), out);
    expect(await readdir(join(out, 'repro'))).toEqual(['__.._escaped.sh']);
  });

  it.each(Object.entries(formats))('%s is the same for the same report, and nothing in it acts', (_, make) => {
    const text = make(hostileReport());
    expect(text === make(hostileReport())).toBe(true);
    expect(/[\0-\x08\x0b-\x1f\x7f-\x9f\u202e]|\p{Surrogate}/u.exec(text)).toBeNull();
  });
});
