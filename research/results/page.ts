import { table } from '../foreign/page.js';
import { rowsOf, titles } from './cell.js';
import type { Kind, Latest, Run } from './run.js';
import { kinds } from './run.js';

/** The tables of docs/results.md, before they are formatted: a line for each subject, from the runs alone. */
export function pageOf(shown: readonly Latest[]): string {
  return kinds
    .map((kind) => {
      const own = shown.filter(({ run }) => run.kind === kind);
      const rows = own.map(({ run }) => {
        const { subject, date } = run;
        return [`${subject.name} ${subject.version}`, subject.language, date.slice(0, 10), ...found[kind].of(run)];
      });
      const head = ['Subject', 'Language', 'Published', ...found[kind].columns];
      return `### ${titles[kind]} (${own.length})\n\n${table(head, rows)}`;
    })
    .join('\n\n');
}

const numberOf = (run: Run, list: 'passed' | 'failed' | 'warned' | 'unjudged'): number => rowsOf(run, list).length;

const texts = ({ cells }: Run): readonly string[] => Object.values(cells).flatMap(({ text }) => text ?? []);

/** What the tables say of each kind. */
const found: Readonly<
  Record<Kind, { readonly columns: readonly string[]; of(run: Run): readonly (string | number)[] }>
> = {
  server: {
    columns: ['Passed', 'Failed', 'Warned', 'Not judged'],
    of: (run) => [numberOf(run, 'passed'), numberOf(run, 'failed'), numberOf(run, 'warned'), numberOf(run, 'unjudged')],
  },
  machine: { columns: ['States', 'Inputs', 'Complete', 'Differences'], of: texts },
  client: { columns: ['Failed', 'Warned'], of: (run) => [numberOf(run, 'failed'), numberOf(run, 'warned')] },
  library: {
    columns: ['Steps', 'Done'],
    of: (run) => [texts(run).length, texts(run).filter((text) => text === 'yes').length],
  },
};
