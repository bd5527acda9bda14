import { Ajv2020 as Ajv } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

import type { RunReport } from './result.js';
import { SetupError } from '../src/input/setup-error.js';
import { jsonFile } from '../src/input/file.js';
import { objectOf } from './json.js';
import { line } from './text.js';
import schema from './report/report.schema.json' with { type: 'json' };

const ajv = new Ajv({ strict: false });
addFormats.default(ajv);
const isReport = ajv.compile<RunReport>(schema);

const wanted = 'a report.json that gamedata verify --report wrote';
/** MiB: evidence of 8 MB may grow when it is escaped. */
const most = 64;

/**
 * Reads a report.json.
 *
 * @throws SetupError where the file cannot be read or is no report
 */
export function readReport(file: string): RunReport {
  const report = upgraded(jsonFile(file, wanted, { most }));
  if (isReport(report)) return report;
  const [fault] = isReport.errors ?? [];
  throw new SetupError(
    `${file}${line(fault?.instancePath ?? '', 120)}: ${fault?.message ?? 'is no report'}; name ${wanted}`,
  );
}

/** A report as it is written now: what is `suite error` was `harness error` before. */
function upgraded(report: unknown): unknown {
  const { counts, rows } = objectOf(report);
  const { 'harness error': errors, ...others } = objectOf(counts);
  if (errors === undefined) return report;
  const renamed = (row: unknown): unknown =>
    objectOf(row).verdict === 'harness error' ? { ...objectOf(row), verdict: 'suite error' } : row;
  return {
    ...objectOf(report),
    counts: { ...others, 'suite error': errors },
    ...(Array.isArray(rows) && { rows: rows.map(renamed) }),
  };
}
