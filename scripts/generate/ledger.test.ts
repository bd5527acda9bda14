import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { describe, expect, it } from 'vitest';

import type { LedgerRow } from '../../conformance/ledger.js';
import type { Document } from './document.js';
import { chaptersOf, ledgerRows } from './ledger.js';
import type { Gap } from './prose.js';

const contract = JSON.parse(readFileSync('dist/openapi/openapi.json', 'utf8')) as Document;
const gaps = parse(readFileSync('openapi/gaps.yaml', 'utf8')) as Gap[];
const law = { contract, gaps, flags: ['F-CX'] };

describe('rows', () => {
  const row = {
    id: 'LEAGUE-GET-001',
    level: 'MUST',
    section: '4.2',
    statement: 'It is so.',
    needs: '[client:service]',
    check: 'game/leagues',
  };
  const read = (...rows: Record<string, unknown>[]): LedgerRow[] => {
    const lines = rows.map((entry) =>
      Object.entries(entry).map(
        ([key, value]) => `${key}: ${key === 'section' ? `'${String(value)}'` : String(value)}`,
      ),
    );
    const text = `groups: { LEAGUE-GET: { operation: getLeague } }\nrows:\n${lines.map((entry) => `  - ${entry.join('\n    ')}\n`).join('')}`;
    return ledgerRows([{ name: 'leagues', text }], law);
  };
  const { check: _, ...open } = row;

  it('are read with group, link and pointer', () => {
    expect(read({ ...row, needs: '[client:service | client:public, flag:F-CX]', gap: 'K-024' })).toEqual([
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

  it.each([
    ['an unknown key', { ...row, title: 'x' }, 'LEAGUE-GET-001: key title is unknown; keys are id, level'],
    ['an unknown level', { ...row, level: 'MUSTN' }, 'level MUSTN is unknown; levels are MUST'],
    ['a section that there is not', { ...row, section: '4.3' }, 'section 4.3 is not in the interface'],
    ['a statement that is no sentence', { ...row, statement: 'Schema' }, 'write one that ends in a full stop'],
    ['an inference without grounds', { ...row, level: 'INFER' }, 'has neither of entailed and plausible'],
    [
      'an inference with both',
      { ...row, level: 'INFER', entailed: '"4.2: it is so said"', plausible: 'it may be so' },
      'has both of entailed and plausible',
    ],
    [
      'sections that there are not',
      { ...row, level: 'INFER', entailed: '"4.3: it is so said"' },
      'is no sections with',
    ],
    ['grounds without a reason', { ...row, level: 'INFER', plausible: 'so' }, 'is plausible without a reason'],
    ['grounds of what is stated', { ...row, plausible: 'it may be so' }, 'is MUST and no inference'],
    ['a gap that there is not', { ...row, gap: 'K-999' }, 'gap K-999 is not in openapi/gaps.yaml'],
    ['an unknown role', { ...row, needs: '[client:confidental]' }, 'need client:confidental is unknown'],
    ['an unknown capability', { ...row, needs: '[clocks]' }, 'need clocks is unknown'],
    ['an unknown fact', { ...row, needs: '[known:leagues]' }, 'need known:leagues is unknown'],
    ['an unknown flag', { ...row, needs: '[flag:F-XC]' }, 'need flag:F-XC is unknown'],
    ['an unknown alternative', { ...row, needs: '[clock | waiting]' }, 'need waiting is unknown'],
    ['needs that are no list', { ...row, needs: 'clock' }, 'needs is no list'],
    ['no proof', open, 'has none of check, monitor and excluded; give it exactly one'],
    ['two proofs', { ...row, monitor: true }, 'has 2 of check, monitor and excluded; give it exactly one'],
    ['a check that is no group', { ...row, check: 'leagues' }, 'check leagues is no group of checks'],
    ['a monitor of a place', { ...open, monitor: 'League.id' }, 'monitor of a row that is no field is `true`'],
    ['an exclusion without a reason', { ...open, excluded: 'no' }, 'is excluded without a reason'],
    ['an exclusion with needs', { ...open, excluded: 'It '.repeat(20) }, 'is excluded and has needs'],
    ['a group that the file does not have', { ...row, id: 'LEAGUES-001' }, 'its group LEAGUES is not under groups'],
  ])('refuse %s', (_, entry, message) => {
    expect(() => read(entry)).toThrow(message);
    expect(() => read(entry)).toThrow(`conformance/requirements/leagues.yaml: ${entry.id}: `);
  });

  it('refuse an id that stands twice', () => {
    expect(() => read(row, row)).toThrow('LEAGUE-GET-001 stands twice');
  });

  it.each([
    ['a chapter that there is not', '{ read: /section/x }', 'read /section/x is no chapter of openapi/info.md'],
    ['an operation that there is not', '{ operation: getLeagues }', 'operation getLeagues is not in the contract'],
    ['a group that leads nowhere', '{}', 'has neither operation nor read'],
    ['an unknown key', '{ page: x }', 'key page is unknown; keys are operation, read'],
  ])('refuse %s of a group', (_, entry, message) => {
    expect(() => ledgerRows([{ name: 'x', text: `groups: { A: ${entry} }\nrows: []` }], law)).toThrow(
      `x.yaml: A: ${message}`,
    );
  });

  it('tell every offence at once, and text that is no YAML', () => {
    const attempt = (): unknown => read({ ...row, level: 'X' }, { ...row, id: 'LEAGUE-GET-002', gap: 'K-9' });
    expect(attempt).toThrow(/LEAGUE-GET-001: level X[^]*LEAGUE-GET-002: gap K-9/);
    expect(() => ledgerRows([{ name: 'x', text: 'rows: [' }], law)).toThrow('conformance/requirements/x.yaml: ');
  });
});

describe('field rows', () => {
  const read = (value: string, id = 'LEAGUE-FIELD-id') =>
    ledgerRows([{ name: 'fields', text: `fields: { '${id}': ${value} }` }], law);

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
