import type { RowResult } from '../../result.js';
import type { Standing } from '../../standing.js';
import { standing, tally } from '../../standing.js';
import { by } from '../rows.js';
import { line } from '../../text.js';
import type { Markup } from './escape.js';
import { markup } from './escape.js';
import { shade } from './ledger.js';

const judged: readonly (readonly [Standing, string])[] = [
  ['fail', 'failed'],
  ['suite error', 'suite error'],
  ['waived', 'known'],
  ['warn', 'warned'],
  ['pass', 'passed'],
];

/** What came of each operation, by its requirements: those with failures first. Operations without a verdict come last. */
export function overview(rows: readonly RowResult[]): Markup {
  const operations = [
    ...by(
      rows.filter((row) => standing(row) !== 'excluded'),
      operationOf,
    ),
  ]
    .map(([name, its]) => ({
      name,
      counts: tally(its),
      size: its.filter((row) => standing(row) !== 'not applicable').length,
    }))
    .filter(({ size }) => size > 0)
    .sort((a, b) => b.counts.fail - a.counts.fail || judgedOf(b.counts) - judgedOf(a.counts));
  const used = judged.filter(([at]) => operations.some(({ counts }) => counts[at] > 0));
  const cell = (at: Standing, number: number): Markup =>
    markup`<td class="num">${number > 0 && markup`<span class="tag v-${shade(at)}">${number}</span>`}</td>`;
  const lines = operations.map(
    ({ name, counts, size }) =>
      markup`<tr><th scope="row"><code>${line(name, 200)}</code></th>${used.map(([at]) => cell(at, counts[at]))}<td class="num">${size - judgedOf(counts) || ''}</td></tr>`,
  );
  return markup`<div class="table" tabindex="0"><table><thead><tr><th scope="col">Operation</th>${used.map(([, title]) => markup`<th scope="col" class="num">${title}</th>`)}<th scope="col" class="num">not judged</th></tr></thead><tbody>${lines}</tbody></table></div>`;
}

const judgedOf = (counts: Readonly<Record<Standing, number>>): number =>
  judged.reduce((sum, [at]) => sum + counts[at], 0);

/** `/paths/~1profile/get/responses/200` -> `GET /profile`; of a schema or of none, a name for all of them. */
function operationOf({ pointer = '' }: RowResult): string {
  const [, paths, path = '', method = ''] = pointer.split('/');
  return paths === 'paths' && method !== ''
    ? `${method.toUpperCase()} ${path.replaceAll('~1', '/').replaceAll('~0', '~')}`
    : 'several operations';
}
