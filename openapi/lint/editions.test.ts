import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { describe, expect, it } from 'vitest';

import type { Document } from '../../scripts/generate/document.js';
import type { Flags } from '../../scripts/generate/editions.js';
import { applyOverlay, collectMarks, overlayOf } from '../../scripts/generate/editions.js';

const superset = JSON.parse(readFileSync('dist/openapi/openapi.json', 'utf8')) as Document;
const flags = parse(readFileSync('openapi/editions.yaml', 'utf8')) as Flags;
const marks = collectMarks(superset);

/** Places where `edition` says something that `whole` does not say too; marking as deprecated is allowed. */
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
    return Object.entries(edition).flatMap(([key, value]) => {
      if (key in whole) return additions(value, (whole as Record<string, unknown>)[key], `${place}.${key}`);
      return key === 'deprecated' ? [] : [`${place}.${key}`];
    });
  }
  return edition === whole ? [] : [place];
}

describe.each(Object.keys(flags.editions))('the %s edition', (name) => {
  const overlay = overlayOf(name, flags, marks, '1');

  it('only removes or deprecates', () => {
    expect(additions(applyOverlay(superset, overlay), superset, '$')).toEqual([]);
  });

  it('has nothing left of what its flags switch off', () => {
    const on = new Set(flags.editions[name]?.on);
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

describe('edition flags', () => {
  it('each act somewhere, but those of the codec and of mere meaning', () => {
    const acting = new Set(marks.map(({ flag }) => flag));
    const idle = flags.flags.filter(({ flag, kind }) => !acting.has(flag) && kind !== 'codec').map(({ flag }) => flag);
    expect(idle).toEqual([]);
  });
});
