import type { LadderOrder } from '../../../../src/world/world.js';
import type { Realm } from '../../../../src/contract/index.js';
import type { OldMutant as Mutant } from '../../mutant.js';
import { listAt } from '../../interceptor/json.js';
import type { DataReply, Json, Interceptor } from '../../interceptor/interceptor.js';

const realmOf = ({ query }: DataReply): Realm => (query.get('realm') ?? 'pc') as Realm;

/** The order that a request asks for, the league's own where it names none. */
const orderOf = (seam: Interceptor, context: DataReply): LadderOrder =>
  (context.query.get('sort') ??
    seam.service.world.ladder(realmOf(context), context.args.league ?? '')?.defaultOrder ??
    'xp') as LadderOrder;

/** Makes pages of these orders another way: `make` gets the entries as they are. */
const ordered =
  (orders: readonly LadderOrder[], make: (list: Json[], context: DataReply, seam: Interceptor) => void) =>
  (seam: Interceptor) =>
    seam.data('getLeagueLadder', (body, context) => {
      if (orders.includes(orderOf(seam, context))) make(listAt(body, 'league', 'entries'), context, seam);
    });

const figure = (entry: Json, ...path: readonly string[]): number =>
  Number(path.reduce<unknown>((value, name) => (value as Json | undefined)?.[name], entry) ?? -1);

/** Fills a page with what another order has in its place. */
const insteadOf =
  (order: LadderOrder, other: (context: DataReply) => readonly [LadderOrder, string?], then?: (list: Json[]) => void) =>
  (seam: Interceptor): void =>
    ordered([order], (list, context) => {
      const ladder = seam.service.world.ladder(realmOf(context), context.args.league ?? '');
      if (!ladder) return;
      const [name, className] = other(context);
      const all = ladder.by(name, className);
      const offset = Number(context.query.get('offset') ?? 0);
      for (const index of list.keys()) {
        if (offset + index < all.length) list[index] = structuredClone(all.at(offset + index)) as unknown as Json;
      }
      then?.(list);
    })(seam);

const falling =
  (...path: readonly string[]) =>
  (list: Json[]): void =>
    void list.sort((a, b) => figure(b, ...path) - figure(a, ...path));

export const ladderOrders: readonly Mutant[] = [
  {
    id: 'N-LADDER-SORT-002-page',
    bug: 'a page is sorted by experience after it was cut out',
    rows: ['LADDER-SORT-002'],
    plant: insteadOf('xp', () => ['depth'], falling('character', 'experience')),
  },
  {
    id: 'N-LADDER-SORT-003-page',
    bug: 'a page is sorted by depth after it was cut out',
    rows: ['LADDER-SORT-003'],
    plant: insteadOf('depth', () => ['xp'], falling('character', 'depth', 'default')),
  },
  {
    id: 'N-LADDER-SORT-003-solo',
    bug: 'sort=depth goes by the solo depth',
    rows: ['LADDER-SORT-003'],
    plant: insteadOf('depth', () => ['depthsolo']),
  },
  {
    id: 'N-LADDER-SORT-004',
    bug: 'sort=depthsolo goes by the default depth',
    rows: ['LADDER-SORT-004'],
    plant: insteadOf('depthsolo', () => ['depth']),
  },
  {
    id: 'N-LADDER-SORT-005-page',
    bug: 'a page is sorted by time after it was cut out',
    rows: ['LADDER-SORT-005'],
    plant: insteadOf(
      'time',
      () => ['xp'],
      (list) => void list.sort((a, b) => figure(a, 'character', 'time') - figure(b, 'character', 'time')),
    ),
  },
  {
    id: 'N-LADDER-SORT-006',
    bug: 'score is sorted from the least',
    rows: ['LADDER-SORT-006'],
    plant: ordered(['score'], (list) => void list.reverse()),
  },
  {
    id: 'N-LADDER-SORT-006-text',
    bug: 'scores are compared as texts',
    rows: ['LADDER-SORT-006'],
    plant: ordered(
      ['score'],
      (list) =>
        void list.sort((a, b) =>
          String(figure(a, 'character', 'score')) < String(figure(b, 'character', 'score')) ? 1 : -1,
        ),
    ),
  },
  {
    id: 'N-LADDER-SORT-007-page',
    bug: 'class is ignored on later pages',
    rows: ['LADDER-SORT-007'],
    plant: insteadOf('class', ({ query }) =>
      Number(query.get('offset') ?? 0) > 0 ? ['xp'] : ['class', query.get('class')!],
    ),
  },
  {
    id: 'N-LADDER-SORT-007-cut',
    bug: 'a page of a class is sorted by experience after it was cut out',
    rows: ['LADDER-SORT-007'],
    plant: ordered(['class'], (list, { query }, seam) => {
      const { offset, limit } = { offset: Number(query.get('offset') ?? 0), limit: list.length };
      const all = seam.service.world.ladder('pc', 'Standard')?.by('class', query.get('class') ?? 'witch');
      if (!all || all.length < offset + limit) return;
      // Pages in the reverse order of the ladder, each sorted within itself.
      for (const index of list.keys())
        list[index] = structuredClone(all.at(Math.max(0, 400 - offset - index))) as unknown as Json;
      falling('character', 'experience')(list);
    }),
  },
  {
    id: 'N-LADDER-GONE-001-event',
    bug: 'for a league that does not exist there is an event ladder',
    rows: ['LADDER-GONE-001'],
    plant: (seam) =>
      seam.data('getLeagueEventLadder', (body, { args }) => {
        if (seam.service.world.leagues('pc').some(({ league }) => league.id === args.league)) return;
        const private_league = { name: 'One', url: 'https://example.com/1' };
        body.league = { total: 1, entries: [{ rank: 1, private_league }] };
      }),
  },
  {
    id: 'N-LADDER-SORT-007-level',
    bug: 'a ladder of a class is in the order of names',
    rows: ['LADDER-SORT-007'],
    plant: ordered(
      ['class'],
      (list) =>
        void list.sort((a, b) => (String((a.character as Json).name) < String((b.character as Json).name) ? -1 : 1)),
    ),
  },
  {
    id: 'N-LADDER-SORT-007-one',
    bug: 'class=scion shows the witches',
    rows: ['LADDER-SORT-007', 'LADDER-SORT-009'],
    plant: insteadOf('class', ({ query }) => ['class', query.get('class') === 'scion' ? 'witch' : query.get('class')!]),
  },
  {
    id: 'N-LADDER-SORT-008-shadow',
    bug: 'class=shadow has no entries',
    rows: ['LADDER-SORT-008', 'LADDER-SORT-009'],
    plant: ordered(['class'], (list, { query }) => void (query.get('class') === 'shadow' && list.splice(0))),
  },
  {
    id: 'N-LADDER-SORT-009-kept',
    bug: 'the ladder of a class is kept for all classes',
    rows: ['LADDER-SORT-009'],
    plant(seam) {
      const kept = new Map<string, Json>();
      seam.data('getLeagueLadder', (body, { args, query }) => {
        if (query.get('sort') !== 'class') return undefined;
        query.delete('class');
        const key = `${args.league} ${query}`;
        if (!kept.has(key)) kept.set(key, structuredClone(body));
        return structuredClone(kept.get(key));
      });
    },
  },
  {
    id: 'N-LADDER-SORT-010-depth',
    bug: 'the default order of a ladder by time is by score',
    rows: ['LADDER-SORT-010'],
    plant: (seam) =>
      seam.data('getLeagueLadder', (body, context) => {
        if (!context.query.has('sort') && orderOf(seam, context) === 'time')
          listAt(body, 'league', 'entries').sort(
            (a, b) => figure(b, 'character', 'level') - figure(a, 'character', 'level'),
          );
      }),
  },
  {
    id: 'N-LADDER-OFFSET-001-ties',
    bug: 'equals come in another order where the limit is odd',
    rows: ['LADDER-OFFSET-001'],
    plant: ordered(['depth', 'xp'], (list, { query }) => {
      if (Number(query.get('limit') ?? 20) % 2 === 0) return;
      for (let index = 0; index + 1 < list.length; index += 1) {
        const [one, other] = [list[index]!, list[index + 1]!];
        if (figure(one, 'character', 'level') !== figure(other, 'character', 'level')) continue;
        [one.character, other.character] = [other.character, one.character];
        index += 1;
      }
    }),
  },
  {
    id: 'N-LADDER-GONE-001',
    bug: 'for a league that does not exist there is the ladder of another',
    rows: ['LADDER-GONE-001'],
    plant: (seam) =>
      seam.request((request) => {
        const league = request.route?.args.league ?? '';
        if (request.operation !== 'getLeagueLadder' || seam.service.world.ladder('pc', league)) return;
        request.path = request.path.replace(/^\/league\/[^/]+/, '/league/Standard');
      }),
  },
];
