import fc from 'fast-check';

import type { JsonObject } from '../json.js';
import type { Run } from '../engine/run.js';
import { gHex10 } from '../generators/data.js';
import { member } from '../wire/answer.js';
import type { Answer } from '../wire/answer.js';
import { warnOfObserved } from './declared.js';
import { expectNull } from './expect-null.js';
import { answeredApart, byBoth, sameForEveryClient } from './one-answer.js';
import { areAll } from './schema.js';

/** A stash tab of a list, wherever it stood there (K-042). */
export interface ListedTab {
  readonly id: string;
  readonly tab: JsonObject;
  /** The tab that it belongs to, by nesting, `parent` or `folder`; undefined at top level. */
  readonly within: string | undefined;
}

/** Stashes of an account, or those of its guild. */
export type Owner = 'listStashes' | 'listGuildStashes';
const single = { listStashes: 'getStash', listGuildStashes: 'getGuildStash' } as const;

export interface StashList {
  readonly of: Owner;
  readonly league: string;
  readonly realm?: string;
  readonly account?: string;
}

export const same = (one: unknown, other: unknown): boolean =>
  typeof one === 'string' && typeof other === 'string' && one.toLowerCase() === other.toLowerCase();

const objects = (value: unknown): readonly JsonObject[] =>
  Array.isArray(value) ? value.filter((one): one is JsonObject => typeof one === 'object' && one !== null) : [];

/** All tabs of a list: top level and children, and theirs. */
export function walk(tabs: readonly JsonObject[]): readonly ListedTab[] {
  const found: ListedTab[] = [];
  const add = (list: readonly JsonObject[], enclosing: string | undefined): void => {
    for (const tab of list) {
      const id = String(tab['id']);
      const named = [tab['parent'], tab['folder']].find((one) => typeof one === 'string');
      found.push({ id, tab, within: enclosing ?? (named as string | undefined) });
      add(objects(tab['children']), id);
    }
  };
  add(tabs, undefined);
  return found;
}

const argsOf = ({ league, realm }: StashList) => ({ league, ...(realm !== undefined && { realm }) });
const who = ({ account }: StashList) => (account === undefined ? {} : { account });

/** Asks for the list. */
export const askList = (run: Run, place: StashList): Promise<Answer> =>
  run.http.data(place.of, { args: argsOf(place), ...who(place) });

/** Asks for one tab, or for a sub-tab by its parent. */
export const askTab = (run: Run, place: StashList, stash: string, substash?: string): Promise<Answer> =>
  run.http.data(single[place.of], {
    args: { ...argsOf(place), stash_id: stash, ...(substash !== undefined && { substash_id: substash }) },
    ...who(place),
  });

/** The tabs of a place with their sub-tabs, shared by the run. */
export const tabsOf = (run: Run, place: StashList): Promise<readonly ListedTab[]> =>
  run.facts.once(`tabs ${JSON.stringify(place)}`, async () =>
    withSubTabs(run, place, walk(run.expect.list(await askList(run, place), 'stashes'))),
  );

/**
 * Tabs of a list that shows no sub-tabs, with those that lookups show. Live services list none (F-OBS-TABLIST), which is
 * right unless the target says otherwise; then the tabs come back as they are.
 */
export async function withSubTabs(
  run: Run,
  place: StashList,
  tabs: readonly ListedTab[],
): Promise<readonly ListedTab[]> {
  if (run.facts.flag('F-OBS-TABLIST') === 'off' || subTabs(run, tabs).length > 0) return tabs;
  const isDeclared = ({ id }: ListedTab): boolean => same(id, run.facts.target.known.parent_tab);
  const plain = tabs.filter((tab) => !isFolder(run, tab));
  const found = [...tabs];
  for (const { id } of [...plain.filter(isDeclared), ...plain.filter((tab) => !isDeclared(tab))].slice(0, 20)) {
    const stash = member((await askTab(run, place, id)).json, 'stash');
    const inner = objects(member(stash, 'children')).map((tab) => ({ ...tab, parent: tab['parent'] ?? id }));
    found.push(...walk(inner).filter((sub) => !found.some((tab) => same(tab.id, sub.id))));
  }
  return found;
}

/** The same where there may be nothing to list: what a league without tabs answers is not stated (K-025). */
export const tabsIfAny = (run: Run, place: StashList): Promise<readonly ListedTab[]> =>
  run.facts.once(`tabs, if any, ${JSON.stringify(place)}`, async () => {
    const answer = await askList(run, place);
    const tabs = walk(answer.status === 200 ? objects(member(answer.json, 'stashes')) : []);
    return run.facts.flag('F-OBS-TABLIST') === 'on' ? withSubTabs(run, place, tabs) : tabs;
  });

/** Whether a tab is a folder, as far as the list or the target says so. */
export const isFolder = (run: Run, { id, tab }: ListedTab): boolean =>
  member(tab['metadata'], 'folder') === true || same(id, run.facts.target.known.folder_tab);

/** Tabs that stand by themselves: neither sub-tabs nor in folders. */
export const topLevel = (tabs: readonly ListedTab[]): readonly ListedTab[] =>
  tabs.filter(({ within }) => within === undefined);

/**
 * Tabs with their sub-tabs. What stands in a folder is no sub-tab; where the list marks no folder, a tab that names no
 * parent may be in one, unless the target knows better.
 */
export function subTabs(
  run: Run,
  tabs: readonly ListedTab[],
): readonly { readonly parent: ListedTab; readonly sub: ListedTab }[] {
  const byId = new Map(tabs.map((one) => [one.id.toLowerCase(), one]));
  const marksFolders = tabs.some(({ tab }) => member(tab['metadata'], 'folder') === true);
  return tabs.flatMap((sub) => {
    const parent = sub.within === undefined ? undefined : byId.get(sub.within.toLowerCase());
    if (!parent || isFolder(run, parent) || typeof sub.tab['folder'] === 'string') return [];
    const isTold =
      typeof sub.tab['parent'] === 'string' || marksFolders || same(parent.id, run.facts.target.known.parent_tab);
    return isTold ? [{ parent, sub }] : [];
  });
}

/** The items of a tab, undefined where it has no list of them. */
export const itemsOf = (tab: unknown): readonly unknown[] | undefined => {
  const items = member(tab, 'items');
  return Array.isArray(items) ? items : undefined;
};

/**
 * Which of the ids that two lists share are ids of one tab. Ids of tabs are not called unique beyond their list, so what is
 * in a tab tells: ids of items are unique, and an item is in one place (interface 2). A tab that is listed where it is not
 * found, and found in the other place, is one of that.
 */
export async function oneTab(
  run: Run,
  here: StashList,
  there: StashList,
  shared: readonly string[],
): Promise<readonly string[]> {
  const found: string[] = [];
  for (const id of shared.slice(0, 8)) {
    const [own = null, other = null] = await Promise.all(
      [here, there].map(async (place) => member((await askTab(run, place, id)).json, 'stash')),
    );
    const items = new Set((itemsOf(own) ?? []).map((item) => JSON.stringify(item)));
    const isShared = (itemsOf(other) ?? []).some((item) => items.has(JSON.stringify(item)));
    if (isShared || (own === null) !== (other === null)) found.push(id);
  }
  return found;
}

/** The ids of top-level tabs that are in both lists, whatever their letter case. */
export const sharedIds = (tabs: readonly ListedTab[], others: readonly ListedTab[]): readonly string[] =>
  topLevel(tabs).flatMap(({ id }) => (topLevel(others).some((one) => same(one.id, id)) ? id : []));

/**
 * Warns of tabs without a list of items where the tab that is declared to be empty has a list, an empty one: the others
 * seem to have items that are not shown. That they are to have a list is not stated (K-135).
 */
export async function listsNothing(run: Run, bare: readonly string[]): Promise<void> {
  const { stash_league: league, empty_tab } = run.facts.target.known;
  if (bare.length === 0 || league === undefined || empty_tab === undefined) return;
  if (!run.oauth.obtainable().has('account:stashes')) return;
  const answer = await askTab(run, { of: 'listStashes', league }, empty_tab);
  if (itemsOf(member(answer.json, 'stash'))?.length !== 0) return;
  run.expect.warn(
    `no items, not even an empty list, in ${bare.join(', ')}: the empty tab ${empty_tab} has an empty list`,
  );
}

/** The id of an item that is in two of these tabs; ids of items are unique, and an item is in one place (interface 2). */
export function sharedItem(tabs: readonly { readonly id: string; readonly shown: unknown }[]): SharedItem | undefined {
  const places = new Map<string, string>();
  for (const { id, shown } of tabs) {
    for (const item of itemsOf(shown) ?? []) {
      const own = member(item, 'id');
      if (typeof own !== 'string') continue;
      const before = places.get(own.toLowerCase());
      if (before !== undefined && !same(before, id)) return { item: own, tabs: [before, id] };
      places.set(own.toLowerCase(), id);
    }
  }
  return undefined;
}

export interface SharedItem {
  readonly item: string;
  readonly tabs: readonly [string, string];
}

/** Single lookups of top-level tabs, shared by the run: what they have in them is worth seeing once. */
export const lookups = (run: Run, place: StashList, most: number) =>
  run.facts.once(`lookups ${JSON.stringify(place)} ${most}`, async () => {
    const found: { readonly tab: ListedTab; readonly answer: Answer }[] = [];
    for (const tab of topLevel(await tabsOf(run, place)).slice(0, most)) {
      found.push({ tab, answer: await askTab(run, place, tab.id) });
    }
    return found;
  });

/** Single lookups of sub-tabs by their parents, shared by the run. */
export const subLookups = (run: Run, place: StashList, most: number) =>
  run.facts.once(`lookups of sub-tabs ${JSON.stringify(place)} ${most}`, async () => {
    const found = [];
    for (const pair of subTabs(run, await tabsOf(run, place)).slice(0, most)) {
      found.push({ ...pair, answer: await askTab(run, place, pair.parent.id, pair.sub.id) });
    }
    return found;
  });

/** An answer has this tab. */
export function isTab(run: Run, answer: Answer, id: string): JsonObject {
  const stash = run.expect.has(answer, 'stash');
  run.expect.that(same(member(stash, 'id'), id), `the tab ${id} as stash`, member(stash, 'id') ?? stash, answer);
  return stash as JsonObject;
}

/** A list holds tabs, for every account its own and for every client of an account the same. */
export async function listsTabs(run: Run, { of, league }: StashList): Promise<void> {
  const answer = await askList(run, { of, league });
  areAll(run, 'StashTab', run.expect.list(answer, 'stashes'), answer);
  // What an unknown league gives is open (K-025), but what a list holds is not.
  const unknown = await askList(run, { of, league: 'cx-no-such-league' });
  const listed = unknown.status < 300 ? member(unknown.json, 'stashes') : undefined;
  if (Array.isArray(listed)) areAll(run, 'StashTab', listed, unknown);
  await answeredApart(run, of, byBoth(run, { args: { league } }));
  await sameForEveryClient(run, of, { args: { league } });
}

/** What is no sub-tab of a tab is not there: sub-tabs of other tabs, and ids that there are none of. */
export async function noOtherSubTabs(
  run: Run,
  place: StashList,
  { wrong: wrongShare, unknown }: { readonly wrong: number; readonly unknown: number },
): Promise<void> {
  const tabs = await tabsOf(run, place);
  const absent = async (stash: string, sub: string): Promise<void> =>
    expectNull(run, await askTab(run, place, stash, sub), 'stash');
  const wrong = await mismatches(run, place);
  if (wrong.length > 0) {
    const options = { share: wrongShare, examples: [wrong[0]!] };
    await run.expect.property('sub-tab of another tab', fc.constantFrom(...wrong), options, (pair) => absent(...pair));
  }
  await run.expect.property(
    'unknown sub-tab',
    fc.record({ pair: fc.constantFrom(...subTabs(run, tabs)), sub: gHex10(tabs.map(({ id }) => id)) }),
    { share: unknown },
    ({ pair, sub }) => absent(pair.parent.id, sub),
  );
}

/**
 * A sub-tab comes wrapped by its parent: the parent's id, and the sub-tab among the children (interface 4.2). Live
 * services answer the sub-tab itself (F-OBS-SUBTAB), which is right unless the target says otherwise.
 */
export function wrapped(run: Run, answer: Answer, parent: string, sub: string): JsonObject {
  const itself = isItself(run, answer, sub) ? run.expect.has(answer, 'stash') : undefined;
  if (itself !== undefined) return itself as JsonObject;
  const stash = isTab(run, answer, parent);
  const children = objects(member(stash, 'children'));
  const inner = children.find(({ id }) => same(id, sub));
  run.expect.that(
    inner !== undefined,
    `the sub-tab ${sub} among its children`,
    children.map(({ id }) => id),
    answer,
  );
  return inner!;
}

/** A sub-tab that comes as itself where the interface has its parent around it. */
export function warnOfUnwrapped(run: Run, answer: Answer, sub: string): void {
  if (isItself(run, answer, sub)) warnOfObserved(run, 'F-OBS-SUBTAB', 'a sub-tab comes as itself, and not wrapped');
}

/** Sub-tabs that only a lookup of their tab shows, where the interface has them in the list. */
export function warnOfUnlisted(run: Run, list: Answer, tabs: readonly ListedTab[]): void {
  if (walk(objects(member(list.json, 'stashes'))).length < tabs.length)
    warnOfObserved(run, 'F-OBS-TABLIST', 'the list leaves out sub-tabs that lookups show');
}

/**
 * A list that shows what is in some tabs shows what is in all of them: what the lookup of a tab has in it is listed
 * (interface 4.2, K-042).
 */
export async function listsWhatIsInTabs(run: Run, place: StashList): Promise<void> {
  const answer = await askList(run, place);
  const listed = walk(run.expect.list(answer, 'stashes'));
  const inner = subTabs(run, listed);
  const isSubTab = (one: ListedTab): boolean => inner.some(({ sub }) => sub === one);
  const shows = (one: ListedTab): boolean => listed.some(({ within }) => same(within, one.id));
  // Where the list shows no sub-tab at all, what it leaves out is another matter.
  const others = inner.length === 0 ? [] : listed.filter((one) => !shows(one) && !isSubTab(one));
  for (const { id } of [...listed.filter(shows), ...others].slice(0, 16)) {
    const stash = member((await askTab(run, place, id)).json, 'stash');
    const lacking = objects(member(stash, 'children')).filter((tab) => !listed.some((one) => same(one.id, tab['id'])));
    run.expect.that(
      lacking.length === 0,
      `the list has what the lookup of the tab ${id} shows in it`,
      `without ${lacking.map((tab) => String(tab['id'])).join(', ')}`,
      answer,
    );
  }
}

/** A sub-tab as the answer shows it, wrapped by its parent or by itself; undefined where it is not there. */
export function innerOf(run: Run, answer: Answer, sub: string): unknown {
  const stash = member(answer.json, 'stash');
  return isItself(run, answer, sub) ? stash : objects(member(stash, 'children')).find(({ id }) => same(id, sub));
}

/** Whether an answer has the sub-tab itself, as live services have it, where the target may do so. */
export const isItself = (run: Run, answer: Answer, sub: string): boolean =>
  run.facts.flag('F-OBS-SUBTAB') !== 'off' && same(member(member(answer.json, 'stash'), 'id'), sub);

/**
 * Ids that differ from known ones in their last digits, or in their first; none is a known one. A server that compares
 * a part of an id only takes them for it.
 */
export function nearIds(known: readonly string[], count: number): readonly string[] {
  const taken = new Set(known.map((id) => id.toLowerCase()));
  const other = (digit: string): string => (digit === '0' ? '1' : '0');
  const turned = (id: string, places: readonly number[]): string =>
    [...id].map((digit, at) => (places.includes(at) ? other(digit) : digit)).join('');
  return known
    .filter((id) => /^[0-9a-f]{10}$/i.test(id))
    .slice(0, count)
    .flatMap((id) => [[9], [8, 9], [0], [0, 1]].map((places) => turned(id, places)))
    .filter((id) => !taken.has(id.toLowerCase()));
}

/** What one account is asked for of the tabs of another one, by their ids. */
export interface Foreign {
  readonly stash: string;
  readonly sub?: string;
}

/** Tabs of a place, each with what its owner finds by it: tabs of every level, and sub-tabs by both ids. */
export function foreignTabs(run: Run, tabs: readonly ListedTab[], most: number): readonly Foreign[] {
  const pairs = subTabs(run, tabs).map(({ parent, sub }) => ({ stash: parent.id, sub: sub.id }));
  const inner = tabs.filter(({ within }) => within !== undefined).map(({ id }) => ({ stash: id }));
  const top = topLevel(tabs).map(({ id }) => ({ stash: id }));
  return [...top.slice(0, most), ...inner.slice(0, 2), ...pairs.slice(0, most)];
}

/** Pairs of a tab and a sub-tab that is not its own. */
async function mismatches(run: Run, place: StashList): Promise<readonly (readonly [string, string])[]> {
  const tabs = await tabsOf(run, place);
  const pairs = subTabs(run, tabs);
  const parents = [...new Set([...pairs.map(({ parent }) => parent), ...topLevel(tabs)])].slice(0, 6);
  return pairs
    .slice(0, 4)
    .flatMap(({ parent, sub }) =>
      parents
        .filter((other) => !same(other.id, parent.id) && !isFolder(run, other) && !same(other.id, sub.id))
        .map((other) => [other.id, sub.id] as const),
    );
}
