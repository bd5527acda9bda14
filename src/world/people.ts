import type { Realm } from '../contract/index.js';
import { accountName } from './names.js';
import type { Making } from './making.js';
import type { Account, Client } from './world.js';
import type { Schemas } from './wire.js';

/** The accounts of the fixtures, in their order. */
export function makeAccounts(making: Making): readonly Account[] {
  return Object.entries(making.fixtures.accounts()).map(([key, { name, ...account }]) => ({
    ...account,
    key,
    uuid: making.seeds.uuid(`account/${key}`),
    username: name,
    guildName: making.fixtures.guilds()[account.guild ?? '']?.name ?? null,
  }));
}

/** The registered applications of the fixtures, in their order. */
export function makeClients(making: Making): readonly Client[] {
  return Object.entries(making.fixtures.clients()).map(([id, client]) => ({ id, ...client }));
}

/** An account as ladders show it, a function of its path and serial number alone. */
export function ladderAccount(making: Making, realm: Realm, path: string, serial: number): Schemas['Account'] {
  const words = making.fixtures.words();
  const chance = making.seeds.chance(path);
  const account: Schemas['Account'] = { name: accountName(words, chance, serial) };
  if (!chance.once(6)) account.realm = realm;
  if (chance.once(3)) {
    const number = chance.below(40);
    account.guild = {
      id: 1000 + number,
      name: `The ${words.adjectives[number % words.adjectives.length] ?? ''} ${words.people[number % words.people.length] ?? ''}`,
      tag: `G${number}`,
    };
  }
  if (chance.once(2)) account.challenges = { set: 'Ember', completed: chance.below(41), max: 40 };
  if (chance.once(8)) {
    const name = `${account.name.toLowerCase()}_live`;
    account.livestream = { name };
    if (chance.once(2)) {
      account.livestream.stream = {
        name: 'One more bell',
        image: `https://streams.example/${name}.jpg`,
        status: chance.once(3) ? 'offline' : 'live',
      };
    }
  }
  return account;
}
