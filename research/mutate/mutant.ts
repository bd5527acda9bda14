/** A mutant of the tool. */
export interface Mutant {
  /** The tool's own, the same as long as no mutated file changes. */
  readonly id: string;
  readonly operator: string;
  /** `src/oauth/pkce.ts:12:7`, lines and columns from 1. */
  readonly place: string;
  /** The code that it replaces, and by what: blanks in a row are one, and long code is cut. */
  readonly original: string;
  readonly replacement: string;
}

/** How the suite ended with a mutant. */
export interface Result extends Mutant {
  readonly end: End;
  /** The first binding row that failed. */
  readonly row?: string;
  /** What kept the suite from a verdict. */
  readonly why?: string;
  readonly seconds: number;
}

/** `survived`: no binding row failed. `no start`: the mock did not start. `no end`: the suite came to no verdict. */
export type End = 'killed' | 'survived' | 'no start' | 'no end';

/** How `survivors.yaml` names a mutant. Several begin at one place, so the code that is replaced is part of it. */
export const keyOf = ({ place, original, replacement }: Pick<Mutant, 'place' | 'original' | 'replacement'>): string =>
  `${place} ${original} → ${replacement}`;

/** The file of a place. */
export const fileOf = (place: string): string => place.slice(0, place.indexOf(':'));
