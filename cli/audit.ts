import { Command, InvalidArgumentError } from 'commander';

import type { AuditFlags } from './audit-run.js';
import { interfaceOptions } from './interface-options.js';
import { withOutputOptions } from './output-options.js';
import { refuseMistyped } from './mistyped.js';
import { wholeNumber } from './whole-number.js';

const closing = `
The command gets the addresses, clients, tokens and accounts of a mock as GAMEDATA_… variables, and a browser that
consents (BROWSER, and xdg-open on its PATH). --env gives them its own names; the placeholders are base_url, auth_url,
client_id, client_secret, redirect_uri, public_client_id, public_redirect_uri, service_client_id,
service_client_secret, account, league, token, service_token, state and copy.

Exit codes: 0 no violation in what was judged, 1 violations, 2 configuration or suite error, 3 incomplete.

Examples:
  gamedata audit -- npm test
  gamedata audit --env API_URL=base_url --env CLIENT_ID=public_client_id -- ./sync --once
  gamedata audit --world lost-refresh-reply --only REFRESH -- python3 client.py
  gamedata audit --copies 8 -- ./sync --once             several processes of one client at once
  gamedata audit --plan client.yaml --report out/
  gamedata audit --profile observed -- ./sync --once      for a client of live services
  gamedata audit watch --port 4010
  gamedata audit list --only PACE`;

const words = (text: string, earlier: readonly string[] = []): readonly string[] => {
  const named = text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');
  if (named.length === 0) throw new InvalidArgumentError('It takes a name.');
  return [...earlier, ...named];
};

function codes(text: string): readonly number[] {
  return text.split(',').map(wholeNumber(0, 255));
}

function assigned(text: string, earlier: Readonly<Record<string, string>> = {}): Record<string, string> {
  const [name = '', ...rest] = text.split('=');
  if (name === '' || rest.length === 0) throw new InvalidArgumentError('It takes NAME=placeholder.');
  return { ...earlier, [name]: rest.join('=') };
}

/** `gamedata audit`. What runs is loaded when the command line is understood. */
export function auditCommand(): Command {
  const command = new Command('audit')
    .usage(
      '[options] -- command...\n       gamedata audit watch [--port <number>]\n       gamedata audit list [--only <ids>]\n       gamedata audit worlds',
    )
    .argument('[command...]', 'the client: a command and its arguments')
    .optionsGroup('Client:')
    .option('--plan <file>', 'what the audit cannot observe: how it is started, and when it succeeds')
    .option('--env <name=placeholder>', 'pass a value of the mock under a name of its own; may be repeated', assigned)
    .option('--again <command>', 'a shell command that starts the client a second time, with what it stored')
    .option(
      '--stop-after <seconds>',
      'for a client that never exits: stop it after this many seconds',
      wholeNumber(1, 600),
    )
    .option('--success <codes>', 'exit codes that are success, such as 0,2; default: 0', codes)
    .option('--copies <number>', 'also run this many copies at once, in worlds of their own', wholeNumber(2, 64))
    .option('--auto-approve', 'redirect at once in place of the consent page')
    .optionsGroup('Selection:')
    .option('--world <names>', 'worlds to run it in, in addition to calm; default: all', words)
    .option('--only <ids>', 'requirements, or their beginnings up to a dash: REFRESH, PACE-RETRY-001', words);
  interfaceOptions(command)
    .optionsGroup('Limits:')
    .option(
      '--time-limit <seconds>',
      'maximum time per start; default: 120 in the calm world, then 20 and four times what that took; worlds about a time have their own',
      wholeNumber(1, 3600),
    )
    .option('--jobs <number>', 'worlds at a time', wholeNumber(1, 16), 3)
    .optionsGroup('Known deviations:')
    .option('--baseline <file>', 'accept known deviations: a YAML list of id, reason, issue, expires')
    .option('--write-baseline <file>', 'write the failures as a baseline to a new file')
    .option('--force', 'with --write-baseline: overwrite the file')
    .optionsGroup('Output:')
    .option('--report <folder>', 'write report.json, report.html, summary.md, junit.xml, report.sarif and a badge');
  withOutputOptions(command)
    .addHelpText('after', closing)
    .action(async (client: string[], flags: AuditFlags) => {
      refuseMistyped(command, client, true);
      const { auditAndTell } = await import('./audit-run.js');
      process.exitCode = await auditAndTell(client, flags);
    });
  command
    .command('watch')
    .description('Serve a mock that judges any client that connects; Ctrl-C prints the verdict.')
    .option('--port <number>', 'port to listen on, 0 for any', wholeNumber(0, 65535), 4010)
    .option('--world <name>', 'the world to serve', 'calm')
    .option('--report <folder>', 'write the reports as well')
    .addHelpText('after', '\nExample:\n  gamedata audit watch --port 0 --world access-ends')
    .action(async (flags: { port: number; world: string; report?: string }) => {
      const { watchAndTell } = await import('./audit-run.js');
      process.exitCode = await watchAndTell(flags);
    });
  command
    .command('list')
    .description('List the requirements that a client is judged by.')
    .option('--only <ids>', 'requirements, or their beginnings up to a dash', words)
    .addHelpText('after', '\nExample:\n  gamedata audit list --only PACE,TOK-KEEP')
    .action(async ({ only = [] }: { only?: readonly string[] }) => {
      const { listRows } = await import('./audit-run.js');
      process.stdout.write(listRows(only));
    });
  command
    .command('worlds')
    .description('List the worlds, and why a correct service may behave that way.')
    .addHelpText('after', '\nExample:\n  gamedata audit worlds')
    .action(async () => {
      const { listWorlds } = await import('./audit-run.js');
      process.stdout.write(listWorlds());
    });
  return command;
}
