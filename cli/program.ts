import type { EventEmitter } from 'node:events';

import { Command, Option } from 'commander';

import { helpCommand } from './help-command.js';
import { commandLine } from './mistyped.js';
import { UsageError } from './usage-error.js';
import { packageVersion } from './version.js';

/** A command's module is loaded only where its name occurs, so that no command waits for what another one needs. */
const commands: Readonly<Record<string, { readonly about: string; readonly load: () => Promise<Command> }>> = {
  mock: {
    about: 'Serve the interface on this machine: authorization server, data API and a world of test data.',
    load: async () => (await import('./mock.js')).mockCommand(),
  },
  verify: {
    about:
      'Test a server against the contract and report the requirements it violates, each with the smallest failing case.',
    load: async () => (await import('./verify.js')).verifyCommand(),
  },
  learn: {
    about: "Learn what a server's tokens do, as a machine, and where that differs from the contract or another server.",
    load: async () => (await import('./learn.js')).learnCommand(),
  },
  merge: {
    about: 'Merge the reports of a sharded run.',
    load: async () => (await import('./merge.js')).mergeCommand(),
  },
  compare: {
    about:
      'Compare two runs, or two contracts: what began to fail or is no longer judged, and who is affected by a change.',
    load: async () => (await import('./compare.js')).compareCommand(),
  },
  check: {
    about: 'Judge recorded traffic, HAR files or JSON lines, against the contract, without contacting a server.',
    load: async () => (await import('./check.js')).checkCommand(),
  },
  proxy: {
    about: 'Forward traffic between a client and a server unchanged, and judge both.',
    load: async () => (await import('./proxy.js')).proxyCommand(),
  },
  audit: {
    about: 'Judge a client: run it against the mock, once in each world, and report what it does wrong.',
    load: async () => (await import('./audit.js')).auditCommand(),
  },
  doctor: {
    about: 'Check the configuration of a target before a run, and report which checks can run.',
    load: async () => (await import('./doctor.js')).doctorCommand(),
  },
  replay: {
    about: 'Run one failure of an earlier run again, its smallest case first.',
    load: async () => (await import('./replay.js')).replayCommand(),
  },
  target: {
    about: 'Write a target file to fill in, or the JSON Schema of target files.',
    load: async () => (await import('./target-command.js')).targetCommand(),
  },
  mcp: {
    about: 'Serve coding agents over standard input and output: mock, audit and requirements as tools (MCP).',
    load: async () => (await import('./mcp.js')).mcpCommand(),
  },
  completion: {
    about: 'Print a script with which bash, zsh or fish completes the commands and options of gamedata.',
    load: async () => (await import('./completion.js')).completionCommand(() => programOf(Object.keys(commands))),
  },
  tree: {
    about: 'Decode and encode passive-tree links.',
    load: async () => (await import('./tree.js')).treeCommand(),
  },
};

const about = 'Mock the Game Data Developer Interface, and test clients and servers against its contract.';

const closing = `
Environment: see gamedata help environment

Examples:
  gamedata mock --exec -- npm test                      run a client's tests against a fresh mock
  gamedata audit -- npm test                            judge a client by what it does
  gamedata target init --out target.yaml                describe a server; then gamedata doctor --target target.yaml
  gamedata verify --target target.yaml --report out/    test it, and write the reports`;

/** Columns of a help page at most. */
const widest = 100;

/** The command line, with the commands whose names occur in `args` loaded. */
export async function programOf(args: readonly string[]): Promise<Command> {
  const program = new Command('gamedata')
    .description(about)
    .version(packageVersion(), '-v, --version', 'print the version')
    .usage('<command> [options]')
    .helpOption('-h, --help', 'show this page; gamedata <command> --help shows that of a command')
    .helpCommand(false)
    .enablePositionalOptions()
    .addHelpText('after', closing)
    .exitOverride()
    .configureOutput({ outputError: () => {} })
    .configureHelp({
      helpWidth: Math.min(process.stdout.columns ?? widest, widest),
      commandDescription: () => '', // the page begins with it
      subcommandTerm: (command) => command.name(),
    });
  settled(program);
  for (const [name, { about: purpose, load }] of Object.entries(commands)) {
    const command = args.includes(name) ? await load() : new Command(name);
    program.addCommand(settled(command.name(name).description(purpose), program));
  }
  return program.addCommand(settled(helpCommand(program), program));
}

const pageOption = (): Option => new Option('-h, --help', 'show this page').helpGroup('Help:');

/** Settings are handed down on `.command()` only, and these commands are made on their own. */
function settled(command: Command, parent?: Command): Command {
  if (parent) command.copyInheritedSettings(parent).helpCommand(false).addHelpOption(pageOption());
  command.addHelpText('before', `${command.description()}\n`);
  if (command.commands.length > 0) command.enablePositionalOptions().hook('preSubcommand', refuseEarlyOptions);
  // Commander is an emitter, and its types do not say so. What reads a value comes after.
  const emitter = command as unknown as EventEmitter;
  for (const option of command.options)
    if (option.required)
      emitter.prependListener(`option:${option.name()}`, (value: string) => refuseOption(command, option, value));
  for (const inner of command.commands) settled(inner, command);
  return command;
}

/** Commander takes whatever follows an option for its value, another option too. */
function refuseOption(command: Command, option: Option, value: string): void {
  const name = option.long ?? option.flags;
  if (!value.startsWith('--') || commandLine(command).includes(`${name}=${value}`)) return;
  throw new UsageError(
    `${name} needs a value, and ${value} follows; write ${name}=${value} if the value really begins with --`,
  );
}

/** An option before a subcommand is one of the parent, and would count for nothing. */
function refuseEarlyOptions(parent: Command, command: Command): void {
  const early = parent.options.find((option) => parent.getOptionValueSource(option.attributeName()) === 'cli');
  if (!early) return;
  const [before, name] = [pathOf(parent), command.name()];
  throw new UsageError(
    `${early.long ?? early.flags} stands before ${name}; write the options of ${before} ${name} after it (${before} ${name} --help)`,
  );
}

/** How a command is called: `gamedata verify list`. */
export const pathOf = (command: Command): string =>
  command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name();
