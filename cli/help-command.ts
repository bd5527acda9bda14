import { Command } from 'commander';

import { environmentHelp } from '../conformance/target/settings.js';
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
    const there = command.commands.map((each) => each.name()).join(', ');
    throw new UsageError(
      `help ${words.join(' ')}: there is no such command; ${there === '' ? `${command.name()} has no subcommands` : `there are ${there}`}`,
    );
  }, program);
}
