import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { aging } from './aging.js';
import { createCoverage } from '../engine/coverage.js';
import { Disagreement } from './play.js';
import type { TokenServer } from './token-server.js';
import { bugs, clockBugs, fakeServer, independenceBugs, lives, publicLives, readings } from './token-server.fixture.js';
import { codeActions, replaySequence, tokenSequences, playSequences, sequencesOf } from './sequences.js';
import type { Divergence } from './sequences.js';
import { playBesideOthers, gCommands, playCommands } from './commands.js';

const party = { client: 'confidential', account: 'alice' };
const parties = [
  party,
  { client: 'other', account: 'alice' },
  { client: 'confidential', account: 'bob' },
  { client: 'public', account: 'bob' },
];

const options = () => ({ party, lives, coverage: createCoverage(), identities: new Map<string, string>() });

/** Both lists of sequences, as a run plays them. */
async function diverging(server: TokenServer): Promise<readonly Divergence[]> {
  const codes = await playSequences(server, { ...options(), sequences: sequencesOf(codeActions, 3), start: [] });
  const tokens = await playSequences(server, { ...options(), sequences: tokenSequences, start: ['exchange'] });
  return [...codes.findings, ...tokens.findings];
}

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

describe('sequences of actions', () => {
  it.each(bugs)('finds that %s', async (bug) => {
    const [finding, ...more] = await diverging(fakeServer({ planted: [bug] }));
    expect(finding).toBeDefined();
    expect(more.length).toBeLessThan(4);
    const again = replaySequence(fakeServer({ planted: [bug] }), finding!.sequence, options());
    await expect(again).rejects.toThrow(Disagreement);
  });

  it.each(readings)('takes it for right that %s', async (reading) => {
    expect(await diverging(fakeServer({ as: [reading] }))).toEqual([]);
  });

  it('takes any mixture of right readings, and is content with what a server does not offer', async () => {
    await fc.assert(
      fc.asyncProperty(fc.subarray([...readings]), async (as) => {
        expect(await diverging(fakeServer({ as }))).toEqual([]);
      }),
      { numRuns: 10 },
    );
    const offer = { revoke: false, introspect: false, introspectRefresh: false, page: false };
    expect(await diverging(fakeServer({ offer }))).toEqual([]);
  });

  it('tells what was agreed from what was final, and both from what introspection says', async () => {
    const aspects = async (bug: (typeof bugs)[number]) =>
      (await diverging(fakeServer({ planted: [bug] }))).map(({ aspect }) => aspect);
    expect(await aspects('a used refresh token works at the second try')).toContain('absorbing');
    expect(await aspects('introspection shows revoked access tokens active')).toEqual(['agreement']);
    expect(await aspects('a refresh changes the identity')).toContain('identity');
    expect(await aspects('revoking a refresh token does nothing')).toContain('transition');
  });

  it('keeps to its price and tells where it has been', async () => {
    const server = fakeServer();
    const own = options();
    const { sequences } = await playSequences(server, { ...own, sequences: tokenSequences, start: ['exchange'] });
    const { states, transitions } = own.coverage.result();
    expect(server.requests).toBeLessThan(7000);
    expect(sequences).toBeGreaterThan(250);
    expect(states).toContain('access FREE, refresh DEAD');
    expect(transitions['access LIVE, refresh LIVE refresh']).toBeGreaterThan(50);
  });
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
