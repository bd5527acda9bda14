import { writeFile } from 'node:fs/promises';
import { Command } from 'commander';

import { targetTemplate } from '../../conformance/target/init.js';
import { targetSchema } from '../../conformance/target/schema.js';
import { UsageError } from './usage-error.js';

interface Flags {
  readonly init?: boolean;
  readonly schema?: boolean;
  readonly out?: string;
  readonly force?: boolean;
}

const examples = `
Examples:
  gamedata target --init --out target.yaml    a file to fill in; then gamedata doctor --target target.yaml
  gamedata target --schema > target.schema.json
  gamedata mock --target -                    the target file of a mock, filled in
`;

/** `gamedata target`: what a target file is. */
export function targetCommand(stdout: NodeJS.WritableStream = process.stdout): Command {
  return new Command('target')
    .option('--init', 'write a commented target file to fill in')
    .option('--schema', 'print the JSON Schema of target files')
    .option('--out <file>', 'write to a file that does not exist yet, and not to standard output')
    .option('--force', 'with --out: overwrite the file')
    .addHelpText('after', examples)
    .action(async ({ init = false, schema = false, out, force = false }: Flags) => {
      if (init === schema) {
        const what = init ? 'two things are asked for' : 'nothing to do';
        throw new UsageError(`target: ${what}; say --init or --schema (gamedata target --help shows how)`);
      }
      const text = init ? targetTemplate() : `${JSON.stringify(targetSchema, null, 2)}\n`;
      if (out === undefined || out === '-') stdout.write(text);
      else await write(out, text, force);
    });
}

async function write(file: string, text: string, force: boolean): Promise<void> {
  await writeFile(file, text, { flag: force ? 'w' : 'wx' }).catch(({ code, message }: NodeJS.ErrnoException) => {
    if (code === 'EEXIST')
      throw new UsageError(`target --out ${file}: the file exists; name another one, or add --force to overwrite it`);
    throw new UsageError(
      `target --out ${file}: cannot be written (${code ?? message}); name a file in a folder that exists`,
    );
  });
}
