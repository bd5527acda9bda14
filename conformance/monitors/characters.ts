import { asDescribed, notShownIn, replies } from './rule.js';
import type { Rules } from './rule.js';
import { ofCharacters } from './realms.js';
import { elements, given, own, show } from './values.js';

/** Rows of characters (interface 2, Character; 4.2, Characters). */
export const characters: Rules = {
  'CHAR-LIST-003': replies(['listCharacters'], ({ body }, findings, { observe }) => {
    for (const entry of elements(body['characters'])) {
      findings.look();
      const some = ['equipment', 'inventory', 'jewels', 'passives'].some((name) => given(own(entry, name)));
      observe(`Characters in a list come ${some ? 'with' : 'without'} equipment or passives.`);
    }
  }),
  'CHAR-FLAG-001': replies(['listCharacters'], ({ body, answer }, findings) => {
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
  'CHAR-META-001': asDescribed(['Character.metadata', 'Character.metadata.version']),
  'CHAR-G2-001': asDescribed(['Character.skills', 'Character.ruthless', 'Passives.quest_stats'], { kinds: ['game'] }),
  'CHAR-EXT-001': notShownIn(ofCharacters, 'Item', 'extended'),
};
