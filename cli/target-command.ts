import { Command } from 'commander';

import { connectionOf } from '../conformance/target/connection.js';
import { discovered } from '../conformance/target/discovery.js';
import type { Discovery } from '../conformance/target/discovery.js';
import { plainTransport } from '../conformance/target/plain-transport.js';
import { line } from '../conformance/text.js';
import { targetTemplate } from '../conformance/target/init.js';
import { targetSchema } from '../conformance/target/schema.js';
import { called } from './called.js';
import { writeNew } from './new-file.js';
import { quoted } from './quoted.js';

interface Flags {
  readonly out?: string;
  readonly force?: boolean;
  readonly from?: string;
  readonly ca?: string;
  readonly proxy?: string;
}

const examples = `
Examples:
  gamedata target init --out target.yaml          a file to fill in; then gamedata doctor --target target.yaml
  gamedata target init --from https://login.example/realms/one --out target.yaml
  gamedata target schema --out target.schema.json
  gamedata mock --write-target -                  the target file of a mock, filled in`;

/** What to do with what was written. */
const next: Readonly<Record<string, (file: string) => string>> = {
  init: (file) => `. Fill it in; ${called()} doctor --target ${quoted(file)} checks it.`,
};

/** `gamedata target`: what a target file is. */
export function targetCommand(
  stdout: NodeJS.WritableStream = process.stdout,
  stderr: NodeJS.WritableStream = process.stderr,
): Command {
  const command = new Command('target').usage('<command> [options]').addHelpText('after', examples);
  const writes = (name: string, about: string, text: (flags: Flags) => string | Promise<string>): Command =>
    command
      .command(name)
      .description(about)
      .optionsGroup('Output:')
      .option('--out <file>', 'write to a file that does not exist yet, and not to standard output')
      .option('--force', 'with --out: overwrite the file')
      .action(async (flags: Flags) => {
        const { out = '-', force = false } = flags;
        const written = await text(flags);
        if (out === '-') stdout.write(written);
        else {
          await writeNew({ option: `target ${name} --out`, file: out, force }, written);
          stderr.write(`Written: ${line(out)}${next[name]?.(out) ?? '.'}\n`);
        }
      });
  writes('init', 'Write a commented target file to fill in.', async (flags) => {
    const { from } = flags;
    if (from === undefined) return targetTemplate();
    const found = await discovered(from, plainTransport(connectionOf(flags)));
    tell(found, stderr);
    return targetTemplate(found);
  })
    .optionsGroup('Server:')
    .option('--from <issuer>', 'fill in what the metadata of an authorization server says (RFC 8414, OpenID Connect)')
    .option('--ca <file>', 'PEM file of a certificate authority that its certificate is from')
    .option('--proxy <url>', 'proxy to ask it through');
  writes('schema', 'Write the JSON Schema of target files.', () => `${JSON.stringify(targetSchema, null, 2)}\n`);
  return command;
}

/** What was read and what is missing. */
function tell({ sources, paths, remarks }: Discovery, stderr: NodeJS.WritableStream): void {
  for (const source of sources) stderr.write(`read ${source}\n`);
  for (const [endpoint, path] of Object.entries(paths)) stderr.write(`  paths.${endpoint}: ${line(path)}\n`);
  for (const remark of remarks) stderr.write(`  note: ${line(remark)}\n`);
}
