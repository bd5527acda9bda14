import { createInterface } from 'node:readline';

import { Command, Option } from 'commander';

import { visible } from '../conformance/text.js';
import {
  encodeTree,
  inspectLink,
  linkText,
  TreeLinkError,
  type ByteOrder,
  type LinkDetails,
  type PassiveTree,
} from '../src/passive-tree/index.js';
import { servePipe } from './tree-pipe.js';
import { treeText } from './tree-text.js';
import { textFile } from '../src/input/file.js';
import { UsageError } from './usage-error.js';

/** Where the command reads and writes: the process's own streams unless told otherwise. */
export interface TreeStreams {
  stdin: NodeJS.ReadableStream;
  stdout: NodeJS.WritableStream;
  stderr: NodeJS.WritableStream;
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
  gamedata tree decode --json < links.txt
  gamedata tree encode --file tree.json
  gamedata verify --target target.yaml --tree-codec 'npx gamedata tree pipe'`;

/**
 * `gamedata tree`: passive and atlas tree links (interface 2, "Serialised passive tree") read and written.
 *
 * `decode` reports each link that it cannot read on standard error, goes on, and sets the exit code 1.
 *
 * @throws UsageError in one line that says what is wrong, where, and how to fix it
 */
export function treeCommand({ stdin, stdout, stderr }: TreeStreams = process): Command {
  const command = new Command('tree').usage('<command> [options]').addHelpText('after', examples);

  command
    .command('decode')
    .description('Decode links.')
    .usage('[options] [links...]')
    .argument('[links...]', 'links, or URLs that contain one; without any, standard input, one a line')
    .option('--json', 'one tree a line as JSON, as encode takes it')
    .action((links: string[], { json }: { json?: boolean }) =>
      decodeLinks(links.length > 0 ? given(links) : linesOf(stdin), json === true, { stdout, stderr }),
    );

  command
    .command('encode')
    .description('Encode a tree as a link.')
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

/** @throws UsageError where there is no link */
async function decodeLinks(
  links: Iterable<PlacedLink> | AsyncIterable<PlacedLink>,
  json: boolean,
  { stdout, stderr }: Pick<TreeStreams, 'stdout' | 'stderr'>,
): Promise<void> {
  let [good, bad] = [0, 0];
  for await (const { place, link } of links) {
    const found = readLink(link);
    if (typeof found === 'string') {
      bad += 1;
      stderr.write(`${visible(`gamedata tree decode: ${place}${found}`)}\n`);
      continue;
    }
    stdout.write(json ? `${JSON.stringify(found.tree)}\n` : (good > 0 ? '\n' : '') + treeText(found));
    good += 1;
  }
  if (bad > 0) process.exitCode = 1;
  if (good + bad > 1 && bad > 0)
    stderr.write(`gamedata tree decode: ${bad} of ${good + bad} links could not be read\n`);
  if (good + bad === 0) throw new UsageError('tree decode: there is no link; give some, or a file with one a line');
}

interface PlacedLink {
  readonly place: string;
  readonly link: string;
}

const given = (links: readonly string[]): PlacedLink[] =>
  links.map((link, index) => ({ place: links.length > 1 ? `link ${index + 1} of ${links.length}: ` : '', link }));

/** The links on lines, without the space around them; empty lines hold none. */
async function* linesOf(input: NodeJS.ReadableStream): AsyncGenerator<PlacedLink> {
  let number = 0;
  for await (const line of createInterface({ input })) {
    number += 1;
    const link = line.replace(/^\uFEFF/, '').trim();
    if (link !== '') yield { place: `line ${number}: `, link };
  }
}

/** What a link holds, or why it cannot be read and what to do. */
export function readLink(input: string): LinkDetails | string {
  try {
    return inspectLink(linkText(input));
  } catch (error) {
    if (!(error instanceof TreeLinkError)) throw error;
    // Of a link that was read as it is, another copy says the same.
    const again =
      error.reason === 'version' && error.message.includes('older') ? '' : '; copy the whole link, or its URL, again';
    return `${error.message}${again}`;
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
