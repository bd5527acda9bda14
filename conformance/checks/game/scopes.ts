import type { GameOperation, Scope } from '../../../src/contract/index.js';
import { check, group } from '../../engine/check.js';
import type { DefinedCheck } from '../../engine/check.js';
import type { DataRequest, Run } from '../../engine/run.js';
import type { Requirement } from '../../requirement.js';
import { allocated, isRealmWord } from '../../model/account.js';
import { difference } from '../../model/difference.js';
import { MissingScope } from '../../verdict.js';
import { member } from '../../wire/answer.js';
import type { Answer } from '../../wire/answer.js';
import { idOf, plainFilter } from './filter-pool.js';
import { ask, entries, formsOf, logicalForms, refusing } from './forms.js';
import { perOperation } from './scope-matrix.js';
import { gScopes, largestSets } from './scope-sets.js';

/** A token of one scope is refused by operations of another that looks like it. */
const apart = (
  requirement: Requirement,
  pairs: readonly (readonly [Scope, readonly GameOperation[]])[],
): DefinedCheck =>
  check({
    ...requirement,
    judge: async (run) => {
      const obtainable = run.oauth.obtainable();
      let missing: Scope | undefined;
      let tried = 0;
      for (const [scope, logicalNames] of pairs) {
        if (!obtainable.has(scope)) {
          missing ??= scope;
          continue;
        }
        const token = await run.oauth.token([scope], { exact: true });
        for (const form of (await logicalForms(run)).filter(({ logical }) => logicalNames.includes(logical))) {
          const refuse = await refusing(run, form, (answer) => run.expect.status(answer, 403));
          await refuse(`${form.name} with scope ${scope}`, () => ({ token }));
          tried += 1;
        }
      }
      if (tried > 0) return;
      // Where the server offers none of the operations, that is why.
      for (const [, [logical]] of pairs)
        if (logical !== undefined && missing === undefined) await formsOf(run, logical);
      throw new MissingScope(missing === undefined ? pairs.map(([scope]) => scope) : [missing]);
    },
  });

const hierarchy = [
  apart(
    {
      id: 'SCOPE-HIER-001',
      level: 'MUST',
      sentence: 'service:leagues does not open the ladders of leagues and events (403).',
      source: '5.7',
      needs: ['client:service', 'scope:service:leagues', 'scope:service:leagues:ladder'],
    },
    [['service:leagues', ['getLeagueLadder', 'getLeagueEventLadder']]],
  ),
  apart(
    {
      id: 'SCOPE-HIER-002',
      level: 'MUST',
      sentence: 'service:leagues:ladder does not open the list of leagues or a league (403).',
      source: '5.7',
      needs: ['client:service', 'scope:service:leagues', 'scope:service:leagues:ladder'],
    },
    [['service:leagues:ladder', ['listLeagues', 'getLeague']]],
  ),
  apart(
    {
      id: 'SCOPE-HIER-003',
      level: 'MUST',
      sentence: 'service:pvp_matches and service:pvp_matches:ladder do not imply each other.',
      source: '5.7',
      needs: ['client:service', 'scope:service:pvp_matches', 'scope:service:pvp_matches:ladder'],
    },
    [
      ['service:pvp_matches', ['getPvpMatchLadder']],
      ['service:pvp_matches:ladder', ['listPvpMatches', 'getPvpMatch']],
    ],
  ),
  apart(
    {
      id: 'SCOPE-HIER-004',
      level: 'MUST',
      sentence:
        "Scopes that look alike do not open each other's operations: account:stashes not the guild's tabs, account:leagues not league accounts, account:characters not stashes.",
      source: '5.7',
      needs: [['client:confidential', 'client:public'], 'consent'],
    },
    [
      ['account:stashes', ['listGuildStashes', 'getGuildStash']],
      ['account:leagues', ['getLeagueAccount']],
      ['account:characters', ['listStashes', 'getStash']],
    ],
  ),
];

const allBut = check({
  id: 'SCOPE-ALLBUT-001',
  level: 'MUST',
  sentence: 'A token with every scope that can be had but the needed one meets 403.',
  source: '5.3',
  needs: ['client:confidential', 'client:service', 'consent'],
  judge: async (run) => {
    await run.expect.each('$name', await logicalForms(run), async (form) => {
      const refuse = await refusing(run, form, (answer) => run.expect.status(answer, 403));
      for (const set of largestSets(run)) {
        const scopes = set.filter((scope) => scope !== form.scope);
        if (scopes.length === 0) continue;
        const token = await run.oauth.token(scopes, { exact: true });
        await refuse(`with every other scope of ${set.join(' ')}`, () => ({ token }));
      }
    });
  },
});

const several = check({
  id: 'SCOPE-MULTI-001',
  level: 'MUST',
  sentence: 'A token with several scopes opens the operations of each of them and no others.',
  source: '5.7',
  needs: ['client:confidential', 'client:service', 'consent'],
  judge: async (run) => {
    const forms = await logicalForms(run);
    await run.expect.property('a token with several scopes', gScopes(run), { share: 0.15 }, async (scopes) => {
      const token = await run.oauth.token(scopes, { exact: true });
      await run.http.atOnce(forms, async (form) => {
        const open = scopes.includes(form.scope);
        // A creation would leave a filter behind; it is the matrix's business.
        if (open && (form.logical === 'createItemFilter' || form.request.account !== undefined)) return;
        const answer = await ask(run, form, { token });
        if (!open) run.expect.status(answer, 403);
        else if (!form.scope.startsWith('account:') || scopes.every((scope) => scope.startsWith('account:'))) {
          run.expect.status(answer, '2xx');
        } else if (Object.keys(form.request.args ?? {}).length === 0) {
          // The token is the owner's of the application, who need not have what the account has.
          run.expect.that(![401, 403].includes(answer.status), `${form.name} is open`, answer.status, answer);
        }
      });
    });
  },
});

/** A sub-tab by both of its ids, which another account may have seen somewhere; how many were tried. */
async function subTabs(run: Run, theirs: string): Promise<number> {
  const { stash_league: league, parent_tab: stash_id, sub_tab: substash_id } = run.facts.target.known;
  if (!run.oauth.obtainable().has('account:stashes') || !league || !stash_id || !substash_id) return 0;
  const own = member((await run.http.data('getStash', { args: { league, stash_id, substash_id } })).json, 'stash');
  const tabsIn = (tab: unknown): readonly unknown[] => {
    const inner = member(tab, 'children');
    return [tab, ...(Array.isArray(inner) ? inner : [])];
  };
  // Ids may be unique within an account only; with a name it is the same tab.
  const key = (tab: unknown): string => JSON.stringify([member(tab, 'id'), member(tab, 'name')]);
  const keys = new Set(tabsIn(own).map(key));
  const tries: readonly DataRequest['args'][] = [
    { league, stash_id, substash_id },
    { league, stash_id: substash_id },
    { league, stash_id },
  ];
  for (const args of tries) {
    const answer = await run.http.data('getStash', { args: args!, account: theirs });
    const seen = member(answer.json, 'stash');
    const same = tabsIn(seen).filter((tab) => typeof member(tab, 'id') === 'string' && keys.has(key(tab)));
    run.expect.that(same.length === 0, 'no stash tab or sub-tab of another account', same, answer);
  }
  return member(own, 'id') === undefined ? 0 : 1;
}

/** That no character of one account is in another's list for the same realm, nor found by its name. */
async function characters(run: Run, mine: string, theirs: string): Promise<number> {
  let tried = 0;
  for (const realm of [undefined, 'xbox', 'sony', 'game2']) {
    const args: Record<string, string> = realm === undefined ? {} : { realm };
    const list = async (account: string) =>
      entries(await run.http.data('listCharacters', { args, account }), 'characters');
    const [own, foreign] = [await list(mine), await list(theirs)];
    const foreignIds = new Set(foreign.map((one) => member(one, 'id')));
    for (const character of own) {
      const isShared = foreignIds.has(member(character, 'id'));
      run.expect.that(!isShared, 'no character in the lists of two accounts', member(character, 'name'));
    }
    for (const character of own.slice(0, realm === undefined ? 3 : 1)) {
      const name = member(character, 'name');
      if (typeof name !== 'string' || isRealmWord(run, name)) continue;
      const answer = await run.http.data('getCharacter', { args: { ...args, name }, account: theirs });
      const seen = member(member(answer.json, 'character'), 'id');
      const isOther = seen === undefined || seen !== member(character, 'id');
      run.expect.that(isOther, `no character ${name} of another account`, seen, answer);
      tried += 1;
    }
  }
  return tried;
}

/** That no tab of one account is in another's list for the same league, in any realm, nor found by its id. */
async function tabs(run: Run, theirs: string): Promise<number> {
  const isAlike = (one: unknown, other: unknown): boolean =>
    ['id', 'name'].every((name) => member(one, name) !== undefined && member(one, name) === member(other, name));
  let tried = 0;
  for (const form of await formsOf(run, 'listStashes')) {
    const own = entries(await ask(run, form), 'stashes');
    const listed = await run.http.data('listStashes', { ...form.request, account: theirs });
    const shared = own.filter((tab) => entries(listed, 'stashes').some((one) => isAlike(one, tab)));
    for (const tab of new Set([...shared.slice(0, 2), ...own.slice(0, tried === 0 ? 3 : 1)])) {
      const stash_id = member(tab, 'id');
      if (typeof stash_id !== 'string') continue;
      const lookup: DataRequest = { ...form.request, args: { ...form.request.args, stash_id } };
      const answer = await run.http.data('getStash', { ...lookup, account: theirs });
      const seen = member(answer.json, 'stash');
      const isListed = shared.includes(tab);
      // Ids may be unique within an account only: with the name, and the items in it, it is the same tab.
      const isSame = isAlike(seen, tab) ? sameItems(seen, await run.http.data('getStash', lookup)) : isListed;
      const [got, where] = isListed ? [tab, ' in the list'] : [seen, ''];
      run.expect.that(!isSame, `no stash tab of another account${where}`, got, isListed ? listed : answer);
      tried += 1;
    }
  }
  return tried;
}

/** Whether two tabs hold the same items, and some. */
function sameItems(seen: unknown, own: Answer): boolean {
  const items = member(member(own.json, 'stash'), 'items');
  return Array.isArray(items) && items.length > 0 && difference(member(seen, 'items'), items) === undefined;
}

/** That the passives which the target says are alice's are not shown to another account as its own. */
async function atlas(run: Run, mine: string, theirs: string): Promise<number> {
  const league = run.facts.target.known.atlas_league;
  if (league === undefined || mine !== 'alice') return 0;
  const own = await run.http.data('getLeagueAccount', { args: { league }, account: mine });
  if (own.status !== 200 || !allocated(own)) return 0;
  const foreign = await run.http.data('getLeagueAccount', { args: { league }, account: theirs });
  run.expect.that(
    foreign.status !== 200 || difference(foreign.json, own.json) !== undefined,
    `the atlas of ${theirs} in ${league}, not that of ${mine} (known.atlas_league)`,
    'the same passives',
    foreign,
  );
  return 1;
}

async function filters(run: Run, theirs: string): Promise<number> {
  const id = await idOf(run, plainFilter);
  const answer = await run.http.data('getItemFilter', { args: { id }, account: theirs });
  const seen = member(member(answer.json, 'filter'), 'id');
  run.expect.that(seen !== id, 'no private filter of another account', seen, answer);
  const list = entries(await run.http.data('listItemFilters', { account: theirs }), 'filters');
  const isListed = list.some((filter) => member(filter, 'id') === id);
  run.expect.that(!isListed, 'no private filter of another account in the list', id);
  return 1;
}

const ownOnly = check({
  id: 'SCOPE-USER-001',
  level: 'INFER',
  sentence:
    "Account operations show the data of the token's identity alone: another account's character, tab or filter is null or 4xx and never the data, and nobody has another account's atlas.",
  source: '1,5',
  entailed: "1, 4.2, 5: a token is of one account, and account operations show that account's data",
  gap: 'K-075',
  needs: [['client:confidential', 'client:public'], 'consent', 'second-account'],
  judge: async (run) => {
    const [mine, theirs] = ['alice', 'bob'].filter((name) => run.oauth.accounts().includes(name));
    if (mine === undefined || theirs === undefined) return run.expect.missing('two accounts, alice and bob');
    const obtainable = run.oauth.obtainable();
    let tried = 0;
    if (obtainable.has('account:characters'))
      tried += (await run.case('characters', () => characters(run, mine, theirs))) ?? 0;
    if (obtainable.has('account:stashes')) tried += (await run.case('tabs', () => tabs(run, theirs))) ?? 0;
    tried += (await run.case('sub-tabs', () => subTabs(run, theirs))) ?? 0;
    if (obtainable.has('account:league_accounts'))
      tried += (await run.case('league accounts', () => atlas(run, mine, theirs))) ?? 0;
    if (obtainable.has('account:item_filter')) tried += (await run.case('filters', () => filters(run, theirs))) ?? 0;
    if (tried === 0) return run.expect.notExercised('the first account has nothing that the second could see');
  },
});

export default group('game/scopes', [...perOperation, ...hierarchy, allBut, several, ownOnly]);
