import { Command } from 'commander';

import { interfaceOptions } from './interface-options.js';
import { refuseMistyped } from './mistyped.js';
import type { MockFlags } from './mock-options.js';
import { wholeNumber } from './whole-number.js';
import { paintFor, terminalOf } from '../conformance/report/terminal.js';

const examples = `
Examples:
  gamedata mock --port 0 --json                  any free port, described for scripts
  gamedata mock --exec -- npm test               start, run with the addresses in the environment, stop
  gamedata mock --epoch 2026-01-01T00:00:00Z --seed 7
  gamedata mock --set lookup.nullStatus=404 --flag F-CX=off
  gamedata mock --profile observed               like live services: limits, lenient PKCE
  gamedata mock --host 0.0.0.0 --allow-host mock.test    for other machines, under this name
  gamedata mock switches                         values for --set`;

/** `gamedata mock`. What serves is loaded when it is about to serve. */
export function mockCommand(): Command {
  const command = new Command('mock')
    .usage('[options] [--exec -- command...]\n       gamedata mock switches [--json]')
    .argument('[command...]', 'with --exec: the command to run and its arguments')
    .optionsGroup('Address:')
    .option('--port <number>', 'port to listen on, 0 for any (default: 4010, with --exec any)', wholeNumber(0, 65535))
    .option('--host <address>', 'address to listen on; for other machines, add --allow-host', '127.0.0.1')
    .option(
      '--allow-host <name>',
      'accept requests for this host as well as loopback and --host; may be repeated',
      (name: string, earlier: readonly string[] = []) => [...earlier, name],
    )
    .option('--cors', 'let pages of other origins call the data API and the token endpoint')
    .option('--public-url <url>', 'the address that clients use, if behind a load balancer')
    .optionsGroup('Replicas:')
    .option(
      '--store <url>',
      'share tokens, codes, filters, clock, limits and journal with other mocks: redis://host:6379, Redis or Valkey',
    )
    .optionsGroup('World:')
    .option('--seed <number>', 'seed of the world', wholeNumber(0), 1)
    .option(
      '--epoch <date-time>',
      'the instant the world is built around and its clock starts at (default: midnight UTC, and now)',
    )
    .option('--fixtures <folder>', 'your own fixtures over the built-in ones; changes are picked up while it runs')
    .option(
      '--snapshot <file>',
      'begin with a snapshot, and with the seed, epoch, edition and switches it was made with',
    )
    .option('--stash-changes <number>', 'changes in each stash stream', wholeNumber(0, 10_000_000))
    .option('--exchange-hours <number>', 'hours of exchange history', wholeNumber(1, 1_000_000));
  interfaceOptions(command)
    .optionsGroup('Obstacles:')
    .option('--limits <name|file>', 'rate limits: observed, realistic, off, or a file of policies (default: off)')
    .option('--faults <file>', 'fault rules: a list of resets, error replies, lost replies and so on')
    .option('--journal', 'record requests and decisions (default: on, unless --quiet, --json or --store)')
    .option('--no-journal', 'record nothing')
    .optionsGroup('Access:')
    .option('--auto-approve [account]', 'approve authorization requests at once (default account: alice)')
    .option('--control-token <token>', 'accept /__control requests with this token, from other machines too')
    .optionsGroup('Output:')
    .option('--write-target [file]', 'write the target file of this mock (default: target.yaml; - prints it)')
    .option('--json', 'print one line of JSON instead of the startup screen and request lines')
    .option('--quiet', 'print the address and nothing else: no screen, and no line for each request')
    .option('--ready-file <file>', 'write what --json prints to a file once the mock answers; it is removed at the end')
    .optionsGroup('Command:')
    .option(
      '--exec',
      'run the command that follows --, stop when it ends, and exit with its code; 127 if there is no such command',
    )
    .addHelpText('after', examples)
    .action(async (words: string[], flags: MockFlags) => {
      refuseMistyped(command, words);
      const { runMock } = await import('./mock-run.js');
      process.exitCode = await runMock(flags, words);
    });
  command
    .command('switches')
    .description('List the switches of gamedata mock --set, and the open point that each decides.')
    .optionsGroup('Output:')
    .option('--json', 'print one line of JSON')
    .action(async ({ json = false }: { json?: boolean }) => {
      const { switchJson, switchList } = await import('./switch-list.js');
      const { stdout } = process;
      stdout.write(json ? switchJson() : switchList(paintFor(terminalOf(stdout, process.env)), stdout.columns));
    });
  return command;
}
