import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { parse } from 'yaml';
import { describe, expect, it } from 'vitest';

import type { Document } from '../../scripts/generate/document.js';
import type { Flags } from '../../scripts/generate/editions.js';
import { applyOverlay, collectMarks, flagsOf, overlayOf } from '../../scripts/generate/editions.js';

const superset = JSON.parse(readFileSync('dist/openapi/openapi.json', 'utf8')) as Document;
const flags = parse(readFileSync('openapi/editions.yaml', 'utf8')) as Flags;
const marks = collectMarks(superset);

/** Places where `edition` says something that `whole` does not say too; to mark as deprecated and to require are allowed. */
function additions(edition: unknown, whole: unknown, place: string): string[] {
  if (Array.isArray(edition) && Array.isArray(whole)) {
    const rest = whole.map((entry) => JSON.stringify(entry));
    return edition.flatMap((entry, index) => {
      // Entries keep their order, so each is found behind the one before it, whole or with something removed.
      const exact = rest.indexOf(JSON.stringify(entry));
      if (exact >= 0) {
        rest.splice(0, exact + 1);
        return [];
      }
      const candidate = rest.shift();
      return candidate === undefined
        ? [`${place}[${index}]`]
        : additions(entry, JSON.parse(candidate), `${place}[${index}]`);
    });
  }
  if (typeof edition === 'object' && edition !== null && typeof whole === 'object' && whole !== null) {
    const { anyOf = [] } = whole as { anyOf?: { 'x-observed'?: string }[] };
    const alone = anyOf.filter((one) => !one['x-observed']);
    if (alone.length === 1 && !('anyOf' in edition)) {
      return additions(edition, { ...whole, ...alone[0], anyOf: undefined }, place);
    }
    return Object.entries(edition).flatMap(([key, value]) => {
      if (key in whole) return additions(value, (whole as Record<string, unknown>)[key], `${place}.${key}`);
      return key === 'deprecated' || key === 'required' ? [] : [`${place}.${key}`];
    });
  }
  return edition === whole ? [] : [place];
}

/** Whether a value is of a schema of a document. */
function compileAll(document: Document): (schema: string, value: object) => boolean {
  const ajv = new Ajv2020({ strict: false });
  addFormats.default(ajv);
  ajv.addSchema({ ...document }, 'contract');
  return (schema, value) => ajv.validate({ $ref: `contract#/components/schemas/${schema}` }, value);
}

describe.each(Object.keys(flags.editions))('the %s edition', (name) => {
  const overlay = overlayOf(name, flags, marks, '1');

  it('only removes, deprecates or requires', () => {
    expect(additions(applyOverlay(superset, overlay), superset, '$')).toEqual([]);
  });

  it('has nothing left of what its flags switch off', () => {
    const on = new Set(flagsOf(name, flags));
    const left = collectMarks(applyOverlay(superset, overlay)).filter(
      ({ flag, state, effect }) => !effect && on.has(flag) === (state === 'off'),
    );
    expect(left).toEqual([]);
  });

  it('refuses an overlay target that matches nothing', () => {
    const astray = {
      ...overlay,
      actions: [{ target: '$.components.schemas.Item.properties.nowhere', description: '', remove: true as const }],
    };
    expect(() => applyOverlay(superset, astray)).toThrow(
      '$.components.schemas.Item.properties.nowhere matches nothing',
    );
  });
});

describe('what live data shows', () => {
  const observed = flags.flags.filter(({ kind }) => kind === 'observed').map(({ flag }) => flag);

  it('is on in the edition observed alone, beside the flags of extended', () => {
    for (const name of Object.keys(flags.editions)) {
      const on = flagsOf(name, flags).filter((flag) => observed.includes(flag));
      expect(on, name).toEqual(name === 'observed' ? observed : []);
    }
    expect(flagsOf('observed', flags)).toEqual([...flagsOf('extended', flags), ...observed]);
  });

  it.each(['base', 'extended', 'observed'])('is accepted by the superset and by observed, not by %s', (name) => {
    const whole = compileAll(superset);
    const edition = compileAll(applyOverlay(superset, overlayOf(name, flags, marks, '1')));
    const node = { out: [], in: [] };
    const withFlags = { description: '+1', flags: [] };
    const area = { name: 'x', faction: { id: 'Faction1', name: 'x' } };
    const unlisted = { id: '0'.repeat(64), public: false };
    const forms: [schema: string, described: object, observed: object][] = [
      ['PassiveNode', { ...node, skill: 7 }, { ...node, skill: '7' }],
      ['PassiveNode', node, { skill: 7 }],
      ['ExpansionJewel', { proxy: 7 }, { proxy: '7' }],
      ['ExpansionJewel', { parent: 7 }, { parent: '7' }],
      ['StashTabMetadata', { colour: '0000dd' }, { colour: 'dd' }],
      ['StashTabMetadata', { colour: '007c51' }, { colour: '7c51' }],
      ['HybridGem', { baseTypeName: 'x', explicitMods: ['+1'] }, { baseTypeName: 'x', explicitMods: [withFlags] }],
      ['LogbookMod', { ...area, mods: ['+1'] }, { ...area, mods: [withFlags] }],
      ['UnlistedStash', { ...unlisted, league: null }, { ...unlisted, league: 'Standard' }],
    ];
    for (const [schema, described, live] of forms) {
      expect(whole(schema, described) && edition(schema, described), `${schema} as described`).toBe(true);
      expect(whole(schema, live), JSON.stringify(live)).toBe(true);
      expect(edition(schema, live), JSON.stringify(live)).toBe(name === 'observed');
    }
    for (const wrong of [{ skill: 'x' }, { skill: '07' }, { skill: -7 }]) {
      expect(whole('PassiveNode', { ...node, ...wrong }), JSON.stringify(wrong)).toBe(false);
    }
    expect(whole('StashTabMetadata', { colour: 'ddd' })).toBe(false);
  });
});

describe('edition flags', () => {
  it('each act somewhere, but those of the codec and of mere meaning', () => {
    const acting = new Set(marks.map(({ flag }) => flag));
    const idle = flags.flags.filter(({ flag, kind }) => !acting.has(flag) && kind !== 'codec').map(({ flag }) => flag);
    expect(idle).toEqual([]);
  });
});
