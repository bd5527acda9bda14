import { Seeds } from './chance.js';
import { makeCharacters } from './characters.js';
import { makeExchange } from './exchange.js';
import { makeFilters } from './filters.js';
import { loadFixtures } from './fixtures/index.js';
import { ItemMaker } from './items/item.js';
import { makeKnown } from './known.js';
import { makeEventLadder, makeLadder } from './ladders.js';
import { makeLeagueAccount } from './league-accounts.js';
import { makeLeagues, type LeagueEntry } from './leagues.js';
import type { Making } from './making.js';
import { makeAccounts, makeClients } from './people.js';
import { makeProjector } from './project.js';
import { makePvpLadder, makePvpMatches, type PvpEntry } from './pvp.js';
import { recent } from './recent.js';
import { makeGuildStashes, makeStashes } from './stashes.js';
import { makeStream } from './stream.js';
import type { Realm } from '../contract/index.js';
import type { World, WorldOptions } from './world.js';

export { FixtureError, unreadFixtures } from './fixtures/index.js';
export type * from './world.js';

/**
 * Makes the world that the mock serves. Nothing but accounts and clients is made before it is asked for.
 * @throws FixtureError if a file of `options.fixtures` breaks a rule
 */
export function createWorld(options: WorldOptions): World {
  const fixtures = loadFixtures(options.fixtures);
  const seeds = new Seeds(options.seed);
  const { project, projectAll } = makeProjector(options.flags);
  const making: Making = {
    seeds,
    fixtures,
    flags: options.flags,
    epoch: options.epoch,
    leagueId: (realm, league) => entry(realm, league)?.league.id ?? league,
    leagueName: (realm, league) => entry(realm, league)?.fixture.name ?? league,
    project,
    projectAll,
  };
  const items = new ItemMaker(making);

  const leagueLists = recent<readonly LeagueEntry[]>(4);
  const matchLists = recent<readonly PvpEntry[]>(4);
  const lists = recent<readonly object[]>(64, (list) => list.length > 0);
  const listings = recent<object>(64);

  const leagues = (realm: Realm) => leagueLists(realm, () => makeLeagues(making, realm));
  /** A league by its key in the fixtures. */
  const entry = (realm: Realm, key: string) => leagues(realm).find((league) => league.key === key);
  /** A league by its id in the edition. */
  const league = (realm: Realm, id: string) => leagues(realm).find((entry) => entry.league.id === id);
  const matches = (realm: Realm) => matchLists(realm, () => makePvpMatches(making, realm));
  const match = (realm: Realm, id: string) => matches(realm).find((entry) => entry.match.id === id);
  const kept = <T extends object>(key: readonly string[], make: () => readonly T[]): readonly T[] =>
    lists(JSON.stringify(key), make) as readonly T[];
  const listed = <T extends object>(key: readonly string[], make: () => T): T =>
    listings(JSON.stringify(key), make) as T;

  const accounts = makeAccounts(making);
  let known: Readonly<Record<string, unknown>> | undefined;

  const world: World = {
    seed: options.seed,
    epoch: options.epoch,
    gameVersion: (realm) => fixtures.filters().gameVersion[realm === 'game2' ? 'second' : 'first'],
    accounts,
    clients: makeClients(making),
    leagues,
    ladder: (realm, id) => {
      const found = league(realm, id);
      if (!found || found.fixture.ladder === null) return undefined;
      return listed(['ladder', realm, id], () => makeLadder(making, realm, found));
    },
    baseClass: (name) =>
      Object.entries(fixtures.words().classes).find(([, ascendancies]) => ascendancies.includes(name))?.[0] ?? name,
    eventLadder: (realm, id) => {
      const found = league(realm, id);
      if (!found || found.fixture.eventLadder === null) return undefined;
      return listed(['event-ladder', realm, id], () => makeEventLadder(making, realm, found));
    },
    pvpMatches: matches,
    pvpLadder: (realm, id) => {
      const found = match(realm, id);
      return found && listed(['pvp-ladder', realm, id], () => makePvpLadder(making, realm, found));
    },
    characters: (account, realm) =>
      kept(['characters', account, realm], () => makeCharacters(making, items, account, realm)),
    stashes: (account, realm, id) => {
      const found = league(realm, id);
      if (!found) return [];
      return kept(['stashes', account, realm, id], () => makeStashes(making, items, account, realm, found.key));
    },
    guildStashes: (account, realm, id) => {
      const guild = accounts.find((one) => one.key === account)?.guild ?? null;
      const found = league(realm, id);
      if (guild === null || !found) return [];
      return kept(['guild', account, realm, id], () =>
        makeGuildStashes(making, items, account, guild, realm, found.key),
      );
    },
    leagueAccount: (account, realm, id) => {
      const found = league(realm, id);
      return found && makeLeagueAccount(making, account, realm, found.key);
    },
    itemFilters: (account) => kept(['filters', account], () => makeFilters(making, account)),
    publicStashes: (realm) =>
      listed(['stream', realm], () => makeStream(making, realm, leagues(realm), options.volume.stashChanges, items)),
    exchange: (realm) => listed(['exchange', realm], () => makeExchange(making, realm, options.volume.exchangeHours)),
    get known() {
      return (known ??= makeKnown(making, world, leagues('pc')));
    },
  };
  return world;
}
