import type { Realm } from '../../../../src/contract/index.js';
import type { OldMutant as Mutant } from '../../mutant.js';
import { answerOf } from '../../interceptor/interceptor.js';
import type { Json, Interceptor } from '../../interceptor/interceptor.js';

const hour = 3600;
const operation = 'getCurrencyExchange';

const seconds = (seam: Interceptor): number => Math.floor(seam.service.clock.now() / 1000);

/** Hours by the number of the request, undefined where there is none. */
const hours = (seam: Interceptor, to: (body: Json, asked: number | undefined, realm: Realm) => unknown): void =>
  seam.data(operation, (body, { args, request }) =>
    to(
      body,
      args.id === undefined ? undefined : Number(args.id),
      (/xbox|sony|game2/.exec(request.path)?.[0] ?? 'pc') as Realm,
    ),
  );

/** Without an id, the hour that is `later` hours after the first. */
const later =
  (count: number, realm: Realm): Mutant['plant'] =>
  (seam) =>
    seam.request((request) => {
      const bare = realm === 'pc' ? '/currency-exchange' : `/currency-exchange/${realm}`;
      if (request.path !== bare) return;
      request.path += `/${seam.service.world.exchange(realm).firstHour + count * hour}`;
    });

/** Bugs about where the history of the exchange begins and ends, by the clock and by realm. */
export const lateHours: readonly Mutant[] = [
  {
    id: 'N-CX-003-quiet',
    bug: 'the history begins with its second hour, and quiet hours are passed over',
    rows: ['CX-003'],
    plant(seam) {
      later(1, 'pc')(seam);
      hours(seam, (body, asked, realm) => {
        const { firstHour } = seam.service.world.exchange(realm);
        if (asked === firstHour) body.next_change_id = firstHour + 2 * hour;
        if (asked === firstHour + hour) body.markets = [];
        return undefined;
      });
    },
  },
  {
    id: 'N-CX-003-game2',
    bug: 'without an id the second game gives the third hour',
    rows: ['CX-003'],
    plant: later(2, 'game2'),
  },
  {
    id: 'N-CX-003-sony',
    bug: 'without an id realm sony gives the second hour',
    rows: ['CX-003'],
    plant: later(1, 'sony'),
  },
  {
    id: 'N-CX-006-half',
    bug: 'the current hour is that of the time rounded',
    rows: ['CX-006'],
    plant: (seam) =>
      hours(seam, (body, asked, realm) => {
        const current = Math.floor(seconds(seam) / hour) * hour;
        if (asked !== current || seconds(seam) - current < hour / 2) return;
        body.next_change_id = current + hour;
        body.markets = seam.service.world.exchange(realm).markets(current - hour);
      }),
  },
  {
    id: 'N-CX-006-chain',
    bug: 'late in the hour the chain goes on to the hour after it',
    rows: ['CX-006'],
    plant: (seam) =>
      hours(seam, (body, asked) => {
        const current = Math.floor(seconds(seam) / hour) * hour;
        if (asked === current && seconds(seam) - current >= hour / 2) body.next_change_id = current + hour;
      }),
  },
  {
    id: 'N-GEN-016-far',
    bug: 'an hour that is no date breaks the server',
    rows: ['GEN-016'],
    beside: ['CX-012'],
    plant: (seam) =>
      seam.request(({ operation: asked, path }) =>
        asked === operation && Number(/\/(\d+)$/.exec(path)?.[1]) >= 253_402_300_800
          ? answerOf(500, { error: { code: 9, message: 'Internal error' } })
          : undefined,
      ),
  },
  {
    id: 'N-CX-010-sony',
    bug: 'in realm sony an id within an hour is that of the hour after it',
    rows: ['CX-010'],
    plant: (seam) =>
      seam.request((request) => {
        if (request.operation !== operation) return;
        request.path = request.path.replace(
          /sony\/(\d+)$/,
          (_, id: string) => `sony/${Math.ceil(Number(id) / hour) * hour}`,
        );
      }),
  },
  {
    id: 'N-CX-011-same',
    bug: 'the history of the second game is that of pc',
    rows: ['CX-011'],
    noticed: 'warn',
    plant: (seam) =>
      seam.request((request) => {
        request.path = request.path.replace('/currency-exchange/game2', '/currency-exchange');
      }),
  },
  {
    id: 'N-CX-013-xbox',
    bug: 'in realm xbox the chain goes on by two hours',
    rows: ['CX-013'],
    plant: (seam) =>
      hours(seam, (body, _, realm) => {
        const next = Number(body.next_change_id);
        if (realm === 'xbox' && next + hour <= Math.floor(seconds(seam) / hour) * hour)
          body.next_change_id = next + hour;
      }),
  },
];
