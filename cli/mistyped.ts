import type { Command } from 'commander';

import { nearest } from '../src/input/nearest.js';
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
  const likely = nearest(word, namesOf(command));
  if (likely === undefined) return;
  const path = `gamedata ${command.name()}`;
  throw new UsageError(
    `${path} has no command ${word}; did you mean ${path} ${likely}? Your own command goes after --`,
  );
}

/** What a command can be followed by. */
export const namesOf = ({ commands }: Command): readonly string[] => commands.map((each) => each.name());
