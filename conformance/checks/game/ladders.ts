import { check, group } from '../../engine/check.js';
import type { Run } from '../../engine/run.js';
import { gUnknownName, gWindow, nearNames } from '../../generators/data.js';
import {
  classes,
  depth,
  eventLadder,
  inRealms,
  isDeep,
  isOrderedBy,
  ladder,
  ladderBy,
  longLadder,
  pvpLadder,
  sizeOf,
  top,
} from '../../model/ladder.js';
import {
  emptyBeyondDepth,
  givesDefault,
  keepDefault,
  keepMaximum,
  keepsTotal,
  keepLimits,
  lastPages,
  nothingFarOff,
  totalCovers,
} from '../../model/page-forms.js';
import type { Paged } from '../../model/pages.js';
import {
  hasTotal,
  keepsLimits,
  keepsMaximum,
  limitOf,
  partitions,
  slices,
  steady,
  stretch,
} from '../../model/pages.js';
import { allMatches, realms as pvpRealms } from '../../model/pvp.js';
import { areAll } from '../../model/schema.js';
import { member } from '../../wire/answer.js';
import { eventLadderChecks } from './event-ladders.js';
import { ladderOrders, smallLadder } from './ladder-orders.js';
import { knownNames } from './league-lookups.js';
import { allLeagues, look } from '../../model/leagues.js';

const { max, preset } = limitOf('getLeagueLadder');

/** The longest ladder of the target. */
const long = async (run: Run, args: Readonly<Record<string, string>> = {}): Promise<Paged> =>
  ladder(run, await longLadder(run), args);

/** Every order of a ladder, by class for one of them. */
const orders: readonly Readonly<Record<string, string>>[] = [
  ...['xp', 'depth', 'depthsolo', 'ancestor', 'time', 'score'].map((sort) => ({ sort })),
  { sort: 'class', class: 'witch' },
];

/** Those that the longest ladder is given in. */
async function ordersOfLong(run: Run): Promise<typeof orders> {
  const league = await longLadder(run);
  const taken = [];
  for (const args of orders) if (await isOrderedBy(run, league, args)) taken.push(args);
  return taken;
}

/** The ladder in every order, with what may be asked for beside, and in other realms. */
const everyForm = async (run: Run): Promise<readonly Paged[]> => {
  const league = await longLadder(run);
  const forms: readonly Readonly<Record<string, string>>[] = [
    ...(await ordersOfLong(run)),
    { sort: 'class', class: 'marauder' },
    { realm: 'pc' },
    ...((await isOrderedBy(run, league, { sort: 'depth' })) ? [{ realm: 'pc', sort: 'depth' }] : []),
  ];
  return [...forms.map((args) => ladder(run, league, args)), ...(await inRealms(run))];
};

/** The total of a ladder that fits one page is not below the entries of that page, in every order and for every class. */
async function coversItsPage(run: Run): Promise<void> {
  const league = (await smallLadder(run)) ?? (await longLadder(run));
  const forms: Readonly<Record<string, string>>[] = [];
  const byClass = classes.map((name) => ({ sort: 'class', class: name }));
  for (const order of [...byClass, ...orders.filter(({ sort }) => sort !== 'class')])
    if (await isOrderedBy(run, league, order)) forms.push(order);
  await run.expect.each(
    (form) => Object.values(form).join(' '),
    forms,
    async (form) => {
      const { answer, entries, total } = await ladder(run, league, form).read({ limit: max });
      const isEnough = typeof total === 'number' && total >= entries.length;
      run.expect.that(isEnough, `a total of at least the ${entries.length} entries of the page`, total, answer);
    },
  );
}

/** Ends a check where no ladder is long enough to be cut at the depth. */
async function hasDeep(run: Run): Promise<void> {
  if (!(await isDeep(run, await longLadder(run))))
    run.expect.missing('known.ladder_league', 'set known.ladder_league in the target');
}

/** Ladders whose order has ties of more than one kind, with as many of their entries as are compared. */
async function stretches(run: Run, length: number) {
  const [timed, scored] = [await run.facts.found('time_league'), await run.facts.found('score_league')];
  const lists = [
    await long(run),
    await ladderBy(run, { sort: 'depth' }),
    ...(timed === undefined ? [] : [ladder(run, timed, { sort: 'time' })]),
    ...(scored === undefined ? [] : [ladder(run, scored, { sort: 'score' })]),
  ];
  return run.facts.once(`stretches of ladders, ${length}`, () =>
    Promise.all(lists.map((list) => stretch(list, 0, length))),
  );
}

export default group('game/ladders', [
  check({
    id: 'LADDER-001',
    level: 'MUST',
    sentence: 'The ladder of a league answers `league` with total, entries and perhaps cached_since.',
    source: '4.2',
    needs: ['client:service'],
    judge: async (run) => {
      const list = await long(run);
      const page = await list.read();
      hasTotal(run, page);
      const { answer, entries } = page;
      areAll(run, 'LadderEntry', entries, answer);
    },
  }),

  check({
    id: 'LADDER-LIMIT-001',
    level: 'MUST',
    sentence: 'The default limit of a league ladder is 20: a ladder with more gives exactly 20 entries.',
    source: '4.2,8',
    needs: ['client:service'],
    judge: async (run) => {
      const league = await longLadder(run);
      const size = await sizeOf(run, league, ladder(run, league));
      await givesDefault(run, ladder(run, league), size);
      await keepDefault(run, await everyForm(run));
      if (size <= preset)
        run.expect.notExercised(`the ladder of ${league} has ${size} entries, not more than ${preset}`);
    },
  }),

  check({
    id: 'LADDER-LIMIT-002',
    level: 'MUST',
    sentence:
      'The maximum limit of a league ladder is 500: 500 gives that many where there are, and more gives 4xx or at most 500.',
    source: '4.2,8',
    gap: 'K-015',
    needs: ['client:service'],
    judge: async (run) => {
      const league = await longLadder(run);
      const { answer, entries } = await keepsMaximum(run, ladder(run, league), 0.06);
      if (await isDeep(run, league)) {
        run.expect.that(entries.length === max, `${max} entries for limit=${max}`, entries.length, answer);
      }
      await keepMaximum(run, await everyForm(run));
      if (entries.length < max) run.expect.notExercised(`the ladder of ${league} has fewer than ${max} entries`);
    },
  }),

  check({
    id: 'LADDER-LIMIT-003',
    level: 'MUST',
    sentence: 'A league ladder gives at most `limit` entries, and exactly that many when enough remain.',
    source: '4.2',
    needs: ['client:service'],
    judge: async (run) => {
      const league = await longLadder(run);
      const size = await sizeOf(run, league, ladder(run, league));
      await keepsLimits(run, ladder(run, league), size, { share: 0.15, usual: 60 });
      await keepLimits(run, await everyForm(run));
    },
  }),

  check({
    id: 'LADDER-OFFSET-001',
    level: 'MUST',
    sentence: 'offset skips entries of a league ladder: a window equals the same slice of a larger one.',
    source: '4.2',
    gap: 'K-031',
    needs: ['client:service'],
    judge: async (run) => {
      const league = await longLadder(run);
      const size = await sizeOf(run, league, ladder(run, league));
      const known = [...(await stretches(run, 250))];
      known.push(await stretch(ladder(run, league, { sort: 'class', class: 'witch' }), 0, 100));
      if (size > 2 * max) known.push(await stretch(ladder(run, league), size - 200, 200));
      // Where numbers get another digit, or a store another block.
      for (const border of [1000, 5000, 10_000])
        if (size > border + 100) known.push(await stretch(ladder(run, league), border - 100, 200));
      if (known.every(({ ids }) => ids.length < 2)) run.expect.notExercised(`no ladder has two entries`);
      await slices(run, known, { share: 0.07, usual: 30 });
      const others = [];
      for (const list of await everyForm(run)) others.push(await stretch(list, 0, 40));
      await slices(run, others, { share: 0.01, usual: 20 });
      const small = await smallLadder(run);
      await run.case('the last page', async () =>
        lastPages(run, [...(small === undefined ? [] : [ladder(run, small)]), ...(await inRealms(run))]),
      );
    },
  }),

  check({
    id: 'LADDER-OFFSET-002',
    level: 'INFER',
    sentence: 'Any division of a league ladder into pages gives the same sequence, with no character twice and no gap.',
    source: '4.2',
    entailed: '4.2: a page is a window of the whole',
    gap: 'K-031',
    needs: ['client:service'],
    judge: async (run) => {
      const known = await stretches(run, 250);
      if (known.every(({ ids }) => ids.length < 2)) run.expect.notExercised(`no ladder has two entries`);
      for (const { ids, list } of known) {
        const twice = ids.length - new Set(ids).size;
        run.expect.that(twice === 0, `no character twice on ${list.name}`, twice);
      }
      await partitions(run, known, 0.04);
      // Over the borders of the largest pages.
      const far = await stretch(await long(run), max - 100, 200);
      if (far.ids.length > 1) await partitions(run, [far], 0.03);
    },
  }),

  check({
    id: 'LADDER-DEPTH-001',
    level: 'MUST',
    sentence: 'An offset beyond the top 15000 entries gives an empty result: status 200 and no entries.',
    source: '7,8',
    gap: 'K-116',
    needs: ['client:service'],
    judge: async (run) => {
      const forms: readonly Readonly<Record<string, string>>[] = [
        {},
        ...(await ordersOfLong(run)),
        { realm: 'pc' },
        { realm: 'pc', sort: 'depth' },
      ];
      const lists = await Promise.all(forms.map((args) => long(run, args)));
      // Beyond what any ladder has, however long it is.
      for (const list of lists) await nothingFarOff(run, list);
      await hasDeep(run);
      await emptyBeyondDepth(run, lists, 0.12);
      const { answer, entries } = await lists[0]!.read({ offset: depth, limit: 1 });
      if (entries.length > 0)
        run.expect.warn(`offset=${depth} gives an entry, of rank ${String(entries[0]!['rank'])}`, answer);
    },
  }),

  check({
    id: 'LADDER-DEPTH-002',
    level: 'MUST',
    sentence: 'A window across the 15000th entry ends there.',
    source: '8',
    needs: ['client:service'],
    judge: async (run) => {
      await hasDeep(run);
      for (const args of [{}, ...(await ordersOfLong(run))] as readonly Readonly<Record<string, string>>[]) {
        const list = await long(run, args);
        const { answer, entries, total } = await list.read({ offset: depth - 10, limit: 50 });
        run.expect.that(entries.length <= 10, 'at most 10 entries, cut at the depth', entries.length, answer);
        // Not every order has to list everybody: a character without a depth may be in none by depth.
        const listsAll = args['sort'] === undefined || args['sort'] === 'xp';
        // What total counts of one class, or of those that an order leaves out, is not said.
        const reaches = args['sort'] !== 'class' && typeof total === 'number' && total > depth - 10;
        if (listsAll) run.expect.that(entries.length === 10, 'the 10 entries before the depth', entries.length, answer);
        else if (reaches && entries.length === 0)
          run.expect.warn(
            `no entries before the depth by ${String(args['sort'])}, though total is ${String(total)}`,
            answer,
          );
      }
    },
  }),

  check({
    id: 'LADDER-TOTAL-001',
    level: 'INFER',
    sentence: 'total does not depend on limit and offset, and is not below the number of entries seen.',
    source: '4.2',
    entailed: '4.2: total is of the whole ladder, of which a page is a window',
    gap: 'K-029',
    needs: ['client:service'],
    judge: async (run) => {
      const league = await longLadder(run);
      const list = ladder(run, league);
      const size = await sizeOf(run, league, list);
      const seen = new Set((await top(run, list)).entries.map((entry) => list.idOf(entry)));
      const total = async () => ({ ids: [(await list.read({ limit: 1 })).total] });
      await run.expect.property('window', gWindow(20, Math.max(0, size - 1)), { share: 0.08 }, async (window) => {
        await steady(run, total, async ({ ids: [expected] }) => {
          const page = await list.read(window);
          for (const entry of page.entries) seen.add(list.idOf(entry));
          if (page.total === expected) return undefined;
          return { expected: `total ${String(expected)} for every window`, got: page.total, answer: page.answer };
        });
      });
      await totalCovers(run, list, seen.size);
      const event = await run.facts.found('event_ladder_league');
      for (const args of await ordersOfLong(run)) await keepsTotal(run, await long(run, args));
      for (const other of await inRealms(run)) await keepsTotal(run, other);
      if (event !== undefined) await keepsTotal(run, eventLadder(run, event));
      await run.case('a whole ladder', () => coversItsPage(run));
    },
  }),

  ...ladderOrders,

  check({
    id: 'LADDER-GONE-001',
    level: 'INFER',
    sentence: 'The ladder of an unknown league gives no entries.',
    source: '7',
    entailed: '4.2, 7: entries are of a ladder, and what does not exist has none',
    gap: 'K-023',
    needs: ['client:service', 'scope:service:leagues'],
    judge: async (run) => {
      const { main_leagues = [], event_leagues = [], odd_names = [] } = run.facts.target.known;
      const listed = (await allLeagues(run)).map((entry) => String(entry['id']));
      await run.expect.property(
        'unknown league',
        gUnknownName([...listed, ...main_leagues, ...event_leagues, ...odd_names, await longLadder(run)]),
        { share: 0.1 },
        async (league) => {
          for (const list of [ladder(run, league), eventLadder(run, league)]) await isEmpty(run, list);
        },
      );
      if (run.oauth.obtainable().has('service:leagues')) {
        await run.case('a name that is near another', async () => {
          for (const league of nearNames(await knownNames(run))) await isEmpty(run, ladder(run, league));
        });
        await run.case('a league of another realm', () => leaguesOfOthers(run));
      }
      // Nor has a match that does not exist (K-023).
      if (!run.oauth.obtainable().has('service:pvp_matches:ladder')) return;
      for (const realm of ['pc', 'sony']) await isEmpty(run, pvpLadder(run, { id: 'cx no such match', realm }));
      await run.case('a match of another realm', () => matchesOfOthers(run));
    },
  }),

  ...eventLadderChecks,
]);

/** A league that a realm does not have, by the lookup there, has no ladder in it either, though it has one in pc. */
async function leaguesOfOthers(run: Run): Promise<void> {
  const named = [await longLadder(run), await run.facts.found('event_ladder_league')];
  for (const league of new Set(named.filter((one) => one !== undefined))) {
    for (const realm of ['xbox', 'sony']) {
      if (member((await look(run, league, realm)).json, 'league') !== null) continue;
      for (const list of [ladder(run, league, { realm }), eventLadder(run, league, { realm })])
        await isEmpty(run, list);
    }
  }
}

/** The same of matches. */
async function matchesOfOthers(run: Run): Promise<void> {
  if (!run.oauth.obtainable().has('service:pvp_matches')) return;
  let found = 0;
  for (const { id, realm } of (await allMatches(run)).slice(0, 24)) {
    if (found === 2) return;
    if (((await ranked(pvpLadder(run, { id, realm }))) ?? []).length === 0) continue;
    found += 1;
    for (const other of pvpRealms.filter((one) => one !== realm)) {
      const { json } = await run.http.data('getPvpMatch', { args: { match: id, realm: other } });
      if (member(json, 'match') === null) await isEmpty(run, pvpLadder(run, { id, realm: other }));
    }
  }
}

const ranked = async (list: Paged): Promise<readonly unknown[] | undefined> =>
  list.entriesOf(await list.ask({ limit: 1 }));

/** The ladder of what does not exist has no entries, in whatever form that is said. */
async function isEmpty(run: Run, list: Paged): Promise<void> {
  const answer = await list.ask({});
  run.expect.status(answer, '2xx', '4xx');
  const entries = list.entriesOf(answer) ?? [];
  run.expect.that(entries.length === 0, `no entries of ${list.name}, which does not exist`, entries.length, answer);
}
