import { escape } from '../../src/server/pages/html.js';
import type { Standing } from './cell.js';
import { standingOf } from './cell.js';
import type { Kind, Latest } from './run.js';
import { columnsOf } from './site.js';

type Scheme = 'light' | 'dark';

const colours: Readonly<Record<Scheme, Readonly<Record<Standing | 'paper' | 'ink' | 'soft' | 'line', string>>>> = {
  light: {
    good: '#7cc68d',
    fair: '#f0cf5a',
    bad: '#e07b6f',
    none: '#dfe3ea',
    paper: '#fff',
    ink: '#1b2130',
    soft: '#566073',
    line: '#d9dee8',
  },
  dark: {
    good: '#3d8a53',
    fair: '#a8872a',
    bad: '#a8463b',
    none: '#343c4a',
    paper: '#14181f',
    ink: '#e7eaf1',
    soft: '#a3adbf',
    line: '#353d4c',
  },
};

const size = { cell: 22, row: 20, names: 220, head: 78, gap: 44, width: 860 };

/** The picture of the whole: servers and clients, a square for each group of requirements. */
export function pictureOf(shown: readonly Latest[], scheme: Scheme): string {
  const colour = colours[scheme];
  let top = 14;
  const parts: string[] = [];
  for (const [kind, title] of [
    ['server', 'Servers, by group of requirements'],
    ['client', 'Clients, by group of requirements'],
  ] as const satisfies readonly (readonly [Kind, string])[]) {
    const own = shown.filter(({ run }) => run.kind === kind);
    const columns = columnsOf(own);
    parts.push(`<text x="14" y="${top + 12}" font-weight="600" fill="${colour.ink}">${title}</text>`);
    for (const [index, column] of columns.entries()) {
      const x = size.names + index * size.cell + 14;
      parts.push(
        `<text transform="translate(${x} ${top + size.head - 6}) rotate(-55)" fill="${colour.soft}" font-size="9">${escape(column)}</text>`,
      );
    }
    for (const [index, { run }] of own.entries()) {
      const y = top + size.head + index * size.row;
      const name = run.subject.name.replace(
        'spring-boot-starter-oauth2-authorization-server',
        'spring-authorization-server',
      );
      parts.push(`<text x="14" y="${y + 13}" fill="${colour.ink}">${escape(name)}</text>`);
      for (const [at, column] of columns.entries()) {
        const cell = run.cells[column];
        if (!cell) continue;
        parts.push(
          `<rect x="${size.names + at * size.cell}" y="${y}" width="${size.cell - 3}" height="${size.row - 3}" rx="3" fill="${colour[standingOf(cell)]}"/>`,
        );
      }
    }
    top += size.head + own.length * size.row + size.gap;
  }
  const legend = (
    [
      ['good', 'no violation'],
      ['fair', 'warnings'],
      ['bad', 'violations'],
      ['none', 'nothing judged or found'],
    ] as const
  ).map(
    ([standing, words], index) =>
      `<rect x="${14 + index * 130}" y="${top - 24}" width="14" height="14" rx="3" fill="${colour[standing]}"/><text x="${34 + index * 130}" y="${top - 13}" fill="${colour.soft}">${words}</text>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size.width} ${top}" font-family="system-ui, sans-serif" font-size="12" role="img"><title>Open results</title><rect width="${size.width}" height="${top}" fill="${colour.paper}"/>${parts.join('')}${legend.join('')}</svg>\n`;
}
