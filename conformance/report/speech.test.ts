import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { annotations } from './annotations.js';
import { printBaseline } from './baseline.js';
import { header, liveConsole } from './console.js';
import { ending } from './ending.js';
import type { RunReport } from '../result.js';
import { hostileReport, sampleReport } from './sample.fixture.js';
import { acting, speech } from '../speech.fixture.js';
import type { Terminal } from './terminal.js';
import { formats } from './write.js';

const terminal = (columns: number): Terminal => ({ tty: false, colour: false, columns });

function live(report: RunReport): string {
  let text = '';
  const screen = liveConsole(terminal(60), (part) => (text += part));
  for (const row of report.rows) screen.verdict(row);
  screen.stop();
  return text;
}

/** Everything that shows a report to somebody. */
const renderers: Readonly<Record<string, (report: RunReport) => string>> = {
  ...formats,
  annotations,
  'print-baseline': printBaseline,
  'the header of the console': (report) => header({ ...report, requirements: 1, announced: 1 }, terminal(40)),
  'the verdicts on the console': live,
  'the end of the console': (report) => ending(report, [report.command], terminal(40)),
};

describe.each(Object.entries(renderers))('%s', (_, render) => {
  it('shows what a server says, and lets nothing of it act', () => {
    fc.assert(
      fc.property(speech, (said) => {
        expect(acting(render(hostileReport(said)))).toEqual([]);
        expect(acting(render(onlySaid(said)))).toEqual([]);
      }),
      { numRuns: 40, examples: [['a ::error::boom '.repeat(40)], ['::error::boom'], ['\n  ::error::boom\n']] },
    );
  });
});

/** The sample in which the server's words stand alone, with nothing of ours before them. */
function onlySaid(said: string): RunReport {
  const report = sampleReport();
  return {
    ...report,
    target: { ...report.target, name: said },
    summary: said,
    problems: [said],
    observations: [said],
    rows: report.rows.map((row) => ({
      ...row,
      title: said,
      notes: [said],
      ...(row.reason !== undefined && { reason: said }),
      ...(row.failure && {
        failure: {
          ...row.failure,
          expected: said,
          got: said,
          smallest: said,
          replay: said,
          trace: row.failure.trace.map((step) => ({ ...step, body: said, responseBody: said })),
        },
      }),
    })),
  };
}
