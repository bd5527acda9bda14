import { Command } from 'commander';

import type { CheckFlags } from './check-run.js';
import { requirementOption } from './requirement-option.js';
import { withTargetOptions } from './target-options.js';

const closing = `
Without an address, the first host that is asked for something of the contract is the server.

Exit codes: 0 no violation in what was judged, 1 violations, 2 configuration or suite error, 3 nothing could be judged.

Examples:
  gamedata check traffic.har
  gamedata check recordings/ --base-url https://api.example --report out/
  gamedata check traffic.har --redact shareable.har`;

/** `gamedata check`. What judges is loaded when the command line is understood. */
export function checkCommand(): Command {
  return withTargetOptions(
    new Command('check')
      .usage('[options] <recording...>')
      .argument('<recording...>', 'HAR files, JSON lines with an entry of a HAR on each, or folders of them'),
    ['base-url', 'auth-url', 'flag', 'name'],
  )
    .addOption(requirementOption())
    .optionsGroup('Known deviations:')
    .option('--baseline <file>', 'accept known deviations: a YAML list of id, reason, issue, expires')
    .optionsGroup('Output:')
    .option('--report <folder>', 'write report.json, report.html, summary.md, junit.xml, report.sarif and a badge')
    .option('--redact <path>', 'write a copy without credentials, personal names and ids; of several files a folder')
    .addHelpText('after', closing)
    .action(async (paths: string[], flags: CheckFlags) => {
      const { checkAndTell } = await import('./check-run.js');
      process.exitCode = await checkAndTell(paths, flags);
    });
}
