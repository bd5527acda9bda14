import type { Realm } from '../contract/index.js';
import type { Making } from './making.js';
import { characterName, shownClass } from './names.js';
import { ladderAccount } from './people.js';
import type { Listing, PvpRecord } from './world.js';
import { dateTime, SITE, type Schemas } from './wire.js';

/** A match with what the fixtures say of its ladder. */
export interface PvpEntry extends PvpRecord {
  readonly teams: number;
  readonly size: number;
}

/** The matches of a first-game realm, in the order of the fixtures. */
export function makePvpMatches(making: Making, realm: Realm): readonly PvpEntry[] {
  if (realm === 'game2') return [];
  return Object.entries(making.fixtures.pvp()[realm] ?? {}).map(([id, fixture]) => {
    const startsAt = making.epoch + fixture.startAt;
    const endsAt = making.epoch + fixture.endAt;
    const match: Schemas['PvPMatch'] = {
      id,
      realm,
      startAt: dateTime(startsAt),
      endAt: dateTime(endsAt),
      description: fixture.description ?? `${fixture.style} match: ${id}.`,
      glickoRatings: fixture.glicko,
      pvp: true,
      style: fixture.style,
    };
    if (fixture.registerAt !== null) match.registerAt = dateTime(making.epoch + fixture.registerAt);
    if (fixture.url !== null) match.url = `${SITE}/forum/view-thread/${fixture.url}`;
    return {
      season: fixture.season,
      league: fixture.league === null ? null : making.leagueId(realm, fixture.league),
      startsAt,
      endsAt,
      match: making.project(match, 'PvPMatch'),
      teams: fixture.teams,
      size: fixture.size,
    };
  });
}

/** The teams of a match; `rating` only where the match uses Glicko ratings. */
export function makePvpLadder(making: Making, realm: Realm, entry: PvpEntry): Listing<Schemas['PvPLadderTeamEntry']> {
  const path = `pvp/${realm}/${entry.match.id}`;
  const words = making.fixtures.words();
  const classes = Object.keys(words.classes);
  const member = (place: number, number: number): Schemas['PvPLadderTeamMember'] => {
    const serial = place * 10 + number;
    const { id, chance } = making.seeds.entity(`${path}/${place}/${number}`);
    const result: Schemas['PvPLadderTeamMember'] = {
      account: ladderAccount(making, realm, `account-of/${path}/${serial}`, serial),
      character: {
        id,
        name: characterName(words, chance, serial),
        level: chance.between(60, 100),
        class: shownClass(words, chance.pick(classes), chance),
      },
    };
    if (!chance.once(4)) result.character.league = entry.league ?? 'Standard';
    if (chance.once(3)) result.character.score = chance.below(30);
    if (chance.once(2)) result.public = true;
    return result;
  };
  return {
    length: entry.teams,
    at: (place) => {
      const chance = making.seeds.chance(`${path}/${place}`);
      const size = chance.between(1, entry.size);
      const result: Schemas['PvPLadderTeamEntry'] = {
        rank: place + 1,
        members: Array.from({ length: size }, (_, number) => member(place, number)),
      };
      if (entry.match.glickoRatings && !chance.once(9)) result.rating = 2600 - 3 * place - chance.below(3);
      if (!chance.once(5)) result.points = Math.max(0, 3 * (entry.teams - place) - chance.below(3));
      if (!chance.once(5)) result.games_played = chance.between(1, 60);
      if (!chance.once(5)) result.cumulative_opponent_points = chance.below(900);
      const hours = chance.once(4) ? undefined : chance.below(72);
      // Nobody has played before the match.
      const last = Math.min(making.epoch, entry.endsAt);
      if (hours !== undefined && last >= entry.startsAt)
        result.last_game_time = dateTime(Math.max(entry.startsAt, last - hours * 3_600_000));
      return making.project(result, 'PvPLadderTeamEntry');
    },
  };
}
