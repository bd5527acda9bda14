import type { components, Realm } from '../contract/index.js';
import type { LeagueRecord } from '../world/world.js';
import { fault } from './errors.js';
import type { Game, Handler } from './game.js';
import { isRefusedName } from './names.js';
import { listed } from './order.js';
import { keyOf } from './reply.js';
import { instantOf, isDuring, phase } from './schedule.js';

type League = components['schemas']['League'];

/** A league runs from `startAt` until `endAt`; one without an end is permanent (K-118: by the mock's clock). */
export function isCurrent({ league }: LeagueRecord, now: number): boolean {
  return isDuring(now, instantOf(league.startAt, -Infinity), instantOf(league.endAt, Infinity));
}

/** Changes when a league of the realm starts or ends. */
export function leaguePhase(game: Game, realm: Realm): number {
  return phase(game, `leagues/${realm}`, () =>
    game.world
      .leagues(realm)
      .flatMap(({ league }) => [instantOf(league.startAt, -Infinity), instantOf(league.endAt, Infinity)])
      .filter(Number.isFinite),
  );
}

/** The league as it is now: the flag of an active challenge league goes when the league is over (interface 2). */
export function shownLeague(record: LeagueRecord, now: number): League {
  const { category } = record.league;
  if (!category || isCurrent(record, now) || !(category.current || category.active)) return record.league;
  const { current: _current, active: _active, ...inactive } = category;
  return { ...record.league, category: inactive };
}

/** A league by its id and, unless the switch says otherwise, by its name (K-035). Private ones are found too (K-123). */
export function findLeague(game: Game, realm: Realm, name: string): LeagueRecord | undefined {
  if (isRefusedName(name, game)) return undefined;
  const records = game.world.leagues(realm);
  const byId = records.find(({ league }) => league.id === name);
  if (byId || game.switches['league.lookupBy'] === 'id') return byId;
  return records.find(({ league }) => league.name === name);
}

/**
 * Public leagues of a realm (interface 4.2): permanent and current challenge leagues, current events, or the leagues of
 * a season, whenever they run.
 */
export const listLeagues: Handler<'listLeagues'> = ({ params }, game) => {
  const { realm, type, season, limit, offset } = params;
  if (type === 'season' && realm === 'game2') {
    return fault('invalidQuery', 'type=season is for the first game; leave it out for realm game2');
  }
  if (type === 'season' && season === undefined) {
    return fault('invalidQuery', 'parameter season is required with type=season');
  }
  const wanted = type === 'season' ? season : undefined;
  const key = keyOf('listLeagues', realm, leaguePhase(game, realm), type, wanted, limit, offset);
  return game.reply(key, () => {
    const now = game.now();
    const records = game.world
      .leagues(realm)
      .filter((record) => record.members === null && record.kind === type)
      .filter((record) => (type === 'season' ? record.season === season : isCurrent(record, now)));
    const page = listed(game, records, ({ league }) => league.id).slice(offset, offset + limit);
    return { leagues: page.map((record) => shownLeague(record, now)) };
  });
};

/** One league, or null (interface 4.2, 7). */
export const getLeague: Handler<'getLeague'> = ({ params: { realm, league } }, game) => {
  const record = findLeague(game, realm, league);
  if (!record) return { status: 200, body: { league: null } };
  const key = keyOf('getLeague', realm, leaguePhase(game, realm), record.league.id);
  return game.reply(key, () => ({ league: shownLeague(record, game.now()) }));
};
