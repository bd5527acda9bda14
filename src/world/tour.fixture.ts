import type { Realm } from '../contract/index.js';
import { CLASSES } from './ladders.js';
import type { LadderOrder, Listing, World } from './world.js';
import type { Schemas } from './wire.js';

/** An object that the world serves, with the name of its schema and the game it belongs to. */
export interface Sight {
  readonly schema: keyof Schemas;
  readonly value: object;
  readonly game: 'g1' | 'g2';
  /** Where it was seen, for messages. */
  readonly where: string;
}

export const REALMS: readonly Realm[] = ['pc', 'xbox', 'sony', 'game2'];
export const ORDERS: readonly Exclude<LadderOrder, 'class'>[] = [
  'xp',
  'depth',
  'depthsolo',
  'ancestor',
  'time',
  'score',
];

/**
 * Everything that a world serves, for tests: all lists whole, samples of what is long. `every` is the step through
 * the stash streams and the exchange's hours: 1 sees all of them.
 */
export function* tour(world: World, every: number): Generator<Sight> {
  for (const realm of REALMS) {
    const game = realm === 'game2' ? 'g2' : 'g1';
    const sight = (schema: keyof Schemas, value: object, where: string): Sight => ({
      schema,
      value,
      game,
      where: `${realm} ${where}`,
    });
    for (const { league } of world.leagues(realm)) {
      yield sight('League', league, league.id);
      const ladder = world.ladder(realm, league.id);
      for (const order of ladder ? ORDERS : []) {
        for (const entry of sample(ladder?.by(order))) yield sight('LadderEntry', entry, `${league.id} by ${order}`);
      }
      for (const name of ladder ? CLASSES : []) {
        for (const entry of sample(ladder?.by('class', name)))
          yield sight('LadderEntry', entry, `${league.id} of ${name}`);
      }
      for (const entry of sample(world.eventLadder(realm, league.id)))
        yield sight('EventLadderEntry', entry, league.id);
      for (const { key } of world.accounts) {
        for (const tab of world.stashes(key, realm, league.id)) yield sight('StashTab', tab, `${key} ${league.id}`);
        for (const tab of world.guildStashes(key, realm, league.id))
          yield sight('StashTab', tab, `guild of ${key} ${league.id}`);
        const account = world.leagueAccount(key, realm, league.id);
        if (account) yield sight('LeagueAccount', account, `${key} ${league.id}`);
      }
    }
    for (const { match } of world.pvpMatches(realm)) {
      yield sight('PvPMatch', match, match.id);
      for (const entry of sample(world.pvpLadder(realm, match.id))) yield sight('PvPLadderTeamEntry', entry, match.id);
    }
    for (const { key } of world.accounts) {
      for (const character of world.characters(key, realm))
        yield sight('Character', character, `${key} ${character.name}`);
    }
    if (realm !== 'game2') {
      const { changes, snapshot } = world.publicStashes(realm);
      for (let index = 0; index < changes.length; index += realm === 'pc' ? every : every * 5) {
        const { stash, revision } = changes.at(index);
        yield sight('ListedStash', snapshot(stash, revision), `change ${index}`);
      }
    }
    const { firstHour, markets } = world.exchange(realm);
    for (let hour = firstHour; hour * 1000 < world.epoch; hour += 3600 * Math.min(every, 7)) {
      for (const market of markets(hour)) yield sight('ExchangeMarket', market, `hour ${hour}`);
    }
  }
  for (const { key } of world.accounts) {
    for (const filter of world.itemFilters(key)) yield { schema: 'ItemFilter', value: filter, game: 'g1', where: key };
  }
}

/** The first page, the last entries, and some between. */
function sample<T>(listing: Listing<T> | undefined): T[] {
  if (!listing) return [];
  const { length } = listing;
  const places = new Set<number>();
  for (let index = 0; index < Math.min(length, 6); index += 1) places.add(index);
  for (let part = 1; part < 4; part += 1) places.add(Math.floor((length * part) / 4));
  for (let back = 1; back <= 2; back += 1) places.add(length - back);
  return [...places].filter((place) => place >= 0 && place < length).map((place) => listing.at(place));
}
