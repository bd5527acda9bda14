import type { Realm } from '../../../../src/contract/index.js';
import type { Interceptor, Json } from '../../interceptor/interceptor.js';
import { listAt } from '../../interceptor/json.js';
import { realmOf } from '../../interceptor/who.js';
import { mutants, operator, together } from '../../mutant.js';
import { list, reply, set } from '../../operators/replies.js';
import type { When } from '../../operators/requests.js';
import { clock, refuse, request } from '../../operators/requests.js';

const exchange = 'getCurrencyExchange';
const hour = 3600;
const day = 86_400;

/** What is asked for, and when, in seconds: no number where no id was sent. */
interface AskedHour {
  readonly asked: number;
  readonly realm: Realm;
  readonly now: number;
  /** The start of the hour that has not ended. */
  readonly current: number;
}

const nowOf = (at: Interceptor): number => Math.floor(at.service.clock.now() / 1000);
const currentOf = (at: Interceptor): number => Math.floor(nowOf(at) / hour) * hour;

/** What is answered for an hour, changed. */
const digest = operator(
  'digest',
  (at, change: (body: Json, asked: AskedHour, at: Interceptor) => unknown, when: When = {}) =>
    reply(
      exchange,
      (body, context) => {
        const asked = Number(context.args.id ?? Number.NaN);
        return change(body, { asked, realm: realmOf(context), now: nowOf(at), current: currentOf(at) }, at);
      },
      when,
    ),
);

/** Another hour to go on with. */
const next = operator('next', (_, to: (next: number, asked: AskedHour, markets: Json[]) => number, when: When = {}) =>
  digest((body, asked) => {
    body.next_change_id = to(Number(body.next_change_id), asked, listAt(body, 'markets'));
  }, when),
);

/** Without an id, another hour than the first. */
const begins = operator('begins', (at, to: (first: number, current: number) => number, only?: Realm) =>
  request(exchange, (one) => {
    const realm = realmOf({ request: one });
    if (one.route?.args.id !== undefined || (only ?? realm) !== realm) return;
    one.path += `/${to(at.service.world.exchange(realm).firstHour, currentOf(at))}`;
  }),
);

/** The id in a path, changed. */
const mapId = operator('mapId', (_, id: RegExp, to: (id: number) => number) =>
  request(exchange, (one) => void (one.path = one.path.replace(id, (text) => String(to(Number(text)))))),
);

/** The first hour, asked for by its id, is answered as an hour so much later is. */
const firstAs = operator('firstAs', (at, realm: Realm, later: number) =>
  request(exchange, (one) => {
    const { firstHour } = at.service.world.exchange(realm);
    if (realmOf({ request: one }) === realm && one.route?.args.id === String(firstHour))
      one.path = one.path.replace(/\d+$/, String(firstHour + later));
  }),
);

/** An hour without trades leads to itself when it is asked for. */
const endsWithoutTrades = next((id, { asked }, markets) => (markets.length === 0 && asked >= 0 ? asked : id));

const roundedUp = (id: number): number => Math.ceil(id / hour) * hour;

/** The chain of hours: where it begins and ends, how it goes on, and what each hour says. */
export const exchangeHours = mutants({
  'CX-001 M-CX-02: next_change_id is a text': () => set(exchange, 'next_change_id', String),
  'CX-002 M-CX-01: next_change_id is not truncated to the hour': () => next((id) => id + 17),
  'CX-003 M-CX-08: without an id the latest hour is given': () => begins((_, current) => current - hour),
  'CX-003 second: without an id the second hour is given': () => begins((first) => first + hour, 'pc'),
  'CX-003 quiet: the history begins with its second hour, and quiet hours are passed over': () =>
    together(
      begins((first) => first + hour, 'pc'),
      digest((body, { asked, realm }, at) => {
        const { firstHour } = at.service.world.exchange(realm);
        if (asked === firstHour) body.next_change_id = firstHour + 2 * hour;
        if (asked === firstHour + hour) body.markets = [];
      }),
    ),
  'CX-003 game2: without an id the second game gives the third hour': () =>
    begins((first) => first + 2 * hour, 'game2'),
  'CX-003 sony: without an id realm sony gives the second hour': () => begins((first) => first + hour, 'sony'),
  'CX-003 next: the first hour, asked for by its id, is answered with the second': () => firstAs('pc', hour),
  'CX-003 day: the first hour, asked for by its id, is answered with the hour a day later': () => firstAs('pc', day),
  'CX-003 game2-id: in the second game the first hour, asked for by its id, is another one': () =>
    firstAs('game2', 2 * hour),
  'CX-003 undeclared: the first hour, asked for by its id, is another one, and the target declares none': () =>
    firstAs('pc', 2 * hour).on({ declares: 'nothing' }),
  'CX-003 empty: the first hour, asked for by its id, has no markets': () =>
    digest((body, { asked, realm }, at) => {
      if (asked === at.service.world.exchange(realm).firstHour) body.markets = [];
    }),
  'CX-003 shifted: every id is answered with the hour after it': () => mapId(/\d{9,}$/, (id) => id + hour),
  'CX-004 N-CX-001-null: an hour without trades has null for markets': () =>
    set(exchange, 'markets', (all: Json[]) => (all.length === 0 ? null : all)),
  'CX-004: ids of realm sony cannot be asked for': () => refuse(exchange, { realm: 'sony', id: /^\d+$/ }),
  'CX-004 back: after midnight next_change_id leads back an hour': () =>
    next((id, { asked }) => (asked % day === 0 ? asked - hour : id)).also('CX-005'),
  'CX-004 half: next_change_id goes on by half an hour': () =>
    next((id, { asked }) => (id > (asked || 0) ? id - hour / 2 : id)).also('CX-002'),
  'CX-004 old: hours of the day before are refused': () =>
    refuse(exchange, ({ path }, at) => Number(/\/(\d+)$/.exec(path)?.[1]) < currentOf(at) - 48 * hour, 404),
  'CX-005 M-CX-06: at the end the id goes on into the future': () =>
    next((id, { asked }) => (id <= asked ? asked + hour : id)).also('CX-006'),
  'CX-005 game2: in the second game the end has next_change_id 0': () =>
    next((id, { asked }) => (id === asked ? 0 : id), { realm: 'game2' }),
  'CX-005 once: the end leads on when it is asked for again': (ends = new Set<number>()) =>
    next((id, { asked }) => {
      if (id !== asked) return id;
      const again = ends.has(asked);
      ends.add(asked);
      return again ? asked + hour : id;
    }),
  'CX-006 M-CX-03: next_change_id is in milliseconds': () =>
    together(
      mapId(/\d{10}000$/, (id) => id / 1000),
      next((id) => id * 1000),
    ),
  'CX-006 M-CX-04: the hour that has not ended is served': () => clock(exchange, hour * 1000),
  'CX-006 game2: the current hour of the second game has markets': () =>
    digest(
      (body, { asked, current }, { service: { world } }) => {
        if (asked !== current) return;
        for (let at = current - hour; listAt(body, 'markets').length === 0; at -= hour)
          body.markets = world.exchange('game2').markets(at);
      },
      { realm: 'game2' },
    ),
  'CX-006 partial: the current hour has at its own id the markets that it has so far': () =>
    digest((body, { asked, realm, current }, { service: { world } }) => {
      if (asked !== current) return;
      body.markets = world
        .exchange(realm)
        .markets(current - hour)
        .slice(0, 1)
        .map((market) => ({ ...market, league: 'So far' }));
    }),
  'CX-006 half: the current hour is that of the time rounded': () =>
    digest((body, { asked, realm, now, current }, { service: { world } }) => {
      if (asked !== current || now - current < hour / 2) return;
      body.next_change_id = current + hour;
      body.markets = world.exchange(realm).markets(current - hour);
    }),
  'CX-006 chain: late in the hour the chain goes on to the hour after it': () =>
    next((id, { asked, now, current }) => (asked === current && now - current >= hour / 2 ? current + hour : id)),
  'CX-007 M-CX-05: the last finished hour is withheld for another hour': () => clock(exchange, -hour * 1000),
  'CX-007 kept: the end is kept for a day': (kept = new Map<number, Json>()) =>
    digest((body, { asked }) => {
      const found = kept.get(asked);
      if (!found && body.next_change_id === asked) kept.set(asked, structuredClone(body));
      return found && structuredClone(found);
    }),
  'CX-007 sony: the end of realm sony never moves': (end = new Map<Realm, number>()) =>
    digest((body, { asked, realm }) => {
      if (realm !== 'sony') return;
      if (body.next_change_id === asked && !end.has(realm)) end.set(realm, asked);
      const last = end.get(realm);
      if (last !== undefined && asked >= last) Object.assign(body, { next_change_id: asked, markets: [] });
    }),
  'CX-007 N-CX-013-last: the chain ends an hour early': () =>
    digest((body, { asked, current }) => {
      if (asked === current - hour) Object.assign(body, { next_change_id: asked, markets: [] });
    }),
  'CX-008 M-CX-07: an hour without trades is taken for the end': () => endsWithoutTrades.also('CX-013'),
  'CX-008 next: an hour without trades leads to itself when it is asked for': () => endsWithoutTrades,
  'CX-008 filled: an hour without trades has the markets of the last one with trades': () =>
    digest((body, { asked, realm, current }, at) => {
      const { firstHour, markets } = at.service.world.exchange(realm);
      if (!(asked < current) || listAt(body, 'markets').length > 0) return;
      let last = asked - hour;
      while (last > firstHour && markets(last).length === 0) last -= hour;
      body.markets = markets(last);
    }),
  'CX-009: volumes grow whenever an hour is asked for': (seen = { markets: 0 }) =>
    set(exchange, 'markets[].volume_traded', (all: Record<string, number>) => {
      seen.markets += 1;
      return Object.fromEntries(Object.entries(all).map(([code, figure]) => [code, figure + seen.markets]));
    }),
  'CX-009 first: an hour has all of its markets only when it is asked for the first time': (seen = new Set<string>()) =>
    list(exchange, 'markets', (all, { request: { path } }) => {
      const shown = seen.has(path) ? all.slice(0, 1) : all;
      seen.add(path);
      return shown;
    }),
  'CX-014: trades are added to an hour until a day after it': () =>
    digest((body, { asked, current }) => {
      if (asked >= current || asked < current - day) return;
      for (const { volume_traded } of listAt(body, 'markets'))
        for (const [code, figure] of Object.entries(volume_traded as Record<string, number>))
          (volume_traded as Record<string, number>)[code] = figure + 1;
    }),
  'CX-010: an id within an hour is that of the hour after it': () => mapId(/(?<=\/)\d+$/, roundedUp),
  'CX-010 next: an id within an hour gives one of its own to go on with': () =>
    next((id, { asked }) => id + (asked % hour || 0)),
  'CX-010 sony: in realm sony an id within an hour is that of the hour after it': () =>
    mapId(/(?<=sony\/)\d+$/, roundedUp),
  'CX-011 game2: the second game has no exchange': () => refuse(exchange, { realm: 'game2', id: null }),
  'CX-011 id: with a realm an id is refused': () => refuse(exchange, { realm: ['xbox', 'sony', 'game2'], id: /^\d+$/ }),
  'CX-011 same: the history of the second game is that of pc': () =>
    request(exchange, (one) => void (one.path = one.path.replace('/game2', ''))),
  'CX-013 midnight: the chain passes over the last hour of a day': () =>
    next((id, { current }) => (id % day === 23 * hour && id + hour < current ? id + hour : id)),
  'CX-013 two: the chain goes on by two hours': () =>
    next((id, { current }) => (id + hour <= current ? id + hour : id)),
  'CX-013 xbox: in realm xbox the chain goes on by two hours': () =>
    next((id, { current }) => (id + hour <= current ? id + hour : id), { realm: 'xbox' }),
});
