import type { OldMutant as Mutant } from '../../mutant.js';
import { change, listAt } from '../../interceptor/json.js';
import { hours, operation } from '../../interceptor/hours.js';
import { answerOf } from '../../interceptor/interceptor.js';
import type { Json, Interceptor } from '../../interceptor/interceptor.js';

const hour = 3600;

const markets = (seam: Interceptor, to: (market: Json, realm: string) => void): void =>
  hours(seam, (body, _, realm) => {
    for (const market of listAt(body, 'markets')) to(market, realm);
  });

const refused = (seam: Interceptor, path: RegExp): void =>
  seam.request((request) =>
    request.operation === operation && path.test(request.path)
      ? answerOf(400, { error: { code: 2, message: 'Invalid query: id' } })
      : undefined,
  );

/** The start of the current hour. */
const current = (seam: Interceptor): number => Math.floor(seam.service.clock.now() / 1000 / hour) * hour;

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
];
