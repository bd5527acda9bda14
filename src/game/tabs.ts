import type { components } from '../contract/index.js';
import type { Game } from './game.js';
import { listed } from './order.js';

/** A tab of an account's or a guild's stash. */
export type Tab = components['schemas']['StashTab'];

/** A tab and the tabs in it, all without items: as lists show them. */
function outline(tab: Tab): Tab {
  const { items: _items, children, ...rest } = tab;
  return children ? { ...rest, children: children.map(outline) } : rest;
}

function* walk(tabs: readonly Tab[]): Generator<Tab> {
  for (const tab of tabs) {
    yield tab;
    yield* walk(tab.children ?? []);
  }
}

/** A tab whose sub-tabs, and those of tabs in it, come with a lookup only, as live services list tabs. */
function withoutSubTabs(tab: Tab): Tab {
  const { children, ...rest } = tab;
  return children && tab.metadata.folder ? { ...rest, children: children.map(withoutSubTabs) } : rest;
}

/**
 * Every tab, sub-tabs and tabs in folders included: nested, or side by side in the same order (interface 4.2, K-042). With
 * F-OBS-TABLIST the sub-tabs are not there.
 */
export function tabList(tabs: readonly Tab[], game: Game): Tab[] {
  const all = listed(game, tabs, ({ id }) => id);
  const outer = game.flags.has('F-OBS-TABLIST') ? all.map(withoutSubTabs) : all;
  if (game.switches['stash.listForm'] === 'nested') return outer.map(outline);
  return [...walk(outer)].map(({ children: _children, ...tab }) => outline(tab));
}

/** A tab as its lookup shows it: items where it holds items, the outline of its tabs where it holds tabs (K-135). */
function whole(tab: Tab, game: Game): Tab {
  if (tab.children || tab.metadata.folder) return outline(tab);
  return { ...tab, items: stacked(tab.items ?? [], game) };
}

/** K-096: every other stack over its maximum, where the switch asks for it. */
function stacked(items: NonNullable<Tab['items']>, { switches }: Game): NonNullable<Tab['items']> {
  if (!switches['items.overstack']) return items;
  let stacks = 0;
  return items.map((item) => {
    if (typeof item.stackSize !== 'number' || typeof item.maxStackSize !== 'number') return item;
    stacks += 1;
    return stacks % 2 === 1 ? { ...item, stackSize: item.maxStackSize * 2 } : item;
  });
}

/** Ids are hexadecimal numbers, and `hex.case` may have sent them in upper case. */
const named = (id: string) => {
  const wanted = id.toLowerCase();
  return (tab: Tab): boolean => tab.id === wanted;
};

/**
 * The tab of that id, wherever it lies (K-045). With a sub-tab's id, the parent as a wrapper around that sub-tab, and
 * null where the parent has no such sub-tab (interface 4.2, K-043, K-044). With F-OBS-SUBTAB that sub-tab itself.
 */
export function findTab(tabs: readonly Tab[], id: string, subId: string | undefined, game: Game): Tab | null {
  const isTab = named(id);
  for (const tab of walk(tabs)) {
    if (!isTab(tab)) continue;
    return subId === undefined ? whole(tab, game) : wrapped(tab, subId, game);
  }
  return null;
}

/** A tab that lies in a folder is no sub-tab: its `parent` is not the folder. */
function wrapped(parent: Tab, subId: string, game: Game): Tab | null {
  const inner = parent.children?.find(named(subId));
  if (inner?.parent !== parent.id) return null;
  const shown = whole(inner, game);
  if (game.flags.has('F-OBS-SUBTAB')) return shown;
  const { items: _items, ...rest } = parent;
  if (game.switches['stash.wrapperChildren'] === 'inner') return { ...rest, children: [shown] };
  return { ...rest, children: parent.children?.map((child) => (child === inner ? shown : outline(child))) };
}
