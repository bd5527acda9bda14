import type { Command } from 'commander';

import { nearest } from '../src/input/nearest.js';
import { UsageError } from './usage-error.js';

/**
 * A command that takes words of the caller's own, and has subcommands as well, cannot tell a mistyped subcommand by
 * itself. Words after `--` are always the caller's own.
 *
 * @throws UsageError where the first word is nearly the name of a subcommand, or `strict` and there is no `--`: the words
 *   would be run
 */
export function refuseMistyped(command: Command, words: readonly string[], strict = false): void {
  const [word = ''] = words;
  if (words.length === 0 || commandLine(command).includes('--')) return;
  const names = namesOf(command);
  const likely = nearest(word, names);
  if (likely === undefined && !strict) return;
  const path = `gamedata ${command.name()}`;
  const known = likely === undefined ? `it has ${names.join(', ')}.` : `did you mean ${path} ${likely}?`;
  throw new UsageError(`${path} has no command ${word}; ${known} Your own command goes after --`);
}

/** What was typed: Commander keeps it, and its types do not say so. */
export function commandLine(command: Command): readonly string[] {
  if (command.parent) return commandLine(command.parent);
  return (command as unknown as { readonly rawArgs: readonly string[] }).rawArgs;
}

/** What a command can be followed by. */
export const namesOf = ({ commands }: Command): readonly string[] => commands.map((each) => each.name());
