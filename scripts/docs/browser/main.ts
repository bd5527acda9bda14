import MiniSearch from 'minisearch';
import type { SearchResult } from 'minisearch';

import { attempts, queryOf, searchOptions } from '../search-options.js';
import type { SearchRecord } from '../search-options.js';

/** The script of the search page: asks the index that stands in the page while somebody types. */
let index: MiniSearch<SearchRecord> | undefined;
const field = document.querySelector<HTMLInputElement>('.site input')!;
const found = document.getElementById('found')!;
const results = document.getElementById('results')!;
const most = 40;

field.value = new URLSearchParams(location.search).get('q') ?? '';
field.addEventListener('input', show);
field.form!.addEventListener('submit', (event) => {
  event.preventDefault();
  show();
});
field.focus();

function show(): void {
  if (!index) return;
  const query = field.value.trim();
  const hits = query === '' ? [] : searched(index, query);
  hits.sort((a, b) => nearness(String(b['title']), query) - nearness(String(a['title']), query));
  history.replaceState(null, '', query === '' ? 'search.html' : `search.html?q=${encodeURIComponent(query)}`);
  found.textContent = query === '' ? 'Type a word: a chapter, an operation, a requirement.' : count(hits.length, query);
  results.replaceChildren(
    ...hits.slice(0, most).map(({ href, title, page, text, terms }) => {
      const link = made('a', [title]);
      link.href = String(href);
      const where = made('p', [page]);
      where.className = 'where';
      return made('li', [link, where, made('p', excerpt(text, terms))]);
    }),
  );
}

/** So few hits leave a question open. */
const few = 5;

function searched(all: MiniSearch<SearchRecord>, query: string): SearchResult[] {
  const hits = new Map<string, SearchResult>();
  for (const attempt of attempts) {
    if (hits.size >= few) break;
    for (const hit of all.search(queryOf(query, attempt), attempt))
      if (!hits.has(String(hit.id))) hits.set(String(hit.id), hit);
  }
  return [...hits.values()];
}

/** An id that was typed in full comes first, then those that begin so. */
function nearness(title: string, query: string): number {
  const [id, typed] = [title.toUpperCase(), query.toUpperCase()];
  if (id === typed) return 2;
  return typed.includes('-') && id.startsWith(typed) ? 1 : 0;
}

const count = (hits: number, query: string): string =>
  hits === 0
    ? `Nothing found for “${query}”. Try one word of it, a word that RFCs use, or an id such as TOK-REFRESH-004.`
    : `${hits} found for “${query}”${hits > most ? `, the first ${most} of them here` : ''}.`;

function made<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  parts: readonly (string | Node)[],
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name);
  element.append(...parts);
  return element;
}

/** Some words around the first place where a term stands, with the terms marked. */
function excerpt(text: string, terms: readonly string[]): (string | Node)[] {
  const lower = text.toLowerCase();
  const places = terms.map((term) => lower.indexOf(term)).filter((place) => place >= 0);
  const from = places.length === 0 ? 0 : Math.max(0, lower.lastIndexOf(' ', Math.min(...places) - 60));
  const shown = text.slice(from, from + 220);
  const parts: (string | Node)[] = from > 0 ? ['… '] : [];
  let rest = shown;
  while (rest !== '') {
    const next = terms
      .map((term) => ({ at: rest.toLowerCase().indexOf(term), term }))
      .filter(({ at }) => at >= 0)
      .toSorted((a, b) => a.at - b.at || b.term.length - a.term.length)[0];
    if (!next) break;
    const end = next.at + next.term.length;
    parts.push(rest.slice(0, next.at), made('mark', [rest.slice(next.at, end)]));
    rest = rest.slice(end);
  }
  return [...parts, rest, from + 220 < text.length ? ' …' : ''];
}

/** The index, out of the page. */
async function unpacked(): Promise<string> {
  const packed = Uint8Array.from(atob(document.getElementById('index')!.textContent ?? ''), (one) => one.charCodeAt(0));
  return new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'))).text();
}

async function begin(): Promise<void> {
  found.textContent = 'The index is being read.';
  try {
    index = MiniSearch.loadJSON<SearchRecord>(await unpacked(), searchOptions);
    show();
  } catch (error) {
    found.textContent = `The index cannot be read: ${String(error)}`;
  }
}

void begin();
