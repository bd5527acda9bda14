import { schemas } from '../../contract/index.js';
import type { Schemas } from '../wire.js';
import type { Game, Kind } from './kinds.js';
import type { Item } from './trait.js';

type Modifier = Schemas['Modifier'];

/** The members of an item that are lists of modifiers. */
const lists = Object.entries(schemas['Item']?.properties ?? {}).flatMap(([name, { items }]) =>
  items && items.$ref?.endsWith('/Modifier') ? [name] : [],
);

const frames = schemas['FrameType']?.['x-enumDescriptions'] as Readonly<Record<number, string>>;

/**
 * An item as live services answer it, for each flag of what live data shows. Changed in place: it is freshly made, and
 * items in its sockets before it.
 */
export function asObserved(
  item: Item,
  { kind, game }: { readonly kind: Kind; readonly game: Game },
  flags: Readonly<Record<string, boolean>>,
): Item {
  if (flags['F-OBS-INFLUENCE'] && item.influences) Object.assign(item, item.influences);
  if (game !== 'g1') return item;
  if (kind === 'Gem' && flags['F-OBS-SUPPORT']) item.support ??= false;
  if (flags['F-OBS-FRAME'] && typeof item.frameType === 'number') item.frameTypeId = frames[item.frameType] ?? null;
  if (flags['F-OBS-MODIFIER']) withFlags(item);
  return item;
}

/** Every modifier of an item as an object. */
function withFlags(item: Item): void {
  const held = item as Record<string, unknown>;
  for (const name of lists) if (Array.isArray(held[name])) held[name] = (held[name] as Modifier[]).map(flagged);
  if (item.hybrid?.explicitMods) item.hybrid.explicitMods = item.hybrid.explicitMods.map(flagged);
  for (const area of item.logbookMods ?? []) area.mods = area.mods.map(flagged);
}

const flagged = (modifier: Modifier): Modifier =>
  typeof modifier === 'string' ? { description: modifier, flags: [] } : modifier;
