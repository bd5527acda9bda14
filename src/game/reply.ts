import type { GameOperation, Reply } from '../contract/index.js';
import type { ErrorBody } from './errors.js';

interface NotFound {
  readonly status: 404;
  readonly body: ErrorBody;
}

/** Replies that the contract does not document for the operation, because a switch asks for them (K-023, K-070). */
interface Switched {
  readonly createItemFilter: {
    readonly status: 201;
    readonly body: Extract<Reply<'createItemFilter'>, { status: 200 }>['body'];
  };
  readonly getLeagueLadder: NotFound;
  readonly getLeagueEventLadder: NotFound;
  readonly getPvpMatchLadder: NotFound;
}

export type SwitchedReply<K extends GameOperation> = K extends keyof Switched ? Switched[K] : never;

/** The name of a reply that is kept: parts that may hold any text never run together. */
export const keyOf = (...parts: readonly (string | number | undefined)[]): string => JSON.stringify(parts);
