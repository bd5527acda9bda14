import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { describe, expect, it } from 'vitest';

import type { LedgerRow } from '../../conformance/ledger.js';
import type { Document } from './document.js';
import type { places } from '../../conformance/requirements/groups.js';
import type { Requirement } from '../../conformance/requirement.js';
import { chaptersOf, ledgerRows } from './ledger.js';
import { fieldRows } from './ledger-fields.js';
import type { Gap } from './prose.js';

const contract = JSON.parse(readFileSync('dist/openapi/openapi.json', 'utf8')) as Document;
const gaps = parse(readFileSync('openapi/gaps.yaml', 'utf8')) as Gap[];
type Table = typeof places;
const law = { contract, gaps, flags: ['F-CX'] };

describe('rows', () => {
  const requirement: Requirement = {
    id: 'LEAGUE-GET-001',
    level: 'MUST',
    sentence: 'It is so.',
    source: '4.2',
    needs: ['client:service'],
  };
  const places: Table = [[{ operation: 'getLeague' }, 'LEAGUE-GET']];
  const check = { how: 'check', check: 'game/leagues' } as const;
  const read = (...requirements: readonly Requirement[]): LedgerRow[] =>
    ledgerRows(
      requirements.map((one) => ({ requirement: one, proof: check })),
      [],
      law,
      places,
    );

  it('are read with group, link and pointer', () => {
    const needs: Requirement['needs'] = [['client:service', 'client:public'], 'flag:F-CX'];
    expect(read({ ...requirement, needs, gap: 'K-024' })).toEqual([
      {
        id: 'LEAGUE-GET-001',
        level: 'MUST',
        section: '4.2',
        statement: 'It is so.',
        gap: 'K-024',
        needs: [['client:service', 'client:public'], ['flag:F-CX']],
        link: 'dist/docs/index.html#/leagues/getleague',
        pointer: '/paths/~1league~1{league}/get',
        group: 'LEAGUE-GET',
        how: 'check',
        check: 'game/leagues',
      },
    ]);
  });

  const inferred = { ...requirement, level: 'INFER' } as const;

  it.each<[string, Requirement, string]>([
    ['an id without a number', { ...requirement, id: 'LEAGUE-GET' }, 'is no id; write one such as'],
    ['a section that there is not', { ...requirement, source: '4.3' }, 'source 4.3 is not in the interface'],
    ['a sentence that is none', { ...requirement, sentence: 'Schema' }, 'write one that ends in a full stop'],
    ['sections that there are not', { ...inferred, entailed: '4.3: it is so said' }, 'is no sections with a reason'],
    ['grounds without a reason', { ...inferred, plausible: 'so' }, 'is plausible without a reason'],
    ['a gap that there is not', { ...requirement, gap: 'K-999' }, 'gap K-999 is not in openapi/gaps.yaml'],
    ['an unknown flag', { ...requirement, needs: ['flag:F-XC'] }, 'flag F-XC is unknown'],
    ['a group that has no place', { ...requirement, id: 'LEAGUES-001' }, 'its group LEAGUES is not in'],
  ])('refuse %s', (_, entry, message) => {
    expect(() => read(entry)).toThrow(message);
    expect(() => read(entry)).toThrow(`${entry.id}: `);
  });

  it('refuse an id that stands twice, and an exclusion without a reason', () => {
    expect(() => read(requirement, requirement)).toThrow('LEAGUE-GET-001: stands twice');
    const proof = { how: 'excluded', reason: 'no' } as const;
    expect(() => ledgerRows([{ requirement, proof }], [], law, places)).toThrow('is excluded without a reason');
  });

  it.each<[string, Table[number][0], string]>([
    ['a chapter that there is not', { read: '/section/x' }, 'read /section/x is no chapter of openapi/info.md'],
    ['a place that leads nowhere', {}, 'has neither operation nor read'],
  ])('refuse %s', (_, place, message) => {
    expect(() => ledgerRows([], [], law, [[place, 'A']])).toThrow(`A: ${message}`);
  });

  it('refuse a group that no requirement is in, and tell every offence at once', () => {
    expect(() => read()).toThrow('LEAGUE-GET: has no requirement');
    const attempt = (): unknown =>
      read({ ...requirement, gap: 'K-9' }, { ...requirement, id: 'LEAGUE-GET-002', source: 'x' });
    expect(attempt).toThrow(/LEAGUE-GET-001: gap K-9[^]*LEAGUE-GET-002: source x/);
  });

  it('stand in the order of the groups, then of the numbers', () => {
    const table: Table = [...places, [{ operation: 'listLeagues' }, 'LEAGUE-LIST']];
    const ids = ['LEAGUE-LIST-001', 'LEAGUE-GET-010', 'LEAGUE-GET-002'];
    const rows = ledgerRows(
      ids.map((id) => ({ requirement: { ...requirement, id }, proof: check })),
      [],
      law,
      table,
    );
    expect(rows.map(({ id }) => id)).toEqual(['LEAGUE-GET-002', 'LEAGUE-GET-010', 'LEAGUE-LIST-001']);
  });
});

describe('field rows', () => {
  const read = (value: string, id = 'LEAGUE-FIELD-id') => fieldRows(`fields: { '${id}': ${value} }`, law);

  it('say what the contract says', () => {
    const statements = Object.entries({
      'League.id': 'League.id is a string, always there.',
      'League.event': 'League.event is true or absent.',
      'League.category.current': 'League.category.current is true or absent.',
      'Item.influences.elder': 'Item.influences.elder is true or absent.',
      'Item.rarity': 'Item.rarity is one of Normal, Magic, Rare, Unique, null or absent.',
      "'Item.logbookMods[].faction.id'":
        'Item.logbookMods[].faction.id is one of Faction1, Faction2, Faction3, Faction4, always there.',
      'Passives.hashes_ex':
        'Passives.hashes_ex is an array, each element an unsigned integer, always there in the first game.',
      'TokenResponse.expires_in': 'TokenResponse.expires_in is an unsigned integer or null, always there.',
      'PublicStashChange.public':
        'PublicStashChange.public is true, always there (ListedStash); false, always there (UnlistedStash).',
      'ItemProperty.values':
        'ItemProperty.values is an array, each element [a string, an unsigned integer], always there.',
      'getPublicStashTabs.next_change_id': 'getPublicStashTabs.next_change_id is a string, always there.',
    });
    for (const [place, statement] of statements) expect(read(place)[0]?.statement).toBe(statement);
  });

  it.each([
    ['a schema that there is not', 'Leage.id', 'Leage is neither a schema nor an operation of the contract'],
    ['a property that there is not', 'League.category.id2', 'League.category has no property id2'],
    ['an array that is none', "'League.name[].id'", 'League.name is no array'],
    ['an array without brackets', 'League.rules.id', 'League.rules has no property id'],
    ['a place that is no property', 'League', 'League names no property'],
    ['an unknown key', '{ monitor: League.id, level: MUST }', 'key level is unknown; keys are monitor, gap'],
    ['a gap that there is not', '{ monitor: League.id, gap: K-0 }', 'gap K-0 is not in openapi/gaps.yaml'],
  ])('refuse %s', (_, value, message) => {
    expect(() => read(value)).toThrow(message);
    expect(() => read(value)).toThrow('conformance/requirements/fields.yaml: LEAGUE-FIELD-id: ');
  });

  it('refuse an id that is none of a field', () => {
    expect(() => read('League.id', 'LEAGUE-GET-001')).toThrow('is no id of a field');
  });
});

describe('chapters', () => {
  it('are addressed as the documentation does', () => {
    const text = '# Tokens and lifetimes\n\n## A link, byte by byte\n\ntext\n\n# Next: one\n';
    expect([...chaptersOf(text)]).toEqual([
      '/section/tokens-and-lifetimes',
      '/section/tokens-and-lifetimes/a-link-byte-by-byte',
      '/section/next:-one',
    ]);
  });
});
