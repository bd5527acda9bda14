import { isObject } from '../json.js';
import { asDescribed, objects } from './rule.js';
import type { Rules } from './rule.js';
import { isDateTime, show } from './values.js';

const withZone = /(?:Z|[+-]\d{2}(?::?\d{2})?)$/i;

/** Whether one date-time is after another; undefined where they cannot be told apart. */
function isAfter(a: unknown, b: unknown): boolean | undefined {
  if (typeof a !== 'string' || typeof b !== 'string' || !isDateTime(a) || !isDateTime(b)) return undefined;
  // Without a zone a time is anywhere within a day: such a pair is compared only when both lack it.
  if (withZone.test(a) !== withZone.test(b)) return undefined;
  const [first, second] = [Date.parse(a), Date.parse(b)];
  return Number.isNaN(first) || Number.isNaN(second) ? undefined : first > second;
}

/** Rows of leagues and accounts (interface 2, League and Account; 4.2, Leagues). */
export const leagues: Rules = {
  'LEAGUE-GET-004': asDescribed(['League.category.current', 'League.category.active'], {
    kinds: ['null', 'type', 'value'],
  }),
  'LEAGUE-GET-005': objects('League', ({ startAt, endAt }, at, findings) => {
    const after = isAfter(startAt, endAt);
    if (after === undefined) return;
    findings.look();
    if (after)
      findings.fail('startAt at or before endAt', `${at.got(startAt, 'startAt')}, endAt is ${show(endAt)}`, at);
  }),
  'XF-001': objects('Account', ({ challenges }, at, findings) => {
    if (!isObject(challenges)) return;
    const { completed, max } = challenges;
    if (typeof completed !== 'number' || typeof max !== 'number') return;
    findings.look();
    if (completed > max) {
      findings.fail('completed at most max', `${at.got(completed, 'challenges', 'completed')}, max is ${max}`, at);
    }
  }),
};
