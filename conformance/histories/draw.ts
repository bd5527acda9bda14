import type { Core } from './history.js';
import { line } from '../text.js';
import { formatCall, ms } from './words.js';

/** The width of a letter at 12 pixels, and the least distance of two moments. */
const letter = 7.4;
const apart = 20;
/** What the figure of a moment takes, with some room: `12,345 ms`. */
const figureWidth = 64;
const lane = {
  height: 46,
  bar: 16,
  top: 34,
  left: (names: readonly string[]): number => 22 + Math.ceil(Math.max(...names.map(({ length }) => length)) * letter),
};

/** A call of a lane. Times are milliseconds on the one clock of the picture. */
export interface Bar {
  /** From 0. */
  readonly lane: number;
  readonly from: number;
  /** Left out where nothing is known of its end. */
  readonly to?: number;
  readonly text: string;
  readonly isWrong: boolean;
}

/** What several did at the same time, a lane for each. */
export interface Lanes {
  readonly names: readonly string[];
  /** In the order in which they began. */
  readonly bars: readonly Bar[];
  readonly note: string;
  /** The bar at whose end a dashed line ends what the note speaks of. */
  readonly limit?: Bar;
}

/** The lanes of a history without an explanation, one per caller. */
export function lanesOf({ calls, culprit }: Core): Lanes {
  const callers = [...new Set(calls.map(({ caller }) => caller))].toSorted((one, other) => one - other);
  const bars = calls.map((call, place): Bar => ({
    lane: callers.indexOf(call.caller),
    from: call.sent,
    ...(call.ended !== undefined && { to: call.ended }),
    text: line(formatCall(call), 80),
    isWrong: place === culprit,
  }));
  const limit = bars.find(({ isWrong }) => isWrong);
  return {
    names: callers.map((caller) => `caller ${caller + 1}`),
    bars,
    note: 'Until the dashed line some order explains all replies; with the red one none does.',
    ...(limit && { limit }),
  };
}

/** A history without an explanation as lanes over time, one per caller: an SVG that stands alone. */
export const drawHistory = (core: Core): string =>
  drawLanes(lanesOf(core)).replace('>', `>\n<style>${laneStyle}</style>`);

/**
 * Lanes over time as an SVG, which needs `laneStyle`. Moments are set apart so that what is written on a call fits: the
 * picture shows which calls overlapped, and the figures below when they ended.
 */
export function drawLanes({ names, bars: given, note, limit: end }: Lanes): string {
  const bars = oneAfterTheOther(given);
  const limit = end && bars[given.indexOf(end)];
  const left = lane.left(names);
  const { x, width } = layout(bars, left);
  const start = Math.min(...bars.map(({ from }) => from));
  const bottom = lane.top + names.length * lane.height;
  const y = (index: number): number => lane.top + index * lane.height;
  const right = ({ to }: Bar): number => (to === undefined ? width - apart : x.get(to)!);
  const lanes = names.map(
    (name, index) =>
      `<text x="8" y="${y(index) + 31}" class="caller">${escaped(name)}</text><line x1="${left}" x2="${width - 8}" y1="${y(index) + 26}" y2="${y(index) + 26}" class="time"/>`,
  );
  const drawn = bars.map((bar) => {
    const [from, to] = [x.get(bar.from)!, right(bar)];
    const text = escaped(bar.text);
    return [
      `<g class="${bar.isWrong ? 'call culprit' : 'call'}"><title>${text}</title>`,
      `<rect x="${from}" y="${y(bar.lane) + 18}" width="${to - from}" height="${lane.bar}" rx="3"/>`,
      `<text x="${from}" y="${y(bar.lane) + 12}">${text}</text></g>`,
    ].join('');
  });
  const moments = [...x]
    .filter(([time]) => bars.some(({ to }) => to === time))
    .map(
      ([time, at], index) =>
        `<text x="${at}" y="${bottom + 14 + (index % 2) * 13}" class="moment">${ms(time - start)}</text>`,
    );
  const until = limit && right(limit);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" class="lanes" width="${width}" height="${bottom + 40}" viewBox="0 0 ${width} ${bottom + 40}" role="img" aria-label="${escaped(bars.map(({ lane: index, text }) => `${names[index]}: ${text}`).join('; '))}">`,
    `<rect width="${width}" height="${bottom + 40}" class="paper"/>`,
    ...(until === undefined
      ? []
      : [
          `<rect x="${left}" y="${lane.top - 10}" width="${until - left}" height="${bottom - lane.top + 10}" class="explained"/>`,
        ]),
    `<text x="${left}" y="16" class="note">${escaped(note)}</text>`,
    ...lanes,
    ...drawn,
    ...(until === undefined
      ? []
      : [`<line x1="${until}" x2="${until}" y1="${lane.top - 10}" y2="${bottom}" class="limit"/>`]),
    ...moments,
    '</svg>',
  ].join('\n');
}

/** The style of lanes, in the colours of a page that has them as variables. */
export const laneStyle = [
  '.lanes text{font:12px ui-monospace,Menlo,Consolas,monospace;fill:var(--ink,#222)}',
  '.lanes .paper{fill:var(--paper,#fff)}.lanes .explained{fill:var(--goodground,#f1f6f1)}.lanes .caller{font-weight:bold}',
  '.lanes .note{fill:var(--soft,#555);font-family:system-ui,sans-serif}.lanes .time{stroke:var(--line,#ccc)}',
  '.lanes .moment{fill:var(--soft,#666);font-size:10px;text-anchor:middle}.lanes .limit{stroke:var(--bad,#b00020);stroke-dasharray:4 3}',
  '.lanes .call rect{fill:#9db8d9;stroke:#4a6d96}.lanes .culprit rect{fill:var(--badground,#f2b8bd);stroke:var(--bad,#b00020)}',
  '.lanes .culprit text{fill:var(--bad,#b00020);font-weight:bold}',
].join('');

/** Calls of a lane that begin at the same moment, one after the other all the same: each has room for what is written on it. */
function oneAfterTheOther(bars: readonly Bar[]): readonly Bar[] {
  const begun = new Map<number, number>();
  return bars.map((bar) => {
    const before = begun.get(bar.lane) ?? -Infinity;
    const from = bar.from > before ? bar.from : before + 0.001;
    begun.set(bar.lane, from);
    return { ...bar, from, ...(bar.to !== undefined && { to: Math.max(bar.to, from) }) };
  });
}

/** Where moments are from left to right: in their order, and as far apart as what is written between them needs. */
function layout(
  bars: readonly Bar[],
  left: number,
): { readonly x: ReadonlyMap<number, number>; readonly width: number } {
  const x = new Map<number, number>();
  let last = left - apart / 2;
  // Where what is written on the calls of a lane ends, and the figures in each of the two lines below.
  const written = new Map<number, number>();
  const figures = [0, 0];
  let ended = 0;
  const needed = ({ text }: Bar): number => text.length * letter + 10;
  for (const moment of momentsOf(bars)) {
    const ending = bars.filter(({ to }) => to === moment);
    const beginning = bars.filter(({ from }) => from === moment);
    const half = ending.length > 0 ? figureWidth / 2 : 0;
    last = Math.ceil(
      Math.max(
        last + apart,
        ...ending.map((bar) => x.get(bar.from)! + needed(bar)).filter((end) => !Number.isNaN(end)),
        ...beginning.map((bar) => written.get(bar.lane) ?? 0),
        half > 0 ? figures[ended % 2]! + half : 0,
      ),
    );
    x.set(moment, last);
    for (const bar of beginning) written.set(bar.lane, last + needed(bar));
    if (half === 0) continue;
    figures[ended % 2] = last + half;
    ended += 1;
  }
  const open = bars.filter(({ to }) => to === undefined).map((bar) => x.get(bar.from)! + needed(bar));
  return { x, width: Math.ceil(Math.max(last, ...open, left + 490)) + 2 * apart };
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

/** The same for a terminal: a line per call, with a bar over time. */
export const drawText = (core: Core, columns?: number): string =>
  laneText(lanesOf(core), '  ← no order explains this', columns).join('\n');

/** Lanes as lines of text, one per call, moments as far apart as each other; `wrong` follows what is wrong. */
export function laneText({ names, bars }: Lanes, wrong: string, columns = 24): string[] {
  const moments = momentsOf(bars);
  const last = Math.max(columns, moments.length + 2) - 2;
  const at = (time: number): number => Math.round((moments.indexOf(time) / Math.max(moments.length - 1, 1)) * last);
  const wide = Math.max(...names.map((name) => name.length));
  return bars.map((bar) => {
    const [from, to] = [at(bar.from), Math.max(at(bar.from) + 1, bar.to === undefined ? last + 1 : at(bar.to))];
    const line = `${' '.repeat(from)}├${'─'.repeat(to - from - 1)}${bar.to === undefined ? '┄' : '┤'}`.padEnd(last + 2);
    return `  ${names[bar.lane]!.padEnd(wide)}  ${line}  ${bar.text}${bar.isWrong ? wrong : ''}`;
  });
}

const momentsOf = (bars: readonly Bar[]): readonly number[] =>
  [...new Set(bars.flatMap(({ from, to }) => (to === undefined ? [from] : [from, to])))].toSorted(
    (one, other) => one - other,
  );
