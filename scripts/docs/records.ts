import type { AuditRow } from '../../conformance/audit/row.js';
import { clientAnchor } from '../../conformance/section-link.js';
import type { LedgerRow } from '../../conformance/ledger.js';
import type { Document } from '../generate/document.js';
import { operationsOf } from '../generate/document.js';
import { operationAnchor } from '../generate/ledger.js';
import type { Section } from './markdown.js';
import { plainText, renderMarkdown } from './markdown.js';
import type { SearchRecord } from './search-options.js';

/** The sections of a page. */
export const sectionRecords = (name: string, page: string, sections: readonly Section[]): SearchRecord[] =>
  sections.map(({ id, title, text, depth }) => ({
    href: depth === 1 ? `${name}.html` : `${name}.html#${id}`,
    title,
    page,
    text,
  }));

export const requirementRecords = (ledger: readonly LedgerRow[], audit: readonly AuditRow[]): SearchRecord[] =>
  [
    ...ledger.map(({ id, statement }) => ({ id, anchor: id, text: statement })),
    ...audit.map(({ id, sentence }) => ({ id, anchor: clientAnchor(id), text: sentence })),
  ].map(({ id, anchor, text }) => ({
    href: `requirements.html#${anchor}`,
    title: id,
    page: 'Requirements',
    text: plainText(text),
  }));

/**
 * The prose and the operations of the contract, at their places in the page of Redoc.
 *
 * @throws Error for a place that the page does not have
 */
export function referenceRecords(contract: Document, redoc: string): SearchRecord[] {
  const places = new Map([...redoc.matchAll(/data-section-id="([^"]+)"/g)].map(([, id = '']) => [letters(id), id]));
  const record = (place: string, title: string, text: string): SearchRecord => {
    const id = places.get(letters(place));
    if (id === undefined) throw new Error(`the page of Redoc has no place ${place}`);
    return { href: `index.html#${id}`, title, page: 'API reference', text };
  };
  const above: string[] = [];
  const { sections } = renderMarkdown(contract.info.description, (href) => href);
  const top = Math.min(...sections.map(({ depth }) => depth));
  const prose = sections
    .filter(({ depth }) => depth < top + 3)
    .map(({ depth, title, text }) => {
      above.splice(depth - top, Infinity, title);
      // Redoc gives the first two levels a place of their own.
      return record(`/section/${above.slice(0, 2).join('/')}`, title, text);
    });
  const operations = [...operationsOf(contract)].map(({ path, method, operation }) => {
    const { operationId: id = '', summary, description } = operation as Described;
    const text = `${method} ${path} ${id}. ${plainText(description ?? '')}`;
    return { href: `index.html#${operationAnchor(contract, id)}`, title: summary ?? id, page: 'API reference', text };
  });
  return [...prose, ...operations];
}

interface Described {
  readonly operationId?: string;
  readonly summary?: string;
  readonly description?: string;
}

/** A place without what Redoc may write otherwise. */
const letters = (place: string): string => place.toLowerCase().replaceAll(/[^\p{L}\p{N}/]/gu, '');
