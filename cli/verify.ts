import { randomInt } from 'node:crypto';
import { Command, InvalidArgumentError, Option } from 'commander';

import { targetVariable } from '../conformance/target/settings.js';
import type { ShardPosition } from '../conformance/shards.js';
import { requirementOption } from './requirement-option.js';
import { withOutputOptions } from './output-options.js';
import { withTargetOptions } from './target-options.js';
import { UsageError } from './usage-error.js';
import type { VerifyFlags } from './verify-run.js';
import { wholeNumber } from './whole-number.js';

const closing = `
Exit codes: 0 no violation in what was judged, 1 violations, 2 configuration or suite error, 3 incomplete.

Examples:
  gamedata verify --target target.yaml --report out/
  gamedata verify --target target.yaml --only TOK-REFRESH,PROFILE
  gamedata verify --target target.yaml --write-baseline known.yaml
  gamedata verify --target live.yaml --safe --rate 2
  gamedata verify list --only TOK-REFRESH`;

/** `2/4`: the second of four. */
function part(text: string): ShardPosition {
  const [, index = 0, count = 0] = (/^(\d{1,3})\/(\d{1,3})$/.exec(text) ?? []).map(Number);
  if (index < 1 || index > count) throw new InvalidArgumentError('It takes a part such as 2/4, from 1/4 to 4/4.');
  return { index, count };
}

/** `gamedata verify`. What runs is loaded when the command line is understood. */
export function verifyCommand(): Command {
  const command = withTargetOptions(
    new Command('verify').usage('[options]\n       gamedata verify list [--only <ids>]'),
  )
    .addOption(requirementOption())
    .addOption(
      new Option('--shard <part>', 'run a part, such as 2/4; needs --seed, and gamedata merge puts the parts together')
        .argParser(part)
        .helpGroup('Selection:'),
    )
    .optionsGroup('Generated values:')
    .option('--seed <number>', 'seed of generated values (default: random)', wholeNumber(-(2 ** 31), 2 ** 31 - 1))
    .option('--runs <number>', 'cases of each property (default: 100; with --safe 10)', wholeNumber(1, 100_000))
    .option('--thorough', 'also find lifecycle faults hidden in one extra state (about 25,000 requests more)')
    .optionsGroup('Verdict:')
    .option('--strict', 'treat warnings of merely plausible requirements as failures')
    .optionsGroup('Limits:')
    .option('--wait', 'wait for half a minute where a code has to expire and the clock cannot be moved')
    .option('--safe', 'be gentle with a shared server: no writes, no races, no clock, at most 5 requests a second')
    .option(
      '--rate <number>',
      'requests a second at most; overrides budget.per_second of the target',
      wholeNumber(1, 10_000),
    )
    .option(
      '--budget <requests>',
      'maximum requests, within budget.requests of the target; 0 sets no limit of its own',
      wholeNumber(0),
      0,
    )
    .option('--time-limit <seconds>', 'end the run, incomplete, after this many seconds', wholeNumber(1, 86_400), 1200)
    .optionsGroup('Known deviations:')
    .option('--baseline <file>', 'accept known deviations: a YAML list of id, reason, issue, expires')
    .option('--write-baseline <file>', 'write the failures as a baseline to a new file; - prints it, and nothing else')
    .option('--force', 'with --write-baseline: overwrite the file')
    .optionsGroup('Output:')
    .option(
      '--report <folder>',
      'write report.json, report.html, summary.md, junit.xml, report.sarif, a badge and repro/',
    );
  withOutputOptions(command)
    .addHelpText('after', closing)
    .action(async (flags: VerifyFlags) => {
      if (flags.json && flags.writeBaseline === '-')
        throw new UsageError(
          '--json and --write-baseline - both print on standard output; give --write-baseline a file',
        );
      if (flags.shard && flags.seed === undefined)
        throw new UsageError('--shard needs --seed: give every shard of the run the same number');
      const { verifyAndTell } = await import('./verify-run.js');
      process.exitCode = await verifyAndTell(
        { ...flags, seed: flags.seed ?? randomInt(2 ** 31), runs: flags.runs ?? (flags.safe ? 10 : 100) },
        process.env[targetVariable],
      );
    });
  command
    .command('list')
    .description('List the requirements that a run tests.')
    .addOption(requirementOption())
    .addHelpText('after', '\nExample:\n  gamedata verify list --only PROFILE,GEN-001')
    .action(async ({ only = [] }: Pick<VerifyFlags, 'only'>) => {
      const { list } = await import('./verify-run.js');
      process.stdout.write(list(only));
    });
  return command;
}
