import type { Realm } from '../contract/index.js';
import { experienceAt } from './experience.js';
import type { CharacterFixture } from './fixtures/index.js';
import { Dealer } from './items/dealer.js';
import type { ItemMaker } from './items/item.js';
import { traits } from './items/traits.js';
import type { Making } from './making.js';
import { makePassives } from './passives/passives.js';
import type { Schemas } from './wire.js';

/** The characters of an account in a realm, whole, in the order of the fixtures. */
export function makeCharacters(
  making: Making,
  items: ItemMaker,
  account: string,
  realm: Realm,
): Schemas['Character'][] {
  const named = Object.entries(making.fixtures.characters()[account]?.[realm] ?? {});
  const all = named.flatMap(([name, fixture]): [string, CharacterFixture][] =>
    fixture.count === null
      ? [[name, fixture]]
      : Array.from({ length: fixture.count }, (_, index) => [
          name.replace('{n}', String(index + 1).padStart(2, '0')),
          fixture,
        ]),
  );
  return all.map(([name, fixture], number) => {
    const made = character(making, items, `character/${account}/${realm}/${name}`, realm, name, fixture, number);
    return making.project(made, 'Character');
  });
}

function character(
  making: Making,
  items: ItemMaker,
  path: string,
  realm: Realm,
  name: string,
  fixture: CharacterFixture,
  number: number,
): Schemas['Character'] {
  const game = realm === 'game2' ? 'g2' : 'g1';
  const { id, chance } = making.seeds.entity(path);
  const dealer = new Dealer(game, game === 'g2' ? 6 : 2, making.seeds.chance(`${path}/traits`).order(traits.length));
  const result: Schemas['Character'] = {
    id,
    name,
    realm,
    class: fixture.class,
    level: fixture.level,
    experience: experienceAt(fixture.level, chance.part()),
  };
  if (fixture.league !== null) result.league = making.leagueId(realm, fixture.league);
  for (const flag of fixture.flags) if (flag !== 'ruthless' || game === 'g1') result[flag] = true;
  result.equipment = fixture.wears === null ? [] : items.worn(path, fixture.wears, game, dealer);
  if (game === 'g2') result.skills = items.row(path, 'Skill', fixture.skills, game, 'Skills', dealer);
  result.inventory = items.carried(path, fixture.inventory, game, 'MainInventory', dealer);
  if (fixture.rucksack > 0) result.rucksack = items.carried(path, fixture.rucksack, game, 'Rucksack', dealer);
  result.jewels = items.jewels(path, fixture.jewels, game, dealer);
  result.passives = makePassives(making, path, fixture, game, number);
  const { first, second } = making.fixtures.filters().gameVersion;
  result.metadata = number % 4 === 3 ? {} : { version: game === 'g2' ? second : first };
  return result;
}
