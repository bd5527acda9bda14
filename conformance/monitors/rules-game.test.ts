import { describe } from 'vitest';

import type { LogicalOperation } from '../../src/contract/index.js';
import { answers, judge } from './cases.fixture.js';
import {
  aCharacter,
  aFilter,
  aLeague,
  aMatch,
  aMember,
  anEntry,
  anItem,
  aTab,
  aTeam,
  hex,
  passives1,
  passives2,
  tabId,
} from './objects.fixture.js';

type Over = Readonly<Record<string, unknown>>;
const league = (over: Over) => answers('getLeague', { league: aLeague(over) });
const ladder = (args: Over, ...entries: readonly unknown[]) =>
  answers('getLeagueLadder', { league: { total: entries.length, entries } }, { args });
const events = (...entries: readonly unknown[]) =>
  answers('getLeagueEventLadder', { league: { total: entries.length, entries } });
const match = (over: Over) => answers('getPvpMatch', { match: aMatch(over) });
const teams = (...entries: readonly unknown[]) =>
  answers('getPvpMatchLadder', { match: { total: entries.length, entries } });
const character = (over: Over, realm = 'pc') =>
  answers('getCharacter', { character: aCharacter({ realm, ...over }) }, { args: { realm, name: 'Kaya' } });
const withPassives = (over: Over) => character({ passives: passives1(over) });
const item = (over: Over) => answers('getStash', { stash: aTab(1, { items: [anItem(over)] }) });
const account = (over: Over) => ladder({}, anEntry(1, { account: { name: 'a', ...over } }));

describe('leagues, ladders and PvP', () => {
  judge([
    {
      row: 'LEAGUE-GET-004',
      right: { true: league({ category: { id: 'c', current: true } }) },
      wrong: {
        false: league({ category: { id: 'c', current: false } }),
        null: league({ category: { id: 'c', active: null } }),
      },
    },
    {
      row: 'LEAGUE-GET-005',
      right: {
        order: league({ startAt: '2026-01-01T00:00:00Z', endAt: '2026-02-01T00:00:00Z' }),
        'zones that differ': league({ startAt: '2026-01-01T01:00:00+02:00', endAt: '2026-01-01T00:00:00Z' }),
        'B-19 a zone on one only': league({ startAt: '2026-01-01T01:00:00', endAt: '2026-01-01T00:00:00Z' }),
      },
      wrong: { reversed: league({ startAt: '2026-03-01T00:00:00Z', endAt: '2026-02-01T00:00:00Z' }) },
    },
    {
      row: 'XF-001',
      right: { fine: account({ challenges: { set: 's', completed: 40, max: 40 } }) },
      wrong: { more: account({ challenges: { set: 's', completed: 41, max: 40 } }) },
    },
    {
      row: 'LADDER-002',
      right: {
        fine: ladder({}),
        cached: answers('getLeagueLadder', { league: { total: 0, cached_since: null, entries: [] } }),
        'B-17': answers('getLeagueLadder', { league: { total: 99999, entries: [] } }),
      },
      wrong: {
        'M-AD-55': answers('getLeagueLadder', { league: { total: 0, cached_since: 1767225600, entries: [] } }),
        'no total': answers('getLeagueLadder', { league: { entries: [] } }),
        text: answers('getLeagueLadder', { league: { total: '1', entries: [] } }),
      },
    },
    {
      row: 'LADDER-DEPTH-003',
      right: {
        last: ladder({}, anEntry(15000)),
        'B-16 within a class': ladder({ sort: 'class', class: 'witch' }, anEntry(15001)),
      },
      wrong: { beyond: ladder({ offset: 14999, limit: 2 }, anEntry(15000), anEntry(15001)) },
    },
    {
      row: 'LADDER-PRIV-001',
      right: { 'B-14': ladder({}, anEntry(1, { dead: false })) },
      wrong: { true: ladder({}, anEntry(1, { public: true })) },
      says: 'nothing',
    },
    {
      row: 'EVLADDER-TYPE-001',
      right: { fine: events({ rank: 1, private_league: { name: 'n', url: 'u' } }) },
      wrong: { 'M-LL-36': events(anEntry(1)), 'no url': events({ rank: 1, private_league: { name: 'n' } }) },
    },
    {
      row: 'XF-003',
      right: {
        same: ladder(
          {},
          ...[1, 2].map((rank) => anEntry(rank, { account: { name: 'a', guild: { id: 1, name: 'g', tag: 'T' } } })),
        ),
      },
      wrong: {
        other: ladder(
          {},
          ...[1, 2].map((rank) => anEntry(rank, { account: { name: 'a', guild: { id: rank, name: 'g', tag: 'T' } } })),
        ),
      },
      says: 'warn',
    },
    {
      row: 'PVP-STATE-001',
      right: { one: match({ upcoming: true }) },
      wrong: { two: match({ upcoming: true, complete: true }) },
    },
    {
      row: 'PVP-STATE-003',
      right: { one: match({ startAt: '2026-01-01T00:00:00Z', endAt: '2026-01-02T00:00:00Z' }) },
      wrong: { two: match({ startAt: '2026-01-02T00:00:00Z', endAt: '2026-01-01T00:00:00Z' }) },
    },
    {
      row: 'PVP-STATE-002',
      right: { any: match({ complete: true, startAt: '2999-01-01T00:00:00Z' }) },
      wrong: { none: match({ startAt: '2999-01-01T00:00:00Z' }) },
      says: 'nothing',
    },
    {
      row: 'PVP-PVP-001',
      right: { true: match({}) },
      wrong: { 'M-PV-07': match({ pvp: undefined }), false: match({ pvp: false }) },
    },
    {
      row: 'PVPLADDER-MEMBER-001',
      right: { fine: teams(aTeam()), public: teams(aTeam({ members: [aMember({ public: true })] })) },
      wrong: {
        'M-PV-11': teams(aTeam({ members: [aMember({ public: false })] })),
        'no account': teams(aTeam({ members: [aMember({ account: null })] })),
      },
    },
    { row: 'PVPLADDER-MEMBER-002', right: { one: teams(aTeam()) }, wrong: { none: teams(aTeam({ members: [] })) } },
  ]);
});

const node = (over: Over) => ({ out: [], in: [], ...over });
const subgraph = (groups: unknown, nodes: unknown) =>
  character({
    jewels: [anItem({ x: 1 })],
    passives: passives1({ jewel_data: { 1: { type: 'c', subgraph: { groups, nodes } } } }),
  });
const group = (nodes: readonly string[], orbits: readonly number[] = [0]) => ({ x: 0, y: 0.5, orbits, nodes });

describe('characters', () => {
  judge([
    {
      row: 'CHAR-LIST-003',
      right: { without: answers('listCharacters', { characters: [aCharacter()] }) },
      wrong: { with: answers('listCharacters', { characters: [aCharacter({ equipment: [] })] }) },
      says: 'nothing',
    },
    {
      row: 'CHAR-FLAG-001',
      right: {
        one: answers('listCharacters', { characters: [aCharacter({ current: true }), aCharacter({ id: hex(2) })] }),
      },
      wrong: {
        two: answers('listCharacters', {
          characters: [aCharacter({ current: true }), aCharacter({ id: hex(2), current: true })],
        }),
      },
    },
    {
      row: 'CHAR-META-001',
      right: { null: character({ metadata: null }), there: character({ metadata: { version: null } }) },
      wrong: { text: character({ metadata: '1' }), number: character({ metadata: { version: 3 } }) },
    },
    {
      row: 'CHAR-G2-001',
      right: { second: character({ skills: [] }, 'game2'), first: character({ ruthless: true }) },
      wrong: {
        skills: character({ skills: [] }),
        quests: withPassives({ quest_stats: [] }),
        ruthless: character({ ruthless: true }, 'game2'),
      },
    },
    {
      row: 'CHAR-EXT-001',
      right: { none: character({ equipment: [anItem()] }) },
      wrong: { 'M-CI-32': character({ equipment: [anItem({ extended: {} })] }) },
    },
    {
      row: 'CHAR-PASS-001',
      right: { fine: withPassives({}) },
      wrong: {
        text: withPassives({ hashes: ['1'] }),
        negative: withPassives({ hashes: [-1] }),
        none: withPassives({ hashes: undefined }),
      },
    },
    {
      row: 'CHAR-PASS-002',
      right: { first: withPassives({ bandit_choice: 'Oak', pantheon_major: 'Solaris' }) },
      wrong: { second: character({ passives: passives2({ hashes_ex: [] }) }, 'game2') },
    },
    {
      row: 'CHAR-PASS-003',
      right: { fine: withPassives({ hashes: [10], mastery_effects: { 10: 99 } }) },
      wrong: {
        'M-CI-08 swapped': withPassives({ hashes: [10], mastery_effects: { 99: 10 } }),
        name: withPassives({ mastery_effects: { life: 1 } }),
        text: withPassives({ hashes: [10], mastery_effects: { 10: '99' } }),
      },
    },
    {
      row: 'CHAR-PASS-004',
      right: {
        shapeshift: character({ passives: passives2() }, 'game2'),
        set3: character({ passives: passives2({ specialisations: { set1: [], set2: [], set3: [1] } }) }, 'game2'),
        'B-20 another member': character(
          { passives: passives2({ specialisations: { set1: [], set2: [], set3: [], note: 'n' } }) },
          'game2',
        ),
        'empty (K-117)': character({ passives: passives2({ specialisations: {} }) }, 'game2'),
      },
      wrong: {
        'M-CI-10 both': character(
          { passives: passives2({ specialisations: { set1: [], set2: [], set3: [], shapeshift: [] } }) },
          'game2',
        ),
        text: character({ passives: passives2({ specialisations: { set1: ['1'], set2: [], set3: [] } }) }, 'game2'),
      },
    },
    {
      row: 'CHAR-PASS-004',
      right: { all: character({ passives: passives2() }, 'game2') },
      wrong: { 'no set2': character({ passives: passives2({ specialisations: { set1: [], set3: [] } }) }, 'game2') },
      says: 'warn',
    },
    {
      row: 'CHAR-PASS-005',
      right: {
        fine: character({ jewels: [anItem({ x: 3 })], passives: passives1({ jewel_data: { 3: { type: 'j' } } }) }),
        'a list': answers('listCharacters', {
          characters: [aCharacter({ passives: passives1({ jewel_data: { 3: { type: 'j' } } }) })],
        }),
        'no jewels shown': withPassives({ jewel_data: { 3: { type: 'j' } } }),
        'no place shown': character({
          jewels: [anItem({})],
          passives: passives1({ jewel_data: { 3: { type: 'j' } } }),
        }),
      },
      wrong: {
        'M-CI-06': character({ jewels: [], passives: passives1({ jewel_data: { 3: { type: 'j' } } }) }),
        other: character({ jewels: [anItem({ x: 4 })], passives: passives1({ jewel_data: { 3: { type: 'j' } } }) }),
      },
    },
    {
      row: 'CHAR-PASS-006',
      right: { fine: character({ jewels: [anItem({ x: 3 }), anItem({ x: 4 }), anItem(), anItem()] }) },
      wrong: { same: character({ jewels: [anItem({ x: 3 }), anItem({ x: 3 })] }) },
    },
    {
      row: 'CHAR-PASS-008',
      right: { fine: subgraph({ g: group(['a']) }, { a: node({ group: 'g' }) }) },
      wrong: {
        'no such group': subgraph({}, { a: node({ group: 'g' }) }),
        'not listed': subgraph({ g: group([]) }, { a: node({ group: 'g' }) }),
        'no such node': subgraph({ g: group(['b']) }, {}),
        'of another group': subgraph({ g: group(['a']), h: group([]) }, { a: node({ group: 'h' }) }),
      },
    },
    {
      row: 'CHAR-PASS-011',
      right: {
        fine: withPassives({ skill_overrides: { 7: node({}) } }),
        'as live services have it': withPassives({ skill_overrides: { 7: { name: 'n' } } }),
      },
      wrong: {
        'M-CI-16': withPassives({ skill_overrides: { 7: 1234 } }),
        half: withPassives({ skill_overrides: { 7: { name: 'n', out: [] } } }),
      },
    },
    {
      row: 'CHAR-PASS-012',
      right: {
        fine: withPassives({ hashes: [65535] }),
        second: character({ passives: passives2({ hashes: [70000] }) }, 'game2'),
      },
      wrong: { more: withPassives({ hashes_ex: [65536] }) },
    },
  ]);
});

describe('items', () => {
  const sockets = [{ group: 0 }];
  const property = (over: Over) => item({ properties: [{ name: 'n', values: [], ...over }] });
  judge([
    {
      row: 'XF-004',
      right: {
        fine: item({ sockets, socketedItems: [anItem({ socket: 0 })] }),
        'a gem of gems': item({ gemSockets: ['W'], sockets: [], socketedItems: [anItem({ socket: 0 })] }),
      },
      wrong: { 'M-CI-33': item({ sockets, socketedItems: [anItem({ socket: 1 })] }) },
    },
    {
      row: 'XF-005',
      right: { fine: item({ scourged: { tier: 1, progress: 1, total: 2 } }) },
      wrong: { more: item({ incubatedItem: { name: 'n', level: 1, progress: 3, total: 2 } }) },
      says: 'warn',
    },
    {
      row: 'XF-006',
      right: {
        fine: property({
          values: [
            ['1', 0],
            ['2', 1],
          ],
        }),
      },
      wrong: {
        'M-CI-29': property({ values: [['1']] }),
        three: property({ values: [['1', 0, 0]] }),
        number: property({ values: [[1, 0]] }),
      },
    },
    {
      row: 'XF-007',
      right: { two: property({ progress: 0.29 }), one: property({ progress: 1 }), more: property({ progress: 1.15 }) },
      wrong: { three: property({ progress: 0.123 }) },
    },
    {
      row: 'XF-008',
      right: { fine: item({ crucible: { layout: 'l', nodes: { 0: node({ out: ['1'] }), 1: node({ in: ['0'] }) } } }) },
      wrong: { outside: item({ crucible: { layout: 'l', nodes: { 0: node({ out: ['9'] }) } } }) },
    },
    {
      row: 'XF-009',
      right: { map: item({ scourged: { tier: 10 } }) },
      wrong: {
        zero: item({ scourged: { tier: 0 } }),
        eleven: item({ scourged: { tier: 11 } }),
        none: item({ scourged: {} }),
      },
    },
    {
      row: 'XF-010',
      right: { 'B-38': item({ stackSize: 50, maxStackSize: 10 }) },
      wrong: { more: item({ identified: false, name: 'n', stackSize: 9, maxStackSize: 1 }) },
      says: 'nothing',
    },
  ]);
});

describe('profile and filters', () => {
  const profile = (over: Over) =>
    answers('getProfile', { uuid: '6f9619ff-8b86-4011-b42d-00cf4fc964ff', name: 'alice', ...over });
  const updated = (body: Over, status = 200) => answers('updateItemFilter', { filter: aFilter(), ...body }, { status });
  const filter = (over: Over) => answers('getItemFilter', { filter: aFilter(over) });
  const list = (over: Over) => answers('listItemFilters', { filters: [aFilter(over)] });
  judge([
    {
      row: 'PROFILE-002',
      right: { v4: profile({}) },
      wrong: {
        'M-PF-02 version 1': profile({ uuid: '6f9619ff-8b86-1011-b42d-00cf4fc964ff' }),
        dashes: profile({ uuid: '6f9619ff8b864011b42d00cf4fc964ff' }),
      },
    },
    {
      row: 'PROFILE-002',
      right: { v4: profile({}) },
      wrong: { capitals: profile({ uuid: '6F9619FF-8B86-4011-B42D-00CF4FC964FF' }) },
      says: 'warn',
    },
    {
      row: 'PROFILE-003',
      right: { text: profile({}) },
      wrong: { null: profile({ name: null }), none: profile({ name: undefined }) },
    },
    {
      row: 'PROFILE-004',
      right: { null: profile({ locale: null }), text: profile({ locale: 'en' }) },
      wrong: { number: profile({ locale: 1 }) },
    },
    {
      row: 'FILTER-LIST-002',
      right: { absent: list({}) },
      wrong: { filter: list({ filter: 'Show' }), 'null (K-008)': list({ validation: null }) },
    },
    {
      row: 'FILTER-VALID-002',
      right: {
        never: filter({ validation: null }),
        valid: filter({ validation: { valid: true, version: null, validated: '2026-01-01T00:00:00Z' } }),
      },
      wrong: {
        'M-AD-47 one': filter({ validation: { valid: 1 } }),
        'M-AD-47 epoch': filter({ validation: { valid: true, validated: 1 } }),
        none: filter({ validation: {} }),
      },
    },
    {
      row: 'FILTER-PUBLIC-003',
      right: { absent: filter({}), true: list({ public: true }) },
      wrong: { 'M-PF-09': filter({ public: false }), null: list({ public: null }) },
    },
    {
      row: 'FILTER-UPDATE-005',
      right: { accepted: updated({ error: { code: 1 } }, 202) },
      wrong: {
        none: updated({}, 202),
        text: updated({ error: 'Accepted' }, 202),
        'no filter': updated({ filter: null, error: {} }, 202),
      },
    },
    {
      row: 'FILTER-UPDATE-006',
      right: { absent: updated({}), null: updated({ error: null }), 'B-23': updated({}) },
      wrong: { error: updated({ error: {} }) },
    },
  ]);
});

describe('stashes and league accounts', () => {
  const list = (stashes: readonly unknown[], operation: LogicalOperation = 'listStashes') =>
    answers(operation, { stashes }, { args: { league: 'Standard' } });
  const wrapped = (children: readonly unknown[] | undefined, operation: LogicalOperation = 'getStash') =>
    answers(
      operation,
      { stash: aTab(1, { children }) },
      { args: { league: 'L', stash_id: tabId(1), substash_id: tabId(2) } },
    );
  const account = (over: Over) => answers('getLeagueAccount', { league_account: { atlas_passive_trees: [], ...over } });
  judge([
    {
      row: 'STASH-LIST-004',
      right: {
        nested: list([aTab(1, { children: [aTab(2, { parent: tabId(1) }), aTab(3, { folder: tabId(1) })] })]),
        'B-06 flat': list([aTab(2, { parent: tabId(1) }), aTab(1)]),
        'B-18 capitals': list([aTab(10), aTab(2, { parent: tabId(10).toUpperCase() })]),
        'a guild tab whose parent is hidden': list([aTab(2, { parent: tabId(1) })], 'listGuildStashes'),
      },
      wrong: {
        twice: list([aTab(1), aTab(1)]),
        'no parent': list([aTab(2, { parent: tabId(1) })]),
        'another parent': list([aTab(1, { children: [aTab(2, { parent: tabId(3) })] }), aTab(3)]),
        'no folder': list([aTab(2, { folder: tabId(1) })]),
      },
    },
    {
      row: 'STASH-LIST-005',
      says: 'warn',
      target: { known: { folder_tab: tabId(7) } },
      right: { flag: list([aTab(7, { metadata: { folder: true } }), aTab(8)]) },
      wrong: { none: list([aTab(7)]) },
    },
    {
      row: 'STASH-SUB-003',
      right: { same: wrapped([aTab(2, { parent: tabId(1).toUpperCase() })]), unset: wrapped([aTab(2)]) },
      wrong: { other: wrapped([aTab(2, { parent: tabId(3) })]) },
    },
    {
      row: 'STASH-SUB-006',
      right: { 'B-07': wrapped([aTab(2)]), absent: wrapped(undefined) },
      wrong: { others: wrapped([aTab(2), aTab(3)]), guild: wrapped([aTab(3)], 'getGuildStash') },
    },
    {
      row: 'STASH-EXT-001',
      right: { none: item({}), null: item({ extended: null }) },
      wrong: { 'M-CI-32': item({ extended: { prefixes: 1 } }) },
    },
    {
      row: 'LACC-002',
      right: { empty: account({}), one: account({ atlas_passive_trees: [{ name: 'n', hashes: [1] }] }) },
      wrong: {
        'M-ST-19': account({ atlas_passive_trees: null }),
        text: account({ atlas_passive_trees: [{ name: 'n', hashes: ['1'] }] }),
      },
    },
    {
      row: 'LACC-003',
      right: { null: account({ atlas_passives: null }), there: account({ atlas_passives: { hashes: [] } }) },
      wrong: { list: account({ atlas_passives: [] }), bare: account({ atlas_passives: {} }) },
    },
  ]);
});
