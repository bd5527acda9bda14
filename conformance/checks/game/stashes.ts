import { check, group, observation } from '../../engine/check.js';
import { accountLeagues, isRealmWord, leagueOfPlay } from '../../model/account.js';
import { sameForEveryClient } from '../../model/one-answer.js';
import { areAll } from '../../model/schema.js';
import type { StashList } from '../../model/tabs.js';
import {
  askList,
  listsTabs,
  listsWhatIsInTabs,
  oneTab,
  same,
  sharedIds,
  tabsIfAny,
  tabsOf,
  walk,
  warnOfUnlisted,
  withSubTabs,
} from '../../model/tabs.js';
import { member } from '../../wire/answer.js';
import { stashLookups } from './stash-lookups.js';
import { elsewhere, home, tabsAtHome } from './stash-places.js';
import { substashLookups } from './substash-lookups.js';

export default group('game/stashes', [
  check({
    id: 'STASH-LIST-001',
    level: 'MUST',
    sentence: 'GET /stash/<league> returns `stashes`, an array of StashTab.',
    source: '4.2',
    needs: [['client:confidential', 'client:public'], 'consent'],
    judge: async (run) => {
      await listsTabs(run, await home(run));
    },
  }),

  check({
    id: 'STASH-LIST-002',
    level: 'MUST',
    sentence: 'The list includes sub-tabs and tabs in folders, nested or flat.',
    source: '4.2',
    gap: 'K-042',
    needs: [['client:confidential', 'client:public'], 'consent'],
    judge: async (run) => {
      const place = await home(run);
      const { folder_tab, parent_tab, sub_tab, empty_tab } = run.facts.target.known;
      const answer = await askList(run, place);
      const listed = await withSubTabs(run, place, walk(run.expect.list(answer, 'stashes')));
      warnOfUnlisted(run, answer, listed);
      await run.case('what lookups show', () => listsWhatIsInTabs(run, place));
      const declared = Object.entries({ folder_tab, parent_tab, sub_tab, empty_tab });
      for (const [key, id] of declared) {
        if (id === undefined) continue;
        run.expect.that(
          listed.some((tab) => same(tab.id, id)),
          `the ${key} ${id} in the list`,
          listed.map((tab) => tab.id),
          answer,
        );
      }
      const nested = listed.some(({ tab }) => Array.isArray(tab['children']) && tab['children'].length > 0);
      // In a flat list nothing but the field `folder`, which is optional, says what stands in a folder.
      if (folder_tab !== undefined && (nested || listed.some(({ tab }) => tab['folder'] !== undefined))) {
        run.expect.that(
          listed.some(({ within }) => same(within, folder_tab)),
          `tabs in the folder ${folder_tab} (known.folder_tab is to be a folder with tabs)`,
          listed.map((tab) => tab.id),
          answer,
        );
      }
      if (declared.every(([, id]) => id === undefined)) {
        if (listed.length === 0) run.expect.notExercised(`the account has no tabs in ${place.league}`);
        if (listed.every(({ within }) => within === undefined)) {
          run.expect.notExercised('the target declares no sub-tab and no folder, and the list shows none');
        }
        run.expect.that(listed.length > 0, 'sub-tabs or tabs in folders', listed.length, answer);
      }
    },
  }),

  check({
    id: 'STASH-LIST-003',
    level: 'MUST',
    sentence: 'xbox and sony in the path select the tabs of that realm.',
    source: '4.2',
    needs: [['client:confidential', 'client:public'], 'consent', 'scope:account:characters'],
    judge: async (run) => {
      const { league } = await home(run);
      const pc: StashList = { of: 'listStashes', league };
      const before = [{ place: pc, tabs: await tabsOf(run, pc) }];
      let asked = 0;
      for (const realm of ['xbox', 'sony']) {
        const played = await leagueOfPlay(run, realm);
        for (const there of new Set([played, ...(await accountLeagues(run, realm)).slice(0, 2)])) {
          if (there === undefined || isRealmWord(run, there)) continue;
          const place: StashList = { of: 'listStashes', league: there, realm };
          const answer = await askList(run, place);
          // Only where the account plays is it certain that there is a list.
          if (there !== played && answer.status >= 400 && answer.status <= 499) continue;
          asked += 1;
          if (there === played) await sameForEveryClient(run, 'listStashes', { args: { league: there, realm } });
          const tabs = walk(run.expect.list(answer, 'stashes'));
          areAll(run, 'StashTab', run.expect.list(answer, 'stashes'), answer);
          for (const one of before) {
            const shared = await oneTab(run, place, one.place, sharedIds(tabs, one.tabs));
            run.expect.that(shared.length === 0, `tabs of realm ${realm}, none of those of pc`, shared, answer);
          }
          before.push({ place, tabs });
        }
      }
      if (asked === 0) run.expect.notExercised('the account plays in no league of xbox or sony');
    },
  }),

  observation({
    id: 'STASH-LIST-006',
    sentence: 'What the list for an unknown league gives is not stated; it shows no tabs of another league.',
    source: '4.2',
    gap: 'K-025',
    needs: [['client:confidential', 'client:public'], 'consent'],
    observe: async (run, note) => {
      const own = new Set((await tabsOf(run, await home(run))).map(({ id }) => id.toLowerCase()));
      const answer = await askList(run, { of: 'listStashes', league: 'cx-no-such-league' });
      const list = member(answer.json, 'stashes');
      const tabs = Array.isArray(list) ? walk(list) : undefined;
      note(`an unknown league: status ${answer.status}, ${tabs?.length ?? 'no'} tabs`);
      if (tabs?.some(({ id }) => own.has(id.toLowerCase()))) {
        run.expect.warn('tabs of another league are listed for a league that does not exist', answer);
      }
    },
  }),

  check({
    id: 'STASH-LIST-007',
    level: 'INFER',
    sentence: 'Leagues are separate: two of them share no tab id.',
    source: '4.2',
    plausible: 'ids of tabs are not called unique beyond their league',
    needs: [['client:confidential', 'client:public'], 'consent'],
    judge: async (run) => {
      const { place, tabs } = await tabsAtHome(run);
      const others = await elsewhere(run, 'pc', 2);
      if (others.length === 0)
        run.expect.notExercised('no tabs were found in another league of the account, in realm pc');
      const own = new Set(tabs.map(({ id }) => id.toLowerCase()));
      for (const other of others) {
        const shared = (await tabsIfAny(run, other)).filter(({ id }) => own.has(id.toLowerCase()));
        run.expect.that(
          shared.length === 0,
          `no tab id in both ${place.league} and ${other.league}`,
          shared.map(({ id }) => id),
        );
      }
    },
  }),

  ...stashLookups,
  ...substashLookups,
]);
