import { startsFirst } from './dates.js';
import { asDescribed, objects } from './rule.js';
import type { MonitorRow } from './rule.js';
import { own } from './values.js';

/** Rows of PvP matches and their ladders (interface 4.2, PvP matches). */
export const pvp: readonly MonitorRow[] = [
  {
    id: 'PVP-STATE-001',
    level: 'INFER',
    sentence: 'At most one of complete, upcoming and inProgress is true.',
    source: '2',
    entailed: '3: the flags name the states of a match, which is in one at a time',
    gap: 'K-038',
    needs: ['client:service'],
    rule: objects('PvPMatch', (match, at, findings) => {
      const states = ['complete', 'upcoming', 'inProgress'].filter((name) => own(match, name) === true);
      if (states.length > 0) findings.look();
      if (states.length > 1)
        findings.fail('at most one state', at.got(match) + `: ${states.join(' and ')} are true`, at);
    }),
  },
  {
    id: 'PVP-STATE-002',
    level: 'UNSPEC',
    sentence: 'How the state flags of a match relate to its dates is not stated.',
    source: '2',
    gap: 'K-038',
    needs: ['client:service'],
    rule: objects('PvPMatch', (match, _at, findings, { observe }) => {
      if (match['startAt'] === undefined && match['endAt'] === undefined) return;
      findings.look();
      const states = ['complete', 'upcoming', 'inProgress'].filter((name) => own(match, name) === true);
      observe(`PvP matches with dates are ${states.join(' and ') || 'in no state'}.`);
    }),
  },
  {
    id: 'PVP-STATE-003',
    level: 'INFER',
    sentence: 'startAt is not after endAt, where a match has both.',
    source: '2',
    entailed: '2: what ends has started',
    needs: ['client:service'],
    rule: startsFirst('PvPMatch'),
  },
  {
    id: 'PVP-PVP-001',
    level: 'MUST',
    sentence: 'pvp is there and true in every PvPMatch.',
    source: '2',
    needs: ['client:service'],
    rule: asDescribed(['PvPMatch.pvp']),
  },
  {
    id: 'PVPLADDER-MEMBER-001',
    level: 'MUST',
    sentence: 'Each member of a team has an account and a character, and its public is true or absent.',
    source: '2',
    needs: ['client:service'],
    rule: asDescribed(['PvPLadderTeamMember.account', 'PvPLadderTeamMember.character', 'PvPLadderTeamMember.public']),
  },
  {
    id: 'PVPLADDER-MEMBER-002',
    level: 'INFER',
    sentence: 'A team has at least one member.',
    source: '2',
    plausible: 'members is an array of any length',
    needs: ['client:service'],
    rule: objects('PvPLadderTeamEntry', ({ members }, at, findings) => {
      if (!Array.isArray(members)) return;
      findings.look();
      if (members.length === 0) findings.fail('a team with members', at.got(members, 'members'), at);
    }),
  },
];
