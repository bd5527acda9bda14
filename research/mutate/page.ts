import { fileOf, keyOf } from './mutant.js';
import type { Result } from './mutant.js';
import { classes, explained } from './reasons.js';
import type { Gap, Survivor, Survivors } from './reasons.js';

/** Mutants, by what came of them. Those with which the mock does not start are left out: there is nothing to judge. */
interface Count {
  readonly tried: number;
  readonly killed: number;
  readonly free: number;
  readonly unobservable: number;
}

export type ByFolder = Readonly<Record<string, number>>;

/** What is published. */
export interface Published {
  readonly tool: string;
  /** All mutants of the tool, by folder, and those of them that were tried. */
  readonly all: ByFolder;
  readonly done: ByFolder;
  readonly noStart: number;
  readonly notReached: number;
  /** The suite came to no verdict: exit code 2 or 3. */
  readonly noVerdict: number;
  /** Of those that survive as described, the ones that were tried in another profile too. */
  readonly again: { readonly tried: number; readonly of: number };
  readonly total: Count;
  readonly operators: Readonly<Record<string, Count>>;
  readonly folders: Readonly<Record<string, Count>>;
  readonly survivors: readonly Survivor[];
  readonly gaps: readonly Gap[];
}

/**
 * What is published of the results.
 * @throws Error where a survivor has no reason, or a reason no survivor
 */
export function publishedOf(tool: string, all: ByFolder, results: readonly Result[], why: Survivors): Published {
  const judged = results.filter(({ end }) => end !== 'no start');
  const survivors = explained(results, why);
  const open = results.filter(({ end }) => end === 'survived' || end === 'not reached');
  const classOf = new Map(survivors.map((one) => [keyOf(one), one.class]));
  const countOf = (some: readonly Result[]): Count => ({
    tried: some.length,
    killed: some.filter(({ end }) => end === 'killed').length,
    free: some.filter((one) => classOf.get(keyOf(one)) === 'free').length,
    unobservable: some.filter((one) => classOf.get(keyOf(one)) === 'not observable').length,
  });
  const countsBy = (nameOf: (result: Result) => string): Record<string, Count> => {
    const names = [...new Set(judged.map(nameOf))].toSorted();
    return Object.fromEntries(names.map((name) => [name, countOf(judged.filter((one) => nameOf(one) === name))]));
  };
  return {
    tool,
    all,
    done: countsOf(results),
    noStart: results.length - judged.length,
    notReached: results.filter(({ end }) => end === 'not reached').length,
    noVerdict: results.filter((one) => one.end === 'no end' && !classOf.has(keyOf(one))).length,
    again: { tried: open.filter(({ profiles }) => profiles.length > 1).length, of: open.length },
    total: countOf(judged),
    operators: countsBy(({ operator }) => operator),
    folders: countsBy(({ place }) => folderOf(place)),
    survivors,
    gaps: why.gaps,
  };
}

/** How many mutants are in each folder. */
export function countsOf(mutants: readonly { readonly place: string }[]): ByFolder {
  const counts: Record<string, number> = {};
  for (const { place } of mutants) counts[folderOf(place)] = (counts[folderOf(place)] ?? 0) + 1;
  return counts;
}

const folderOf = (place: string): string => fileOf(place).split('/').slice(0, 2).join('/');

/** README.md of the folder, before it is formatted. */
export function pageOf({
  tool,
  all,
  done,
  noStart,
  notReached,
  noVerdict,
  again,
  total,
  operators,
  folders,
  survivors,
  gaps,
}: Published): string {
  const mutants = Object.values(all).reduce((sum, count) => sum + count, 0);
  const shown = gaps.flatMap(({ mutants }) => mutants).length;
  return `# Standard mutants

\`npm run mutate\` changes the rules of the mock by the standard operators of mutation testing (${tool}): conditions,
boundaries, booleans, texts, blocks, expressions. Nobody of this project chose a mutant. The mock runs with one of them at
a time, and the suite tests it until a binding row fails. This page is written by that command.

- ${mutants} mutants are in the rules (\`src/oauth\`, \`src/game\`, \`src/passive-tree\`), in what turns rules into replies
  (\`src/server\`), and in the world that they show (\`src/world\`).
  ${triedOf(all, done)}
- ${noStart === 0 ? 'The mock starts with each of them.' : `With ${noStart} the mock does not start: there is nothing to judge.`}
- **${total.killed} of ${total.tried} are killed**, ${percent(total.killed, total.tried)}. Each of the ${survivors.length} survivors has a reason below, and is named in \`survivors.yaml\`, or in \`results.jsonl\` where a comparison gave the reason:
  ${total.unobservable} cannot be observed; ${total.free} change an answer that the interface leaves free; ${survivors.length - total.unobservable - total.free} show what the suite misses. Of
  ${notReached} the suite runs none of the code.${noVerdict === 0 ? '' : ` With ${noVerdict} the mock crashes or hangs: the suite gives no verdict and exits with 2 or 3, and they count as not killed.`}
- **Of those that can be observed and that the interface does not leave free, ${score(total)} are killed**, ${percent(total.killed, total.tried - total.free - total.unobservable)}.${noVerdict === 0 ? '' : ` Stryker itself counts what crashes or hangs as detected: ${percent(total.killed + noVerdict, total.tried - total.free - total.unobservable)} then.`}
- ${shown === 0 ? 'None showed a gap of the suite.' : `${shown} survived at first, and showed gaps of the suite that are closed now.`}

The mock runs as the interface is described. What survives there is tried with other readings of what the interface leaves
open, which the target declares, and with a consent form: ${again.tried} of ${again.of} so far.

A run leaves out checks that do not reach the mutated code, which get the same answers with and without it. It tries the
rows first that killed other mutants of the same file. Neither changes whether a row fails.

Most mutants of \`src/world\` change no more than data, if that. The worlds with and without each are compared first, list
by list, and the suite runs only where they differ.

\`\`\`sh
npm run mutate                                   # those that were not tried, or whose file has changed since
npm run mutate -- --in src/oauth                 # of one folder
npm run mutate -- --again                        # those again that were not killed, after a change of the suite
npm run mutate -- --mutant 'src/oauth/pkce.ts'   # those whose name below begins so
\`\`\`

## Killed

${tableOf(
  ['Folder', 'Mutants', ...heads],
  Object.keys({ ...all, ...folders })
    .toSorted()
    .map((name) => [name, all[name] ?? 0, ...cellsOf(folders[name] ?? nothing)]),
)}

${tableOf(
  ['Operator', ...heads],
  Object.entries(operators).map(([name, count]) => [name, ...cellsOf(count)]),
)}

Of the rest: killed, of those that are neither free nor unobservable.

## Gaps that are closed

${
  gaps.length === 0
    ? 'None.'
    : tableOf(
        ['Row', 'Mutants', 'What was missing'],
        gaps.map((gap) => [gap.row, gap.mutants.map(code).join('<br>'), gap.why]),
      )
}

${classes.map((kind) => section(kind, survivors)).join('\n\n')}
`;
}

const percent = (part: number, whole: number): string => `${((part / Math.max(whole, 1)) * 100).toFixed(1)} %`;

const score = ({ killed, tried, free, unobservable }: Count): string => `${killed} of ${tried - free - unobservable}`;

const titles: Readonly<Record<Survivor['class'], string>> = {
  'not observable': `## Survivors that cannot be observed

No request tells the mock with the mutant from the mock without it: the code does the same, or it acts only under another
switch than the mock runs with.`,
  free: `## Survivors that the interface leaves free

The mutant changes an answer, and the changed answer conforms too.`,
  missed: `## Survivors that the suite misses

The changed answer violates the interface, and no requirement fails. They count as not killed.`,
};

function section(kind: Survivor['class'], all: readonly Survivor[]): string {
  const own = all.filter((one) => one.class === kind);
  const reasons = [...new Set(own.map(({ reason }) => reason))];
  const lines = reasons.map((reason) => {
    const mutants = own.filter((one) => one.reason === reason);
    const shown = kind === 'missed' ? mutants.map(mutantLine) : [`- ${byFile(mutants)}`];
    return `${reason}\n\n${shown.join('\n')}`;
  });
  return `${titles[kind]}\n\n${lines.length === 0 ? 'None.' : lines.join('\n\n')}`;
}

/** How many mutants are in each file; survivors.yaml names them. */
const byFile = (mutants: readonly Survivor[]): string =>
  [...new Set(mutants.map(({ place }) => fileOf(place)))]
    .map((file) => `${file}: ${mutants.filter(({ place }) => fileOf(place) === file).length}`)
    .join(', ');

const mutantLine = ({ place, within, original, replacement }: Survivor): string =>
  `- ${place}${within === undefined ? '' : ` ${code(within)}`}: ${code(original)} → ${replacement === '' ? 'nothing' : code(replacement)}`;

/** Code in Markdown, whatever backticks it has. */
function code(text: string): string {
  const fence = '`'.repeat(1 + Math.max(0, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length)));
  const pad = /^`|`$/.test(text) ? ' ' : '';
  return `${fence}${pad}${text}${pad}${fence}`;
}

/** Which folders were tried as a whole, and how many of the others, which are drawn at random. */
const triedOf = (all: ByFolder, done: ByFolder): string =>
  Object.entries(all)
    .toSorted(([one], [other]) => one.localeCompare(other))
    .map(([folder, count]) => `\`${folder}\`: ${done[folder] === count ? 'all' : (done[folder] ?? 'none')}`)
    .reduce((text, one) => `${text}${text === '' ? 'Tried so far, of ' : ', '}${one}`, '')
    .concat('.');

const nothing: Count = { tried: 0, killed: 0, free: 0, unobservable: 0 };

const heads = ['Tried', 'Killed', 'Not observable', 'Free', 'Of the rest'];

const cellsOf = (count: Count): readonly (string | number)[] => [
  count.tried,
  count.killed,
  count.unobservable,
  count.free,
  score(count),
];

const tableOf = (head: readonly string[], rows: readonly (readonly (string | number)[])[]): string =>
  [head, head.map(() => '---'), ...rows]
    .map((cells) => `| ${cells.map((cell) => String(cell).replaceAll('|', '\\|')).join(' | ')} |`)
    .join('\n');
