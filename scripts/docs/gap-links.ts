import type { Document } from '../generate/document.js';
import type { SearchRecord } from './search-options.js';

/** An open point of the interface, and where the reference tells of it. */
interface Gap {
  readonly id: string;
  readonly kind: string;
  readonly says: string;
  /** Address in the page of Redoc, which has one for the topic and none for its entries. */
  readonly place: string;
}

/** The open points by their ids. */
export function gapsOf({ info }: Document): ReadonlyMap<string, Gap> {
  const found = new Map<string, Gap>();
  let [chapter, topic] = ['', ''];
  for (const line of info.description.split('\n')) {
    const [, marks = '', title = ''] = /^(#{1,2}) (.*)$/.exec(line) ?? [];
    if (marks === '#') chapter = slugOf(title);
    if (marks === '##') topic = slugOf(title);
    const [, id = '', kind = '', says = ''] = /^\*\*(K-\d{3}): ([^*]+)\.\*\* (.*)$/.exec(line) ?? [];
    if (id !== '') found.set(id, { id, kind, says, place: `#/section/${chapter}/${topic}` });
  }
  return found;
}

/** As Redoc makes an address of a heading. */
const slugOf = (title: string): string => title.toLowerCase().replaceAll(' ', '-');

/** The contract in which each mention of an open point leads to its topic. */
export function withLinksToGaps(contract: Document): Document {
  const gaps = gapsOf(contract);
  const linked = (text: string): string =>
    text.replaceAll(/(?<!\*\*)\bK-\d{3}\b/g, (id) => (gaps.has(id) ? `[${id}](${gaps.get(id)!.place})` : id));
  const walk = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(walk);
    if (typeof node !== 'object' || node === null) return node;
    return Object.fromEntries(
      Object.entries(node).map(([key, value]) => [
        key,
        key === 'description' && typeof value === 'string' ? linked(value) : walk(value),
      ]),
    );
  };
  return walk(contract) as Document;
}

/** The open points, for the search. */
export const gapRecords = (contract: Document): SearchRecord[] =>
  [...gapsOf(contract).values()].map(({ id, kind, says, place }) => ({
    href: `index.html${place}`,
    title: `${id}: ${kind}`,
    page: 'API reference',
    text: says,
  }));
