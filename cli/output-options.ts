import type { Command } from 'commander';

/** The options of `OutputFlags`, on a command that reports a run. */
export const withOutputOptions = (command: Command): Command =>
  command
    .option('--quiet', 'print failures, the ids of warnings and the verdict, and nothing else')
    .option('--json', 'print report.json on standard output, and all else on standard error');
