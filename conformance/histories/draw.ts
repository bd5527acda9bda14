import type { Call, Core } from './history.js';
import { formatCall, ms } from './words.js';

const lane = { height: 46, bar: 16, left: 84, top: 34 };
/** The width of a letter at 12 pixels, and the least distance of two moments. */
const letter = 7.4;
const apart = 20;

/**
 * A history without an explanation as lanes over time, one per caller. Moments are set apart so that what is written on a
 * call fits: the picture shows which calls overlapped, and the figures below how long they took.
 */
export function drawHistory({ calls, culprit: place }: Core): string {
  const culprit = calls[place]!;
  const callers = [...new Set(calls.map(({ caller }) => caller))].toSorted((one, other) => one - other);
  const { x, width } = layout(calls);
  const start = Math.min(...calls.map(({ sent }) => sent));
  const bottom = lane.top + callers.length * lane.height;
  const y = (caller: number): number => lane.top + callers.indexOf(caller) * lane.height;
  const right = (call: Call): number => (call.ended === undefined ? width - apart : x.get(call.ended)!);
  const limit = right(culprit);
  const lanes = callers.map(
    (caller) =>
      `<text x="8" y="${y(caller) + 31}" class="caller">caller ${caller + 1}</text><line x1="${lane.left}" x2="${width - 8}" y1="${y(caller) + 26}" y2="${y(caller) + 26}" class="time"/>`,
  );
  const bars = calls.map((call) => {
    const [from, to] = [x.get(call.sent)!, right(call)];
    const kind = call === culprit ? 'call culprit' : 'call';
    return [
      `<g class="${kind}"><title>${escaped(formatCall(call))}</title>`,
      `<rect x="${from}" y="${y(call.caller) + 18}" width="${to - from}" height="${lane.bar}" rx="3"/>`,
      `<text x="${from}" y="${y(call.caller) + 12}">${escaped(formatCall(call))}</text></g>`,
    ].join('');
  });
  const moments = [...x]
    .filter(([time]) => calls.some(({ ended }) => ended === time))
    .map(
      ([time, at], index) =>
        `<text x="${at}" y="${bottom + 14 + (index % 2) * 13}" class="moment">${ms(time - start)}</text>`,
    );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${bottom + 40}" viewBox="0 0 ${width} ${bottom + 40}" role="img" aria-label="${escaped(calls.map(formatCall).join('; '))}">`,
    `<style>${style}</style>`,
    `<rect width="${width}" height="${bottom + 40}" class="paper"/>`,
    `<rect x="${lane.left}" y="${lane.top - 10}" width="${limit - lane.left}" height="${bottom - lane.top + 10}" class="explained"/>`,
    `<text x="${lane.left}" y="16" class="note">Until the dashed line some order explains all replies; with the red one none does.</text>`,
    ...lanes,
    ...bars,
    `<line x1="${limit}" x2="${limit}" y1="${lane.top - 10}" y2="${bottom}" class="limit"/>`,
    ...moments,
    '</svg>',
  ].join('\n');
}

const style = [
  'text{font:12px ui-monospace,Menlo,Consolas,monospace;fill:#222}',
  '.paper{fill:#fff}.explained{fill:#f1f6f1}.caller{font-weight:bold}.note{fill:#555;font-family:system-ui,sans-serif}',
  '.time{stroke:#ccc}.moment{fill:#666;font-size:10px;text-anchor:middle}.limit{stroke:#b00020;stroke-dasharray:4 3}',
  '.call rect{fill:#9db8d9;stroke:#4a6d96}.culprit rect{fill:#f2b8bd;stroke:#b00020}.culprit text{fill:#b00020;font-weight:bold}',
].join('');

/** Where moments are from left to right: in their order, and as far apart as what is written between them needs. */
function layout(calls: readonly Call[]): { readonly x: ReadonlyMap<number, number>; readonly width: number } {
  const x = new Map<number, number>();
  let last = lane.left - apart / 2;
  const needed = (call: Call): number => formatCall(call).length * letter + 10;
  for (const moment of momentsOf(calls)) {
    const ending = calls.filter(({ ended }) => ended === moment).map((call) => x.get(call.sent)! + needed(call));
    last = Math.ceil(Math.max(last + apart, ...ending.filter((end) => !Number.isNaN(end))));
    x.set(moment, last);
  }
  const open = calls.filter(({ ended }) => ended === undefined).map((call) => x.get(call.sent)! + needed(call));
  return { x, width: Math.ceil(Math.max(last, ...open, lane.left + 490)) + 2 * apart };
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

/** The same for a terminal: a line per call, with a bar over time, and moments as far apart as each other. */
export function drawText({ calls, culprit }: Core, columns = 24): string {
  const moments = momentsOf(calls);
  const last = Math.max(columns, moments.length + 2) - 2;
  const at = (time: number): number => Math.round((moments.indexOf(time) / Math.max(moments.length - 1, 1)) * last);
  return calls
    .map(({ caller, sent, ended }, index) => {
      const from = at(sent);
      const to = ended === undefined ? last + 1 : Math.max(from + 1, at(ended));
      const bar = `${' '.repeat(from)}├${'─'.repeat(to - from - 1)}${ended === undefined ? '┄' : '┤'}`.padEnd(last + 2);
      const isCulprit = index === culprit;
      return `  caller ${caller + 1}  ${bar}  ${formatCall(calls[index]!)}${isCulprit ? '  ← no order explains this' : ''}`;
    })
    .join('\n');
}

const momentsOf = (calls: readonly Call[]): readonly number[] =>
  [...new Set(calls.flatMap(({ sent, ended }) => (ended === undefined ? [sent] : [sent, ended])))].toSorted(
    (one, other) => one - other,
  );
