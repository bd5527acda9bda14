import type { OldMutant as Mutant } from '../../mutant.js';
import { listAt } from '../../interceptor/json.js';
import { ignored, short } from '../../interceptor/queries.js';
import { answerOf } from '../../interceptor/interceptor.js';
import type { DataReply, Json, Interceptor } from '../../interceptor/interceptor.js';

type Operation = Parameters<Interceptor['query']>[0];
type Held = 'league' | 'match';

/** The three kinds of ladder with the wrapper and the largest page of each. */
const kinds: readonly (readonly [row: string, operation: Operation, held: Held, max: number])[] = [
  ['LADDER', 'getLeagueLadder', 'league', 500],
  ['EVLADDER', 'getLeagueEventLadder', 'league', 500],
  ['PVPLADDER', 'getPvpMatchLadder', 'match', 200],
];

type Rows = Mutant['rows'];
type Change = (seam: Interceptor, operation: Operation, held: Held, max: number) => void;

/** The same bug in each of the ladders. */
const each = (word: string, bug: string, rows: readonly string[], change: Change): readonly Mutant[] =>
  kinds.map(([kind, operation, held, max]) => ({
    id: `N-${kind}-${word}`,
    bug: `${bug} (${operation})`,
    rows: rows.map((row) => `${kind}-${row}`) as unknown as Rows,
    plant: (seam: Interceptor) => change(seam, operation, held, max),
  }));

const windowOf = ({ query }: DataReply): { readonly offset: number; readonly limit: number } => ({
  offset: Number(query.get('offset') ?? 0),
  limit: Number(query.get('limit') ?? 20),
});

const entries = (
  seam: Interceptor,
  operation: Operation,
  held: Held,
  to: (list: Json[], window: { readonly offset: number; readonly limit: number }, body: Json) => void,
): void => seam.data(operation, (body, context) => to(listAt(body, held, 'entries'), windowOf(context), body));

export const ladderWindows: readonly Mutant[] = [
  ...each('OFFSET-001-page', 'offset counts pages', ['OFFSET-001'], (seam, operation) =>
    seam.query(operation, (query) => {
      const offset = Number(query.get('offset') ?? 0);
      if (offset > 0) query.set('offset', String(Math.min(15_000, offset * Number(query.get('limit') ?? 20))));
    }),
  ),
  ...each('OFFSET-001-rank', 'ranks begin anew on every page', ['OFFSET-001', 'RANK-001'], (seam, operation, held) =>
    entries(seam, operation, held, (list) => {
      for (const [index, entry] of list.entries()) entry.rank = index + 1;
    }),
  ),
  ...each('OFFSET-001-late', 'ranks of later pages are one too low', ['OFFSET-001'], (seam, operation, held) =>
    entries(seam, operation, held, (list, { offset }) => {
      if (offset > 0) for (const entry of list) entry.rank = Math.max(1, Number(entry.rank) - 1);
    }),
  ),
  ...each(
    'OFFSET-001-border',
    'a page after the first begins with the last entry of the page before it',
    ['OFFSET-001'],
    (seam, operation) =>
      seam.query(operation, (query) => {
        const offset = Number(query.get('offset'));
        if (offset > 0) query.set('offset', String(offset - 1));
      }),
  ),
  ...each(
    'OFFSET-001-end',
    'an offset within the last page shows the whole last page',
    ['OFFSET-001'],
    (seam, operation) =>
      seam.query(operation, (query) => {
        const offset = Number(query.get('offset'));
        const limit = Number(query.get('limit') ?? 20);
        if (offset > 0 && offset % limit !== 0) query.set('offset', String(offset - (offset % limit)));
      }),
  ),
  ...each('LIMIT-003-offset', 'limit is ignored where there is an offset', ['LIMIT-003'], (seam, operation, _, max) =>
    seam.query(operation, (query) => {
      if (Number(query.get('offset')) > 0) query.set('limit', String(max));
    }),
  ),
  ...each('LIMIT-003-last', 'a page with an offset lacks its last entry', ['LIMIT-003'], (seam, operation, held) =>
    entries(seam, operation, held, (list, { offset, limit }) => {
      if (offset > 0 && limit > 1) list.splice(limit - 1);
    }),
  ),
  ...each('LIMIT-003-one', 'limit=1 gives two entries', ['LIMIT-003'], (seam, operation) =>
    seam.query(operation, (query) => {
      if (query.get('limit') === '1') query.set('limit', '2');
    }),
  ),
  ...each('LIMIT-001-all', 'without limit a page is as large as can be', ['LIMIT-001'], (seam, operation, _, max) =>
    seam.query(operation, (query) => void (query.has('limit') || query.set('limit', String(max)))),
  ),
  ...each('LIMIT-001-short', 'without limit a page has 19 entries', ['LIMIT-001'], (seam, operation) =>
    seam.query(operation, (query) => void (query.has('limit') || query.set('limit', '19'))),
  ),
  ...each('LIMIT-002-refused', 'the largest limit is refused', ['LIMIT-002'], (seam, operation, _, max) =>
    seam.request((request) =>
      request.operation === operation && request.query.get('limit') === String(max)
        ? answerOf(400, { error: { code: 2, message: 'Invalid query: limit' } })
        : undefined,
    ),
  ),
  ...each('LIMIT-002-broken', 'a limit that is too large breaks the server', ['LIMIT-002'], (seam, operation, _, max) =>
    seam.request((request) =>
      request.operation === operation && Number(request.query.get('limit')) > max
        ? answerOf(500, { error: { code: 9, message: 'Internal error' } })
        : undefined,
    ),
  ),
  ...each('LIMIT-002-less', 'the largest page has one entry less', ['LIMIT-002'], (seam, operation, _, max) =>
    seam.query(operation, (query) => {
      if (Number(query.get('limit')) >= max) query.set('limit', String(max - 1));
    }),
  ),
  ...each('DEPTH-001-clamped', 'an offset beyond the depth shows the last entries', ['DEPTH-001'], (seam, operation) =>
    seam.query(operation, (query) => {
      if (Number(query.get('offset')) > 15_000) query.set('offset', '0');
    }),
  ),
  ...each('DEPTH-001-null', 'beyond the depth the wrapper is null', ['DEPTH-001'], (seam, operation, held) =>
    entries(seam, operation, held, (_, { offset }, body) => {
      if (offset > 15_000) body[held] = null;
    }),
  ),
  ...each('DEPTH-001-refused', 'an offset beyond the depth is refused', ['DEPTH-001'], (seam, operation) =>
    seam.request((request) =>
      request.operation === operation && Number(request.query.get('offset')) > 15_000
        ? answerOf(400, { error: { code: 2, message: 'Invalid query: offset' } })
        : undefined,
    ),
  ),
  {
    id: 'N-EVLADDER-LIMIT-002',
    bug: 'limit=501 gives 501 entries of an event ladder',
    rows: ['EVLADDER-LIMIT-002'],
    plant(seam) {
      const wanted = new WeakMap<object, number>();
      seam.request((request) => {
        const limit = Number(request.query.get('limit'));
        if (request.operation !== 'getLeagueEventLadder' || !(limit > 500)) return;
        const { query } = request;
        query.set('limit', '500');
        request.query = query;
        wanted.set(request, Math.min(limit, 1000));
      });
      seam.data('getLeagueEventLadder', (body, { request }) => {
        const list = listAt(body, 'league', 'entries');
        for (let more = (wanted.get(request) ?? 0) - list.length; more > 0 && list.length >= 500; more -= 1)
          list.push({ ...list.at(-1) });
      });
    },
  },
  {
    id: 'N-LADDER-DEPTH-002',
    bug: 'a window that begins within the depth is shown whole',
    rows: ['LADDER-DEPTH-002', 'LADDER-DEPTH-003'],
    plant: (seam) =>
      entries(seam, 'getLeagueLadder', 'league', (list, { offset, limit }) => {
        const more = offset > 14_000 && offset < 15_000 ? limit - list.length : 0;
        for (let added = 1; added <= more; added += 1) {
          const last = list.at(-1)!;
          list.push({ ...last, rank: Number(last.rank) + 1 });
        }
      }),
  },
  {
    id: 'N-LADDER-DEPTH-002-one',
    bug: 'one entry beyond the depth is shown',
    rows: ['LADDER-DEPTH-002'],
    plant: (seam) =>
      entries(seam, 'getLeagueLadder', 'league', (list, { offset, limit }) => {
        const last = list.at(-1);
        if (last && offset + list.length === 15_000 && list.length < limit) list.push({ ...last });
      }),
  },
  {
    id: 'N-LADDER-DEPTH-002-lost',
    bug: 'a window that crosses the depth is empty',
    rows: ['LADDER-DEPTH-002'],
    plant: (seam) =>
      entries(seam, 'getLeagueLadder', 'league', (list, { offset, limit }) => {
        if (offset + limit > 15_000) list.splice(0);
      }),
  },
  {
    id: 'N-LADDER-DEPTH-002-class',
    bug: 'the depth of a ladder is 10000',
    rows: ['LADDER-LIMIT-003', 'LADDER-DEPTH-002'],
    plant: (seam) =>
      entries(seam, 'getLeagueLadder', 'league', (list, { offset }) => void list.splice(Math.max(0, 10_000 - offset))),
  },
  {
    id: 'N-LADDER-OFFSET-001-sort',
    bug: 'offset is ignored where there is a sort',
    rows: ['LADDER-OFFSET-001'],
    plant: (seam) => seam.query('getLeagueLadder', (query) => void (query.has('sort') && query.delete('offset'))),
  },
  {
    id: 'N-LADDER-OFFSET-001-class',
    bug: 'offset is ignored on ladders of a class',
    rows: ['LADDER-OFFSET-001'],
    plant: (seam) =>
      seam.query('getLeagueLadder', (query) => void (query.get('sort') === 'class' && query.delete('offset'))),
  },
  {
    id: 'N-LADDER-OFFSET-001-alone',
    bug: 'offset is ignored where there is no limit',
    rows: ['LADDER-OFFSET-001'],
    plant: (seam) => seam.query('getLeagueLadder', (query) => void (query.has('limit') || query.delete('offset'))),
  },
  {
    id: 'N-LADDER-OFFSET-001-kept',
    bug: 'a page is kept for its offset, whatever its limit',
    rows: ['LADDER-LIMIT-003'],
    plant(seam) {
      const kept = new Map<string, Json>();
      seam.data('getLeagueLadder', (body, { args, query }) => {
        query.delete('limit');
        const key = `${args.league} ${query}`;
        if (!kept.has(key)) kept.set(key, structuredClone(body));
        return structuredClone(kept.get(key));
      });
    },
  },
  {
    id: 'N-LADDER-OFFSET-002-far',
    bug: 'an offset of 500 or more is one too large',
    rows: ['LADDER-OFFSET-002'],
    plant: (seam) =>
      seam.query('getLeagueLadder', (query) => {
        const offset = Number(query.get('offset'));
        if (offset >= 500) query.set('offset', String(offset + 1));
      }),
  },
  {
    id: 'N-LADDER-RANK-002',
    bug: 'ranks begin at 0',
    rows: ['LADDER-RANK-002'],
    plant: (seam) =>
      entries(seam, 'getLeagueLadder', 'league', (list) => {
        for (const entry of list) entry.rank = Number(entry.rank) - 1;
      }),
  },
  {
    id: 'N-LADDER-TOTAL-001-left',
    bug: 'total is what is left from the offset on',
    rows: ['LADDER-TOTAL-001'],
    plant: (seam) =>
      entries(seam, 'getLeagueLadder', 'league', (_, { offset }, body) => {
        const league = body.league as Json | null;
        if (league) league.total = Math.max(0, Number(league.total) - offset);
      }),
  },
  {
    id: 'N-LADDER-TOTAL-001-cap',
    bug: 'total is at most 100',
    rows: ['LADDER-TOTAL-001'],
    plant: (seam) =>
      entries(seam, 'getLeagueLadder', 'league', (_, __, body) => {
        const league = body.league as Json | null;
        if (league) league.total = Math.min(100, Number(league.total));
      }),
  },
  {
    id: 'N-EVLADDER-001-total',
    bug: 'total of an event ladder is smaller than the page',
    rows: ['EVLADDER-001'],
    plant: (seam) =>
      entries(seam, 'getLeagueEventLadder', 'league', (_, __, body) => {
        const league = body.league as Json | null;
        if (league) league.total = 0;
      }),
  },
  {
    id: 'N-PVPLADDER-001-total',
    bug: 'total of a PvP ladder is smaller than the page',
    rows: ['PVPLADDER-001'],
    plant: (seam) =>
      entries(seam, 'getPvpMatchLadder', 'match', (list, __, body) => {
        const match = body.match as Json | null;
        if (match) match.total = Math.max(0, list.length - 1);
      }),
  },
  {
    id: 'N-EVLADDER-LIMIT-003',
    bug: 'a page of an event ladder has one entry less',
    rows: ['EVLADDER-LIMIT-003'],
    plant: short('getLeagueEventLadder', 'league', 'entries'),
  },
  {
    id: 'N-EVLADDER-OFFSET-001',
    bug: 'offset of an event ladder is ignored',
    rows: ['EVLADDER-OFFSET-001'],
    plant: ignored('getLeagueEventLadder', 'offset'),
  },
];
