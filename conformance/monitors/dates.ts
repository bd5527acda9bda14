import { dateTimeOf } from '../date-time.js';
import { objects } from './rule.js';
import type { Rule } from './rule.js';
import { show } from './values.js';

/** Whether one date-time is after another; undefined where they cannot be told apart. */
function isAfter(a: unknown, b: unknown): boolean | undefined {
  const [first, second] = [a, b].map((text) => (typeof text === 'string' ? dateTimeOf(text) : undefined));
  // Without a zone a time is anywhere within a day: such a pair is compared only when both lack it.
  return first && second && first.zoned === second.zoned ? first.ms > second.ms : undefined;
}

/** The rule that objects of a schema start before they end, where they have both dates. */
export const startsFirst = (schema: 'League' | 'PvPMatch'): Rule =>
  objects(schema, ({ startAt, endAt }, at, findings) => {
    const after = isAfter(startAt, endAt);
    if (after === undefined) return;
    findings.look();
    if (after)
      findings.fail('startAt at or before endAt', `${at.got(startAt, 'startAt')}, endAt is ${show(endAt)}`, at);
  });
