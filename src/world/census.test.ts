import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { flags, schemas } from '../contract/index.js';
import type { SchemaNode } from '../contract/schema.js';
import { branches, deref } from '../contract/walk.js';
import { flagsOf, sampleWorld } from './samples.fixture.js';
import { tour } from './tour.fixture.js';

const ENOUGH = 3;

/** Fields that the game layer adds, or takes away, for each request. */
const LATER = ['PvPMatch.complete', 'PvPMatch.upcoming', 'PvPMatch.inProgress', 'ListedStash.lastCharacterName'];

const ROOTS = [
  'League',
  'LadderEntry',
  'EventLadderEntry',
  'PvPMatch',
  'PvPLadderTeamEntry',
  'Character',
  'StashTab',
  'LeagueAccount',
  'ItemFilter',
  'ListedStash',
  'ExchangeMarket',
];

/** Counts every field and enum value met, and notes those met in the wrong game or edition. */
class Census {
  readonly met = new Map<string, number>();
  readonly wrong = new Set<string>();

  constructor(private readonly on: Readonly<Record<string, boolean>>) {}

  see(value: unknown, node: SchemaNode, game: string, path: string): void {
    for (const branch of branches(node)) this.inside(value, branch, game, path);
  }

  private inside(value: unknown, node: SchemaNode, game: string, path: string): void {
    const { name, schema } = deref(node);
    if (schema !== node && (schema.anyOf ?? schema.oneOf)) return this.see(value, schema, game, name ?? path);
    const here = name ?? path;
    for (const allowed of schema.enum ?? [])
      if (allowed === value && value !== null) this.count(`${path}=${String(value)}`);
    const ofValue = schema['x-enum-edition']?.[String(value)];
    if (ofValue !== undefined && !this.on[ofValue]) this.wrong.add(`${path}=${String(value)}`);
    if (Array.isArray(value)) {
      for (const one of value) if (schema.items) this.see(one, schema.items, game, path);
      return;
    }
    if (typeof value !== 'object' || value === null) return;
    const members: Record<string, unknown> = { ...value };
    for (const [key, member] of Object.entries(members)) {
      const property = schema.properties?.[key];
      if (property) {
        const at = `${here}.${key}`;
        this.count(at);
        if (typeof member === 'boolean') this.count(`${at}:${String(member)}`);
        if (!fits(property, game, this.on, at)) this.wrong.add(at);
        this.see(member, property, game, at);
      } else if (typeof schema.additionalProperties === 'object') {
        this.see(member, schema.additionalProperties, game, here);
      } else if (schema.properties) {
        this.wrong.add(`${here}.${key} (not in the contract)`);
      }
    }
  }

  private count(what: string): void {
    this.met.set(what, (this.met.get(what) ?? 0) + 1);
  }
}

function fits(property: SchemaNode, game: string, on: Readonly<Record<string, boolean>>, at: string): boolean {
  if (LATER.includes(at)) return true;
  const edition = property['x-edition'];
  if (edition?.effect === 'g1' && on[edition.flag] && game === 'g2') return false;
  if (edition && !edition.effect && (edition.state === 'off') === Boolean(on[edition.flag])) return false;
  return (property['x-game'] ?? game) === game;
}

/** Every field and enum value that an edition has below the roots. */
function expected(on: Readonly<Record<string, boolean>>): Set<string> {
  const found = new Set<string>();
  const seen = new Set<string>();
  const visit = (node: SchemaNode, path: string): void => {
    for (const branch of branches(node)) {
      const mark = branch['x-edition'];
      if (mark && !on[mark.flag]) continue;
      const { name, schema } = deref(branch);
      if (schema !== branch && (schema.anyOf ?? schema.oneOf)) visit(schema, name ?? path);
      for (const value of schema.enum ?? []) {
        const flag = schema['x-enum-edition']?.[String(value)];
        if (value !== null && (flag === undefined || on[flag]) && !path.endsWith('realm'))
          found.add(`${path}=${String(value)}`);
      }
      if (schema.items) visit(schema.items, path);
      if (name !== undefined && seen.has(name)) continue;
      if (name !== undefined) seen.add(name);
      const here = name ?? path;
      for (const [key, property] of Object.entries(schema.properties ?? {})) {
        const at = `${here}.${key}`;
        if (LATER.includes(at) || !(fits(property, 'g1', on, at) || fits(property, 'g2', on, at))) continue;
        found.add(at);
        visit(property, at);
      }
      if (typeof schema.additionalProperties === 'object') visit(schema.additionalProperties, here);
    }
  };
  for (const root of ROOTS) visit({ $ref: `#/components/schemas/${root}` }, root);
  return found;
}

function take(on: Readonly<Record<string, boolean>>, seed: number, every: number): Census {
  const census = new Census(on);
  for (const { schema, value, game } of tour(sampleWorld('base', seed, { flags: on }), every)) {
    const node = schemas[schema];
    if (node) census.see(value, { $ref: `#/components/schemas/${schema}` }, game, schema);
  }
  return census;
}

describe.each(['base', 'extended'] as const)('the census of edition %s', (edition) => {
  const census = take(flagsOf(edition), 7, 1);

  it(`meets every field and enum value at least ${ENOUGH} times`, () => {
    const rare = [...expected(flagsOf(edition))].filter((what) => (census.met.get(what) ?? 0) < ENOUGH);
    expect(rare).toEqual([]);
  });

  it('meets nothing of another edition or in the wrong game', () => {
    expect([...census.wrong]).toEqual([]);
  });

  it('meets plain booleans both ways', () => {
    const plain = [
      'LadderEntry.dead',
      'LadderEntry.retired',
      'LadderEntry.ineligible',
      'LadderEntry.public',
      'EventLadderEntry.ineligible',
    ];
    const items = [
      'Item.verified',
      'Item.identified',
      'HybridGem.isVaalGem',
      ...(edition === 'extended' ? ['Item.mutated'] : []),
    ];
    const rare = [...plain, ...items].flatMap((field) =>
      [`${field}:true`, `${field}:false`].filter((what) => (census.met.get(what) ?? 0) < ENOUGH),
    );
    expect(rare).toEqual([]);
  });

  it('says the same of other seeds', () => {
    for (const seed of [1, 2, 3]) {
      const other = take(flagsOf(edition), seed, 3);
      expect([...other.wrong]).toEqual([]);
      expect([...expected(flagsOf(edition))].filter((what) => !other.met.has(what))).toEqual([]);
    }
  });
});

describe('any mixture of flags', () => {
  it('removes what is off and leaves what is on', () => {
    const names = flags.map((one) => one.flag);
    fc.assert(
      fc.property(fc.subarray([...names]), (on) => {
        const chosen = Object.fromEntries(on.map((flag) => [flag, true]));
        const census = take(chosen, 7, 60);
        expect([...census.wrong]).toEqual([]);
        for (const { value } of tour(sampleWorld('base', 7, { flags: chosen }), 600)) {
          const text = JSON.stringify(value);
          expect(text.includes('"set3"') && text.includes('"shapeshift"')).toBe(false);
        }
      }),
      { numRuns: 6 },
    );
  });
});
