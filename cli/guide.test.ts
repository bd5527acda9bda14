import { readFileSync, writeFileSync } from 'node:fs';
import { parse } from 'yaml';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import { run } from './run.js';
import { workshop } from './workshop.fixture.js';

const { at, open, close, stage } = workshop();
let url: string;
let secrets: Record<string, string>;

beforeAll(async () => {
  open();
  const { mock, targetFile } = await stage();
  url = mock.url;
  targetFile('target', {});
  const { clients } = parse(readFileSync(at('target.yaml'), 'utf8')) as {
    clients: Record<string, { client_id: string; client_secret: string }>;
  };
  secrets = Object.fromEntries(Object.values(clients).map((client) => [client.client_id, client.client_secret]));
});
afterAll(close);

/** Words of a shell line: quotes are taken off, comments left out. */
const wordsOf = (text: string): string[] =>
  [...text.replace(/\s#\s.*$/gm, '').matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, plain]) => double ?? single ?? plain ?? '',
  );

/** The commands of a text that begin with a prefix, without it. Lines that end in a backslash go on. */
const commandsOf = (text: string, prefix: string): string[][] =>
  text
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .filter((one) => one.startsWith(prefix))
    .map((one) => wordsOf(one.slice(prefix.length)));

async function printed(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const text = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    vi.spyOn(process[name], 'write').mockImplementation((part) => ((text[name] += String(part)), true));
  process.exitCode = undefined;
  const code = await run(args);
  const ended = code || Number(process.exitCode ?? 0);
  process.exitCode = undefined;
  vi.restoreAllMocks();
  return { code: ended, ...text };
}

/** The words as somebody would write them who has the mock for a server. */
function onTheMock(words: readonly string[]): string[] {
  const name = words[words.indexOf('--service-client-id') + 1] === 'my-service' ? 'example-service' : '';
  return words.map((word) =>
    word
      .replace('http://127.0.0.1:8080', url)
      .replace('my-service', 'example-service')
      .replace('$SECRET', secrets[name] ?? '')
      .replace(/^live\.yaml$/, 'target.yaml')
      .replace(/^(target|known)\.yaml$/, (file) => at(file))
      .replace(/^out\/$/, at('out')),
  );
}

/** With a target file all of these ask the same; a part of it is enough. */
function briefly(words: readonly string[]): readonly string[] {
  if (words[0] !== 'verify' || words[1] === 'list') return words;
  const part = words.includes('--target') && !words.includes('--only') ? ['--only', 'PROFILE,TOK-CC'] : [];
  const paced = words.map((word, index) => (words[index - 1] === '--rate' ? '500' : word));
  return [...paced, ...part, '--runs', '1', '--seed', '1'];
}

/** What needs more than a server that conforms: a command of one's own, a failure, two reports. */
const elsewhere = ['mock', 'replay', 'compare', 'merge', 'tree', 'help'];

describe('the guide', () => {
  const guide = readFileSync('conformance/README.md', 'utf8');

  it('has no command that blames the mock', { timeout: 120_000 }, async () => {
    const commands = commandsOf(guide, 'gamedata ').filter(([name = '']) => !elsewhere.includes(name));
    expect(commands.map(([name, next]) => (next?.startsWith('-') ? name : `${name} ${next}`))).toEqual([
      'verify',
      'target init',
      'doctor',
      'verify',
      'verify',
      'verify',
      'verify',
    ]);
    for (const words of commands) {
      const mine = readFileSync(at('target.yaml'), 'utf8');
      const told = words[0] === 'target' ? words.map((word) => word.replace('target.yaml', at('init.yaml'))) : words;
      const ended = await printed(...briefly(onTheMock(told)));
      const wrong = ended.stderr.replace(/^Written: .*\n/, '');
      expect([words.join(' '), ended.code, wrong]).toEqual([words.join(' '), 0, '']);
      writeFileSync(at('target.yaml'), mine);
    }
  });

  it('judges the first run by what is declared, which is the least', { timeout: 120_000 }, async () => {
    const first = commandsOf(guide, 'gamedata ')[0]!;
    const { stdout } = await printed(...onTheMock(first), '--only', 'TOK-CC-009', '--runs', '1');
    expect(stdout).toContain('clients.service has no exact_scopes in the target');
  });
});

describe('the examples of --help', () => {
  it.each(['verify', 'verify list', 'doctor', 'target init', 'target schema'])(
    'do not blame the mock: %s',
    { timeout: 120_000 },
    async (page) => {
      const { stdout } = await printed(...page.split(' '), '--help');
      for (const words of commandsOf(stdout, '  gamedata ')) {
        if (elsewhere.includes(words[0]!)) continue;
        const told = words.map((word) => (word === 'known.yaml' ? at('another.yaml') : word));
        const ended = await printed(...briefly(onTheMock(told)));
        expect([words.join(' '), ended.code, ended.stderr]).toEqual([words.join(' '), 0, '']);
      }
    },
  );
});
