import { Command } from 'commander';

import { environmentHelp } from '../conformance/target/settings.js';
import { meant } from '../src/input/nearest.js';
import { namesOf } from './mistyped.js';
import { UsageError } from './usage-error.js';

/** `gamedata help`: the page of a command, and the environment variables. */
export function helpCommand(program: Command): Command {
  const help = new Command('help')
    .description('Show the help of a command, or the environment variables.')
    .usage('[command] [subcommand]')
    .argument('[words...]', 'a command and its subcommand: verify list')
    .addHelpText('after', '\nExamples:\n  gamedata help verify list\n  gamedata help environment')
    .action((words: string[]) => pageOf(program, words).help());
  const environment = help
    .command('environment')
    .description('List the environment variables that give the settings of a target.')
    .addHelpText('after', () => `\n${environmentHelp()}`)
    .action(() => environment.help());
  return help;
}

/** @throws UsageError where there is no such command */
function pageOf(program: Command, words: readonly string[]): Command {
  return words.reduce((command, word) => {
    const inner = command.commands.find((each) => each.name() === word);
    if (inner) return inner;
    const names = namesOf(command);
    const there =
      names.length === 0 ? `${command.name()} has no commands of its own` : `the commands are ${names.join(', ')}`;
    throw new UsageError(
      `gamedata help ${words.join(' ')}: no such command${meant(word, command === program ? [...names, 'environment'] : names)}; ${there}`,
    );
  }, program);
}
