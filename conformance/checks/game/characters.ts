import type { JsonObject } from '../../json.js';
import { check, group } from '../../engine/check.js';
import type { Run } from '../../engine/run.js';
import { gUnknownName, nearNames } from '../../generators/data.js';
import { isRealmWord } from '../../model/account.js';
import { expectNull, expectDenied } from '../../model/expect-null.js';
import { answeredApart, byBoth, sameForEveryClient } from '../../model/one-answer.js';
import { contradiction } from '../../model/difference.js';
import { areAll, given, isA } from '../../model/schema.js';
import { attempt, NotOffered } from '../../verdict.js';
import type { Answer } from '../../wire/answer.js';
import { member } from '../../wire/answer.js';
import { allRealms as realms } from './realm-queries.js';
import type { Realm } from './realm-queries.js';

/** Whose characters a realm's are: the second game's may be another account's. */
const ownerOf = (run: Run, realm: Realm): string =>
  (realm === 'game2' ? run.facts.target.known.game2_account : undefined) ?? 'alice';

const askList = (run: Run, realm: Realm, account = ownerOf(run, realm)): Promise<Answer> =>
  run.http.data('listCharacters', { args: { realm }, account });

const ask = (run: Run, name: string, realm: Realm, account = ownerOf(run, realm)): Promise<Answer> =>
  run.http.data('getCharacter', { args: { name, realm }, account });

/** The characters of an account in a realm, shared by the run. */
const listOf = (run: Run, realm: Realm, account = ownerOf(run, realm)): Promise<readonly JsonObject[]> =>
  run.facts.once(`characters of ${account} in ${realm}`, async () =>
    run.expect.list(await askList(run, realm, account), 'characters'),
  );

const namesOf = (characters: readonly JsonObject[]): readonly string[] =>
  characters.map(({ name }) => name).filter((name) => typeof name === 'string' && name !== '') as string[];

/** A name in pc that is a realm's word asks for the list of that realm (K-017). */
const reachable = (run: Run, name: string, realm: Realm): boolean => realm !== 'pc' || !isRealmWord(run, name);

interface FoundCharacter {
  readonly realm: Realm;
  readonly entry: JsonObject;
  readonly name: string;
  readonly answer: Answer;
}

/**
 * Lookups of the account's characters in every realm, shared by the run. Names that are harder to send come first, so
 * that a long list does not hide them.
 */
const lookups = (run: Run): Promise<readonly FoundCharacter[]> =>
  run.facts.once('lookups of characters', async () => {
    const found: FoundCharacter[] = [];
    for (const realm of realms) {
      const plain = (entry: JsonObject): number => (/^[\w-]*$/.test(String(entry['name'])) ? 1 : 0);
      const entries = (await listOf(run, realm)).toSorted((a, b) => plain(a) - plain(b)).slice(0, 50);
      for (const entry of entries) {
        const name = String(entry['name']);
        if (name !== '' && reachable(run, name, realm)) {
          found.push({ realm, entry, name, answer: await ask(run, name, realm) });
        }
      }
    }
    return found;
  });

/** The lookups of characters that are neither deleted nor expired: those a server may withhold (K-134). */
async function living(run: Run): Promise<readonly FoundCharacter[]> {
  const found = (await lookups(run)).filter(({ entry }) => entry['deleted'] !== true && entry['expired'] !== true);
  if (found.length === 0) run.expect.notExercised('the account has no character that can be asked for');
  return found;
}

/** What the application's owner lists by client credentials is there for such a token, too (interface 5.6). */
async function ofTheOwner(run: Run): Promise<void> {
  if (!run.facts.target.clients.service_account?.scopes.includes('account:characters')) return;
  const { access: token } = await run.oauth.clientCredentials('service_account', { scopes: ['account:characters'] });
  for (const realm of ['pc', 'xbox'] as const) {
    const answer = await run.http.data('listCharacters', { args: { realm }, token });
    const own = run.expect
      .list(answer, 'characters')
      .filter(
        (one) => one['deleted'] !== true && one['expired'] !== true && reachable(run, String(one['name']), realm),
      );
    for (const name of namesOf(own).slice(0, 2)) {
      const single = await run.http.data('getCharacter', { args: { name, realm }, token });
      const shown = member(run.expect.has(single, 'character'), 'name');
      run.expect.that(shown === name, `the character ${name}, by client credentials of its owner`, shown, single);
    }
  }
}

const what = ({ name, realm }: FoundCharacter): string => `${name} in realm ${realm}`;
const fields = ['id', 'name', 'realm', 'class', 'league', 'level', 'experience'];

/** Jewels of a character whose data the passives hold: the item, and the data under its `x`. */
function jewelsOf(character: unknown): readonly { readonly item: JsonObject; readonly data: JsonObject }[] {
  const data = member(member(character, 'passives'), 'jewel_data');
  const jewels = member(character, 'jewels');
  if (typeof data !== 'object' || data === null || !Array.isArray(jewels)) return [];
  return jewels.flatMap((item: unknown) => {
    const own = member(data, String(member(item, 'x')));
    return typeof own === 'object' && own !== null ? [{ item: item as JsonObject, data: own as JsonObject }] : [];
  });
}

const isCluster = ({ item, data }: { readonly item: JsonObject; readonly data: JsonObject }): boolean =>
  /cluster|expansion/i.test([data['type'], item['baseType'], item['typeLine']].join(' '));

/** One in each realm, that with most to show, is the same for every client. */
async function alikeForClients(run: Run, found: readonly FoundCharacter[]): Promise<void> {
  const size = ({ answer }: FoundCharacter): number => JSON.stringify(answer.json).length;
  for (const realm of realms) {
    const [most] = found.filter((one) => one.realm === realm).toSorted((a, b) => size(b) - size(a));
    if (!most) continue;
    const args = { name: most.name, realm };
    await sameForEveryClient(run, 'getCharacter', { args, account: ownerOf(run, realm) });
  }
}

export default group('game/characters', [
  check({
    id: 'CHAR-LIST-001',
    level: 'MUST',
    sentence: 'GET /character returns `characters`, an array of Character.',
    source: '4.2',
    needs: [['client:confidential', 'client:public'], 'consent'],
    judge: async (run) => {
      const answer = await askList(run, 'pc', 'alice');
      areAll(run, 'Character', run.expect.list(answer, 'characters'), answer);
      await answeredApart(run, 'listCharacters', byBoth(run, {}));
      await run.expect.each('realm %s', realms, (realm) =>
        sameForEveryClient(run, 'listCharacters', { args: { realm }, account: ownerOf(run, realm) }),
      );
    },
  }),

  check({
    id: 'CHAR-LIST-002',
    level: 'MUST',
    sentence: 'xbox, sony and game2 in the path select the characters of that realm.',
    source: '4.2',
    needs: [['client:confidential', 'client:public'], 'consent'],
    judge: async (run) => {
      const seen = new Map<string, Realm>();
      let other = 0;
      for (const realm of realms) {
        const { value: answer } = await attempt(() => askList(run, realm), [NotOffered]);
        if (!answer) continue;
        const characters = run.expect.list(answer, 'characters');
        areAll(run, 'Character', characters, answer);
        if (realm !== 'pc') other += characters.length;
        for (const { id, name, realm: shown } of characters) {
          const key = String(id).toLowerCase();
          const before = seen.get(key);
          run.expect.that(before !== realm, `each character once in realm ${realm}`, { name, id }, answer);
          run.expect.that(
            before === undefined,
            `characters of realm ${realm}, not ${String(name)} of ${before}`,
            id,
            answer,
          );
          seen.set(key, realm);
          // How a second-game character names its realm is not certain (K-003).
          const elsewhere = realms.some((one) => one !== realm && one === shown);
          if (realm !== 'game2')
            run.expect.that(!elsewhere, `characters of realm ${realm}`, { name, realm: shown }, answer);
        }
      }
      if (other === 0) run.expect.notExercised('the account has characters in realm pc only');
    },
  }),

  check({
    id: 'CHAR-GET-001',
    level: 'MUST',
    sentence: "GET /character/<name> returns `character`, the account's Character of that name.",
    source: '4.2',
    needs: [['client:confidential', 'client:public'], 'consent'],
    judge: async (run) => {
      await run.expect.each(what, await living(run), async ({ name, answer }) => {
        const character = run.expect.has(answer, 'character');
        isA(run, 'Character', character, answer);
        run.expect.that(member(character, 'name') === name, `the character ${name}`, member(character, 'name'), answer);
      });
      await ofTheOwner(run);
    },
  }),

  check({
    id: 'CHAR-GET-002',
    level: 'MUST',
    sentence: 'A character carries its equipment, inventory and passives.',
    source: '4.2',
    needs: [['client:confidential', 'client:public'], 'consent'],
    judge: async (run) => {
      const found = (await living(run)).filter(({ answer }) => given(member(answer.json, 'character')));
      const having = (holds: (character: unknown) => boolean): boolean =>
        found.some(({ answer }) => holds(member(answer.json, 'character')));
      const filled = (name: string) => (character: unknown) => {
        const items = member(character, name);
        return Array.isArray(items) && items.length > 0;
      };
      const example = found[0]?.answer;
      run.expect.that(
        having((character) => Array.isArray(member(character, 'equipment'))),
        'equipment of some character',
        'none',
        example,
      );
      // Nothing says that anybody wears something: of several who have risen in level it is merely to be expected.
      const risen = found.filter(({ entry }) => Number(entry['level']) > 1).length;
      if (risen > 1 && !having(filled('equipment')))
        run.expect.warn(`the equipment of all ${risen} characters above level 1 is empty`, example);
      run.expect.that(
        having((character) => Array.isArray(member(member(character, 'passives'), 'hashes'))),
        'passives of some character',
        'none',
        example,
      );
      // Which games have it is a matter of the edition, so only a target that declares one can be held to it (K-059).
      const flag = run.facts.flag('F-CHAR-INV-G1');
      const hasInventory = having((character) => Array.isArray(member(character, 'inventory')));
      const first = found.some(({ realm }) => realm !== 'game2');
      if (flag === 'off' || (flag === 'on' && first))
        run.expect.that(hasInventory, 'the inventory of some character', 'none', example);
      else if (first && !hasInventory) run.expect.warn('no character has an inventory', example);
      await run.case('for every client', () => alikeForClients(run, found));
    },
  }),

  check({
    id: 'CHAR-GET-003',
    level: 'MUST',
    sentence: 'For an unknown name `character` is there and null.',
    source: '4.2,7',
    gap: 'K-115',
    needs: [['client:confidential', 'client:public'], 'consent'],
    judge: async (run) => {
      const known = namesOf((await Promise.all(realms.map((realm) => listOf(run, realm)))).flat());
      for (const [realm, share] of [
        ['pc', 0.15],
        ['xbox', 0.04],
        ['game2', 0.04],
      ] as const) {
        await run.expect.property(`unknown name in realm ${realm}`, gUnknownName(known), { share }, async (name) =>
          expectNull(run, await ask(run, name, realm), 'character'),
        );
      }
      for (const realm of ['pc', 'xbox'] as const) {
        const near = nearNames(namesOf(await listOf(run, realm))).filter((name) => !known.includes(name));
        for (const name of near) expectNull(run, await ask(run, name, realm), 'character');
      }
    },
  }),

  check({
    id: 'CHAR-GET-004',
    level: 'MUST',
    sentence: 'A character of another account is not returned.',
    source: '4.2',
    needs: [['client:confidential', 'client:public'], 'consent', 'second-account'],
    judge: async (run) => {
      let tried = 0;
      for (const realm of realms) {
        for (const [account, other] of [
          ['alice', 'bob'],
          ['bob', 'alice'],
        ] as const) {
          if (!run.oauth.accounts().includes(account) || !run.oauth.accounts().includes(other)) continue;
          const [mine, theirs] = [await listOf(run, realm, account), await listOf(run, realm, other)];
          const own = new Set(namesOf(mine).map((name) => name.toLowerCase()));
          // A character is one account's, and its id is its own.
          const ids = new Set(mine.map(({ id }) => String(id).toLowerCase()));
          const both = theirs.filter(({ id }) => typeof id === 'string' && ids.has(id.toLowerCase()));
          run.expect.that(
            both.length === 0,
            `characters of ${other}, none of ${account}`,
            both.map(({ name }) => name),
          );
          const foreign = namesOf(theirs).filter((name) => !own.has(name.toLowerCase()) && reachable(run, name, realm));
          for (const name of foreign.slice(0, 3)) {
            tried += 1;
            // Its owner has just seen it, in case a server keeps its answers.
            await ask(run, name, realm, other);
            const answer = await ask(run, name, realm, account);
            if (expectDenied(run, answer, 'character') === 'refused') {
              run.expect.warn(
                `a character of another account: status ${answer.status}, where null is expected`,
                answer,
              );
            }
          }
        }
      }
      if (tried === 0) run.expect.notExercised('no account has a character whose name another lacks');
    },
  }),

  check({
    id: 'CHAR-GET-005',
    level: 'INFER',
    sentence: 'List and lookup of a character agree on id, name, realm, class, league, level and experience.',
    source: '4.2',
    entailed: '4.2: list and lookup are two ways to ask for one fact, and agree',
    gap: 'K-134',
    needs: [['client:confidential', 'client:public'], 'consent'],
    judge: async (run) => {
      await run.expect.each(what, await living(run), async ({ entry, name, realm, answer }) => {
        let listed: JsonObject = entry;
        let character = run.expect.has(answer, 'character');
        run.expect.that(character !== null, 'the character that is listed', character, answer);
        if (contradiction(listed, character as JsonObject, fields) !== undefined) {
          // The character may have been played since: look at both again.
          listed =
            run.expect.list(await askList(run, realm), 'characters').find((one) => one['name'] === name) ?? listed;
          character = run.expect.has(await ask(run, name, realm), 'character');
        }
        const differs = contradiction(listed, (character ?? {}) as JsonObject, fields);
        run.expect.that(
          differs === undefined,
          `the ${differs} of the list`,
          { listed: listed[differs!], got: member(character, differs!) },
          answer,
        );
      });
    },
  }),

  check({
    id: 'CHAR-GET-006',
    level: 'INFER',
    sentence: 'A name that only another realm has gives null.',
    source: '4.2',
    entailed: '4, 4.2, 7: the realm selects the characters, and one that is not among them is null',
    needs: [['client:confidential', 'client:public'], 'consent'],
    judge: async (run) => {
      let tried = 0;
      for (const here of realms) {
        for (const elsewhere of realms) {
          if (here === elsewhere || ownerOf(run, here) !== ownerOf(run, elsewhere)) continue;
          const taken = new Set(namesOf(await listOf(run, elsewhere)).map((name) => name.toLowerCase()));
          const alone = namesOf(await listOf(run, here)).filter(
            (name) => !taken.has(name.toLowerCase()) && !isRealmWord(run, name),
          );
          for (const name of alone.slice(0, 2)) {
            tried += 1;
            expectNull(run, await ask(run, name, elsewhere), 'character');
          }
        }
      }
      if (tried === 0) run.expect.notExercised('the account has characters in one realm only');
    },
  }),

  check({
    id: 'CHAR-PASS-007',
    level: 'MUST',
    sentence: 'subgraph appears for cluster jewels only.',
    source: '2',
    needs: [['client:confidential', 'client:public'], 'consent'],
    judge: async (run) => {
      const jewels = (await lookups(run)).flatMap((found) =>
        jewelsOf(member(found.answer.json, 'character')).map((jewel) => ({ ...jewel, found })),
      );
      const shown = jewels.filter(({ data }) => given(data['subgraph']));
      const plain = jewels.filter((jewel) => !isCluster(jewel));
      // What a cluster jewel is called is not stated: names tell only where some jewel's name says that it is one.
      const telling = jewels.some(isCluster);
      if (shown.length === 0 || plain.length === 0) {
        // It may be absent (interface 2, Notation), and the name may mean something else.
        if (telling && shown.length === 0) run.expect.warn('no jewel that is called a cluster jewel has a subgraph');
        else run.expect.notExercised('no character has both a jewel with a subgraph and a plain one');
        return;
      }
      if (!telling) run.expect.notExercised('no name of a jewel says that it is a cluster jewel');
      await run.expect.each(
        ({ item, found }) => `${String(item['baseType'])} of ${found.name}`,
        plain,
        async ({ data, found }) => {
          run.expect.that(
            !given(data['subgraph']),
            'no subgraph, since it is no cluster jewel',
            data['type'],
            found.answer,
          );
        },
      );
    },
  }),
]);
