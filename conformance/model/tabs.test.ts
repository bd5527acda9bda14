import { describe, expect, it } from 'vitest';

import type { Run } from '../engine/run.js';
import { isFolder, subTabs, topLevel, walk } from './tabs.js';

const run = { facts: { target: { known: { folder_tab: 'F2' } } } } as unknown as Run;
const names = (tabs: readonly { readonly id: string }[]): string[] => tabs.map(({ id }) => id);

const nested = [
  { id: 'a', children: [{ id: 'a1', parent: 'a' }, { id: 'a2' }] },
  { id: 'f', metadata: { folder: true }, children: [{ id: 'b', children: [{ id: 'b1' }] }] },
  { id: 'f2', children: [{ id: 'c' }] },
];
const flat = [
  { id: 'a', children: null },
  { id: 'a1', parent: 'A' },
  { id: 'a2', parent: 'a' },
  { id: 'f', metadata: { folder: true } },
  { id: 'b', parent: 'f' },
  { id: 'b1', parent: 'b' },
  { id: 'f2' },
  { id: 'c', folder: 'f2' },
];

describe.each([
  ['nested', nested],
  ['flat', flat],
])('a %s list of tabs', (_, list) => {
  const tabs = walk(list);

  it('has every tab', () => {
    expect(names(tabs).toSorted()).toEqual(['a', 'a1', 'a2', 'b', 'b1', 'c', 'f', 'f2']);
    expect(names(topLevel(tabs))).toEqual(['a', 'f', 'f2']);
  });

  it('has sub-tabs where a tab is within another that is no folder', () => {
    expect(subTabs(run, tabs).map(({ parent, sub }) => `${parent.id}/${sub.id}`)).toEqual(['a/a1', 'a/a2', 'b/b1']);
  });

  it('has folders by their metadata, or by what the target says', () => {
    expect(names(tabs.filter((tab) => isFolder(run, tab)))).toEqual(['f', 'f2']);
  });
});
