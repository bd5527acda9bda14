import type { Options, Query, SearchOptions } from 'minisearch';

/** What a search can find: a section of a chapter, a requirement, a part of the reference. */
export interface SearchRecord {
  /** Address relative to the documentation: `mock.html#obstacles`. */
  readonly href: string;
  readonly title: string;
  /** The page that it is on. */
  readonly page: string;
  readonly text: string;
}

/** Pages and parts that are long lists or records. */
const lists =
  /^index[.]html#.section.gaps|^(requirements|languages|mutants|suite-proof|audit-proof|results|foreign|foreign-machines|standard-mutants|clients|other-tools|changelog|agent-session)[.]html/;

/** Words of a question that say nothing of what it is about. */
const fillers = new Set(
  'a an and are can do does for how i if in is it long me my of on or the to what when where which why'.split(' '),
);

const isFiller = (word: string): boolean => fillers.has(word.toLowerCase());
const split = (text: string): string[] => text.split(/[\s\p{Z}\p{P}]+/u).filter((word) => word !== '');

/** Words, of which `expires_in` and `User-Agent` are one each. */
const words = (text: string): string[] =>
  text
    .split(/(?:(?![_-])[\s\p{Z}\p{P}])+/u)
    .map((word) => word.replaceAll(/^[_-]+|[_-]+$/g, ''))
    .filter((word) => word !== '');

/** A word and its parts, where it has some. */
const withParts = (word: string): string[] => {
  const parts = split(word);
  return parts.length > 1 ? [word, ...parts] : parts;
};

/** How the index is made, and how it is asked: both sides need the same. */
export const searchOptions: Options<SearchRecord> = {
  fields: ['title', 'page', 'text'],
  storeFields: ['href', 'title', 'page', 'text'],
  searchOptions: {
    boost: { title: 4, page: 2 },
    // A thousand requirements and the tables of proofs name every word; somebody who wants one of them types its id.
    boostDocument: (_id, _term, stored) => (lists.test(String(stored?.href)) ? 0.2 : 1),
    // So few letters begin half of all words.
    prefix: (term) => term.length > 2,
    combineWith: 'AND',
    tokenize: (word) => [word],
  },
  // Found as they stand, and by their parts.
  tokenize: (text) => words(text).flatMap(withParts),
  processTerm: (term) => (isFiller(term) ? null : term.toLowerCase()),
};

const typingError = (term: string): number | false => (term.length > 4 ? 1 : false);

/** Words that people use for one another. None begins a word for something else: second would find seconds. */
const alike: readonly (readonly string[])[] = [
  ['twice', 'again', 'used', 'reuse', 'reused', 'replay', 'replayed'],
  ['login', 'authorization', 'consent'],
  ['pagination', 'paging'],
  ['rotation', 'rotate', 'rotates', 'rotated', 'replaced', 'replaces'],
  ['live', 'lives', 'lifetime', 'lifetimes'],
  ['pkce', 'code_challenge', 'verifier'],
  ['format', 'shape', 'body'],
];

/** What somebody typed, each word of it with those that are used for it. */
export const queryOf = (typed: string, { combineWith = 'AND' }: SearchOptions): Query => ({
  combineWith,
  // A word that says nothing is found nowhere, and would leave nothing of all the others.
  queries: words(typed)
    .filter((word) => !isFiller(word))
    .map((word) => {
      const others = alike.find((group) => group.includes(word.toLowerCase()));
      if (others) return { combineWith: 'OR', queries: [word, ...others] };
      const [whole, ...parts] = withParts(word);
      // Two whole words make a name, and not what begins like them: User-Agent is no agent of a user's.
      return parts.length > 0
        ? {
            combineWith: 'OR',
            queries: [word, { combineWith: 'AND', prefix: false, boost: { title: 4 }, queries: parts }],
          }
        : whole!;
    }),
});

/** Ways to ask, each for when those before it found few: all words as typed, with a typing error, and some of the words. */
export const attempts: readonly SearchOptions[] = [
  {},
  { fuzzy: typingError },
  { fuzzy: typingError, combineWith: 'OR' },
];
