import type { JsonObject } from '../json.js';
import type { LogicalOperation } from '../../src/contract/index.js';
import type { Reply } from './reply.js';
import { asDescribed } from './rule.js';
import type { Listener, MonitorRow } from './rule.js';
import type { Findings } from './findings.js';
import type { Cursor } from './cursor.js';
import { show } from './values.js';

/**
 * Filters belong to a realm of their own, which no request names. Operations of the first game have no second-game
 * realm to ask for: what a server makes of the word there is its own affair (K-016).
 */
const asksForRealm = ({ realm, game }: Reply): boolean => realm !== undefined && game !== undefined;

/** Rows of realms (interface 1, 2). */
export const realms: readonly MonitorRow[] = [
  {
    id: 'REALM-QUERY-004',
    level: 'INFER',
    sentence:
      'The `realm` of a league, match or character (and, as a rule, of an account), when present, is the requested one.',
    source: '2',
    entailed: '2, 4.2: the request and the field are two ways to say one realm',
    gap: 'K-003',
    rule: ({ target }): Listener => {
      const differs = ({ realm }: JsonObject, { reply }: Cursor, findings: Findings): string | undefined => {
        if (typeof realm !== 'string' || !asksForRealm(reply)) return undefined;
        findings.look();
        const asked = reply.realm === 'game2' ? target.names.game2 : reply.realm;
        return realm === asked ? undefined : asked;
      };
      const judge = (one: JsonObject, at: Cursor, findings: Findings): void => {
        const asked = differs(one, at, findings);
        if (asked === undefined) return;
        findings.fail(`realm ${show(asked)}, as asked for`, at.got(one['realm'], 'realm'), at.reply.answer);
      };
      // An account may have a realm of its own, in which it does not play alone.
      const warn = (one: JsonObject, at: Cursor, findings: Findings): void => {
        const asked = differs(one, at, findings);
        if (asked !== undefined)
          findings.warn(`accounts of realm ${show(one['realm'])} where ${show(asked)} was asked for`);
      };
      return { objects: { League: judge, PvPMatch: judge, Character: judge, Account: warn } };
    },
  },
  {
    id: 'REALM-ITEM-001',
    level: 'MUST',
    sentence:
      "Item.realm, when present, is the second game's realm value, so it never appears on items of the first game.",
    source: '2',
    gap: 'K-099',
    rule: asDescribed(['Item.realm'], { kinds: ['value', 'type', 'game'] }),
  },
];

/** Operations whose replies hold characters of one account. */
export const ofCharacters: readonly LogicalOperation[] = ['listCharacters', 'getCharacter'];
/** Operations whose replies hold stash tabs. */
export const ofStashes: readonly LogicalOperation[] = ['listStashes', 'getStash', 'listGuildStashes', 'getGuildStash'];
