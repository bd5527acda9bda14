import { describe, expect, it } from 'vitest';

import { partOf, tasksOf } from './tasks.js';

describe('a filter of the proof that matches nothing', () => {
  it.each([
    [
      { mutant: ['N-LADDER-LIMIT-03'] },
      /^--mutant N-LADDER-LIMIT-03: no mutant has this id.* \(did you mean N-LADDER-LIMIT-003\?\); .*--mutant all /,
    ],
    [{ mutant: ['N-LADDER-LIMIT-003', ''] }, /^--mutant : no mutant has this id/],
    [
      { variant: ['none'] },
      /^--variant none: no variant has this id.*conformance\/proof\/matrix\.json has the ids, and --variant all /,
    ],
    [{ area: ['laders'] }, /^--area laders: there is no such area \(did you mean ladders\?\); the areas are /],
  ])('is an error that names the remedy: %j', (wanted, words) => {
    expect(() => tasksOf(wanted, [1])).toThrow(words);
  });

  it('is a shard that nothing is left for', () => {
    const tasks = tasksOf({ mutant: ['M-AZ-36'] }, [1]);
    expect(partOf(tasks, { index: 1, count: 2 })).toEqual(tasks);
    expect(() => partOf(tasks, { index: 2, count: 2 })).toThrow(/^--shard 2\/2: nothing is left .*use fewer parts/);
  });
});
