/** Schedules for the public stash stream, and hours of the currency exchange. */
import fc from 'fast-check';
import type { Arbitrary } from 'fast-check';

/** One step of a schedule: what happens to which of a few stashes, and what follows. */
export interface StashStep {
  readonly stash: number;
  /** `turn` lists a stash that is not listed and unlists one that is; `update` changes one that is listed. */
  readonly act: 'turn' | 'update';
  /** Seconds that pass after it. */
  readonly wait: number;
  /** Whether the stream is read to its end afterwards, so that its id is one to go on from. */
  readonly poll: boolean;
}

/** Lists, updates, unlistings and re-listings of up to four stashes, in any order and at any distance (gSchedule). */
export const gStashSchedule = (delay: number): Arbitrary<readonly StashStep[]> =>
  fc.array(
    fc.record({
      stash: fc.nat({ max: 3 }),
      act: fc.constantFrom('turn', 'turn', 'update'),
      wait: fc.oneof(fc.constantFrom(0, 0, 1, delay + 10), fc.integer({ min: 1, max: delay })),
      poll: fc.boolean(),
    }),
    { minLength: 5, maxLength: 12 },
  );

/** A second within an hour that is not its first. */
export const gWithinHour: Arbitrary<number> = fc.oneof(fc.integer({ min: 1, max: 3599 }), fc.constantFrom(1, 3599));

/** One of these hours, the first and the last more often than the others (gHour). */
export const gHour = (hours: readonly number[]): Arbitrary<number> =>
  fc.oneof(fc.constantFrom(...hours), fc.constantFrom(hours[0]!, hours.at(-1)!));
