import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { createCoverage } from '../engine/coverage.js';
import { aging } from './aging.js';
import { gCommands, playBesideOthers, playCommands } from './commands.js';
import { Disagreement } from './judge.js';
import type { TokenServer } from './token-server.js';
import { clockBugs, fakeServer, independenceBugs, lives, publicLives, readings } from './token-server.fixture.js';

const party = { client: 'confidential', account: 'alice' };
const parties = [
  party,
  { client: 'other', account: 'alice' },
  { client: 'confidential', account: 'bob' },
  { client: 'public', account: 'bob' },
];

async function afterCommands(server: TokenServer, seed: number): Promise<unknown> {
  const outcome = await fc.check(
    fc.asyncProperty(gCommands(parties.length), (commands) =>
      playCommands(server, commands, { parties, lives, coverage: createCoverage() }),
    ),
    { seed, numRuns: 30, endOnFailure: true },
  );
  return outcome.errorInstance;
}

const aged = (server: ReturnType<typeof fakeServer>) =>
  aging(server, {
    coverage: createCoverage(),
    parties: [
      { party, lives },
      { party: { client: 'public', account: 'alice' }, lives: publicLives },
    ],
  });

describe('what happens to one grant', () => {
  const beside = (server: TokenServer) => playBesideOthers(server, { parties, lives, coverage: createCoverage() });

  it.each(independenceBugs)('is seen not to stay there: %s', async (bug) => {
    await expect(beside(fakeServer({ planted: [bug] }))).rejects.toThrow(Disagreement);
  });

  it.each(readings)('may be that %s', async (reading) => {
    await beside(fakeServer({ as: [reading] }));
  });
});

describe('generated commands', () => {
  it.each(['a revocation ends all grants of the client', 'a new grant ends the one before'] as const)(
    'finds that %s',
    async (bug) => {
      for (const seed of [1, 2, 3]) {
        expect(await afterCommands(fakeServer({ planted: [bug] }), seed)).toBeInstanceOf(Disagreement);
      }
    },
  );

  it('takes any mixture of right readings', async () => {
    await fc.assert(
      fc.asyncProperty(fc.subarray([...readings]), fc.nat(), async (as, seed) => {
        expect(await afterCommands(fakeServer({ as }), seed)).toBeNull();
      }),
      { numRuns: 10 },
    );
  });
});

describe('sequences with the passing of time', () => {
  it.each(clockBugs)('finds that %s', async (bug) => {
    expect(await aged(fakeServer({ planted: [bug] }))).not.toEqual([]);
  });

  it('takes every reading for right', async () => {
    for (const reading of readings) expect(await aged(fakeServer({ as: [reading] }))).toEqual([]);
    expect(await aged(fakeServer())).toEqual([]);
  });
});
