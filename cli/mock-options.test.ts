import { describe, expect, it } from 'vitest';

import type { MockFlags } from './mock-options.js';
import { checkTogether, flagsOn, mockOptions, targetPlace } from './mock-options.js';

const flags = (rest: Partial<MockFlags> = {}): MockFlags => ({
  host: '127.0.0.1',
  seed: 1,
  edition: 'extended',
  flag: {},
  set: {},
  ...rest,
});
const quiet = (): void => {};

describe('mockOptions', () => {
  it('listens on the port that everyone knows, or on any for a command', () => {
    expect(mockOptions(flags(), quiet).port).toBe(4010);
    expect(mockOptions(flags({ exec: true }), quiet).port).toBe(0);
    expect(mockOptions(flags({ exec: true, port: 5000 }), quiet).port).toBe(5000);
    expect(mockOptions(flags({ port: 0 }), quiet).port).toBe(0);
  });

  it('hands on the hosts to answer to', () => {
    expect(mockOptions(flags(), quiet).allowHosts).toEqual([]);
    expect(mockOptions(flags({ allowHost: ['mock.test'] }), quiet).allowHosts).toEqual(['mock.test']);
  });

  it.each<[Partial<MockFlags>, boolean]>([
    [{}, true],
    [{ quiet: true }, false],
    [{ json: true }, false],
    [{ store: 'redis://127.0.0.1:6379' }, false],
    [{ quiet: true, journal: true }, true],
    [{ journal: false }, false],
  ])('keeps a journal where somebody looks on, or where it is asked for: %j', (rest, kept) => {
    expect(mockOptions(flags(rest), quiet).journal).toBe(kept);
  });

  it('leaves volumes that are not asked for to the server', () => {
    expect(mockOptions(flags(), quiet).volume).toEqual({});
    expect(mockOptions(flags({ stashChanges: 0, exchangeHours: 5 }), quiet).volume).toEqual({
      stashChanges: 0,
      exchangeHours: 5,
    });
  });
});

describe('flagsOn', () => {
  it('lays single flags over the edition’s', () => {
    expect(flagsOn(flags()).has('F-CX')).toBe(true);
    expect(flagsOn(flags({ flag: { 'F-CX': false, 'F-SPEC-SET3': true } }))).toEqual(
      new Set([...[...flagsOn(flags())].filter((flag) => flag !== 'F-CX'), 'F-SPEC-SET3']),
    );
    expect(flagsOn(flags({ edition: 'base' })).has('F-CX')).toBe(false);
  });
});

describe('targetPlace', () => {
  it('is nowhere, target.yaml, or what is named', () => {
    expect([
      targetPlace(flags()),
      targetPlace(flags({ writeTarget: true })),
      targetPlace(flags({ writeTarget: '-' })),
    ]).toEqual([null, 'target.yaml', '-']);
  });
});

describe('checkTogether', () => {
  it.each<[Partial<MockFlags>, string[], string]>([
    [{}, ['npm', 'test'], 'unexpected argument npm; to run a command against the mock, write --exec -- npm test'],
    [{ exec: true }, [], '--exec is followed by no command'],
    [{ exec: true, json: true }, ['true'], 'leave --json out'],
    [{ json: true, writeTarget: '-' }, [], '--write-target - and --json both write to standard output'],
    [{ exec: true, writeTarget: '-' }, ['true'], '--write-target - and --exec both write to standard output'],
  ])('refuses %j with %j', (given, words, message) => {
    expect(() => checkTogether(flags(given), words)).toThrow(message);
  });

  it('takes the rest', () => {
    checkTogether(flags(), []);
    checkTogether(flags({ exec: true, writeTarget: 'x.yaml' }), ['true']);
    checkTogether(flags({ json: true, writeTarget: true }), []);
  });
});
