import { pipeline } from 'node:stream/promises';

import { clip, jsonText } from '../conformance/text.js';
import { decodeTree, encodeTree, linkText, type EncodeOptions, type PassiveTree } from '../src/passive-tree/index.js';

type Answer = { id: unknown; ok: true; tree: PassiveTree } | { id: unknown; ok: true; link: string } | Refusal;
type Refusal = { id: unknown; ok: false; error: string };

/**
 * The codec over a pipe (control protocol, section 3): a JSON object a line in, one out for each, in order and with
 * its `id`. A line that cannot be answered is answered with what is wrong with it, and never ends the pipe. Ends when
 * `input` does; reads no faster than `output` takes.
 */
export async function servePipe(input: NodeJS.ReadableStream, output: NodeJS.WritableStream): Promise<void> {
  await pipeline(
    input,
    async function* (chunks: AsyncIterable<string | Uint8Array>) {
      for await (const lines of linesOf(chunks)) {
        const answers = lines.filter((line) => line === overlong || line.trim() !== '').map(answerLine);
        if (answers.length > 0) yield `${answers.join('\n')}\n`;
      }
    },
    output,
    { end: false },
  );
}

/** Longer lines hold no tree and no link, and are not kept. */
const mostCharacters = 1024 * 1024;
const overlong = Symbol('a line that is too long');

/**
 * The whole lines of each chunk. Node's readline is not used: it also ends a line at U+2028 and U+2029, which JSON
 * allows within a string.
 */
async function* linesOf(chunks: AsyncIterable<string | Uint8Array>): AsyncGenerator<(string | typeof overlong)[]> {
  const decoder = new TextDecoder();
  let begun: string[] = [];
  let length = 0;
  const add = (text: string): void => {
    length += text.length;
    if (length <= mostCharacters) begun.push(text);
    else begun = [];
  };
  const end = (): string | typeof overlong => {
    const whole = length > mostCharacters ? overlong : begun.join('');
    begun = [];
    length = 0;
    return whole;
  };
  for await (const chunk of chunks) {
    const text = typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true });
    const [first = '', ...rest] = text.split('\n');
    add(first);
    if (rest.length === 0) continue;
    yield rest.map((next) => {
      const line = end();
      add(next);
      return line;
    });
  }
  add(decoder.decode());
  yield [end()];
}

function answerLine(line: string | typeof overlong): string {
  if (line === overlong) return jsonText(refusal(null, `a line of more than ${mostCharacters} characters; send less`));
  try {
    return jsonText(answer(line));
  } catch {
    // An id, as it may be anything, may nest deeper than can be written.
    return jsonText(refusal(null, 'nests too deep to be answered; send a number or a text as id'));
  }
}

function answer(line: string): Answer {
  let question: unknown;
  try {
    question = JSON.parse(line);
  } catch (error) {
    return refusal(null, `not JSON: ${messageOf(error)}`);
  }
  if (typeof question !== 'object' || question === null || Array.isArray(question)) {
    return refusal(null, 'not a JSON object: send {"id":1,"op":"decode","link":"…"}');
  }
  const { id = null, op, link, tree, byteOrder, padding } = question as Record<string, unknown>;
  try {
    // The codec checks what it is given, whatever it is.
    if (op === 'decode')
      return { id, ok: true, tree: decodeTree(typeof link === 'string' ? linkText(link) : (link as string)) };
    if (op === 'encode') {
      return { id, ok: true, link: encodeTree(tree as PassiveTree, { byteOrder, padding } as EncodeOptions) };
    }
  } catch (error) {
    return refusal(id, messageOf(error));
  }
  return refusal(
    id,
    `op must be "decode" or "encode", got ${typeof op === 'string' ? JSON.stringify(clip(op, 40)) : op === undefined ? 'none' : 'no text'}`,
  );
}

function refusal(id: unknown, error: string): Refusal {
  return { id, ok: false, error };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
