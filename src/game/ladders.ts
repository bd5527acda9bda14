import type { components, Realm } from '../contract/index.js';
import type { Ladder, LadderOrder, LeagueRecord, Listing } from '../world/world.js';
import { fault } from './errors.js';
import type { Game, Handler } from './game.js';
import { findLeague, leaguePhase, shownLeague } from './leagues.js';
import { keyOf } from './reply.js';
import type { SwitchedReply } from './reply.js';
import { ladderWindow, noEntries } from './window.js';

type LadderEntry = components['schemas']['LadderEntry'];

/** A page of a league's ladder (interface 4.2). Without `sort` the order is the league's own. */
export const getLeagueLadder: Handler<'getLeagueLadder'> = ({ params }, game) => {
  const { realm, sort, offset, limit } = params;
  if (sort === 'class' && params.class === undefined) {
    return fault('invalidQuery', 'parameter class is required with sort=class; send one of the seven classes');
  }
  const record = findLeague(game, realm, params.league);
  if (!record) return unknownLeague(game);
  const { id } = record.league;
  const when = phaseShown(game, realm);
  const className = sort === 'class' ? params.class : undefined;
  return game.reply(keyOf('getLeagueLadder', realm, id, when, sort, className, offset, limit), () => {
    const ladder = game.world.ladder(realm, id);
    const order = sort ?? ladder?.defaultOrder ?? 'xp';
    const { total, entries } = ladderWindow(entriesOf(ladder, order, className, game), { offset, limit }, game);
    const cached = ladder?.cachedSince ?? null;
    return withLeague({ total, ...(cached === null ? {} : { cached_since: cached }), entries }, record, game);
  });
};

function entriesOf(
  ladder: Ladder | undefined,
  order: LadderOrder,
  className: string | undefined,
  { switches, world }: Game,
): Listing<LadderEntry> {
  if (!ladder) return noEntries;
  const listing = ladder.by(order, className);
  // Rank within the class is the place on the class ladder (K-028).
  const ranksWithin = order === 'class' && switches['ladder.classRank'] === 'within';
  const baseClasses = switches['ladder.classNames'] === 'base';
  if (!ranksWithin && !baseClasses) return listing;
  const shown = (entry: LadderEntry, index: number): LadderEntry => ({
    ...entry,
    ...(ranksWithin ? { rank: index + 1 } : {}),
    ...(baseClasses ? { character: { ...entry.character, class: world.baseClass(entry.character.class) } } : {}),
  });
  return { length: listing.length, at: (index) => shown(listing.at(index), index) };
}

/** A page of the event ladder, whose entries are private leagues (interface 2, 4.2). */
export const getLeagueEventLadder: Handler<'getLeagueEventLadder'> = ({ params }, game) => {
  const { realm, offset, limit } = params;
  const record = findLeague(game, realm, params.league);
  if (!record) return unknownLeague(game);
  const { id } = record.league;
  return game.reply(keyOf('getLeagueEventLadder', realm, id, phaseShown(game, realm), offset, limit), () =>
    withLeague(ladderWindow(game.world.eventLadder(realm, id) ?? noEntries, { offset, limit }, game), record, game),
  );
};

const isBeside = ({ flags }: Game): boolean => flags.has('F-OBS-LADDER');

/** What a reply that shows the league changes with, beside its page. */
const phaseShown = (game: Game, realm: Realm): number | undefined =>
  isBeside(game) ? leaguePhase(game, realm) : undefined;

/** The page in the league's place, as the description has it, or beside the league, as live services have it. */
function withLeague<Page>(page: Page, record: LeagueRecord, game: Game): { league: Page } | Beside<Page> {
  return isBeside(game) ? { league: shownLeague(record, game.now()), ladder: page } : { league: page };
}

interface Nobody {
  total: number;
  entries: never[];
}
const nobody = (): Nobody => ({ total: 0, entries: [] });

interface Beside<Page> {
  league: components['schemas']['League'] | null;
  ladder: Page;
}

/** Section 7 makes lookups of missing things null, while 4.2 types this wrapper as never null: a switch (K-023). */
function unknownLeague(
  game: Game,
): { status: 200; body: { league: Nobody | null } | Beside<Nobody> } | SwitchedReply<'getLeagueLadder'> {
  switch (game.switches['ladder.unknown']) {
    case 'null':
      return { status: 200, body: { league: null } };
    case 'empty':
      return { status: 200, body: isBeside(game) ? { league: null, ladder: nobody() } : { league: nobody() } };
    case 'error':
      return fault('notFound', 'there is no such league in the realm; GET /league lists them');
  }
}
