import { CommanderError } from 'commander';
import type { Command } from 'commander';

import { visible } from '../conformance/text.js';
import { meant, nearest } from '../src/input/nearest.js';
import { crashed, wordsOf } from './crash.js';
import { namesOf } from './mistyped.js';
import { readerIsGone } from './output.js';
import { pathOf, programOf } from './program.js';
import { replacementOf } from './renamed.js';

/**
 * Runs the command line. Failures are a line each on standard error, and 2: what the caller can fix as it is, anything
 * else as a crash. 1 is left to the verdicts of commands.
 */
export async function run(args: readonly string[]): Promise<number> {
  let command: Command | undefined;
  try {
    const program = await programOf(args);
    command = commandIn(program, args);
    await program.parseAsync([...args], { from: 'user' });
    return 0;
  } catch (error) {
    const { code, line } = outcomeOf(error, args, command);
    if (line !== null)
      process.stderr.write(
        `${line
          .split('\n')
          .map((each) => shortened(visible(each)))
          .join('\n')}\n`,
      );
    return code;
  }
}

/** Characters of a line: what was given may be long, and the remedy stands at the end. */
const most = { start: 1600, end: 400 };

const shortened = (line: string): string =>
  line.length <= most.start + most.end ? line : `${line.slice(0, most.start)} … ${line.slice(-most.end)}`;

/** Errors whose message is a line for the caller. */
const ours = new Set(['UsageError', 'SetupError', 'TreeLinkError']);

function outcomeOf(
  error: unknown,
  args: readonly string[],
  command: Command | undefined,
): { code: number; line: string | null } {
  const place = command ? pathOf(command) : 'gamedata';
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return { code: 0, line: null };
    return { code: 2, line: error.code === 'commander.help' ? null : complaint(error, args, place, command) };
  }
  if (readerIsGone(error)) return { code: 0, line: null };
  if (!(error instanceof Error) || !ours.has(error.name))
    return { code: crashed, line: `${place}: crashed (${wordsOf(error)}); please report it` };
  const line = error.message
    .split('\n')
    .map((each) => (each === '' ? each : `gamedata: ${each}`))
    .join('\n');
  return { code: 2, line };
}

/** Commander's words on one line, with the place and the remedy. */
function complaint(
  { code, message }: CommanderError,
  args: readonly string[],
  place: string,
  command: Command | undefined,
): string {
  if (code === 'commander.excessArguments' && command) return `${place}: ${strayOf(command, place)}`;
  if (code === 'commander.missingArgument' && command)
    return `${place}: ${missingIn(command)}; ${place} --help says more`;
  if (message.startsWith('error: command-argument value') && command)
    return `${place}: ${wrongIn(command)}; ${place} --help lists what there is`;
  const replacement = code === 'commander.unknownOption' ? replacementOf(args) : undefined;
  if (replacement !== undefined) return `${place}: ${replacement}`;
  const words = message.replace(/^error: /, '').replace(/\n\((.*)\)$/, (_, hint: string) => ` (${lowered(hint)})`);
  return `${place}: ${words.replace(/\.$/, '')}; ${place} --help lists what there is`;
}

/** The first argument that a command lacks, and what it is. */
function missingIn({ args, registeredArguments }: Command): string {
  const argument = registeredArguments.find(({ required }, index) => required && args[index] === undefined);
  const { argChoices = [], description } = argument ?? {};
  return `<${argument?.name()}> is missing: ${description}${argChoices.length > 0 ? ` (${argChoices.join(', ')})` : ''}`;
}

/** The first argument that is none of its choices. */
function wrongIn({ args, registeredArguments }: Command): string {
  const index = registeredArguments.findIndex(({ argChoices }, at) => argChoices?.includes(args[at] ?? '') === false);
  const [word = '', choices = []] = [args[index], registeredArguments[index]?.argChoices];
  return `<${registeredArguments[index]?.name()}> cannot be ${word}${meant(word, choices)}; choose ${choices.join(', ')}`;
}

/** The first word that a command does not take, and what may have been meant. */
function strayOf(command: Command, place: string): string {
  const { args, registeredArguments, options } = command;
  const stray = args[registeredArguments.length] ?? '';
  if (/\.(ya?ml|json)$/.test(stray) && options.some(({ long }) => long === '--target'))
    return `unexpected argument ${stray}; a target file goes after --target: --target ${stray}`;
  const near = nearest(stray, namesOf(command));
  return `unexpected argument ${stray}; ${near === undefined ? `${place} --help lists what there is` : `did you mean ${place} ${near}?`}`;
}

/** The command that was asked for. */
function commandIn(program: Command, args: readonly string[]): Command {
  let command = program;
  for (const arg of args) {
    const inner = command.commands.find((each) => each.name() === arg);
    if (!inner) break;
    command = inner;
  }
  return command;
}

const lowered = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);
