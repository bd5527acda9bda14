import type { Level } from './result.js';
import type { Need } from './target/capabilities.js';

/** A sentence that a server or a client keeps or breaks. It stands beside what judges it. */
export interface Sentence<Of extends Level> {
  /** Never reused. */
  readonly id: string;
  readonly level: Of;
  /** What is true of whoever keeps it. */
  readonly sentence: string;
  /** Where it is stated: sections of the interface such as `4.2`, or a clause such as `RFC 6749 4.1.2`, or `observed`. */
  readonly source: string;
}

/**
 * The levels of requirements of servers. `MUST`: the interface states it. `MUST-RFC`: an RFC that it cites states it.
 * `SHOULD-RFC`: such an RFC recommends it. `INFER`: a consistent reading. `MAY` and `UNSPEC`: left open; noted, and
 * failed only where a target declares a reading and does otherwise.
 */
export const levels = ['MUST', 'MUST-RFC', 'SHOULD-RFC', 'INFER', 'MAY', 'UNSPEC'] as const satisfies readonly Level[];

/**
 * What an inference rests on, one of the two. `entailed`: the sections whose sentences entail it, and how, such as
 * `4.2, 7: a page is a window of the whole`; it fails a server. `plausible`: what is not stated; it warns a server, and
 * fails it with `--strict` alone.
 */
type Grounds =
  | { readonly level: 'INFER'; readonly entailed: string; readonly plausible?: never }
  | { readonly level: 'INFER'; readonly plausible: string; readonly entailed?: never }
  | {
      readonly level: Exclude<(typeof levels)[number], 'INFER'>;
      readonly entailed?: never;
      readonly plausible?: never;
    };

/** A sentence about servers. `source` names sections of the interface, such as `4.2,7`; `-` where it follows from none. */
export type Requirement = Sentence<(typeof levels)[number]> &
  Grounds & {
    /** The entry of openapi/gaps.yaml that says what may be asserted of any server. */
    readonly gap?: string;
    /** What a target must offer: each entry, of a list any one. For a rule: without them it will hardly see its case. */
    readonly needs?: readonly (Need | readonly Need[])[];
  };
