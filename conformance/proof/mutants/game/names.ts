import type { Realm } from '../../../../src/contract/index.js';
import type { OldMutant as Mutant } from '../../mutant.js';
import { listAt } from '../../interceptor/json.js';
import type { Json, Interceptor } from '../../interceptor/interceptor.js';

type Alike = (asked: string, known: string) => boolean;

const plain = (text: string): string => text.normalize('NFD').replaceAll(/\p{M}/gu, '');

/** A league is found by a name that is only like its own. */
const leagueBy =
  (alike: Alike): Mutant['plant'] =>
  (seam: Interceptor) =>
    seam.data('getLeague', (body, { args, query }) => {
      if (body.league !== null) return;
      const leagues = seam.service.world.leagues((query.get('realm') ?? 'pc') as Realm);
      body.league = leagues.find(({ league }) => alike(args.league ?? '', league.id))?.league ?? null;
    });

const matchBy =
  (alike: Alike): Mutant['plant'] =>
  (seam: Interceptor) =>
    seam.data('getPvpMatch', (body, { args, query }) => {
      if (body.match !== null) return;
      const matches = seam.service.world.pvpMatches((query.get('realm') ?? 'pc') as 'pc');
      body.match = matches.find(({ match }) => alike(args.match ?? '', match.id))?.match ?? null;
    });

/** A season is selected by what is only like its name. */
const seasonBy =
  (operation: 'listLeagues' | 'listPvpMatches', alike: Alike): Mutant['plant'] =>
  (seam: Interceptor) => {
    seam.query(operation, (query) => {
      const asked = query.get('season');
      if (query.get('type') !== 'season' || asked === null) return;
      const { world } = seam.service;
      const known =
        operation === 'listLeagues'
          ? world.leagues('pc').map(({ season }) => season)
          : world.pvpMatches('pc').map(({ season }) => season);
      const found = known.find((season) => season !== null && season !== undefined && alike(asked, season));
      if (found) query.set('season', found);
    });
  };

const sameCase: Alike = (asked, known) => asked.toLowerCase() === known.toLowerCase();

export const names: readonly Mutant[] = [
  {
    id: 'N-LEAGUE-LIST-005-ignored',
    bug: 'season is ignored: each is the known one',
    rows: ['LEAGUE-LIST-005'],
    plant: seasonBy('listLeagues', () => true),
  },
  {
    id: 'N-LEAGUE-LIST-005-word',
    bug: 'a season is known by its first word',
    rows: ['LEAGUE-LIST-005'],
    plant: seasonBy('listLeagues', (asked, known) => asked.split(' ')[0] === known.split(' ')[0]),
  },
  {
    id: 'N-LEAGUE-LIST-005-prefix',
    bug: 'a season is known by its beginning',
    rows: ['LEAGUE-LIST-005'],
    plant: seasonBy('listLeagues', (asked, known) => known.startsWith(asked)),
  },
  {
    id: 'N-LEAGUE-LIST-005-case',
    bug: 'a season is known in any case',
    rows: ['LEAGUE-LIST-005'],
    noticed: 'warn',
    plant: seasonBy('listLeagues', sameCase),
  },
  {
    id: 'N-PVP-LIST-003-prefix',
    bug: 'a season of matches is known by its beginning',
    rows: ['PVP-LIST-003'],
    plant: seasonBy('listPvpMatches', (asked, known) => known.startsWith(asked)),
  },
  {
    id: 'N-PVP-LIST-003-case',
    bug: 'a season of matches is known in any case',
    rows: ['PVP-LIST-003'],
    noticed: 'warn',
    plant: seasonBy('listPvpMatches', sameCase),
  },
  {
    id: 'N-LEAGUE-GET-002-accents',
    bug: 'a league is found without the accents of its name',
    rows: ['LEAGUE-GET-002'],
    plant: leagueBy((asked, known) => plain(known) === asked),
  },
  {
    id: 'N-LEAGUE-GET-002-case',
    bug: 'a league is found in any case',
    rows: ['LEAGUE-GET-002'],
    noticed: 'warn',
    plant: leagueBy(sameCase),
  },
  {
    id: 'N-PVP-GET-002-suffix',
    bug: 'a match is found with more text after its name',
    rows: ['PVP-GET-002'],
    plant: matchBy((asked, known) => asked.startsWith(known)),
  },
  {
    id: 'N-LEAGUE-LIST-007-season',
    bug: 'leagues that are over cannot be looked up',
    rows: ['LEAGUE-LIST-007'],
    plant: (seam) =>
      seam.data('getLeague', (body, { query }) => {
        const { id } = (body.league ?? {}) as Json;
        const all = seam.service.world.leagues((query.get('realm') ?? 'pc') as Realm);
        const listed = all.find(({ league }) => league.id === id);
        const end = listed?.league.endAt;
        if (end && Date.parse(end) < seam.service.clock.now()) body.league = null;
      }),
  },
  {
    id: 'N-LEAGUE-LIST-005-realm',
    bug: 'in realm sony season is ignored',
    rows: ['LEAGUE-LIST-005'],
    plant: (seam) =>
      seam.data('listLeagues', (body, { query }) => {
        if (query.get('type') !== 'season' || query.get('realm') !== 'sony') return;
        const seasonal = seam.service.world.leagues('pc').filter(({ season }) => season);
        listAt(body, 'leagues').push(...(seasonal.map(({ league }) => league) as unknown as Json[]));
      }),
  },
];
