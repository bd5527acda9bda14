import { changeId, streamOf, visibleLength } from '../../../../src/game/stream.js';
import type { Realm } from '../../../../src/contract/index.js';
import type { OldMutant as Mutant } from '../../mutant.js';
import { change, everywhere, having, listAt } from '../../interceptor/json.js';
import type { Json, Interceptor } from '../../interceptor/interceptor.js';

/** A clock that is off for one operation. */
const late = (seam: Interceptor, operation: string, ms: number): void =>
  seam.game((game, acted) => ({
    now() {
      if (seam.current?.operation !== operation) return game.now();
      acted();
      return game.now() + ms;
    },
  }));

const stream = (seam: Interceptor, to: (body: Json, changes: Json[]) => void): void =>
  seam.data('getPublicStashTabs', (body) => to(body, listAt(body, 'stashes')));

const exchange = (seam: Interceptor, to: (body: Json, id: string | undefined, realm: Realm) => void): void =>
  seam.data('getCurrencyExchange', (body, { args, request }) =>
    to(body, args.id, (request.route?.realm ?? 'pc') as Realm),
  );

const hour = 3600;

export const streams: readonly Mutant[] = [
  {
    id: 'M-PS-01',
    bug: 'an unlisted stash keeps its account and its items',
    rows: ['PSTASH-UNLIST-001', 'PSTASH-UNLIST-002'],
    plant(seam) {
      stream(seam, (_, changes) => {
        const listed = changes.find((one) => one.public === true && listAt(one, 'items').length > 0);
        for (const one of changes) {
          if (one.public === false && listed)
            Object.assign(one, { accountName: listed.accountName, items: listed.items });
        }
      });
    },
  },
  {
    id: 'M-PS-05',
    bug: 'the id at the end passes over what comes until it is used',
    rows: ['PSTASH-004', 'PSTASH-008'],
    plant(seam) {
      seam.request((request) => {
        const { query, route } = request;
        if (route?.operation !== 'getPublicStashTabs' || !query.get('id')?.startsWith('end-')) return;
        const realm = (route.realm ?? 'pc') as Realm;
        const { game } = seam.service;
        query.set('id', changeId(visibleLength(streamOf(game, realm), game.now()), realm, game));
        request.query = query;
      });
      stream(seam, (body, changes) => {
        if (changes.length === 0) body.next_change_id = `end-${seam.service.authority.newId(8)}`;
      });
    },
  },
  {
    id: 'M-PS-06',
    bug: 'next_change_id is a number',
    rows: ['PSTASH-001'],
    plant: (seam) => stream(seam, (body) => change(body, 'next_change_id', (id: string) => Number(id.split('-')[0]))),
  },
  {
    id: 'M-PS-09',
    bug: 'changes are shown without a delay',
    rows: ['PSTASH-007'],
    plant: (seam) => late(seam, 'getPublicStashTabs', 300_000),
  },
  {
    id: 'M-PS-10',
    bug: 'changes are shown after five hours',
    rows: ['PSTASH-007'],
    plant: (seam) => late(seam, 'getPublicStashTabs', -5 * 3_600_000 + 300_000),
  },
  {
    id: 'M-PS-11',
    bug: 'the last change of a full page is lost',
    rows: ['PSTASH-008'],
    plant: (seam) => stream(seam, (_, changes) => void (changes.length === 25 && changes.pop())),
  },
  {
    id: 'M-PS-12',
    bug: 'a stash is shown once more as it was, after it was shown as it is',
    rows: ['PSTASH-012'],
    plant(seam) {
      const before = new Map<unknown, Json>();
      stream(seam, (_, changes) => {
        const stale: Json[] = [];
        for (const one of changes) {
          const old = before.get(one.id);
          if (one.public === false) before.delete(one.id);
          else before.set(one.id, one);
          if (one.public === true && old && JSON.stringify(old) !== JSON.stringify(one)) stale.push(old);
        }
        changes.push(...stale);
      });
    },
  },
  {
    id: 'M-PS-15',
    bug: 'the parameter id is ignored',
    rows: ['PSTASH-002', 'PSTASH-003'],
    plant: (seam) => seam.query('getPublicStashTabs', (query) => query.delete('id')),
  },
  {
    id: 'M-CX-01',
    bug: 'next_change_id is not truncated to the hour',
    rows: ['CX-002'],
    plant: (seam) => exchange(seam, (body) => change(body, 'next_change_id', (id: number) => id + 17)),
  },
  {
    id: 'M-CX-02',
    bug: 'next_change_id is a text',
    rows: ['CX-001'],
    plant: (seam) => exchange(seam, (body) => change(body, 'next_change_id', String)),
  },
  {
    id: 'M-CX-03',
    bug: 'next_change_id is in milliseconds',
    rows: ['CX-006'],
    plant(seam) {
      seam.request((request) => {
        if (request.operation === 'getCurrencyExchange') request.path = request.path.replace(/(\d{10})000$/, '$1');
      });
      exchange(seam, (body) => change(body, 'next_change_id', (id: number) => id * 1000));
    },
  },
  {
    id: 'M-CX-04',
    bug: 'the hour that has not ended is served',
    rows: ['CX-006'],
    plant: (seam) => late(seam, 'getCurrencyExchange', hour * 1000),
  },
  {
    id: 'M-CX-05',
    bug: 'the last finished hour is withheld for another hour',
    rows: ['CX-007'],
    plant: (seam) => late(seam, 'getCurrencyExchange', -hour * 1000),
  },
  {
    id: 'M-CX-06',
    bug: 'at the end the id goes on into the future',
    rows: ['CX-005', 'CX-006'],
    plant: (seam) =>
      exchange(seam, (body, id) => {
        if (id !== undefined && Number(body.next_change_id) <= Number(id)) body.next_change_id = Number(id) + hour;
      }),
  },
  {
    id: 'M-CX-07',
    bug: 'an hour without trades is taken for the end',
    rows: ['CX-008', 'CX-013'],
    plant: (seam) =>
      exchange(seam, (body, id) => {
        if (id !== undefined && listAt(body, 'markets').length === 0) body.next_change_id = Number(id);
      }),
  },
  {
    id: 'M-CX-08',
    bug: 'without an id the latest hour is given',
    rows: ['CX-003'],
    plant: (seam) =>
      seam.request((request) => {
        if (!/^\/currency-exchange(\/(xbox|sony|game2))?$/.test(request.path)) return;
        request.path += `/${Math.floor(seam.service.clock.now() / 1000 / hour) * hour - hour}`;
      }),
  },
  {
    id: 'M-CX-11',
    bug: 'the codes of a market are joined by a slash',
    rows: ['CX-MARKET-001'],
    plant: (seam) =>
      exchange(seam, (body) => {
        for (const market of having(body, 'market_id'))
          change(market, 'market_id', (id: string) => id.replace('|', '/'));
      }),
  },
  {
    id: 'M-CX-15',
    bug: 'lowest and highest stock are swapped',
    rows: ['CX-MARKET-005'],
    plant: (seam) =>
      exchange(seam, (body) => {
        for (const market of having(body, 'lowest_stock', 'highest_stock')) {
          [market.lowest_stock, market.highest_stock] = [market.highest_stock, market.lowest_stock];
        }
      }),
  },
  {
    id: 'N-CX-MARKET-002',
    bug: 'the figures of a market have keys of their own',
    rows: ['CX-MARKET-002'],
    plant: (seam) =>
      seam.data('getCurrencyExchange', (body) =>
        everywhere(body, 'volume_traded', (all: Json) => ({ ...all, total: 1 })),
      ),
  },
  {
    id: 'N-CX-MARKET-004',
    bug: 'ratios are fractions',
    rows: ['CX-MARKET-004'],
    plant: (seam) =>
      seam.data('getCurrencyExchange', (body) =>
        everywhere(body, 'lowest_ratio', (all: Record<string, number>) =>
          Object.fromEntries(Object.entries(all).map(([code, value]) => [code, value + 0.5])),
        ),
      ),
  },
];
