import { check } from '../../engine/check.js';
import type { Run } from '../../engine/run.js';
import { differing, ordered, pvpLadder as ladder } from '../../model/ladder.js';
import {
  endsAtDepth,
  givesDefault,
  keepDefault,
  keepMaximum,
  keepLimits,
  keepsTotal,
  lastPages,
} from '../../model/page-forms.js';
import type { Page, Paged, PageEntry } from '../../model/pages.js';
import {
  hasTotal,
  keepsLimits,
  keepsMaximum,
  limitOf,
  overMaximum,
  partitions,
  slices,
  stretch,
} from '../../model/pages.js';
import type { ListedMatch } from '../../model/pvp.js';
import { allMatches, someMatches } from '../../model/pvp.js';
import { areAll, given } from '../../model/schema.js';

const { max, preset } = limitOf('getPvpMatchLadder');

interface Ladder {
  readonly match: ListedMatch;
  readonly list: Paged;
  readonly page: Page;
}

/** The ladders of the listed matches with their first pages, the longest first; shared by the run. */
const ladders = (run: Run): Promise<readonly Ladder[]> =>
  run.facts.once('PvP ladders', async () => {
    const found: Ladder[] = [];
    for (const match of (await allMatches(run)).slice(0, 24)) {
      const list = ladder(run, match);
      const answer = await list.ask({ limit: 1 });
      const entries = list.entriesOf(answer) ?? [];
      // Only ladders with entries are worth a large page.
      found.push({ match, list, page: entries.length > 0 ? await list.largest() : { answer, entries } });
    }
    return found.toSorted((a, b) => b.page.entries.length - a.page.entries.length);
  });

/** The longest ladder; *not exercised* where none has `least` entries. */
async function longest(run: Run, least = 1): Promise<Ladder> {
  const [first] = await ladders(run);
  if (!first || first.page.entries.length < least) {
    run.expect.notExercised(`no PvP ladder has ${least === 1 ? 'an entry' : `${least} entries`}`);
  }
  return first;
}

/** Other forms of a ladder: that of realm pc without its realm, and the longest of each realm but that of the longest. */
async function otherForms(run: Run): Promise<readonly Paged[]> {
  const [first, ...rest] = (await ladders(run)).filter(({ page }) => page.entries.length > 0);
  const others = new Map<string | undefined, Paged>();
  for (const { match, list } of rest)
    if (match.realm !== first?.match.realm && !others.has(match.realm)) others.set(match.realm, list);
  return [...(await bare(run)), ...others.values()];
}

/** The longest ladder of realm pc as it is asked for without a realm, where that is answered with it (K-022). */
async function bare(run: Run): Promise<readonly Paged[]> {
  const found = (await ladders(run)).find(({ match, page }) => match.realm === 'pc' && page.entries.length > 0);
  if (!found) return [];
  const list = ladder(run, { id: found.match.id, bare: true });
  const [first] = list.entriesOf(await list.ask({ limit: 1 })) ?? [];
  const idOf = (entry: PageEntry | undefined): string => JSON.stringify(entry && list.idOf(entry)) ?? '';
  return first && idOf(first) === idOf(found.page.entries[0]) ? [list] : [];
}

/** The ladder of a PvP match. */
export const pvpLadders = [
  check({
    id: 'PVPLADDER-001',
    level: 'MUST',
    sentence: 'The ladder of a match answers `match` with total and entries, an array of PvPLadderTeamEntry.',
    source: '4.2',
    needs: ['client:service', 'scope:service:pvp_matches'],
    judge: async (run) => {
      let some = 0;
      for (const match of (await someMatches(run)).slice(0, 8)) {
        const page = await ladder(run, match).read();
        hasTotal(run, page);
        areAll(run, 'PvPLadderTeamEntry', page.entries, page.answer);
        some += page.entries.length;
      }
      if (some === 0) run.expect.notExercised('no PvP ladder has an entry');
      // What is told of all entries is told with whatever part of them is asked for.
      await keepsTotal(run, (await longest(run)).list);
    },
  }),

  check({
    id: 'PVPLADDER-LIMIT-001',
    level: 'MUST',
    sentence: 'The default limit of a PvP ladder is 20.',
    source: '4.2,8',
    needs: ['client:service', 'scope:service:pvp_matches'],
    judge: async (run) => {
      const { list, page } = await longest(run, 2);
      await givesDefault(run, list, page.entries.length);
      await keepDefault(run, await otherForms(run));
      if (page.entries.length <= preset) run.expect.notExercised(`no PvP ladder has more than ${preset} entries`);
    },
  }),

  check({
    id: 'PVPLADDER-LIMIT-002',
    level: 'MUST',
    sentence: 'The maximum limit of a PvP ladder is 200: more gives 4xx or at most 200 entries.',
    source: '4.2,8',
    gap: 'K-015',
    needs: ['client:service', 'scope:service:pvp_matches'],
    judge: async (run) => {
      const { list } = await longest(run);
      await keepsMaximum(run, list, 0.08);
      await keepMaximum(run, await otherForms(run));
      // Between the maximum of this ladder and that of the others.
      for (const limit of [max + 50, 500]) await overMaximum(run, list, { limit });
      if ((await list.read({ offset: max, limit: 1 })).entries.length === 0) {
        run.expect.notExercised(`no PvP ladder has more than ${max} entries`);
      }
    },
  }),

  check({
    id: 'PVPLADDER-LIMIT-003',
    level: 'MUST',
    sentence: 'A PvP ladder gives at most `limit` entries, and exactly that many when enough remain.',
    source: '4.2',
    needs: ['client:service', 'scope:service:pvp_matches'],
    judge: async (run) => {
      const { list, page } = await longest(run);
      await keepsLimits(run, list, page.entries.length, { share: 0.15, usual: 60 });
      await keepLimits(run, await otherForms(run));
    },
  }),

  check({
    id: 'PVPLADDER-OFFSET-001',
    level: 'MUST',
    sentence: 'offset skips entries of a PvP ladder: windows are slices of the whole.',
    source: '4.2',
    needs: ['client:service', 'scope:service:pvp_matches'],
    judge: async (run) => {
      const { list } = await longest(run, 2);
      const first = await stretch(list, 0, max);
      await slices(run, [first], { share: 0.1, usual: 40 });
      for (const other of await otherForms(run))
        await slices(run, [await stretch(other, 0, 40)], { share: 0.01, usual: 20 });
      await partitions(run, [first], 0.04);
      const border = await stretch(list, max - 50, 100);
      if (border.ids.length > 1) await partitions(run, [border], 0.03);
      await run.case('the last page', async () => lastPages(run, [list, ...(await otherForms(run))]));
    },
  }),

  check({
    id: 'PVPLADDER-DEPTH-001',
    level: 'INFER',
    sentence: 'An offset beyond 15000 gives an empty PvP ladder.',
    source: '7,8',
    plausible: 'whether the depth is that of PvP ladders too is not said',
    gap: 'K-030',
    needs: ['client:service', 'scope:service:pvp_matches'],
    judge: async (run) => {
      const { list } = await longest(run);
      await endsAtDepth(run, list);
    },
  }),

  check({
    id: 'PVPLADDER-RATING-001',
    level: 'MUST',
    sentence: 'rating is there only if the match uses Glicko ratings.',
    source: '2',
    gap: 'K-039',
    needs: ['client:service', 'scope:service:pvp_matches'],
    judge: async (run) => {
      const unrated = (await ladders(run)).filter(
        ({ match, page }) => match.entry['glickoRatings'] === false && page.entries.length > 0,
      );
      if (unrated.length === 0) run.expect.notExercised('no ladder with entries is of a match without Glicko ratings');
      await run.expect.each('match $match.id, glickoRatings false', unrated, async ({ list, page }) => {
        const pages = [page];
        for (let last = page; last.entries.length === max && pages.length < 3; pages.push(last)) {
          last = await list.read({ offset: pages.length * max, limit: max });
        }
        for (const { entries, answer } of pages) {
          const rated = entries.find(({ rating }) => given(rating));
          run.expect.that(rated === undefined, 'no entry with a rating', rated?.['rating'], answer);
        }
      });
    },
  }),

  check({
    id: 'PVPLADDER-RANK-001',
    level: 'INFER',
    sentence: 'rank never decreases along the entries of a PvP ladder.',
    source: '2',
    entailed: '2, 4.2: rank is the place on the ladder, and a page is a window of that order',
    needs: ['client:service', 'scope:service:pvp_matches'],
    judge: async (run) => {
      const { list, page } = await longest(run, 2);
      const offsets = [0, 60, 120, max].filter((offset) => offset === 0 || offset < page.entries.length + 1);
      for (const other of await otherForms(run))
        await ordered(run, other, { offsets: [0, 20, 40], limit: 20, path: ['rank'], direction: 'rising' });
      differing(run, await ordered(run, list, { offsets, limit: 60, path: ['rank'], direction: 'rising' }), 'rank');
    },
  }),
];
