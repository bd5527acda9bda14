import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable, Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { Command } from 'commander';
import { afterEach, describe, expect, it } from 'vitest';

import { acting } from '../conformance/speech.fixture.js';
import { treeCommand } from './tree.js';

afterEach(() => (process.exitCode = undefined));

/** Runs the command as `gamedata` would, on streams of its own; what it complains of is added to `complaints`. */
async function tree(args: string[], input: Iterable<string | Buffer> = [], complaints: string[] = []): Promise<string> {
  let written = '';
  const stderr = new Writable({
    write(chunk: Buffer, _, done) {
      complaints.push(chunk.toString());
      done();
    },
  });
  const stdout = new Writable({
    highWaterMark: 16,
    write(chunk: Buffer, _, done) {
      written += chunk.toString();
      setImmediate(done);
    },
  });
  const command = treeCommand({ stdin: Readable.from(input, { objectMode: false }), stdout, stderr });
  await new Command('gamedata').addCommand(command).parseAsync(['tree', ...args], { from: 'user' });
  stdout.end();
  await finished(stdout);
  return written;
}

const failure = (args: string[], input?: string[]) =>
  tree(args, input).then(
    () => 'no failure',
    (error: Error) => `${error.name}: ${error.message}`,
  );

const LINK = 'AAAABgYXARI0AavNAavNEjQ=';
const TREE =
  '{"version":6,"class":6,"ascendancy":3,"bloodline":5,"hashes":[4660],"extended":[43981],' +
  '"mastery":[{"node":4660,"effect":43981}]}';

describe('tree decode', () => {
  it('shows a link to people', async () => {
    expect(await tree(['decode', LINK])).toBe(
      'version 6, big-endian, padded, 17 bytes\nclass 6, ascendancy 3, bloodline 5\n' +
        'hashes (1): 4660\nextended (1): 43981\nmastery (1): 4660 -> 43981\n',
    );
  });

  it('takes links out of URLs, several at once', async () => {
    const output = await tree([
      'decode',
      'https://example.com/passive-skill-tree/AAAABAMAAQEAAAE=?x=1',
      'BgAAAAAAAAAA',
    ]);
    expect(output).toBe(
      'version 4, big-endian, padded, 11 bytes\nclass 3, ascendancy 0\nfullscreen yes\nhashes (2): 256 1\n\n' +
        'version 6, little-endian, padded, 9 bytes\nclass 0, ascendancy 0, bloodline 0\n' +
        'hashes (0)\nextended (0)\nmastery (0)\n',
    );
  });

  it('gives a tree a line as JSON, which encode takes', async () => {
    expect(await tree(['decode', '--json', LINK, LINK])).toBe(`${TREE}\n${TREE}\n`);
    expect(await tree(['encode'], [await tree(['decode', '--json', LINK])])).toBe(`${LINK}\n`);
  });

  it.each([
    [
      'AAAABgAAAfdP',
      'expected count of extended hashes (1 byte) at offset 9, 0 bytes left; copy the whole link, or its URL, again',
    ],
    ['AAAAAwMAAQEA', 'version 3 at offset 0 is older than 4, 5 and 6, which can be read; make the link anew'],
  ])('says what is wrong with %s, where, and how to fix it', async (link, words) => {
    const complaints: string[] = [];
    expect(await tree(['decode', link], [], complaints)).toBe('');
    expect(complaints).toEqual([`gamedata tree decode: ${words}\n`]);
    expect(process.exitCode).toBe(1);
  });

  it('goes on after a bad link, and tells each', async () => {
    const complaints: string[] = [];
    const output = await tree(['decode', '--json', '####', LINK, 'AAAABgAAAfdP', LINK], [], complaints);
    expect(output).toBe(`${TREE}\n${TREE}\n`);
    expect(complaints).toEqual([
      expect.stringMatching(/^gamedata tree decode: link 1 of 4: character 0 is "#"/),
      expect.stringMatching(/^gamedata tree decode: link 3 of 4: expected count .* at offset 9/),
      'gamedata tree decode: 2 of 4 links could not be read\n',
    ]);
    expect(process.exitCode).toBe(1);
  });

  it('takes links from standard input, one a line, and names the lines of bad ones', async () => {
    const complaints: string[] = [];
    const lines = `\uFEFF${LINK}\r\n\n  https://example.com/tree/${LINK}  \n#\u001b[31m\n${LINK}`;
    expect(await tree(['decode', '--json'], [lines.slice(0, 7), lines.slice(7)], complaints)).toBe(
      `${TREE}\n`.repeat(3),
    );
    expect(complaints[0]).toMatch(/^gamedata tree decode: line 4: character 0 is "#"/);
    expect(acting(complaints.join(''))).toEqual([]);
    expect(await failure(['decode'], [''])).toMatch(/there is no link; give some/);
  });

  it('fails nothing where all links are good', async () => {
    await tree(['decode', LINK, LINK]);
    expect(process.exitCode).toBeUndefined();
  });
});

describe('tree encode', () => {
  it('takes a tree from the argument, standard input or a file', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'tree-'));
    try {
      const file = join(folder, 'tree.json');
      await writeFile(file, TREE);
      expect(await tree(['encode', TREE])).toBe(`${LINK}\n`);
      expect(await tree(['encode'], [TREE.slice(0, 9), TREE.slice(9)])).toBe(`${LINK}\n`);
      expect(await tree(['encode', '--file', file])).toBe(`${LINK}\n`);
      expect(await failure(['encode', TREE, '--file', file])).toMatch(
        /^UsageError: tree encode: a tree is given twice;/,
      );
      expect(await failure(['encode', '--file', join(folder, 'none')])).toMatch(
        /none: no such file; name a file with a tree/,
      );
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('writes the other order, and without padding', async () => {
    expect(await tree(['encode', TREE, '--byte-order', 'little'])).toBe('BgAAAAYXATQSAc2rATQSzas=\n');
    expect(await tree(['encode', TREE, '--no-padding'])).toBe(`${LINK.slice(0, -1)}\n`);
  });

  it('says what is wrong with a tree, where, and how to fix it', async () => {
    expect(await failure(['encode', TREE.replace('4660', '65536')])).toBe(
      'UsageError: tree encode: the argument: hashes[0] must be an integer from 0 to 65535, got 65536',
    );
    expect(await failure(['encode'], ['{'])).toMatch(
      /^UsageError: tree encode: standard input is not JSON \(.*; give a tree/,
    );
    expect(await failure(['encode'])).toMatch(
      /^UsageError: tree encode: standard input is empty; give a tree such as \{/,
    );
  });
});

describe('tree pipe', () => {
  const answers = async (input: Iterable<string | Buffer>) =>
    (await tree(['pipe'], input))
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Record<string, unknown>);

  it('answers the conversation of the control protocol', async () => {
    const questions = [
      '{"id":1,"op":"decode","link":"AAAABgECAwABAQL__wAA"}',
      '{"id":2,"op":"encode","tree":{"version":4,"class":3,"ascendancy":0,"fullscreen":true,"hashes":[256,1]}}',
      '{"id":3,"op":"decode","link":"####"}',
    ];
    expect((await tree(['pipe'], [`${questions.join('\n')}\n`])).split('\n')).toEqual([
      '{"id":1,"ok":true,"tree":{"version":6,"class":1,"ascendancy":2,"bloodline":0,"hashes":[1,258,65535],"extended":[],"mastery":[]}}',
      '{"id":2,"ok":true,"link":"AAAABAMAAQEAAAE="}',
      expect.stringMatching(/^\{"id":3,"ok":false,"error":"character 0 is /),
      '',
    ]);
  });

  it('takes what decode takes', async () => {
    const links = [LINK, LINK.replace(/=+$/, ''), `https://example.com/passive-skill-tree/${LINK}?x=1`, ` ${LINK}`];
    const found = await answers(links.map((link) => `${JSON.stringify({ op: 'decode', link })}\n`));
    const decoded = await Promise.all(
      links.map(async (link) => {
        const complaints: string[] = [];
        const output = await tree(['decode', '--json', link], [], complaints);
        return output === '' ? complaints : [JSON.parse(output)];
      }),
    );
    expect(found.map(({ ok }) => ok)).toEqual(decoded.map(([one]) => typeof one === 'object'));
    expect(found[2]).toMatchObject({ ok: true, tree: JSON.parse(TREE) as object });
  });

  it('heeds byteOrder and padding', async () => {
    const question = (more: string) => `{"id":"a","op":"encode","tree":${TREE}${more}}\n`;
    const found = await answers([
      question(',"byteOrder":"little"'),
      question(',"padding":false'),
      question(',"byteOrder":"be"'),
      question(',"padding":0'),
    ]);
    expect(found.map(({ link, error }) => link ?? error)).toEqual([
      'BgAAAAYXATQSAc2rATQSzas=',
      LINK.slice(0, -1),
      'byteOrder must be "big" or "little", got "be"',
      'padding must be true or false, got 0',
    ]);
  });

  it('answers each broken line, and goes on', async () => {
    const lines = [
      '{', // not JSON
      '5',
      'null',
      '[]',
      '',
      '\r',
      '{"id":1}',
      '{"id":2,"op":"sing"}',
      '{"id":3,"op":"decode"}',
      '{"id":4,"op":"encode"}',
      '{"id":{"a":[1]},"op":"decode","link":"AAAABgAAAAAA"}\r',
    ];
    const found = await answers([lines.join('\n')]);
    expect(found.map(({ id, ok }) => [id, ok])).toEqual([
      [null, false],
      [null, false],
      [null, false],
      [null, false],
      [1, false],
      [2, false],
      [3, false],
      [4, false],
      [{ a: [1] }, true],
    ]);
    for (const { ok, error } of found) expect(ok ? 'said' : error).toMatch(/\w/);
  });

  it.each([
    [
      'an id that nests deep',
      `{"id":${'['.repeat(5000)}${']'.repeat(5000)},"op":"decode","link":"${LINK}"}`,
      /^nests too deep/,
    ],
    ['an id that nests deeper', `{"id":${'['.repeat(400_000)}${']'.repeat(400_000)}}`, /^(not JSON|nests too deep)/],
    [
      'an op that nests deep',
      `{"op":${'['.repeat(5000)}${']'.repeat(5000)}}`,
      /^op must be "decode" or "encode", got no text$/,
    ],
    [
      'a line without an end',
      `{"id":1,"op":"${'x'.repeat(1024 * 1024)}"}`,
      /^a line of more than 1048576 characters; send less$/,
    ],
    ['a long op', `{"op":"${'x'.repeat(10_000)}"}`, /^op must be "decode" or "encode", got "x{39}…"$/],
  ])('answers %s, and goes on', async (_, line, words) => {
    const after = `{"id":2,"op":"decode","link":"${LINK}"}`;
    for (const input of [[`${line}\n${after}\n`], [...(line.match(/[^]{1,60000}/g) ?? []), `\n${after}`]]) {
      const found = await answers(input);
      expect(found.map(({ ok }) => ok)).toEqual([false, true]);
      expect(found[0]!.error).toMatch(words);
    }
  });

  it('shows nothing of its input raw', async () => {
    const said = '\u009b2J\u202e##[error]::error::';
    const text = await tree(['pipe'], [`${JSON.stringify({ id: said, op: said })}\n`]);
    expect(acting(text)).toEqual([]);
    expect(JSON.parse(text)).toMatchObject({ id: said, ok: false });
  });

  it('is indifferent to where chunks end, and to line separators within a text', async () => {
    const bytes = Buffer.from(
      '{"id":"é\u2028😀","op":"decode","link":"AAAABgAAAAAA"}\n{"id":2,"op":"decode","link":"é"}',
    );
    const found = await answers(Array.from(bytes, (byte) => Buffer.from([byte])));
    expect(found.map(({ id, ok }) => [id, ok])).toEqual([
      ['é\u2028😀', true],
      [2, false],
    ]);
  });

  it('keeps the order of many requests when its reader is slow', async () => {
    const lines = Array.from({ length: 2000 }, (_, id) => `{"id":${id},"op":"decode","link":"${LINK}"}\n`);
    expect((await answers(lines)).map(({ id }) => id)).toEqual(lines.map((_, id) => id));
  });

  it('answers at once, not only at the end of the input', async () => {
    const stdin = new PassThrough();
    const stdout = new PassThrough();
    const ended = treeCommand({ stdin, stdout, stderr: new PassThrough() }).parseAsync(['pipe'], { from: 'user' });
    for (const id of [1, 2]) {
      const answered = once(stdout, 'data');
      stdin.write(`{"id":${id},"op":"decode","link":"${LINK}"}\n`);
      const [answer] = (await answered) as Buffer[];
      expect(JSON.parse(String(answer))).toMatchObject({ id, ok: true });
    }
    stdin.end();
    await ended;
  });
});
