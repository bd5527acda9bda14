import { describe, expect, it } from 'vitest';

import { flags } from '../contract/index.js';
import { sampleWorld } from './samples.fixture.js';
import { tour } from './tour.fixture.js';
import type { Schemas } from './wire.js';

const observed = flags.flatMap(({ flag, kind }) => (kind === 'observed' && flag !== 'F-OBS-LADDER' ? [flag] : []));

/** How often a world serves each form that only live data shows. */
function formsOf(on: readonly string[]): Record<(typeof observed)[number], number> {
  const count = Object.fromEntries(observed.map((flag) => [flag, 0])) as Record<(typeof observed)[number], number>;
  const passives = ({ skill_overrides, jewel_data }: Schemas['Passives']): void => {
    for (const node of Object.values(skill_overrides)) if (!node.out && !node.in) count['F-OBS-OVERRIDE'] += 1;
    for (const { subgraph } of Object.values(jewel_data)) {
      for (const { skill, expansionJewel } of Object.values(subgraph?.nodes ?? {})) {
        if (typeof skill === 'string') count['F-OBS-SKILL'] += 1;
        const { proxy, parent } = expansionJewel ?? {};
        if (typeof proxy === 'string' && typeof parent === 'string') count['F-OBS-EXPANSION'] += 1;
      }
      const groups = Object.values(subgraph?.groups ?? {});
      if (groups.length > 0 && groups.every((group) => !group.isProxy && group.proxy)) count['F-OBS-PROXY'] += 1;
    }
  };
  const given = Object.fromEntries(on.map((flag) => [flag, true]));
  for (const { schema, value } of tour(sampleWorld('extended', 7, { flags: given }), 60)) {
    const text = JSON.stringify(value);
    if (text.includes('"support":false')) count['F-OBS-SUPPORT'] += 1;
    if (/"metadata":\{[^}]*"colour":"(..|....)"/.test(text)) count['F-OBS-COLOUR'] += 1;
    if (schema === 'Character') passives((value as Schemas['Character']).passives ?? emptyPassives);
  }
  return count;
}

const emptyPassives: Schemas['Passives'] = { hashes: [], skill_overrides: {}, jewel_data: {} };

describe('what live data shows', () => {
  it('is served with its flag, several times', () => {
    for (const [flag, count] of Object.entries(formsOf(observed))) expect(count, flag).toBeGreaterThan(1);
  });

  it('is served with no other flag', () => {
    expect(Object.values(formsOf([]))).toEqual(observed.map(() => 0));
    expect(formsOf(['F-OBS-SKILL'])).toMatchObject({ 'F-OBS-EXPANSION': 0, 'F-OBS-OVERRIDE': 0, 'F-OBS-PROXY': 0 });
  });
});
