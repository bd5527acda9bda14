/** A mutant of the tool. */
export interface Mutant {
  readonly operator: string;
  /** `src/oauth/pkce.ts:12:7`, lines and columns from 1. */
  readonly place: string;
  /** The function, method or constant that it is in. Where several mutants there change the same, the second has ` (2)`. */
  readonly within?: string;
  /** The code that it replaces, and by what: blanks in a row are one, and long code is cut. */
  readonly original: string;
  readonly replacement: string;
}

/** A mutant that can be run: by the number that the tool gave it, which is another after a change of the code. */
export interface Numbered extends Mutant {
  readonly id: string;
}

/** How a run with a mutant ended. */
export interface Ending {
  readonly end: End;
  /** The first binding row that failed. */
  readonly row?: string;
  /** What kept the suite from a verdict. */
  readonly why?: string;
}

/** How the suite ended with a mutant. */
export interface Result extends Mutant, Ending {
  /** How the mock ran that it was tried with: the last one killed it, where it is killed. */
  readonly profiles: readonly string[];
  /** Of the file that was mutated: the result stands as long as that stays. */
  readonly digest: string;
}

/**
 * `survived`: no binding row failed. `not reached`: the suite runs none of the code, so it survives without a run.
 * `same`: the world is the same with it, so every reply is, and it survives without a run.
 * `no start`: the mock did not start. `no end`: the suite came to no verdict.
 */
export type End = 'killed' | 'survived' | 'not reached' | 'same' | 'no start' | 'no end';

/** How `survivors.yaml` names a mutant: by what it is in, which stays when lines move; by its place where that is not known. */
export const keyOf = ({ place, within, original, replacement }: Omit<Mutant, 'operator'>): string =>
  `${within === undefined ? place : `${fileOf(place)} ${within}:`} ${original} → ${replacement}`;

/** The mutants with different keys. */
export function distinct<M extends Mutant>(mutants: readonly M[]): readonly M[] {
  const seen = new Map<string, number>();
  return mutants.map((mutant) => {
    const count = (seen.get(keyOf(mutant)) ?? 0) + 1;
    seen.set(keyOf(mutant), count);
    return count === 1 ? mutant : { ...mutant, within: `${mutant.within} (${count})` };
  });
}

/** The file of a place. */
export const fileOf = (place: string): string => place.slice(0, place.indexOf(':'));

const declaration =
  /^(?:(?:export )?(?:default )?(?:abstract )?(?:async )?(?:function\*?|const|let|class|interface|type) ([\w$]+)|  (?:(?:static|async|get|set|readonly) )*(#?[\w$]+)(?:\(| = ))/;

/** What a line of code is in: the nearest declaration at the left edge, or the method or field of a class. */
export function withinOf(lines: readonly string[], line: number): string {
  for (let at = line; at >= 0; at -= 1) {
    const [, own, member] = declaration.exec(lines[at]!) ?? [];
    if (own !== undefined) return own;
    if (member === undefined || /^(?:if|for|while|switch|return|catch)$/.test(member)) continue;
    const holder = lines.slice(0, at).findLast((text) => /^\S/.test(text) && !/^[})\]/]/.test(text));
    const [, name] = /^(?:export )?(?:abstract )?class ([\w$]+)/.exec(holder ?? '') ?? [];
    if (name !== undefined) return `${name}.${member}`;
  }
  return 'module';
}
