import type { Realm } from '../contract/index.js';
import type { CharacterFixture } from './fixtures/index.js';
import type { ItemMaker } from './items/item.js';
import type { Making, Schemas } from './making.js';

/** The characters of an account in a realm, whole, in the order of the fixtures. */
export function makeCharacters(making: Making, items: ItemMaker, account: string, realm: Realm): Schemas['Character'][] {
  const named = Object.entries(making.fixtures.characters()[account]?.[realm] ?? {});
  return named.map(([name, fixture]) => making.project(character(making, items, account, realm, name, fixture), 'Character'));
}

function character(
  making: Making,
  items: ItemMaker,
  account: string,
  realm: Realm,
  name: string,
  fixture: CharacterFixture,
): Schemas['Character'] {
  const path = `character/${account}/${realm}/${name}`;
  const result: Schemas['Character'] = {
    id: making.seeds.hex(path, 64),
    name,
    realm,
    class: fixture.class,
    level: fixture.level,
    experience: Math.floor(4_000_000_000 * (fixture.level / 100) ** 4),
  };
  if (fixture.league !== null) result.league = making.leagueId(realm, fixture.league);
  for (const flag of fixture.flags) result[flag] = true;
  void items;
  return result;
}
