import fc from 'fast-check';

import { check, observation } from '../../engine/check.js';
import type { Run } from '../../engine/run.js';
import { gHex10 } from '../../generators/data.js';
import { expectNull } from '../../model/expect-null.js';
import { sameForEveryClient } from '../../model/one-answer.js';
import { isA } from '../../model/schema.js';
import {
  askTab,
  innerOf,
  isFolder,
  itemsOf,
  nearIds,
  noOtherSubTabs,
  same,
  subLookups,
  subTabs,
  tabsOf,
  wrapped,
  warnOfUnwrapped,
} from '../../model/tabs.js';
import { member } from '../../wire/answer.js';
import { elsewhere, inOnePlace, keptApart, subsAtHome, tabsAtHome } from './stash-places.js';

/** Lookups of sub-tabs in other realms. */
async function subLookupsInRealms(run: Run, most: number) {
  const found = [];
  for (const realm of ['xbox', 'sony'])
    for (const place of await elsewhere(run, realm, 1)) found.push(...(await subLookups(run, place, most)));
  return found;
}

/** A sub-tab of one league is in none of another, neither under its own parent nor under a tab there. */
async function notElsewhere(run: Run, { parent, sub }: ReturnType<typeof subTabs>[number]): Promise<void> {
  if (!run.oauth.obtainable().has('account:leagues')) return;
  for (const realm of ['pc', 'xbox'])
    for (const place of await elsewhere(run, realm, 1)) {
      const tabs = await tabsOf(run, place);
      if (tabs.some(({ id }) => same(id, parent.id) || same(id, sub.id))) continue;
      const there = tabs.filter((tab) => tab.within === undefined && !isFolder(run, tab)).slice(0, 2);
      for (const { id } of [parent, ...there]) expectNull(run, await askTab(run, place, id, sub.id), 'stash');
    }
}

/** One sub-tab by its id and that of its tab. */
export const substashLookups = [
  check({
    id: 'STASH-SUB-001',
    level: 'MUST',
    sentence:
      'A sub-tab comes wrapped by its parent: `stash` is the tab of stash_id, and its children hold the tab of substash_id.',
    source: '4.2',
    gap: 'K-043',
    needs: [['client:confidential', 'client:public'], 'consent'],
    judge: async (run) => {
      const { place } = await subsAtHome(run);
      await run.expect.each(
        'sub-tab $sub.id of $parent.id',
        [...(await subLookups(run, place, 20)), ...(await subLookupsInRealms(run, 5))],
        async ({ parent, sub, answer }) => {
          wrapped(run, answer, parent.id, sub.id);
          warnOfUnwrapped(run, answer, sub.id);
          isA(run, 'StashTab', member(answer.json, 'stash'), answer);
        },
      );
      const { parent_tab, sub_tab } = run.facts.target.known;
      if (parent_tab !== undefined && sub_tab !== undefined) {
        wrapped(run, await askTab(run, place, parent_tab, sub_tab), parent_tab, sub_tab);
      }
    },
  }),

  check({
    id: 'STASH-SUB-002',
    level: 'MUST',
    sentence: 'A wrapped sub-tab comes with its items, where it has any.',
    source: '4.2',
    gap: 'K-135',
    needs: [['client:confidential', 'client:public'], 'consent'],
    judge: async (run) => {
      const { place } = await subsAtHome(run);
      const found = await subLookups(run, place, 20);
      const shown = found.map(({ parent, sub, answer }) => ({
        parent,
        id: sub.id,
        shown: innerOf(run, answer, sub.id),
      }));
      await inOnePlace(run, shown, async (id) => {
        const { parent } = shown.find((one) => same(one.id, id))!;
        return innerOf(run, await askTab(run, place, parent.id, id), id);
      });
      const full = shown.filter((one) => (itemsOf(one.shown)?.length ?? 0) > 0);
      // As with tabs at top level, items are not promised.
      if (full.length === 0 && run.facts.target.known.empty_tab === undefined)
        run.expect.notExercised('no sub-tab has items');
      run.expect.that(
        full.length > 0,
        'items in some sub-tab',
        `${found.length} sub-tabs without items`,
        found[0]?.answer,
      );
      for (const { parent, id } of full.slice(0, 1)) {
        const args = { league: place.league, stash_id: parent.id, substash_id: id };
        await sameForEveryClient(run, 'getStash', { args });
      }
    },
  }),

  check({
    id: 'STASH-SUB-004',
    level: 'INFER',
    sentence: 'A sub-tab that is unknown, or whose parent is another tab, gives null.',
    source: '4.2,7',
    entailed: '4.2, 7: a sub-tab is one whose parent is stash_id; of another parent it does not exist, and is null',
    gap: 'K-044',
    needs: [['client:confidential', 'client:public'], 'consent'],
    judge: async (run) => {
      const { place, pairs } = await subsAtHome(run);
      const ids = (await tabsOf(run, place)).map(({ id }) => id);
      await noOtherSubTabs(run, place, { wrong: 0.12, unknown: 0.08 });
      await run.expect.property(
        'sub-tab of an unknown tab',
        fc.record({ pair: fc.constantFrom(...pairs), stash: gHex10(ids) }),
        { share: 0.03 },
        async ({ pair, stash }) => expectNull(run, await askTab(run, place, stash, pair.sub.id), 'stash'),
      );
      const { parent, sub } = pairs[0]!;
      for (const id of nearIds([sub.id, ...ids], 1)) {
        expectNull(run, await askTab(run, place, parent.id, id), 'stash');
      }
      for (const id of nearIds([parent.id, ...ids], 1)) expectNull(run, await askTab(run, place, id, sub.id), 'stash');
      await run.case('in another league', () => notElsewhere(run, pairs[0]!));
      await keptApart(run, true);
    },
  }),

  observation({
    id: 'STASH-SUB-005',
    sentence: 'What a sub-tab or a tab in a folder gives, asked for as stash_id, is not stated.',
    source: '4.2',
    gap: 'K-045',
    needs: [['client:confidential', 'client:public'], 'consent'],
    observe: async (run, note) => {
      const { place, tabs } = await tabsAtHome(run);
      const sub = subTabs(run, tabs)[0]?.sub;
      const inFolder = tabs.find(({ within }) => tabs.some((tab) => same(tab.id, within) && isFolder(run, tab)));
      for (const [what, tab] of [
        ['a sub-tab', sub],
        ['a tab in a folder', inFolder],
      ] as const) {
        if (!tab) continue;
        const answer = await askTab(run, place, tab.id);
        const stash = member(answer.json, 'stash');
        const found = same(member(stash, 'id'), tab.id) ? 'the tab' : stash === null ? 'null' : 'something else';
        note(`${what} as stash_id: status ${answer.status}, ${found}`);
      }
      // That a folder is a parent is nowhere said, nor that it is none.
      if (inFolder) {
        const answer = await askTab(run, place, inFolder.within!, inFolder.id);
        const stash = member(answer.json, 'stash');
        note(`a tab in a folder as its sub-tab: status ${answer.status}, ${stash === null ? 'null' : 'a wrapped tab'}`);
      }
      if (!sub && !inFolder) run.expect.notExercised('the list shows neither sub-tabs nor folders');
    },
  }),
];
