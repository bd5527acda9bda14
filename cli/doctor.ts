import { randomBytes } from 'node:crypto';
import { Command } from 'commander';

import { ledger } from '../conformance/ledger.gen.js';
import { jsonText } from '../conformance/text.js';
import { connectionOf } from '../conformance/target/connection.js';
import { describeTarget } from '../conformance/target/describe.js';
import { doctor } from '../conformance/target/doctor.js';
import { plainTransport } from '../conformance/target/plain-transport.js';
import { closingText, findingText, settingsText } from './doctor-screen.js';
import { paintFor, terminalOf } from '../conformance/report/terminal.js';
import { targetFrom, withTargetOptions } from './target-options.js';

const closing = `
It checks that the addresses are reachable, the clients log in, the redirect URIs are accepted, the clock and the codec
answer, and the server has what the target file says under known. Exit codes: 0 ready, 2 configuration error.

Examples:
  gamedata doctor --target target.yaml
  gamedata doctor --target target.yaml --json`;

/** `gamedata doctor`. */
export function doctorCommand(stdout: NodeJS.WriteStream = process.stdout): Command {
  return withTargetOptions(new Command('doctor').usage('[options]'))
    .optionsGroup('Limits:')
    .option('--wait', 'count the checks that verify --wait lets run')
    .optionsGroup('Output:')
    .option('--json', 'print one line of JSON')
    .addHelpText('after', closing)
    .action(async (options: Readonly<Record<string, unknown>>) => {
      const target = await targetFrom(options);
      const settings = describeTarget(target);
      const paint = paintFor(terminalOf(stdout, process.env));
      const show = (text: string): void => void (options.json === true || stdout.write(text));
      show(settingsText(settings, paint));
      const report = await doctor(target, {
        transport: plainTransport(connectionOf(target)),
        now: Date.now,
        random: (bytes) => randomBytes(bytes).toString('base64url'),
        wait: options.wait === true,
        rows: ledger,
        onFinding: (finding) => show(findingText(finding, paint)),
      });
      show(closingText(report, paint));
      if (options.json === true) stdout.write(`${jsonText({ ...report, target: settings })}\n`);
      if (!report.ready) process.exitCode = 2;
    });
}
