import { describe, expect, it } from 'vitest';

import { obstaclesOf } from './obstacles.js';
import { callsOf } from './run.fixture.js';
import type { Callback } from './run.js';
import type { Scenario } from './scenario.js';
import { allWorlds, worldNamed } from './worlds.js';

const none = { faults: [], events: { count: () => 0 }, calls: [], visits: [] };
const visit = (...kinds: readonly Callback['kind'][]) => ({
  url: '',
  asked: [],
  callbacks: kinds.map((kind) => ({ kind, at: 0, code: undefined, status: 200 })),
});

describe('the obstacles of a world', () => {
  it('are none where it differs throughout', () => {
    expect(obstaclesOf(worldNamed('shuffled'), none)).toEqual([]);
  });

  it.each([
    [2, { name: 'reset', applied: 2 }],
    [
      0,
      {
        name: 'reset',
        applied: 0,
        missed: 'the client sent one data request; the fault is injected from the second on',
      },
    ],
  ])('are its faults, of which one was applied %i times', (applied, expected) => {
    const rule = { id: 'fault-1', kind: 'reset', server: 'data', after: 1, met: applied + 1, applied } as const;
    expect(obstaclesOf(worldNamed('reset'), { ...none, faults: [rule] })).toEqual([expected]);
  });

  it('name the grant that a fault is about', () => {
    const rule = { id: 'fault-1', kind: 'hang', grant: 'refresh_token', met: 0, applied: 0 } as const;
    expect(obstaclesOf({ ...worldNamed('calm') }, { ...none, faults: [rule] })).toEqual([
      { name: 'hang', applied: 0, missed: 'the client sent no refresh' },
    ]);
  });

  it('name of several faults the one that the client came nearest to', () => {
    const shared = { kind: 'incomplete', after: 1, applied: 0 } as const;
    const faults = [
      { ...shared, id: 'fault-1', operation: 'getPublicStashTabs', met: 0 },
      { ...shared, id: 'fault-2', server: 'data', met: 1 },
    ] as const;
    expect(obstaclesOf(worldNamed('incomplete'), { ...none, faults })).toMatchObject([
      { missed: 'the client sent one data request; the fault is injected from the second on' },
    ]);
  });

  it('are its events', () => {
    const world = worldNamed('access-ends-twice');
    const events = { count: (index: number) => 1 - index };
    const calls = callsOf([['/profile'], ['/profile', { status: 401 }]]);
    expect(obstaclesOf(world, { ...none, events, calls })).toEqual([
      { name: 'the end of an access token', applied: 1 },
      {
        name: 'the end of an access token',
        applied: 0,
        missed: 'the client got fewer than 3 answered data requests',
      },
      {
        name: 'a second start',
        applied: 0,
        missed: 'the client was started once; --again, or again in the plan, starts it a second time',
      },
    ]);
  });

  it('are named by the same word in the world and in its evidence', () => {
    for (const { title } of allWorlds) expect(title).not.toMatch(/access token.* expire/);
  });

  it('are not met by who sent nothing after the end of its token', () => {
    const [end] = obstaclesOf(worldNamed('access-ends'), {
      ...none,
      events: { count: () => 1 },
      calls: callsOf([['/profile']]),
    });
    expect(end?.missed).toBe('the client sent no data request with that token after its end');
  });

  it.each([
    [[visit('forged', 'answer')], 1, undefined],
    [[visit('answer')], 0, 'the client took no such callback, or has nothing in its state that could differ'],
    [[], 0, 'the client opened no browser'],
  ])('are what the browser does: %#', (visits, applied, missed) => {
    expect(obstaclesOf(worldNamed('forged-case'), { ...none, visits })).toEqual([
      {
        name: 'a callback whose state has the other case',
        applied,
        isOwn: true,
        ...(missed !== undefined && { missed }),
      },
    ]);
  });

  it('are its limits, for each client', () => {
    const world = worldNamed('tight-second');
    const calls = (count: number) =>
      callsOf(Array.from({ length: count }, (_, at) => ['/profile', { client: `client-${at % 2}` }] as const));
    expect(obstaclesOf(world, { ...none, calls: calls(6) })).toEqual([
      { name: 'a limit of 3 requests', applied: 0, missed: 'the client sent 6 data requests in all' },
    ]);
    expect(obstaclesOf(world, { ...none, calls: calls(8) })).toEqual([{ name: 'a limit of 3 requests', applied: 2 }]);
  });

  it('are a second start', () => {
    const world: Scenario = worldNamed('restarted');
    const calls = callsOf([['/public-stash-tabs'], ['/public-stash-tabs', { start: 2 }]]);
    expect(obstaclesOf(world, { ...none, calls })).toEqual([{ name: 'a second start', applied: 1 }]);
    expect(obstaclesOf(world, { ...none, calls: calls.slice(0, 1) })).toMatchObject([{ applied: 0 }]);
  });
});
