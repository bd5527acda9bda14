import type { Lanes } from '../histories/draw.js';
import { laneText } from '../histories/draw.js';
import type { RunReport, WorldLanes } from '../result.js';
import { count, line } from '../text.js';
import type { Terminal } from './terminal.js';
import { paintFor } from './terminal.js';

/** What the copies of a client did in a world, as lanes over time. Nothing in it acts, whatever a client sent. */
export function pictureOf({ lanes, calls, blamed }: WorldLanes): Lanes | undefined {
  if (calls.length === 0) return undefined;
  return {
    names: lanes.map(({ name, end }) => line(end === undefined ? name : `${name}: ${end}`, 40)),
    bars: calls.map(({ text, ...call }) => ({ ...call, text: line(text, 60) })),
    note:
      blamed.length === 0
        ? 'No requirement was violated.'
        : `Red: what does not keep ${blamed.map((id) => line(id, 40)).join(', ')}.`,
  };
}

/** Worlds whose lanes a terminal shows; report.html has all. */
const mostWorlds = 2;

/** The worlds of copies in which something is wrong, for a terminal. */
export function copyLines({ copies = [] }: RunReport, terminal: Terminal): string[] {
  const { strong, faint } = paintFor(terminal);
  const wrong = copies.filter(({ blamed }) => blamed.length > 0);
  const more = wrong.slice(mostWorlds).map(({ world }) => line(world, 40));
  return [
    ...wrong.slice(0, mostWorlds).flatMap((one, index) => {
      const picture = pictureOf(one);
      const title = `${index === 0 ? 'Copies in' : 'In'} the world ${line(one.world, 40)}: ${line(one.title, 200)}`;
      const lines = picture ? laneText(picture, `  ← ${one.blamed.map((id) => line(id, 40)).join(', ')}`) : [];
      return [strong(title), ...lines];
    }),
    ...(more.length > 0 ? [faint(`  ${count(more.length, 'more world')} in report.html: ${more.join(', ')}`)] : []),
  ];
}
