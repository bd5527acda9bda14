import type { Mutant } from '../../mutant.js';
import { change, everywhere, gone, having, listAt } from '../../seam/json.js';
import { answerOf } from '../../seam/seam.js';
import type { DataReply, Json, Seam } from '../../seam/seam.js';

const hour = 3600;
const operation = 'getCurrencyExchange';

const hours = (
  seam: Seam,
  to: (body: Json, asked: number | undefined, realm: string, context: DataReply) => unknown,
): void =>
  seam.data(operation, (body, context) => {
    const { id, realm = context.request.route?.realm ?? 'pc' } = context.args;
    return to(body, id === undefined ? undefined : Number(id), realm, context);
  });

const markets = (seam: Seam, to: (market: Json, realm: string) => void): void =>
  hours(seam, (body, _, realm) => {
    for (const market of listAt(body, 'markets')) to(market, realm);
  });

const refused = (seam: Seam, path: RegExp): void =>
  seam.request((request) =>
    request.operation === operation && path.test(request.path)
      ? answerOf(400, { error: { code: 2, message: 'Invalid query: id' } })
      : undefined,
  );

/** The start of the current hour. */
const current = (seam: Seam): number => Math.floor(seam.service.clock.now() / 1000 / hour) * hour;

type Figures = Record<string, number>;

export const exchange: readonly Mutant[] = [
  {
    id: 'N-CX-001-null',
    bug: 'an hour without trades has null for markets',
    rows: ['CX-004'],
    plant: (seam) => hours(seam, (body) => void (listAt(body, 'markets').length === 0 && (body.markets = null))),
  },
  {
    id: 'N-CX-003-second',
    bug: 'without an id the second hour is given',
    rows: ['CX-003'],
    plant: (seam) =>
      seam.request((request) => {
        if (request.path !== '/currency-exchange') return;
        request.path += `/${seam.service.world.exchange('pc').firstHour + hour}`;
      }),
  },
  {
    id: 'N-CX-004',
    bug: 'ids of realm sony cannot be asked for',
    rows: ['CX-004'],
    plant: (seam) => refused(seam, /^\/currency-exchange\/sony\/\d+$/),
  },
  {
    id: 'N-CX-004-back',
    bug: 'after midnight next_change_id leads back an hour',
    rows: ['CX-004', 'CX-005'],
    plant: (seam) =>
      hours(seam, (body, asked) => {
        if (asked !== undefined && asked % 86_400 === 0) body.next_change_id = asked - hour;
      }),
  },
  {
    id: 'N-CX-004-half',
    bug: 'next_change_id goes on by half an hour',
    rows: ['CX-004', 'CX-002'],
    plant: (seam) =>
      hours(seam, (body, asked) => {
        if (Number(body.next_change_id) > (asked ?? 0)) body.next_change_id = Number(body.next_change_id) - hour / 2;
      }),
  },
  {
    id: 'N-CX-004-old',
    bug: 'hours of the day before are refused',
    rows: ['CX-004'],
    plant: (seam) =>
      seam.request((request) => {
        const id = Number(/\/(\d+)$/.exec(request.path)?.[1]);
        return request.operation === operation && id < current(seam) - 48 * hour ? answerOf(404, {}) : undefined;
      }),
  },
  {
    id: 'N-CX-005-game2',
    bug: 'in the second game the end has next_change_id 0',
    rows: ['CX-005'],
    plant: (seam) =>
      hours(seam, (body, asked, realm) => {
        if (realm === 'game2' && body.next_change_id === asked) body.next_change_id = 0;
      }),
  },
  {
    id: 'N-CX-005-once',
    bug: 'the end leads on when it is asked for again',
    rows: ['CX-005'],
    plant(seam) {
      const ends = new Map<number, number>();
      hours(seam, (body, asked) => {
        if (asked === undefined || body.next_change_id !== asked) return;
        ends.set(asked, (ends.get(asked) ?? 0) + 1);
        if (ends.get(asked)! > 1) body.next_change_id = asked + hour;
      });
    },
  },
  {
    id: 'N-CX-006-game2',
    bug: 'the current hour of the second game has markets',
    rows: ['CX-006'],
    plant: (seam) =>
      hours(seam, (body, asked, realm) => {
        if (realm !== 'game2' || asked !== current(seam)) return;
        const { world } = seam.service;
        for (let at = current(seam) - hour; listAt(body, 'markets').length === 0; at -= hour)
          body.markets = world.exchange('game2').markets(at);
      }),
  },
  {
    id: 'N-CX-007-kept',
    bug: 'the end is kept for a day',
    rows: ['CX-007'],
    plant(seam) {
      const kept = new Map<number, Json>();
      hours(seam, (body, asked) => {
        if (asked === undefined) return undefined;
        const found = kept.get(asked);
        if (!found && body.next_change_id === asked) kept.set(asked, structuredClone(body));
        return found ? structuredClone(found) : undefined;
      });
    },
  },
  {
    id: 'N-CX-008-next',
    bug: 'an hour without trades leads to itself when it is asked for',
    rows: ['CX-008'],
    plant: (seam) =>
      hours(seam, (body, asked) => {
        if (asked !== undefined && listAt(body, 'markets').length === 0) body.next_change_id = asked;
      }),
  },
  {
    id: 'N-CX-009',
    bug: 'volumes grow whenever an hour is asked for',
    rows: ['CX-009'],
    plant(seam) {
      let asked = 0;
      markets(seam, (market) => {
        asked += 1;
        change(market, 'volume_traded', (all: Figures) =>
          Object.fromEntries(Object.entries(all).map(([code, figure]) => [code, figure + asked])),
        );
      });
    },
  },
  {
    id: 'N-CX-009-first',
    bug: 'an hour has all of its markets only when it is asked for the first time',
    rows: ['CX-009'],
    plant(seam) {
      const seen = new Set<string>();
      hours(seam, (body, _, __, { request }) => {
        if (seen.has(request.path)) listAt(body, 'markets').splice(1);
        seen.add(request.path);
      });
    },
  },
  {
    id: 'N-CX-010',
    bug: 'an id within an hour is that of the hour after it',
    rows: ['CX-010'],
    plant: (seam) =>
      seam.request((request) => {
        if (request.operation !== operation) return;
        request.path = request.path.replace(/(\d+)$/, (id) => String(Math.ceil(Number(id) / hour) * hour));
      }),
  },
  {
    id: 'N-CX-010-next',
    bug: 'an id within an hour gives one of its own to go on with',
    rows: ['CX-010'],
    plant: (seam) =>
      hours(seam, (body, asked) => {
        if (asked !== undefined && asked % hour !== 0)
          body.next_change_id = Number(body.next_change_id) + (asked % hour);
      }),
  },
  {
    id: 'N-CX-011-game2',
    bug: 'the second game has no exchange',
    rows: ['CX-011'],
    plant: (seam) => refused(seam, /^\/currency-exchange\/game2$/),
  },
  {
    id: 'N-CX-011-id',
    bug: 'with a realm an id is refused',
    rows: ['CX-011'],
    plant: (seam) => refused(seam, /^\/currency-exchange\/(xbox|sony|game2)\/\d+$/),
  },
  {
    id: 'N-CX-013-midnight',
    bug: 'the chain passes over the last hour of a day',
    rows: ['CX-013'],
    plant: (seam) =>
      hours(seam, (body) => {
        const next = Number(body.next_change_id);
        if (next % 86_400 === 23 * hour && next + hour < current(seam)) body.next_change_id = next + hour;
      }),
  },
  {
    id: 'N-CX-013-two',
    bug: 'the chain goes on by two hours',
    rows: ['CX-013'],
    plant: (seam) =>
      hours(seam, (body) => {
        const next = Number(body.next_change_id);
        if (next + hour <= current(seam)) body.next_change_id = next + hour;
      }),
  },
  {
    id: 'N-CX-013-last',
    bug: 'the chain ends an hour early',
    rows: ['CX-007'],
    plant: (seam) =>
      hours(seam, (body, asked) => {
        if (asked === current(seam) - hour) Object.assign(body, { next_change_id: asked, markets: [] });
      }),
  },
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
  {
    id: 'N-ED-006',
    bug: 'the edition has a currency exchange, and the server none',
    rows: ['ED-006'],
    flags: { 'F-CX': true },
    plant: (seam) =>
      seam.request((request) => (request.operation === operation ? answerOf(404, { error: { code: 1 } }) : undefined)),
  },
  {
    id: 'N-ED-006-shape',
    bug: 'the exchange of the edition answers a bare list',
    rows: ['ED-006'],
    flags: { 'F-CX': true },
    plant: (seam) => hours(seam, (body) => body.markets),
  },
  {
    id: 'N-ED-008',
    bug: 'the alternate ascendancy is one of the class',
    rows: ['ED-008'],
    flags: { 'F-ALTASC-BLOODLINE': false },
    plant: (seam) => seam.data('getCharacter', (body) => everywhere(body, 'alternate_ascendancy', () => 'Slayer')),
  },
  {
    id: 'N-ED-008-case',
    bug: 'the alternate ascendancy is in lower case',
    rows: ['ED-008'],
    flags: { 'F-ALTASC-BLOODLINE': false },
    plant: (seam) =>
      seam.data('getCharacter', (body) =>
        everywhere(body, 'alternate_ascendancy', (name: string) => name.toLowerCase()),
      ),
  },
  {
    id: 'N-ED-007',
    bug: 'both names of the third set occur',
    rows: ['ED-007'],
    plant(seam) {
      let turn = 0;
      seam.data('getCharacter', (body) => {
        for (const sets of having(body, 'set1')) {
          turn += 1;
          delete sets.shapeshift;
          delete sets.set3;
          sets[turn % 2 === 0 ? 'set3' : 'shapeshift'] = [];
        }
      });
    },
  },
];
