import { Seeds } from './chance.js';
import { makeCharacters } from './characters.js';
import { makeExchange } from './exchange.js';
import { makeFilters } from './filters.js';
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

export type * from './world.js';

/**
 * The world that the mock serves. Nothing but accounts and clients is made before it is asked for. Nobody changes a world,
 * so mocks of one process that have the same options share one.
 */
export function createWorld(options: WorldOptions): World {
  const { fixtures, ...rest } = options;
  const worlds = worldsOf.get(fixtures) ?? recent<World>(2);
  worldsOf.set(fixtures, worlds);
  return worlds(JSON.stringify(rest), () => makeWorld(options));
}

const worldsOf = new WeakMap<WorldOptions['fixtures'], ReturnType<typeof recent<World>>>();

function makeWorld(options: WorldOptions): World {
  const { seed, epoch, flags, fixtures } = options;
  const leagueLists = recent<readonly LeagueEntry[]>(4);
  const leagues = (realm: Realm) => leagueLists(realm, () => makeLeagues(making, realm));
  /** A league by its key in the fixtures. */
  const entry = (realm: Realm, key: string) => leagues(realm).find((league) => league.key === key);
  const making: Making = {
    seeds: new Seeds(seed),
    fixtures,
    flags,
    epoch,
    leagueId: (realm, league) => entry(realm, league)?.league.id ?? league,
    leagueName: (realm, league) => entry(realm, league)?.fixture.name ?? league,
    ...makeProjector(flags),
  };
  const parts: Parts = { making, items: new ItemMaker(making), accounts: makeAccounts(making), leagues };
  let known: Readonly<Record<string, unknown>> | undefined;

  const world: World = {
    seed,
    epoch,
    gameVersion: (realm) => fixtures.filters().gameVersion[realm === 'game2' ? 'second' : 'first'],
    accounts: parts.accounts,
    clients: makeClients(making),
    leagues,
    baseClass: (name) =>
      Object.entries(fixtures.words().classes).find(([, ascendancies]) => ascendancies.includes(name))?.[0] ?? name,
    ...realmLists(parts, options.volume),
    ...accountLists(parts),
    get known() {
      return (known ??= makeKnown(making, world, leagues('pc')));
    },
  };
  return world;
}

/** What lists are made of. */
interface Parts {
  readonly making: Making;
  readonly items: ItemMaker;
  readonly accounts: World['accounts'];
  readonly leagues: (realm: Realm) => readonly LeagueEntry[];
}

/** A league by its id in the edition. */
const leagueById = ({ leagues }: Parts, realm: Realm, id: string): LeagueEntry | undefined =>
  leagues(realm).find((entry) => entry.league.id === id);

type RealmLists = 'ladder' | 'eventLadder' | 'pvpMatches' | 'pvpLadder' | 'publicStashes' | 'exchange';

/** What a realm has, whoever asks. */
function realmLists(parts: Parts, volume: WorldOptions['volume']): Pick<World, RealmLists> {
  const { making, items, leagues } = parts;
  const matchLists = recent<readonly PvpEntry[]>(4);
  const matches = (realm: Realm) => matchLists(realm, () => makePvpMatches(making, realm));
  const listings = recent<object>(64);
  const listed = <T extends object>(key: readonly string[], make: () => T): T =>
    listings(JSON.stringify(key), make) as T;
  return {
    ladder: (realm, id) => {
      const found = leagueById(parts, realm, id);
      if (!found || found.fixture.ladder === null) return undefined;
      return listed(['ladder', realm, id], () => makeLadder(making, realm, found));
    },
    eventLadder: (realm, id) => {
      const found = leagueById(parts, realm, id);
      if (!found || found.fixture.eventLadder === null) return undefined;
      return listed(['event-ladder', realm, id], () => makeEventLadder(making, realm, found));
    },
    pvpMatches: matches,
    pvpLadder: (realm, id) => {
      const found = matches(realm).find((entry) => entry.match.id === id);
      return found && listed(['pvp-ladder', realm, id], () => makePvpLadder(making, realm, found));
    },
    publicStashes: (realm) =>
      listed(['stream', realm], () => makeStream(making, realm, leagues(realm), volume.stashChanges, items)),
    exchange: (realm) => listed(['exchange', realm], () => makeExchange(making, realm, volume.exchangeHours)),
  };
}

type AccountLists = 'characters' | 'stashes' | 'guildStashes' | 'leagueAccount' | 'itemFilters';

/** What belongs to an account. */
function accountLists(parts: Parts): Pick<World, AccountLists> {
  const { making, items, accounts } = parts;
  const lists = recent<readonly object[]>(64, (list) => list.length > 0);
  const listed = <T extends object>(key: readonly string[], make: () => readonly T[]): readonly T[] =>
    lists(JSON.stringify(key), make) as readonly T[];
  return {
    characters: (account, realm) =>
      listed(['characters', account, realm], () => makeCharacters(making, items, account, realm)),
    stashes: (account, realm, id) => {
      const found = leagueById(parts, realm, id);
      if (!found) return [];
      return listed(['stashes', account, realm, id], () => makeStashes(making, items, account, realm, found.key));
    },
    guildStashes: (account, realm, id) => {
      const guild = accounts.find((one) => one.key === account)?.guild ?? null;
      const found = leagueById(parts, realm, id);
      if (guild === null || !found) return [];
      return listed(['guild', account, realm, id], () =>
        makeGuildStashes(making, items, account, guild, realm, found.key),
      );
    },
    leagueAccount: (account, realm, id) => {
      const found = leagueById(parts, realm, id);
      return found && makeLeagueAccount(making, account, realm, found.key);
    },
    itemFilters: (account) => listed(['filters', account], () => makeFilters(making, account)),
  };
}
