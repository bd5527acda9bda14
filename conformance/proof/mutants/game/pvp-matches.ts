import type { Realm } from '../../../../src/contract/index.js';
import type { Mutant } from '../../mutant.js';
import { change, everywhere, gone, having, listAt, rename } from '../../seam/json.js';
import { byDefault, ignored } from '../../seam/queries.js';
import { answerOf } from '../../seam/seam.js';
import type { Json, Seam } from '../../seam/seam.js';

const both = ['listPvpMatches', 'getPvpMatch'] as const;

/** The records of a realm's matches. */
const records = (seam: Seam, realm: string | null) => seam.service.world.pvpMatches((realm ?? 'pc') as Realm);

/** Lists instead what a choice of records gives. */
const listing =
  (type: string, choose: (query: URLSearchParams, seam: Seam) => readonly Json[]): Mutant['plant'] =>
  (seam) =>
    seam.data('listPvpMatches', (body, { query }) => {
      if ((query.get('type') ?? 'upcoming') === type) body.matches = choose(query, seam);
    });

export const pvpMatches: readonly Mutant[] = [
  {
    id: 'N-PVP-LIST-001',
    bug: 'the matches are a bare array',
    rows: ['PVP-LIST-001'],
    plant: (seam) => seam.data('listPvpMatches', (body) => body.matches),
  },
  {
    id: 'N-PVP-LIST-001-null',
    bug: 'an empty list of matches is null',
    rows: ['PVP-LIST-001'],
    plant: (seam) =>
      seam.data('listPvpMatches', (body) => void (listAt(body, 'matches').length === 0 && (body.matches = null))),
  },
  {
    id: 'N-PVP-LIST-001-sony',
    bug: 'matches of realm sony have no style',
    rows: ['PVP-LIST-001'],
    plant: (seam) =>
      seam.data('listPvpMatches', (body, { query }) => {
        if (query.get('realm') === 'sony')
          for (const match of listAt(body, 'matches')) change(match, 'style', () => gone);
      }),
  },
  {
    id: 'N-PVP-LIST-002-all',
    bug: 'without type the matches of every state are listed',
    rows: ['PVP-LIST-002'],
    plant: (seam) =>
      seam.data('listPvpMatches', (body, { query }) => {
        if (!query.has('type')) body.matches = records(seam, query.get('realm')).map(({ match }) => match);
      }),
  },
  {
    id: 'N-PVP-LIST-002-realm',
    bug: 'without type, and with a realm, nothing is listed',
    rows: ['PVP-LIST-002'],
    plant: (seam) =>
      seam.data('listPvpMatches', (body, { query }) => {
        if (!query.has('type') && query.get('realm') === 'pc') body.matches = [];
      }),
  },
  {
    id: 'N-PVP-LIST-003-unknown',
    bug: 'for a season that does not exist the matches of the present one are listed',
    rows: ['PVP-LIST-003'],
    plant: listing('season', (query, seam) =>
      records(seam, query.get('realm'))
        .filter(({ season }) => season !== null)
        .map(({ match }) => match as unknown as Json),
    ),
  },
  {
    id: 'N-PVP-LIST-003-season',
    bug: 'a season lists the upcoming matches as well',
    rows: ['PVP-LIST-003'],
    plant: listing('season', (query, seam) =>
      records(seam, query.get('realm'))
        .filter(({ season, startsAt }) => season === query.get('season') || startsAt > seam.service.clock.now())
        .map(({ match }) => match as unknown as Json),
    ),
  },
  {
    id: 'N-PVP-LIST-004',
    bug: 'upcoming lists matches that have begun',
    rows: ['PVP-LIST-004'],
    plant: (seam) =>
      seam.data('listPvpMatches', (body) => {
        const [first] = having(body, 'upcoming');
        if (first) rename(first, 'upcoming', 'inProgress');
      }),
  },
  {
    id: 'N-PVP-LIST-004-complete',
    bug: 'an upcoming match is complete as well',
    rows: ['PVP-LIST-004', 'PVP-STATE-001'],
    plant: (seam) =>
      seam.data(both, (body) => {
        for (const match of having(body, 'upcoming')) match.complete = true;
      }),
  },
  {
    id: 'N-PVP-STATE-001',
    bug: 'a match that is over is in progress as well',
    rows: ['PVP-STATE-001'],
    beside: ['PVP-GET-001'],
    plant: (seam) =>
      seam.data(both, (body) => {
        for (const match of having(body, 'complete')) match.inProgress = true;
      }),
  },
  {
    id: 'N-PVP-GET-001',
    bug: 'a match is found by the beginning of its id',
    rows: ['PVP-GET-001', 'PVP-GET-003'],
    plant: (seam) =>
      seam.data('getPvpMatch', (body, { args, query }) => {
        const found = records(seam, query.get('realm')).find(({ match }) =>
          match.id.startsWith((args.match ?? '').slice(0, 3)),
        );
        if (body.match && found) body.match = { ...found.match };
      }),
  },
  {
    id: 'N-PVP-GET-001-bare',
    bug: 'a match has no wrapper',
    rows: ['PVP-GET-001'],
    plant: (seam) => seam.data('getPvpMatch', (body) => body.match ?? undefined),
  },
  {
    id: 'N-PVP-GET-001-list',
    bug: 'a match comes in a list',
    rows: ['PVP-GET-001'],
    plant: (seam) => seam.data('getPvpMatch', (body) => void (body.match && (body.match = [body.match]))),
  },
  {
    id: 'N-PVP-GET-002-case',
    bug: 'for an unknown match there is the first one',
    rows: ['PVP-GET-002'],
    plant: (seam) =>
      seam.data('getPvpMatch', (body, { query }) => {
        const [first] = records(seam, query.get('realm'));
        if (body.match === null && first) body.match = first.match;
      }),
  },
  {
    id: 'N-PVP-GET-002-realm',
    bug: 'an unknown match of realm sony is refused',
    rows: ['PVP-GET-002'],
    plant: (seam) =>
      seam.reply((reply, { operation, query }) => {
        if (operation !== 'getPvpMatch' || query.get('realm') !== 'sony') return;
        if ((reply.json as Json).match === null) {
          reply.status = 400;
          reply.json = { error: { code: 2, message: 'Invalid query: match' } };
        }
      }),
  },
  {
    id: 'N-PVP-GET-003-over',
    bug: 'a match that is over cannot be looked up',
    rows: ['PVP-GET-003', 'PVP-GET-001'],
    plant: (seam) =>
      seam.data('getPvpMatch', (body) => {
        if ((body.match as Json | null)?.complete) body.match = null;
      }),
  },
  {
    id: 'N-PVP-GET-003-realm',
    bug: 'a match is looked up in realm pc always',
    rows: ['PVP-GET-003'],
    plant: ignored('getPvpMatch', 'realm'),
  },
  {
    id: 'N-PVP-GET-003-style',
    bug: 'the style of a match is another when it is looked up',
    rows: ['PVP-GET-003'],
    plant: (seam) =>
      seam.data('getPvpMatch', (body) => everywhere(body, 'style', (style) => (style === 'Arena' ? 'Swiss' : 'Arena'))),
  },
  {
    id: 'N-PVP-GET-003-dates',
    bug: 'a match that is looked up begins an hour later',
    rows: ['PVP-GET-003'],
    plant: (seam) =>
      seam.data('getPvpMatch', (body) =>
        everywhere(body, 'startAt', (at: string) => new Date(Date.parse(at) + 3_600_000).toISOString()),
      ),
  },
  {
    id: 'N-PVP-PVP-001-over',
    bug: 'pvp is left out of matches that are over',
    rows: ['PVP-PVP-001'],
    beside: ['PVP-GET-001'],
    plant: (seam) =>
      seam.data(both, (body) => {
        for (const match of having(body, 'complete')) change(match, 'pvp', () => gone);
      }),
  },
  {
    id: 'N-PVPLADDER-RATING-001-one',
    bug: 'the first team of a match without ratings has one',
    rows: ['PVPLADDER-RATING-001'],
    plant: (seam) =>
      seam.data('getPvpMatchLadder', (body) => {
        const [first] = listAt(body, 'match', 'entries');
        if (first && first.rank === 1) first.rating ??= 1500;
      }),
  },
  {
    id: 'N-PVPLADDER-001-unknown',
    bug: 'for an unknown match there is the ladder of another',
    rows: ['LADDER-GONE-001'],
    plant: (seam) =>
      seam.request((request) => {
        const { operation, route, query } = request;
        if (operation !== 'getPvpMatchLadder') return;
        const { world } = seam.service;
        const all = records(seam, query.get('realm')).map(({ match }) => match.id);
        const known = (id: string): boolean =>
          (world.pvpLadder((query.get('realm') ?? 'pc') as Realm, id)?.length ?? 0) > 0;
        if (!all.includes(route?.args.match ?? ''))
          request.path = `/pvp-match/${encodeURIComponent(all.find(known) ?? '')}/ladder`;
      }),
  },
  {
    id: 'N-PVPLADDER-MEMBER-002',
    bug: 'a team whose members are all private has none',
    rows: ['PVPLADDER-MEMBER-002'],
    beside: ['PVPLADDER-001'],
    plant: (seam) =>
      seam.data('getPvpMatchLadder', (body) => {
        for (const team of having(body, 'members'))
          if ((team.members as Json[]).every((one) => one.public !== true)) team.members = [];
      }),
  },
  {
    id: 'N-PVPLADDER-RANK-001',
    bug: 'the teams come in the order of their games',
    rows: ['PVPLADDER-RANK-001'],
    plant: (seam) => seam.data('getPvpMatchLadder', (body) => void listAt(body, 'match', 'entries').reverse()),
  },
  {
    id: 'N-REALM-QUERY-002-pvp',
    bug: 'without realm a match is looked up in realm sony',
    rows: ['REALM-QUERY-002'],
    plant: byDefault('getPvpMatch', 'realm', 'sony'),
  },
  {
    id: 'N-REALM-QUERY-002-ladder',
    bug: 'without realm the ladder of a match is refused',
    rows: ['REALM-QUERY-002'],
    plant: (seam) =>
      seam.request(({ operation, query }) =>
        operation === 'getPvpMatchLadder' && !query.has('realm')
          ? answerOf(400, { error: { code: 2, message: 'Invalid query: realm' } })
          : undefined,
      ),
  },
  {
    id: 'N-REALM-QUERY-002-event',
    bug: 'without realm an event ladder is that of realm xbox',
    rows: ['REALM-QUERY-002'],
    plant: byDefault('getLeagueEventLadder', 'realm', 'xbox'),
  },
  {
    id: 'N-REALM-QUERY-001-ladder',
    bug: 'without realm a ladder is that of realm xbox',
    rows: ['REALM-QUERY-001'],
    plant: byDefault('getLeagueLadder', 'realm', 'xbox'),
  },
  {
    id: 'N-REALM-QUERY-001-pvp',
    bug: 'without realm matches are those of realm sony',
    rows: ['REALM-QUERY-001'],
    plant: byDefault('listPvpMatches', 'realm', 'sony'),
  },
  {
    id: 'N-REALM-QUERY-001-pc',
    bug: 'realm=pc is refused',
    rows: ['REALM-QUERY-001', 'REALM-QUERY-003'],
    plant: (seam) =>
      seam.request(({ operation, query }) =>
        operation === 'getLeagueLadder' && query.get('realm') === 'pc'
          ? answerOf(400, { error: { code: 2, message: 'Invalid query: realm' } })
          : undefined,
      ),
  },
  {
    id: 'N-REALM-QUERY-003-game2',
    bug: 'a league of the second game cannot be looked up',
    rows: ['REALM-QUERY-003'],
    plant: (seam) =>
      seam.request(({ operation, query }) =>
        operation === 'getLeague' && query.get('realm') === 'game2'
          ? answerOf(400, { error: { code: 2, message: 'Invalid query: realm' } })
          : undefined,
      ),
  },
  {
    id: 'N-REALM-QUERY-003-event',
    bug: 'event ladders know realm pc only',
    rows: ['REALM-QUERY-003'],
    plant: (seam) =>
      seam.request(({ operation, query }) =>
        operation === 'getLeagueEventLadder' && ['xbox', 'sony'].includes(query.get('realm') ?? '')
          ? answerOf(400, { error: { code: 2, message: 'Invalid query: realm' } })
          : undefined,
      ),
  },
  {
    id: 'N-REALM-QUERY-003-pvp',
    bug: 'PvP ladders of realm sony are refused',
    rows: ['REALM-QUERY-003'],
    plant: (seam) =>
      seam.request(({ operation, query }) =>
        operation === 'getPvpMatchLadder' && query.get('realm') === 'sony'
          ? answerOf(400, { error: { code: 2, message: 'Invalid query: realm' } })
          : undefined,
      ),
  },
  {
    id: 'N-REALM-QUERY-004-ladder',
    bug: 'the ladders of all realms are that of pc',
    rows: ['REALM-QUERY-004'],
    beside: ['REALM-QUERY-003'],
    plant: ignored('getLeagueLadder', 'realm'),
  },
  {
    id: 'N-REALM-QUERY-004-pvp-list',
    bug: 'the matches of all realms are those of pc',
    rows: ['REALM-QUERY-004'],
    beside: ['PVP-LIST-001'],
    plant: ignored('listPvpMatches', 'realm'),
  },
];
