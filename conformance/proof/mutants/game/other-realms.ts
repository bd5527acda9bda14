import type { Json } from '../../interceptor/interceptor.js';
import { listAt } from '../../interceptor/json.js';
import { mutants } from '../../mutant.js';
import { exceedMaximum, lengthened, page } from '../../operators/pages.js';
import { list, set } from '../../operators/replies.js';
import { clock, defaultParameter, given, ignoreParameter } from '../../operators/requests.js';
import type { When } from '../../operators/requests.js';

const ladder = 'getLeagueLadder';
const event = 'getLeagueEventLadder';
const teams = 'getPvpMatchLadder';
const abroad = { realm: ['xbox', 'sony'] };

/** The pages of a league's ladder are turned round. */
const rising = (when: When) => list(ladder, 'league.entries', (entries) => entries.toReversed(), when);

/** Ranks begin with each page. */
const ranksOfPage = (operation: typeof ladder | typeof teams, wrapper: string) =>
  list(operation, `${wrapper}.entries`, (entries) => entries.map((one, at) => ({ ...one, rank: at + 1 })), abroad);

/** The wrapped tab in place of its wrapper. */
const inner = (operation: 'getStash' | 'getGuildStash') =>
  set(operation, 'stash', (tab: Json | null) => listAt(tab, 'children')[0] ?? tab, { ...abroad, substash_id: given });

/** Rules that a server keeps in realm pc only, or in the usual orders of a ladder only. */
export const otherRealms = mutants({
  'ACCLEAGUE-005 abroad: the leagues of an account are those of pc in other realms': () =>
    list('listAccountLeagues', 'leagues', (leagues) => leagues.map((one) => ({ ...one, realm: 'pc' })), abroad),
  'EVLADDER-LIMIT-001 abroad: event ladders of other realms have 50 entries without limit': () =>
    defaultParameter(event, 'limit', '50', abroad),
  'EVLADDER-OFFSET-001 abroad: the offset of event ladders of other realms is ignored': () =>
    ignoreParameter(event, 'offset', abroad),
  'GUILD-SUB-001 abroad: sub-tabs of the guild come without their parents in other realms': () =>
    inner('getGuildStash'),
  'LADDER-DEPTH-001 solo: an offset beyond the depth shows entries with sort=depthsolo': () =>
    page(ladder, (entries, { offset, limit }) => (offset > 15_000 ? lengthened([{ rank: offset }], limit) : entries), {
      sort: 'depthsolo',
    }),
  'LADDER-DEPTH-002 time: a window across the depth is shown whole with sort=time': () =>
    page(ladder, (entries, { offset, limit }) => (offset > 14_000 ? lengthened(entries, limit) : entries), {
      sort: 'time',
    }),
  'LADDER-LIMIT-001 abroad: ladders of other realms have 50 entries without limit': () =>
    defaultParameter(ladder, 'limit', '50', abroad),
  'LADDER-LIMIT-002 abroad: ladders of other realms know no maximum': () => exceedMaximum(ladder, abroad, 21),
  'LADDER-LIMIT-003 abroad: ladders of other realms give 20 entries at most': () =>
    list(ladder, 'league.entries', (entries) => entries.slice(0, 20), abroad).inCase('a page that is not full'),
  'LADDER-OFFSET-001 abroad: the offset of ladders of other realms is ignored': () =>
    ignoreParameter(ladder, 'offset', abroad),
  'LADDER-RANK-001 abroad: the ranks of ladders of other realms begin with each page': () =>
    ranksOfPage(ladder, 'league'),
  'LADDER-SORT-002 abroad: in other realms experience rises along the ladder': () => rising({ ...abroad, sort: 'xp' }),
  'LADDER-SORT-006 abroad: in other realms score rises along the ladder': () => rising({ ...abroad, sort: 'score' }),
  'LADDER-SORT-007 abroad: in other realms the ladder of a class rises': () => rising({ ...abroad, sort: 'class' }),
  'LADDER-SORT-010 abroad: in other realms the usual order is turned round': () => rising({ ...abroad, sort: null }),
  'LADDER-TOTAL-001 depth: total is the length of the page with sort=depth': () =>
    set(ladder, 'league.total', (_: number, { entries }: { readonly entries: Json[] }) => entries.length, {
      sort: 'depth',
    }),
  'LEAGUE-OFFSET-001 abroad: the offset of events of other realms is ignored': () =>
    ignoreParameter('listLeagues', 'offset', { ...abroad, type: 'event' }),
  'PSTASH-006 abroad: in other realms a change has an id of its own': () =>
    list(
      'getPublicStashTabs',
      'stashes',
      (all, _, at) => all.map((one) => ({ ...one, id: at.service.authority.newId(64) })),
      abroad,
    ),
  'PSTASH-007 abroad: in other realms changes are shown without a delay': () =>
    clock('getPublicStashTabs', 300_000, abroad),
  'PVPLADDER-LIMIT-001 abroad: PvP ladders of other realms have 50 entries without limit': () =>
    defaultParameter(teams, 'limit', '50', abroad),
  'PVPLADDER-RANK-001 abroad: the ranks of PvP ladders of other realms begin with each page': () =>
    ranksOfPage(teams, 'match'),
  'STASH-SUB-001 abroad: sub-tabs come without their parents in other realms': () => inner('getStash'),
});
