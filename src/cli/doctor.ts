import { randomBytes } from 'node:crypto';
import { Command } from 'commander';

import { targetFrom, withTargetOptions } from './target-options.js';

const about = `
Looks at the set-up before a run does: are the addresses reachable, do the clients log in, are the redirect URIs
accepted, what does the clock say, does the codec answer, what can run and what would let more run. Exit code 0 when
all is set up, 2 otherwise.
`;

/** `gamedata doctor`. What looks is loaded when it is about to look. */
export function doctorCommand(stdout: NodeJS.WriteStream = process.stdout): Command {
  return withTargetOptions(new Command('doctor'))
    .option('--wait', 'count what --wait lets run')
    .option('--json', 'print one line of JSON')
    .addHelpText('before', `${about}\n`)
    .action(async (options: Readonly<Record<string, unknown>>) => {
      const [{ doctor }, { plainTransport }, { describeTarget }, { ledger }, screen, { paintFor }] = await Promise.all([
        import('../../conformance/target/doctor.js'),
        import('../../conformance/target/plain-transport.js'),
        import('../../conformance/target/describe.js'),
        import('../../conformance/ledger.gen.js'),
        import('./doctor-screen.js'),
        import('./screen.js'),
      ]);
      const target = await targetFrom(options);
      const paint = paintFor(stdout, process.env);
      const json = options.json === true;
      if (!json) stdout.write(screen.settingsText(describeTarget(target), paint));
      const report = await doctor(target, {
        transport: plainTransport,
        now: Date.now,
        random: (bytes) => randomBytes(bytes).toString('base64url'),
        wait: options.wait === true,
        rows: ledger.filter(({ how }) => how !== 'excluded'),
        onFinding: (finding) => void (json || stdout.write(screen.findingText(finding, paint))),
      });
      stdout.write(
        json ? `${JSON.stringify({ ...report, target: describeTarget(target) })}\n` : screen.closingText(report, paint),
      );
      if (!report.ready) process.exitCode = 2;
    });
}
