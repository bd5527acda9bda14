import type { ContractChange, Side } from '../contract-change/change.js';
import { count, line } from '../text.js';
import { words } from './markdown.js';
import type { Terminal } from './terminal.js';
import { paintFor } from './terminal.js';

const breaks =
  (...sides: readonly Side[]) =>
  (change: ContractChange): boolean =>
    change.breaks.length === sides.length && sides.every((side) => change.breaks.includes(side));

/** A change is in one of them. */
const lists: readonly (readonly [string, (change: ContractChange) => boolean])[] = [
  ['Breaks clients and servers', breaks('clients', 'servers')],
  ['Breaks clients', breaks('clients')],
  ['Breaks servers', breaks('servers')],
  ['Breaks nobody', breaks()],
];

/** Whether anybody has to be changed. */
export const isBreaking = (changes: readonly ContractChange[]): boolean =>
  changes.some((change) => change.breaks.length > 0);

/** `Breaking: 9 changes; 3 break clients, 2 break servers, 4 break nobody.` */
export function summaryOfChanges(changes: readonly ContractChange[]): string {
  if (changes.length === 0) return 'No change.';
  const of = (side: Side): number => changes.filter((change) => change.breaks.includes(side)).length;
  const harmless = changes.filter((change) => change.breaks.length === 0).length;
  const breaking = isBreaking(changes) ? 'Breaking' : 'Not breaking';
  return `${breaking}: ${count(changes.length, 'change')}; ${of('clients')} break clients, ${of('servers')} break servers, ${harmless} break nobody.`;
}

/** The changes for a terminal; the summary last. */
export function changesText(changes: readonly ContractChange[], terminal: Pick<Terminal, 'colour'>): string {
  const { strong, bad, good } = paintFor(terminal);
  const parts = lists.flatMap(([title, isOfList]) => {
    const own = changes.filter(isOfList);
    if (own.length === 0) return [];
    return [
      [strong(`${title} (${own.length})`), ...own.map((one) => `  ${line(`${one.place} ${one.what}`, 300)}`)].join(
        '\n',
      ),
    ];
  });
  const paint = isBreaking(changes) ? bad : good;
  return `${[...parts, paint(summaryOfChanges(changes))].join('\n\n')}\n`;
}

/** Rows of a list that Markdown shows; the terminal shows all. */
const mostRows = 50;

/** The changes in GitHub flavoured Markdown: for a pull request. */
export function changesMarkdown(changes: readonly ContractChange[]): string {
  const parts = lists.flatMap(([title, isOfList]) => {
    const own = changes.filter(isOfList);
    if (own.length === 0) return [];
    const rows = own.slice(0, mostRows).map(({ place, what }) => `| ${words(place, 200)} | ${words(what, 200)} |`);
    const rest = own.length > mostRows ? [`\n${own.length - mostRows} more.`] : [];
    return [[`### ${title} (${own.length})\n`, '| Place | Change |', '| --- | --- |', ...rows, ...rest].join('\n')];
  });
  return `${[`${isBreaking(changes) ? '❌' : '✅'} **${summaryOfChanges(changes)}**`, ...parts].join('\n\n')}\n`;
}
