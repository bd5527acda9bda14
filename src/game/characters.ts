import type { components, Realm } from '../contract/index.js';
import type { Account } from '../world/world.js';
import type { Game, Handler } from './game.js';
import { isRefusedName } from './names.js';
import { listed } from './order.js';
import { keyOf } from './reply.js';

type Character = components['schemas']['Character'];

/** Without items and passives, as the list shows it (K-132). */
function summary(character: Character): Character {
  const { equipment, skills, inventory, rucksack, jewels, passives, ...rest } = character;
  return rest;
}

/** Expired and deleted characters are among them (K-134). */
function charactersOf(game: Game, account: Account, realm: Realm): readonly Character[] {
  const own = game.world.characters(account.key, realm);
  const twin = game.switches['characters.caseTwins'] && own[0] ? twinOf(own[0]) : undefined;
  return twin ? [...own, twin] : own;
}

/** Another character whose name differs in letter case only, with an id of its own and nothing on it. */
function twinOf(character: Character): Character | undefined {
  const upper = character.name.toUpperCase();
  const name = upper === character.name ? character.name.toLowerCase() : upper;
  if (name === character.name) return undefined;
  const { current: _current, ...rest } = summary(character);
  return { ...rest, id: [...character.id].reverse().join(''), name };
}

/** The characters of the account in a realm (interface 4.2). */
export const listCharacters: Handler<'listCharacters'> = ({ params: { realm }, account }, game) =>
  game.reply(keyOf('listCharacters', account.key, realm), () => ({
    characters: listed(game, charactersOf(game, account, realm), ({ id }) => id).map(summary),
  }));

/** One character of the account, whole, or null; names are compared letter for letter (interface 4.2, 7, K-113). */
export const getCharacter: Handler<'getCharacter'> = ({ params: { realm, name }, account }, game) => {
  const found = charactersOf(game, account, realm).find((character) => character.name === name);
  if (!found || isRefusedName(name, game)) return { status: 200, body: { character: null } };
  return game.reply(keyOf('getCharacter', account.key, realm, name), () => ({ character: found }));
};
