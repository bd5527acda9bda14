import { check, observation } from '../../engine/check.js';
import type { Run } from '../../engine/run.js';
import { gBadLimit, gPartition } from '../../generators/data.js';
import { allLeagues, idsOf, leagues, realms, walk } from '../../model/leagues.js';
import { givesDefault, keepMaximum, keepLimits, nothingFarOff } from '../../model/page-forms.js';
import type { Paged } from '../../model/pages.js';
import { keepsLimits, limitOf, partitions, slices, staysWithinMaximum, steady, stretch } from '../../model/pages.js';

const { max, preset } = limitOf('listLeagues');

/** Lists beside the plain one: of each type, and of other realms. */
const beside = (run: Run): readonly Readonly<Record<string, string>>[] => {
  const { season } = run.facts.target.known;
  const others: readonly Readonly<Record<string, string>>[] = [
    { type: 'main' },
    { type: 'event' },
    { realm: 'xbox' },
    { realm: 'sony' },
    { realm: 'game2' },
    { realm: 'xbox', type: 'event' },
    { realm: 'sony', type: 'event' },
  ];
  return season === undefined ? others : [...others, { type: 'season', season }];
};

/** The list in every form that it can be asked for: each type, each realm, and some of both. */
const everyForm = (run: Run): readonly Paged[] => {
  const { season } = run.facts.target.known;
  const forms: readonly Readonly<Record<string, string>>[] = [
    { type: 'main' },
    { type: 'event' },
    ...realms.map((realm) => ({ realm })),
    { realm: 'pc', type: 'main' },
    { realm: 'xbox', type: 'event' },
    ...(season === undefined
      ? []
      : [
          { type: 'season', season },
          { realm: 'pc', type: 'season', season },
        ]),
  ];
  return forms.map((args) => leagues(run, args));
};

/** Limits and offsets of the list of leagues. */
export const leaguePages = [
  check({
    id: 'LEAGUE-LIMIT-001',
    level: 'MUST',
    sentence: 'The default limit is 50: without it there are at most 50 leagues, the same as for limit=50.',
    source: '4.2,8',
    needs: ['client:service'],
    judge: async (run) => {
      const all = await allLeagues(run, { realm: 'pc', type: 'main' });
      await steady(
        run,
        async () => ({ ids: idsOf((await leagues(run).read({ limit: preset })).entries) }),
        async ({ ids }) => {
          const { answer, entries } = await leagues(run).read();
          const got = idsOf(entries);
          // The list has no stated order (K-032).
          const isSame = JSON.stringify(got.toSorted()) === JSON.stringify(ids.toSorted());
          if (entries.length <= preset && isSame) return undefined;
          return { expected: `without limit the ${ids.length} leagues of limit=${preset}`, got, answer };
        },
      );
      for (const args of beside(run)) {
        const { length } = await allLeagues(run, args);
        await givesDefault(run, leagues(run, args), length, async () => (await walk(run, args)).length);
      }
      if (all.length <= preset)
        run.expect.notExercised(`realm pc has ${all.length} leagues of type main, not more than ${preset}`);
    },
  }),

  check({
    id: 'LEAGUE-LIMIT-002',
    level: 'MUST',
    sentence: 'No response has more than 50 leagues, whatever limit is sent.',
    source: '4.2,8',
    gap: 'K-015',
    needs: ['client:service'],
    judge: async (run) => {
      await staysWithinMaximum(run, leagues(run), 0.2);
      await keepMaximum(run, everyForm(run));
    },
  }),

  check({
    id: 'LEAGUE-LIMIT-003',
    level: 'MUST',
    sentence: 'A response has at most `limit` leagues, and exactly that many when enough remain.',
    source: '4.2',
    needs: ['client:service'],
    judge: async (run) => {
      const { length } = await allLeagues(run);
      if (length === 0) run.expect.notExercised('realm pc has no leagues of type main');
      const again = async (): Promise<number> => (await walk(run, {})).length;
      await keepsLimits(run, leagues(run), length, { share: 0.3, usual: max, again });
      for (const args of beside(run)) {
        const { length: size } = await allLeagues(run, args);
        const count = async (): Promise<number> => (await walk(run, args)).length;
        if (size > 1) await keepsLimits(run, leagues(run, args), size, { share: 0.01, usual: max, again: count });
      }
      await keepLimits(run, everyForm(run));
    },
  }),

  check({
    id: 'LEAGUE-OFFSET-001',
    level: 'MUST',
    sentence: 'offset skips: a window equals the same slice of a larger one.',
    source: '4.2',
    gap: 'K-032',
    needs: ['client:service'],
    judge: async (run) => {
      const known = await stretch(leagues(run), 0, max);
      if (known.ids.length < 2) run.expect.notExercised('realm pc has fewer than two leagues of type main');
      await slices(run, [known], { share: 0.3, usual: max });
      const others = [];
      for (const args of beside(run)) others.push(await stretch(leagues(run, args), 0, max));
      await slices(run, others, { share: 0.03, usual: max });
    },
  }),

  check({
    id: 'LEAGUE-OFFSET-002',
    level: 'INFER',
    sentence:
      'Any division into pages gives the whole list without gap or repeat, and an offset past the end gives an empty list.',
    source: '4.2',
    entailed: '4.2: a page is a window of the whole',
    gap: 'K-032',
    needs: ['client:service'],
    judge: async (run) => {
      const all = await allLeagues(run);
      if (all.length < 2) run.expect.notExercised('realm pc has fewer than two leagues of type main');
      await partitions(run, [await stretch(leagues(run), 0, max)], 0.1);
      // The largest page may not hold the whole list: pages of any sizes hold what pages of the largest size do.
      await run.expect.property(
        'pages of the whole list',
        gPartition(all.length, max, 8),
        { share: 0.05 },
        async (windows) => {
          await steady(
            run,
            async () => ({ ids: idsOf(await walk(run, {})) }),
            async ({ ids }) => {
              const got: unknown[] = [];
              // Leagues that were added since are behind those that the windows are of.
              const added = ids.length > all.length ? [{ limit: max, offset: all.length }] : [];
              for (const window of [...windows, ...added])
                got.push(...idsOf((await leagues(run).read(window)).entries));
              const past = await leagues(run).read({ offset: ids.length + 1, limit: max });
              if (past.entries.length > 0) {
                return { expected: 'no leagues past the end', got: idsOf(past.entries), answer: past.answer };
              }
              if (JSON.stringify(got) === JSON.stringify(ids)) return undefined;
              return { expected: `each league once: ${ids.join(', ')}`, got, answer: past.answer };
            },
            { ids: idsOf(all) },
          );
        },
      );
      for (const list of [leagues(run), leagues(run, { type: 'event' })]) await nothingFarOff(run, list);
    },
  }),

  observation({
    id: 'LEAGUE-OFFSET-003',
    sentence: 'What a limit of 0, a negative, fractional or non-numeric limit, and a negative offset do is not stated.',
    source: '4.2',
    gap: 'K-016',
    needs: ['client:service'],
    observe: async (run, note) => {
      const seen = new Map<string, Set<number>>();
      await run.expect.property('limit', gBadLimit(max), { share: 0.1 }, async (limit) => {
        const { status } = await run.http.data('listLeagues', { query: [['limit', limit]] });
        const kind = /^\d+$/.test(limit)
          ? Number(limit) === 0
            ? 'limit 0'
            : 'limit above the maximum'
          : 'limit that is no uint';
        seen.set(kind, (seen.get(kind) ?? new Set()).add(status));
      });
      for (const offset of ['-1', '1.5', 'abc', '']) {
        const { status } = await run.http.data('listLeagues', { query: [['offset', offset]] });
        seen.set('offset that is no uint', (seen.get('offset that is no uint') ?? new Set()).add(status));
      }
      for (const [kind, statuses] of seen) note(`${kind}: status ${[...statuses].join(', ')}`);
    },
  }),
];
