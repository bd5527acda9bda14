import { ledger } from './ledger.gen.js';

/** The page that most requirements of a section of the interface are read on. */
function pageOfSection(section: string): string | undefined {
  const counts = new Map<string, number>();
  for (const row of ledger) if (row.section === section) counts.set(row.link, (counts.get(row.link) ?? 0) + 1);
  return [...counts].toSorted(([, a], [, b]) => b - a)[0]?.[0];
}

/** Where a source can be read: a clause of an RFC, or a page of the documentation of this package. */
export function sectionLink(source: string): string {
  const [, number, clause = ''] = /^RFC (\d+) ([A-Z]?[\d.]+)/.exec(source) ?? [];
  // Appendices count by letters.
  const part = /^\d/.test(clause) ? 'section' : 'appendix';
  if (number !== undefined) return `https://www.rfc-editor.org/rfc/rfc${number}#${part}-${clause}`;
  return pageOfSection(source) ?? 'dist/docs/index.html';
}

/** The place of a requirement on clients on the page of requirements: one on servers may have the same id. */
export const clientAnchor = (id: string): string => `client-${id}`;
