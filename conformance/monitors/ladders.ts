import { ladderPage } from '../engine/ladder-page.js';
import { asDescribed, objects, replies } from './rule.js';
import type { MonitorRow } from './rule.js';
import { elements, own, show } from './values.js';

/** Only so many are served (interface 7, 8). */
const deepest = 15_000;

/** Rows of league and event ladders (interface 4.2, Leagues). */
export const ladders: readonly MonitorRow[] = [
  {
    id: 'LADDER-002',
    level: 'MUST',
    sentence: 'total is an unsigned integer, cached_since a date-time, null or absent.',
    source: '4.2',
    needs: ['client:service'],
    rule: asDescribed(['getLeagueLadder.league.total', 'getLeagueLadder.league.cached_since']),
  },
  {
    id: 'LADDER-DEPTH-003',
    level: 'INFER',
    sentence: 'No entry beyond the top 15000 is ever served.',
    source: '8',
    entailed: '8: only the top 15000 entries',
    needs: ['client:service'],
    rule: replies(['getLeagueLadder'], ({ body, args, answer }, findings) => {
      // Whether a ladder of one class counts overall or within the class is open (K-028).
      if (args['sort'] === 'class' || args['class'] !== undefined) return;
      for (const [index, entry] of elements(own(ladderPage(body, 'league'), 'entries')).entries()) {
        const rank = own(entry, 'rank');
        if (typeof rank !== 'number') continue;
        findings.look();
        if (rank > deepest)
          findings.fail(`ranks up to ${deepest}`, `entry ${index} of the page has rank ${rank}`, answer);
      }
    }),
  },
  {
    id: 'LADDER-PRIV-001',
    level: 'UNSPEC',
    sentence:
      'dead, retired, ineligible and public of a ladder entry may be false, unlike flags that are always true if present.',
    source: '2',
    gap: 'K-101',
    needs: ['client:service'],
    rule: objects('LadderEntry', (entry, _at, findings, { observe }) => {
      for (const name of ['dead', 'retired', 'ineligible', 'public']) {
        if (own(entry, name) !== false) continue;
        findings.look();
        observe(`LadderEntry.${name} is served as false.`);
      }
    }),
  },
  {
    id: 'EVLADDER-TYPE-001',
    level: 'MUST',
    sentence: 'Entries of an event ladder are of private leagues with name and url, not of characters.',
    source: '2',
    needs: ['client:service'],
    rule: asDescribed([
      'EventLadderEntry.private_league',
      'EventLadderEntry.private_league.name',
      'EventLadderEntry.private_league.url',
    ]),
  },
  {
    id: 'XF-003',
    level: 'INFER',
    sentence: 'The same account name has the same guild id and tag within one ladder page.',
    source: '2',
    entailed: '2: an account has one guild, and one answer does not contradict itself',
    rule: replies(['getLeagueLadder', 'getPvpMatchLadder'], ({ body, answer }, findings) => {
      const guilds = new Map<string, string>();
      const accounts = [
        ...elements(own(ladderPage(body, 'league'), 'entries')),
        ...elements(own(ladderPage(body, 'match'), 'entries')).flatMap((team) => elements(own(team, 'members'))),
      ].map((one) => own(one, 'account'));
      for (const account of accounts) {
        const name = own(account, 'name');
        const guild = own(account, 'guild');
        if (typeof name !== 'string' || guild === undefined || guild === null) continue;
        const sign = `${show(own(guild, 'id'))} ${show(own(guild, 'tag'))}`;
        const before = guilds.get(name);
        if (before !== undefined) findings.look();
        if (before !== undefined && before !== sign) {
          findings.warn(
            `The account ${show(name)} has guild ${before} and guild ${sign} on one page (answer ${answer.number}).`,
          );
        }
        guilds.set(name, sign);
      }
    }),
  },
];
