import type { RowId } from '../ledger.gen.js';
import type { Requirement } from '../requirement.js';
import { Deviation, PrerequisiteFailed } from '../verdict.js';
import type { Run } from './run.js';

/**
 * When a check may run. `together`: beside others, with what the run shares. `alone`: nothing else runs and its tokens
 * are its own, because it spoils what others hold. `clock`: after all others, because the clock does not go back, beside
 * others that move it, and with tokens of its own.
 */
export type Phase = 'together' | 'alone' | 'clock';

/** One requirement's check, as the verifier runs it. */
export interface Check {
  readonly row: RowId;
  readonly phase: Phase;
  /** The most requests that it sends, where the data of a server decides; else what was measured counts. */
  readonly requests?: number;
  readonly body: (run: Run) => Promise<unknown>;
}

/** A requirement, and how it is judged. */
export type CheckDefinition<Judge = Check['body']> = Requirement &
  Partial<Pick<Check, 'phase' | 'requests'>> & { readonly judge: Judge };

/** A check with the requirement that it stands beside. */
export interface DefinedCheck extends Check {
  readonly requirement: Requirement;
  /** It notes and never fails. */
  readonly observes?: true;
}

/** The checks of a requirement group. */
export interface Group {
  readonly name: string;
  readonly checks: readonly DefinedCheck[];
  /** They run one after the other, because they share what one of them changes, or build on what one has done. */
  readonly inOrder: boolean;
}

/**
 * A requirement with its check, which fails by the expectations of its run, and by nothing else. The ledger, and with it
 * the type of ids, is generated from these definitions.
 */
export const check = ({ judge, phase = 'together', requests, ...requirement }: CheckDefinition): DefinedCheck => ({
  row: requirement.id as RowId,
  requirement,
  phase,
  ...(requests !== undefined && { requests }),
  body: judge,
});

/** What the interface leaves open, and what is looked at to tell how a server does it. */
type Observation = Omit<Requirement, 'level' | 'entailed' | 'plausible'> & {
  readonly observe: (run: Run, note: (text: string) => void) => Promise<unknown>;
};

/** A check that notes what it sees and never fails: an expectation of what it builds upon leaves it undecided. */
export const observation = ({ observe, ...open }: Observation): DefinedCheck => ({
  ...check({
    ...open,
    level: 'UNSPEC',
    judge: async (run) => {
      try {
        await observe(run, (text) => run.expect.note(text));
      } catch (error) {
        throw error instanceof Deviation ? new PrerequisiteFailed(error.message) : error;
      }
    },
  }),
  observes: true,
});

/** A requirement group, with its options before its checks. */
export function group(
  name: string,
  ...rest: readonly [readonly DefinedCheck[]] | readonly [{ readonly inOrder: boolean }, readonly DefinedCheck[]]
): Group {
  const [options, checks] = rest.length === 1 ? [{ inOrder: false }, rest[0]] : rest;
  return { name, checks, ...options };
}
