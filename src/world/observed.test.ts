import { describe, expect, it } from 'vitest';

import { flags } from '../contract/index.js';
import { sampleWorld } from './samples.fixture.js';
import { tour } from './tour.fixture.js';
import type { Schemas } from './wire.js';

/** Flags of replies, which the operations heed, not the world. */
const ofReplies = ['F-OBS-LADDER', 'F-OBS-UNLISTED', 'F-OBS-SUBTAB', 'F-OBS-TABLIST', 'F-OBS-PROFILE'];
const observed = flags.flatMap(({ flag, kind }) => (kind === 'observed' && !ofReplies.includes(flag) ? [flag] : []));

/** Lists of modifiers, in the item and below it. */
const modifiers = /"(?:[a-z]+Mods|mods)":\[\{"description":"[^"]+","flags":\[\]\}/g;

/** How often a world serves each form that only live data shows. */
function formsOf(on: readonly string[]): Record<(typeof observed)[number], number> {
  const count = Object.fromEntries(observed.map((flag) => [flag, 0])) as Record<(typeof observed)[number], number>;
  const passives = ({ skill_overrides, jewel_data }: Schemas['Passives']): void => {
    const left = ['out', 'in', 'skill', 'recipe', 'ascendancyName', 'isMultipleChoice'] as const;
    for (const node of Object.values(skill_overrides))
      if (left.every((name) => node[name] === undefined)) count['F-OBS-OVERRIDE'] += 1;
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
    count['F-OBS-INFLUENCE'] += influencedTwice(value);
    if (text.includes('"frameTypeId":"Rare"')) count['F-OBS-FRAME'] += 1;
    count['F-OBS-MODIFIER'] += text.match(modifiers)?.length ?? 0;
    if (/"metadata":\{[^}]*"colour":"(..|....)"/.test(text)) count['F-OBS-COLOUR'] += 1;
    if (schema === 'Character') passives((value as Schemas['Character']).passives ?? emptyPassives);
  }
  return count;
}

/** Items that have each of their influences as a member of their own as well. */
function influencedTwice(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const { influences = {} } = value as { influences?: object };
  const names = Object.keys(influences);
  const own = names.length > 0 && names.every((name) => name in value) ? 1 : 0;
  return Object.values(value).reduce((sum: number, member: unknown) => sum + influencedTwice(member), own);
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

  it('leaves no modifier of a first-game item a text, and items of the second game as they are', () => {
    const texts = { g1: 0, g2: 0 };
    for (const { value, game } of tour(sampleWorld('extended', 7, { flags: { 'F-OBS-MODIFIER': true } }), 60))
      if (/"([a-z]+Mods|mods)":\["/.test(JSON.stringify(value))) texts[game] += 1;
    expect(texts.g1).toBe(0);
    expect(texts.g2).toBeGreaterThan(0);
  });
});
