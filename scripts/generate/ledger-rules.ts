import type { LedgerRow } from '../../conformance/ledger.js';
import { isNeed, levels } from '../../conformance/ledger.js';
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
export type BlameRow = (offence: string) => undefined;
export type Blame = (id: string) => BlameRow;

const sections = new Set('- 1 2 3 4 4.1 4.2 5 5.1 5.2 5.3 5.4 5.5 5.6 5.7 5.8 6 7 8 9'.split(' '));

/** Level, section, statement and gap. */
export function commonOf(
  row: Entry,
  law: Law,
  blame: BlameRow,
): Pick<LedgerRow, 'level' | 'section' | 'statement' | 'gap'> | undefined {
  const { level: given, section, statement, gap } = row;
  const level = levels.find((name) => name === given);
  if (!level) return blame(`level ${String(given)} is unknown; levels are ${levels.join(', ')}`);
  if (typeof section !== 'string' || section.split(',').some((part) => !sections.has(part)))
    return blame(`section ${String(section)} is not in the interface; write it as a string such as '4.2,7'`);
  if (typeof statement !== 'string' || !/^\S.*\.$/s.test(statement))
    return blame('its statement is no sentence; write one that ends in a full stop');
  if (gap !== undefined && !law.gaps.some((entry) => entry.id === gap))
    return blame(`gap ${String(gap)} is not in openapi/gaps.yaml; name one by its id`);
  return { level, section, statement, ...(gap !== undefined && { gap: String(gap) }) };
}

type Proof =
  | { how: 'check'; check: string }
  | { how: 'monitor'; place?: string; properties?: string[] }
  | { how: 'excluded'; reason: string };

/** The one of check, monitor and excluded. */
export function proofOf({ check, monitor, excluded }: Entry, blame: BlameRow): Proof | undefined {
  const given = [check, monitor, excluded].filter((value) => value !== undefined).length;
  if (given !== 1)
    return blame(`has ${given === 0 ? 'none' : given} of check, monitor and excluded; give it exactly one`);
  if (monitor !== undefined) {
    if (monitor !== true) return blame('monitor of a row that is no field is `true` and nothing else');
    return { how: 'monitor' };
  }
  if (check !== undefined) {
    if (typeof check !== 'string' || !/^(oauth|game|codec)\/[a-z-]+$/.test(check))
      return blame(`check ${String(check)} is no group of checks; write one such as oauth/refresh`);
    return { how: 'check', check };
  }
  if (typeof excluded !== 'string' || excluded.length < 40)
    return blame('is excluded without a reason; say in a sentence why no request could judge it');
  return { how: 'excluded', reason: excluded };
}

/** Each need with its alternatives. */
export function needsOf(given: unknown, law: Law, blame: BlameRow): LedgerRow['needs'] {
  if (!Array.isArray(given)) return blame('needs is no list') ?? [];
  return given.map((entry) =>
    String(entry)
      .split(' | ')
      .flatMap((word) => {
        if (isNeed(word, law.flags)) return [word];
        return blame(`need ${word} is unknown; conformance/ledger.ts lists them`) ?? [];
      }),
  );
}

/** Blames every key that is not known. */
export function strangers(entry: object, known: readonly string[], blame: BlameRow): void {
  for (const key of Object.keys(entry)) {
    if (!known.includes(key)) blame(`key ${key} is unknown; keys are ${known.join(', ')}`);
  }
}
