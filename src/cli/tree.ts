import { Command, Option } from 'commander';

import {
  encodeTree,
  inspectLink,
  linkText,
  TreeLinkError,
  type ByteOrder,
  type LinkDetails,
  type PassiveTree,
} from '../passive-tree/index.js';
import { servePipe } from './tree-pipe.js';
import { treeText } from './tree-text.js';
import { textFile } from '../input/file.js';
import { UsageError } from './usage-error.js';

/** Where the command reads and writes: the process's own streams unless told otherwise. */
export interface TreeStreams {
  stdin: NodeJS.ReadableStream;
  stdout: NodeJS.WritableStream;
}

interface EncodeFlags {
  file?: string;
  byteOrder: ByteOrder;
  padding: boolean;
}

const EXAMPLE = '{"version":4,"class":3,"ascendancy":0,"fullscreen":true,"hashes":[256,1]}';

const examples = `
Examples:
  gamedata tree decode AAAABgYXARI0AavNAavNEjQ
  gamedata tree encode --file tree.json
  gamedata verify --target target.yaml --tree-codec 'npx gamedata tree pipe'`;

/**
 * `gamedata tree`: passive and atlas tree links (interface 2, "Serialised passive tree") read and written.
 *
 * @throws UsageError in one line that says what is wrong, where, and how to mend it
 */
export function treeCommand({ stdin, stdout }: TreeStreams = process): Command {
  const command = new Command('tree').usage('<command> [options]').addHelpText('after', examples);

  command
    .command('decode')
    .description('Show what links hold.')
    .usage('[options] <links...>')
    .argument('<links...>', 'links, or URLs that contain one')
    .option('--json', 'one tree a line as JSON, as encode takes it')
    .action((links: string[], { json }: { json?: boolean }) => {
      links.forEach((input, index) => {
        const details = read(input, links.length > 1 ? `link ${index + 1} of ${links.length}: ` : '');
        const gap = index > 0 && !json ? '\n' : '';
        stdout.write(gap + (json ? `${JSON.stringify(details.tree)}\n` : treeText(details)));
      });
    });

  command
    .command('encode')
    .description('Write the link of a tree.')
    .usage('[options] [tree]')
    .argument('[tree]', 'the tree as JSON; without it and --file, standard input')
    .option('--file <path>', 'read the JSON from a file')
    .addOption(new Option('--byte-order <order>', 'of all integers').choices(['big', 'little']).default('big'))
    .option('--no-padding', 'leave off the "=" at the end')
    .addHelpText('after', `\nExample:\n  gamedata tree encode '${EXAMPLE}'`)
    .action(async (argument: string | undefined, { file, byteOrder, padding }: EncodeFlags) => {
      if (argument !== undefined && file !== undefined) {
        throw new UsageError('tree encode: a tree is given twice; leave out the argument or --file');
      }
      const [text, source] = await textOf(argument, file, stdin);
      stdout.write(`${write(parsed(text, source), source, { byteOrder, padding })}\n`);
    });

  command
    .command('pipe')
    .description('Answer decode and encode requests, one JSON object a line, until the input ends.')
    .addHelpText(
      'after',
      `\nExample:\n  echo '{"id":1,"op":"decode","link":"AAAABgYXARI0AavNAavNEjQ"}' | gamedata tree pipe`,
    )
    .action(() => servePipe(stdin, stdout));

  return command;
}

function read(input: string, which: string): LinkDetails {
  try {
    return inspectLink(linkText(input));
  } catch (error) {
    if (!(error instanceof TreeLinkError)) throw error;
    // Of a link that was read as it is, another copy says the same.
    const again =
      error.reason === 'version' && error.message.includes('older') ? '' : '; copy the whole link, or its URL, again';
    throw new UsageError(`tree decode: ${which}${error.message}${again}`);
  }
}

async function textOf(argument: string | undefined, file: string | undefined, stdin: NodeJS.ReadableStream) {
  if (argument !== undefined) return [argument, 'the argument'] as const;
  if (file !== undefined) return [textFile(file, 'a file with a tree as JSON'), file] as const;
  const chunks: Buffer[] = [];
  for await (const chunk of stdin) chunks.push(Buffer.from(chunk));
  return [Buffer.concat(chunks).toString('utf8'), 'standard input'] as const;
}

function parsed(text: string, source: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    const why = text.trim() === '' ? 'is empty' : `is not JSON (${(error as Error).message.replaceAll('\n', ' ')})`;
    throw new UsageError(`tree encode: ${source} ${why}; give a tree such as ${EXAMPLE}`);
  }
}

function write(tree: unknown, source: string, options: { byteOrder: ByteOrder; padding: boolean }): string {
  try {
    return encodeTree(tree as PassiveTree, options);
  } catch (error) {
    if (!(error instanceof TreeLinkError)) throw error;
    throw new UsageError(`tree encode: ${source}: ${error.message}`);
  }
}
