import { randomInt } from 'node:crypto';
import { Command, InvalidArgumentError } from 'commander';

import { targetVariable } from '../../conformance/target/settings.js';
import { withTargetOptions } from './target-options.js';
import type { VerifyFlags } from './verify-run.js';

const about = `
Holds a server against the contract and tells which sentences it breaks, each with the smallest case that shows it.
Exit code 0: conformant in what ran. 1: not conformant. 2: configuration error, or a crash of the suite. 3: incomplete.
`;

/** A whole number from `least` on, or a line that says so. */
const whole =
  (least: number, most = Number.MAX_SAFE_INTEGER) =>
  (text: string): number => {
    const value = Number(text);
    if (!/^-?\d+$/.test(text) || value < least || value > most) {
      throw new InvalidArgumentError(`a whole number from ${least} to ${most} is wanted.`);
    }
    return value;
  };

/** No words would mean everything. */
function words(text: string, earlier: readonly string[] = []): readonly string[] {
  const named = text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');
  if (named.length === 0) throw new InvalidArgumentError('an id, the beginning of one or a group is wanted.');
  return [...earlier, ...named];
}

/** `gamedata verify`. What runs is loaded when the command line is understood. */
export function verifyCommand(): Command {
  return withTargetOptions(new Command('verify'))
    .option(
      '--only <ids>',
      'requirements, their beginnings or groups: TOK-REFRESH, LEAGUE-GET-002, game/filters',
      words,
    )
    .option(
      '--seed <number>',
      'seed of generated values (default: another one every time)',
      whole(-(2 ** 31), 2 ** 31 - 1),
    )
    .option('--runs <number>', 'cases of each property', whole(1, 100_000), 100)
    .option('--wait', 'wait for half a minute where a code has to expire and the clock cannot be moved')
    .option('--budget <requests>', 'the most requests to send; 0 is as many as announced', whole(0), 0)
    .option('--time-limit <seconds>', 'end the run, incomplete, after so long', whole(1, 86_400), 1200)
    .option('--baseline <file>', 'known deviations: a YAML list of id, reason, issue, expires')
    .option('--print-baseline', 'print the failures as a baseline to fill in, and nothing else')
    .option('--report <folder>', 'write report.json, junit.xml, report.html, report.md, SARIF, a badge and repro files')
    .option('--list', 'print the requirements that would be judged, and stop')
    .addHelpText('before', `${about}\n`)
    .action(async (flags: VerifyFlags) => {
      const { list, verifyAndTell } = await import('./verify-run.js');
      if (flags.list) process.stdout.write(list(flags.only ?? []));
      else
        process.exitCode = await verifyAndTell(
          { ...flags, seed: flags.seed ?? randomInt(2 ** 31) },
          process.env[targetVariable],
        );
    });
}
