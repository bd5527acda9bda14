import { check } from '../../engine/check.js';
import type { DefinedCheck } from '../../engine/check.js';
import type { Run } from '../../engine/run.js';
import { differing, eventLadder, leaguesInRealms, ordered, top } from '../../model/ladder.js';
import { endsAtDepth, givesDefault, keepDefault, keepMaximum, keepLimits, lastPages } from '../../model/page-forms.js';
import type { Page, Paged } from '../../model/pages.js';
import { hasTotal, keepsLimits, keepsMaximum, limitOf, partitions, slices, stretch } from '../../model/pages.js';
import { areAll } from '../../model/schema.js';

const { max, preset } = limitOf('getLeagueEventLadder');

/** A league with an event ladder; *could not run* where neither the target names one nor the server lists one. */
const league = async (run: Run): Promise<string> =>
  (await run.facts.found('event_ladder_league')) ??
  run.expect.missing('known.event_ladder_league', 'set known.event_ladder_league in the target');

/** Its event ladder with the first page of the largest size. */
async function known(run: Run): Promise<{ readonly list: Paged; readonly page: Page }> {
  const list = eventLadder(run, await league(run));
  return { list, page: await top(run, list) };
}

/** The same ladder with its realm, and those of other realms. */
const withRealm = async (run: Run): Promise<readonly Paged[]> => [
  eventLadder(run, await league(run), { realm: 'pc' }),
  ...(await leaguesInRealms(run, 'getLeagueEventLadder')).map(({ league: id, realm }) =>
    eventLadder(run, id, { realm }),
  ),
];

/** Checks of the event ladder; they run with those of the ladder. */
export const eventLadderChecks: readonly DefinedCheck[] = [
  check({
    id: 'EVLADDER-001',
    level: 'MUST',
    sentence: 'The event ladder answers `league` with total and entries, an array of EventLadderEntry.',
    source: '4.2',
    needs: ['client:service'],
    judge: async (run) => {
      const page = await eventLadder(run, await league(run)).read();
      hasTotal(run, page);
      const { answer, entries } = page;
      areAll(run, 'EventLadderEntry', entries, answer);
      if (entries.length === 0) run.expect.notExercised('the event ladder of the target has no entries');
    },
  }),

  check({
    id: 'EVLADDER-LIMIT-001',
    level: 'MUST',
    sentence: 'The default limit of an event ladder is 20.',
    source: '4.2,8',
    needs: ['client:service'],
    judge: async (run) => {
      const { list, page } = await known(run);
      await givesDefault(run, list, page.entries.length);
      await keepDefault(run, await withRealm(run));
      if (page.entries.length <= preset)
        run.expect.notExercised(`the event ladder has not more than ${preset} entries`);
    },
  }),

  check({
    id: 'EVLADDER-LIMIT-002',
    level: 'MUST',
    sentence: 'The maximum limit of an event ladder is 500: more gives 4xx or at most 500 entries.',
    source: '4.2,8',
    gap: 'K-015',
    needs: ['client:service'],
    judge: async (run) => {
      const { list } = await known(run);
      const page = await keepsMaximum(run, list, 0.06);
      await keepMaximum(run, await withRealm(run));
      if (page.entries.length < max) run.expect.notExercised(`the event ladder has fewer than ${max} entries`);
    },
  }),

  check({
    id: 'EVLADDER-LIMIT-003',
    level: 'MUST',
    sentence: 'An event ladder gives at most `limit` entries.',
    source: '4.2',
    needs: ['client:service'],
    judge: async (run) => {
      const { list, page } = await known(run);
      await keepsLimits(run, list, page.entries.length, { share: 0.12, usual: 60 });
      await keepLimits(run, await withRealm(run));
    },
  }),

  check({
    id: 'EVLADDER-OFFSET-001',
    level: 'MUST',
    sentence: 'offset skips entries of an event ladder: windows are slices of the whole.',
    source: '4.2',
    needs: ['client:service'],
    judge: async (run) => {
      const { list } = await known(run);
      const first = await stretch(list, 0, 250);
      if (first.ids.length < 2) run.expect.notExercised('the event ladder has fewer than two entries');
      await slices(run, [first], { share: 0.1, usual: 40 });
      for (const other of await withRealm(run))
        await slices(run, [await stretch(other, 0, 40)], { share: 0.01, usual: 20 });
      await partitions(run, [first], 0.04);
      await run.case('the last page', async () => lastPages(run, [list, ...(await withRealm(run))]));
    },
  }),

  check({
    id: 'EVLADDER-DEPTH-001',
    level: 'INFER',
    sentence: 'An offset beyond 15000 gives an empty event ladder.',
    source: '7,8',
    plausible: 'whether the depth is that of event ladders too is not said',
    gap: 'K-030',
    needs: ['client:service'],
    judge: async (run) => {
      const { list, page } = await known(run);
      await endsAtDepth(run, list);
      if (page.entries.length === 0) run.expect.notExercised('the event ladder has no entries');
    },
  }),

  check({
    id: 'EVLADDER-RANK-001',
    level: 'INFER',
    sentence: 'rank never decreases along the entries of an event ladder.',
    source: '2',
    entailed: '2, 4.2: rank is the place on the ladder, and a page is a window of that order',
    needs: ['client:service'],
    judge: async (run) => {
      const { list } = await known(run);
      const different = await ordered(run, list, {
        offsets: [0, 100, 200],
        limit: 100,
        path: ['rank'],
        direction: 'rising',
      });
      for (const other of await withRealm(run))
        await ordered(run, other, { offsets: [0, 20], limit: 20, path: ['rank'], direction: 'rising' });
      differing(run, different, 'rank');
    },
  }),
];
