import { having } from '../../interceptor/json.js';
import { realmOf } from '../../interceptor/who.js';
import { mutants } from '../../mutant.js';
import { exceedMaximum } from '../../operators/pages.js';
import { drop, list, put, rename, reply } from '../../operators/replies.js';
import { defaultParameter, ignoreParameter, query } from '../../operators/requests.js';

const ladder = 'getPvpMatchLadder';

const both = ['listPvpMatches', 'getPvpMatch'] as const;

export const pvp = mutants({
  'PVP-GET-002: an unknown match is answered with {}': () =>
    reply('getPvpMatch', ({ match }) => (match === null ? {} : undefined)).also('ERR-002'),
  'PVP-LIST-002: the default type of PvP matches is league': () =>
    query(
      'listPvpMatches',
      (sent) => {
        sent.set('type', 'league');
        sent.set('league', 'Ember');
      },
      { type: null },
    ),
  'PVP-LIST-003 M-PV-04: type=league lists the matches of all leagues': () =>
    list(
      'listPvpMatches',
      'matches',
      (_, context, at) => at.service.world.pvpMatches(realmOf(context)).map(({ match }) => match),
      { type: 'league' },
    ),
  'PVP-PVP-001 M-PV-07: pvp is left out of a match': () => drop(both, '**.pvp'),
  'PVP-PVP-001 M-PV-07-false: pvp is false for a match that has not begun': () =>
    reply(both, (body) => having(body, 'upcoming', 'pvp').forEach((match) => void (match.pvp = false))),
  'PVPLADDER-001 M-PV-02: a PvP ladder is wrapped in league': () => rename(ladder, 'match', 'league'),
  'PVPLADDER-LIMIT-001 M-AD-63: the default limit of a PvP ladder is 200': () =>
    defaultParameter(ladder, 'limit', '200'),
  'PVPLADDER-LIMIT-002 M-PV-01: a page of a PvP ladder has up to 500 entries': () =>
    exceedMaximum(ladder, { limit: (limit) => Number(limit) <= 500 }),
  'PVPLADDER-LIMIT-003: limit of a PvP ladder is ignored': () => ignoreParameter(ladder, 'limit'),
  'PVPLADDER-MEMBER-001 M-PV-11: a private member says public: false': () =>
    put(ladder, '**.members[].public', (isPublic: true | undefined) => isPublic ?? false).exercise(
      'PVPLADDER-001',
      'PVPLADDER-LIMIT-001',
    ),
  'PVPLADDER-OFFSET-001: offset of a PvP ladder is ignored': () => ignoreParameter(ladder, 'offset'),
  'PVPLADDER-RATING-001 M-PV-06: a match without ratings has teams with rating 0': () =>
    put(ladder, 'match.entries[].rating', (rating: number | undefined) => rating ?? 0),
});
