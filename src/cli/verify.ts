import { Command } from 'commander';

import { verify } from '../../conformance/verify.js';
import { loadTarget } from '../../conformance/target/load.js';
import { packageVersion } from './version.js';

/** Provisional: the options and the console come with the reports. */
export function verifyCommand(): Command {
  return new Command('verify')
    .requiredOption('--target <file>')
    .option('--only <words>', '', (word: string, words: string[] = []) => [...words, ...word.split(',')])
    .option('--seed <n>', '', Number)
    .option('--runs <n>', '', Number, 100)
    .option('--wait')
    .option('--json')
    .action(async ({ target: file, only = [], seed = 1, runs, wait = false, json }) => {
      const target = await loadTarget({ file, env: process.env });
      const stop = new AbortController();
      process.once('SIGINT', () => stop.abort('the run was interrupted'));
      const report = await verify({
        target,
        only,
        seed,
        runs,
        wait,
        budget: 0,
        timeLimit: 900,
        reproDirectory: 'repro',
        version: packageVersion(),
        command: '',
        waivers: [],
        today: '2026-11-21',
        signal: stop.signal,
        onStart: ({ rows, announced }) => process.stdout.write(`${rows} rows, at most ${announced} requests\n`),
        onRow: (row) => {
          if (row.how === 'excluded') return;
          if (row.verdict !== 'pass' || only.length > 0)
            process.stdout.write(
              `${row.verdict.padEnd(14)} ${row.title} ${row.reason ?? ''} ${row.ms} ms${row.failure ? `\n    expected ${row.failure.expected}\n    got ${row.failure.got}\n    smallest ${row.failure.smallest ?? '-'}\n` : ''}${row.notes.map((note) => `\n    note: ${note}`).join('')}\n`,
            );
          if (row.failure && only.length > 0)
            process.stdout.write(
              row.failure.trace
                .slice(-3)
                .map(
                  (step) =>
                    `    ${step.method} ${step.url} ${step.body ?? ''} -> ${step.status} ${step.responseBody.slice(0, 300)}\n`,
                )
                .join(''),
            );
        },
      });
      if (json) process.stdout.write(JSON.stringify(report, null, 1));
      process.stdout.write(
        `${report.summary} ${JSON.stringify(report.counts)} ${JSON.stringify(report.requests)} ${report.seconds} s\n${report.problems.join('\n')}\n`,
      );
      process.exitCode = report.exitCode;
    });
}
