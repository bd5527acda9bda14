import type { Command } from 'commander';
import { afterEach, describe, expect, it, vi } from 'vitest';

import { placeholders } from '../conformance/audit/client.js';
import { settings, targetVariable } from '../conformance/target/settings.js';
import { pathOf, programOf } from './program.js';
import { run } from './run.js';

/** Every page, by the words of its command. */
const pages = [
  '',
  'mock',
  'mock switches',
  'verify',
  'verify list',
  'learn',
  'merge',
  'compare',
  'mcp',
  'completion',
  'check',
  'proxy',
  'audit',
  'audit watch',
  'audit list',
  'audit worlds',
  'doctor',
  'replay',
  'target',
  'target init',
  'target schema',
  'tree',
  'tree decode',
  'tree encode',
  'tree pipe',
  'help',
  'help environment',
];

const withTarget = ['learn', 'verify', 'doctor', 'replay'];
const names = pages.filter((page) => page !== '' && !page.includes(' '));
const wordsOf = (page: string): string[] => page.split(' ').filter((word) => word !== '');

async function printed(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const text = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    vi.spyOn(process[name], 'write').mockImplementation((part) => ((text[name] += String(part)), true));
  const code = await run(args);
  vi.restoreAllMocks();
  return { code, ...text };
}

const everyCommand = (command: Command): Command[] => [command, ...command.commands.flatMap(everyCommand)];

/** The command line with nothing behind it: a line is parsed, and nothing is done. */
async function parser(): Promise<Command> {
  const program = await programOf(names);
  for (const command of everyCommand(program)) {
    const group = command === program || ['target', 'tree'].includes(command.name());
    if (!group) command.action(() => {});
  }
  return program;
}

const commandOf = (page: string, program: Command): Command =>
  wordsOf(page).reduce((outer, word) => outer.commands.find((inner) => inner.name() === word)!, program);

async function optionsOf(page: string): Promise<string[]> {
  const command = commandOf(page, await parser());
  return [...command.options.map(({ long }) => long ?? ''), '--help'];
}

afterEach(() => vi.restoreAllMocks());

describe('an option that needs a value', () => {
  it.each(pages)('of gamedata %s does not take the next option for it', async (page) => {
    const command = commandOf(page, await programOf(names));
    for (const { long, required } of command.options)
      if (required)
        expect(await printed(...wordsOf(page), long!, '--json')).toEqual({
          code: 2,
          stdout: '',
          stderr: `gamedata: ${long} needs a value, and --json follows; write ${long}=--json if the value really begins with --\n`,
        });
  });

  it('takes a value that begins with -- behind an equals sign', async () => {
    const program = await parser();
    await program.parseAsync(['mock', '--control-token=--secret', '--port', '0'], { from: 'user' });
    expect(commandOf('mock', program).opts()).toMatchObject({ controlToken: '--secret', port: 0 });
  });
});

describe('the help', () => {
  it('of audit names every placeholder of --env', async () => {
    const words = new Set((await printed('audit', '--help')).stdout.split(/[^a-z_]+/));
    expect(Object.keys(placeholders).filter((name) => !words.has(name))).toEqual([]);
  });

  it('has a page for every command', async () => {
    const commands = everyCommand(await programOf(names)).map((command) => pathOf(command));
    expect(commands.sort()).toEqual(pages.map((page) => `gamedata ${page}`.trimEnd()).sort());
  });

  it.each(pages)('of gamedata %s is one page: purpose, usage, options, examples', async (page) => {
    const { code, stdout, stderr } = await printed(...wordsOf(page), '--help');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const lines = stdout.split('\n');
    expect(lines[0]).toMatch(/^[A-Z][^.]+\.$/);
    expect(lines[1]).toBe('');
    expect(lines[2]).toMatch(new RegExp(`^Usage: ${`gamedata ${page}`.trimEnd()}( |$)`));
    expect(stdout).not.toMatch(/default: [{[]|undefined|\[object/);
    expect(stdout).not.toMatch(/set-up|sentences|mended|\btold\b/);
    expect(lines.filter((line) => line.length > 120)).toEqual([]);
    const [options = '', examples = ''] = stdout.split(/^Examples?:$/m);
    expect(options).toMatch(/^ {2}-h, --help /m);
    expect(examples).not.toMatch(/^ {2}-/m);
    expect(/^ {2}GAMEDATA_/m.test(stdout)).toBe(page === 'help environment');
    expect(stdout.includes('Environment: see gamedata help environment')).toBe(
      ['', 'check', 'proxy', ...withTarget].includes(page),
    );
    expect((await printed('help', ...wordsOf(page))).stdout).toBe(stdout);
  });

  it.each(['verify', 'check', 'audit'])('of gamedata %s says what a verdict covers as the others do', async (page) => {
    expect((await printed(page, '--help')).stdout).toContain(
      'Exit codes: 0 no violation in what was judged, 1 violations, 2 configuration or suite error, 3 ',
    );
  });

  it('has one kind of value for an option of several commands', async () => {
    const kinds = new Map<string, Set<string>>();
    for (const { options } of everyCommand(await programOf(names)))
      for (const { long, flags } of options) {
        const [, kind] = /[<[]([a-z]+?)s?\b/.exec(flags) ?? [];
        if (kind !== undefined) kinds.set(long ?? '', (kinds.get(long ?? '') ?? new Set()).add(kind));
      }
    expect(kinds.size).toBeGreaterThan(40);
    expect([...kinds].filter(([, { size }]) => size > 1)).toEqual([]);
  });

  it('prints every variable once', async () => {
    const { stdout } = await printed('help', 'environment');
    const variables = settings.filter(({ role }) => !role).map(({ env }) => env);
    for (const name of [targetVariable, ...variables]) expect(stdout.split(`  ${name} `), name).toHaveLength(2);
  });

  it.each(pages)('of gamedata %s names options that the parser accepts', async (page) => {
    const { stdout } = await printed(...wordsOf(page), '--help');
    const own = await optionsOf(page === 'help environment' ? 'verify' : page);
    for (const line of stdout.split('\n')) {
      if (/^ +(?:echo .*\| )?gamedata /.test(line)) continue; // the next test parses it
      const [, other] = /\b(mock|verify|audit|doctor|replay|target|tree) --/.exec(line) ?? [];
      const accepted = other === undefined ? own : await optionsOf(other);
      for (const [option] of line.matchAll(/(?<![\w-])--[a-z][a-z-]*/g)) expect(accepted, line).toContain(option);
    }
  });

  it.each(pages)('of gamedata %s gives examples that the parser accepts', async (page) => {
    const { stdout } = await printed(...wordsOf(page), '--help');
    for (const [, example = ''] of stdout
      .slice(stdout.indexOf('Example'))
      .matchAll(/^ {2}(?:echo .*\| )?gamedata (.+)$/gm)) {
      const [words = ''] = example.split(/ {2,}/);
      const args = [...words.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(([, a, b, c]) => a ?? b ?? c ?? '');
      await expect((await parser()).parseAsync(args, { from: 'user' }), example).resolves.toBeDefined();
    }
  });
});

describe('an option that has another name now', () => {
  it.each([
    ['mock --target', 'gamedata mock: --target is no longer an option; use --write-target [file]'],
    ['mock --port 0 --target=-', 'gamedata mock: --target is no longer an option; use --write-target [file]'],
    ['mock --list-switches', 'gamedata mock: --list-switches is no longer an option; use gamedata mock switches'],
    ['verify --list --only PROFILE', 'gamedata verify: --list is no longer an option; use gamedata verify list'],
    [
      'verify --target x.yaml --print-baseline',
      'gamedata verify: --print-baseline is no longer an option; use --write-baseline <file> (- prints it)',
    ],
    ...['verify', 'doctor', 'replay x.json', 'check x.har'].map((words) => [
      `${words} --edition F-CX=on`,
      `gamedata ${words.split(' ')[0]}: --edition is no longer an option; use --flag <name=on|off|any>`,
    ]),
    ['audit --runs 20 -- true', 'gamedata audit: --runs is no longer an option; use --stop-after <seconds>'],
    ['target --init', 'gamedata target: --init is no longer an option; use gamedata target init'],
    ['target --out x --init', 'gamedata target: --init is no longer an option; use gamedata target init'],
    ['target --schema', 'gamedata target: --schema is no longer an option; use gamedata target schema'],
    ['tree --pipe', 'gamedata tree: --pipe is no longer an option; use gamedata tree pipe'],
  ])('%s is refused with it', async (line, stderr) => {
    expect(await printed(...line.split(' '))).toEqual({ code: 2, stdout: '', stderr: `${stderr}\n` });
  });

  it('is nobody’s business after --, where another command begins', async () => {
    const { stderr } = await printed('mock', '--prot', '1', '--exec', '--', 'verify', '--target', 'x');
    expect(stderr).toMatch(/^gamedata mock: unknown option '--prot'/);
  });
});

describe('an option of a subcommand', () => {
  it.each([
    ['verify --only PROFILE list', '--only stands before list; write the options of gamedata verify list after it'],
    ['mock --json switches', '--json stands before switches; write the options of gamedata mock switches after it'],
  ])('is refused before it: %s', async (line, words) => {
    const { code, stdout, stderr } = await printed(...line.split(' '));
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(words);
  });

  it.each([
    ['verfy', 'gamedata help verfy: no such command (did you mean verify?); the commands are mock, verify, '],
    ['verify lst', 'gamedata help verify lst: no such command (did you mean list?); the commands are list'],
    ['enviroment', 'gamedata help enviroment: no such command (did you mean environment?); '],
    ['merge all', 'gamedata help merge all: no such command; merge has no commands of its own'],
  ])('is not there: help %s', async (line, words) => {
    const { code, stderr } = await printed('help', ...line.split(' '));
    expect(code).toBe(2);
    expect(stderr).toContain(words);
  });

  it('is named with its command where it is unknown', async () => {
    expect((await printed('verify', 'list', '--bad')).stderr).toBe(
      "gamedata verify list: unknown option '--bad'; gamedata verify list --help lists what there is\n",
    );
  });
});
