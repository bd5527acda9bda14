import { Command } from 'commander';

import { withTargetOptions } from './target-options.js';

const about = `
Runs one failure of an earlier run again, its smallest case first: fixed, still fails, or changed.
Exit code 0: fixed. 1: still fails, or fails otherwise. 2: not set up. 3: could not be run.
`;

/** `gamedata replay`. */
export function replayCommand(): Command {
  return withTargetOptions(new Command('replay'))
    .argument('<file>', 'a JSON file that gamedata verify --report wrote below repro/')
    .addHelpText('before', `${about}\n`)
    .action(async (file: string, flags: Readonly<Record<string, unknown>>) => {
      const { replayAndTell } = await import('./replay-run.js');
      process.exitCode = await replayAndTell(file, flags);
    });
}
