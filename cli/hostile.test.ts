import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Command, Option } from 'commander';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import { programOf } from './program.js';
import { run } from './run.js';

let folder: string;
let home: string;
beforeAll(() => {
  home = process.cwd();
  folder = mkdtempSync(join(tmpdir(), 'hostile-'));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  mkdirSync(join(folder, 'here'));
  process.chdir(join(folder, 'here'));
});
afterAll(() => {
  process.chdir(home);
  rmSync(folder, { recursive: true, force: true });
});

const texts = [
  '',
  ' ',
  '--',
  '\0',
  'a\0b',
  '\uFEFF',
  '..',
  '/',
  '/dev/null',
  '%',
  '%00',
  '😀',
  '\r\nx: y',
  'x'.repeat(200_000),

  '1e308',
  '-1',
  '0',
  '99999999999999999999',
  'NaN',
  '0x10',
  '=',
  'a=b',
  '__proto__',
  '__proto__=1',
  'constructor=on',
  'http://',
  'http://[',
  'https://localhost:1*',
  'foo://x',
  'javascript:alert(1)',
  'http://u:p@127.0.0.1:1/',
  'redis://:pw@',
  'redis://h:99999/',
  '2016-12-31T23:59:60Z',
  '+275760-09-13T00:00:00.001Z',
];

const files: Readonly<Record<string, string | Buffer>> = {
  'empty.txt': '',
  bytes: Buffer.from([0xff, 0xfe, 0, 0x80]),
  'deep.yaml': '['.repeat(10_000),
  'deep.json': '{"a":'.repeat(20_000),
  'null.yaml': 'null',
  'list.yaml': '- 1\n- [a]\n',
  'names.yaml': '__proto__: { a: 1 }\nconstructor: 2\n',
  'bomb.yaml':
    'a: &a [x, x, x, x, x, x, x, x, x]\nb: &b [*a, *a, *a, *a, *a, *a]\nc: &c [*b, *b, *b, *b, *b]\nd: [*c, *c, *c]\n',
  'cycle.yaml': 'a: &a\n  b: *a\n',
  'keys.yaml': '? { a: b }\n: c\n1: 2\n~: 3\n',
  'tags.yaml': 'a: !!binary aGk=\nb: !!set { x }\nc: !foo bar\nd: 2020-01-01T00:00:00Z\n',
  'large.yaml': 'x: '.repeat(500_000),
};

/** Commands with what lets each end by itself. */
const commands: Readonly<Record<string, { readonly own: readonly string[]; readonly last?: readonly string[] }>> = {
  mock: { own: ['--port', '0', '--exec'], last: ['--', 'true'] },
  verify: { own: ['--base-url', 'http://127.0.0.1:1', '--only', 'GEN-001', '--time-limit', '3'] },
  audit: { own: ['--time-limit', '1', '--world', 'calm'], last: ['--', 'true'] },
  check: { own: ['empty.txt'] },
  doctor: { own: ['--base-url', 'http://127.0.0.1:1'] },
  'target init': { own: [] },
  'tree decode': { own: [] },
  'tree encode': { own: [] },
  compare: { own: ['a', 'b'] },
  merge: { own: ['a'] },
  replay: { own: ['a'] },
};

/** Every option that takes a value, and the place of an argument. */
async function placesOf(name: string): Promise<((value: string) => string[])[]> {
  const words = name.split(' ');
  const { own, last = [] } = commands[name]!;
  const program = await programOf(words);
  const command = words.reduce<Command>((at, word) => at.commands.find((one) => one.name() === word)!, program);
  const valued = command.options.filter(({ required, optional }: Option) => required || optional);
  return [
    ...valued.map(({ long }) => (value: string) => [...words, ...own, `${long}=${value}`, ...last]),
    // `--` alone is no argument: a command that reads standard input without one would wait for ever.
    (value) => [...words, ...(value === '--' ? ['--'] : []), value, ...last],
  ];
}

/** The exit code, and what is said to standard error. */
async function outcome(args: readonly string[]): Promise<{ readonly code: number; readonly said: string }> {
  let said = '';
  vi.spyOn(process.stderr, 'write').mockImplementation((part) => ((said += String(part)), true));
  vi.spyOn(process.stdout, 'write').mockImplementation(() => true);
  try {
    return { code: await run(args), said };
  } finally {
    vi.restoreAllMocks();
    process.exitCode = undefined;
  }
}

/** `HOSTILE=5000` tries as many; a failure prints how to repeat it. */
const numRuns = Number(process.env.HOSTILE ?? 80);

describe('what a user types', () => {
  it('never ends as a crash, and never in a page of text', async () => {
    const places = (await Promise.all(Object.keys(commands).map(placesOf))).flat();
    const values = [...texts, ...Object.keys(files).map((name) => join('..', name)), '../here', '../gone'];
    const attempt = fc.asyncProperty(fc.constantFrom(...places), fc.constantFrom(...values), async (place, value) => {
      const { code, said } = await outcome(place(value));
      expect(said).not.toMatch(/crashed|report it/);
      expect([0, 1, 2, 3, 126, 127]).toContain(code);
      expect(said.length).toBeLessThan(25_000);
    });
    await fc.assert(attempt, { numRuns, endOnFailure: true });
  }, 600_000);
});
