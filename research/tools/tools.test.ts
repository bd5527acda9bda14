import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { formatted } from '../../scripts/formatted.js';
import { publishedMatrix } from '../../conformance/proof/matrix.js';
import { areas } from '../../conformance/proof/mutants/index.js';
import { dredd } from './dredd.js';
import { newIn, noisy } from './found.js';
import { pageFile, pageOf } from './page.js';
import { prism } from './prism.js';
import { respect } from './respect.js';
import { readResults, resultsOf } from './results.js';
import type { Run } from './results.js';
import { kindOf, kinds, sampleOf } from './sample.js';
import { schemathesis } from './schemathesis.js';

const all = Object.values(areas).flat();
const sizeOf = (kind: string): number =>
  Object.entries(areas).reduce((sum, [area, list]) => sum + (kindOf(area) === kind ? list.length : 0), 0);
const seeds = fc.integer({ min: 1, max: 1000 });

describe('a stratified sample', () => {
  it('is the same for the same seed, and another for another', () => {
    const ids = (seed: number): string =>
      sampleOf(areas, 60, seed)
        .map(({ mutant }) => mutant.id)
        .join();
    fc.assert(
      fc.property(seeds, (seed) => {
        expect(ids(seed)).toBe(ids(seed));
        expect(ids(seed)).not.toBe(ids(seed + 1));
      }),
      { numRuns: 5 },
    );
  });

  it('has each kind in proportion, wherever a run is broken off after the first of each', () => {
    fc.assert(
      fc.property(seeds, fc.integer({ min: 40, max: 200 }), (seed, size) => {
        const sample = sampleOf(areas, size, seed);
        expect(sample).toHaveLength(size);
        expect(new Set(sample.map(({ mutant }) => mutant.id)).size).toBe(size);
        expect(new Set(sample.slice(0, kinds.length).map(({ kind }) => kind))).toEqual(new Set(kinds));
        for (const end of [size, size / 2])
          for (const kind of kinds) {
            const count = sample.slice(0, end).filter((one) => one.kind === kind).length;
            expect(Math.abs(count - (sizeOf(kind) * end) / all.length)).toBeLessThan(3);
          }
      }),
      { numRuns: 20 },
    );
  });

  it('has every mutant where it is as large as all are together', () => {
    expect(sampleOf(areas, all.length + 1, 1)).toHaveLength(all.length);
  });

  it('knows the kind of an area by the folder of its table', () => {
    expect(['fields', 'pkce', 'tree-text', 'stashes', 'observed'].map(kindOf)).toEqual([
      'fields',
      'oauth',
      'codec',
      'data',
      'data',
    ]);
  });
});

describe('what counts as found', () => {
  it('is what no baseline run shows, each failure once', () => {
    expect(newIn(['b', 'a', 'c', 'a'], [['b'], ['c', 'd']])).toEqual(['a']);
    expect(newIn(['b', 'c'], [['b'], ['c', 'd']])).toEqual([]);
    expect(newIn([], [['b']])).toEqual([]);
  });

  it('is measured against chance by the baseline runs themselves', () => {
    expect(noisy([['a'], ['a'], ['a', 'b']])).toBe(1);
    expect(noisy([['a'], ['a']])).toBe(0);
  });

  const tools = [
    { id: 'prism', version: '2' },
    { id: 'dredd', version: '2' },
  ] as const;
  const run = (tool: 'prism' | 'dredd', mutant: string | undefined, ...failures: string[]): Run => ({
    tool,
    version: '2',
    ...(mutant === undefined ? { baseline: 'usual' } : { mutant }),
    failures,
    late: false,
    seconds: 3,
  });
  const sample = sampleOf(areas, 4, 1);
  const [first = '', second = ''] = sample.map(({ mutant }) => mutant.id);

  it('is counted for mutants that every tool was run against, by runs of the same version', () => {
    const runs = [
      run('prism', undefined, 'known'),
      run('dredd', undefined),
      run('prism', first, 'known', 'new'),
      run('dredd', first),
      run('prism', second, 'new'),
      { ...run('dredd', second, 'new'), version: '1' },
    ];
    const { mutants, tools: counted } = resultsOf(sample, runs, tools, { seed: 1, all: {} });
    expect(mutants.map(({ id, found }) => [id, found])).toEqual([[first, { prism: ['new'] }]]);
    expect(counted['prism']).toEqual({ version: '2', baselines: 1, noisy: 0, seconds: 3, late: 0 });
  });
});

describe('the published results', () => {
  const { mutants, tools } = readResults();

  it('are of mutants of every kind that the proof knows, and of every tool', () => {
    expect(new Set(mutants.map(({ kind }) => kind))).toEqual(new Set(kinds));
    const known = publishedMatrix().mutants.map(({ id }) => id);
    for (const { id } of mutants) expect(known).toContain(id);
    expect(Object.keys(tools)).toEqual(['schemathesis', 'prism', 'dredd', 'respect']);
  });

  it('have their page up to date', async () => {
    const page = pageOf(readResults(), [schemathesis, prism, dredd, respect], publishedMatrix().mutants);
    const text = await formatted(pageFile, page);
    expect(readFileSync(pageFile, 'utf8'), 'run `npm run tools -- --page`').toBe(text);
  });
});
