import type { DataReply, Interceptor, Json } from '../../interceptor/interceptor.js';
import { realmOf } from '../../interceptor/who.js';
import { mutants, operator } from '../../mutant.js';
import { list, set } from '../../operators/replies.js';
import { mapParameter } from '../../operators/requests.js';

type NameMatch = (asked: string, known: string) => boolean;

const plain = (text: string): string => text.normalize('NFD').replaceAll(/\p{M}/gu, '');
const sameCase: NameMatch = (asked, known) => asked.toLowerCase() === known.toLowerCase();

/** A league is found by a name that is only like its own. */
const leagueBy = operator('leagueBy', (at, alike: NameMatch) =>
  set('getLeague', 'league', (found: Json | null, _: Json, context: DataReply) => {
    const { league: asked = '' } = context.args;
    return (
      found ?? at.service.world.leagues(realmOf(context)).find(({ league }) => alike(asked, league.id))?.league ?? null
    );
  }),
);

/** A match is found by an id that is only like its own. */
const matchBy = operator('matchBy', (at, alike: NameMatch) =>
  set('getPvpMatch', 'match', (found: Json | null, _: Json, context: DataReply) => {
    const matches = at.service.world.pvpMatches(realmOf(context));
    return found ?? matches.find(({ match }) => alike(context.args.match ?? '', match.id))?.match ?? null;
  }),
);

/** A season is selected by what is only like its name. */
const seasonBy = operator('seasonBy', (at, operation: 'listLeagues' | 'listPvpMatches', alike: NameMatch) =>
  mapParameter(
    operation,
    'season',
    (asked) => {
      const { world } = at.service;
      const all = operation === 'listLeagues' ? world.leagues('pc') : world.pvpMatches('pc');
      return all.flatMap(({ season }) => season ?? []).find((season) => alike(asked, season)) ?? asked;
    },
    { type: 'season' },
  ),
);

export const names = mutants({
  'LEAGUE-GET-002 accents: a league is found without the accents of its name': () =>
    leagueBy((asked, known) => plain(known) === asked),
  'LEAGUE-GET-002 case: a league is found in any case': () => leagueBy(sameCase).warns(),
  'LEAGUE-LIST-005 ignored: season is ignored: each is the known one': () => seasonBy('listLeagues', () => true),
  'LEAGUE-LIST-005 word: a season is known by its first word': () =>
    seasonBy('listLeagues', (asked, known) => asked.split(' ')[0] === known.split(' ')[0]),
  'LEAGUE-LIST-005 prefix: a season is known by its beginning': () =>
    seasonBy('listLeagues', (asked, known) => known.startsWith(asked)),
  'LEAGUE-LIST-005 case: a season is known in any case': () => seasonBy('listLeagues', sameCase).warns(),
  'LEAGUE-LIST-005 realm: in realm sony season is ignored': () =>
    list(
      'listLeagues',
      'leagues',
      (leagues, _, at) => {
        const seasonal = at.service.world.leagues('pc').filter(({ season }) => season);
        return [...leagues, ...seasonal.map(({ league }) => league)];
      },
      { type: 'season', realm: 'sony' },
    ),
  'LEAGUE-LIST-007 season: leagues that are over cannot be looked up': () =>
    set('getLeague', 'league', (league: Json | null, _: Json, __: DataReply, at: Interceptor) => {
      const end = league?.endAt;
      return end && Date.parse(String(end)) < at.service.clock.now() ? null : league;
    }),
  'PVP-GET-002 suffix: a match is found with more text after its name': () =>
    matchBy((asked, known) => asked.startsWith(known)),
  'PVP-LIST-003 realm: in realm xbox season is ignored, and the upcoming matches are listed': () =>
    mapParameter('listPvpMatches', 'type', () => 'upcoming', { realm: 'xbox' }),
  'PVP-LIST-003 prefix: a season of matches is known by its beginning': () =>
    seasonBy('listPvpMatches', (asked, known) => known.startsWith(asked)),
  'PVP-LIST-003 case: a season of matches is known in any case': () => seasonBy('listPvpMatches', sameCase).warns(),
});
