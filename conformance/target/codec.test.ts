import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

import { openCodec } from './codec.js';
import type { CodecLimits } from './codec.js';
import type { Codec, Hooks, Tree } from './hooks.js';
import { loadTarget } from './load.js';
import type { Target } from './target.js';

let folder: string;
let target: Target;
let codec: Codec | undefined;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'codec-'));
  target = await loadTarget({ env: {}, overrides: { 'base-url': 'http://127.0.0.1:1' } });
});
afterAll(() => rmSync(folder, { recursive: true }));
afterEach(() => codec?.close());

const tree: Tree = { version: 4, class: 3, ascendancy: 0, fullscreen: true, hashes: [256, 1] };

/** A process that answers each line with what a function body makes of `question`. */
async function pipe(body: string, limits: Partial<CodecLimits> = {}): Promise<Codec> {
  const file = join(folder, `${Math.abs(body.length)}-${limits.timeout ?? 0}.cjs`);
  writeFileSync(
    file,
    `const say = (answer) => process.stdout.write(JSON.stringify(answer) + '\\n');
    require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
      const question = JSON.parse(line); const { id } = question; ${body} });`,
  );
  codec = await openCodec(
    { ...target, tree_codec: `${JSON.stringify(process.execPath)} ${JSON.stringify(file)}` },
    undefined,
    {
      timeout: 10_000,
      line: 10_000,
      starts: 3,
      ...limits,
    },
  );
  return codec;
}

describe('a codec over a pipe', () => {
  it('decodes, encodes and refuses', async () => {
    const one = await pipe(
      `say(question.op === 'encode' ? { id, ok: true, link: JSON.stringify(question) } : question.link === '#' ? { id, ok: false, error: 'no' } : { id, ok: true, tree: { version: 4, link: question.link } })`,
    );
    expect(await one.decode('AA')).toEqual({ tree: { version: 4, link: 'AA' } });
    expect(await one.decode('#')).toEqual({ error: 'no' });
    const { link } = (await one.encode(tree, { byteOrder: 'little', padding: false })) as { link: string };
    expect(JSON.parse(link)).toEqual({ id: 3, op: 'encode', tree, byteOrder: 'little', padding: false });
    await codec?.close();
    await expect(one.decode('AA')).rejects.toThrow('tree_codec: is closed');
  });

  it('is answered in any order, in pieces, with lines between', async () => {
    const one = await pipe(
      `globalThis.all = [...(globalThis.all ?? []), question];
      if (all.length === 3) { process.stdout.write('\\r\\n'); for (const { id, link } of all.reverse()) { const text = JSON.stringify({ id, ok: true, tree: { link: link + 'é' } }) + '\\r\\n'; const bytes = Buffer.from(text); process.stdout.write(bytes.subarray(0, bytes.length - 6)); process.stdout.write(bytes.subarray(bytes.length - 6)); } }`,
    );
    expect(await Promise.all(['a', 'b', 'c'].map((link) => one.decode(link)))).toEqual(
      ['aé', 'bé', 'cé'].map((link) => ({ tree: { link } })),
    );
  });

  it.each([
    [
      'dies',
      `process.stderr.write('Traceback\\nKeyError: 5\\n', () => process.exit(3));`,
      /^tree_codec: ended \(exit code 3\); standard error: KeyError: 5$/,
    ],
    ['is killed', `process.kill(process.pid, 'SIGSEGV');`, /^tree_codec: ended \(.*\)/],
    [
      'writes rubbish',
      `console.log('ready');`,
      /^tree_codec: wrote ready, which is not a line of JSON; write one response per line, and everything else to standard error$/,
    ],
    ['answers what was not asked', `say({ id: 'x' });`, /^tree_codec: wrote {"id":"x"}, whose id matches no request$/],
    [
      'says neither that it went well nor that it failed',
      `say({ id, link: 'AA' });`,
      /^tree_codec: answered {"id":1,"link":"AA"}, without "ok": true or false$/,
    ],
    ['answers with a list', `say([1]);`, /^tree_codec: wrote \[1\], whose id matches no request/],
    [
      'never ends its line',
      `process.stdout.write('x'.repeat(20000));`,
      /^tree_codec: wrote a line of more than 10000 characters$/,
    ],
  ])('that %s is told of', async (_, body, message) => {
    const one = await pipe(body);
    await expect(one.decode('AA')).rejects.toMatchObject({
      name: 'PrerequisiteFailed',
      message: expect.stringMatching(message) as string,
    });
  });

  it('that answers without a tree or a link has failed', async () => {
    const one = await pipe(`say({ id, ok: true, link: null });`);
    expect(await one.decode('AA')).toEqual({
      error: 'tree_codec: decode returned {"id":1,"ok":true,"link":null}, without a tree',
    });
    expect(await one.encode(tree)).toEqual({
      error: 'tree_codec: encode returned {"id":2,"ok":true,"link":null}, without a link',
    });
  });

  it('that takes too long is given up', async () => {
    const one = await pipe('', { timeout: 50 });
    await expect(one.decode('AA')).rejects.toThrow(
      'tree_codec: no response to {"id":1,"op":"decode","link":"AA"} within 0.05 s',
    );
  });

  it('that cannot be started is told of', async () => {
    codec = await openCodec({ ...target, tree_codec: 'no-such-command-here' });
    await expect(codec.decode('AA')).rejects.toThrow(
      /^tree_codec: ended \(exit code 127\); standard error: .*not found/,
    );
  });

  it('is started again after it died, for a number of times', async () => {
    const one = await pipe(`if (question.link === 'crash') process.exit(1); say({ id, ok: true, tree: {} });`);
    await expect(one.decode('crash')).rejects.toThrow('ended (exit code 1)');
    expect(await one.decode('AA')).toEqual({ tree: {} });
    await expect(one.decode('crash')).rejects.toThrow('ended');
    await expect(one.decode('crash')).rejects.toThrow('ended');
    await expect(one.decode('AA')).rejects.toThrow(
      'tree_codec: given up after 3 starts: tree_codec: ended (exit code 1)',
    );
  });

  it('ends with everything that it started', async () => {
    const file = join(folder, 'pid');
    const child = `setInterval(() => {}, 1000)`;
    const one = await pipe(
      `const { pid } = require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(child)}], { stdio: 'inherit' });
      require('node:fs').writeFileSync(${JSON.stringify(file)}, String(pid)); say({ id, ok: true, tree: {} });`,
    );
    await one.decode('AA');
    const pid = Number(readFileSync(file, 'utf8'));
    expect(() => process.kill(pid, 0)).not.toThrow();
    await one.close();
    await expect.poll(() => isAlive(pid)).toBe(false);
  });
});

/** A process that has ended may wait for whoever reaps it. */
function isAlive(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

describe('the codec of an adapter', () => {
  const open = (hooks: Hooks['tree'], timeout = 10_000) =>
    openCodec(target, { tree: hooks }, { timeout, line: 1, starts: 1 });

  it('may answer plainly, and throw', async () => {
    const one = await open({
      decode: async (link) => {
        if (link === '#') throw new Error('no alphabet');
        return tree;
      },
      encode: (given, form) => `${given.version}${form?.byteOrder ?? ''}`,
    });
    expect(await one.decode('AA')).toEqual({ tree });
    expect(await one.decode('#')).toEqual({ error: 'no alphabet' });
    expect(await one.encode(tree, { byteOrder: 'big' })).toEqual({ link: '4big' });
    await one.close();
  });

  it('may answer as the pipe does', async () => {
    const one = await open({
      decode: (link) => (link === '#' ? { ok: false, error: 'no' } : { ok: true, tree }),
      encode: () => ({ ok: true, link: 'AA' }),
    });
    expect(await one.decode('AA')).toEqual({ tree });
    expect(await one.decode('#')).toEqual({ error: 'no' });
    expect(await one.encode(tree)).toEqual({ link: 'AA' });
  });

  it('has failed where it answers neither, and is told of where it does not answer', async () => {
    const one = await open({ decode: () => 7, encode: () => undefined });
    expect(await one.decode('AA')).toEqual({ error: "the adapter's tree.decode: returned 7, not a tree" });
    expect(await one.encode(tree)).toEqual({ error: "the adapter's tree.encode: returned nothing, not a link" });
    const slow = await open({ decode: () => new Promise(() => {}), encode: () => '' }, 20);
    await expect(slow.decode('AA')).rejects.toThrow("the adapter's tree.decode: no response within 0.02 s");
  });

  it('is missing where there is none', async () => {
    await expect(openCodec(target)).rejects.toMatchObject({ name: 'MissingCapability' });
  });
});
