import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import type { components } from '../contract/index.js';
import { call, createGame, hex, hour, ok, service, smallWorld, streamOfLength, type TestGame } from './game.fixture.js';
import { applyStashEvent, StashEventError } from './index.js';

type Change = components['schemas']['PublicStashChange'];
const delay = 300_000;

const poll = (game: TestGame, id?: string, realm: 'pc' | 'xbox' = 'pc') =>
  ok(game, 'getPublicStashTabs', { id, realm });

/** All changes from an id to the end, page by page, and the id of the end. */
function follow(game: TestGame, id?: string): { changes: Change[]; sizes: number[]; end: string } {
  const changes: Change[] = [];
  const sizes: number[] = [];
  for (let next = id; ;) {
    const page = poll(game, next);
    if (page.stashes.length === 0) return { changes, sizes, end: page.next_change_id };
    expect(page.next_change_id).not.toBe(next);
    changes.push(...page.stashes);
    sizes.push(page.stashes.length);
    next = page.next_change_id;
  }
}

const stream = (length: number, stashes = 10) => ({
  ...smallWorld,
  publicStashes: () => streamOfLength(length, stashes),
});

describe('the public stash stream', () => {
  it('is read in pages of different lengths up to an empty one, which repeats its id', () => {
    const game = createGame();
    game.advance(hour);
    const { changes, sizes, end } = follow(game);
    expect(sizes).toEqual([25, 9, 1, 17, 8]);
    expect(changes).toHaveLength(60);
    for (let again = 0; again < 3; again += 1) expect(poll(game, end)).toEqual({ next_change_id: end, stashes: [] });
  });

  it('shows a change exactly five minutes after it', () => {
    const game = createGame({}, stream(1));
    game.advance(delay - 1);
    expect(poll(game).stashes).toEqual([]);
    game.advance(1);
    expect(poll(game).stashes).toHaveLength(1);
    const { end } = follow(game);
    const { at, id } = applyStashEvent({ realm: 'pc', op: 'list' }, game);
    expect(Date.parse(at)).toBe(game.now());
    game.advance(delay - 1);
    expect(poll(game, end).stashes).toEqual([]);
    game.advance(1);
    expect(poll(game, end).stashes).toMatchObject([{ id, public: true }]);
  });

  it('can be read again from any id, and ends where a full page was the last', () => {
    const game = createGame({}, stream(34));
    game.advance(hour);
    const first = poll(game);
    const second = poll(game, first.next_change_id);
    expect(poll(game, first.next_change_id)).toEqual(second);
    expect(poll(game, second.next_change_id)).toEqual({ next_change_id: second.next_change_id, stashes: [] });
  });

  it('is read in pages of one length where it is set so', () => {
    const game = createGame({ 'psapi.pageSize': 'even' });
    game.advance(hour);
    expect(follow(game).sizes).toEqual([25, 25, 10]);
  });

  it('refuses an id that it never gave, another realm among them', () => {
    const game = createGame();
    const { next_change_id: id } = poll(game);
    for (const bad of ['', '0', 'x', `${id}0`, `0${id}`, '-1-5', id.replace(/^\d+/, '99'), '9'.repeat(30), `${id} `]) {
      const message = expect.stringContaining('parameter id');
      expect(call(game, 'getPublicStashTabs', { id: bad }), bad).toMatchObject({
        status: 400,
        body: { error: { code: 2, message } },
      });
    }
    expect(call(game, 'getPublicStashTabs', { id, realm: 'xbox' }).status).toBe(400);
  });

  it('starts at the oldest change, or with what comes from now on', () => {
    const game = createGame({ 'psapi.start': 'now' });
    game.advance(delay - 5000);
    const { next_change_id: id, stashes } = poll(game);
    expect(stashes).toEqual([]);
    game.advance(5000);
    expect(follow(game, id).changes).toHaveLength(5);
  });

  it('may give another id at the end, which works as well', () => {
    const game = createGame({ 'psapi.endId': 'fresh' });
    game.advance(hour);
    const { end } = follow(game);
    const next = poll(game, end);
    expect(next.next_change_id).not.toBe(end);
    applyStashEvent({ realm: 'pc', op: 'list' }, game);
    game.advance(delay);
    expect(poll(game, next.next_change_id).stashes).toEqual(poll(game, end).stashes);
    expect(poll(game, end).stashes).toHaveLength(1);
  });

  it('costs the same after a million changes as at first', () => {
    let asked = 0;
    const long = streamOfLength(1_000_000, 1000);
    const counted = {
      ...long,
      changes: { length: long.changes.length, at: (index: number) => ((asked += 1), long.changes.at(index)) },
    };
    const game = createGame({}, { ...smallWorld, publicStashes: () => counted });
    game.advance(hour);
    const first = poll(game);
    const start = asked;
    const again = createGame({ 'psapi.start': 'now' }, { ...smallWorld, publicStashes: () => counted });
    again.advance(delay - 40_000);
    asked = 0;
    const { next_change_id: late } = poll(again);
    expect(asked).toBeLessThan(30);
    asked = 0;
    again.advance(hour);
    expect(poll(again, late).stashes).toHaveLength(25);
    expect(asked).toBeLessThanOrEqual(start);
    expect(first.stashes).toHaveLength(25);
  });
});

describe('a stash in the stream', () => {
  const gone = (switches: Parameters<typeof createGame>[0]): Change => {
    const game = createGame(switches);
    game.advance(hour);
    const found = follow(game).changes.find((change) => !change.public);
    if (!found) throw new Error('nothing was unlisted');
    return found;
  };

  it('keeps nothing but its id when it is unlisted, in the form that the switch names', () => {
    const { id } = gone({});
    expect(gone({})).toEqual({ id, public: false });
    const nothing = { id, public: false, accountName: null, stash: null, stashType: null, league: null };
    expect(gone({ 'psapi.unlistedForm': 'null' })).toEqual({ ...nothing, items: null });
    expect(gone({ 'psapi.unlistedForm': 'null-empty' })).toEqual({ ...nothing, items: [] });
  });

  it('may keep its type when it is unlisted (K-002)', () => {
    expect(gone({ 'psapi.unlistedStashType': true })).toMatchObject({ public: false, stashType: expect.any(String) });
  });

  it('has every member when it is unlisted with F-OBS-UNLISTED, whatever the switches say', () => {
    const flags = ['F-OBS-UNLISTED', 'F-PSC-LASTCHAR'];
    for (const form of ['omit', 'null'] as const) {
      const game = createGame({ 'psapi.unlistedForm': form }, undefined, flags);
      game.advance(hour);
      const found = (client = service): unknown =>
        ok(game, 'getPublicStashTabs', {}, { client }).stashes.find((change) => !change.public);
      const members = { accountName: null, stash: null, stashType: expect.any(String), league: null, items: [] };
      const whole = { id: expect.any(String), public: false, ...members };
      expect(found()).toEqual(whole);
      expect(found({ ...service, lastCharacterName: true })).toEqual({ ...whole, lastCharacterName: null });
    }
  });

  it('names the last character only to clients that may see it', () => {
    const game = createGame();
    game.advance(hour);
    const [plain] = poll(game).stashes;
    expect(plain).not.toHaveProperty('lastCharacterName');
    const trusted = { ...service, lastCharacterName: true };
    expect(ok(game, 'getPublicStashTabs', {}, { client: trusted }).stashes[0]).toMatchObject({
      ...plain,
      lastCharacterName: 'Ash',
    });
  });
});

describe('a change made through the control surface', () => {
  const refused = (game: TestGame, ...[order]: [Parameters<typeof applyStashEvent>[0]]): string => {
    try {
      applyStashEvent(order, game);
    } catch (error) {
      if (error instanceof StashEventError) return error.message;
    }
    throw new Error('it was carried out');
  };

  it('keeps the id of the stash through listing, update, unlisting and re-listing', () => {
    const game = createGame();
    game.advance(hour);
    const { end } = follow(game);
    const { id } = applyStashEvent({ realm: 'pc', op: 'list' }, game);
    expect(id).toMatch(/^[0-9a-f]{64}$/);
    for (const op of ['update', 'unlist', 'list'] as const)
      expect(applyStashEvent({ realm: 'pc', op, stash: id }, game).id).toBe(id);
    game.advance(delay);
    const { changes } = follow(game, end);
    expect(changes.map((change) => [change.id, change.public])).toEqual([
      [id, true],
      [id, true],
      [id, false],
      [id, true],
    ]);
    expect(changes[3]).toMatchObject({ stash: 'revision 3' });
  });

  it('goes on from the state that a stash of the world was left in', () => {
    const game = createGame();
    const unlisted = hex('stash/3', 64);
    expect(refused(game, { realm: 'pc', op: 'update', stash: unlisted })).toMatch(/not listed; list it/);
    applyStashEvent({ realm: 'pc', op: 'list', stash: unlisted.toUpperCase() }, game);
    expect(refused(game, { realm: 'pc', op: 'list', stash: unlisted })).toMatch(/listed already; use op update/);
    expect(game.store.stashEvents('pc')).toMatchObject([{ stash: unlisted, op: 'list', revision: 6 }]);
  });

  it('is refused for stashes and realms that are not there', () => {
    const game = createGame();
    expect(refused(game, { realm: 'pc', op: 'unlist', stash: hex('no such', 64) })).toMatch(/unknown in realm pc/);
    expect(refused(game, { realm: 'pc', op: 'list', stash: 'x' })).toMatch(/unknown in realm pc/);
    expect(refused(game, { realm: 'pc', op: 'update' })).toMatch(/needs the id/);
    expect(refused(game, { realm: 'game2', op: 'list' })).toMatch(/no public stash stream/);
    const { id } = applyStashEvent({ realm: 'xbox', op: 'list' }, game);
    expect(refused(game, { realm: 'pc', op: 'update', stash: id })).toMatch(/unknown in realm pc/);
    expect(game.store.stashEvents('pc')).toEqual([]);
  });
});

describe('a client that folds the stream by id', () => {
  const step = fc.oneof(
    {
      weight: 5,
      arbitrary: fc.record({
        do: fc.constant('change' as const),
        stash: fc.nat(6),
        op: fc.constantFrom('list', 'update', 'unlist'),
      }),
    },
    {
      weight: 3,
      arbitrary: fc.record({
        do: fc.constant('wait' as const),
        ms: fc.constantFrom(1, 1000, 60_000, delay - 1, delay),
      }),
    },
    { weight: 3, arbitrary: fc.record({ do: fc.constant('poll' as const), back: fc.nat(3) }) },
  );

  it('reaches the true state, whatever is listed and wherever it polls again', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), fc.integer({ min: 0, max: 80 }), (steps, history) => {
        const game = createGame({}, stream(history, 4));
        const log: { at: number; id: string; text: string | null }[] = [];
        const made: string[] = [];
        const state = new Map<string, boolean>();
        const seen: (string | undefined)[] = [undefined];
        for (const one of steps) {
          if (one.do === 'wait') game.advance(one.ms);
          if (one.do === 'poll') {
            const { next_change_id: id, stashes } = poll(game, seen.at(-1 - (one.back % seen.length)));
            expect(stashes.length).toBeLessThanOrEqual(25);
            seen.push(id);
          }
          if (one.do !== 'change') continue;
          const target = made[one.stash];
          const op = target === undefined ? 'list' : one.op;
          if (target !== undefined && (op === 'list') === (state.get(target) ?? false)) continue;
          const { id, at } = applyStashEvent(
            { realm: 'pc', op, ...(target === undefined ? {} : { stash: target }) },
            game,
          );
          if (target === undefined) made.push(id);
          state.set(id, op !== 'unlist');
          const { revision } = game.store.stashEvents('pc').at(-1) ?? { revision: -1 };
          log.push({ at: Date.parse(at), id, text: op === 'unlist' ? null : `revision ${revision}` });
        }
        const visible = new Map(log.filter(({ at }) => at + delay <= game.now()).map(({ id, text }) => [id, text]));
        const fold = (from: string | undefined, to: Map<string, string | null>) => {
          for (const change of follow(game, from).changes) {
            if (made.includes(change.id)) to.set(change.id, change.public ? (change.stash ?? '') : null);
          }
          return to;
        };
        expect(fold(undefined, new Map())).toEqual(visible);
        // From an id that was handed out earlier, what comes after it is not lost.
        for (const id of seen) {
          const late = fold(id, new Map());
          for (const [stash, text] of late) expect(visible.get(stash)).toBe(text);
        }
        game.advance(delay);
        expect(fold(undefined, new Map())).toEqual(new Map(log.map(({ id, text }) => [id, text])));
      }),
      { numRuns: 150 },
    );
  });
});
