import type { Json } from '../../interceptor/interceptor.js';
import { having } from '../../interceptor/json.js';
import { mutants, operator } from '../../mutant.js';
import { drop, list, reply, set } from '../../operators/replies.js';

const exchange = 'getCurrencyExchange';
const hours = ['CX-001'] as const;
const hoursOfRealms = ['CX-011'] as const;

type Figures = Record<string, number>;

const zeros = (all: Figures): Figures => Object.fromEntries(Object.keys(all).map((code) => [code, 0]));

/** The figures of each market, with other codes or values. */
const figures = operator(
  'figures',
  (_, member: string, to: (code: string, figure: number, index: number) => readonly [string, unknown]) =>
    set(exchange, `markets[].${member}`, (all: Figures) =>
      Object.fromEntries(Object.entries(all).map(([code, figure], index) => to(code, figure, index))),
    ),
);

/** What an hour says of each of its markets. */
export const exchangeMarkets = mutants({
  'CX-MARKET-001 M-CX-11: the codes of a market are joined by a slash': () =>
    set(exchange, '**.market_id', (id: string) => id.replace('|', '/')),
  'CX-MARKET-001 same: both codes of a market are the first one': () =>
    set(exchange, 'markets[].market_id', (id: string) => `${id.split('|')[0]}|${id.split('|')[0]}`).exercise(...hours),
  'CX-MARKET-001 three: a market id has the league in front': () =>
    set(exchange, 'markets[].market_id', (id: string, { league }: Json) => `${String(league)}|${id}`).exercise(
      ...hours,
    ),
  'CX-MARKET-002: the figures of a market have keys of their own': () =>
    set(exchange, '**.volume_traded', (all: Json) => ({ ...all, total: 1 })),
  'CX-MARKET-002 game2: highest_ratio of the second game is keyed by lowest and highest': () =>
    set(exchange, 'markets[].highest_ratio', { lowest: 1, highest: 2 }, { realm: 'game2' }).exercise(...hoursOfRealms),
  'CX-MARKET-002 case: stocks are keyed by codes in upper case': () =>
    figures('lowest_stock', (code, figure) => [code.toUpperCase(), figure]).exercise(...hours),
  'CX-MARKET-004: ratios are fractions': () => figures('lowest_ratio', (code, figure) => [code, figure + 0.5]),
  'CX-MARKET-004 null: a figure of 0 is null': () =>
    figures('lowest_stock', (code, figure, index) => [code, index > 0 ? null : figure]).exercise('CX-001', 'CX-004'),
  'CX-MARKET-004 text: volumes are texts': () =>
    figures('volume_traded', (code, figure) => [code, String(figure)]).exercise(...hours),
  'CX-MARKET-005 M-CX-15: lowest and highest stock are swapped': () =>
    reply(exchange, (body) => {
      for (const market of having(body, 'lowest_stock', 'highest_stock'))
        [market.lowest_stock, market.highest_stock] = [market.highest_stock, market.lowest_stock];
    }),
  'CX-MARKET-005 one: stocks of the second code of a market are swapped': () =>
    set(exchange, 'markets[].lowest_stock', (low: Figures, { highest_stock }: Json) => {
      const high = highest_stock as Figures;
      const code = Object.keys(low)[1];
      if (code !== undefined) [low[code], high[code]] = [high[code]!, low[code]!];
      return low;
    }).exercise('CX-001', 'CX-004'),
  'CX-MARKET-006: lowest and highest ratio of realm sony are exchanged': () =>
    list(
      exchange,
      'markets',
      (markets) => markets.map((one) => ({ ...one, lowest_ratio: one.highest_ratio, highest_ratio: one.lowest_ratio })),
      { realm: 'sony' },
    ).exercise('CX-001', 'CX-011'),
  'CX-MARKET-007: markets in which nothing was traded are listed': () =>
    list(exchange, 'markets', ([first, ...rest]) =>
      first ? [{ ...first, volume_traded: zeros(first.volume_traded as Figures) }, ...rest] : [],
    ).exercise(...hours),
  'CX-MARKET-008: a market comes twice': () =>
    list(exchange, 'markets', (all) => (all.length > 2 ? [...all, all[1]] : all)).exercise(...hours),
  'CX-MARKET-009: the league of a market is null for permanent leagues': () =>
    set(exchange, 'markets[].league', (name: string) => (name === 'Standard' ? null : name)).exercise(...hours),
  'CX-MARKET-009 object: the league of a market is an object': () =>
    set(exchange, 'markets[].league', (id: string) => ({ id })).exercise(...hours),
  'CX-MARKET-009 gone: markets of the second game have no league': () =>
    drop(exchange, 'markets[].league', { realm: 'game2' }).exercise(...hoursOfRealms),
});
