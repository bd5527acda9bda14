import { asDescribed, objects } from './rule.js';
import type { Rules } from './rule.js';
import { own } from './values.js';

/** Rows of PvP matches and their ladders (interface 4.2, PvP matches). */
export const pvp: Rules = {
  'PVP-STATE-001': objects('PvPMatch', (match, at, findings) => {
    const states = ['complete', 'upcoming', 'inProgress'].filter((name) => own(match, name) === true);
    if (states.length > 0) findings.look();
    if (states.length > 1) findings.fail('at most one state', at.got(match) + `: ${states.join(' and ')} are true`, at);
  }),
  'PVP-STATE-002': objects('PvPMatch', (match, _at, findings, { observe }) => {
    if (match['startAt'] === undefined && match['endAt'] === undefined) return;
    findings.look();
    const states = ['complete', 'upcoming', 'inProgress'].filter((name) => own(match, name) === true);
    observe(`PvP matches with dates are ${states.join(' and ') || 'in no state'}.`);
  }),
  'PVP-PVP-001': asDescribed(['PvPMatch.pvp']),
  'PVPLADDER-MEMBER-001': asDescribed([
    'PvPLadderTeamMember.account',
    'PvPLadderTeamMember.character',
    'PvPLadderTeamMember.public',
  ]),
  'PVPLADDER-MEMBER-002': objects('PvPLadderTeamEntry', ({ members }, at, findings) => {
    if (!Array.isArray(members)) return;
    findings.look();
    if (members.length === 0) findings.fail('a team with members', at.got(members, 'members'), at);
  }),
};
