import type { SwitchRow, Switches } from '../contract/index.js';
import { switchTable } from '../contract/index.js';
import { meant, nearest } from '../input/nearest.js';
import { SetupError } from '../input/setup-error.js';

/** The mock's reading of everything that the interface leaves open. */
export const defaultSwitches = Object.freeze(
  Object.fromEntries(switchTable.map((row) => [row.name, row.default])),
) as unknown as Switches;

/**
 * Reads `name=value` settings over the defaults.
 * @throws SetupError that names the switch and the values it takes.
 */
export function readSwitches(settings: Readonly<Record<string, unknown>>): Switches {
  const switches: Record<string, unknown> = { ...defaultSwitches };
  for (const [name, value] of Object.entries(settings)) switches[name] = readSwitch(name, value);
  return switches as unknown as Switches;
}

function readSwitch(name: string, given: unknown): string | number | boolean {
  const row = switchTable.find((candidate) => candidate.name === name);
  if (!row)
    throw new SetupError(`switch ${name}: no such switch${meantSwitch(name)}; gamedata mock switches lists them`);
  const text = String(given);
  const value = valueOf(row, text);
  if (value !== undefined) return value;
  throw new SetupError(
    `switch ${name}: ${JSON.stringify(text)} is not one of its values${meant(text, row.type === 'choice' ? row.values.map(String) : [])}; it takes ${wantedOf(row)}`,
  );
}

type Row = SwitchRow<keyof Switches>;

function valueOf(row: Row, text: string): string | number | boolean | undefined {
  switch (row.type) {
    case 'choice':
      return row.values.find((candidate) => String(candidate) === text);
    case 'boolean':
      return ({ true: true, false: false } as Record<string, boolean>)[text];
    case 'integer': {
      const value = /^(0|[1-9]\d{0,14})$/.test(text) ? Number(text) : NaN;
      return row.minimum <= value && value <= row.maximum ? value : undefined;
    }
    default:
      return text === '' ? undefined : text;
  }
}

/** What a switch takes, in words. */
export function wantedOf(row: Row): string {
  if (row.type === 'integer') return `a whole number from ${row.minimum} to ${row.maximum}`;
  return { choice: row.values?.join(', ') ?? '', boolean: 'true, false', string: 'a text' }[row.type];
}

const wordsOf = (name: string): string[] => name.toLowerCase().match(/[a-z]+|[0-9]+/g) ?? [];

/** The switch with most of the words of a name, in whatever order: `lookup.nullStatus` for `null_lookup_status`. */
function byWords(name: string): string | undefined {
  const words = wordsOf(name);
  const shared = ({ name: known }: Row): number => {
    const own = wordsOf(known.replaceAll(/[A-Z]/g, ' $&'));
    return words.filter((word) => own.includes(word)).length;
  };
  const [best] = switchTable.toSorted((one, other) => shared(other) - shared(one));
  return best && shared(best) * 2 > words.length ? best.name : undefined;
}

/**
 * By its letters, by its last part, `verifier` for `pkce.verifier`, by its first, which several may have, or by its words.
 */
function meantSwitch(name: string): string {
  const names = switchTable.map((row) => row.name);
  const group = nearest(
    name,
    names.map((known) => known.split('.')[0] ?? known),
  );
  const those = names.filter((known) => known.startsWith(`${group}.`));
  if (those.length > 0) return ` (did you mean ${those.slice(0, 4).join(', ')}${those.length > 4 ? ', …' : ''}?)`;
  const tail = name.split('.').at(-1)?.toLowerCase() ?? '';
  const hit = names.find((known) => tail !== '' && known.toLowerCase().includes(tail)) ?? byWords(name);
  return meant(name, names) || (hit === undefined ? '' : ` (did you mean ${hit}?)`);
}
