import { describe, expect, it } from 'vitest';

import { aTarget, anAnswer } from './answers.fixture.js';
import { answers, judge } from './cases.fixture.js';
import type { Step, Story } from './cases.fixture.js';
import { createMonitors } from './monitors.js';
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
  listed,
  passives1,
  passives2,
} from './objects.fixture.js';

const league = (over: Readonly<Record<string, unknown>>) => answers('getLeague', { league: aLeague(over) });
const character = (over: Readonly<Record<string, unknown>>, realm = 'pc') =>
  answers('getCharacter', { character: aCharacter({ realm, ...over }) }, { args: { realm, name: 'Kaya' } });
const item = (over: Readonly<Record<string, unknown>>) =>
  answers('getStash', { stash: aTab(1, { items: [anItem(over)] }) });
const ladder = (...entries: readonly unknown[]) =>
  answers('getLeagueLadder', { league: { total: entries.length, entries } });

/** Stories in which another field departs in the same way: one alone is the business of its own row. */
const beside = (other: Step, stories: Readonly<Record<string, Story>>): Readonly<Record<string, Story>> =>
  Object.fromEntries(Object.entries(stories).map(([name, story]) => [name, [other, ...[story].flat()]]));

describe('the notation', () => {
  judge([
    {
      row: 'GEN-005',
      right: {
        'one field alone': league({ url: 1 }),
        'B-03 null everywhere': league({
          name: null,
          rules: null,
          registerAt: null,
          category: null,
          description: null,
        }),
        'B-04 absent everywhere': league({}),
        there: league({ description: 'd', rules: [] }),
      },
      wrong: beside(league({ url: 1 }), {
        number: league({ description: 1 }),
        object: league({ rules: {} }),
        'null in a list': league({ rules: [null] }),
      }),
    },
    {
      row: 'GEN-006',
      right: {
        'one field alone': ladder({ ...anEntry(1), rank: undefined }),
        there: league({}),
        'a league that is not found': answers('getLeague', { league: null }),
        'null for what the other game has': character({ passives: passives2({ hashes_ex: null }) }, 'game2'),
        'B-05 unlisted': answers('getPublicStashTabs', {
          next_change_id: 'a',
          stashes: [{ id: hex(1), public: false }],
        }),
        'a league account that never was': answers('getLeagueAccount', { league_account: null }),
        'a filter that is unknown': answers('getItemFilter', { filter: null }),
        'a ladder that is unknown': answers('getLeagueLadder', {}),
        'a name that is a realm word': answers('getCharacter', { characters: [] }, { args: { name: 'xbox' } }),
        'outside of the contract': answers(undefined, {}),
      },
      wrong: beside(ladder({ ...anEntry(1), rank: undefined }), {
        absent: answers('getLeague', { league: {} }),
        null: league({ id: null }),
        'M-CI-22 verified only when true': item({ verified: undefined }),
        'passives without a dictionary of their game': character({
          passives: passives1({ mastery_effects: undefined }),
        }),
        'M-ST-13 no metadata': answers('getStash', { stash: aTab(1, { metadata: undefined }) }),
      }),
    },
    {
      row: 'GEN-007',
      right: {
        'one field alone': league({ timedEvent: false }),
        true: league({ event: true }),
        'plain booleans may be false (K-101)': ladder(anEntry(1, { dead: false, public: false })),
        absent: league({}),
      },
      wrong: beside(league({ timedEvent: false }), {
        false: league({ event: false }),
        null: league({ event: null }),
        one: league({ event: 1 }),
        text: league({ event: 'true' }),
        'M-CI-20': item({ influences: { elder: false } }),
      }),
    },
    {
      row: 'GEN-008',
      right: {
        'one field alone': ladder(anEntry(1, {}, { experience: -1 })),
        zero: ladder(anEntry(0)),
        'int may be negative': item({ stackSize: -1 }),
      },
      wrong: beside(ladder(anEntry(1, {}, { experience: -1 })), {
        negative: ladder(anEntry(-1)),
        fraction: ladder(anEntry(1.5)),
        quoted: ladder(anEntry(1, {}, { level: '90' })),
        'M-CI-21 a frame type by name': item({ frameType: 'Unique' }),
      }),
    },
    {
      row: 'GEN-009',
      right: {
        'one field alone': league({ endAt: 0 }),
        ...Object.fromEntries(
          [
            '2026-01-01T00:00:00Z',
            '2026-01-01T00:00:00+00:00',
            '2026-01-01T00:00:00.123456Z',
            '2026-01-01T00:00:00',
            '2026-01-01T00:00Z',
            '20260101T000000Z',
            '2026-W48-2T08:30:00Z',
            '2026W482T083000Z',
            '2026-328T08:30:00Z',
            '2026328T0830Z',
            '2026-01-01T00:00:00,5+01',
            '2026-01-01T24:00:00Z',
          ].map((text) => [`B-19 ${text}`, league({ startAt: text })]),
        ),
      },
      wrong: beside(league({ endAt: 0 }), {
        epoch: league({ startAt: 1767225600 }),
        'a day': league({ startAt: '2026-01-01' }),
        'a space': league({ startAt: '2026-01-01 00:00:00' }),
        'no such day': league({ startAt: '2026-02-30T00:00:00Z' }),
        'no such week': league({ startAt: '2025-W53-1T00:00:00Z' }),
        'after midnight': league({ startAt: '2026-01-01T24:00:01Z' }),
        'in words': league({ startAt: 'Thu, 01 Jan 2026 00:00:00 GMT' }),
        empty: league({ startAt: '' }),
      }),
    },
    {
      row: 'GEN-010',
      right: {
        'one field alone': item({ rarity: 'Common' }),
        listed: league({ realm: 'sony' }),
        'the second game’s realm (K-003)': league({ realm: 'game2' }),
        'B-15 any class': ladder(anEntry(1, {}, { class: 'Necromancer' })),
      },
      wrong: beside(item({ rarity: 'Common' }), {
        case: league({ realm: 'PC' }),
        'M-CI-27': item({ colour: 'R' }),
        'M-CI-31': item({ properties: [{ name: '', values: [], displayMode: 5 }] }),
        'sockets of gems': item({ gemSockets: ['G'] }),
        'not for PvP': answers('getPvpMatch', { match: aMatch({ realm: 'game2' }) }),
      }),
    },
    {
      row: 'GEN-011',
      right: { 'one field alone': character({ metadata: [] }), objects: character({ passives: passives1() }) },
      wrong: beside(character({ metadata: [] }), {
        'M-CI-04': character({ passives: passives1({ mastery_effects: [] }) }),
        'M-CI-36': item({ crucible: { layout: 'l', nodes: [{}] } }),
        'M-ST-13': answers('getStash', { stash: aTab(1, { metadata: [] }) }),
      }),
    },
    {
      row: 'GEN-012',
      right: {
        'one field alone': character({ id: 'a' }),
        'B-18 capitals': ladder(anEntry(1, {}, { id: 'ABCDEF'.padEnd(64, '0') })),
      },
      wrong: beside(character({ id: 'a' }), {
        'M-LL-33': ladder(anEntry(1, {}, { id: 'a'.repeat(32) })),
        'no hex': ladder(anEntry(1, {}, { id: 'g'.repeat(64) })),
      }),
    },
    {
      row: 'GEN-013',
      right: {
        different: ladder(anEntry(1), anEntry(2)),
        'the same page twice': [ladder(anEntry(1)), ladder(anEntry(1))],
        'the same item on two pages': [item({ id: hex(1) }), item({ id: hex(1) })],
        'B-39': answers('listCharacters', { characters: [aCharacter(), aCharacter({ id: hex(2), name: 'KAYA' })] }),
      },
      wrong: {
        'on a ladder page': ladder(anEntry(1), anEntry(2, {}, { id: hex(1) })),
        'in a list': answers('listCharacters', { characters: [aCharacter(), aCharacter({ name: 'Other' })] }),
        'in a tab': answers('getStash', {
          stash: aTab(1, { items: [anItem({ id: hex(1) }), anItem({ id: hex(1) })] }),
        }),
        'in a socket': item({ id: hex(1), socketedItems: [anItem({ id: hex(1) })] }),
        'on two characters': [character({}), character({ name: 'Other' })],
      },
    },
    {
      row: 'GEN-014',
      right: {
        'one field alone': item({ gemSkill: 'a' }),
        'the first game': item({ sockets: [{ group: 0, attr: 'S', sColour: 'R' }] }),
        'the second game': character({ skills: [], passives: passives2() }, 'game2'),
        'null is no occurrence (B-03)': item({ gemSkill: null }),
        'K-133': item({ weaponRequirements: [] }),
        'a realm that is none': answers(
          'listCharacters',
          { characters: [aCharacter({ skills: [] })] },
          { args: { realm: 'ps5' } },
        ),
      },
      wrong: beside(item({ gemSkill: 'a' }), {
        'M-CI-24': item({ sockets: [{ group: 0, type: 'gem' }] }),
        skills: character({ skills: [] }),
        'deep down': item({ socketedItems: [anItem({ runeMods: [] })] }),
      }),
    },
    {
      row: 'GEN-015',
      right: {
        'one field alone': character({ ruthless: true }, 'game2'),
        plain: character({ passives: passives2() }, 'game2'),
      },
      wrong: beside(character({ ruthless: true }, 'game2'), {
        'M-CI-25': character({ equipment: [anItem({ sockets: [{ group: 0, attr: 'S' }] })] }, 'game2'),
        bandit: character({ passives: passives2({ bandit_choice: 'Oak' }) }, 'game2'),
      }),
    },
    {
      row: 'GEN-022',
      right: {
        'one field alone': character({ passives: passives1({ jewel_data: { '01': { type: 't' } } }) }),
        decimal: character({ passives: passives1({ mastery_effects: { 0: 1, 10: 2 } }) }),
        'a node of a crucible': item({ crucible: { layout: 'l', nodes: { 1: { out: [''], in: [] } } } }),
      },
      wrong: beside(character({ passives: passives1({ jewel_data: { '01': { type: 't' } } }) }), {
        zero: character({ passives: passives1({ mastery_effects: { '01': 1 } }) }),
        hex: item({ crucible: { layout: 'l', nodes: { a: { out: [], in: [] } } } }),
        empty: character({ passives: passives1({ skill_overrides: { 1: { out: [''], in: [] } } }) }),
      }),
    },
  ]);
});

describe('every answer', () => {
  const page = { status: 502, text: '<html>' };
  judge([
    {
      row: 'GEN-001',
      right: {
        json: answers('getProfile', {}, { headers: { 'content-type': 'Application/JSON; charset=utf-8' } }),
        'JSON with a suffix': answers('getProfile', {}, { headers: { 'content-type': 'application/x.y+JSON ;v=1' } }),
        'B-24 escaped, pretty': answers('getProfile', undefined, { text: '{\n  "name": "\\u00e9"\n}' }),
        'B-32 a refusal': answers('getProfile', undefined, {
          status: 401,
          text: '',
          headers: { 'content-type': 'text/html' },
        }),
        'the authorization server': answers('revokeToken', undefined, {
          text: '',
          headers: { 'content-type': 'text/html' },
        }),
      },
      wrong: {
        html: answers('getProfile', {}, { headers: { 'content-type': 'text/html' } }),
        'cut off': answers('getProfile', undefined, { text: '{"uuid":' }),
        JavaScript: answers('getProfile', {}, { headers: { 'content-type': 'application/javascript' } }),
        'JSON lines': answers('getProfile', {}, { headers: { 'content-type': 'application/json-seq' } }),
        'a byte-order mark': answers('getProfile', {}, { problem: 'the body begins with a byte-order mark' }),
        'an unknown coding': answers('getProfile', undefined, { text: '(zstd)', problem: 'Content-Encoding zstd' }),
        empty: answers('createItemFilter', undefined, { status: 204, text: '' }),
      },
    },
    {
      row: 'GEN-001',
      right: {},
      wrong: { 'JSON by another name': answers('getProfile', {}, { headers: { 'content-type': 'text/json' } }) },
      says: 'warn',
      silent: true,
    },
    {
      row: 'GEN-016',
      right: {
        fine: answers('getProfile', {}),
        refused: answers(undefined, undefined, { status: 400, text: '' }),
        'B-40 overload': answers('getProfile', undefined, { status: 503, text: '', headers: { 'retry-after': '1' } }),
        'an unknown method': answers(undefined, undefined, { status: 501, text: '', method: 'BREW' }),
      },
      wrong: {
        500: answers('getProfile', {}, { status: 500 }),
        'outside of the contract': answers(undefined, undefined, page),
        'at the token endpoint': answers('issueToken', {}, { status: 500 }),
        '503 without Retry-After': answers('getProfile', {}, { status: 503 }),
      },
    },
    {
      row: 'BEAR-011',
      right: {
        'B-32': answers('getProfile', { any: 1 }, { status: 401 }),
        null: answers('getLeague', { league: null }, { status: 403 }),
      },
      wrong: {
        'the profile': answers('getProfile', { uuid: 'x' }, { status: 401 }),
        'a list': answers('listLeagues', { leagues: [] }, { status: 403 }),
        'the stream': answers('getPublicStashTabs', { stashes: [] }, { status: 403 }),
      },
    },
    {
      row: 'BEAR-012',
      right: { there: answers('getProfile', {}, { status: 401, headers: { 'www-authenticate': 'Bearer' } }) },
      wrong: { none: answers('getProfile', {}, { status: 401 }) },
      says: 'nothing',
    },
    {
      row: 'ERR-003',
      right: { object: answers('getProfile', { error: {} }, { status: 401 }) },
      wrong: { text: answers('getProfile', { error: 'x' }, { status: 401 }) },
      says: 'nothing',
    },
    {
      row: 'ERR-005',
      right: {
        empty: answers('listLeagues', { leagues: [] }),
        'an empty ladder': ladder(),
        'an unknown ladder': answers('getLeagueLadder', { league: null }),
        'tabs of an unknown league': answers('listStashes', { stashes: null }, { args: { league: 'none' } }),
      },
      wrong: {
        null: answers('listLeagues', { leagues: null }),
        missing: answers('listCharacters', {}),
        'no entries': answers('getLeagueLadder', { league: { total: 0 } }),
        'tabs of a known league': [
          league({ id: 'L' }),
          answers('listStashes', { stashes: null }, { args: { league: 'L' } }),
        ],
      },
    },
    {
      row: 'RATE-002',
      right: { 'B-40': answers('getProfile', {}, { status: 429, headers: { 'retry-after': '1' } }) },
      wrong: { none: answers('getProfile', {}, { status: 429 }) },
      says: 'nothing',
    },
    {
      row: 'GEN-018',
      right: { 'B-20': league({ colour: 1 }) },
      wrong: { more: league({ other: {} }) },
      says: 'nothing',
    },
    {
      row: 'GEN-020',
      right: { large: ladder(anEntry(2 ** 53 - 1)) },
      wrong: { unsafe: ladder(anEntry(2 ** 60)) },
      says: 'nothing',
    },
  ]);

  it('counts what is undocumented or unsafe', () => {
    const monitors = createMonitors(aTarget());
    monitors.answer(anAnswer('getLeague', { league: { id: 'x', colour: 1, __proto__: null } }));
    monitors.answer(anAnswer('getLeague', undefined, { text: '{"league":{"id":"x","__proto__":{"a":1},"colour":2}}' }));
    monitors.answer(anAnswer('getLeagueLadder', { league: { total: 2 ** 60, entries: [] } }));
    expect(monitors.observations()).toEqual([
      'League has members that the interface does not describe: colour (2), __proto__ (1).',
      '1 integers are beyond 2^53-1: $.league.total, for one.',
    ]);
  });

  it('asks for the word of the second realm where none of its requests is served', () => {
    const inRealm = (realm: string, status: number) =>
      anAnswer(
        'listLeagues',
        { leagues: [] },
        { status, asked: { server: 'data', operation: 'listLeagues', args: { realm } } },
      );
    const told = (...statuses: readonly number[]): readonly string[] => {
      const monitors = createMonitors(aTarget());
      monitors.answer(inRealm('xbox', 200));
      for (const status of statuses) monitors.answer(inRealm('game2', status));
      return monitors.observations().filter((text) => text.startsWith('None of'));
    };
    expect(told(401, 422, 404)).toEqual([expect.stringMatching(/^None of 2 requests in realm game2 .*--name game2=/)]);
    expect(told(422, 200)).toEqual([]);
    expect(told(403)).toEqual([]);
  });

  it('leaves the control surface alone', () => {
    const monitors = createMonitors(aTarget());
    monitors.answer(anAnswer('getLeague', undefined, { status: 500, text: '', asked: { server: 'control' } }));
    expect([...monitors.results().values()].every(({ exercised, count }) => exercised === 0 && count === 0)).toBe(true);
  });
});

describe('realms and ids', () => {
  const inRealm = (realm: string, asked: string) =>
    answers('listLeagues', { leagues: [aLeague({ realm })] }, { args: { realm: asked } });
  judge([
    {
      row: 'REALM-QUERY-004',
      right: {
        same: inRealm('xbox', 'xbox'),
        'pc by default': answers('listLeagues', { leagues: [aLeague({ realm: 'pc' })] }),
        absent: answers('listLeagues', { leagues: [aLeague()] }, { args: { realm: 'sony' } }),
        'a path': character({}, 'game2'),
        'a realm that the arguments do not name': answers(
          'listLeagues',
          { leagues: [aLeague({ realm: 'sony' })] },
          { url: 'http://s/league?realm=sony' },
        ),
        'two realms': answers(
          'listLeagues',
          { leagues: [aLeague({ realm: 'sony' })] },
          { url: 'http://s/league?realm=pc&realm=sony' },
        ),
        'an unlisted realm': inRealm('pc', 'ps5'),
        'a word that a first-game operation does not know': answers(
          'getLeagueLadder',
          { league: { total: 1, entries: [anEntry(1, { account: { name: 'a', realm: 'pc' } })] } },
          { url: 'http://s/league/Standard/ladder?realm=game2' },
        ),
        'filters have realms of their own': answers('listItemFilters', { filters: [aFilter({ realm: 'sony' })] }),
      },
      wrong: {
        league: inRealm('pc', 'xbox'),
        character: answers(
          'listCharacters',
          { characters: [aCharacter({ realm: 'pc' })] },
          { args: { realm: 'game2' } },
        ),
      },
    },
    {
      row: 'REALM-QUERY-004',
      right: { same: ladder(anEntry(1, { account: { name: 'a', realm: 'pc' } })) },
      wrong: { account: ladder(anEntry(1, { account: { name: 'a', realm: 'sony' } })) },
      says: 'warn',
    },
    {
      row: 'REALM-ITEM-001',
      right: { 'second game': character({ equipment: [anItem({ realm: 'game2' })] }, 'game2'), absent: item({}) },
      wrong: {
        'M-CI-26': item({ realm: 'pc' }),
        'on the first game': item({ realm: 'game2' }),
        'pc in the second': character({ equipment: [anItem({ realm: 'pc' })] }, 'game2'),
      },
    },
    {
      row: 'XF-002',
      right: {
        same: [
          ladder(anEntry(1)),
          answers('getPvpMatchLadder', { match: { total: 1, entries: [aTeam({ members: [aMember()] })] } }),
        ],
      },
      wrong: {
        'ladder and PvP': [
          ladder(anEntry(1)),
          answers('getPvpMatchLadder', {
            match: {
              total: 1,
              entries: [
                aTeam({ members: [aMember({ character: { id: hex(1), name: 'other', level: 1, class: '' } })] }),
              ],
            },
          }),
        ],
        'ladder and character': [ladder(anEntry(1)), character({})],
      },
    },
    {
      row: 'LEAGUE-LIST-009',
      right: {
        different: answers('listLeagues', { leagues: [aLeague(), aLeague({ id: 'B' })] }),
        'one name in two realms': [inRealm('pc', 'pc'), inRealm('xbox', 'xbox')],
      },
      wrong: { again: answers('listAccountLeagues', { leagues: [aLeague(), aLeague()] }) },
    },
    {
      row: 'FILTER-LIST-004',
      right: { different: answers('listItemFilters', { filters: [aFilter(), aFilter({ id: 'f2' })] }) },
      wrong: { again: answers('listItemFilters', { filters: [aFilter(), aFilter()] }) },
    },
  ]);
  it('finds the same stash twice on a page of the stream to be no fault', () => {
    const monitors = createMonitors(aTarget());
    monitors.answer(anAnswer('getPublicStashTabs', { next_change_id: 'a', stashes: [listed(), listed()] }));
    expect([...monitors.results()].filter(([, { count }]) => count > 0)).toEqual([]);
  });
});
