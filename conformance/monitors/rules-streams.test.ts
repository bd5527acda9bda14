import { describe, expect, it } from 'vitest';

import { ledger } from '../ledger.gen.js';
import { aTarget, anAnswer } from './answers.fixture.js';
import { answers, judge, resultOf } from './cases.fixture.js';
import { createMonitors } from './monitors.js';
import { aCharacter, aLeague, aMarket, anItem, aTab, hex, listed, passives1, passives2 } from './objects.fixture.js';
import { rules } from './rules.js';

type Over = Readonly<Record<string, unknown>>;
const page = (...stashes: readonly unknown[]) => answers('getPublicStashTabs', { next_change_id: 'a', stashes });
const unlisted = (over: Over = {}) => page({ id: hex(1), public: false, ...over });
const hour = (...markets: readonly unknown[]) => answers('getCurrencyExchange', { next_change_id: 3600, markets });
const market = (over: Over) => hour(aMarket(over));

describe('the public stash stream', () => {
  judge([
    {
      row: 'PSTASH-UNLIST-001',
      right: {
        'B-05 omitted': unlisted(),
        'B-05 nulled': unlisted({
          accountName: null,
          stash: null,
          league: null,
          lastCharacterName: null,
          stashType: 'x',
          items: [],
        }),
      },
      wrong: { 'M-PS-01': unlisted({ accountName: 'a' }), stash: unlisted({ stash: 'x' }) },
    },
    {
      row: 'PSTASH-UNLIST-001',
      says: 'warn',
      right: { omitted: unlisted() },
      wrong: { league: unlisted({ league: 'Standard' }) },
    },
    {
      row: 'PSTASH-UNLIST-001',
      target: { edition: { 'F-OBS-UNLISTED': 'on' } },
      right: { league: unlisted({ league: 'Standard' }) },
      wrong: { account: unlisted({ accountName: 'a' }) },
    },
    {
      row: 'PSTASH-UNLIST-001',
      target: { edition: { 'F-OBS-UNLISTED': 'off' } },
      right: { null: unlisted({ league: null }) },
      wrong: { league: unlisted({ league: 'Standard' }) },
    },
    {
      row: 'PSTASH-UNLIST-002',
      right: { 'B-05 none': unlisted(), empty: unlisted({ items: [] }), null: unlisted({ items: null }) },
      wrong: { 'M-PS-01': unlisted({ items: [anItem()] }) },
    },
    {
      row: 'PSTASH-UNLIST-003',
      right: { both: unlisted() },
      wrong: { 'no id': page({ public: false }), 'no public': page({ id: hex(1) }) },
    },
    {
      row: 'PSTASH-LISTED-001',
      right: { both: page(listed()), unlisted: unlisted() },
      wrong: {
        'no type': page(listed({ stashType: null })),
        'no items': page(listed({ items: undefined })),
        object: page(listed({ items: {} })),
      },
    },
    {
      row: 'PSTASH-LISTED-002',
      right: { absent: page(listed()), null: page(listed({ lastCharacterName: null })) },
      wrong: { there: page(listed({ lastCharacterName: 'x' })) },
      target: { edition: { 'F-PSC-LASTCHAR': 'off' } },
    },
    {
      row: 'PSTASH-LISTED-002',
      right: { absent: page(listed()) },
      wrong: { 'there, and not declared': page(listed({ lastCharacterName: 'x' })) },
      says: 'warn',
    },
    {
      row: 'PSTASH-EXT-001',
      right: {
        here: page(listed({ items: [anItem({ extended: { prefixes: 1, suffixes: null, subcategories: ['a'] } })] })),
      },
      wrong: {
        elsewhere: answers('getStash', { stash: aTab(1, { items: [anItem({ extended: {} })] }) }),
        negative: page(listed({ items: [anItem({ extended: { prefixes: -1 } })] })),
        text: page(listed({ items: [anItem({ extended: { subcategories: 'a' } })] })),
      },
    },
    {
      row: 'PSTASH-G1-001',
      right: { none: page(listed({ items: [anItem()] })) },
      wrong: { runes: page(listed({ items: [anItem({ runeMods: ['x'] })] })) },
    },
  ]);
  it('lets extra permissions be declared', () => {
    const result = resultOf('PSTASH-LISTED-002', page(listed({ lastCharacterName: 'x' })), {
      edition: { 'F-PSC-LASTCHAR': 'on' },
    });
    expect(result).toMatchObject({
      applicable: false,
      reason: 'F-PSC-LASTCHAR is declared on: the client has extra permissions',
    });
  });
});

describe('the currency exchange', () => {
  judge([
    {
      row: 'CX-002',
      right: {
        hour: hour(),
        'an id that no response had': answers(
          'getCurrencyExchange',
          { next_change_id: 99_999_999_999_600, markets: [] },
          { args: { id: '99999999999600' } },
        ),
      },
      wrong: { 'M-CX-01': answers('getCurrencyExchange', { next_change_id: 3601, markets: [] }) },
    },
    {
      row: 'CX-MARKET-001',
      right: { pipe: market({}) },
      wrong: {
        'M-CX-11': market({ market_id: 'chaos/divine' }),
        three: market({ market_id: 'a|b|c' }),
        same: market({ market_id: 'a|a' }),
        half: market({ market_id: 'a|' }),
      },
    },
    {
      row: 'CX-MARKET-002',
      right: {
        both: market({}),
        'B-35 one': market({ volume_traded: { chaos: 1 } }),
        none: market({ lowest_stock: {} }),
      },
      wrong: { other: market({ lowest_stock: { chaos: 1, exalted: 1 } }) },
    },
    {
      row: 'CX-MARKET-003',
      right: { both: market({}) },
      wrong: { 'B-35 one': market({ volume_traded: { chaos: 1 } }) },
      says: 'warn',
    },
    {
      row: 'CX-MARKET-004',
      right: { uint: market({}) },
      wrong: {
        text: market({ lowest_stock: { chaos: '1' } }),
        negative: market({ lowest_stock: { chaos: -1 } }),
        fraction: market({ lowest_ratio: { chaos: 0.5 } }),
      },
    },
    {
      row: 'CX-MARKET-005',
      right: { order: market({}) },
      wrong: { 'M-CX-15': market({ lowest_stock: { chaos: 9 }, highest_stock: { chaos: 1 } }) },
    },
    {
      row: 'CX-MARKET-006',
      right: {
        'one side': [
          market({}),
          market({ lowest_ratio: { chaos: 1, divine: 9 }, highest_ratio: { chaos: 2, divine: 9 } }),
        ],
        'B-36 the other side': [
          market({ lowest_ratio: { chaos: 160, divine: 1 }, highest_ratio: { chaos: 140, divine: 1 } }),
          market({ lowest_ratio: { chaos: 160, divine: 1 }, highest_ratio: { chaos: 140, divine: 1 } }),
        ],
        equal: market({ highest_ratio: { chaos: 140, divine: 1 } }),
        'beyond doubles': market({
          lowest_ratio: { chaos: 9007199254740990, divine: 3 },
          highest_ratio: { chaos: 9007199254740991, divine: 3 },
        }),
      },
      wrong: {
        both: [
          market({}),
          market({ lowest_ratio: { chaos: 160, divine: 1 }, highest_ratio: { chaos: 140, divine: 1 } }),
        ],
      },
    },
    {
      row: 'CX-MARKET-007',
      right: { some: market({ volume_traded: { chaos: 0, divine: 1 } }) },
      wrong: { none: market({ volume_traded: { chaos: 0, divine: 0 } }) },
    },
    {
      row: 'CX-MARKET-008',
      right: { two: hour(aMarket(), aMarket({ league: 'Hardcore' })), 'two hours': [hour(aMarket()), hour(aMarket())] },
      wrong: { again: hour(aMarket(), aMarket()) },
    },
    {
      row: 'CX-MARKET-009',
      right: { text: market({}) },
      wrong: { null: market({ league: null }), none: market({ league: undefined }) },
    },
  ]);
  it('is not asked for where it is declared off', () => {
    expect(resultOf('CX-MARKET-001', [], { edition: { 'F-CX': 'off' } })).toMatchObject({ applicable: false });
    expect(resultOf('CXRESP-FIELD-markets', [], { edition: { 'F-CX': 'off' } })).toMatchObject({ applicable: false });
  });
});

const league = (over: Over) => answers('getLeague', { league: aLeague(over) });
const item = (over: Over) => answers('getStash', { stash: aTab(1, { items: [anItem(over)] }) });
const character = (over: Over, realm: string) =>
  answers('getCharacter', { character: aCharacter({ realm, ...over }) }, { args: { realm, name: 'K' } });
const oils = (...recipe: readonly string[]) =>
  character({ passives: passives1({ skill_overrides: { 1: { out: [], in: [], recipe } } }) }, 'pc');
const specialised = (third: string) =>
  character({ passives: passives2({ specialisations: { set1: [], set2: [], [third]: [] } }) }, 'game2');

describe('editions', () => {
  judge([
    {
      row: 'ED-001',
      right: {
        one: [league({ category: { id: 'c', active: true } }), league({ category: { id: 'c', active: true } })],
      },
      wrong: {
        'M-ED-01': league({ category: { id: 'c', active: true, current: true } }),
        'in two answers': [
          league({ category: { id: 'c', active: true } }),
          league({ category: { id: 'c', current: true } }),
        ],
      },
    },
    {
      row: 'ED-002',
      target: { edition: { 'F-LEAGUE-NAME': 'off' } },
      right: { none: league({}), null: league({ name: null }) },
      wrong: { 'M-ED-03': league({ name: 'n' }) },
    },
    {
      row: 'ED-002',
      target: { edition: { 'F-LEAGUE-NAME': 'on' } },
      right: { there: league({ name: 'n' }) },
      wrong: { 'B-04 none': league({}) },
      says: 'warn',
    },
    {
      row: 'ED-003',
      target: { edition: { 'F-ITEM-MUTATED': 'off', 'F-LEAGUE-GOAL': 'on', 'F-CAT-ACTIVE': 'on' } },
      right: { none: item({}), on: league({ goal: 'g' }), null: item({ mutated: null }) },
      wrong: { off: item({ mutated: true }), 'the other name': league({ category: { id: 'c', current: true } }) },
      says: 'warn',
    },
    {
      row: 'ED-004',
      right: { any: item({ frameType: 13 }), null: item({ frameType: null }) },
      wrong: { more: item({ frameType: 14 }), text: item({ frameType: 'Gold' }), negative: item({ frameType: -1 }) },
    },
    {
      row: 'ED-004',
      target: { edition: { 'F-FRAME-12': 'off' } },
      right: { other: item({ frameType: 13 }) },
      wrong: { off: item({ frameType: 12 }) },
    },
    { row: 'ED-005', right: { listed: oils('ClearOil', 'PrismaticOil') }, wrong: { other: oils('OliveOil') } },
    {
      row: 'ED-005',
      target: { edition: { 'F-OIL-PRISMATIC': 'off' } },
      right: { listed: oils('ClearOil') },
      wrong: { off: oils('PrismaticOil') },
    },
    {
      row: 'ED-007',
      right: { same: [specialised('set3'), specialised('set3')] },
      wrong: { both: [specialised('set3'), specialised('shapeshift')] },
    },
    {
      row: 'ED-007',
      target: { edition: { 'F-SPEC-SET3': 'off', 'F-SPEC-SHAPESHIFT': 'on' } },
      right: { declared: specialised('shapeshift') },
      wrong: { other: specialised('set3') },
    },
    {
      row: 'ED-008',
      target: { edition: { 'F-ALTASC-BLOODLINE': 'off' } },
      right: { listed: character({ passives: passives1({ alternate_ascendancy: 'Warden' }) }, 'pc') },
      wrong: { bloodline: character({ passives: passives1({ alternate_ascendancy: 'Aul' }) }, 'pc') },
    },
    {
      row: 'ED-008',
      target: { edition: { 'F-ALTASC-BLOODLINE': 'on' } },
      right: { bloodline: character({ passives: passives1({ alternate_ascendancy: 'Aul' }) }, 'pc') },
      wrong: { number: character({ passives: passives1({ alternate_ascendancy: 1 }) }, 'pc') },
    },
    {
      row: 'ED-009',
      target: { edition: { 'F-CHAR-INV-G1': 'on', 'F-CHAR-RUCK-G1': 'off' } },
      right: { first: character({ inventory: [] }, 'pc'), second: character({ rucksack: [] }, 'game2') },
      wrong: { second: character({ inventory: [] }, 'game2') },
    },
  ]);

  it('are not judged where the target declares nothing', () => {
    for (const row of ['ED-002', 'ED-003', 'ED-008', 'ED-009'] as const) {
      expect([row, resultOf(row, league({ name: 'n' })).applicable]).toEqual([row, false]);
    }
  });

  it('are told from the answers', () => {
    const monitors = createMonitors(aTarget());
    monitors.answer(anAnswer('getLeague', { league: aLeague({ name: 'n', category: { id: 'c', current: true } }) }));
    specialised('set3')(monitors);
    monitors.answer(anAnswer('getCurrencyExchange', {}, { status: 404 }));
    expect(monitors.edition()).toMatchObject({
      'F-LEAGUE-NAME': 'on',
      'F-CAT-ACTIVE': 'off',
      'F-SPEC-SET3': 'on',
      'F-SPEC-SHAPESHIFT': 'off',
      'F-CX': 'off',
      'F-ITEM-MUTATED': 'not seen',
    });
  });

  it('make the fields of a feature that is off not applicable', () => {
    const edition = { 'F-ITEM-MUTATED': 'off', 'F-CAT-ACTIVE': 'on', 'F-CHAR-INV-G1': 'on' } as const;
    expect(resultOf('ITEM-FIELD-mutatedMods', [], { edition })).toMatchObject({
      applicable: false,
      reason: 'F-ITEM-MUTATED is declared off',
    });
    expect(resultOf('LEAGUE-FIELD-category.current', [], { edition })).toMatchObject({ applicable: false });
    expect(resultOf('CHARACTER-FIELD-inventory', [], { edition })).toMatchObject({ applicable: true });
  });
});

describe('the rules', () => {
  it('are those that the ledger asks for, and those that judge the cases of other checks too', () => {
    const shared = /^(GEN-016|INTRO-003|INTRO-013|ERR-001|AUTH-ERR-004|TOK-ERR-01[5-9])$/;
    const wanted = ledger.filter(({ how, id }) => how === 'monitor' || shared.test(id)).map(({ id }) => id);
    expect([...rules.keys()].toSorted()).toEqual(wanted.toSorted());
  });
});
