import { fileOf, keyOf } from './mutant.js';
import type { Result } from './mutant.js';
import { classes, explained } from './reasons.js';
import type { Gap, Survivor, Survivors } from './reasons.js';

/** What a run had to do. */
export interface Sample {
  readonly tool: string;
  readonly seed: number;
  /** The number of mutants wanted. */
  readonly size: number;
  /** All mutants of the tool, and those whose code the suite reaches: the sample is of these. */
  readonly all: number;
  readonly reached: number;
}

/** How many mutants were tried and killed. */
export interface Count {
  readonly tried: number;
  readonly killed: number;
}

/** `results.json`. */
export interface Published extends Sample, Count {
  /** Mutants with which the mock does not start: the suite has nothing to judge. */
  readonly noStart: number;
  readonly operators: Readonly<Record<string, Count>>;
  readonly folders: Readonly<Record<string, Count>>;
  readonly survivors: readonly Survivor[];
  readonly gaps: readonly Gap[];
}

/**
 * What is published of the results of a sample.
 * @throws Error where a survivor has no reason, or a reason no survivor
 */
export function publishedOf(sample: Sample, results: readonly Result[], survivors: Survivors): Published {
  const placed = results.toSorted((one, other) => order.compare(keyOf(one), keyOf(other)));
  const judged = placed.filter(({ end }) => end !== 'no start');
  return {
    ...sample,
    ...countOf(judged),
    noStart: placed.length - judged.length,
    operators: countsBy(judged, ({ operator }) => operator),
    folders: countsBy(judged, ({ place }) => folderOf(place)),
    survivors: explained(placed, survivors),
    gaps: survivors.gaps,
  };
}

const order = new Intl.Collator('en', { numeric: true });

const folderOf = (place: string): string => fileOf(place).split('/').slice(0, 2).join('/');

const countOf = (results: readonly Result[]): Count => ({
  tried: results.length,
  killed: results.filter(({ end }) => end === 'killed').length,
});

function countsBy(results: readonly Result[], nameOf: (result: Result) => string): Record<string, Count> {
  const names = [...new Set(results.map(nameOf))].toSorted();
  return Object.fromEntries(names.map((name) => [name, countOf(results.filter((one) => nameOf(one) === name))]));
}

/** README.md of the folder, before it is formatted. */
export function pageOf({ tool, seed, size, all, reached, tried, killed, noStart, ...rest }: Published): string {
  const { operators, folders, survivors, gaps } = rest;
  const done = tried + noStart;
  const shown = gaps.flatMap(({ mutants }) => mutants).length;
  return `# Mutants that nobody chose

\`npm run mutate\` changes the rules of the mock by the standard operators of mutation testing (${tool}): conditions,
boundaries, booleans, texts, blocks, expressions. Nobody of this project chose a mutant. The mock runs with one of them at
a time, and the suite tests it until a binding row fails. This page is written by that command.

- ${all} mutants are in \`src/oauth\`, \`src/game\` and \`src/passive-tree\`; the suite reaches the code of ${reached}.
- The sample has ${size} of these (seed ${seed})${done < size ? `, of which ${done} were tried` : ''}.
- ${noStart === 0 ? 'The mock starts with each of them.' : `With ${noStart} the mock does not start: there is nothing to judge.`}
- **${killed} of ${tried} are killed.** None of the ${survivors.length} survivors violates the interface: ${classes
    .map((kind) => `${survivors.filter((one) => one.class === kind).length} are ${kind}`)
    .join(', ')}, each for a reason below.
- ${shown === 0 ? 'None showed a gap of the suite.' : `${shown} survived at first, and showed gaps of the suite that are closed now.`}

A run leaves out parts of the suite that do not reach the mutated code, which get the same answers with and without it.
It tries the rows first that killed other mutants of the same file. Neither changes whether a row fails.

\`\`\`sh
npm run mutate                        # the sample; an interrupted run goes on where it stopped
npm run mutate -- --again             # those again that were not killed, after a change of the suite
npm run mutate -- --mutant 942        # one mutant
npm run mutate -- --seed 2            # another sample; it fails until its survivors have reasons in survivors.yaml
\`\`\`

## Killed

${table(['Folder', 'Tried', 'Killed'], rowsOf(folders))}

${table(['Operator', 'Tried', 'Killed'], rowsOf(operators))}

## Gaps that are closed

${
  gaps.length === 0
    ? 'None.'
    : table(
        ['Row', 'Mutants', 'What was missing'],
        gaps.map((gap) => [gap.row, gap.mutants.map(code).join('<br>'), gap.why]),
      )
}

${classes.map((kind) => section(kind, survivors)).join('\n\n')}
`;
}

const titles: Readonly<Record<Survivor['class'], string>> = {
  'not observable': `## Survivors that cannot be observed

No request tells the mock with the mutant from the mock without it: the code does the same, or it acts only under another
switch than the mock runs with.`,
  free: `## Survivors that the interface leaves free

The mutant changes an answer, and the changed answer conforms too.`,
};

function section(kind: Survivor['class'], all: readonly Survivor[]): string {
  const own = all.filter((one) => one.class === kind);
  const reasons = [...new Set(own.map(({ reason }) => reason))];
  const lines = reasons.map((reason) => {
    const mutants = own.filter((one) => one.reason === reason).map(mutantLine);
    return `${reason}\n\n${mutants.join('\n')}`;
  });
  return `${titles[kind]}\n\n${lines.length === 0 ? 'None.' : lines.join('\n\n')}`;
}

const mutantLine = ({ place, original, replacement }: Survivor): string =>
  `- ${place}: ${code(original)} → ${replacement === '' ? 'nothing' : code(replacement)}`;

/** Code in Markdown, whatever backticks it has. */
function code(text: string): string {
  const fence = '`'.repeat(1 + Math.max(0, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length)));
  const pad = /^`|`$/.test(text) ? ' ' : '';
  return `${fence}${pad}${text}${pad}${fence}`;
}

const rowsOf = (counts: Readonly<Record<string, Count>>): readonly (readonly (string | number)[])[] =>
  Object.entries(counts).map(([name, { tried, killed }]) => [name, tried, killed]);

const table = (head: readonly string[], rows: readonly (readonly (string | number)[])[]): string =>
  [head, head.map(() => '---'), ...rows]
    .map((cells) => `| ${cells.map((cell) => String(cell).replaceAll('|', '\\|')).join(' | ')} |`)
    .join('\n');
