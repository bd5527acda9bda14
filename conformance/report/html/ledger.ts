import type { RowResult } from '../../result.js';
import { standing, standings } from '../../standing.js';
import { evidence, pageOf } from '../rows.js';
import { line } from '../../text.js';
import type { Markup } from './escape.js';
import { anchor, markup, prose } from './escape.js';
import { linked } from './failures.js';

/** The CSS class of a standing. */
export const shade = (at: string): string =>
  ({
    'could not run': 'could',
    'not exercised': 'exercised',
    'not applicable': 'applicable',
    'suite error': 'suite',
  })[at] ?? at;

/** Every requirement, with a filter that needs the script. Without the script the table is plain. */
export function ledger(rows: readonly RowResult[]): Markup {
  const used = standings.filter((at) => rows.some((row) => standing(row) === at));
  return markup`<form class="filter" hidden>
<label>Text<input type="search" name="text" autocomplete="off" spellcheck="false"></label>
${select('Verdict', 'verdict', used)}
${select('Level', 'level', [...new Set(rows.map(({ level }) => level))])}
${select('Group', 'group', [...new Set(rows.map(({ group }) => line(group, 60)))])}
<button type="reset">Show all</button></form>
<p class="shown" role="status"></p>
<div class="table" tabindex="0"><table><thead><tr><th class="c1" scope="col">Requirement</th><th class="c2" scope="col">Level</th><th class="c3" scope="col">Verdict</th><th scope="col">Statement</th><th class="c5" scope="col">Section</th></tr></thead>
<tbody>
${rows.map(ledgerRow)}</tbody></table></div>`;
}

const select = (label: string, name: string, values: readonly string[]): Markup =>
  markup`<label>${label}<select name="${name}"><option value="">all</option>${values.map((value) => markup`<option>${value}</option>`)}</select></label>`;

function ledgerRow(row: RowResult): Markup {
  const at = standing(row);
  const id = line(row.id, 100);
  const failed = row.verdict === 'fail' && at === 'fail';
  return markup`<tr id="${anchor('row', row.id)}" data-group="${line(row.group, 60)}"><td>${failed ? markup`<a href="#${anchor('failure', row.id)}">${id}</a>` : id}</td><td>${row.level}</td><td><span class="tag v-${shade(at)}">${at}</span></td><td><p>${prose(row.statement, 400)}</p>${remark(row)}</td><td>${linked(pageOf(row), line(row.section, 20))}</td></tr>\n`;
}

function remark(row: RowResult): Markup | undefined {
  const at = standing(row);
  if (at === 'pass' && row.notes.length === 0) return undefined;
  const { expected, got } = evidence(row);
  const why =
    at === 'fail'
      ? `expected ${line(expected, 150)}; got ${line(got, 150)}`
      : at === 'waived'
        ? row.waived?.reason
        : row.reason;
  const text = [why, ...row.notes.slice(0, 3)].filter(Boolean).join(' · ');
  return text === '' ? undefined : markup`<p>${at === 'fail' ? line(text, 320) : prose(text, 320)}</p>`;
}
