import type { Level } from './result.js';
import type { Need } from './target/capabilities.js';

/** Whether a server that breaks the row is failed; where not, it is warned. */
export const isBinding = ({ plausible }: Pick<LedgerRow, 'plausible'>): boolean => plausible === undefined;

/** Whether a row only notes what a server does, as the interface leaves it open. It decides nothing. */
export const isObservation = ({ level }: Pick<LedgerRow, 'level'>): boolean => level === 'UNSPEC' || level === 'MAY';

interface Row<Id extends string> {
  readonly id: Id;
  readonly level: Level;
  /** Sections of the interface, such as `4.2,7`; `-` for what follows from none of them. */
  readonly section: string;
  readonly statement: string;
  /** INFER: the sentences that it follows from, by their sections, and how: `4.2, 7: …`. */
  readonly entailed?: string;
  /** INFER: why it is likely and no sentence entails it. It never fails a server by itself. */
  readonly plausible?: string;
  /** The place where the interface contradicts itself or is silent, with what may be asserted of any server. */
  readonly gap?: string;
  /** Each entry must be met, by any one of its alternatives. For a monitor: without them it will hardly see its case. */
  readonly needs: readonly (readonly Need[])[];
  /** Where the sentence can be read: a page of the package, below its root, and the place on it. */
  readonly link: string;
  /** JSON pointer into the contract, where the row is about one place of it. */
  readonly pointer?: string;
  /** The id without its number; for fields their schema. */
  readonly group: string;
}

/** A requirement, and how it is proved. */
export type LedgerRow<Id extends string = string> = Row<Id> &
  (
    | { readonly how: 'check'; /** Its group of checks, such as `oauth/refresh`. */ readonly check: string }
    | {
        readonly how: 'monitor';
        /** Field rows: the property in the contract, such as `Item.influences.elder`. */
        readonly place?: string;
        /** Field rows: JSON pointers of every property schema that the place stands for; `pointer` is the first. */
        readonly properties?: readonly string[];
      }
    | { readonly how: 'excluded'; readonly reason: string }
  );
