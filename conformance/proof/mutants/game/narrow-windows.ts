import type { Json } from '../../interceptor/interceptor.js';
import { mutants, operator } from '../../mutant.js';
import type { Entry } from '../../mutant.js';
import { exceedMaximum } from '../../operators/pages.js';
import type { Paged } from '../../operators/pages.js';
import { set } from '../../operators/replies.js';
import { defaultParameter, given, ignoreParameter, mapParameter } from '../../operators/requests.js';
import type { When } from '../../operators/requests.js';

const ladder = 'getLeagueLadder';
const event = 'getLeagueEventLadder';
const teams = 'getPvpMatchLadder';

/** A limit above the maximum is kept to in some forms of the request, on shorter pages as well. */
const unlimited = (operation: Paged, when: When) => exceedMaximum(operation, when, 21);

/** Offsets are taken modulo 2^bits. */
const wraps = operator('wraps', (at, operation: Paged, bits: number) =>
  mapParameter(operation, 'offset', (offset) => {
    if (!/^\d{5,}$/.test(offset)) return offset;
    const rest = BigInt.asIntN(bits, BigInt(offset));
    return String(rest < 0n ? 0n : rest);
  }).apply(at),
);

const wrapped = (operation: Paged, offsets: string): Readonly<Record<string, Entry>> => ({
  32: [`${offsets} are numbers of 32 bits, and those below 0 are 0`, wraps(operation, 32)],
  64: [`${offsets} are numbers of 64 bits, and those below 0 are 0`, wraps(operation, 64), { verdict: 'warn' }],
});

const lengthOfPage = (_: number, { entries }: { readonly entries: readonly Json[] }): number => entries.length;

export const narrowWindows = mutants({
  'EVLADDER-DEPTH-001': wrapped(event, 'offsets of event ladders'),
  'EVLADDER-LIMIT-002': {
    realm: [
      'with a realm a page of an event ladder may have more than 500 entries',
      unlimited(event, { realm: given }),
    ],
  },
  'LADDER-DEPTH-001': wrapped(ladder, 'offsets'),
  'LADDER-LIMIT-001': {
    class: [
      'ladders of a class have 50 entries without limit',
      defaultParameter(ladder, 'limit', '50', { sort: 'class' }),
    ],
  },
  'LADDER-LIMIT-002': {
    ...Object.fromEntries(
      ['depth', 'depthsolo', 'ancestor', 'class'].map((sort): [string, Entry] => [
        sort,
        [`with sort=${sort} a page may have more than 500 entries`, unlimited(ladder, { sort })],
      ]),
    ),
    realm: ['with a realm a page may have more than 500 entries', unlimited(ladder, { realm: given })],
    offset: ['with an offset a page may have more than 500 entries', unlimited(ladder, { offset: given })],
  },
  'LADDER-LIMIT-003': {
    depthsolo: ['limit is not looked at with sort=depthsolo', ignoreParameter(ladder, 'limit', { sort: 'depthsolo' })],
  },
  'LADDER-OFFSET-001': {
    depthsolo: [
      'offset is not looked at with sort=depthsolo',
      ignoreParameter(ladder, 'offset', { sort: 'depthsolo' }),
    ],
    realm: ['offset is not looked at with a realm', ignoreParameter(ladder, 'offset', { realm: given })],
  },
  'LADDER-TOTAL-001': {
    event: ['the total of an event ladder is that of the page', set(event, 'league.total', lengthOfPage)],
  },
  'LEAGUE-LIMIT-002': {
    realm: ['with a realm there may be more than 50 leagues', unlimited('listLeagues', { realm: given })],
    type: ['with a type there may be more than 50 leagues', unlimited('listLeagues', { type: given })],
  },
  'LEAGUE-OFFSET-002': wrapped('listLeagues', 'offsets of the list of leagues'),
  'PVPLADDER-001': {
    window: ['the total of a PvP ladder is that of the page', set(teams, 'match.total', lengthOfPage)],
  },
  'PVPLADDER-DEPTH-001': wrapped(teams, 'offsets of PvP ladders'),
  'PVPLADDER-LIMIT-002': {
    bare: ['without a realm a page may have more than 200 teams', unlimited(teams, { realm: null })],
  },
  'PVPLADDER-OFFSET-001': {
    bare: ['offset is not looked at without a realm', ignoreParameter(teams, 'offset', { realm: null })],
  },
});
