import type { OldMutant as Mutant } from '../../mutant.js';
import { change, gone, listAt } from '../../interceptor/json.js';
import { hours } from '../../interceptor/hours.js';
import type { Json, Interceptor } from '../../interceptor/interceptor.js';

const markets = (seam: Interceptor, to: (market: Json, realm: string) => void): void =>
  hours(seam, (body, _, realm) => {
    for (const market of listAt(body, 'markets')) to(market, realm);
  });

type Figures = Record<string, number>;

export const exchangeMarkets: readonly Mutant[] = [
  {
    id: 'N-CX-MARKET-001-same',
    bug: 'both codes of a market are the first one',
    rows: ['CX-MARKET-001'],
    beside: ['CX-001'],
    plant: (seam) =>
      markets(seam, (market) => change(market, 'market_id', (id: string) => `${id.split('|')[0]}|${id.split('|')[0]}`)),
  },
  {
    id: 'N-CX-MARKET-001-three',
    bug: 'a market id has the league in front',
    rows: ['CX-MARKET-001'],
    beside: ['CX-001'],
    plant: (seam) =>
      markets(seam, (market) => change(market, 'market_id', (id: string) => `${String(market.league)}|${id}`)),
  },
  {
    id: 'N-CX-MARKET-002-game2',
    bug: 'highest_ratio of the second game is keyed by lowest and highest',
    rows: ['CX-MARKET-002'],
    beside: ['CX-011'],
    plant: (seam) =>
      markets(seam, (market, realm) => {
        if (realm === 'game2') market.highest_ratio = { lowest: 1, highest: 2 };
      }),
  },
  {
    id: 'N-CX-MARKET-002-case',
    bug: 'stocks are keyed by codes in upper case',
    rows: ['CX-MARKET-002'],
    beside: ['CX-001'],
    plant: (seam) =>
      markets(seam, (market) =>
        change(market, 'lowest_stock', (all: Figures) =>
          Object.fromEntries(Object.entries(all).map(([code, figure]) => [code.toUpperCase(), figure])),
        ),
      ),
  },
  {
    id: 'N-CX-MARKET-004-null',
    bug: 'a figure of 0 is null',
    rows: ['CX-MARKET-004'],
    beside: ['CX-001', 'CX-004'],
    plant: (seam) =>
      markets(seam, (market) =>
        change(market, 'lowest_stock', (all: Figures) =>
          Object.fromEntries(Object.entries(all).map(([code, figure], index) => [code, index > 0 ? null : figure])),
        ),
      ),
  },
  {
    id: 'N-CX-MARKET-004-text',
    bug: 'volumes are texts',
    rows: ['CX-MARKET-004'],
    beside: ['CX-001'],
    plant: (seam) =>
      markets(seam, (market) =>
        change(market, 'volume_traded', (all: Figures) =>
          Object.fromEntries(Object.entries(all).map(([code, figure]) => [code, String(figure)])),
        ),
      ),
  },
  {
    id: 'N-CX-MARKET-005-one',
    bug: 'stocks of the second code of a market are swapped',
    rows: ['CX-MARKET-005'],
    beside: ['CX-001', 'CX-004'],
    plant: (seam) =>
      markets(seam, ({ lowest_stock, highest_stock }) => {
        const [low, high] = [lowest_stock as Figures, highest_stock as Figures];
        const code = Object.keys(low)[1];
        if (code !== undefined) [low[code], high[code]] = [high[code]!, low[code]!];
      }),
  },
  {
    id: 'N-CX-MARKET-006',
    bug: 'lowest and highest ratio of realm sony are exchanged',
    rows: ['CX-MARKET-006'],
    beside: ['CX-001', 'CX-011'],
    plant: (seam) =>
      markets(seam, (market, realm) => {
        if (realm === 'sony') [market.lowest_ratio, market.highest_ratio] = [market.highest_ratio, market.lowest_ratio];
      }),
  },
  {
    id: 'N-CX-MARKET-007',
    bug: 'markets in which nothing was traded are listed',
    rows: ['CX-MARKET-007'],
    beside: ['CX-001'],
    plant: (seam) =>
      hours(seam, (body) => {
        const [first] = listAt(body, 'markets');
        if (first) {
          const none = Object.fromEntries(Object.keys(first.volume_traded as Figures).map((code) => [code, 0]));
          first.volume_traded = none;
        }
      }),
  },
  {
    id: 'N-CX-MARKET-008',
    bug: 'a market comes twice',
    rows: ['CX-MARKET-008'],
    beside: ['CX-001'],
    plant: (seam) =>
      hours(seam, (body) => {
        const all = listAt(body, 'markets');
        if (all.length > 2) all.push({ ...all[1] });
      }),
  },
  {
    id: 'N-CX-MARKET-009',
    bug: 'the league of a market is null for permanent leagues',
    rows: ['CX-MARKET-009'],
    beside: ['CX-001'],
    plant: (seam) => markets(seam, (market) => change(market, 'league', (name) => (name === 'Standard' ? null : name))),
  },
  {
    id: 'N-CX-MARKET-009-object',
    bug: 'the league of a market is an object',
    rows: ['CX-MARKET-009'],
    beside: ['CX-001'],
    plant: (seam) => markets(seam, (market) => change(market, 'league', (id) => ({ id }))),
  },
  {
    id: 'N-CX-MARKET-009-gone',
    bug: 'markets of the second game have no league',
    rows: ['CX-MARKET-009'],
    beside: ['CX-011'],
    plant: (seam) =>
      markets(seam, (market, realm) => {
        if (realm === 'game2') change(market, 'league', () => gone);
      }),
  },
];
