import type { OldMutant as Mutant } from '../../mutant.js';
import { listAt } from '../../interceptor/json.js';
import type { Json, Interceptor } from '../../interceptor/interceptor.js';
import { lengthened } from './ladders.js';

type Operation = 'listLeagues' | 'getLeagueLadder' | 'getLeagueEventLadder' | 'getPvpMatchLadder';

const maxima = { listLeagues: 50, getLeagueLadder: 500, getLeagueEventLadder: 500, getPvpMatchLadder: 200 };

const entriesOf = (body: Json, operation: Operation): Json[] => {
  if (operation === 'listLeagues') return listAt(body, 'leagues');
  return listAt(body, operation === 'getPvpMatchLadder' ? 'match' : 'league', 'entries');
};

/** A limit above the maximum is kept to in some forms of the request. */
const unlimited =
  (operation: Operation, where: (query: URLSearchParams) => boolean): Mutant['plant'] =>
  (seam: Interceptor) => {
    const wanted = new WeakMap<object, number>();
    const max = maxima[operation];
    seam.request((request) => {
      if (request.operation !== operation) return;
      const { query } = request;
      const limit = Number(query.get('limit'));
      if (!(limit > max) || !where(query)) return;
      wanted.set(request, limit);
      query.set('limit', String(max));
      request.query = query;
    });
    seam.data(operation, (body, { request }) => {
      const entries = entriesOf(body, operation);
      if (wanted.has(request) && entries.length > 20) lengthened(entries, wanted.get(request)!);
    });
  };

/** Offsets are taken modulo 2^bits. */
const wraps =
  (operation: Operation, bits: number): Mutant['plant'] =>
  (seam: Interceptor) =>
    seam.query(operation, (query) => {
      const offset = query.get('offset') ?? '';
      if (!/^\d{5,}$/.test(offset)) return;
      const rest = BigInt.asIntN(bits, BigInt(offset));
      query.set('offset', String(rest < 0n ? 0n : rest));
    });

/** In some forms of the request a parameter is not looked at. */
const unseen =
  (operation: Operation, name: string, where: (query: URLSearchParams) => boolean): Mutant['plant'] =>
  (seam: Interceptor) =>
    seam.query(operation, (query) => void (where(query) && query.delete(name)));

const pageTotal =
  (operation: 'getLeagueEventLadder' | 'getPvpMatchLadder', wrapper: 'league' | 'match') => (seam: Interceptor) =>
    seam.data(operation, (body) => {
      const inner = body[wrapper] as Json | null;
      if (inner) inner.total = listAt(body, wrapper, 'entries').length;
    });

const sorted =
  (sort: string) =>
  (query: URLSearchParams): boolean =>
    query.get('sort') === sort;

export const narrowWindows: readonly Mutant[] = [
  ...(['depth', 'depthsolo', 'ancestor', 'class'] as const).map((sort): Mutant => ({
    id: `N-LADDER-LIMIT-002-${sort}`,
    bug: `with sort=${sort} a page may have more than 500 entries`,
    rows: ['LADDER-LIMIT-002'],
    plant: unlimited('getLeagueLadder', sorted(sort)),
  })),
  {
    id: 'N-LADDER-LIMIT-002-realm',
    bug: 'with a realm a page may have more than 500 entries',
    rows: ['LADDER-LIMIT-002'],
    plant: unlimited('getLeagueLadder', (query) => query.has('realm')),
  },
  {
    id: 'N-LADDER-LIMIT-002-offset',
    bug: 'with an offset a page may have more than 500 entries',
    rows: ['LADDER-LIMIT-002'],
    plant: unlimited('getLeagueLadder', (query) => query.has('offset')),
  },
  {
    id: 'N-EVLADDER-LIMIT-002-realm',
    bug: 'with a realm a page of an event ladder may have more than 500 entries',
    rows: ['EVLADDER-LIMIT-002'],
    plant: unlimited('getLeagueEventLadder', (query) => query.has('realm')),
  },
  {
    id: 'N-PVPLADDER-LIMIT-002-bare',
    bug: 'without a realm a page may have more than 200 teams',
    rows: ['PVPLADDER-LIMIT-002'],
    plant: unlimited('getPvpMatchLadder', (query) => !query.has('realm')),
  },
  {
    id: 'N-LEAGUE-LIMIT-002-realm',
    bug: 'with a realm there may be more than 50 leagues',
    rows: ['LEAGUE-LIMIT-002'],
    plant: unlimited('listLeagues', (query) => query.has('realm')),
  },
  {
    id: 'N-LEAGUE-LIMIT-002-type',
    bug: 'with a type there may be more than 50 leagues',
    rows: ['LEAGUE-LIMIT-002'],
    plant: unlimited('listLeagues', (query) => query.has('type')),
  },
  {
    id: 'N-LADDER-LIMIT-001-class',
    bug: 'ladders of a class have 50 entries without limit',
    rows: ['LADDER-LIMIT-001'],
    plant: (seam) =>
      seam.query('getLeagueLadder', (query) => {
        if (sorted('class')(query) && !query.has('limit')) query.set('limit', '50');
      }),
  },
  {
    id: 'N-LADDER-LIMIT-003-depthsolo',
    bug: 'limit is not looked at with sort=depthsolo',
    rows: ['LADDER-LIMIT-003'],
    plant: unseen('getLeagueLadder', 'limit', sorted('depthsolo')),
  },
  {
    id: 'N-LADDER-OFFSET-001-depthsolo',
    bug: 'offset is not looked at with sort=depthsolo',
    rows: ['LADDER-OFFSET-001'],
    plant: unseen('getLeagueLadder', 'offset', sorted('depthsolo')),
  },
  {
    id: 'N-LADDER-OFFSET-001-realm',
    bug: 'offset is not looked at with a realm',
    rows: ['LADDER-OFFSET-001'],
    plant: unseen('getLeagueLadder', 'offset', (query) => query.has('realm')),
  },
  {
    id: 'N-PVPLADDER-OFFSET-001-bare',
    bug: 'offset is not looked at without a realm',
    rows: ['PVPLADDER-OFFSET-001'],
    plant: unseen('getPvpMatchLadder', 'offset', (query) => !query.has('realm')),
  },
  ...([32, 64] as const).flatMap((bits): readonly Mutant[] => [
    {
      id: `N-LADDER-DEPTH-001-${bits}`,
      bug: `offsets are numbers of ${bits} bits, and those below 0 are 0`,
      rows: ['LADDER-DEPTH-001'],
      ...(bits === 64 && { noticed: 'warn' as const }),
      plant: wraps('getLeagueLadder', bits),
    },
    {
      id: `N-EVLADDER-DEPTH-001-${bits}`,
      bug: `offsets of event ladders are numbers of ${bits} bits, and those below 0 are 0`,
      rows: ['EVLADDER-DEPTH-001'],
      ...(bits === 64 && { noticed: 'warn' as const }),
      plant: wraps('getLeagueEventLadder', bits),
    },
    {
      id: `N-PVPLADDER-DEPTH-001-${bits}`,
      bug: `offsets of PvP ladders are numbers of ${bits} bits, and those below 0 are 0`,
      rows: ['PVPLADDER-DEPTH-001'],
      ...(bits === 64 && { noticed: 'warn' as const }),
      plant: wraps('getPvpMatchLadder', bits),
    },
    {
      id: `N-LEAGUE-OFFSET-002-${bits}`,
      bug: `offsets of the list of leagues are numbers of ${bits} bits, and those below 0 are 0`,
      rows: ['LEAGUE-OFFSET-002'],
      ...(bits === 64 && { noticed: 'warn' as const }),
      plant: wraps('listLeagues', bits),
    },
  ]),
  {
    id: 'N-LADDER-TOTAL-001-event',
    bug: 'the total of an event ladder is that of the page',
    rows: ['LADDER-TOTAL-001'],
    plant: pageTotal('getLeagueEventLadder', 'league'),
  },
  {
    id: 'N-PVPLADDER-001-window',
    bug: 'the total of a PvP ladder is that of the page',
    rows: ['PVPLADDER-001'],
    plant: pageTotal('getPvpMatchLadder', 'match'),
  },
];
