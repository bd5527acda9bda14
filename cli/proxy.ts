import { Command } from 'commander';

import { wholeNumber } from './whole-number.js';
import { withOutputOptions } from './output-options.js';
import type { ProxyFlags } from './proxy-run.js';
import { requirementOption } from './requirement-option.js';
import { withTargetOptions } from './target-options.js';

const closing = `
Point the client at the address that it prints. An authorization server at another origin gets the next port.
Exit codes: 0 no violation in what was judged, 1 violations on either side, 2 configuration error, 3 no server
response could be judged.

Examples:
  gamedata proxy --target target.yaml --port 4020
  gamedata proxy --base-url https://staging.example --admin-port 4021 --report out/
  gamedata proxy --target target.yaml --host 0.0.0.0 --record session.har    for a phone in the same network`;

/** `gamedata proxy`. What passes and judges is loaded when it is about to listen. */
export function proxyCommand(): Command {
  const command = withTargetOptions(new Command('proxy').usage('[options]'), [
    'base-url',
    'auth-url',
    'path',
    'ca',
    'client-cert',
    'client-key',
    'proxy',
    'flag',
    'name',
  ])
    .optionsGroup('Address:')
    .option('--port <number>', 'port to listen on, 0 for any', wholeNumber(0, 65535), 4020)
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option(
      '--allow-host <name>',
      'accept requests for this host as well as addresses, localhost and the server; may be repeated',
      (name: string, earlier: readonly string[] = []) => [...earlier, name],
    )
    .option('--admin-port <number>', 'serve the reports so far on this port, 0 for any', wholeNumber(0, 65535))
    .option('--rewrite', 'put its own address in place of the server’s in Location and in metadata')
    .addOption(requirementOption())
    .optionsGroup('Known deviations:')
    .option('--baseline <file>', 'accept known deviations: a YAML list of id, reason, issue, expires')
    .optionsGroup('Output:')
    .option('--report <folder>', 'write report.json, report.html, summary.md, junit.xml, report.sarif and a badge')
    .option('--record <file>', 'record what passes without credentials, personal names and ids: .har or .jsonl')
    .option('--ready-file <file>', 'write its addresses to a file once it listens; it is removed at the end');
  return withOutputOptions(command)
    .addHelpText('after', closing)
    .action(async (flags: ProxyFlags) => {
      const { runProxy } = await import('./proxy-run.js');
      process.exitCode = await runProxy(flags);
    });
}
