import { switchTable } from '../src/contract/index.js';
import { wantedOf } from '../src/server/switches.js';
import type { Emphasis } from '../conformance/report/terminal.js';

const widest = 100;

/** Every switch: its name, what it takes, its default, what it decides, and where it comes from: the description or observation, and the open point. */
export function switchList({ strong, faint }: Emphasis, columns: number = widest): string {
  const room = Math.min(columns, widest);
  const entries = switchTable.map((row) =>
    [
      `${strong(row.name)}  ${valuesOf(row).join(' | ')}  ${faint(`default ${String(row.default)}, from ${row.source === 'observation' ? 'observation' : 'the description'}`)}`,
      ...wrapped(row.about, room - 4).map((line) => `    ${line}`),
      ...wrapped(`${row.gap}: ${row.says}`, room - 4).map((line) => `    ${faint(line)}`),
    ].join('\n'),
  );
  return `${entries.join('\n\n')}\n\nSet one with: gamedata mock --set ${switchTable[0]?.name ?? 'name'}=value\n`;
}

/** The same for programs: one line of JSON. */
export const switchJson = (): string =>
  `${JSON.stringify(switchTable.map((row) => ({ name: row.name, type: row.type, values: valuesOf(row), default: row.default, source: row.source, about: row.about, gap: row.gap, says: row.says })))}\n`;

type Row = (typeof switchTable)[number];

const valuesOf = (row: Row): readonly (string | number | boolean)[] =>
  row.type === 'boolean' ? [true, false] : (row.values ?? [wantedOf(row)]);

/** Breaks a text at spaces; a word that is too long stands alone. */
function wrapped(text: string, room: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= room) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}
