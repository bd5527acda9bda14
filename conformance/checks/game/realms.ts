import { check, group, observation } from '../../engine/check.js';
import type { DataRequest, Run } from '../../engine/run.js';
import { attempt, NotOffered } from '../../verdict.js';
import { member } from '../../wire/answer.js';
import type { Answer } from '../../wire/answer.js';
import { allForms, ask, entries, formsOf } from './forms.js';
import type { OperationForm } from './forms.js';
import { isObject } from '../../json.js';
import type { ListedTab, StashList } from '../../model/tabs.js';
import { askList, oneTab, sharedIds, walk } from '../../model/tabs.js';
import { playedLeague } from '../../model/account.js';
import { allRealms, queries, word } from './realm-queries.js';
import type { Realm } from './realm-queries.js';
import { hasPathRealm, traitsOf, wrapperOf } from '../../engine/operations.js';

/** What characters of a realm are asked with: those of the second game may be another account's. */
async function charactersIn(run: Run, realm: Realm): Promise<Answer> {
  const account = realm === 'game2' ? run.facts.target.known.game2_account : undefined;
  const args: DataRequest['args'] = realm === 'pc' ? {} : { realm };
  return run.facts.once(`characters of realm ${realm}`, () =>
    run.http.data('listCharacters', { args, ...(account !== undefined && { account }) }),
  );
}

const omitted = check({
  id: 'REALM-PATH-001',
  level: 'MUST',
  sentence: "A path without a realm means the first game's pc realm: the character list shows pc characters only.",
  source: '4',
  needs: [['client:confidential', 'client:public'], 'consent', 'scope:account:characters'],
  judge: async (run) => {
    const answer = await charactersIn(run, 'pc');
    const characters = run.expect.list(answer, 'characters');
    if (characters.length === 0) run.expect.notExercised('the account has no character in realm pc');
    for (const character of characters)
      run.expect.equal(character['realm'], 'pc', 'the realm of every character', answer);
  },
});

const listed = (tabs: readonly unknown[]): readonly ListedTab[] => walk(tabs.filter(isObject));

/** The tabs that a form lists; undefined where it lists something else. */
function stashList({ logical, request: { args = {} } }: OperationForm): StashList | undefined {
  const { league, realm } = args;
  if (logical !== 'listStashes') return undefined;
  return { of: logical, league: String(league), ...(realm !== undefined && { realm: String(realm) }) };
}

const folded = (id: unknown): unknown => (typeof id === 'string' ? id.toLowerCase() : id);

const pathRealm = check({
  id: 'REALM-PATH-002',
  level: 'MUST',
  sentence:
    'Each listed realm is accepted in the path of each operation that lists it, and selects the data of that realm.',
  source: '4.2',
  needs: [['client:confidential', 'client:public'], 'consent'],
  judge: async (run) => {
    const { forms } = await allForms(run);
    const inRealm = forms.filter(
      ({ request }) => request.args?.['realm'] !== undefined && request.args['realm'] !== 'pc',
    );
    await run.expect.each(
      '$name',
      // Which realms a guild has is not stated (K-019).
      inRealm.filter(({ logical }) => hasPathRealm(logical) && !logical.includes('Guild')),
      async (form) => {
        const [wrapper, { identity }] = [wrapperOf(form.logical)!, traitsOf(form.logical)];
        const answer = await ask(run, form);
        const value = run.expect.has(answer, wrapper);
        const realm = word(run, String(form.request.args!['realm']));
        // What is asked for stands in a list of that realm.
        const { stash_id: tab, name } = form.request.args!;
        for (const [asked, key] of [
          [tab, 'id'],
          [name, 'name'],
        ] as const) {
          if (asked !== undefined)
            run.expect.equal(folded(member(value, key)), folded(asked), `the ${key} asked for`, answer);
        }
        for (const entry of Array.isArray(value) ? value : [value]) {
          const said = member(entry, 'realm');
          if (form.logical.includes('Character')) run.expect.equal(said, realm, 'the realm of the character', answer);
        }
        if (!identity || !Array.isArray(value)) return;
        const [pc] = await formsOf(run, form.logical);
        if (!pc || pc.request.args?.['realm'] !== undefined) return;
        const there = entries(await ask(run, pc), wrapper);
        const ids = new Set(there.map((entry) => member(entry, identity)));
        const both = value.map((entry) => member(entry, identity)).filter((id) => id !== undefined && ids.has(id));
        // Ids of tabs are not called unique beyond their list.
        const [here, home] = [stashList(form), stashList(pc)];
        const one = here && home ? await oneTab(run, here, home, sharedIds(listed(value), listed(there))) : both;
        run.expect.that(one.length === 0, `nothing of realm pc in ${wrapper}`, one, answer);
      },
    );
    if (inRealm.length === 0) run.expect.notExercised('the account has nothing in another realm than pc');
  },
});

/** The operations on guild tabs below a realm, and below no operation at all. */
const guildPaths = (first: string, realm: string, league: string): readonly string[] => {
  const list = `/${first}/${realm}/stash/${encodeURIComponent(league)}`;
  return [list, `${list}/c0ffee0000`, `${list}/c0ffee0000/c0ffee0001`];
};

/**
 * That some realm is routed: that the path of an operation has one (interface 4.2), whichever realms a guild has
 * (K-019). Nobody has to be authorized to be told so: where a path without a token meets 401 and a path of nothing does
 * not, a path that is answered like that of nothing is none of an operation's.
 */
async function routesRealms(run: Run, league: string): Promise<number> {
  const bare = await run.http.raw('GET', `/guild/stash/${encodeURIComponent(league)}`);
  const realms = ['xbox', 'sony', 'pc'];
  let told = 0;
  for (const [index, what] of ['a list', 'a tab', 'a sub-tab'].entries()) {
    const nothing = await run.http.raw('GET', guildPaths('cx-none', 'xbox', league)[index]!);
    if (bare.status !== 401 || nothing.status === 401) continue;
    const statuses: number[] = [];
    for (const realm of realms) {
      const { status } = await run.http.raw('GET', guildPaths('guild', realm, league)[index]!);
      statuses.push(status);
    }
    told += 1;
    run.expect.that(
      statuses.some((status) => status !== nothing.status),
      `${what} of a guild in some realm: another answer than ${nothing.status}, that of a path that does not exist`,
      realms.map((realm, at) => `${realm}: ${statuses[at]}`).join(', '),
      nothing,
    );
    for (const [at, realm] of realms.slice(0, 2).entries()) {
      if (statuses[at] === nothing.status)
        run.expect.warn(`${what} of a guild in realm ${realm} is answered like a path that does not exist`, nothing);
    }
  }
  return told;
}

const guildRealm = check({
  id: 'REALM-PATH-003',
  level: 'INFER',
  sentence: 'The operations on guild tabs accept xbox and sony in the path, as those on account tabs do.',
  source: '4.2',
  entailed: '4, 4.2: the path has a realm, so some realm leads to the operation, and to that realm',
  gap: 'K-019',
  needs: [['client:confidential', 'client:public'], 'consent'],
  judge: async (run) => {
    const named = await run.facts.found('guild_league');
    const routed = await routesRealms(run, named ?? 'Standard');
    if (named === undefined)
      return routed > 0 ? undefined : run.expect.missing('known.guild_league', 'set known.guild_league in the target');
    const league = named;
    const home: StashList = { of: 'listGuildStashes', league };
    const pc = walk(entries(await askList(run, home), 'stashes').filter(isObject));
    let taken = 0;
    for (const realm of ['xbox', 'sony']) {
      const answer = await askList(run, { ...home, realm });
      const tabs = walk(entries(answer, 'stashes').filter(isObject));
      // Which realms a guild has is not listed, so a refusal says nothing (K-019).
      if (tabs.length === 0) continue;
      taken += 1;
      const both = await oneTab(run, { ...home, realm }, home, sharedIds(tabs, pc));
      run.expect.that(both.length === 0, `no tab of realm pc in realm ${realm}`, both, answer);
    }
    if (taken + routed === 0) run.expect.notExercised('no guild tab is known in realm xbox or sony');
  },
});

const explicitPc = observation({
  id: 'REALM-PATH-004',
  sentence: 'Whether `pc` may be written in a path is not stated.',
  source: '4',
  gap: 'K-021',
  needs: [['client:confidential', 'client:public'], 'consent', 'scope:account:characters'],
  observe: async (run, note) => {
    const token = await run.oauth.token(['account:characters']);
    const answer = await run.http.raw('GET', '/character/pc', { token });
    const reading = member(answer.json, 'characters') === undefined ? 'as a name' : 'as the realm';
    note(`/character/pc answers ${answer.status}${answer.status === 200 ? `: pc is read ${reading}` : ''}`);
  },
});

const realmWins = check({
  id: 'REALM-PATH-005',
  level: 'INFER',
  sentence: 'A realm word in the place of the realm is the realm and never a name: /character/xbox is a list.',
  source: '4.2',
  entailed: '4.2: the path with a realm is listed, and the list of a realm has that form',
  gap: 'K-017',
  needs: [['client:confidential', 'client:public'], 'consent', 'scope:account:characters'],
  judge: (run) =>
    run.expect.each(
      (realm) => `/character/${word(run, realm)}`,
      ['xbox', 'sony', 'game2'],
      async (realm) => void run.expect.list(await charactersIn(run, realm as Realm), 'characters'),
    ),
});

interface TabsOfRealm {
  readonly place: StashList;
  readonly tabs: readonly ListedTab[];
}

/** Tabs of alice in a realm in which she has some, with sub-tabs and tabs in folders. */
async function tabsIn(run: Run, realm: Realm): Promise<TabsOfRealm> {
  const known = realm === 'pc' ? run.facts.target.known.stash_league : undefined;
  const league = known ?? (await playedLeague(run, realm === 'pc' ? undefined : realm));
  const place: StashList = { of: 'listStashes', league, ...(realm !== 'pc' && { realm }) };
  return { place, tabs: walk(entries(await askList(run, place), 'stashes').filter(isObject)) };
}

/** A name of one realm that another does not have is unknown there; false where there is none to ask for. */
async function isUnknownThere(
  run: Run,
  characters: ReadonlyMap<Realm, readonly unknown[]>,
  one: Realm,
  other: Realm,
): Promise<boolean> {
  const [here, there] = [characters.get(one), characters.get(other)];
  if (!here || !there) return false;
  const names = new Set(there.map((character) => member(character, 'name')));
  const only = here
    .map((character) => member(character, 'name'))
    .find(
      (name) => typeof name === 'string' && !names.has(name) && !allRealms.some((realm) => word(run, realm) === name),
    );
  // Second-game characters may be another account's, of whose other characters nothing is known.
  const { game2_account: second = 'alice' } = run.facts.target.known;
  if (typeof only !== 'string' || ([one, other].includes('game2') && second !== 'alice')) return false;
  const args = { name: only, ...(other !== 'pc' && { realm: other }) };
  const { value: answer } = await attempt(() => run.http.data('getCharacter', { args }), [NotOffered]);
  if (!answer) return false;
  const found = member(answer.json, 'character') ?? null;
  run.expect.equal(found, null, `no character ${only} of realm ${one} in realm ${other}`, answer);
  return true;
}

const disjoint = check({
  id: 'REALM-ISO-001',
  level: 'INFER',
  sentence: 'Realms do not overlap: they share no characters and no tabs, and a name found in one is null in another.',
  source: '4',
  entailed: '2, 4, 7: an id is of one thing, which is in one realm; in others it does not exist',
  needs: [['client:confidential', 'client:public'], 'consent', 'scope:account:characters'],
  judge: async (run) => {
    let compared = 0;
    const characters = new Map<Realm, readonly unknown[]>();
    for (const realm of allRealms) {
      const { value } = await attempt(() => charactersIn(run, realm), [NotOffered]);
      if (value) characters.set(realm, entries(value, 'characters'));
    }
    const tabs = new Map<Realm, TabsOfRealm>();
    for (const realm of ['pc', 'xbox', 'sony'] as const) {
      const { value } = await attempt(() => tabsIn(run, realm));
      if (value) tabs.set(realm, value);
    }
    const pairs = allRealms.flatMap((one, index) => allRealms.slice(index + 1).map((other) => [one, other] as const));
    for (const [one, other] of pairs) {
      const [here, there] = [characters.get(one) ?? [], characters.get(other) ?? []];
      const ids = new Set(there.map((character) => member(character, 'id')));
      const twice = here.map((character) => member(character, 'id')).filter((id) => ids.has(id));
      run.expect.that(twice.length === 0, `no character in both realms ${one} and ${other}`, twice);
      if (here.length > 0 && there.length > 0) compared += 1;
      const [tabsHere, tabsThere] = [tabs.get(one), tabs.get(other)];
      if (!tabsHere || !tabsThere || tabsHere.tabs.length === 0 || tabsThere.tabs.length === 0) continue;
      const shared = sharedIds(tabsHere.tabs, tabsThere.tabs);
      const both = await oneTab(run, tabsHere.place, tabsThere.place, shared);
      run.expect.that(both.length === 0, `no stash tab in both realms ${one} and ${other}`, both);
      compared += 1;
    }
    for (const [one, other] of [...pairs, ...pairs.map(([one, other]) => [other, one] as const)])
      if (await isUnknownThere(run, characters, one, other)) compared += 1;
    if (compared === 0) run.expect.notExercised('the account has characters and tabs in one realm alone');
  },
});

export default group('game/realms', [omitted, pathRealm, guildRealm, explicitPc, realmWins, ...queries, disjoint]);
