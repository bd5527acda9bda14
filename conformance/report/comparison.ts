import { isLoss } from '../compare.js';
import type { Change, Comparison } from '../compare.js';
import { count, line } from '../text.js';
import { code, words } from './markdown.js';
import { evidence } from './rows.js';
import type { Terminal } from './terminal.js';
import { paintFor } from './terminal.js';

/** Rows of a list that Markdown shows; the terminal shows all. */
const mostRows = 50;

const lists = [
  ['broken', 'Began to fail'],
  ['lost', 'No longer judged'],
  ['fixed', 'Fixed'],
  ['gained', 'Newly judged, and passed'],
] as const satisfies readonly (readonly [keyof Comparison, string])[];

/** `2 requirements began to fail, 1 no longer judged, 3 fixed.` */
export function summaryOf(comparison: Comparison): string {
  const { broken, lost, fixed, gained } = comparison;
  const parts = [
    ...(broken.length > 0 ? [`${count(broken.length, 'requirement')} began to fail`] : []),
    ...(lost.length > 0 ? [`${count(lost.length, 'requirement')} no longer judged`] : []),
    ...(fixed.length > 0 ? [`${fixed.length} fixed`] : []),
    ...(gained.length > 0 ? [`${gained.length} newly judged`] : []),
  ];
  const loss = isLoss(comparison) ? 'Loss' : 'No loss';
  return `${loss}: ${parts.length > 0 ? parts.join(', ') : 'no difference'}.`;
}

/** What differs, for a terminal; the summary last. */
export function comparisonText(comparison: Comparison, terminal: Pick<Terminal, 'colour'>): string {
  const { strong, faint, bad, good } = paintFor(terminal);
  const parts = lists.flatMap(([key, title]) => {
    const changes = comparison[key];
    if (changes.length === 0) return [];
    return [[strong(`${title} (${changes.length})`), ...changes.flatMap((change) => lines(change, faint))].join('\n')];
  });
  const notes = comparison.notes.map((note) => line(note));
  const paint = isLoss(comparison) ? bad : good;
  return `${[...parts, ...notes, paint(summaryOf(comparison))].join('\n\n')}\n`;
}

function lines({ row, before, after }: Change, faint: (text: string) => string): string[] {
  const head = `  ${line(row.title, 200)}  ${faint(`${before ?? 'unknown'} -> ${after ?? 'gone'}`)}`;
  if (!row.failure || after !== 'fail')
    return row.reason && after !== before ? [head, `    ${faint(line(row.reason, 200))}`] : [head];
  const { expected, got } = evidence(row);
  return [head, `    expected ${line(expected, 200)}`, `    got      ${line(got, 200)}`];
}

/** What differs, in GitHub flavoured Markdown: for a pull request. */
export function comparisonMarkdown(comparison: Comparison): string {
  const parts = lists.flatMap(([key, title]) => {
    const changes = comparison[key];
    if (changes.length === 0) return [];
    const rows = changes
      .slice(0, mostRows)
      .map(
        ({ row, before, after }) =>
          `| ${words(row.id, 80)} | ${words(row.statement, 200)} | ${before ?? 'unknown'} | ${after ?? 'gone'} | ${code(row.failure && after === 'fail' ? evidence(row).got : (row.reason ?? ''), 200)} |`,
      );
    const rest = changes.length > mostRows ? [`\n${changes.length - mostRows} more.`] : [];
    return [
      [
        `### ${title} (${changes.length})\n`,
        '| Requirement | | Before | After | |',
        '| --- | --- | --- | --- | --- |',
        ...rows,
        ...rest,
      ].join('\n'),
    ];
  });
  const notes = comparison.notes.map((note) => words(note));
  return `${[`${isLoss(comparison) ? '❌' : '✅'} **${summaryOf(comparison)}**`, ...notes, ...parts].join('\n\n')}\n`;
}
