import { Command, InvalidArgumentError } from 'commander';

import type { MockFlags } from './mock-options.js';

const examples = `
Examples:
  gamedata mock --port 0 --json             any free port, described for scripts
  gamedata mock --exec -- npm test          start, run with the addresses in the environment, stop
  gamedata mock --epoch 2026-01-01T00:00:00Z --seed 7
  gamedata mock --set lookup.nullStatus=404 --flag F-CX=off
  gamedata mock --host 0.0.0.0 --allow-host mock.test --allow-host 192.168.1.5    for other machines, under these names
  gamedata mock --list-switches
`;

/** `gamedata mock`. What serves is loaded when it is about to serve. */
export function mockCommand(): Command {
  return new Command('mock')
    .argument('[command...]', 'with --exec: the command to run and its arguments')
    .option('--port <number>', 'port to listen on, 0 for any (default: 4010, with --exec any)', wholeNumber(0, 65535))
    .option('--host <address>', 'address to listen on; for other machines, add --allow-host', '127.0.0.1')
    .option(
      '--allow-host <name>',
      'answer to this name or address too, beside those of loopback and --host; may be repeated',
      (name: string, earlier: readonly string[] = []) => [...earlier, name],
    )
    .option('--seed <number>', 'seed of the world', wholeNumber(0, Number.MAX_SAFE_INTEGER), 1)
    .option(
      '--epoch <date-time>',
      'instant that the world is laid out around, and that the clock starts at (default: now)',
    )
    .option('--edition <name>', 'edition of the interface: extended or base', 'extended')
    .option('--flag <name=on|off>', 'set one flag of the edition; may be repeated', assigned(readFlag), {})
    .option('--set <name=value>', 'choose how an open point is read; may be repeated', assigned(readText), {})
    .option('--list-switches', 'list what --set takes, and why there is a choice')
    .option('--fixtures <folder>', 'lay your own fixtures over the built-in ones; changes are picked up while it runs')
    .option('--auto-approve [account]', 'approve authorization requests at once (default account: alice)')
    .option('--cors', 'let pages of other origins call the data API and the token endpoint')
    .option('--control-token <token>', 'open /__control to whoever shows this token, from other machines too')
    .option('--stash-changes <number>', 'changes in each stash stream', wholeNumber(0, 10_000_000))
    .option('--exchange-hours <number>', 'hours of exchange history', wholeNumber(1, 1_000_000))
    .option('--json', 'print one line of JSON in place of the screen')
    .option('--target [file]', 'write the target file of this mock (default: target.yaml; - prints it)')
    .option('--exec', 'run the command that follows --, stop when it ends, and exit as it did')
    .addHelpText('after', examples)
    .action(async (words: string[], flags: MockFlags) => {
      const { runMock } = await import('./mock-run.js');
      process.exitCode = await runMock(flags, words);
    });
}

const wholeNumber =
  (least: number, most: number) =>
  (text: string): number => {
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= least && value <= most) return value;
    throw new InvalidArgumentError(`It takes a whole number from ${least} to ${most}`);
  };

/** Gathers `name=value` settings; the last one of a name counts. */
const assigned =
  <T>(read: (text: string) => T) =>
  (text: string, earlier: Record<string, T>): Record<string, T> => {
    const [name, ...rest] = text.split('=');
    if (!name || rest.length === 0) throw new InvalidArgumentError('It takes name=value');
    return { ...earlier, [name]: read(rest.join('=')) };
  };

const readText = (text: string): string => text;

function readFlag(text: string): boolean {
  if (text === 'on' || text === 'true') return true;
  if (text === 'off' || text === 'false') return false;
  throw new InvalidArgumentError('A flag is on or off');
}
