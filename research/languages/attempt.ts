import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

import { root } from '../../scripts/generate/document.js';
import { shell } from '../../scripts/machine.js';
import { cacheSettings } from './caches.js';
import type { Tool } from './tools.js';
import { folder, prints, steps, workshop } from './tools.js';
import type { Expected, Worlds } from './world.js';
import { application, refreshToken } from './world.js';

/** What came of one tool. A cell is `yes`, `no`, or `not reached` behind a `no`. */
export interface Attempt {
  readonly tool: string;
  readonly version: string;
  /** Day of the attempt. */
  readonly date: string;
  /** The toolchain, as it names itself; absent where it was skipped. */
  readonly toolchain?: string;
  /** Why it was not tried. */
  readonly skipped?: string;
  readonly cells: Readonly<Record<string, Cell>>;
  /** The first lines of what failed. */
  readonly cause?: string;
  readonly seconds: number;
}

export type Cell = 'yes' | 'no' | 'not reached';

/** The columns of a kind of tool. Only a recommended generator has a short program. */
export const columns = {
  client: ['generates', 'compiles', ...prints.client, 'unknown member', 'unknown value', 'short program'],
  oauth: ['compiles', ...prints.oauth],
} as const;

/** Installs, generates, compiles and runs one tool in a copy of its folder. */
export async function attempt(tool: Tool, worlds: Worlds, expected: Expected): Promise<Attempt> {
  const begun = Date.now();
  const names = columns[tool.kind].filter((name) => name !== 'short program' || tool.example);
  const cells: Record<string, Cell> = Object.fromEntries(names.map((name) => [name, 'not reached']));
  const done = (rest: Partial<Attempt>): Attempt => ({
    tool: tool.id,
    version: tool.version,
    date: new Date().toISOString().slice(0, 10),
    cells,
    seconds: Math.round((Date.now() - begun) / 1000),
    ...rest,
  });
  const versions = await Promise.all(
    Object.entries(tool.needs).map(async ([name, ask]) => ({
      name,
      ...(await shell(`${name} ${ask}`, root, cacheSettings)),
    })),
  );
  const missing = versions.find(({ code }) => code !== 0);
  if (missing) return done({ skipped: `no ${missing.name} on this machine` });
  const toolchain = versions.map(({ name, output }) => versionIn(name, output)).join(', ');

  const place = prepare(tool);
  for (const step of steps) {
    const command = tool.commands[step];
    if (command === undefined || step === 'run') continue;
    const { code, output } = await shell(command, place, cacheSettings);
    writeFileSync(join(place, `${step}.log`), output);
    const column = { install: undefined, generate: 'generates', compile: 'compiles' }[step];
    if (column) cells[column] = code === 0 ? 'yes' : 'no';
    // Where a macro generates, the compiler does both.
    if (step === 'compile' && 'generates' in cells && !tool.commands.generate)
      cells['generates'] = cells['compiles'] ?? 'no';
    if (code !== 0) return done({ toolchain, cause: firstLines(output) });
  }
  const cause = await runAll(tool, place, worlds, expected, cells);
  return done({ toolchain, ...(cause !== undefined && { cause }) });
}

/** Runs the program as described and, for a generated client, against what is to come; then the short program. */
async function runAll(
  tool: Tool,
  place: string,
  worlds: Worlds,
  wanted: Expected,
  cells: Record<string, Cell>,
): Promise<string | undefined> {
  const expected = wanted[tool.kind];
  const run = async (
    url: string,
    name: string,
    command = tool.commands.run,
  ): Promise<{ lines: string[]; output: string }> => {
    const { output, printed } = await shell(command ?? 'false', place, {
      ...cacheSettings,
      GAME_URL: url,
      CLIENT_ID: application.id,
      CLIENT_SECRET: application.secret,
      REFRESH_TOKEN: await refreshToken(worlds.mock),
    });
    writeFileSync(join(place, `${name}.log`), output);
    return { lines: stripVTControlCharacters(printed).split('\n'), output };
  };
  const { lines, output } = await run(worlds.urls.described, 'run');
  let wrong = false;
  for (const name of prints[tool.kind]) {
    const line = lines.find((one) => one.startsWith(`${name}: `));
    const right = line !== undefined && expected.includes(line);
    cells[name] = right ? 'yes' : line === undefined && wrong ? 'not reached' : 'no';
    wrong ||= !right;
  }
  if (wrong) return firstLines(output);
  if (tool.kind === 'oauth') return undefined;
  for (const name of ['member', 'value'] as const) {
    const later = await run(worlds.urls[name], name);
    const same = expected.every((line) => later.lines.includes(line));
    cells[`unknown ${name}`] = same ? 'yes' : 'no';
    if (!same) return firstLines(later.output);
  }
  if (!tool.example) return undefined;
  const short = await run(worlds.urls.described, 'example', tool.example.run);
  const same = short.lines.join('\n').includes(wanted.example.join('\n'));
  cells['short program'] = same ? 'yes' : 'no';
  return same ? undefined : firstLines(short.output);
}

/** A copy of the tool's folder with both forms of the contract in it; what was downloaded before stays. */
function prepare({ id }: Tool): string {
  const place = join(workshop, id);
  mkdirSync(place, { recursive: true });
  for (const name of ['generated', 'out']) rmSync(join(place, name), { recursive: true, force: true });
  cpSync(join(folder, id), place, { recursive: true });
  for (const name of ['openapi.json', 'openapi.3.0.json'])
    cpSync(join(root, 'dist', 'openapi', name), join(place, name));
  return place;
}

const versionIn = (name: string, output: string): string => `${name} ${/\d+(\.\d+)+/.exec(output)?.[0] ?? ''}`.trim();

/** The lines that say what went wrong, without the path of this machine. */
function firstLines(output: string): string {
  const all = stripVTControlCharacters(output).split('\n');
  const telling = all.filter((line) => said.test(line) && !progress.test(line));
  return (telling.length > 0 ? telling : all).slice(0, 3).join(' | ').replaceAll(root, '').slice(0, 400);
}

const said = /error|exception|panic|fail|refus|invalid|cannot/i;
/** A package may be called `thiserror`. */
const progress = /^\s*(Compiling|Downloaded|Downloading|Installing)\b/;
