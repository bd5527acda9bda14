import fc from 'fast-check';

import { check, group } from '../../engine/check.js';
import type { Run } from '../../engine/run.js';
import { gHex10, gWord } from '../../generators/data.js';
import { accountLeagues, isRealmWord, leagueOfPlay } from '../../model/account.js';
import { nothing, withheld } from '../../model/nothing.js';
import { answeredApart, byBoth, sameForEveryClient } from '../../model/one-answer.js';
import { areAll, contradiction, isA } from '../../model/schema.js';
import type { Json, Place } from '../../model/tabs.js';
import {
  askList,
  askTab,
  foreignTabs,
  isFolder,
  itemsOf,
  listsNothing,
  lookups,
  mismatches,
  nearIds,
  same,
  sharedItem,
  subLookups,
  subTabs,
  tabsIfAny,
  tabsOf,
  topLevel,
  walk,
  wrapped,
} from '../../model/tabs.js';
import { member } from '../../wire/answer.js';
import type { Answer } from '../../wire/answer.js';

const most = 40;

/** Where the account has its tabs. */
async function home(run: Run): Promise<Place> {
  const { stash_league } = run.target.known;
  if (stash_league !== undefined) return { of: 'listStashes', league: stash_league };
  // What a server answers for a league in which the account never was is not stated (K-025).
  const place: Place = { of: 'listStashes', league: String((await run.sample('listStashes')).args?.['league']) };
  if ((await tabsIfAny(run, place)).length === 0) run.notExercised(`no tabs are known of in ${place.league}`);
  return place;
}

/** The tabs there; *not exercised* where there are none. */
async function tabsAtHome(run: Run) {
  const place = await home(run);
  const tabs = await tabsOf(run, place);
  if (tabs.length === 0) run.notExercised(`the account has no tabs in ${place.league}`);
  return { place, tabs };
}

/** Sub-tabs there; *not exercised* where there are none. */
async function subsAtHome(run: Run) {
  const { place, tabs } = await tabsAtHome(run);
  const pairs = subTabs(run, tabs);
  if (pairs.length === 0) run.notExercised(`no tab in ${place.league} has sub-tabs`);
  return { place, tabs, pairs };
}

/** Leagues of the account with tabs, beside the one that the checks work with. */
async function elsewhere(run: Run, realm: string, count: number): Promise<readonly Place[]> {
  const { league: own } = await home(run);
  const found: Place[] = [];
  for (const league of (await accountLeagues(run, realm)).slice(0, 12)) {
    if (found.length >= count) break;
    if ((realm === 'pc' && league === own) || isRealmWord(run, league)) continue;
    const place: Place = { of: 'listStashes', league, ...(realm !== 'pc' && { realm }) };
    if ((await tabsIfAny(run, place)).length > 0) found.push(place);
  }
  return found;
}

/** What a list entry and a single lookup say of one tab's metadata; a flag that is not there is not set. */
function metadataOf(tab: unknown) {
  const metadata = member(tab, 'metadata');
  return {
    public: member(metadata, 'public') === true,
    folder: member(metadata, 'folder') === true,
    colour: member(metadata, 'colour'),
    map: member(metadata, 'map'),
  };
}

/** No item is in two tabs. One may have been moved between two lookups, so both tabs are looked at again. */
async function inOnePlace(
  run: Run,
  tabs: readonly { readonly id: string; readonly shown: unknown }[],
  lookAgain: (id: string) => Promise<unknown>,
): Promise<void> {
  const first = sharedItem(tabs);
  const again = first && (await Promise.all(first.tabs.map(async (id) => ({ id, shown: await lookAgain(id) }))));
  const still = again && sharedItem(again);
  run.that(still === undefined, 'every item in one tab only', still);
}

/** A sub-tab as its wrapper shows it. */
function innerOf(answer: Answer, sub: string): unknown {
  const children = member(member(answer.json, 'stash'), 'children');
  return Array.isArray(children) ? children.find((one) => same(member(one, 'id'), sub)) : undefined;
}

/**
 * What is one account's is not there for another one: null, or a refusal where the other has nothing in that league
 * (K-025). The owner has just seen it, in case a server keeps its answers.
 */
async function keptFrom(run: Run, place: Place, account: string, other: string, subs: boolean): Promise<void> {
  const theirs: Place = { ...place, account };
  const own = (await tabsIfAny(run, { ...place, account: other })).map(({ id }) => id);
  const foreign = foreignTabs(run, await tabsIfAny(run, theirs), 3).filter(
    ({ stash, sub }) => (sub !== undefined) === subs && ![stash, sub].some((id) => own.some((one) => same(one, id))),
  );
  for (const { stash, sub } of foreign) {
    await askTab(run, theirs, stash, sub);
    withheld(run, await askTab(run, { ...place, account: other }, stash, sub), 'stash');
  }
}

/** Where alice, or bob, has tabs: at home and in other realms, each with the other one who must not see them. */
async function keptApart(run: Run, subs: boolean): Promise<void> {
  if (!run.target.accounts['alice'] || !run.target.accounts['bob']) return;
  const places = [await home(run)];
  for (const realm of ['xbox', 'sony']) {
    const league = run.obtainable().has('account:leagues') ? await leagueOfPlay(run, realm) : undefined;
    if (league !== undefined && !isRealmWord(run, league)) places.push({ of: 'listStashes', league, realm });
  }
  for (const place of places) {
    await keptFrom(run, place, 'alice', 'bob', subs);
    await keptFrom(run, place, 'bob', 'alice', subs);
  }
}

/** Places in which the account need not have a tab: other leagues, one that does not exist, other realms. */
async function besides(run: Run, league: string): Promise<readonly Place[]> {
  const leagues = run.obtainable().has('account:leagues') ? await accountLeagues(run, 'pc') : [];
  const others = leagues.filter((one) => one !== league && !isRealmWord(run, one)).slice(0, 2);
  const realms = isRealmWord(run, league) ? [] : ['xbox', 'sony'];
  return [
    ...[...others, 'cx-no-such-league'].map((one): Place => ({ of: 'listStashes', league: one })),
    ...realms.map((realm): Place => ({ of: 'listStashes', league, realm })),
  ];
}

export default group('game/stashes', [
  check(
    'STASH-LIST-001',
    async (run) => {
      const { league } = await home(run);
      const answer = await askList(run, await home(run));
      areAll(run, 'StashTab', run.list(answer, 'stashes'), answer);
      await answeredApart(run, 'listStashes', byBoth(run, { args: { league } }));
      await sameForEveryClient(run, 'listStashes', { args: { league } });
    },
    { requests: 30 },
  ),

  check('STASH-LIST-002', async (run) => {
    const { place, tabs } = await tabsAtHome(run);
    const { folder_tab, parent_tab, sub_tab, empty_tab } = run.target.known;
    const answer = await askList(run, place);
    const listed = walk(run.list(answer, 'stashes'));
    const declared = Object.entries({ folder_tab, parent_tab, sub_tab, empty_tab });
    for (const [key, id] of declared) {
      if (id === undefined) continue;
      run.that(
        listed.some((tab) => same(tab.id, id)),
        `the ${key} ${id} in the list`,
        listed.map((tab) => tab.id),
        answer,
      );
    }
    const nested = listed.some(({ tab }) => Array.isArray(tab['children']) && tab['children'].length > 0);
    // In a flat list nothing but the variant field `folder` says what stands in a folder.
    if (folder_tab !== undefined && (nested || run.flag('F-TAB-FOLDER') === 'on')) {
      run.that(
        listed.some(({ within }) => same(within, folder_tab)),
        `tabs in the folder ${folder_tab} (known.folder_tab is to be a folder with tabs)`,
        listed.map((tab) => tab.id),
        answer,
      );
    }
    if (declared.every(([, id]) => id === undefined)) {
      if (listed.every(({ within }) => within === undefined)) {
        run.notExercised('the target declares no sub-tab and no folder, and the list shows none');
      }
      run.that(tabs.length > 0, 'sub-tabs or tabs in folders', listed.length, answer);
    }
  }),

  check(
    'STASH-LIST-003',
    async (run) => {
      const own = new Set<string>();
      const { league } = await home(run);
      for (const { id } of await tabsOf(run, { of: 'listStashes', league })) own.add(id.toLowerCase());
      let asked = 0;
      for (const realm of ['xbox', 'sony']) {
        const played = await leagueOfPlay(run, realm);
        for (const there of new Set([played, ...(await accountLeagues(run, realm)).slice(0, 2)])) {
          if (there === undefined || isRealmWord(run, there)) continue;
          const answer = await askList(run, { of: 'listStashes', league: there, realm });
          // Only where the account plays is it certain that there is a list.
          if (there !== played && answer.status >= 400 && answer.status <= 499) continue;
          asked += 1;
          if (there === played) await sameForEveryClient(run, 'listStashes', { args: { league: there, realm } });
          const tabs = walk(run.list(answer, 'stashes'));
          areAll(run, 'StashTab', run.list(answer, 'stashes'), answer);
          const shared = tabs.filter(({ id }) => own.has(id.toLowerCase())).map(({ id }) => id);
          run.that(shared.length === 0, `tabs of realm ${realm}, none of those of pc`, shared, answer);
          for (const { id } of tabs) own.add(id.toLowerCase());
        }
      }
      if (asked === 0) run.notExercised('the account plays in no league of xbox or sony');
    },
    { requests: 44 },
  ),

  check('STASH-LIST-006', async (run) => {
    const own = new Set((await tabsOf(run, await home(run))).map(({ id }) => id.toLowerCase()));
    const answer = await askList(run, { of: 'listStashes', league: 'cx-no-such-league' });
    const list = member(answer.json, 'stashes');
    const tabs = Array.isArray(list) ? walk(list) : undefined;
    run.note(`an unknown league: status ${answer.status}, ${tabs?.length ?? 'no'} tabs`);
    if (tabs?.some(({ id }) => own.has(id.toLowerCase()))) {
      run.warn('tabs of another league are listed for a league that does not exist', answer);
    }
  }),

  check(
    'STASH-LIST-007',
    async (run) => {
      const { place, tabs } = await tabsAtHome(run);
      const others = await elsewhere(run, 'pc', 2);
      if (others.length === 0) run.notExercised('the account has tabs in one league of realm pc only');
      const own = new Set(tabs.map(({ id }) => id.toLowerCase()));
      for (const other of others) {
        const shared = (await tabsIfAny(run, other)).filter(({ id }) => own.has(id.toLowerCase()));
        run.that(
          shared.length === 0,
          `no tab id in both ${place.league} and ${other.league}`,
          shared.map(({ id }) => id),
        );
      }
    },
    { requests: 16 },
  ),

  check(
    'STASH-GET-001',
    async (run) => {
      await tabsAtHome(run);
      await run.each(
        await lookups(run, await home(run), most),
        ({ tab }) => `tab ${tab.id}`,
        async ({ tab, answer }) => {
          const stash = run.has(answer, 'stash');
          isA(run, 'StashTab', stash, answer);
          run.that(same(member(stash, 'id'), tab.id), `the tab ${tab.id}`, member(stash, 'id') ?? stash, answer);
        },
      );
      if (!run.target.accounts['bob']) return;
      const { league } = await home(run);
      const [first] = (await lookups(run, await home(run), most)).filter(({ tab }) => !isFolder(run, tab));
      if (first) await answeredApart(run, 'getStash', byBoth(run, { args: { league, stash_id: first.tab.id } }));
      // What another account is shown in its list is there for it, too.
      const theirs: Place = { ...(await home(run)), account: 'bob' };
      for (const { id } of topLevel(await tabsIfAny(run, theirs)).slice(0, 3)) {
        const answer = await askTab(run, theirs, id);
        const stash = run.has(answer, 'stash');
        run.that(
          same(member(stash, 'id'), id),
          `the tab ${id} in the list of bob`,
          member(stash, 'id') ?? stash,
          answer,
        );
      }
    },
    { requests: most + 14 },
  ),

  check(
    'STASH-GET-002',
    async (run) => {
      const { place, tabs } = await tabsAtHome(run);
      const found = await lookups(run, await home(run), most);
      const holders = found.filter(({ tab }) => !isFolder(run, tab) && !same(tab.id, run.target.known.empty_tab));
      if (holders.length === 0)
        run.notExercised('every tab at top level is a folder, or the one that is declared empty');
      // A tab whose items are all in its sub-tabs has none itself.
      const parents = new Set(subTabs(run, tabs).map(({ parent }) => parent.id));
      if (holders.every(({ tab }) => parents.has(tab.id))) run.notExercised('every tab at top level has sub-tabs');
      const shown = holders
        .filter(({ tab }) => !parents.has(tab.id))
        .map(({ tab: { id }, answer }) => ({ id, shown: member(answer.json, 'stash') }));
      await inOnePlace(run, shown, async (id) => member((await askTab(run, await home(run), id)).json, 'stash'));
      const full = holders.filter(({ answer }) => (itemsOf(member(answer.json, 'stash'))?.length ?? 0) > 0);
      // That a tab has items is not promised: one that is declared to have none tells that others have.
      if (full.length === 0 && run.target.known.empty_tab === undefined)
        run.notExercised('no tab at top level has items');
      run.that(full.length > 0, 'items in some tab', `${holders.length} tabs without items`, holders[0]?.answer);
      const plain = holders.filter(({ tab }) => !parents.has(tab.id)).map(({ tab, answer }) => ({ tab, answer }));
      for (const tab of tabs.filter((one) => one.within !== undefined && !isFolder(run, one)).slice(0, 3)) {
        plain.push({ tab, answer: await askTab(run, place, tab.id) });
      }
      const bare = plain.filter(({ tab, answer }) => {
        const stash = member(answer.json, 'stash');
        return same(member(stash, 'id'), tab.id) && itemsOf(stash) === undefined;
      });
      await listsNothing(
        run,
        bare.map(({ tab }) => tab.id),
      );
      for (const { tab } of full.slice(0, 1)) {
        await sameForEveryClient(run, 'getStash', { args: { league: place.league, stash_id: tab.id } });
      }
    },
    { requests: 28 },
  ),

  check(
    'STASH-GET-003',
    async (run) => {
      const place = await home(run);
      const own = (await tabsOf(run, place)).map(({ id }) => id);
      await run.property(
        'unknown tab',
        gHex10(own),
        async (id) => nothing(run, await askTab(run, place, id), 'stash'),
        { share: 0.15 },
      );
      for (const id of nearIds(own, 2)) nothing(run, await askTab(run, place, id), 'stash');
      await keptApart(run, false);
      await run.property(
        'id that is no hexadecimal number',
        gWord(own).filter((word) => !/^[0-9a-f]{10}$/i.test(word)),
        async (id) => {
          withheld(run, await askTab(run, place, id), 'stash');
        },
        { share: 0.05 },
      );
    },
    { requests: 100 },
  ),

  check('STASH-GET-004', async (run) => {
    await tabsAtHome(run);
    const place = await home(run);
    await run.each(
      await lookups(run, place, most),
      ({ tab }) => `tab ${tab.id}`,
      async ({ tab, answer }) => {
        const differs = (listed: unknown, got: unknown): string | undefined =>
          contradiction(listed as never, got as never, ['name', 'type']) ??
          contradiction(metadataOf(listed), metadataOf(got), ['public', 'folder', 'colour', 'map']);
        const stash = run.has(answer, 'stash');
        if (stash === null) return run.that(false, 'the tab that is listed', stash, answer);
        let name = differs(tab.tab, stash);
        if (name !== undefined) {
          // The user may have changed it since: look at both again.
          const again = walk(run.list(await askList(run, place), 'stashes')).find(({ id }) => id === tab.id);
          name = again && differs(again.tab, run.has(await askTab(run, place, tab.id), 'stash'));
        }
        run.that(name === undefined, `the ${name} of the list`, { listed: tab.tab, got: stash }, answer);
      },
    );
    // A wrapped sub-tab is the one of the list, and so is its parent.
    await run.each(
      await subLookups(run, place, 20),
      ({ parent, sub }) => `sub-tab ${sub.id} of ${parent.id}`,
      async ({ parent, sub, answer }) => {
        const fault = (reply: Answer): string | undefined =>
          contradiction(parent.tab, (member(reply.json, 'stash') ?? {}) as Json, ['name', 'type']) ??
          contradiction(sub.tab, (innerOf(reply, sub.id) ?? {}) as Json, ['name', 'type']);
        const name = fault(answer) && fault(await askTab(run, place, parent.id, sub.id));
        run.that(name === undefined, `the ${name} of the list, of both tabs`, member(answer.json, 'stash'), answer);
      },
    );
  }),

  check(
    'STASH-GET-005',
    async (run) => {
      const { tabs } = await tabsAtHome(run);
      const others = [
        ...(await elsewhere(run, 'pc', 1)),
        ...(await elsewhere(run, 'xbox', 1)),
        ...(await elsewhere(run, 'sony', 1)),
      ];
      const { league } = await home(run);
      for (const place of await besides(run, league)) {
        const taken = new Set((await tabsIfAny(run, place)).map(({ id }) => id.toLowerCase()));
        for (const { stash, sub } of foreignTabs(run, tabs, 1)) {
          if (taken.has(stash.toLowerCase())) continue;
          withheld(run, await askTab(run, place, stash, sub), 'stash');
        }
      }
      for (const place of others) {
        const taken = new Set((await tabsIfAny(run, place)).map(({ id }) => id.toLowerCase()));
        for (const { id } of topLevel(tabs)
          .filter((tab) => !taken.has(tab.id.toLowerCase()))
          .slice(0, 3)) {
          nothing(run, await askTab(run, place, id), 'stash');
        }
        for (const { parent, sub } of subTabs(run, tabs).slice(0, 1)) {
          if (taken.has(parent.id.toLowerCase())) continue;
          nothing(run, await askTab(run, place, parent.id, sub.id), 'stash');
        }
      }
    },
    { requests: 50 },
  ),

  check(
    'STASH-SUB-001',
    async (run) => {
      const { place } = await subsAtHome(run);
      await run.each(
        await subLookups(run, place, 20),
        ({ parent, sub }) => `sub-tab ${sub.id} of ${parent.id}`,
        async ({ parent, sub, answer }) => {
          wrapped(run, answer, parent.id, sub.id);
          isA(run, 'StashTab', member(answer.json, 'stash'), answer);
        },
      );
      const { parent_tab, sub_tab } = run.target.known;
      if (parent_tab !== undefined && sub_tab !== undefined) {
        wrapped(run, await askTab(run, place, parent_tab, sub_tab), parent_tab, sub_tab);
      }
    },
    { requests: 21 },
  ),

  check(
    'STASH-SUB-002',
    async (run) => {
      const { place } = await subsAtHome(run);
      const found = await subLookups(run, place, 20);
      const shown = found.map(({ parent, sub, answer }) => ({ parent, id: sub.id, shown: innerOf(answer, sub.id) }));
      await inOnePlace(run, shown, async (id) => {
        const { parent } = shown.find((one) => same(one.id, id))!;
        return innerOf(await askTab(run, place, parent.id, id), id);
      });
      const full = shown.filter((one) => (itemsOf(one.shown)?.length ?? 0) > 0);
      // As with tabs at top level, items are not promised.
      if (full.length === 0 && run.target.known.empty_tab === undefined) run.notExercised('no sub-tab has items');
      run.that(full.length > 0, 'items in some sub-tab', `${found.length} sub-tabs without items`, found[0]?.answer);
      for (const { parent, id } of full.slice(0, 1)) {
        const args = { league: place.league, stash_id: parent.id, substash_id: id };
        await sameForEveryClient(run, 'getStash', { args });
      }
    },
    { requests: 40 },
  ),

  check(
    'STASH-SUB-004',
    async (run) => {
      const { place, pairs } = await subsAtHome(run);
      const wrong = await mismatches(run, place);
      const ids = (await tabsOf(run, place)).map(({ id }) => id);
      if (wrong.length > 0) {
        await run.property(
          'sub-tab of another tab',
          fc.constantFrom(...wrong),
          async ([stash, sub]) => nothing(run, await askTab(run, place, stash, sub), 'stash'),
          { share: 0.12, examples: [wrong[0]!] },
        );
      }
      await run.property(
        'unknown sub-tab',
        fc.record({ pair: fc.constantFrom(...pairs), sub: gHex10(ids) }),
        async ({ pair, sub }) => nothing(run, await askTab(run, place, pair.parent.id, sub), 'stash'),
        { share: 0.08 },
      );
      await run.property(
        'sub-tab of an unknown tab',
        fc.record({ pair: fc.constantFrom(...pairs), stash: gHex10(ids) }),
        async ({ pair, stash }) => nothing(run, await askTab(run, place, stash, pair.sub.id), 'stash'),
        { share: 0.03 },
      );
      const { parent, sub } = pairs[0]!;
      for (const id of nearIds([sub.id, ...ids], 1)) {
        nothing(run, await askTab(run, place, parent.id, id), 'stash');
      }
      for (const id of nearIds([parent.id, ...ids], 1)) nothing(run, await askTab(run, place, id, sub.id), 'stash');
      await keptApart(run, true);
    },
    { requests: 64 },
  ),

  check('STASH-SUB-005', async (run) => {
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
      run.note(`${what} as stash_id: status ${answer.status}, ${found}`);
    }
    // That a folder is a parent is nowhere said, nor that it is none.
    if (inFolder) {
      const answer = await askTab(run, place, inFolder.within!, inFolder.id);
      const stash = member(answer.json, 'stash');
      run.note(
        `a tab in a folder as its sub-tab: status ${answer.status}, ${stash === null ? 'null' : 'a wrapped tab'}`,
      );
    }
    if (!sub && !inFolder) run.notExercised('the list shows neither sub-tabs nor folders');
  }),
]);
