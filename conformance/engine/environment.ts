import type { Hooks, Codec } from '../target/hooks.js';
import type { Target } from '../target/target.js';
import type { Monitors } from './monitors.js';
import type { Wire } from '../wire/wire.js';
import type { Coverage } from './coverage.js';
import type { LaterConsent } from './later-consent.js';

/** What all checks of a run work with. */
export interface Environment {
  readonly target: Target;
  readonly hooks: Hooks;
  readonly wire: Wire;
  readonly monitors: Monitors;
  readonly lifecycle: Coverage;
  readonly later: LaterConsent;
  /** Accounts and clients, as JSON, of which a consent was seen to give a code. */
  readonly met: Set<string>;
  readonly seed: number;
  readonly runs: number;
  /** Whether a check may wait in real time for a code to expire. */
  readonly wait: boolean;
  /** Whether others use the server, so that nothing may change or burden it. */
  readonly safe?: boolean;
  /** Whether the complete suite of the token lifecycle allows for a state more than the server shows. */
  readonly thorough: boolean;
  readonly codec: () => Promise<Codec>;
}
