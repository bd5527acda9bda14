import { isObject } from '../json.js';
import { startsFirst } from './dates.js';
import { asDescribed, objects } from './rule.js';
import type { MonitorRow } from './rule.js';

/** Rows of leagues and accounts (interface 2, League and Account; 4.2, Leagues). */
export const leagues: readonly MonitorRow[] = [
  {
    id: 'LEAGUE-GET-004',
    level: 'MUST',
    sentence: 'category.current, or active, is set on active challenge leagues only, and true wherever it is.',
    source: '2',
    needs: ['client:service'],
    rule: asDescribed(['League.category.current', 'League.category.active'], {
      kinds: ['null', 'type', 'value'],
    }),
  },
  {
    id: 'LEAGUE-GET-005',
    level: 'INFER',
    sentence: 'startAt is not after endAt, where a league has both.',
    source: '2',
    entailed: '2: what ends has started',
    needs: ['client:service'],
    rule: startsFirst('League'),
  },
  {
    id: 'XF-001',
    level: 'INFER',
    sentence: "Of an account's challenges no more are completed than there are: completed <= max.",
    source: '2',
    entailed: '2: max is the most that can be completed',
    rule: objects('Account', ({ challenges }, at, findings) => {
      if (!isObject(challenges)) return;
      const { completed, max } = challenges;
      if (typeof completed !== 'number' || typeof max !== 'number') return;
      findings.look();
      if (completed > max) {
        findings.fail('completed at most max', `${at.got(completed, 'challenges', 'completed')}, max is ${max}`, at);
      }
    }),
  },
];
