import { Command } from 'commander';

import { withTargetOptions } from './target-options.js';

const closing = `
Exit codes: 0 fixed, 1 still fails or fails differently, 2 configuration error, 3 could not be run.

It tests the target as the run did: its target file, with the flags that were given over it. Secrets are not kept: give
those flags again. --target or --base-url names another server, with all that is to be said of it.

Examples:
  gamedata replay out/repro/TOK-REFRESH-004.json
  gamedata replay out/repro/TOK-REFRESH-004.json --target other.yaml`;

/** `gamedata replay`. */
export function replayCommand(): Command {
  return withTargetOptions(new Command('replay').usage('[options] <file>'))
    .argument('<file>', 'a JSON file that gamedata verify --report wrote below repro/')
    .addHelpText('after', closing)
    .action(async (file: string, flags: Readonly<Record<string, unknown>>) => {
      const { replayAndPrint } = await import('./replay-run.js');
      process.exitCode = await replayAndPrint(file, flags);
    });
}
