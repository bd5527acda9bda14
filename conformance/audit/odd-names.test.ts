import { describe, expect, it } from 'vitest';

import { oddLeague } from './odd-names.js';
import { serviceOf } from './scenario-service.js';
import { worldNamed } from './worlds.js';

const redirects = { web: 'http://127.0.0.1:1/callback', desktop: 'http://127.0.0.1:2/callback' };
const { world } = serviceOf(worldNamed('odd-names'), {}, redirects);
const calm = serviceOf(worldNamed('calm'), {}, redirects).world;

describe('odd names', () => {
  it('are those of every kind, each with ? # / + % a space and a letter beyond ASCII in some name', () => {
    const kinds = {
      leagues: world.leagues('pc').map(({ league }) => league.id),
      characters: world.characters('alice', 'pc').map(({ name }) => name),
      matches: world.pvpMatches('pc').map(({ match }) => match.id),
      tabs: world.stashes('alice', 'pc', oddLeague).map(({ name }) => name),
    };
    for (const [kind, names] of Object.entries(kinds)) {
      expect(new Set(names).size, kind).toBe(names.length);
      for (const mark of ['?', '#', '/'])
        expect(
          names.some((name) => name.includes(mark)),
          `${kind} ${mark}`,
        ).toBe(true);
      expect(encodeURIComponent(names[0]!), kind).toContain('%3F');
    }
    for (const mark of ['+', '%', ' ', 'é'])
      for (const kind of ['characters', 'matches'] as const)
        expect(kinds[kind].join(), `${kind} ${mark}`).toContain(mark);
  });

  it('lead to the same data', () => {
    const [match] = world.pvpMatches('pc');
    const [plain] = calm.pvpMatches('pc');
    expect(world.pvpLadder('pc', match!.match.id)?.length).toBe(calm.pvpLadder('pc', plain!.match.id)?.length);
    expect(world.pvpLadder('pc', plain!.match.id)).toBeUndefined();
    expect(world.ladder('pc', oddLeague)).toBe(world.ladder('pc', 'Standard'));
    expect(world.stashes('alice', 'pc', oddLeague)).toHaveLength(calm.stashes('alice', 'pc', 'Standard').length);
  });

  it('leave the leagues that a client may have in its configuration', () => {
    expect(world.leagues('pc').map(({ league }) => league.id)).toContain('Standard');
    expect(world.ladder('pc', 'Standard')).toBeDefined();
  });
});
