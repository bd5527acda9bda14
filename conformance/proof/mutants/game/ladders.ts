import type { DataReply, Interceptor, Json } from '../../interceptor/interceptor.js';
import { realmOf } from '../../interceptor/who.js';
import { mutants, operator, together } from '../../mutant.js';
import { exceedMaximum, page, windowOf } from '../../operators/pages.js';
import { drop, list, reply, set, shorten, stale, unwrap } from '../../operators/replies.js';
import { defaultParameter, ignoreParameter, mapParameter, refuse, request } from '../../operators/requests.js';
import { shiftOffset } from '../../operators/requests.js';
import type { LadderOrder } from '../../../../src/world/world.js';

const ladder = 'getLeagueLadder';
const event = 'getLeagueEventLadder';

const ladderOf = (at: Interceptor, context: DataReply) =>
  at.service.world.ladder(realmOf(context), context.args.league ?? '');

type EntryChange = (entries: Json[], context: DataReply, at: Interceptor) => readonly unknown[];

/** Pages in one of these orders, the league's own where a request names none, with other entries. */
const ordered = operator('ordered', (at, orders: readonly LadderOrder[], to: EntryChange) =>
  list(ladder, 'league.entries', (entries, context) => {
    const order = context.query.get('sort') ?? ladderOf(at, context)?.defaultOrder ?? 'xp';
    return orders.some((one) => one === order) ? to(entries, context, at) : entries;
  }),
);

/** Pages in one order, filled with what another order has in their place. */
const insteadOf = operator(
  'insteadOf',
  (
    at,
    order: LadderOrder,
    other: LadderOrder | ((query: URLSearchParams) => readonly [LadderOrder, string?]),
    then: (entries: Json[]) => readonly unknown[] = (entries) => entries,
  ) =>
    ordered([order], (entries, context) => {
      const all = ladderOf(at, context)?.by(...(typeof other === 'string' ? ([other] as const) : other(context.query)));
      const { offset } = windowOf(ladder, context);
      const found = (index: number) => (all && index < all.length ? all.at(index) : undefined);
      return then(entries.map((entry, index) => (found(offset + index) as Json | undefined) ?? entry));
    }),
);

/** Pages of one league where no order is asked for, filled with what an order has in their place. */
const insteadOfDefault = operator('insteadOfDefault', (at, order: LadderOrder, league: 'score_league') =>
  list(ladder, 'league.entries', (entries, context) => {
    if (context.query.has('sort') || context.args.league !== at.service.world.known[league]) return entries;
    const all = ladderOf(at, context)?.by(order);
    const { offset } = windowOf(ladder, context);
    return entries.map((entry, index) => (all?.at(offset + index) as Json | undefined) ?? entry);
  }),
);

const shallow = ({ character, ...entry }: Json): Json => ({
  ...entry,
  character: { ...(character as Json), depth: null },
});

const figure = (entry: Json, ...path: readonly string[]): number =>
  Number(path.reduce<unknown>((value, name) => (value as Json | undefined)?.[name], entry) ?? -1);

const falling =
  (...path: readonly string[]) =>
  (entries: readonly Json[]): readonly Json[] =>
    entries.toSorted((a, b) => figure(b, 'character', ...path) - figure(a, 'character', ...path));

const restless = operator('restless', () => {
  let turn = 0;
  return page(ladder, (entries) => {
    const start = (turn += 1) % 2;
    return entries.map((entry, index) => {
      const other = entries[start + ((index - start) ^ 1)];
      return other ? { ...entry, character: other.character, account: other.account } : entry;
    });
  });
});

export const ladders = mutants({
  'EVLADDER-001 M-AD-59: entries of an event ladder have no private_league': () => drop(event, '**.private_league'),
  'EVLADDER-001 M-AD-59-bare: the event ladder has no wrapper': () => reply(event, ({ league }) => league),
  'EVLADDER-LIMIT-001: the default limit of an event ladder is 50': () => defaultParameter(event, 'limit', '50'),
  'EVLADDER-LIMIT-003 M-AD-60: limit and offset of the event ladder are ignored': () =>
    together(ignoreParameter(event, 'limit'), ignoreParameter(event, 'offset')).also('EVLADDER-OFFSET-001'),
  'EVLADDER-TYPE-001 M-LL-36: the event ladder has entries of characters': () =>
    page(event, (entries) =>
      entries.map(({ private_league: _, ...entry }) => ({
        ...entry,
        character: { id: 'a'.repeat(64), name: 'One', level: 1, class: 'Witch' },
      })),
    ),
  'LADDER-001 M-LL-32: a ladder has no wrapper': () => unwrap(ladder, 'league'),
  'LADDER-002 M-AD-55: cached_since is a number of seconds': () =>
    set(ladder, '**.cached_since', (date: string) => Date.parse(date) / 1000),
  'LADDER-OFFSET-001 thousand: pages behind the thousandth entry of a ladder begin one entry early': () =>
    mapParameter(ladder, 'offset', (offset) =>
      Number(offset) >= 1000 && Number(offset) < 14_000 ? String(Number(offset) - 1) : offset,
    ),
  'LADDER-DEPTH-001 M-LL-18: a ladder offset past 15000 gives 404': () =>
    refuse(ladder, { offset: (offset) => Number(offset) >= 15_000 }, 404),
  'LADDER-GONE-001: for a league that does not exist there is the ladder of another': () =>
    request(ladder, (one, at) => {
      if (!at.service.world.ladder('pc', one.route?.args.league ?? ''))
        one.path = one.path.replace(/^\/league\/[^/]+/, '/league/Standard');
    }),
  'LADDER-GONE-001 event: for a league that does not exist there is an event ladder': () =>
    reply(event, (body, { args }, at) => {
      if (at.service.world.leagues('pc').some(({ league }) => league.id === args.league)) return;
      const private_league = { name: 'One', url: 'https://example.com/1' };
      body.league = { total: 1, entries: [{ rank: 1, private_league }] };
    }),
  'LADDER-LIMIT-001: the default limit of a ladder is 10': () => defaultParameter(ladder, 'limit', '10'),
  'LADDER-LIMIT-002 M-LL-14: limit=501 gives 501 entries of a ladder': () => exceedMaximum(ladder),
  'LADDER-LIMIT-002 M-LL-15: a page of a ladder has at most 200 entries': () =>
    page(ladder, (entries) => entries.slice(0, 200)),
  'LADDER-LIMIT-003: a page of a ladder has one entry less': () => shorten(ladder, 'league.entries'),
  'LADDER-OFFSET-001: offset of a ladder is off by one': () => shiftOffset(ladder),
  'LADDER-OFFSET-001 ties: equals come in another order where the limit is odd': () =>
    ordered(['depth', 'xp'], (entries, context) => {
      if (windowOf(ladder, context).limit % 2 === 0) return entries;
      for (let index = 0; index + 1 < entries.length; index += 1) {
        const [one, other] = [entries[index]!, entries[index + 1]!];
        if (figure(one, 'character', 'level') !== figure(other, 'character', 'level')) continue;
        [one.character, other.character] = [other.character, one.character];
        index += 1;
      }
      return entries;
    }),
  'LADDER-OFFSET-002 M-LL-30: equals on a ladder come in another order on every page': () => restless(),
  'LADDER-RANK-001 short: only short leagues have depths, and ranks there are counted from the end': () =>
    ordered(['depth'], (entries, context, at) =>
      context.args.league === at.service.world.known.ladder_league
        ? []
        : entries.map((entry) => ({ ...entry, rank: 100_000 - figure(entry, 'rank') })),
    ),
  'LADDER-SORT-001 M-AD-57: sort=ancestor is refused': () => refuse(ladder, { sort: 'ancestor' }),
  'LADDER-SORT-002 M-LL-22: experience is sorted from the least': () =>
    ordered(['xp'], (entries) => entries.toReversed()),
  'LADDER-SORT-002 page: a page is sorted by experience after it was cut out': () =>
    insteadOf('xp', 'depth', falling('experience')),
  'LADDER-SORT-003 page: a page is sorted by depth after it was cut out': () =>
    insteadOf('depth', 'xp', falling('depth', 'default')),
  'LADDER-SORT-003 solo: sort=depth goes by the solo depth': () => insteadOf('depth', 'depthsolo'),
  'LADDER-SORT-003 short: only the ladders of short leagues have depths, and the least comes first': () =>
    ordered(['depth'], (entries, context, at) =>
      context.args.league === at.service.world.known.ladder_league ? entries.map(shallow) : entries.toReversed(),
    ),
  'LADDER-SORT-004: sort=depthsolo goes by the default depth': () => insteadOf('depthsolo', 'depth'),
  'LADDER-SORT-005 M-LL-26: time is sorted from the longest': () =>
    ordered(['time'], (entries) => entries.toReversed()),
  'LADDER-SORT-005 page: a page is sorted by time after it was cut out': () =>
    insteadOf('time', 'xp', (entries) =>
      entries.toSorted((a, b) => figure(a, 'character', 'time') - figure(b, 'character', 'time')),
    ),
  'LADDER-SORT-006: score is sorted from the least': () => ordered(['score'], (entries) => entries.toReversed()),
  'LADDER-SORT-006 text: scores are compared as texts': () =>
    ordered(['score'], (entries) =>
      entries.toSorted((a, b) =>
        String(figure(a, 'character', 'score')) < String(figure(b, 'character', 'score')) ? 1 : -1,
      ),
    ),
  'LADDER-SORT-007: class is ignored on a ladder': () =>
    mapParameter(ladder, 'sort', (sort) => (sort === 'class' ? 'xp' : sort)),
  'LADDER-SORT-007 page: class is ignored on later pages': () =>
    insteadOf('class', (query) => (Number(query.get('offset')) > 0 ? ['xp'] : ['class', query.get('class')!])),
  'LADDER-SORT-007 cut: a page of a class is sorted by experience after it was cut out': () =>
    ordered(['class'], (entries, context, at) => {
      const { offset } = windowOf(ladder, context);
      const all = at.service.world.ladder('pc', 'Standard')?.by('class', context.query.get('class') ?? 'witch');
      if (!all || all.length < offset + entries.length) return entries;
      // Pages in the reverse order of the ladder, each sorted within itself.
      const turned = entries.map((_, index) => all.at(Math.max(0, 400 - offset - index)) as unknown as Json);
      return falling('experience')(turned);
    }),
  'LADDER-SORT-007 level: a ladder of a class is in the order of names': () =>
    ordered(['class'], (entries) =>
      entries.toSorted((a, b) => (String((a.character as Json).name) < String((b.character as Json).name) ? -1 : 1)),
    ),
  'LADDER-SORT-007 one: class=scion shows the witches': () =>
    insteadOf('class', (query) => ['class', query.get('class') === 'scion' ? 'witch' : query.get('class')!]).also(
      'LADDER-SORT-009',
    ),
  'LADDER-SORT-007 last: a witch follows the last scion': () =>
    ordered(['class'], (entries, context, at) => {
      const { limit } = windowOf(ladder, context);
      if (context.query.get('class') !== 'scion' || entries.length >= limit) return entries;
      const witches = ladderOf(at, context)?.by('class', 'witch');
      const all = Array.from({ length: witches?.length ?? 0 }, (_, index) => witches!.at(index) as unknown as Json);
      const witch = all.find(({ character }) => (character as Json).class === 'Witch');
      return witch ? [...entries, witch] : entries;
    })
      .inCase('whole ladders')
      .also('LADDER-SORT-009'),
  'LADDER-SORT-008 M-LL-28: the class of a ladder has to be capitalised': () =>
    set(ladder, 'league', { total: 0, entries: [] }, { sort: 'class' }).also('LADDER-SORT-009'),
  'LADDER-SORT-008 shadow: class=shadow has no entries': () =>
    set(ladder, 'league.entries', [], { sort: 'class', class: 'shadow' }).also('LADDER-SORT-009'),
  'LADDER-SORT-009 kept: the ladder of a class is kept for all classes': () =>
    stale(ladder, ({ path, query }) =>
      query.get('sort') === 'class' ? (query.delete('class'), `${path}?${query}`) : undefined,
    ),
  'LADDER-SORT-010 M-AD-58: the default order of a ladder is by depth': () => defaultParameter(ladder, 'sort', 'depth'),
  'LADDER-SORT-010 depth: the default order of a ladder by time is by score': () =>
    ordered(['time'], (entries, { query }) => (query.has('sort') ? entries : falling('level')(entries))),
  'LADDER-SORT-010 score: the default order of a ladder by score is by score': () =>
    insteadOfDefault('score', 'score_league'),
  'LADDER-TOTAL-001 class: the total of the ladder of a class is one too low': () =>
    set(ladder, 'league.total', (total: number) => Math.max(0, total - 1), { sort: 'class', class: 'templar' }).inCase(
      'a whole ladder',
    ),
  'LADDER-TOTAL-001 M-LL-21: total is the length of the page': () =>
    set(ladder, 'league.total', (_: number, { entries }: { readonly entries: Json[] }) => entries.length),
});
