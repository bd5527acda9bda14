import type { MachineDescription } from '../result.js';
import { line } from '../text.js';

const box = { width: 168, height: 52, across: 150, down: 46 };
const margin = 24;

interface Edge {
  readonly from: number;
  readonly to: number;
  readonly inputs: readonly string[];
}

/** What leads from one state to another, inputs together. What leaves a state as it is, is none. */
function edgesOf({ states }: MachineDescription): readonly Edge[] {
  return states.flatMap(({ steps }, from) => {
    const targets = new Map<number, string[]>();
    for (const [input, { output, next }] of Object.entries(steps)) {
      if (next === from || output === 'nothing' || output === 'unknown') continue;
      targets.set(next, [...(targets.get(next) ?? []), input]);
    }
    return [...targets].map(([to, inputs]) => ({ from, to, inputs }));
  });
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** A letter for each input that changes something. */
function lettersOf(edges: readonly Edge[]): ReadonlyMap<string, string> {
  const inputs = [...new Set(edges.flatMap(({ inputs: own }) => own))];
  return new Map(inputs.map((input, index) => [input, String.fromCharCode('a'.charCodeAt(0) + (index % 26))]));
}

/**
 * A machine as an SVG, without scripts: a box for each state, its distance from the start from left to right, an arrow for
 * what leads from one to another, and the letters of the inputs on it. `title` is what a screen reader says.
 */
export function svgOf(machine: MachineDescription, title: string): string {
  const { states } = machine;
  const edges = edgesOf(machine);
  const letters = lettersOf(edges);
  const columns = byDistance(machine);
  const place = new Map<number, { x: number; y: number }>();
  const tallest = Math.max(...columns.map((column) => column.length));
  columns.forEach((column, at) =>
    column.forEach((state, row) =>
      place.set(state, {
        x: margin + at * (box.width + box.across),
        y: margin + 30 + (row + (tallest - column.length) / 2) * (box.height + box.down),
      }),
    ),
  );
  const width = 2 * margin + columns.length * box.width + (columns.length - 1) * box.across;
  const bottom = margin + 30 + tallest * (box.height + box.down) + 40;
  const legend = [...letters].map(
    ([input, letter], index) =>
      `<text x="${margin + (index % 3) * 300}" y="${bottom + Math.floor(index / 3) * 18}"><tspan font-weight="700">${letter}</tspan> ${escaped(line(input, 40))}</text>`,
  );
  const height = bottom + Math.ceil(letters.size / 3) * 18 + margin;
  return `<svg xmlns="http://www.w3.org/2000/svg" class="machine" role="img" aria-label="${escaped(title)}" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="system-ui, sans-serif" font-size="12" fill="currentColor">
<title>${escaped(title)}</title>
<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0 8 4 0 8z"/></marker></defs>
${edges.map((edge) => arrow(edge, place, letters)).join('\n')}
${states.map(({ name }, state) => boxOf(state, name, place.get(state)!)).join('\n')}
${legend.join('\n')}
</svg>
`;
}

function byDistance({ states }: MachineDescription): number[][] {
  const columns: number[][] = [];
  states.forEach(({ access }, state) => void (columns[access.length] = [...(columns[access.length] ?? []), state]));
  return columns.filter((column) => column !== undefined);
}

function boxOf(state: number, name: string, { x, y }: { readonly x: number; readonly y: number }): string {
  const parts = name.split(', ');
  const lines = parts.map(
    (part, index) =>
      `<tspan x="${x + box.width / 2}" y="${y + box.height / 2 + 4 + (index - (parts.length - 1) / 2) * 15}">${escaped(line(part, 40))}</tspan>`,
  );
  return `<g><rect x="${x}" y="${y}" width="${box.width}" height="${box.height}" rx="8" fill="none" stroke="currentColor"/><text x="${x + 6}" y="${y - 5}">${state}</text><text text-anchor="middle">${lines.join('')}</text></g>`;
}

function arrow(
  { from, to, inputs }: Edge,
  place: ReadonlyMap<number, { readonly x: number; readonly y: number }>,
  letters: ReadonlyMap<string, string>,
): string {
  const [a, b] = [place.get(from)!, place.get(to)!];
  const label = inputs.map((input) => letters.get(input)).join(' ');
  const middle = box.height / 2;
  const forth = b.x > a.x;
  const same = a.x === b.x;
  const [x1, y1] = forth || same ? [a.x + box.width, a.y + middle + (same ? 8 : 0)] : [a.x, a.y + middle + 12];
  const [x2, y2] = forth ? [b.x, b.y + middle] : [b.x + box.width, b.y + middle + (same ? -8 : 12)];
  const bend = forth ? Math.max(40, (x2 - x1) / 2) : same ? 50 + Math.abs(y2 - y1) / 5 : -70;
  const [c1, c2] = [x1 + bend, forth ? x2 - bend : x2 + Math.abs(bend)];
  // Each label stands near the box that its arrow leaves.
  const at = 0.27;
  const along = (p0: number, p1: number, p2: number, p3: number): number =>
    Math.round((1 - at) ** 3 * p0 + 3 * (1 - at) ** 2 * at * p1 + 3 * (1 - at) * at ** 2 * p2 + at ** 3 * p3);
  const [lx, ly] = [along(x1, c1, c2, x2), along(y1, y1, y2, y2) + 4];
  return `<g><path d="M${x1} ${y1}C${c1} ${y1} ${c2} ${y2} ${x2} ${y2}" fill="none" stroke="currentColor" opacity="0.55" marker-end="url(#tip)"/><text font-weight="700" paint-order="stroke" stroke="Canvas" stroke-width="5" stroke-linejoin="round" x="${lx}" y="${ly}" text-anchor="middle">${label}</text></g>`;
}

/** A machine as a Mermaid state diagram. What only looks at a state is left out. */
export function mermaidOf(machine: MachineDescription): string {
  const lines = machine.states.map(({ name }, state) => `  s${state}: ${name}`);
  const arrows = edgesOf(machine).map(({ from, to, inputs }) => {
    const told = inputs.map((input) => `${input} / ${machine.states[from]!.steps[input]!.output}`);
    return `  s${from} --> s${to}: ${told.join('<br>')}`;
  });
  return `stateDiagram-v2\n  direction LR\n  [*] --> s0\n${[...lines, ...arrows].join('\n')}\n`;
}
