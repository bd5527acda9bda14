import { escape } from '../src/server/pages/html.js';
import { methodColours } from '../src/server/pages/methods.js';

/** An operation as far as the picture shows it. */
export interface Drawn {
  readonly method: string;
  readonly path: string;
  readonly tag: string;
  /** The scope that a token needs, if it needs one. */
  readonly scope?: string | undefined;
}

/** Widths and heights in units of the picture, which is as wide as the text of a page. */
const column = { width: 384, gap: 16 };
const heights = { heading: 40, title: 34, scope: 19, operation: 23, foot: 12, gap: 12 };
const margin = 12;
const width = 2 * column.width + column.gap;

const fills = (ground: 'light' | 'dark'): string =>
  Object.entries(methodColours)
    .map(([method, colours]) => `.${method}{fill:${colours[ground]}}`)
    .join('');

const style = `.bg{fill:#fff}.card{fill:#f3f5f9;stroke:#d9dee8}.ink{fill:#1b2130}.soft{fill:#566073}${fills('light')}.on{fill:#fff}.mono{font-family:ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace}
@media (prefers-color-scheme:dark){.bg{fill:#14181f}.card{fill:#1d232d;stroke:#353d4c}.ink{fill:#e7eaf1}.soft{fill:#a3adbf}${fills('dark')}.on{fill:#14181f}}`;

/** Who calls what: the headings of the picture, by what the scope of an operation begins with. */
const kinds = [
  { title: 'Authorization server', side: 0, has: (tag: string) => tag === 'Authorization' },
  { title: 'With a token of the client itself', side: 0, has: (_: string, scope = '') => scope.startsWith('service:') },
  { title: 'With a token of a user', side: 1, has: (_: string, scope = '') => scope.startsWith('account:') },
] as const;

/**
 * The operations of the contract in one picture: SVG for light and dark pages, which needs no font but the reader's own.
 *
 * @throws Error for an operation that has no place in it
 */
export function operationsPicture(operations: readonly Drawn[]): string {
  const bottoms: [number, number] = [0, 0];
  const parts = kinds.flatMap(({ title, side, has }) => {
    const own = operations.filter(({ tag, scope }) => has(tag, scope));
    const x = side * (column.width + column.gap);
    const heading = `<text class="ink" x="${x + 2}" y="${bottoms[side] + 26}" font-size="16" font-weight="650">${title}</text>`;
    bottoms[side] += heights.heading;
    const cards = [...grouped(own, ({ tag }) => tag)].map(([tag, members]) => {
      const { svg, height } = card(tag, members, x, bottoms[side]);
      bottoms[side] += height + heights.gap;
      return svg;
    });
    return [heading, ...cards];
  });
  const lost = operations.find(({ tag, scope }) => !kinds.some(({ has }) => has(tag, scope)));
  if (lost) throw new Error(`${lost.method} ${lost.path} has no place in the picture of the operations`);
  const height = Math.max(...bottoms) - heights.gap;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${-margin} ${-margin} ${width + 2 * margin} ${height + 2 * margin}" font-family="system-ui, sans-serif" font-size="14" role="img" aria-labelledby="title">
<title id="title">The ${operations.length} operations of the interface, by the token that they need</title>
<style>
${style}
</style>
<rect class="bg" x="${-margin}" y="${-margin}" width="${width + 2 * margin}" height="${height + 2 * margin}"/>
${parts.join('\n')}
</svg>
`;
}

function card(title: string, operations: readonly Drawn[], x: number, top: number): { svg: string; height: number } {
  let y = top + 22;
  const lines = [`<text class="ink" x="${x + 14}" y="${y}" font-weight="600">${escape(title)}</text>`];
  y = top + heights.title;
  for (const [scope, members] of grouped(operations, ({ scope }) => scope)) {
    if (scope !== undefined) {
      if (lines.length > 1) y += heights.gap / 2;
      lines.push(`<text class="soft mono" x="${x + 14}" y="${y + 10}" font-size="12">${escape(scope)}</text>`);
      y += heights.scope;
    }
    for (const { method, path } of members) {
      lines.push(
        `<rect class="${method.toLowerCase()}" x="${x + 14}" y="${y}" width="42" height="18" rx="4"/>`,
        `<text class="on" x="${x + 35}" y="${y + 13}" font-size="11" font-weight="700" text-anchor="middle">${method}</text>`,
        `<text class="ink mono" x="${x + 66}" y="${y + 14}" font-size="13">${escape(path)}</text>`,
      );
      y += heights.operation;
    }
  }
  const height = y + heights.foot - top - 4;
  const frame = `<rect class="card" x="${x + 0.5}" y="${top + 0.5}" width="${column.width - 1}" height="${height - 1}" rx="8"/>`;
  return { svg: [frame, ...lines].join('\n'), height };
}

/** Members by what they have in common, in the order in which each is met. */
function grouped<K>(operations: readonly Drawn[], keyOf: (operation: Drawn) => K): Map<K, Drawn[]> {
  const groups = new Map<K, Drawn[]>();
  for (const each of operations) groups.set(keyOf(each), [...(groups.get(keyOf(each)) ?? []), each]);
  return groups;
}
