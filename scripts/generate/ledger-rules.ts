import type { LedgerRow } from '../../conformance/ledger.js';
import { levels } from '../../conformance/ledger.js';
import { isNeed } from '../../conformance/target/capabilities.js';
import type { Document } from './document.js';

/** What the rows are held against. */
export interface Law {
  contract: Document;
  gaps: readonly { readonly id: string }[];
  flags: readonly string[];
}

/** A row as its file has it. */
export type Entry = Record<string, unknown>;

/** Notes an offence; answers nothing, so that a reader can return it. */
export type ReportRow = (offence: string) => undefined;
export type Report = (id: string) => ReportRow;

const sections = new Set('- 1 2 3 4 4.1 4.2 5 5.1 5.2 5.3 5.4 5.5 5.6 5.7 5.8 6 7 8 9'.split(' '));

/** Level, section, statement and gap. */
export function commonOf(
  row: Entry,
  law: Law,
  report: ReportRow,
): Pick<LedgerRow, 'level' | 'section' | 'statement' | 'entailed' | 'plausible' | 'gap'> | undefined {
  const { level: given, section, statement, gap } = row;
  const level = levels.find((name) => name === given);
  if (!level) return report(`level ${String(given)} is unknown; levels are ${levels.join(', ')}`);
  if (typeof section !== 'string' || section.split(',').some((part) => !sections.has(part)))
    return report(`section ${String(section)} is not in the interface; write it as a string such as '4.2,7'`);
  if (typeof statement !== 'string' || !/^\S.*\.$/s.test(statement))
    return report('its statement is no sentence; write one that ends in a full stop');
  if (gap !== undefined && !law.gaps.some((entry) => entry.id === gap))
    return report(`gap ${String(gap)} is not in openapi/gaps.yaml; name one by its id`);
  const grounds = groundsOf(row, level, report);
  if (!grounds) return undefined;
  return { level, section, statement, ...grounds, ...(gap !== undefined && { gap: String(gap) }) };
}

/** What an inference rests on: sentences that entail it, or likelihood alone. */
function groundsOf(
  { entailed, plausible }: Entry,
  level: LedgerRow['level'],
  report: ReportRow,
): Pick<LedgerRow, 'entailed' | 'plausible'> | undefined {
  const given = [entailed, plausible].filter((value) => value !== undefined).length;
  if (level !== 'INFER')
    return given === 0 ? {} : report(`is ${level} and no inference; take entailed and plausible away`);
  if (given !== 1)
    return report(
      `is INFER and has ${given === 0 ? 'neither' : 'both'} of entailed and plausible; say which sentences entail it, ` +
        'or why it is merely plausible',
    );
  if (plausible !== undefined)
    return isReason(plausible) ? { plausible } : report('is plausible without a reason; say what is not stated');
  const [, named = '', reason] = /^([\d., ]+): (.+)$/s.exec(String(entailed)) ?? [];
  if (!named.split(', ').every((part) => part !== '-' && sections.has(part)) || !isReason(reason))
    return report(`entailed ${String(entailed)} is no sections with a reason; write it as '4.2, 7: two ways to ask …'`);
  return { entailed: String(entailed) };
}

const isReason = (text: unknown): text is string => typeof text === 'string' && text.split(' ').length >= 3;

type Proof =
  | { how: 'check'; check: string }
  | { how: 'monitor'; place?: string; properties?: string[] }
  | { how: 'excluded'; reason: string };

/** The one of check, monitor and excluded. */
export function proofOf({ check, monitor, excluded }: Entry, report: ReportRow): Proof | undefined {
  const given = [check, monitor, excluded].filter((value) => value !== undefined).length;
  if (given !== 1)
    return report(`has ${given === 0 ? 'none' : given} of check, monitor and excluded; give it exactly one`);
  if (monitor !== undefined) {
    if (monitor !== true) return report('monitor of a row that is no field is `true` and nothing else');
    return { how: 'monitor' };
  }
  if (check !== undefined) {
    if (typeof check !== 'string' || !/^(oauth|game|codec)\/[a-z-]+$/.test(check))
      return report(`check ${String(check)} is no group of checks; write one such as oauth/refresh`);
    return { how: 'check', check };
  }
  if (typeof excluded !== 'string' || excluded.length < 40)
    return report('is excluded without a reason; say in a sentence why no request could judge it');
  return { how: 'excluded', reason: excluded };
}

/** Each need with its alternatives. */
export function needsOf(given: unknown, law: Law, report: ReportRow): LedgerRow['needs'] {
  if (!Array.isArray(given)) return report('needs is no list') ?? [];
  return given.map((entry) =>
    String(entry)
      .split(' | ')
      .flatMap((word) => {
        if (isNeed(word, law.flags)) return [word];
        return report(`need ${word} is unknown; conformance/target/capabilities.ts lists them`) ?? [];
      }),
  );
}

/** Blames every key that is not known. */
export function unknownKeys(entry: object, known: readonly string[], report: ReportRow): void {
  for (const key of Object.keys(entry)) {
    if (!known.includes(key)) report(`key ${key} is unknown; keys are ${known.join(', ')}`);
  }
}
