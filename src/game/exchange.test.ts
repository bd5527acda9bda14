import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import type { Switches } from '../contract/index.js';
import { call, createGame, epoch, firstHour, hour, isActive, ok, type TestGame } from './game.fixture.js';

const now = epoch / 1000;
const get = (game: TestGame, id?: number) =>
  ok(game, 'getCurrencyExchange', id === undefined ? {} : { id: String(id) });

/** The hours that a client reads from an id to the end, and how many markets each had. */
function follow(game: TestGame, id?: number): { hours: [number, number][]; end: number } {
  const hours: [number, number][] = [];
  let start = id;
  for (;;) {
    const { next_change_id: next, markets } = get(game, start);
    if (next === start) return { hours, end: next };
    // Only an id of the client's own making leads back; one that was handed out leads on.
    if (start !== undefined && hours.length > 0) expect(next).toBeGreaterThan(start);
    expect(next % 3600).toBe(0);
    hours.push([start ?? firstHour, markets.length]);
    start = next;
  }
}

describe('the currency exchange', () => {
  it('starts with the first hour of history and names the hour after it', () => {
    expect(get(createGame())).toEqual({
      next_change_id: firstHour + 3600,
      markets: [expect.objectContaining({ market_id: 'ember|bell' })],
    });
    expect(get(createGame(), firstHour)).toEqual(get(createGame()));
  });

  it('ends at the current hour: no markets, and the id itself', () => {
    const game = createGame();
    expect(get(game, now)).toEqual({ next_change_id: now, markets: [] });
    expect(get(game, now - 3600)).toMatchObject({ next_change_id: now, markets: { length: 1 } });
    game.advance(hour - 1);
    expect(get(game, now)).toEqual({ next_change_id: now, markets: [] });
    game.advance(1);
    expect(get(game, now)).toMatchObject({ next_change_id: now + 3600, markets: { length: 1 } });
  });

  it('leads back from the future to the end', () => {
    for (const id of [now + 3600, now + 5000, 2 ** 40, Number.MAX_SAFE_INTEGER]) {
      expect(get(createGame(), id)).toEqual({ next_change_id: now, markets: [] });
    }
    expect(ok(createGame(), 'getCurrencyExchange', { id: '9'.repeat(400) })).toEqual({
      next_change_id: now,
      markets: [],
    });
  });

  it('gives quiet hours no markets, which is not the end', () => {
    expect(get(createGame(), firstHour + 3600)).toEqual({ next_change_id: firstHour + 7200, markets: [] });
  });

  it('truncates an id within an hour, or refuses it', () => {
    expect(get(createGame(), firstHour + 1)).toEqual(get(createGame(), firstHour));
    expect(get(createGame(), firstHour + 3599)).toEqual(get(createGame(), firstHour));
    const strict = createGame({ 'cx.unaligned': 'reject' });
    expect(call(strict, 'getCurrencyExchange', { id: '5' })).toMatchObject({
      status: 400,
      body: { error: { message: expect.stringContaining('parameter id') } },
    });
    expect(get(strict, firstHour)).toEqual(get(createGame(), firstHour));
  });

  it('answers before its history with the first hour, or with none', () => {
    expect(get(createGame(), 0)).toEqual(get(createGame()));
    expect(get(createGame({ 'cx.pruned': 'empty' }), 0)).toEqual({ next_change_id: firstHour, markets: [] });
  });

  it('may keep the last hours only, and moves on with the clock', () => {
    const game = createGame({ 'cx.retentionHours': 3 });
    expect(get(game).next_change_id).toBe(now - 2 * 3600);
    expect(get(game, firstHour)).toEqual(get(game));
    game.advance(hour);
    expect(get(game).next_change_id).toBe(now - 3600);
    expect(get(createGame({ 'cx.retentionHours': 500 }))).toEqual(get(createGame()));
  });

  it('shows both codes, or those with a figure; ratios either way round', () => {
    expect(get(createGame()).markets[0]).toMatchObject({
      volume_traded: { bell: 0 },
      lowest_ratio: { ember: 1, bell: 10 },
    });
    expect(Object.keys(get(createGame({ 'cx.keys': 'traded' })).markets[0]?.volume_traded ?? {})).toEqual(['ember']);
    const turned = get(createGame({ 'cx.ratioOrder': 'reversed' })).markets[0];
    expect(turned).toMatchObject({
      lowest_ratio: { ember: 1, bell: 12 },
      highest_ratio: { ember: 1, bell: 10 },
      lowest_stock: { ember: 1, bell: 2 },
    });
  });

  it('is read hour by hour: the chain has every active hour once, from any id, however the clock stands', () => {
    const settings = fc.record({
      hours: fc.nat(30),
      minutes: fc.nat(59),
      start: fc.option(fc.integer({ min: -20_000, max: 60_000 }), { nil: undefined }),
      switches: fc.record({
        'cx.skipQuiet': fc.boolean(),
        'cx.pruned': fc.constantFrom('first', 'empty'),
        'cx.retentionHours': fc.constantFrom(0, 1, 4, 100),
      }) as fc.Arbitrary<Partial<Switches>>,
    });
    fc.assert(
      fc.property(settings, ({ hours, minutes, start, switches }) => {
        const game = createGame(switches);
        game.advance(hours * hour + minutes * 60_000);
        const end = now + hours * 3600;
        const kept = switches['cx.retentionHours']
          ? Math.max(firstHour, end - switches['cx.retentionHours'] * 3600)
          : firstHour;
        const asked = start === undefined ? undefined : firstHour + start;
        const from = asked === undefined ? kept : Math.max(kept, asked - (((asked % 3600) + 3600) % 3600));
        const chain = follow(game, asked);
        expect(chain.end).toBe(end);
        const wanted: number[] = [];
        for (let at = from; at < end; at += 3600) if (isActive(at)) wanted.push(at);
        const read = chain.hours.filter(([, markets]) => markets > 0);
        expect(read).toHaveLength(wanted.length);
        expect(read.slice(1).map(([at]) => at)).toEqual(wanted.slice(1));
        expect(get(game, chain.end)).toEqual({ next_change_id: chain.end, markets: [] });
      }),
    );
  });

  it('answers for a finished hour with the same object', () => {
    const game = createGame();
    expect(get(game, firstHour)).toBe(get(game, firstHour));
  });
});
