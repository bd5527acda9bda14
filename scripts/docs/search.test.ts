import MiniSearch from 'minisearch';
import { expect, it } from 'vitest';

import { queryOf, searchOptions } from './search-options.js';
import type { SearchRecord } from './search-options.js';

const index = new MiniSearch<SearchRecord>(searchOptions);
const texts = ['a used refresh token is refused', 'a refresh token lives for 90 days', 'a code lives for 30 seconds'];
index.addAll(texts.map((text, id) => ({ id, href: `page.html#${id}`, title: 'section', page: 'page', text })));

it.each([
  ['refresh token', [texts[0], texts[1]]],
  ['refresh token twice', [texts[0]]],
  ['why is the refresh token refused', [texts[0]]],
  ['seconds', [texts[2]]],
  ['how long does a refresh token live', [texts[1]]],
  ['reuse', [texts[0]]],
  ['the', []],
])('a search for “%s” finds all that has each of its words, or one that is used for it', (typed, expected) => {
  const found = index.search(queryOf(typed, {}), {}).map(({ text }): unknown => text);
  expect(new Set(found)).toEqual(new Set(expected));
});

it('finds a name of two words before what has words that begin so', () => {
  const names = new MiniSearch<SearchRecord>(searchOptions);
  const titles = ['For users and agents', 'Limits', 'Client credentials'];
  const bodies = ['agents of users', 'an edge refuses requests without a User-Agent', 'a token of its own'];
  names.addAll(titles.map((title, id) => ({ id, href: `page.html#${id}`, title, page: 'page', text: bodies[id]! })));
  const found = (typed: string) => names.search(queryOf(typed, {}), {}).map(({ title }): unknown => title);
  expect(found('User-Agent')).toEqual(['Limits']);
  expect(found('client_credentials')).toEqual(['Client credentials']);
  expect(found('user-ag')).toEqual(['Limits']);
});
