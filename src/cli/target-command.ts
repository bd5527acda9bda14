import { writeFile } from 'node:fs/promises';
import { Command } from 'commander';

import { targetTemplate } from '../../conformance/target/init.js';
import { targetSchema } from '../../conformance/target/schema.js';
import { UsageError } from './usage-error.js';

interface Flags {
  readonly out?: string;
  readonly force?: boolean;
}

const examples = `
Examples:
  gamedata target init --out target.yaml          a file to fill in; then gamedata doctor --target target.yaml
  gamedata target schema --out target.schema.json
  gamedata mock --write-target -                  the target file of a mock, filled in`;

/** `gamedata target`: what a target file is. */
export function targetCommand(stdout: NodeJS.WritableStream = process.stdout): Command {
  const command = new Command('target').usage('<command> [options]').addHelpText('after', examples);
  const writes = (name: string, about: string, text: () => string): Command =>
    command
      .command(name)
      .description(about)
      .optionsGroup('Output:')
      .option('--out <file>', 'write to a file that does not exist yet, and not to standard output')
      .option('--force', 'with --out: overwrite the file')
      .action(async ({ out = '-', force = false }: Flags) => {
        if (out === '-') stdout.write(text());
        else await write(`target ${name}`, out, text(), force);
      });
  writes('init', 'Write a commented target file to fill in.', targetTemplate);
  writes('schema', 'Write the JSON Schema of target files.', () => `${JSON.stringify(targetSchema, null, 2)}\n`);
  return command;
}

async function write(command: string, file: string, text: string, force: boolean): Promise<void> {
  await writeFile(file, text, { flag: force ? 'w' : 'wx' }).catch(({ code, message }: NodeJS.ErrnoException) => {
    if (code === 'EEXIST')
      throw new UsageError(
        `${command} --out ${file}: the file exists; name another one, or add --force to overwrite it`,
      );
    throw new UsageError(
      `${command} --out ${file}: cannot be written (${code ?? message}); name a file in a folder that exists`,
    );
  });
}
