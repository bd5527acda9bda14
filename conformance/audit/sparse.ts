import type { LogicalOperation, SchemaNode } from '../../src/contract/index.js';
import { branches, deref, described, replySchemas } from '../../src/contract/index.js';

/** What becomes of a member that may be null or absent. */
export type Sparse = 'null' | 'absent';

const words = (text: string): string[] => text.split(' ');

/**
 * Members that may be null or absent (interface 2), by schema. Flags are not among them, since without one the object says
 * something else, nor is what another sentence says to be there, such as the items of a tab.
 */
export const dispensable: Readonly<Record<string, readonly string[]>> = {
  Profile: ['locale', 'livestream'],
  FilterValidation: ['version', 'validated'],
  League: ['description', 'rules', 'registerAt', 'goal', 'url', 'startAt', 'endAt'],
  LeagueRule: ['description'],
  LadderPage: ['cached_since'],
  LadderEntry: ['account'],
  EventLadderEntry: ['time'],
  PvPLadderTeamEntry: ['rating', 'points', 'games_played', 'cumulative_opponent_points', 'last_game_time'],
  LadderCharacter: ['time', 'score', 'progress', 'experience', 'depth'],
  Account: ['realm', 'guild', 'challenges', 'livestream'],
  PvPMatch: ['realm', 'registerAt', 'startAt', 'endAt', 'url'],
  Character: ['league', 'metadata'],
  CharacterMetadata: ['version'],
  Passives: ['bandit_choice', 'pantheon_major', 'pantheon_minor', 'alternate_ascendancy'],
  PassiveNode: words('name icon stats flavourText reminderText group orbit orbitIndex out in'),
  StashTab: ['index'],
  StashTabMetadata: ['colour'],
  Item: words(
    'id league rarity frameType artFilename x y inventoryId note socket colour stackSize maxStackSize stackSizeText ' +
      'itemLevel influences sockets socketedItems properties requirements additionalProperties descrText secDescrText ' +
      'flavourText implicitMods explicitMods craftedMods enchantMods utilityMods',
  ),
  ItemSocket: ['attr', 'sColour', 'type', 'item'],
  ItemProperty: ['displayMode', 'progress', 'type', 'suffix', 'icon'],
};

/** A reply without what may be missing from it. */
export function sparse(text: string, operation: LogicalOperation, form: Sparse): string {
  const schema = replySchemas[operation]?.['200'];
  return schema ? JSON.stringify(thin(schema, JSON.parse(text), form)) : text;
}

function thin(node: SchemaNode, value: unknown, form: Sparse): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const { name = '', schema } = formOf(node);
  if (Array.isArray(value)) return value.map((one) => thin(schema.items || {}, one, form));
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, member]): [string, unknown][] => {
      if (!dispensable[name]?.includes(key)) return [[key, thin(schema.properties?.[key] ?? {}, member, form)]];
      return form === 'null' ? [[key, null]] : [];
    }),
  );
}

/** The schema behind references and the choice of null. */
function formOf(node: SchemaNode): ReturnType<typeof deref> {
  const outer = deref(node);
  const [only = outer.schema] = branches(described(outer.schema));
  return only === outer.schema ? outer : formOf(only);
}
