import { table } from '../foreign/page.js';
import { rowsOf, titles } from './cell.js';
import { kinds } from './run.js';
import type { Shown } from './site.js';

/** The tables of docs/results.md, before they are formatted: a line for each subject. */
export function pageOf(shown: readonly Shown[]): string {
  return kinds
    .map((kind) => {
      const own = shown.filter(({ run }) => run.kind === kind);
      const isText = kind === 'machine' || kind === 'library';
      const rows = own.map(({ run, doubts }) => {
        const { subject, date, cells } = run;
        const passed = Object.values(cells).every((cell) => cell.passed) ? rowsOf(run, 'passed').length : '';
        const found = isText
          ? [Object.entries(cells).map(([column, { text }]) => `${column.replace('log in: ', '')} ${text}`).join(', ')]
          : [passed, rowsOf(run, 'failed').length, rowsOf(run, 'warned').length];
        return [`${subject.name} ${subject.version}`, subject.language, date.slice(0, 10), ...found, doubts.join('; ') || 'current'];
      });
      const columns = isText ? ['Found'] : ['Passed', 'Failed', 'Warned'];
      return `### ${titles[kind]} (${own.length})\n\n${table(['Subject', 'Language', 'Published', ...columns, 'State'], rows)}`;
    })
    .join('\n\n');
}
