import type { components, Realm, Reply } from '../contract/index.js';
import type { PvpRecord } from '../world/world.js';
import { fault } from './errors.js';
import type { Game, Handler } from './game.js';
import { findLeague } from './leagues.js';
import { isRefusedName } from './names.js';
import { listed } from './order.js';
import { keyOf } from './reply.js';
import type { SwitchedReply } from './reply.js';
import { isDuring, phase } from './schedule.js';
import { ladderWindow, noEntries } from './window.js';

type PvPMatch = components['schemas']['PvPMatch'];

/** The flag of a match's state by the mock's clock: always exactly one of the three (K-038). */
function stateOf({ startsAt, endsAt }: PvpRecord, now: number): 'upcoming' | 'inProgress' | 'complete' {
  if (now < startsAt) return 'upcoming';
  return isDuring(now, startsAt, endsAt) ? 'inProgress' : 'complete';
}

const shownMatch = (record: PvpRecord, now: number): PvPMatch => ({ ...record.match, [stateOf(record, now)]: true });

/** Changes when a match of the realm starts or ends. */
function matchPhase(game: Game, realm: Realm): number {
  return phase(game, `pvp/${realm}`, () =>
    game.world.pvpMatches(realm).flatMap(({ startsAt, endsAt }) => [startsAt, endsAt]),
  );
}

function findMatch(game: Game, realm: Realm, id: string): PvpRecord | undefined {
  if (isRefusedName(id, game)) return undefined;
  return game.world.pvpMatches(realm).find(({ match }) => match.id === id);
}

/** Matches to come, of a season, or of a league (interface 4.2). */
export const listPvpMatches: Handler<'listPvpMatches'> = ({ params: { realm, type, season, league } }, game) => {
  const wanted = { upcoming: undefined, season, league }[type];
  if (type !== 'upcoming' && wanted === undefined) {
    return fault('invalidQuery', `parameter ${type} is required with type=${type}`);
  }
  return game.reply(keyOf('listPvpMatches', realm, matchPhase(game, realm), type, wanted), () => {
    const now = game.now();
    const leagueId = type === 'league' ? findLeague(game, realm, league ?? '')?.league.id : undefined;
    const chosen = game.world.pvpMatches(realm).filter((record) => {
      if (type === 'upcoming') return stateOf(record, now) === 'upcoming';
      return type === 'season' ? record.season === season : leagueId !== undefined && record.league === leagueId;
    });
    return { matches: listed(game, chosen, ({ match }) => match.id).map((record) => shownMatch(record, now)) };
  });
};

/** One match, or null (interface 4.2, 7). */
export const getPvpMatch: Handler<'getPvpMatch'> = ({ params: { realm, match } }, game) => {
  const record = findMatch(game, realm, match);
  if (!record) return { status: 200, body: { match: null } };
  const now = game.now();
  const key = keyOf('getPvpMatch', realm, match, stateOf(record, now));
  return game.reply(key, () => ({ match: shownMatch(record, now) }));
};

/** A page of a match's ladder of teams (interface 4.2). */
export const getPvpMatchLadder: Handler<'getPvpMatchLadder'> = ({ params }, game) => {
  const { realm, match, offset, limit } = params;
  const record = findMatch(game, realm, match);
  if (!record) return unknownMatch(game);
  const now = game.now();
  const isBeside = game.flags.has('F-OBS-LADDER');
  const state = isBeside ? stateOf(record, now) : undefined;
  return game.reply(keyOf('getPvpMatchLadder', realm, match, state, offset, limit), () => {
    const page = ladderWindow(game.world.pvpLadder(realm, match) ?? noEntries, { offset, limit }, game);
    return isBeside ? { match: shownMatch(record, now), ladder: page } : { match: page };
  });
};

/** As for the ladder of an unknown league (K-023). */
function unknownMatch(
  game: Game,
): Extract<Reply<'getPvpMatchLadder'>, { status: 200 }> | SwitchedReply<'getPvpMatchLadder'> {
  switch (game.switches['ladder.unknown']) {
    case 'null':
      return { status: 200, body: { match: null } };
    case 'empty': {
      const page = { total: 0, entries: [] };
      return { status: 200, body: game.flags.has('F-OBS-LADDER') ? { match: null, ladder: page } : { match: page } };
    }
    case 'error':
      return fault('notFound', 'there is no such match in the realm; GET /pvp-match lists them');
  }
}
