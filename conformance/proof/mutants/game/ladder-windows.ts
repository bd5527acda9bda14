import { limitOf } from '../../../model/pages.js';
import type { DataReply, Json } from '../../interceptor/interceptor.js';
import { forEach, mutants } from '../../mutant.js';
import type { Entries } from '../../mutant.js';
import { entriesOf, exceedMaximum, lengthened, mapOffset, page, windowOf } from '../../operators/pages.js';
import { set, shorten, stale } from '../../operators/replies.js';
import { defaultParameter, given, ignoreParameter, mapParameter, query, refuse } from '../../operators/requests.js';

const ladder = 'getLeagueLadder';
const event = 'getLeagueEventLadder';

const kinds = { LADDER: ladder, EVLADDER: event, PVPLADDER: 'getPvpMatchLadder' } as const;

type LadderKind = keyof typeof kinds;
type Operation = (typeof kinds)[LadderKind];
/** The same mutants in each kind of ladder. */
const inEach = (table: (operation: Operation, max: number, kind: LadderKind) => Entries): Entries =>
  forEach(Object.entries(kinds) as [LadderKind, Operation][], ([kind, operation]) =>
    forEach(Object.entries(table(operation, limitOf(operation).max, kind)), ([text, entry]) => ({
      [`${kind}-${text} (${operation})`]: entry,
    })),
  );

const beyond = (offset: string): boolean => Number(offset) > 15_000;
const ranked = (entries: Json[], rank: (rank: number, index: number) => number): Json[] =>
  entries.map((entry, index) => ({ ...entry, rank: rank(Number(entry.rank), index) }));

export const ladderWindows = mutants({
  ...inEach((operation, max, kind) => ({
    'OFFSET-001 page: offset counts pages': () =>
      mapOffset(operation, (offset, limit) => Math.min(15_000, offset * limit)),
    'OFFSET-001 rank: ranks begin anew on every page': () =>
      page(operation, (entries) => ranked(entries, (_, index) => index + 1)).also(`${kind}-RANK-001`),
    'OFFSET-001 late: ranks of later pages are one too low': () =>
      page(operation, (entries, { offset }) =>
        offset > 0 ? ranked(entries, (rank) => Math.max(1, rank - 1)) : entries,
      ),
    'OFFSET-001 border: a page after the first begins with the last entry of the page before it': () =>
      mapOffset(operation, (offset) => offset - 1),
    'OFFSET-001 end: an offset within the last page shows the whole last page': () =>
      mapOffset(operation, (offset, limit) => offset - (offset % limit)),
    'OFFSET-001 last: a page with a limit that is not filled is empty': () =>
      page(operation, (entries, { offset, limit }) => (offset > 0 && entries.length < limit ? [] : entries), {
        limit: given,
      }),
    'LIMIT-001 all: without limit a page is as large as can be': () =>
      defaultParameter(operation, 'limit', String(max)),
    'LIMIT-001 short: without limit a page has 19 entries': () => defaultParameter(operation, 'limit', '19'),
    'LIMIT-002 refused: the largest limit is refused': () => refuse(operation, { limit: String(max) }),
    'LIMIT-002 broken: a limit that is too large breaks the server': () =>
      refuse(operation, { limit: (limit) => Number(limit) > max }, 500),
    'LIMIT-002 less: the largest page has one entry less': () =>
      mapParameter(operation, 'limit', (limit) => (Number(limit) >= max ? String(max - 1) : limit)),
    'LIMIT-003 offset: limit is ignored where there is an offset': () =>
      query(operation, (sent) => sent.set('limit', String(max)), { offset: (offset) => Number(offset) > 0 }),
    'LIMIT-003 last: a page with an offset lacks its last entry': () =>
      page(operation, (entries, { offset, limit }) =>
        offset > 0 && limit > 1 ? entries.slice(0, limit - 1) : entries,
      ),
    'LIMIT-003 one: limit=1 gives two entries': () =>
      mapParameter(operation, 'limit', (limit) => (limit === '1' ? '2' : limit)),
    'DEPTH-001 clamped: an offset beyond the depth shows the last entries': () =>
      mapOffset(operation, (offset) => (offset > 15_000 ? 0 : offset)),
    'DEPTH-001 null: beyond the depth the wrapper is null': () =>
      set(operation, entriesOf[operation].replace('.entries', ''), null, { offset: beyond }),
    'DEPTH-001 refused: an offset beyond the depth is refused': () => refuse(operation, { offset: beyond }),
  })),
  'EVLADDER-001 total: total of an event ladder is smaller than the page': () => set(event, 'league.total', 0),
  'EVLADDER-LIMIT-002: limit=501 gives 501 entries of an event ladder': () => exceedMaximum(event),
  'EVLADDER-LIMIT-003: a page of an event ladder has one entry less': () => shorten(event, 'league.entries'),
  'EVLADDER-OFFSET-001: offset of an event ladder is ignored': () => ignoreParameter(event, 'offset'),
  'LADDER-DEPTH-002: a window that begins within the depth is shown whole': () =>
    page(ladder, (entries, { offset, limit }) =>
      offset > 14_000 && offset < 15_000 ? lengthened(entries, limit) : entries,
    ).also('LADDER-DEPTH-003'),
  'LADDER-DEPTH-002 one: one entry beyond the depth is shown': () =>
    page(ladder, (entries, { offset, limit }) =>
      offset + entries.length === 15_000 && entries.length < limit ? [...entries, ...entries.slice(-1)] : entries,
    ),
  'LADDER-DEPTH-002 early: a window that crosses the depth ends one entry before it': () =>
    page(ladder, (entries, { offset, limit }) =>
      offset < 15_000 && offset + limit > 15_000 ? entries.slice(0, -1) : entries,
    ),
  'LADDER-DEPTH-002 lost: a window that crosses the depth is empty': () =>
    page(ladder, (entries, { offset, limit }) => (offset + limit > 15_000 ? [] : entries)),
  'LADDER-LIMIT-003 N-LADDER-DEPTH-002-class: the depth of a ladder is 10000': () =>
    page(ladder, (entries, { offset }) => entries.slice(0, Math.max(0, 10_000 - offset))).also('LADDER-DEPTH-002'),
  'LADDER-LIMIT-003 N-LADDER-OFFSET-001-kept: a page is kept for its offset, whatever its limit': () =>
    stale(ladder, ({ path, query: sent }) => (sent.delete('limit'), `${path}?${sent}`)),
  'LADDER-OFFSET-001 sort: offset is ignored where there is a sort': () =>
    ignoreParameter(ladder, 'offset', { sort: given }),
  'LADDER-OFFSET-001 class: offset is ignored on ladders of a class': () =>
    ignoreParameter(ladder, 'offset', { sort: 'class' }),
  'LADDER-OFFSET-001 alone: offset is ignored where there is no limit': () =>
    ignoreParameter(ladder, 'offset', { limit: null }),
  'LADDER-OFFSET-002 far: an offset of 500 or more is one too large': () =>
    mapOffset(ladder, (offset) => (offset >= 500 ? offset + 1 : offset)),
  'LADDER-RANK-002: ranks begin at 0': () => page(ladder, (entries) => ranked(entries, (rank) => rank - 1)),
  'LADDER-TOTAL-001 left: total is what is left from the offset on': () =>
    set(ladder, 'league.total', (total: number, _: Json, context: DataReply) =>
      Math.max(0, total - windowOf(ladder, context).offset),
    ),
  'LADDER-TOTAL-001 cap: total is at most 100': () =>
    set(ladder, 'league.total', (total: number) => Math.min(100, total)),
  'PVPLADDER-001 empty: pages of PvP ladders have no entries, though total counts some': () =>
    set('getPvpMatchLadder', 'match.entries', () => []),
  'EVLADDER-001 empty: pages of event ladders have no entries, though total counts some': () =>
    set('getLeagueEventLadder', 'league.entries', () => []),
  'PVPLADDER-001 total: total of a PvP ladder is smaller than the page': () =>
    set('getPvpMatchLadder', 'match.total', (_: number, { entries }: { readonly entries: readonly Json[] }) =>
      Math.max(0, entries.length - 1),
    ),
});
