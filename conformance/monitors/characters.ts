import { asDescribed, notShownIn, replies } from './rule.js';
import type { MonitorRow } from './rule.js';
import { ofCharacters } from './realms.js';
import { elements, given, own, show } from './values.js';

/** Rows of characters (interface 2, Character; 4.2, Characters). */
export const characters: readonly MonitorRow[] = [
  {
    id: 'CHAR-LIST-003',
    level: 'UNSPEC',
    sentence: 'Whether entries of the list hold equipment and the like is not stated.',
    source: '4.2',
    gap: 'K-132',
    needs: [['client:confidential', 'client:public'], 'consent'],
    rule: replies(['listCharacters'], ({ body }, findings, { observe }) => {
      for (const entry of elements(body['characters'])) {
        findings.look();
        const some = ['equipment', 'inventory', 'jewels', 'passives'].some((name) => given(own(entry, name)));
        observe(`Characters in a list come ${some ? 'with' : 'without'} equipment or passives.`);
      }
    }),
  },
  {
    id: 'CHAR-FLAG-001',
    level: 'INFER',
    sentence: 'At most one character of a realm is current.',
    source: '2',
    plausible: 'the word current suggests one; no sentence says how many there are',
    needs: [['client:confidential', 'client:public'], 'consent'],
    rule: replies(['listCharacters'], ({ body, answer }, findings) => {
      const current = new Map<string, number>();
      for (const entry of elements(body['characters'])) {
        if (own(entry, 'current') !== true) continue;
        findings.look();
        const realm = show(own(entry, 'realm'));
        current.set(realm, (current.get(realm) ?? 0) + 1);
      }
      for (const [realm, count] of current) {
        if (count > 1)
          findings.fail(
            'at most one current character in a realm',
            `$.characters has ${count} in realm ${realm}`,
            answer,
          );
      }
    }),
  },
  {
    id: 'CHAR-META-001',
    level: 'MUST',
    sentence: 'metadata of a character is an object, null or absent, and its version a string, null or absent.',
    source: '2',
    needs: [['client:confidential', 'client:public'], 'consent'],
    rule: asDescribed(['Character.metadata', 'Character.metadata.version']),
  },
  {
    id: 'CHAR-G2-001',
    level: 'MUST',
    sentence:
      'skills and quest_stats occur on characters of the second game only, ruthless on those of the first only.',
    source: '2',
    needs: [['client:confidential', 'client:public'], 'consent'],
    rule: asDescribed(['Character.skills', 'Character.ruthless', 'Passives.quest_stats'], { kinds: ['game'] }),
  },
  {
    id: 'CHAR-EXT-001',
    level: 'MUST',
    sentence: 'Item.extended does not occur in characters, since it is of the public stash stream only.',
    source: '2',
    needs: [['client:confidential', 'client:public'], 'consent'],
    rule: notShownIn(ofCharacters, 'Item', 'extended'),
  },
];
