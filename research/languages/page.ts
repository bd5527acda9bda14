import { readFileSync } from 'node:fs';
import { extname, join } from 'node:path';

import type { Document } from '../../scripts/generate/document.js';
import { root } from '../../scripts/generate/document.js';
import { toOpenApi30 } from '../../scripts/generate/openapi30.js';
import type { Attempt, Cell } from './attempt.js';
import { columns } from './attempt.js';
import { costOf, readResults } from './results.js';
import type { Tool } from './tools.js';
import { folder, readTools } from './tools.js';

/** The parts of research/languages/README.md that are made: by the name of the mark that they stand behind. */
export function languageParts(): Record<string, string> {
  const tools = readTools();
  const { whole, attempts: results } = readResults();
  const generators = tools.filter(({ kind }) => kind === 'client');
  const libraries = tools.filter(({ kind }) => kind === 'oauth');
  return {
    generators: table(generators, results),
    libraries: table(libraries, results),
    cost: whole ? `Every tool, one after the other: ${costOf(whole)}` : 'Not all tools were run in one go yet.',
    causes: causes(tools, results),
    programs: generators.flatMap((tool) => (tool.example ? [shortChapter(tool, tool.example)] : [])).join('\n\n'),
    logins: libraries.map(loginChapter).join('\n\n'),
    losses: losses(),
  };
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
    const cells = names.map((name) => (name in result.cells ? signs[result.cells[name] ?? 'no'] : ''));
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

/** The commands that generate a client and run the short program, and that program. */
function shortChapter(
  { id, name, language, commands, program }: Tool,
  example: { program: string; run: string },
): string {
  const lines = [commands.install, commands.generate, example.run].filter((line) => line !== undefined);
  return [
    `### ${language}: ${name}`,
    sourceOf('sh', lines.join('\n')),
    `[${example.program}](${id}/${example.program}); [${program}](${id}/${program}) does all steps of the table, and reads a refresh token from \`REFRESH_TOKEN\`:`,
    fileOf(id, example.program),
  ].join('\n\n');
}

function loginChapter({ id, name, language, commands, program }: Tool): string {
  return [
    `### ${language}: ${name}`,
    sourceOf('sh', Object.values(commands).join('\n')),
    `[${program}](${id}/${program}), with the manifest beside it:`,
    fileOf(id, program),
  ].join('\n\n');
}

const sourceOf = (language: string, text: string): string => `\`\`\`${language}\n${text.trim()}\n\`\`\``;

const fileOf = (id: string, file: string): string =>
  sourceOf(extname(file).slice(1), readFileSync(join(folder, id, file), 'utf8'));

/** What the conversion to 3.0 really did. */
function losses(): string {
  const contract = JSON.parse(readFileSync(join(root, 'dist', 'openapi', 'openapi.json'), 'utf8')) as Document;
  const rows = toOpenApi30(contract).losses.map(({ about, places }) => {
    const shown = places.slice(0, 6).map((place) => `\`${place}\``);
    return `| ${about} | ${places.length} | ${shown.join(', ')}${places.length > 6 ? ', …' : ''} |`;
  });
  return ['| what is said otherwise | places | where |', '|---|---|---|', ...rows].join('\n');
}
