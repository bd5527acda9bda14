import { check, group, observation } from '../../engine/check.js';
import type { Run } from '../../engine/run.js';
import { gHex10 } from '../../generators/data.js';
import { accountLeagues, isRealmWord } from '../../model/account.js';
import { expectNull, expectDenied } from '../../model/expect-null.js';
import { sameForEveryClient } from '../../model/one-answer.js';
import { isA } from '../../model/schema.js';
import type { StashList, ListedTab } from '../../model/tabs.js';
import {
  askList,
  askTab,
  foreignTabs,
  isFolder,
  isTab,
  itemsOf,
  listsNothing,
  listsTabs,
  lookups,
  nearIds,
  oneTab,
  noOtherSubTabs,
  same,
  sharedIds,
  subLookups,
  subTabs,
  tabsIfAny,
  tabsOf,
  topLevel,
  walk,
  withSubTabs,
  wrapped,
  listsWhatIsInTabs,
  warnOfUnlisted,
  warnOfUnwrapped,
} from '../../model/tabs.js';
import { member } from '../../wire/answer.js';
import { tabsAsListed } from './stash-lookups.js';

const most = 20;

async function home(run: Run): Promise<StashList> {
  const { guild_league } = run.facts.target.known;
  if (guild_league !== undefined) return { of: 'listGuildStashes', league: guild_league };
  // Whether the account is in a guild at all is then not known, nor what a server answers where it is in none.
  const place: StashList = {
    of: 'listGuildStashes',
    league: String((await run.facts.sample('listGuildStashes')).args?.['league']),
  };
  if ((await tabsIfAny(run, place)).length === 0)
    run.expect.notExercised(`no guild tabs are known of in ${place.league}`);
  return place;
}

/** Guild tabs; *not exercised* where the account sees none. */
async function tabsAtHome(run: Run) {
  const place = await home(run);
  const tabs = await tabsOf(run, place);
  if (tabs.length === 0) run.expect.notExercised(`the account sees no guild tabs in ${place.league}`);
  return { place, tabs };
}

/** Lookups of a few sub-tabs of the guild in other realms. */
async function subLookupsInRealms(run: Run, { of, league }: StashList) {
  const found = [];
  for (const realm of ['xbox', 'sony']) {
    const place: StashList = { of, league, realm };
    if ((await tabsIfAny(run, place)).length > 0) found.push(...(await subLookups(run, place, 5)));
  }
  return found;
}

/** The declared tabs that this account does not see and another one does. */
function hiddenFrom(guildTabs: GuildTabs, account: string): readonly string[] {
  const own = guildTabs[account] ?? [];
  return [...new Set(Object.values(guildTabs).flat())].filter((id) => !own.some((one) => same(one, id)));
}

type GuildTabs = Readonly<Record<string, readonly string[]>>;

/** A tab that other accounts may access, by the target; how many were tried. */
async function declaredTabs(run: Run, place: StashList, guildTabs: GuildTabs): Promise<number> {
  const accounts = Object.keys(guildTabs).filter((one) => run.oauth.accounts().includes(one));
  const pairs = accounts.flatMap((account) =>
    hiddenFrom(guildTabs, account)
      .slice(0, 4)
      .map((id) => ({ account, id })),
  );
  for (const { account, id } of pairs) {
    // Somebody who may has just seen it, in case a server keeps its answers.
    const other = accounts.find((one) => guildTabs[one]?.some((seen) => same(seen, id)));
    if (other !== undefined) await askTab(run, { ...place, account: other }, id);
    expectDenied(run, await askTab(run, { ...place, account }, id), 'stash');
  }
  return pairs.length;
}

/** The sub-tabs of a tab are as hidden as the tab. */
async function hiddenSubTabs(run: Run, place: StashList, guildTabs: GuildTabs): Promise<number> {
  if (!run.oauth.accounts().includes('bob') || !guildTabs['bob']) return 0;
  const hidden = hiddenFrom(guildTabs, 'bob');
  const pairs = subTabs(run, await tabsOf(run, place))
    .filter(({ parent }) => hidden.some((id) => same(id, parent.id)))
    .slice(0, 2);
  for (const { parent, sub } of pairs)
    expectDenied(run, await askTab(run, { ...place, account: 'bob' }, parent.id, sub.id), 'stash');
  return pairs.length;
}

/** What the list of an account leaves out, it is not shown by its id either. */
async function unlistedTabs(run: Run, place: StashList, guildTabs: GuildTabs): Promise<number> {
  const outsiders = run.oauth.accounts().filter((account) => guildTabs[account] === undefined);
  let tried = 0;
  for (const account of outsiders.slice(0, 2)) {
    const seen = (await tabsIfAny(run, { ...place, account })).map(({ id }) => id);
    const hidden = foreignTabs(run, await tabsOf(run, place), 2).filter(
      ({ stash }) => !seen.some((id) => same(id, stash)),
    );
    for (const { stash, sub } of hidden) {
      tried += 1;
      await askTab(run, place, stash, sub);
      expectDenied(run, await askTab(run, { ...place, account }, stash, sub), 'stash');
    }
  }
  return tried;
}

/** A tab that the declaration does not name belongs to the account with a tab that it does name. */
function belongs(tab: ListedTab, tabs: readonly ListedTab[], declared: readonly string[]): boolean {
  if (declared.some((id) => same(id, tab.id))) return true;
  const around = tab.within === undefined ? undefined : tabs.find(({ id }) => same(id, tab.within));
  return around !== undefined && around !== tab && belongs(around, tabs, declared);
}

/**
 * Whether some of so many tabs are sure to have items: that a tab has any is not promised, but where the target
 * declares one tab that has none, others have some.
 */
const haveItems = (run: Run, count: number): boolean => count >= 2 && run.facts.target.known.empty_tab !== undefined;

export default group('game/guild', [
  check({
    id: 'GUILD-LIST-001',
    level: 'MUST',
    sentence: 'GET /guild/stash/<league> returns `stashes`, an array of StashTab.',
    source: '4.2',
    needs: ['client:guild', 'consent'],
    judge: async (run) => {
      await listsTabs(run, await home(run));
    },
  }),

  check({
    id: 'GUILD-LIST-002',
    level: 'MUST',
    sentence: 'The list holds only those tabs of the guild that the account may access.',
    source: '4.2',
    needs: ['client:guild', 'consent', 'second-account', 'known:guild_tabs'],
    judge: async (run) => {
      const guildTabs = run.facts.known('guild_tabs');
      const place = await home(run);
      const accounts = Object.keys(guildTabs).filter((account) => run.oauth.accounts().includes(account));
      if (accounts.length < 2) run.expect.missing('two accounts with known.guild_tabs');
      await run.expect.each('%s', accounts, async (account) => {
        const answer = await askList(run, { ...place, account });
        const tabs = await withSubTabs(run, { ...place, account }, walk(run.expect.list(answer, 'stashes')));
        const declared = guildTabs[account]!;
        const hidden = hiddenFrom(guildTabs, account);
        const extra = tabs.filter((tab) => hidden.some((id) => same(id, tab.id)) || !belongs(tab, tabs, declared));
        run.expect.that(
          extra.length === 0,
          `only the tabs that ${account} may access: ${declared.join(', ')}`,
          extra.map(({ id }) => id),
          answer,
        );
        const missing = declared.filter((id) => !tabs.some((tab) => same(tab.id, id)));
        run.expect.that(
          missing.length === 0,
          `all tabs that ${account} may access`,
          `without ${missing.join(', ')}`,
          answer,
        );
      });
    },
  }),

  check({
    id: 'GUILD-LIST-003',
    level: 'MUST',
    sentence: "The list of the guild's tabs includes sub-tabs and tabs in folders, nested or flat.",
    source: '4.2',
    gap: 'K-042',
    needs: ['client:guild', 'consent'],
    judge: async (run) => {
      const { place, tabs } = await tabsAtHome(run);
      const answer = await askList(run, place);
      warnOfUnlisted(run, answer, tabs);
      await run.case('what lookups show', () => listsWhatIsInTabs(run, place));
      const declared = run.facts.target.known.guild_tabs?.['alice'] ?? [];
      for (const id of declared) {
        run.expect.that(
          tabs.some((tab) => same(tab.id, id)),
          `the tab ${id} in the list`,
          tabs.map((tab) => tab.id),
          answer,
        );
      }
      // A flat list need not say which tabs are sub-tabs; then the declared ids are all there is to go by.
      const inner = tabs.filter(({ within }) => within !== undefined);
      if (inner.length > 0) {
        run.expect.that(true, 'sub-tabs or tabs in folders', inner.length);
      } else if (tabs.some((tab) => isFolder(run, tab))) {
        run.expect.that(run.facts.flag('F-TAB-FOLDER') !== 'on', 'tabs in the folders of the list', tabs, answer);
      }
      if (inner.length === 0 && declared.length === 0)
        run.expect.notExercised('the guild shows no sub-tab and no folder');
    },
  }),

  check({
    id: 'GUILD-GET-001',
    level: 'MUST',
    sentence:
      'GET /guild/stash/<league>/<stash_id> returns `stash`, the StashTab of that id with its items, where it has any.',
    source: '4.2',
    needs: ['client:guild', 'consent'],
    judge: async (run) => {
      const { place, tabs } = await tabsAtHome(run);
      const found = await lookups(run, place, most);
      await run.expect.each('tab $tab.id', found, async ({ tab, answer }) => {
        isA(run, 'StashTab', isTab(run, answer, tab.id), answer);
      });
      const parents = new Set(subTabs(run, tabs).map(({ parent }) => parent.id));
      const holders = found.filter(({ tab }) => !isFolder(run, tab) && !parents.has(tab.id));
      const full = holders.filter(({ answer }) => (itemsOf(member(answer.json, 'stash'))?.length ?? 0) > 0);
      run.expect.that(
        !haveItems(run, holders.length) || full.length > 0,
        'items in some tab',
        `${holders.length} tabs without items`,
        holders[0]?.answer,
      );
      await listsNothing(
        run,
        holders.filter(({ answer }) => itemsOf(member(answer.json, 'stash')) === undefined).map(({ tab }) => tab.id),
      );
      for (const { tab } of [...full, ...found].slice(0, 1)) {
        await sameForEveryClient(run, 'getGuildStash', { args: { league: place.league, stash_id: tab.id } });
      }
    },
  }),

  check({
    id: 'GUILD-GET-004',
    level: 'INFER',
    sentence: 'List and lookup of a guild tab agree on name, type and metadata.',
    source: '4.2',
    entailed: '4.2: list and lookup are two ways to ask for one fact, and agree',
    needs: ['client:guild', 'consent'],
    judge: async (run) => {
      const { place } = await tabsAtHome(run);
      await tabsAsListed(run, place, most);
    },
  }),

  check({
    id: 'GUILD-GET-002',
    level: 'MUST',
    sentence: 'For an unknown tab of the guild `stash` is there and null.',
    source: '4.2,7',
    gap: 'K-115',
    needs: ['client:guild', 'consent'],
    judge: async (run) => {
      const place = await home(run);
      const known = [
        ...(await tabsOf(run, place)).map(({ id }) => id),
        ...Object.values(run.facts.target.known.guild_tabs ?? {}).flat(),
      ];
      await run.expect.property('unknown tab', gHex10(known), { share: 0.12 }, async (id) =>
        expectNull(run, await askTab(run, place, id), 'stash'),
      );
      // A near id may be a tab that other members of the guild see: null or 4xx (K-126).
      for (const id of nearIds(known, 2)) expectDenied(run, await askTab(run, place, id), 'stash');
    },
  }),

  check({
    id: 'GUILD-GET-003',
    level: 'INFER',
    sentence: 'A tab that the account may not access shows no items: the answer is null or 4xx.',
    source: '4.2',
    entailed: '4.2: the list has the tabs that the account may access; list and lookup agree',
    gap: 'K-126',
    needs: ['client:guild', 'consent', 'second-account'],
    judge: async (run) => {
      const guildTabs = run.facts.target.known.guild_tabs ?? {};
      const place = await home(run);
      const tried = [
        await run.case('a declared tab of others', () => declaredTabs(run, place, guildTabs)),
        await run.case('a sub-tab of a hidden tab', () => hiddenSubTabs(run, place, guildTabs)),
        await run.case('a tab that the list leaves out', () => unlistedTabs(run, place, guildTabs)),
      ];
      if (tried.every((count) => count === 0))
        run.expect.notExercised('every account of the target sees the same guild tabs');
    },
  }),

  check({
    id: 'GUILD-GET-005',
    level: 'INFER',
    sentence: 'A guild tab asked for under another realm, whose list does not have it, is null or refused.',
    source: '4.2',
    entailed: '4.2, 7: league and realm select the tabs, and one that is not among them is null',
    gap: 'K-126',
    needs: ['client:guild', 'consent'],
    judge: async (run) => {
      const { place, tabs } = await tabsAtHome(run);
      if (isRealmWord(run, place.league)) run.expect.notExercised(`${place.league} is the word of a realm`);
      for (const realm of ['xbox', 'sony']) {
        const there = { ...place, realm };
        const taken = (await tabsIfAny(run, there)).map(({ id }) => id);
        for (const { stash, sub } of foreignTabs(run, tabs, 2)) {
          if (taken.some((id) => same(id, stash))) continue;
          expectDenied(run, await askTab(run, there, stash, sub), 'stash');
        }
      }
    },
  }),

  check({
    id: 'GUILD-SUB-001',
    level: 'MUST',
    sentence: 'A sub-tab of the guild comes wrapped by its parent, as in account stashes.',
    source: '4.2',
    gap: 'K-043',
    needs: ['client:guild', 'consent'],
    judge: async (run) => {
      const { place, tabs } = await tabsAtHome(run);
      if (subTabs(run, tabs).length === 0) run.expect.notExercised('no guild tab has sub-tabs');
      let found = 0;
      let full = 0;
      const bare: string[] = [];
      await run.expect.each(
        'sub-tab $sub.id of $parent.id',
        [...(await subLookups(run, place, 12)), ...(await subLookupsInRealms(run, place))],
        async ({ parent, sub, answer }) => {
          const inner = wrapped(run, answer, parent.id, sub.id);
          warnOfUnwrapped(run, answer, sub.id);
          isA(run, 'StashTab', member(answer.json, 'stash'), answer);
          found += 1;
          full += (itemsOf(inner)?.length ?? 0) > 0 ? 1 : 0;
          if (itemsOf(inner) === undefined) bare.push(sub.id);
        },
      );
      run.expect.that(!haveItems(run, found) || full > 0, 'items in some sub-tab', `${found} sub-tabs without items`);
      await listsNothing(run, bare);
      for (const { parent, sub } of (await subLookups(run, place, 12)).slice(0, 1)) {
        const args = { league: place.league, stash_id: parent.id, substash_id: sub.id };
        await sameForEveryClient(run, 'getGuildStash', { args });
      }
    },
  }),

  check({
    id: 'GUILD-SUB-002',
    level: 'INFER',
    sentence: 'A sub-tab of the guild whose parent is another tab gives null.',
    source: '4.2',
    entailed: '4.2, 7: a sub-tab is one whose parent is stash_id; of another parent it does not exist, and is null',
    gap: 'K-044',
    needs: ['client:guild', 'consent'],
    judge: async (run) => {
      const { place, tabs } = await tabsAtHome(run);
      if (subTabs(run, tabs).length === 0) run.expect.notExercised('no guild tab has sub-tabs');
      await noOtherSubTabs(run, place, { wrong: 0.08, unknown: 0.04 });
    },
  }),

  check({
    id: 'GUILD-ISO-001',
    level: 'INFER',
    sentence: 'Tabs of the account and of the guild are apart: the id of one is null among the others.',
    source: '4.2',
    entailed: "4.2, 7: one list is of the account's tabs, the other of the guild's; what is not in it is null",
    needs: ['client:guild', 'consent'],
    judge: async (run) => {
      const guild = await home(run);
      const { stash_league } = run.facts.target.known;
      const own: StashList = { of: 'listStashes', league: stash_league ?? guild.league };
      const ofGuild = topLevel(await tabsOf(run, guild));
      const ofAccount = topLevel(await tabsIfAny(run, own));
      const apart = (tabs: readonly ListedTab[], others: readonly ListedTab[]): readonly ListedTab[] =>
        tabs.filter((tab) => !others.some(({ id }) => same(id, tab.id))).slice(0, 4);
      if (ofGuild.length === 0 || ofAccount.length === 0)
        run.expect.notExercised('the account has tabs of one kind only');
      const one = await oneTab(run, guild, own, sharedIds(ofGuild, ofAccount));
      run.expect.that(one.length === 0, 'guild tabs that are no personal tabs', one);
      for (const { id } of apart(ofAccount, ofGuild)) expectNull(run, await askTab(run, guild, id), 'stash');
      for (const { id } of apart(ofGuild, ofAccount)) {
        expectNull(run, await askTab(run, { ...own, league: guild.league }, id), 'stash');
      }
      // The tabs of another league are others, as an account's are.
      if (!run.oauth.obtainable().has('account:leagues')) return;
      const league = (await accountLeagues(run, 'pc')).find((one) => one !== guild.league && !isRealmWord(run, one));
      if (league === undefined) return;
      const there = await tabsIfAny(run, { ...guild, league });
      for (const { id } of apart(ofGuild, there).slice(0, 2)) {
        expectDenied(run, await askTab(run, { ...guild, league }, id), 'stash');
      }
    },
  }),

  check({
    id: 'GUILD-SCOPE-001',
    level: 'MUST',
    sentence: 'Guild tabs need account:guild:stashes: with account:stashes alone the answer is 403.',
    source: '4.2,5.7',
    needs: ['client:guild', 'consent'],
    judge: async (run) => {
      const { league } = await home(run);
      const without = await run.oauth.token(['account:stashes'], { exact: true });
      const sufficient = await run.oauth.token(['account:guild:stashes']);
      const refused = async (
        operation: 'listGuildStashes' | 'getGuildStash',
        args: Readonly<Record<string, string>>,
      ) => {
        const refuse = await run.expect.negative<string>({
          valid: () => sufficient,
          send: (token) => run.http.data(operation, { args, token }),
          refused: (answer) => run.expect.status(answer, 403),
        });
        await refuse('a token with account:stashes only', () => without);
      };
      await refused('listGuildStashes', { league });
      const tabs = topLevel(await tabsOf(run, { of: 'listGuildStashes', league }));
      const tab = tabs.find((one) => !isFolder(run, one));
      if (tab) await refused('getGuildStash', { league, stash_id: tab.id });
    },
  }),

  observation({
    id: 'GUILD-NONE-001',
    sentence: 'What an account without a guild gets is not stated.',
    source: '4.2',
    gap: 'K-127',
    needs: ['client:guild', 'consent'],
    observe: async (run, note) => {
      const place = await home(run);
      const members = Object.keys(run.facts.target.known.guild_tabs ?? { alice: [], bob: [] });
      const outsider = run.oauth.accounts().find((account) => !members.includes(account));
      if (outsider === undefined) run.expect.notApplicable('the target names no account without a guild');
      const answer = await askList(run, { ...place, account: outsider });
      const list = member(answer.json, 'stashes');
      note(
        `${outsider}, who is in no guild: status ${answer.status}, ${Array.isArray(list) ? `${list.length} tabs` : 'no list'}`,
      );
    },
  }),
]);
