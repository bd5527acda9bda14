import { check } from '../../engine/check.js';
import type { JsonObject } from '../../json.js';
import type { Run } from '../../engine/run.js';
import { gHex10, gWord } from '../../generators/data.js';
import { accountLeagues, isRealmWord } from '../../model/account.js';
import { expectNull, expectDenied } from '../../model/expect-null.js';
import { answeredApart, byBoth, sameForEveryClient } from '../../model/one-answer.js';
import { contradiction } from '../../model/difference.js';
import { isA } from '../../model/schema.js';
import type { StashList } from '../../model/tabs.js';
import {
  askList,
  askTab,
  foreignTabs,
  innerOf,
  isFolder,
  isItself,
  isTab,
  itemsOf,
  listsNothing,
  lookups,
  nearIds,
  same,
  subLookups,
  subTabs,
  tabsIfAny,
  tabsOf,
  topLevel,
  walk,
} from '../../model/tabs.js';
import type { Answer } from '../../wire/answer.js';
import { member } from '../../wire/answer.js';
import { elsewhere, home, inOnePlace, keptApart, tabsAtHome } from './stash-places.js';

const most = 40;

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

/** That the tabs of a list are what their lookups show. */
export async function tabsAsListed(run: Run, place: StashList, most: number): Promise<void> {
  await run.expect.each('tab $tab.id', await lookups(run, place, most), async ({ tab, answer }) => {
    const differs = (listed: unknown, got: unknown): string | undefined =>
      contradiction(listed as never, got as never, ['name', 'type']) ??
      contradiction(metadataOf(listed), metadataOf(got), ['public', 'folder', 'colour', 'map']);
    const stash = run.expect.has(answer, 'stash');
    if (stash === null) return run.expect.that(false, 'the tab that is listed', stash, answer);
    let name = differs(tab.tab, stash);
    if (name !== undefined) {
      // The user may have changed it since: look at both again.
      const again = walk(run.expect.list(await askList(run, place), 'stashes')).find(({ id }) => id === tab.id);
      name = again && differs(again.tab, run.expect.has(await askTab(run, place, tab.id), 'stash'));
    }
    run.expect.that(name === undefined, `the ${name} of the list`, { listed: tab.tab, got: stash }, answer);
  });
}

/** Places in which the account need not have a tab: other leagues, one that does not exist, other realms. */
async function besides(run: Run, league: string): Promise<readonly StashList[]> {
  const leagues = run.oauth.obtainable().has('account:leagues') ? await accountLeagues(run, 'pc') : [];
  const others = leagues.filter((one) => one !== league && !isRealmWord(run, one)).slice(0, 2);
  const realms = isRealmWord(run, league) ? [] : ['xbox', 'sony'];
  return [
    ...[...others, 'cx-no-such-league'].map((one): StashList => ({ of: 'listStashes', league: one })),
    ...realms.map((realm): StashList => ({ of: 'listStashes', league, realm })),
  ];
}

/** One tab by its id. */
export const stashLookups = [
  check({
    id: 'STASH-GET-001',
    level: 'MUST',
    sentence: 'GET /stash/<league>/<stash_id> returns `stash`, the StashTab of that id.',
    source: '4.2',
    needs: [['client:confidential', 'client:public'], 'consent'],
    judge: async (run) => {
      await tabsAtHome(run);
      await run.expect.each('tab $tab.id', await lookups(run, await home(run), most), async ({ tab, answer }) => {
        isA(run, 'StashTab', isTab(run, answer, tab.id), answer);
      });
      if (!run.oauth.accounts().includes('bob')) return;
      const { league } = await home(run);
      const [first] = (await lookups(run, await home(run), most)).filter(({ tab }) => !isFolder(run, tab));
      if (first) await answeredApart(run, 'getStash', byBoth(run, { args: { league, stash_id: first.tab.id } }));
      // What another account is shown in its list is there for it, too.
      const theirs: StashList = { ...(await home(run)), account: 'bob' };
      for (const { id } of topLevel(await tabsIfAny(run, theirs)).slice(0, 3)) {
        isTab(run, await askTab(run, theirs, id), id);
      }
    },
  }),

  check({
    id: 'STASH-GET-002',
    level: 'MUST',
    sentence: 'A tab comes with its items, where it has any.',
    source: '4.2',
    gap: 'K-135',
    needs: [['client:confidential', 'client:public'], 'consent'],
    judge: async (run) => {
      const { place, tabs } = await tabsAtHome(run);
      const found = await lookups(run, await home(run), most);
      const holders = found.filter(({ tab }) => !isFolder(run, tab) && !same(tab.id, run.facts.target.known.empty_tab));
      if (holders.length === 0)
        run.expect.notExercised('every tab at top level is a folder, or the one that is declared empty');
      // A tab whose items are all in its sub-tabs has none itself.
      const parents = new Set(subTabs(run, tabs).map(({ parent }) => parent.id));
      if (holders.every(({ tab }) => parents.has(tab.id)))
        run.expect.notExercised('every tab at top level that may have items has sub-tabs');
      const shown = holders
        .filter(({ tab }) => !parents.has(tab.id))
        .map(({ tab: { id }, answer }) => ({ id, shown: member(answer.json, 'stash') }));
      await inOnePlace(run, shown, async (id) => member((await askTab(run, await home(run), id)).json, 'stash'));
      const full = holders.filter(({ answer }) => (itemsOf(member(answer.json, 'stash'))?.length ?? 0) > 0);
      // That a tab has items is not promised: one that is declared to have none tells that others have.
      if (full.length === 0 && run.facts.target.known.empty_tab === undefined)
        run.expect.notExercised('no tab at top level has items');
      run.expect.that(full.length > 0, 'items in some tab', `${holders.length} tabs without items`, holders[0]?.answer);
      const plain = holders.filter(({ tab }) => !parents.has(tab.id)).map(({ tab, answer }) => ({ tab, answer }));
      const within = tabs.filter((one) => one.within !== undefined && !isFolder(run, one) && !parents.has(one.id));
      for (const tab of within.slice(0, 3)) {
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
  }),

  check({
    id: 'STASH-GET-003',
    level: 'MUST',
    sentence: 'For an unknown tab `stash` is there and null.',
    source: '4.2,7',
    gap: 'K-115',
    needs: [['client:confidential', 'client:public'], 'consent'],
    judge: async (run) => {
      const place = await home(run);
      const own = (await tabsOf(run, place)).map(({ id }) => id);
      await run.expect.property('unknown tab', gHex10(own), { share: 0.15 }, async (id) =>
        expectNull(run, await askTab(run, place, id), 'stash'),
      );
      for (const id of nearIds(own, 2)) expectNull(run, await askTab(run, place, id), 'stash');
      for (const id of own.slice(0, 2))
        for (const part of [id.slice(0, -1), id.slice(1)])
          if (!own.includes(part)) expectDenied(run, await askTab(run, place, part), 'stash');
      await keptApart(run, false);
      await run.expect.property(
        'id that is no hexadecimal number',
        gWord(own).filter((word) => !/^[0-9a-f]{10}$/i.test(word)),
        { share: 0.05 },
        async (id) => {
          expectDenied(run, await askTab(run, place, id), 'stash');
        },
      );
    },
  }),

  check({
    id: 'STASH-GET-004',
    level: 'INFER',
    sentence: 'List and lookup of a tab agree on name, type and metadata.',
    source: '4.2',
    entailed: '4.2: list and lookup are two ways to ask for one fact, and agree',
    needs: [['client:confidential', 'client:public'], 'consent'],
    judge: async (run) => {
      await tabsAtHome(run);
      const place = await home(run);
      await tabsAsListed(run, place, most);
      // A wrapped sub-tab is the one of the list, and so is its parent.
      await run.expect.each(
        'sub-tab $sub.id of $parent.id',
        await subLookups(run, place, 20),
        async ({ parent, sub, answer }) => {
          const fault = (reply: Answer): string | undefined =>
            (isItself(run, reply, sub.id)
              ? undefined
              : contradiction(parent.tab, (member(reply.json, 'stash') ?? {}) as JsonObject, ['name', 'type'])) ??
            contradiction(sub.tab, (innerOf(run, reply, sub.id) ?? {}) as JsonObject, ['name', 'type']);
          const name = fault(answer) && fault(await askTab(run, place, parent.id, sub.id));
          run.expect.that(
            name === undefined,
            `the ${name} of the list, of both tabs`,
            member(answer.json, 'stash'),
            answer,
          );
        },
      );
    },
  }),

  check({
    id: 'STASH-GET-005',
    level: 'INFER',
    sentence: 'A tab asked for under another league or realm is null.',
    source: '4.2',
    entailed: '4.2, 7: league and realm select the tabs, and one that is not among them is null',
    needs: [['client:confidential', 'client:public'], 'consent'],
    judge: async (run) => {
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
          expectDenied(run, await askTab(run, place, stash, sub), 'stash');
        }
      }
      for (const place of others) {
        const taken = new Set((await tabsIfAny(run, place)).map(({ id }) => id.toLowerCase()));
        for (const { id } of topLevel(tabs)
          .filter((tab) => !taken.has(tab.id.toLowerCase()))
          .slice(0, 3)) {
          expectNull(run, await askTab(run, place, id), 'stash');
        }
        for (const { parent, sub } of subTabs(run, tabs).slice(0, 1)) {
          if (taken.has(parent.id.toLowerCase())) continue;
          expectNull(run, await askTab(run, place, parent.id, sub.id), 'stash');
        }
      }
    },
  }),
];
