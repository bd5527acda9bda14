import type { components, Realm } from '../contract/index.js';
import type { ExchangeHistory } from '../world/world.js';
import { fault } from './errors.js';
import type { Game, Handler } from './game.js';
import { keyOf } from './reply.js';

type Market = components['schemas']['ExchangeMarket'];
type Figures = Market['volume_traded'];

const hour = 3600;
const truncated = (seconds: number): number => seconds - (seconds % hour);

/** The start of the hour that has not ended: the end of the stream, and never served (interface 4.2). */
const currentHour = (game: Game): number => truncated(Math.floor(game.now() / 1000));

/** The first hour that is kept: all of history, or the last hours of it (K-120). */
function firstKept({ firstHour }: ExchangeHistory, game: Game): number {
  const kept = game.switches['cx.retentionHours'];
  return kept === 0 ? firstHour : Math.max(firstHour, currentHour(game) - kept * hour);
}

/**
 * The digest of the hour [id, id + 3600), and the id of the hour after it (interface 4.2, K-053). At the current hour
 * `next_change_id` is the id itself: the end. A later id has no markets and leads back to the end, since no id beyond
 * the current hour is ever handed out.
 */
export const getCurrencyExchange: Handler<'getCurrencyExchange'> = ({ params: { realm, id } }, game) => {
  const history = game.world.exchange(realm);
  const first = firstKept(history, game);
  const end = currentHour(game);
  const asked = id === undefined ? first : Number(id);
  if (asked % hour !== 0 && game.switches['cx.unaligned'] === 'reject') {
    return fault('invalidQuery', 'parameter id must be the start of an hour; send a next_change_id as it came');
  }
  const wanted = truncated(Math.min(asked, Number.MAX_SAFE_INTEGER));
  if (wanted >= end) return { status: 200, body: { next_change_id: end, markets: [] } };
  if (wanted < first && game.switches['cx.pruned'] === 'empty') {
    return { status: 200, body: { next_change_id: Math.min(first, end), markets: [] } };
  }
  const start = Math.max(wanted, first);
  if (start >= end) return { status: 200, body: { next_change_id: end, markets: [] } };
  const next = nextHour(history, start, end, game);
  return game.reply(keyOf('getCurrencyExchange', realm as Realm, start, next), () => ({
    next_change_id: next,
    markets: history.markets(start).map((market) => shown(market, game)),
  }));
};

/** The hour that follows or, where quiet hours are passed over, the next one with trades, `end` at the latest. */
function nextHour(history: ExchangeHistory, start: number, end: number, game: Game): number {
  let next = start + hour;
  if (game.switches['cx.skipQuiet']) while (next < end && history.markets(next).length === 0) next += hour;
  return next;
}

function shown(market: Market, { switches }: Game): Market {
  const turned =
    switches['cx.ratioOrder'] === 'direct'
      ? market
      : { ...market, lowest_ratio: market.highest_ratio, highest_ratio: market.lowest_ratio };
  if (switches['cx.keys'] === 'both') return turned;
  return {
    ...turned,
    volume_traded: traded(turned.volume_traded),
    lowest_stock: traded(turned.lowest_stock),
    highest_stock: traded(turned.highest_stock),
    lowest_ratio: traded(turned.lowest_ratio),
    highest_ratio: traded(turned.highest_ratio),
  };
}

const traded = (figures: Figures): Figures =>
  Object.fromEntries(Object.entries(figures).filter(([, figure]) => figure > 0));
