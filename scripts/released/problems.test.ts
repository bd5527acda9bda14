import { describe, expect, it } from 'vitest';

import type { Release, Restated } from './problems.js';
import { standingProblems, statementProblems } from './problems.js';

const release = (server: Release['server'], client: Release['client'] = {}): Release => ({
  version: '1.0.0',
  server,
  client,
});
const was = { level: 'MUST', sentence: 'It holds.' };
const released = release({ A: was }, { A: was });

describe('a released requirement', () => {
  it.each<[string, Release, readonly Restated[], readonly RegExp[]]>([
    ['that is as it was', released, [], []],
    ['beside a new one', release({ A: was, B: was }, { A: was }), [], []],
    ['that is gone', release({ A: was }), [], [/^A \(of clients\) is gone; exclude it/]],
    [
      'of another level',
      release({ A: { ...was, level: 'MAY' } }, { A: was }),
      [],
      [/^A \(of servers\) was MUST, and is MAY; take a new id/],
    ],
    [
      'that says something else',
      release({ A: { ...was, sentence: 'It fell.' } }, { A: was }),
      [],
      [/^A \(of servers\) said "It holds\."; take/],
    ],
    [
      'that says so',
      release({ A: { ...was, sentence: 'It does hold.' } }, { A: was }),
      [{ of: 'server', id: 'A', reason: 'The same.' }],
      [],
    ],
    [
      'whose reason is of the other side',
      release({ A: { ...was, sentence: 'B' } }, { A: was }),
      [{ of: 'client', id: 'A', reason: 'x' }],
      [/said/, /is as it was released; remove/],
    ],
    [
      'without a reason',
      release({ A: { ...was, sentence: 'B' } }, { A: was }),
      [{ of: 'server', id: 'A', reason: ' ' }],
      [/has no reason/],
    ],
  ])('%s', (_, now, restated, expected) => {
    const problems = statementProblems(released, now, restated);
    expect(problems).toHaveLength(expected.length);
    for (const [index, pattern] of expected.entries()) expect(problems[index]).toMatch(pattern);
  });

  it('fails on the mock, or is not judged there any more', () => {
    const standings = new Map([
      ['A', { standing: 'fail' as const, got: 'nothing' }],
      ['B', { standing: 'could not run' as const, got: '' }],
      ['D', { standing: 'pass' as const, got: '' }],
      ['E', { standing: 'not exercised' as const, got: '' }],
    ]);
    expect(standingProblems(release({ A: was, B: was, C: was, D: was, E: was }), standings)).toEqual([
      'A: the mock fails it: nothing',
      'B: a run against the mock no longer judges it (could not run)',
      'C: a run against the mock no longer judges it (gone)',
    ]);
  });
});
