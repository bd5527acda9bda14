import { Command, CommanderError } from 'commander';

import { UsageError } from './usage-error.js';

/**
 * A command that takes words of the caller's own, and has subcommands as well, cannot tell a mistyped subcommand by
 * itself. Words after `--` are always the caller's own.
 *
 * @throws UsageError where the first word is nearly the name of a subcommand
 */
export function refuseMistyped(command: Command, words: readonly string[], args: readonly string[]): void {
  const [word = ''] = words;
  if (words.length === 0 || args.includes('--')) return;
  const likely = likelyOf(word, command.commands);
  if (likely === undefined) return;
  const path = `gamedata ${command.name()}`;
  throw new UsageError(
    `${path} has no command ${word}; did you mean ${path} ${likely}? Your own command goes after --`,
  );
}

/** The name that commander itself would suggest. */
function likelyOf(word: string, commands: readonly Command[]): string | undefined {
  const names = new Command()
    .exitOverride()
    .helpCommand(false)
    .configureOutput({ writeErr: () => {} });
  for (const command of commands) names.command(command.name());
  try {
    names.parse([word], { from: 'user' });
  } catch (error) {
    if (error instanceof CommanderError) return /Did you mean (?:one of )?([\w-]+)/.exec(error.message)?.[1];
    throw error;
  }
  return undefined;
}
