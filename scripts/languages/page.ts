import { existsSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';

import type { Document } from '../generate/document.js';
import { root } from '../generate/document.js';
import { toOpenApi30 } from '../generate/openapi30.js';
import type { Attempt, Cell } from './attempt.js';
import { columns } from './attempt.js';
import type { Tool } from './tools.js';
import { folder, readTools } from './tools.js';

/** The parts of openapi/languages/README.md that are made: by the name of the mark that they stand behind. */
export function languageParts(): Record<string, string> {
  const tools = readTools();
  const file = join(folder, 'results.json');
  const results = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Attempt[]) : [];
  const generators = tools.filter(({ kind }) => kind === 'client');
  const libraries = tools.filter(({ kind }) => kind === 'oauth');
  return {
    generators: table(generators, results),
    libraries: table(libraries, results),
    cost: cost(results),
    causes: causes(tools, results),
    programs: generators
      .filter(({ recommended }) => recommended)
      .map(chapter)
      .join('\n\n'),
    logins: libraries.map(chapter).join('\n\n'),
    losses: losses(),
  };
}

/** What the last attempts took, all tools together. */
function cost(results: readonly Attempt[]): string {
  const minutes = Math.ceil(results.reduce((sum, { seconds }) => sum + seconds, 0) / 60);
  return `The last attempts took ${minutes} minutes together, on two cores.`;
}

const signs: Record<Cell, string> = { yes: 'yes', no: '**no**', 'not reached': '–' };

/** A row a tool: what came of each step, with which toolchain and when. */
function table(tools: readonly Tool[], results: readonly Attempt[]): string {
  const [kind = 'client'] = tools.map((tool) => tool.kind);
  const names = columns[kind];
  const reads = kind === 'client' ? ['reads'] : [];
  const rows = tools.map((tool) => {
    const result = results.find(({ tool: id }) => id === tool.id);
    const first = [
      tool.language,
      `[${tool.name}](${tool.id}) ${tool.version}`,
      ...(kind === 'client' ? [tool.reads] : []),
    ];
    if (!result) return [...first, ...names.map(() => ''), 'never run'];
    if (result.skipped !== undefined) return [...first, ...names.map(() => ''), `${result.date}: ${result.skipped}`];
    const cells = names.map((name) => signs[result.cells[name] ?? 'not reached']);
    return [...first, ...cells, `${result.date}, ${result.toolchain ?? ''}, ${result.seconds} s`];
  });
  const head = ['language', 'tool', ...reads, ...names, 'run'];
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** What has to be known of each tool, and why a cell is red. */
function causes(tools: readonly Tool[], results: readonly Attempt[]): string {
  return tools
    .flatMap(({ id, name, notes = [] }) => {
      const cause = results.find(({ tool }) => tool === id)?.cause;
      return [
        ...notes.map((note) => `- **${name}.** ${note}`),
        ...(cause ? [`- **${name}** fails: \`${cause}\``] : []),
      ];
    })
    .join('\n');
}

/** A tool's commands and the program that was run. */
function chapter({ id, name, language, commands, program }: Tool): string {
  const given =
    commands.generate === undefined ? [] : ['cp node_modules/game-data-contract/dist/openapi/openapi*.json .'];
  const lines = Object.values(commands).filter((command) => command !== 'true');
  const source = readFileSync(join(folder, id, program), 'utf8').trim();
  return [
    `### ${language}: ${name}`,
    ['```sh', ...given, ...lines, '```'].join('\n'),
    `[${program}](${id}/${program}), with the manifest beside it:`,
    `\`\`\`${extname(program).slice(1)}\n${source}\n\`\`\``,
  ].join('\n\n');
}

/** What the conversion to 3.0 really did. */
function losses(): string {
  const contract = JSON.parse(readFileSync(join(root, 'dist', 'openapi', 'openapi.json'), 'utf8')) as Document;
  const rows = toOpenApi30(contract).losses.map(({ about, places }) => {
    const shown = places.slice(0, 6).map((place) => `\`${place}\``);
    return `| ${about} | ${places.length} | ${shown.join(', ')}${places.length > 6 ? ', …' : ''} |`;
  });
  return ['| what is said otherwise | places | where |', '|---|---|---|', ...rows].join('\n');
}
