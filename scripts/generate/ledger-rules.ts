import type { LedgerRow } from '../../conformance/ledger.js';
import type { Requirement } from '../../conformance/requirement.js';
import type { Document } from './document.js';

/** What the rows are held against. */
export interface Law {
  contract: Document;
  gaps: readonly { readonly id: string }[];
  flags: readonly string[];
}

/** Notes an offence against a row. */
export type Report = (id: string, offence: string) => void;

const sections = new Set('- 1 2 3 4 4.1 4.2 5 5.1 5.2 5.3 5.4 5.5 5.6 5.7 5.8 6 7 8 9'.split(' '));

/** Blames what the type of a requirement cannot rule out: sections, prose, gaps and flags that there are not. */
export function holdRequirement(
  { id, sentence, source, entailed, plausible, gap, needs = [] }: Requirement,
  law: Law,
  report: Report,
): void {
  if (!/^[A-Z][A-Z0-9]*(-[A-Z0-9]+)*-(\d{3}|[a-z][A-Za-z]+)$/.test(id))
    report(id, 'is no id; write one such as LADDER-LIMIT-003');
  if (source.split(',').some((part) => !sections.has(part)))
    report(id, `source ${source} is not in the interface; write sections such as '4.2,7'`);
  if (!/^\S.*\.$/s.test(sentence)) report(id, 'its sentence is none; write one that ends in a full stop');
  holdGap(id, gap, law, report);
  if (plausible !== undefined && !isReason(plausible))
    report(id, 'is plausible without a reason; say what is not stated');
  if (entailed !== undefined && !isEntailment(entailed))
    report(id, `entailed ${entailed} is no sections with a reason; write it as '4.2, 7: two ways to ask …'`);
  const flags = needs.flat().flatMap((need) => (need.startsWith('flag:') ? [need.slice('flag:'.length)] : []));
  for (const flag of flags) {
    if (!law.flags.includes(flag)) report(id, `flag ${flag} is unknown; openapi/editions.yaml has those there are`);
  }
}

export function holdGap(id: string, gap: string | undefined, law: Law, report: Report): void {
  if (gap !== undefined && !law.gaps.some((entry) => entry.id === gap))
    report(id, `gap ${gap} is not in openapi/gaps.yaml; name one by its id`);
}

const isReason = (text = ''): boolean => text.split(' ').length >= 3;

function isEntailment(text: string): boolean {
  const [, named = '', reason] = /^([\d., ]+): (.+)$/s.exec(text) ?? [];
  return named.split(', ').every((part) => part !== '-' && sections.has(part)) && isReason(reason);
}

/** Level, section, statement and grounds, as the ledger has them. */
export const commonOf = ({
  level,
  source,
  sentence,
  entailed,
  plausible,
  gap,
}: Requirement): Pick<LedgerRow, 'level' | 'section' | 'statement' | 'entailed' | 'plausible' | 'gap'> => ({
  level,
  section: source,
  statement: sentence,
  ...(entailed !== undefined && { entailed }),
  ...(plausible !== undefined && { plausible }),
  ...(gap !== undefined && { gap }),
});
