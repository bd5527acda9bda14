import { Command, CommanderError } from 'commander';

import { visible } from '../../conformance/text.js';
import { crashed, wordsOf } from './crash.js';
import { readerIsGone } from './output.js';
import { packageVersion } from './version.js';

/** A command's module is loaded only where its name occurs, so that no command waits for what another one needs. */
const commands = {
  mock: {
    about: 'Serve the interface on this machine: authorization server, data API and a world to go with them.',
    load: async () => (await import('./mock.js')).mockCommand(),
  },
  verify: {
    about: 'Hold a server against the contract, and tell which sentences it breaks.',
    load: async () => (await import('./verify.js')).verifyCommand(),
  },
  doctor: {
    about: 'Look at the set-up of a target before a run does.',
    load: async () => (await import('./doctor.js')).doctorCommand(),
  },
  replay: {
    about: 'Run one failure of an earlier run again.',
    load: async () => (await import('./replay.js')).replayCommand(),
  },
  target: {
    about: 'Write a target file to fill in.',
    load: async () => (await import('./target-command.js')).targetCommand(),
  },
  tree: {
    about: 'Decode and encode passive-tree links.',
    load: async () => (await import('./tree.js')).treeCommand(),
  },
} satisfies Record<string, { about: string; load: () => Promise<Command> }>;

/**
 * Runs the command line. Failures are a line each on standard error, and 2: what the caller can mend as it is, anything
 * else as a crash. 1 is left to the verdicts of commands.
 */
export async function run(args: readonly string[]): Promise<number> {
  const program = new Command('gamedata')
    .description('The Game Data contract at work.')
    .version(packageVersion())
    .exitOverride()
    .configureOutput({ outputError: () => {} });
  try {
    for (const [name, { about, load }] of Object.entries(commands)) {
      const command = args.includes(name) ? await load() : new Command(name);
      program.addCommand(settled(command.name(name).description(about), program));
    }
    await program.parseAsync([...args], { from: 'user' });
    return 0;
  } catch (error) {
    const { code, line } = outcomeOf(error, args);
    if (line !== null) process.stderr.write(`${visible(line)}\n`);
    return code;
  }
}

/** Settings are handed down on `.command()` only, and these commands are made on their own. */
function settled(command: Command, parent: Command): Command {
  command.copyInheritedSettings(parent);
  for (const inner of command.commands) settled(inner, command);
  return command;
}

const mendable = new Set(['UsageError', 'SetupError', 'FixtureError', 'TreeLinkError']);

function outcomeOf(error: unknown, args: readonly string[]): { code: number; line: string | null } {
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return { code: 0, line: null };
    return { code: 2, line: error.code === 'commander.help' ? null : complaint(error.message, args) };
  }
  if (readerIsGone(error)) return { code: 0, line: null };
  if (!(error instanceof Error) || !mendable.has(error.name))
    return { code: crashed, line: `${placeOf(args)}: crashed (${wordsOf(error)}); please report it` };
  const line = error.message
    .split('\n')
    .map((each) => (each === '' ? each : `gamedata: ${each}`))
    .join('\n');
  return { code: 2, line };
}

/** Commander's words on one line, with the place and the remedy. */
function complaint(message: string, args: readonly string[]): string {
  const place = placeOf(args);
  const words = message.replace(/^error: /, '').replace(/\n\((.*)\)$/, (_, hint: string) => ` (${lowered(hint)})`);
  return `${place}: ${words.replace(/\.$/, '')}; ${place} --help lists what there is`;
}

/** The command that was asked for, as it is written. */
function placeOf(args: readonly string[]): string {
  const name = args.find((arg) => Object.hasOwn(commands, arg));
  return name === undefined ? 'gamedata' : `gamedata ${name}`;
}

const lowered = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);
