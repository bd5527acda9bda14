import type { Run } from '../engine/run.js';
import type { Target } from '../target/target.js';
import type { Answer } from '../wire/answer.js';

export type ReadingKey = keyof Target['readings'];

/** Why a failure is one, where the interface leaves the matter open: the target's own declaration. */
export const asDeclared = (run: Run, key: ReadingKey): string =>
  `as readings.${key}: ${run.facts.target.readings[key]} declares (the declaration is violated, not the interface, which leaves this open)`;

/** An expectation that rests on what the target declares of its server, and on nothing else. */
export const thatDeclared = (
  run: Run,
  key: ReadingKey,
  holds: boolean,
  expected: string,
  got: unknown,
  answer?: Answer,
): void => run.expect.that(holds, `${expected}, ${asDeclared(run, key)}`, got, answer);

/**
 * What became of a request for scopes of which some cannot be granted, where the target declares it (K-083): it fails,
 * or grants the others. What a server grants when none is left is open all the same (RFC 6749 3.3).
 */
export function scopesAsDeclared(
  run: Run,
  asked: { readonly wanted: readonly string[]; readonly unwanted: readonly string[] },
  met: {
    readonly refused: boolean;
    readonly granted: readonly string[];
    readonly got: string;
    readonly answer?: Answer;
  },
): void {
  const { invalid_scope: declared } = run.facts.target.readings;
  const { wanted, unwanted } = asked;
  if (declared === 'any' || (declared === 'drop' && wanted.length === 0)) return;
  const [holds, expected] =
    declared === 'error'
      ? [met.refused, `${unwanted.join(' ')} to make the request fail`]
      : [wanted.every((scope) => met.granted.includes(scope)), `${wanted.join(' ')} without ${unwanted.join(' ')}`];
  thatDeclared(run, 'invalid_scope', holds, expected, met.got, met.answer);
}

/** Scopes granted to a request for an unknown scope alone: a default is allowed (RFC 6749 3.3), and is warned of. */
export function warnOfDefault(run: Run, granted: readonly string[], unknown: string, answer?: Answer): void {
  if (granted.length > 0)
    run.expect.warn(
      `a request for ${unknown} alone was granted ${granted.join(' ')}, which it did not ask for`,
      answer,
    );
}

/** What live data shows and the interface has otherwise, where the target says neither that it is so nor that it is not. */
export function warnOfObserved(run: Run, flag: `F-OBS-${string}`, what: string): void {
  if (run.facts.flag(flag) === 'any')
    run.expect.warn(`${what}; live data shows that, and the interface does not: declare ${flag} on or off`);
}
