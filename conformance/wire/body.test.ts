import { createServer } from 'node:http';
import type { RequestListener, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import * as fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';

import type { Answer } from './answer.js';
import { bodyOf, TooMuch } from './body.js';
import { bounds, clipped } from './bounds.js';
import { trace } from './trace.js';
import { Wire } from './wire.js';
import type { Trace } from './trace.js';

const body = (text: string, whole = false) => bodyOf(Buffer.from(text), { whole });
const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);

describe('a body', () => {
  it('is its text, and its JSON', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(0, 2), (value, space) => {
        const text = JSON.stringify(value, undefined, space);
        expect(body(text)).toEqual({ text, json: JSON.parse(text) as unknown });
      }),
    );
    for (const text of ['', '{', 'Zo\u00eb', '<p>[[[']) expect(body(text)).toEqual({ text, json: undefined });
  });

  it('is JSON behind a byte-order mark, which is named, as is what is not UTF-8', () => {
    const marked = 'the body begins with a byte-order mark; RFC 8259 8.1';
    expect(body('\ufeff{"a":1}')).toEqual({ text: '\ufeff{"a":1}', json: { a: 1 }, problem: marked });
    expect(body('\ufeffno')).toEqual({ text: '\ufeffno', json: undefined, problem: marked });
    const wide = bodyOf(Buffer.from('\ufeff{"a":1}', 'utf16le'));
    expect(wide).toMatchObject({
      json: undefined,
      problem: 'the body begins with a byte-order mark of UTF-16; RFC 8259 8.1',
    });
    expect(bodyOf(Buffer.from('"\u00e9"', 'latin1'))).toMatchObject({ problem: 'the body is not UTF-8; RFC 8259 8.1' });
    expect(bodyOf(Buffer.from('<p>\u00e9', 'latin1'))).not.toHaveProperty('problem');
  });

  it('is its JSON where it is large, too, however often it is asked for', () => {
    const value = { list: Array.from({ length: 60_000 }, (_, index) => `element ${index}`) };
    const { text, json } = body(JSON.stringify(value));
    expect(json).toEqual(value);
    expect(text).toBe(JSON.stringify(value).slice(0, bounds.besideJson));
    const held = body(JSON.stringify(value));
    collect();
    expect(held.json).toEqual(value);
    expect(body('"x"'.padEnd(bounds.packed + 1)).json).toBe('x');
  });

  it('keeps the beginning of a long text; all of JSON that is to be parsed again', () => {
    const padded = `{"a":1}${' '.repeat(300_000)}`;
    expect(body(padded).text).toHaveLength(bounds.besideJson);
    expect(body(padded, true).text).toBe(padded);
    expect(body(`<p>${'\u00eb'.repeat(bounds.text)}`).text).toBe(`<p>${'\u00eb'.repeat(bounds.text - 3)}`);
  });

  it('is read down to a depth, whatever lies below', () => {
    const depthOf = (value: unknown): number => {
      let depth = 0;
      for (let inner = value; Array.isArray(inner); inner = inner[0] as unknown) depth += 1;
      return depth;
    };
    expect(body(nested(bounds.depth))).toEqual({ text: nested(bounds.depth), json: expect.anything() as unknown });
    for (const levels of [bounds.depth + 1, 100_000, 400_000]) {
      const read = body(nested(levels));
      expect(read.pruned).toBe(true);
      expect(depthOf(read.json)).toBe(bounds.depth);
      expect(JSON.stringify(read.json)).toContain('[null]');
    }
    const named = `${'{"__proto__":'.repeat(600)}1${'}'.repeat(600)}`;
    expect(JSON.stringify(body(named).json)).toContain('{"__proto__":null}');
    const quoted = { text: `\\"${nested(bounds.depth + 1)}` };
    expect(body(JSON.stringify(quoted))).toMatchObject({ json: quoted });
    expect(body(JSON.stringify(quoted)).pruned).toBeUndefined();
  });

  it('is read up to a number of values', () => {
    expect(body(`[${'1,'.repeat(bounds.values - 1)}1]`).json).toHaveLength(bounds.values);
    expect(() => body(`[${'1,'.repeat(bounds.values)}1]`)).toThrow(
      new TooMuch(`JSON of more than ${bounds.values} members and elements, which is not read`),
    );
  });

  it.each([
    ['in one object', (names: readonly string[]) => `{${names.join()}}`],
    ['in an object each', (names: readonly string[]) => `[${names.map((name) => `{${name}}`).join()}]`],
  ])('is read up to a number of different names of members, %s', (_, json) => {
    const named = (count: number): string[] => Array.from({ length: count }, (_each, index) => `"name ${index}" : 1`);
    const most = json(named(bounds.names));
    expect(body(most).json).toEqual(JSON.parse(most));
    expect(() => body(json(named(bounds.names + 1)))).toThrow(
      new TooMuch(`JSON with more than ${bounds.names} different names of members, which is not read`),
    );
    // Neither the same names again nor texts are any more of them.
    const again = `[${[most, most, JSON.stringify(named(bounds.names))].join()}]`;
    expect(body(again).json).toEqual(JSON.parse(again));
  });

  it('is read where there is memory for what its values and names take', () => {
    const asked: number[] = [];
    const sizeOf = (text: string): number => {
      bodyOf(Buffer.from(text), { takes: (bytes) => asked.push(bytes) > 0 });
      return asked.at(-1)!;
    };
    const empty = `[${Array.from({ length: 100_000 }, () => '{}').join()}]`;
    const named = `[${Array.from({ length: 10_000 }, (_, index) => `{"name ${index}":{}}`).join()}]`;
    // What V8 takes on Node 20.
    expect(sizeOf(empty)).toBeGreaterThan(56 * 100_000);
    expect(sizeOf(named)).toBeGreaterThan(350 * 10_000);
    expect(sizeOf('<p>')).toBe(3);
    expect(() => bodyOf(Buffer.from(empty), { takes: () => false })).toThrow(
      new TooMuch(`${empty.length} bytes, and the answers before take all the memory that a run may have for them`),
    );
  });

  it('is read in linear time where it is no JSON', () => {
    expect(body(`["${'x'.repeat(bounds.besideJson * 100)}"${':'.repeat(1_000_000)}`).json).toBeUndefined();
  });
});

const open: (Server | Wire)[] = [];
afterEach(() => {
  for (const one of open.splice(0)) one.close();
});

async function wired(listener: RequestListener): Promise<(path?: string) => Promise<Answer>> {
  const server = createServer(listener);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const wire = new Wire({
    budget: 1000,
    perSecond: 0,
    concurrency: 16,
    signal: new AbortController().signal,
    seen: () => {},
  });
  open.push(server, wire);
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return (path = '/') => wire.send({ method: 'GET', url: url + path, headers: {} }, { server: 'data', args: {} });
}

function collect(): void {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
}

const inUse = (): number => {
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return (heapUsed + external) / 1024 / 1024;
};

/** Buffers that nobody holds are given back a little after they were collected. */
const lessThan = (most: number, before: number): Promise<void> =>
  vi.waitFor(() => expect(inUse() - before).toBeLessThan(most), { timeout: 5000, interval: 20 });

describe('what is held of answers', () => {
  it('is little, however long they are', async () => {
    const padded = `{"ok":true}${' '.repeat(2 * 1024 * 1024)}`;
    const get = await wired((_, reply) => void reply.end(padded));
    const log: Trace = { answers: [] };
    const before = inUse();
    const held = await trace.run(log, () => Promise.all(Array.from({ length: 60 }, () => get())));
    expect(held.every(({ json }) => (json as { ok: boolean }).ok)).toBe(true);
    await lessThan(60, before);
    expect(log.answers).toHaveLength(60);
    // They were read one after the other, which is not the check's own time.
    expect(log.waited).toBeGreaterThan(0);
  });

  it('is little where they have many members', async () => {
    let number = 0;
    const many = (): string => {
      number += 1;
      const names = Array.from({ length: bounds.names }, (_, index) => [`key ${index} of answer ${number}`, index]);
      return JSON.stringify(Object.fromEntries(names));
    };
    const get = await wired((_, reply) => void reply.end(many()));
    const held: Answer[] = [];
    const before = inUse();
    for (let index = 0; index < 10; index += 1) held.push(await get());
    await lessThan(40, before);
    expect(Object.keys(held[3]!.json as object)).toHaveLength(bounds.names);
  });

  it('has an end: what would go beyond it is not read', async () => {
    const wide = `[${Array.from({ length: 240_000 }, () => '{}').join()}]`;
    const get = await wired((_, reply) => void reply.end(wide));
    const held: unknown[] = [];
    const fill = async (): Promise<never> => {
      for (;;) held.push((await get('/league?x=1')).json);
    };
    await expect(fill()).rejects.toMatchObject({
      name: 'PrerequisiteFailed',
      message: expect.stringMatching(
        /^GET \/league was answered with \d+ bytes, and the answers before take/,
      ) as string,
    });
    expect(held.length).toBeGreaterThan(3);
  });
});

describe('a beginning', () => {
  it('is the same characters', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.nat({ max: 20 }), (text, most) => {
        expect(clipped(text, most)).toBe(text.slice(0, most));
      }),
    );
  });
});
