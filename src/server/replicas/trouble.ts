import { SetupError } from '../../input/setup-error.js';

/** The engine, or what it holds, is of no use to a replica. At the start the mock ends with it. */
export class StoreTrouble extends SetupError {
  /** @param remedy what to do about it */
  constructor(
    readonly address: string,
    readonly reason: string,
    readonly remedy: string,
    /** Whether waiting does not help: the engine answers, but with what no replica of this mock has written. */
    readonly isForeign = false,
  ) {
    super(`store ${address}: ${reason}; ${remedy}`);
  }
}
