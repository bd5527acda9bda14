import { Command } from 'commander';

import type { LearnFlags } from './learn-run.js';
import { withTargetOptions } from './target-options.js';
import { wholeNumber } from './whole-number.js';

const closing = `
It plays sequences of requests on fresh grants until it knows what the server answers to any of them: consent, exchange,
refresh, revocation, use and introspection. Each difference from the contract, or from another machine, comes with the
shortest sequence that shows it.

Exit codes: 0 learned, no difference; 1 differences; 2 configuration error; 3 not complete.

Examples:
  gamedata learn --target target.yaml
  gamedata learn --target target.yaml --report machine/
  gamedata learn --target target.yaml --time
  gamedata learn --target new.yaml --compare machine/machine.json`;

/** `gamedata learn`. */
export function learnCommand(): Command {
  return withTargetOptions(new Command('learn').usage('[options]'))
    .optionsGroup('Selection:')
    .option('--client <part>', 'client of the target to learn from (default: the first that users authorize)')
    .option('--time', 'let time pass too: learn what ends by itself, and when (takes a clock that can be moved)')
    .option('--compare <file>', "a machine.json to compare with, instead of the contract's machine")
    .optionsGroup('Limits:')
    .option(
      '--extra-states <number>',
      'hidden states that the final check allows for; default: 1, with --time 0',
      wholeNumber(0, 3),
    )
    .option('--max-states <number>', 'give up after this many states', wholeNumber(1, 1000), 100)
    .option(
      '--budget <requests>',
      "requests at most, in place of the target's; 0 leaves it to the target",
      wholeNumber(0, 10_000_000),
      0,
    )
    .option('--time-limit <seconds>', 'end, not complete, after this many seconds', wholeNumber(1, 86_400), 1200)
    .optionsGroup('Output:')
    .option(
      '--report <folder>',
      'write machine.json, machine.mmd (Mermaid), machine.svg and a script for each difference',
    )
    .option('--json', 'print machine.json, and nothing else')
    .addHelpText('after', closing)
    .action(async (flags: LearnFlags) => {
      const { learnAndTell } = await import('./learn-run.js');
      process.exitCode = await learnAndTell(flags);
    });
}
