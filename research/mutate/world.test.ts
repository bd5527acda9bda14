import { describe, expect, it } from 'vitest';

import * as built from '../../src/world/fixtures/built-in.js';
import { createWorld } from '../../src/world/index.js';
import { editions } from '../../src/contract/index.js';
import { CLASSES } from '../../src/world/ladders.js';
import type { World } from '../../src/world/world.js';
import { comparing, showing, viewsOf, worldOf } from './world.js';
import type { Code } from './world.js';

const real: Code = { createWorld, builtInFixtures: built.builtInFixtures, editions, CLASSES };

/** Mutants by hand, each of a member of the world; all are reached by every view. */
const mutants: Readonly<Record<string, Partial<World>>> = {
  none: {},
  base: { baseClass: () => 'Scion' },
  crash: {
    itemFilters: () => {
      throw new Error('no filters');
    },
  },
  unseen: { epoch: 0 },
};

const codeWith = (id: string): Code => {
  Object.assign(globalThis, {
    __stryker__: { mutantCoverage: { static: Object.fromEntries(Object.keys(mutants).map((name) => [name, 1])) } },
  });
  return { ...real, createWorld: (options) => ({ ...createWorld(options), ...mutants[id] }) };
};

describe('worlds with mutants', () => {
  const all = viewsOf(worldOf(real, { seed: 1, epoch: 0 }), real);
  const { compared, changes } = comparing(codeWith, new Map([...all].filter(([name]) => !name.includes(' '))));

  it('are the same where nothing that is shown differs', () => {
    expect(changes('none')).toEqual([]);
    expect(changes('unseen')).toEqual([]);
    expect(compared).toBeGreaterThan(20);
  });

  it('are others where a view shows something else, or cannot be made', () => {
    expect(changes('base')).toEqual(['classes']);
    expect(changes('crash')).toEqual(['filters']);
  });

  it('are not looked at where no view reaches the mutant', () => {
    expect(changes('unreached')).toEqual([]);
  });

  it('are judged where what differs is shown', () => {
    expect(showing(['known', 'pc league accounts', 'xbox leagues', 'sony matches'])).toEqual([
      'src/game/league-accounts.ts',
      'src/game/leagues.ts',
      'src/game/account-leagues.ts',
      'src/game/ladders.ts',
      'src/game/pvp.ts',
    ]);
    expect(showing(['known'])).toBeUndefined();
    expect(showing(['filters', 'people'])).toBeUndefined();
  });

  it('show every list of a realm', () => {
    const names = [...all.keys()].filter((name) => name.startsWith('pc '));
    const kinds = new Set(
      names.map((name) => name.replace(/^pc (match ladders|league accounts|event ladders|\S+).*/, '$1')),
    );
    expect([...kinds].toSorted()).toEqual([
      'characters',
      'event ladders',
      'exchange',
      'ladder',
      'league accounts',
      'leagues',
      'match ladders',
      'matches',
      'stashes',
      'stream',
      'tabs',
    ]);
  });
});
