import type { Options } from 'minisearch';

/** What a search can find: a section of a chapter, a requirement, a part of the reference. */
export interface SearchRecord {
  /** Address relative to the documentation: `mock.html#obstacles`. */
  readonly href: string;
  readonly title: string;
  /** The page that it is on. */
  readonly page: string;
  readonly text: string;
}

/** Pages that are long lists. */
const lists =
  /^(requirements|mutants|suite-proof|audit-proof|results|foreign|foreign-machines|standard-mutants|clients|other-tools|changelog)[.]html/;

/** How the index is made, and how it is asked: both sides need the same. */
export const searchOptions: Options<SearchRecord> = {
  fields: ['title', 'page', 'text'],
  storeFields: ['href', 'title', 'page', 'text'],
  searchOptions: {
    boost: { title: 4, page: 2 },
    // A thousand requirements and the tables of proofs name every word; somebody who wants one of them types its id.
    boostDocument: (_id, _term, stored) => (lists.test(String(stored?.href)) ? 0.3 : 1),
    prefix: true,
    fuzzy: 0.15,
    combineWith: 'AND',
  },
};
