import type { OldMutant as Mutant } from '../../mutant.js';
import { change, everywhere, gone, having, listAt, rename } from '../../interceptor/json.js';
import { ignored } from '../../interceptor/queries.js';
import type { Json } from '../../interceptor/interceptor.js';
import { lengthened } from './ladders.js';

export const pvp: readonly Mutant[] = [
  {
    id: 'M-PV-01',
    bug: 'a page of a PvP ladder has up to 500 entries',
    rows: ['PVPLADDER-LIMIT-002'],
    plant(seam) {
      const wanted = new WeakMap<object, number>();
      seam.request((request) => {
        const limit = Number(request.query.get('limit'));
        if (request.operation !== 'getPvpMatchLadder' || !(limit > 200 && limit <= 500)) return;
        const { query } = request;
        query.set('limit', '200');
        request.query = query;
        wanted.set(request, limit);
      });
      seam.data('getPvpMatchLadder', (body, { request }) => {
        const entries = listAt(body, 'match', 'entries');
        if (entries.length === 200) lengthened(entries, wanted.get(request) ?? 0);
      });
    },
  },
  {
    id: 'M-PV-02',
    bug: 'a PvP ladder is wrapped in league',
    rows: ['PVPLADDER-001'],
    plant: (seam) => seam.data('getPvpMatchLadder', (body) => rename(body, 'match', 'league')),
  },
  {
    id: 'M-PV-04',
    bug: 'type=league lists the matches of all leagues',
    rows: ['PVP-LIST-003'],
    plant: (seam) =>
      seam.data('listPvpMatches', (body, { query }) => {
        if (query.get('type') !== 'league') return;
        body.matches = seam.service.world.pvpMatches((query.get('realm') ?? 'pc') as 'pc').map(({ match }) => match);
      }),
  },
  {
    id: 'M-PV-06',
    bug: 'a match without ratings has teams with rating 0',
    rows: ['PVPLADDER-RATING-001'],
    plant: (seam) =>
      seam.data('getPvpMatchLadder', (body) => {
        for (const entry of listAt(body, 'match', 'entries')) entry.rating ??= 0;
      }),
  },
  {
    id: 'M-PV-07',
    bug: 'pvp is left out of a match',
    rows: ['PVP-PVP-001'],
    plant: (seam) => seam.data(['listPvpMatches', 'getPvpMatch'], (body) => everywhere(body, 'pvp', () => gone)),
  },
  {
    id: 'M-PV-11',
    bug: 'a private member says public: false',
    rows: ['PVPLADDER-MEMBER-001'],
    beside: ['PVPLADDER-001', 'PVPLADDER-LIMIT-001'],
    plant: (seam) =>
      seam.data('getPvpMatchLadder', (body) => {
        for (const team of having(body, 'members'))
          for (const member of team.members as Json[]) member.public ??= false;
      }),
  },
  {
    id: 'M-AD-63',
    bug: 'the default limit of a PvP ladder is 200',
    rows: ['PVPLADDER-LIMIT-001'],
    plant: (seam) => seam.query('getPvpMatchLadder', (query) => void (query.has('limit') || query.set('limit', '200'))),
  },
  {
    id: 'M-PV-07-false',
    bug: 'pvp is false for a match that has not begun',
    rows: ['PVP-PVP-001'],
    plant: (seam) =>
      seam.data(['listPvpMatches', 'getPvpMatch'], (body) => {
        for (const match of having(body, 'upcoming')) change(match, 'pvp', () => false);
      }),
  },
  {
    id: 'N-PVP-LIST-002',
    bug: 'the default type of PvP matches is league',
    rows: ['PVP-LIST-002'],
    plant(seam) {
      seam.query('listPvpMatches', (query) => {
        if (query.has('type')) return;
        query.set('type', 'league');
        query.set('league', 'Ember');
      });
    },
  },
  {
    id: 'N-PVP-GET-002',
    bug: 'an unknown match is answered with {}',
    rows: ['PVP-GET-002', 'ERR-002'],
    plant: (seam) => seam.data('getPvpMatch', (body) => (body.match === null ? {} : undefined)),
  },
  {
    id: 'N-PVPLADDER-LIMIT-003',
    bug: 'limit of a PvP ladder is ignored',
    rows: ['PVPLADDER-LIMIT-003'],
    plant: ignored('getPvpMatchLadder', 'limit'),
  },
  {
    id: 'N-PVPLADDER-OFFSET-001',
    bug: 'offset of a PvP ladder is ignored',
    rows: ['PVPLADDER-OFFSET-001'],
    plant: ignored('getPvpMatchLadder', 'offset'),
  },
];
