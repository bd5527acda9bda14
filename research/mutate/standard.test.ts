import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

import { formatted } from '../../scripts/formatted.js';
import { newFolder } from '../../src/input/folder.fixture.js';
import { Log, readResults } from './log.js';
import { distinct, fileOf, keyOf, withinOf } from './mutant.js';
import type { Result } from './mutant.js';
import { pageOf, publishedOf } from './page.js';
import { explained, readSurvivors } from './reasons.js';
import type { Survivors } from './reasons.js';

const folder = 'research/mutate';

const result = (place: string, end: Result['end'], more: Partial<Result> = {}): Result => ({
  operator: 'ConditionalExpression',
  place,
  original: 'a < b',
  replacement: 'true',
  profiles: ['described'],
  end,
  digest: 'd',
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
      { place: unjudged.place, class: 'free' },
    ]);
  });

  it('are missed for a survivor that has none, by its place and replacement', () => {
    expect(because({ reasons: [] })).toThrow('no reason for the survivor src/game/order.ts:10:7 a < b → true');
  });

  it('belong to a survivor, and to one only once', () => {
    const also = (...mutants: readonly string[]) => because({ reasons: [reason!, { ...reason!, mutants }] });
    expect(also('src/game/order.ts:10:7 a < b → false')).toThrow(
      'a reason for src/game/order.ts:10:7 a < b → false, which is none of the mutants that were tried',
    );
    expect(also(keyOf(killed))).toThrow('which does not survive: TOK-PKCE-001');
    expect(also(keyOf(survivor))).toThrow('two reasons for src/game/order.ts:10:7 a < b → true');
  });

  it('may stand for all survivors whose name begins so', () => {
    const reasons = [{ ...reason!, mutants: ['src/game/order.ts*'] }];
    expect(explained(results, { ...survivors, reasons })).toHaveLength(2);
    expect(because({ reasons: [...reasons, { ...reason!, mutants: ['src/oauth/*'] }] })).toThrow(
      'a reason for src/oauth/*, which is none of the mutants that were tried',
    );
  });

  it('are given by the comparison where the world is the same', () => {
    const same = result('src/world/recent.ts:1:1', 'same', { why: '38870' });
    expect(explained([...results, same], survivors).at(-1)).toMatchObject({
      place: same.place,
      class: 'not observable',
      reason: 'The world that the mock shows is the same with it: 38870 of its lists and objects were compared.',
    });
  });

  it('are no gaps: a gap that is closed has its mutants killed', () => {
    const gap = { row: 'TOK-PKCE-001', why: 'x', mutants: [keyOf(survivor)] };
    expect(because({ gaps: [gap] })).toThrow('the gap that src/game/order.ts:10:7 a < b → true showed is open');
  });
});

describe('names of mutants', () => {
  it('are by the declaration or the method that they are in, and stay when lines move', () => {
    const lines = [
      'export function first() {',
      '  if (a) {',
      '    b();',
      '}',
      'class Reader {',
      '  next(): void {',
      '    c();',
    ];
    expect(lines.map((_, at) => withinOf(lines, at))).toEqual([
      ...Array.from({ length: 4 }, () => 'first'),
      'Reader',
      'Reader.next',
      'Reader.next',
    ]);
  });

  it('differ where the same is changed twice', () => {
    const one = { ...killed, within: 'check' };
    const [first, second] = distinct([one, { ...one, place: 'src/oauth/pkce.ts:9:9' }]);
    expect([first, second].map((mutant) => keyOf(mutant!))).toEqual([
      'src/oauth/pkce.ts check: a < b → true',
      'src/oauth/pkce.ts check (2): a < b → true',
    ]);
  });
});

describe('results', () => {
  const digests = new Map([[fileOf(killed.place), 'd']]);

  it('stay until the file of the mutant changes', () => {
    const file = join(newFolder(), 'results.jsonl');
    const log = new Log(file, digests);
    log.add(killed, [], { end: 'survived' });
    log.add(killed, ['described'], { end: 'killed', row: 'TOK-PKCE-001' });
    expect(new Log(file, digests).result(killed)).toEqual(killed);
    expect(new Log(file, digests).killersBeside(killed, ['TOK-PKCE-001', 'TOK-001'])).toEqual(['TOK-PKCE-001']);
    expect(new Log(file, new Map([[fileOf(killed.place), 'e']])).result(killed)).toBeUndefined();
    expect(readResults(file)).toHaveLength(2);
    expect(log.compact([killed])).toEqual([killed]);
    expect(readResults(file)).toEqual([killed]);
  });
});

describe('what is published', () => {
  const tried = [...results, result('src/oauth/tokens.ts:1:1', 'no start')];

  it('counts what the suite could judge, by operator and by folder', () => {
    const published = publishedOf('a tool', {}, tried, survivors);
    expect(published).toMatchObject({ total: { tried: 3, killed: 1, free: 2, unobservable: 0 }, noStart: 1 });
    expect(published.operators).toMatchObject({
      ConditionalExpression: { tried: 2, killed: 0, free: 2 },
      Regex: { tried: 1, killed: 1 },
    });
    expect(Object.keys(published.folders)).toEqual(['src/game', 'src/oauth']);
    expect(pageOf(published)).toContain(
      '**Of those that can be observed and that the interface does not leave free, 1 of 1',
    );
  });

  it('says on its page how many were tried', () => {
    const all = { 'src/oauth': 3, 'src/game': 2, 'src/world': 7 };
    expect(pageOf(publishedOf('a tool', all, tried, survivors))).toContain(
      '12 mutants are in the rules (`src/oauth`, `src/game`, `src/passive-tree`), in what turns rules into replies\n' +
        '  (`src/server`), and in the world that they show (`src/world`).\n' +
        '  Tried so far, of `src/game`: all, `src/oauth`: 2, `src/world`: none.',
    );
  });

  it('is the page of the results, each survivor with its reason', async () => {
    const results = readResults(join(folder, 'results.jsonl'));
    const why = readSurvivors(join(folder, 'survivors.yaml'));
    const file = join(folder, 'README.md');
    const page = readFileSync(file, 'utf8');
    const [, tool] = /\(([^)]+)\): conditions/.exec(page)!;
    const folders = [...page.matchAll(/^\| (src\/\S+) +\| (\d+)/gm)].map(([, name, count]) => [name!, Number(count)]);
    const written = pageOf(publishedOf(tool!.replaceAll('\n', ' '), Object.fromEntries(folders), results, why));
    expect(await formatted(file, written)).toBe(page);
  });
});
