import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { describe, expect, it } from 'vitest';

import { keyOf } from './mutant.js';
import type { Result } from './mutant.js';
import { pageOf, publishedOf } from './page.js';
import type { Published } from './page.js';
import { explained, readSurvivors } from './reasons.js';
import type { Survivors } from './reasons.js';

const folder = 'research/mutate';

const result = (place: string, end: Result['end'], more: Partial<Result> = {}): Result => ({
  id: place,
  operator: 'ConditionalExpression',
  place,
  original: 'a < b',
  replacement: 'true',
  end,
  seconds: 1,
  ...more,
});

const survivor = result('src/game/order.ts:10:7', 'survived');
const unjudged = result('src/game/order.ts:9:1', 'no end', { why: 'incomplete' });
const killed = result('src/oauth/pkce.ts:4:2', 'killed', { row: 'TOK-PKCE-001', operator: 'Regex' });
const results = [survivor, unjudged, killed];
const survivors: Survivors = {
  reasons: [{ class: 'free', why: 'It is open (K-032).', mutants: [keyOf(survivor), keyOf(unjudged)] }],
  gaps: [{ row: 'TOK-PKCE-001', why: 'Something was missing.', mutants: [keyOf(killed)] }],
};

describe('reasons', () => {
  const because = (changed: Partial<Survivors>) => () => explained(results, { ...survivors, ...changed });
  const [reason] = survivors.reasons;

  it('are those of the survivors, in the order of the results', () => {
    expect(explained(results, survivors)).toMatchObject([
      { place: survivor.place, class: 'free', reason: 'It is open (K-032).' },
      { place: unjudged.place, why: 'incomplete' },
    ]);
  });

  it('are missed for a survivor that has none, by its place and replacement', () => {
    expect(because({ reasons: [] })).toThrow('no reason for the survivor src/game/order.ts:10:7 a < b → true');
    expect(because({ reasons: [] })).toThrow('no reason for the survivor src/game/order.ts:9:1 a < b → true');
  });

  it('belong to a survivor, and to one only once', () => {
    const also = (...mutants: readonly string[]) => because({ reasons: [reason!, { ...reason!, mutants }] });
    expect(also('src/game/order.ts:10:7 a < b → false')).toThrow(
      'a reason for src/game/order.ts:10:7 a < b → false, which is not in the sample',
    );
    expect(also(keyOf(killed))).toThrow('which does not survive: TOK-PKCE-001');
    expect(also(keyOf(survivor))).toThrow('two reasons for src/game/order.ts:10:7 a < b → true');
  });

  it('are no gaps: a gap that is closed has its mutants killed', () => {
    const gap = { row: 'TOK-PKCE-001', why: 'x', mutants: [keyOf(survivor)] };
    expect(because({ gaps: [gap] })).toThrow('the gap that src/game/order.ts:10:7 a < b → true showed is open');
  });
});

describe('what is published', () => {
  const sample = { tool: 'a tool', seed: 1, size: 4, all: 9, reached: 5 };
  const tried = [...results, result('src/oauth/tokens.ts:1:1', 'no start')];

  it('counts what the suite could judge, by operator and by folder', () => {
    const published = publishedOf(sample, tried, survivors);
    expect(published).toMatchObject({ tried: 3, killed: 1, noStart: 1 });
    expect(published.operators).toEqual({
      ConditionalExpression: { tried: 2, killed: 0 },
      Regex: { tried: 1, killed: 1 },
    });
    expect(published.folders).toEqual({ 'src/game': { tried: 2, killed: 0 }, 'src/oauth': { tried: 1, killed: 1 } });
    expect(published.survivors.map(({ place }) => place)).toEqual(['src/game/order.ts:9:1', 'src/game/order.ts:10:7']);
  });

  it('says on its page how much of the sample was tried', () => {
    expect(pageOf(publishedOf(sample, tried, survivors))).not.toContain('of which');
    expect(pageOf(publishedOf({ ...sample, size: 9 }, tried, survivors))).toContain('of which 4 were tried');
  });

  it('is the page of the results, and has the reasons of survivors.yaml', async () => {
    const published = JSON.parse(readFileSync(join(folder, 'results.json'), 'utf8')) as Published;
    const file = join(folder, 'README.md');
    const page = await format(pageOf(published), { ...(await resolveConfig(file)), parser: 'markdown' });
    expect(readFileSync(file, 'utf8')).toBe(page);
    const { reasons, gaps } = readSurvivors(join(folder, 'survivors.yaml'));
    const given = reasons.flatMap(({ why, mutants }) => mutants.map((key) => `${key}: ${why}`));
    expect(published.survivors.map((one) => `${keyOf(one)}: ${one.reason}`).toSorted()).toEqual(given.toSorted());
    expect(published.gaps).toEqual(gaps);
  });
});
