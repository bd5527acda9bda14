import type { Realm } from '../../../../src/contract/index.js';
import type { OldMutant as Mutant } from '../../mutant.js';
import { everywhere, gone, listAt, rename } from '../../interceptor/json.js';
import { byDefault, shifted, short } from '../../interceptor/queries.js';
import { answerOf } from '../../interceptor/interceptor.js';
import type { DataReply, Json, Interceptor } from '../../interceptor/interceptor.js';

/** Makes a page longer than its limit allows. */
export const lengthened = (entries: Json[], length: number): void => {
  const last = entries.at(-1);
  const more = last ? Math.max(0, length - entries.length) : 0;
  for (let added = 1; added <= more; added += 1) entries.push({ ...last, rank: Number(last?.rank) + added });
};

const notFound = () => answerOf(404, { error: { code: 1, message: 'Resource not found' } });

/** The order of a ladder page. */
const orderOf = (seam: Interceptor, { query, args }: DataReply): string => {
  const realm = (query.get('realm') ?? 'pc') as Realm;
  return query.get('sort') ?? seam.service.world.ladder(realm, args.league ?? '')?.defaultOrder ?? 'xp';
};

const reversed = (seam: Interceptor, order: string): void =>
  seam.data('getLeagueLadder', (body, context) => {
    if (orderOf(seam, context) === order) listAt(body, 'league', 'entries').reverse();
  });

export const ladders: readonly Mutant[] = [
  {
    id: 'M-AD-55',
    bug: 'cached_since is a number of seconds',
    rows: ['LADDER-002'],
    plant: (seam) =>
      seam.data('getLeagueLadder', (body) =>
        everywhere(body, 'cached_since', (date: string) => Date.parse(date) / 1000),
      ),
  },
  {
    id: 'M-AD-57',
    bug: 'sort=ancestor is refused',
    rows: ['LADDER-SORT-001'],
    plant: (seam) =>
      seam.request(({ operation, query }) =>
        operation === 'getLeagueLadder' && query.get('sort') === 'ancestor'
          ? answerOf(400, { error: { code: 2, message: 'Invalid query: sort' } })
          : undefined,
      ),
  },
  {
    id: 'M-AD-58',
    bug: 'the default order of a ladder is by depth',
    rows: ['LADDER-SORT-010'],
    plant: (seam) => seam.query('getLeagueLadder', (query) => void (query.has('sort') || query.set('sort', 'depth'))),
  },
  {
    id: 'M-AD-59',
    bug: 'entries of an event ladder have no private_league',
    rows: ['EVLADDER-001'],
    plant: (seam) => seam.data('getLeagueEventLadder', (body) => everywhere(body, 'private_league', () => gone)),
  },
  {
    id: 'M-AD-59-bare',
    bug: 'the event ladder has no wrapper',
    rows: ['EVLADDER-001'],
    plant: (seam) => seam.data('getLeagueEventLadder', (body) => body.league),
  },
  {
    id: 'M-AD-60',
    bug: 'limit and offset of the event ladder are ignored',
    rows: ['EVLADDER-LIMIT-003', 'EVLADDER-OFFSET-001'],
    plant: (seam) =>
      seam.query('getLeagueEventLadder', (query) => {
        query.delete('limit');
        query.delete('offset');
      }),
  },
  {
    id: 'M-LL-14',
    bug: 'limit=501 gives 501 entries of a ladder',
    rows: ['LADDER-LIMIT-002'],
    plant(seam) {
      const wanted = new WeakMap<object, number>();
      seam.request((request) => {
        const limit = Number(request.query.get('limit'));
        if (request.operation !== 'getLeagueLadder' || !(limit > 500)) return;
        const { query } = request;
        query.set('limit', '500');
        request.query = query;
        wanted.set(request, Math.min(limit, 1000));
      });
      seam.data('getLeagueLadder', (body, { request }) => {
        const entries = listAt(body, 'league', 'entries');
        if (entries.length === 500) lengthened(entries, wanted.get(request) ?? 0);
      });
    },
  },
  {
    id: 'M-LL-15',
    bug: 'a page of a ladder has at most 200 entries',
    rows: ['LADDER-LIMIT-002'],
    plant: (seam) => seam.data('getLeagueLadder', (body) => void listAt(body, 'league', 'entries').splice(200)),
  },
  {
    id: 'M-LL-18',
    bug: 'a ladder offset past 15000 gives 404',
    rows: ['LADDER-DEPTH-001'],
    plant: (seam) =>
      seam.request(({ operation, query }) =>
        operation === 'getLeagueLadder' && Number(query.get('offset')) >= 15_000 ? notFound() : undefined,
      ),
  },
  {
    id: 'M-LL-21',
    bug: 'total is the length of the page',
    rows: ['LADDER-TOTAL-001'],
    plant: (seam) =>
      seam.data('getLeagueLadder', (body) => {
        if (body.league) (body.league as Json).total = listAt(body, 'league', 'entries').length;
      }),
  },
  {
    id: 'M-LL-22',
    bug: 'experience is sorted from the least',
    rows: ['LADDER-SORT-002'],
    plant: (seam) => reversed(seam, 'xp'),
  },
  {
    id: 'M-LL-26',
    bug: 'time is sorted from the longest',
    rows: ['LADDER-SORT-005'],
    plant: (seam) => reversed(seam, 'time'),
  },
  {
    id: 'M-LL-28',
    bug: 'the class of a ladder has to be capitalised',
    rows: ['LADDER-SORT-008', 'LADDER-SORT-009'],
    plant: (seam) =>
      seam.data('getLeagueLadder', (body, { query }) => {
        if (query.get('sort') === 'class') body.league = { total: 0, entries: [] };
      }),
  },
  {
    id: 'M-LL-30',
    bug: 'equals on a ladder come in another order on every page',
    rows: ['LADDER-OFFSET-002'],
    plant(seam) {
      let turn = 0;
      seam.data('getLeagueLadder', (body) => {
        const entries = listAt(body, 'league', 'entries');
        turn += 1;
        for (let index = turn % 2; index + 1 < entries.length; index += 2) {
          const [one, other] = [entries[index]!, entries[index + 1]!];
          [one.character, other.character] = [other.character, one.character];
          [one.account, other.account] = [other.account, one.account];
        }
      });
    },
  },
  {
    id: 'M-LL-32',
    bug: 'a ladder has no wrapper',
    rows: ['LADDER-001'],
    plant: (seam) => seam.data('getLeagueLadder', (body) => body.league ?? undefined),
  },
  {
    id: 'M-LL-36',
    bug: 'the event ladder has entries of characters',
    rows: ['EVLADDER-TYPE-001'],
    plant: (seam) =>
      seam.data('getLeagueEventLadder', (body) => {
        for (const entry of listAt(body, 'league', 'entries')) {
          rename(entry, 'private_league', 'character');
          entry.character = { id: 'a'.repeat(64), name: 'One', level: 1, class: 'Witch' };
        }
      }),
  },
  {
    id: 'N-LADDER-LIMIT-001',
    bug: 'the default limit of a ladder is 10',
    rows: ['LADDER-LIMIT-001'],
    plant: byDefault('getLeagueLadder', 'limit', '10'),
  },
  {
    id: 'N-LADDER-LIMIT-003',
    bug: 'a page of a ladder has one entry less',
    rows: ['LADDER-LIMIT-003'],
    plant: short('getLeagueLadder', 'league', 'entries'),
  },
  {
    id: 'N-LADDER-OFFSET-001',
    bug: 'offset of a ladder is off by one',
    rows: ['LADDER-OFFSET-001'],
    plant: shifted('getLeagueLadder'),
  },
  {
    id: 'N-LADDER-SORT-007',
    bug: 'class is ignored on a ladder',
    rows: ['LADDER-SORT-007'],
    plant: (seam) =>
      seam.query('getLeagueLadder', (query) => void (query.get('sort') === 'class' && query.set('sort', 'xp'))),
  },
  {
    id: 'N-EVLADDER-LIMIT-001',
    bug: 'the default limit of an event ladder is 50',
    rows: ['EVLADDER-LIMIT-001'],
    plant: byDefault('getLeagueEventLadder', 'limit', '50'),
  },
];
