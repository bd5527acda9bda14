import type { RowId } from '../../../ledger.gen.js';
import type { Json } from '../../interceptor/interceptor.js';
import { forEach, mutants, operator } from '../../mutant.js';
import type { Entries } from '../../mutant.js';
import { exceedMaximum } from '../../operators/pages.js';
import type { PagedOperation } from '../../operators/pages.js';
import { set } from '../../operators/replies.js';
import { defaultParameter, given, ignoreParameter, mapParameter } from '../../operators/requests.js';
import type { When } from '../../operators/requests.js';

const ladder = 'getLeagueLadder';
const event = 'getLeagueEventLadder';
const teams = 'getPvpMatchLadder';

/** A limit above the maximum is kept to in some forms of the request, on shorter pages as well. */
const unlimited = (operation: PagedOperation, when: When) => exceedMaximum(operation, when, 21);

/** Offsets are taken modulo 2^bits. */
const wraps = operator('wraps', (_, operation: PagedOperation, bits: number) =>
  mapParameter(operation, 'offset', (offset) => {
    if (!/^\d{5,}$/.test(offset)) return offset;
    const rest = BigInt.asIntN(bits, BigInt(offset));
    return String(rest < 0n ? 0n : rest);
  }),
);

const wrapped = (row: RowId, operation: PagedOperation, offsets: string): Entries => ({
  [`${row} 32: ${offsets} are numbers of 32 bits, and those below 0 are 0`]: () => wraps(operation, 32),
  [`${row} 64: ${offsets} are numbers of 64 bits, and those below 0 are 0`]: () => wraps(operation, 64).warns(),
});

const lengthOfPage = (_: number, { entries }: { readonly entries: readonly Json[] }): number => entries.length;

export const narrowWindows = mutants({
  ...wrapped('EVLADDER-DEPTH-001', event, 'offsets of event ladders'),
  'EVLADDER-LIMIT-002 realm: with a realm a page of an event ladder may have more than 500 entries': () =>
    unlimited(event, { realm: given }),
  ...wrapped('LADDER-DEPTH-001', ladder, 'offsets'),
  'PVPLADDER-LIMIT-001 offset: with an offset a PvP ladder has 50 entries without limit': () =>
    defaultParameter(teams, 'limit', '50', { offset: given }),
  'LEAGUE-LIMIT-001 realm: the default limit of leagues of realm xbox is 2': () =>
    defaultParameter('listLeagues', 'limit', '2', { realm: 'xbox', type: null }),
  'LADDER-LIMIT-001 class: ladders of a class have 50 entries without limit': () =>
    defaultParameter(ladder, 'limit', '50', { sort: 'class' }),
  ...forEach(['depth', 'depthsolo', 'ancestor', 'class'], (sort) => ({
    [`LADDER-LIMIT-002 ${sort}: with sort=${sort} a page may have more than 500 entries`]: () =>
      unlimited(ladder, { sort }),
  })),
  'LADDER-LIMIT-002 realm: with a realm a page may have more than 500 entries': () =>
    unlimited(ladder, { realm: given }),
  'LADDER-LIMIT-002 offset: with an offset a page may have more than 500 entries': () =>
    unlimited(ladder, { offset: given }),
  'LADDER-LIMIT-003 depthsolo: limit is not looked at with sort=depthsolo': () =>
    ignoreParameter(ladder, 'limit', { sort: 'depthsolo' }),
  'LADDER-OFFSET-001 depthsolo: offset is not looked at with sort=depthsolo': () =>
    ignoreParameter(ladder, 'offset', { sort: 'depthsolo' }),
  'LADDER-OFFSET-001 realm: offset is not looked at with a realm': () =>
    ignoreParameter(ladder, 'offset', { realm: given }),
  'LADDER-TOTAL-001 event: the total of an event ladder is that of the page': () =>
    set(event, 'league.total', lengthOfPage),
  'LEAGUE-LIMIT-002 realm: with a realm there may be more than 50 leagues': () =>
    unlimited('listLeagues', { realm: given }),
  'LEAGUE-LIMIT-002 type: with a type there may be more than 50 leagues': () =>
    unlimited('listLeagues', { type: given }),
  'LADDER-SORT-003 realm: in realm xbox sort=depth is ignored': () =>
    ignoreParameter(ladder, 'sort', { realm: 'xbox', sort: 'depth' }),
  'LADDER-SORT-007 realm: in realm sony sort=class is ignored': () =>
    ignoreParameter(ladder, 'sort', { realm: 'sony', sort: 'class' }),
  'LADDER-DEPTH-001 realm: with a realm an offset beyond the depth shows the last entries': () =>
    mapParameter(ladder, 'offset', (offset) => (Number(offset) > 15_000 ? '14990' : offset), { realm: given }),
  'LEAGUE-OFFSET-001 season: the offset is ignored for the leagues of a season': () =>
    ignoreParameter('listLeagues', 'offset', { type: 'season' }),
  'LEAGUE-OFFSET-001 main: the offset is ignored where type=main is asked for': () =>
    ignoreParameter('listLeagues', 'offset', { type: 'main' }),
  ...wrapped('LEAGUE-OFFSET-002', 'listLeagues', 'offsets of the list of leagues'),
  'PVPLADDER-001 window: the total of a PvP ladder is that of the page': () => set(teams, 'match.total', lengthOfPage),
  ...wrapped('PVPLADDER-DEPTH-001', teams, 'offsets of PvP ladders'),
  'PVPLADDER-LIMIT-002 bare: without a realm a page may have more than 200 teams': () =>
    unlimited(teams, { realm: null }),
  'PVPLADDER-OFFSET-001 bare: offset is not looked at without a realm': () =>
    ignoreParameter(teams, 'offset', { realm: null }),
});
