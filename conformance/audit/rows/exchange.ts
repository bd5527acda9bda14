import { replyOf } from '../call.js';
import type { Call } from '../call.js';
import { each, groups, quote, violation } from '../row.js';
import type { AuditRow } from '../row.js';
import type { WorldRun } from '../run.js';
import { afterError, fromReplies, resumed } from './positions.js';
import { dataCalls, settled } from './requests.js';
import {
  walksOfClients,
  walks,
  hourOf,
  pastEnd,
  lengthOf,
  longest,
  isFollowed,
  storedHow,
  resumeHow,
} from './walks.js';

/** What stands where the id of an exchange request may. */
const idSegment = ({ path }: Call): string | undefined =>
  /^\/currency-exchange(?:\/(?:pc|xbox|sony|game2|poe2))?\/?([^/]*)$/.exec(path)?.[1] || undefined;

/** A client may give up waiting for a reply after so long, ms. */
const replyTimeout = 1000;

/** Whether nothing was traded in an hour, and others follow. */
const isEmptyHour = (call: Call): boolean => {
  const markets = replyOf(call, 'markets');
  return call.delivery === 'sent' && Array.isArray(markets) && markets.length === 0 && !pastEnd(call);
};

/** How many hours without markets there are in a row, up to one of a walk. */
function emptyUpTo(page: Call, walk: readonly Call[]): number {
  if (!isEmptyHour(page)) return 0;
  const before = walk.find(
    (one) => one.number < page.number && !pastEnd(one) && String(replyOf(one, 'next_change_id')) === hourOf(page),
  );
  return 1 + (before ? emptyUpTo(before, walk) : 0);
}

const hour = 3_600_000;

/** What is more are no seconds but parts of them. */
const lastSecond = 100_000_000_000;

/** Whether the request after the end of the history begins it again, within the hour. */
const isAnew = (page: Call, next: Call | undefined): boolean =>
  next !== undefined &&
  idSegment(next) === undefined &&
  Math.floor(next.clock / hour) === Math.floor(page.clock / hour) &&
  next.at - page.end < 60_000;

/** Whether one reader begins the history again after each of its ends, as soon as it asks for any hour, and ends at none. */
function neverEnds(walk: readonly Call[]): boolean {
  const gaps = walk.slice(1).map((next, at) => ({ page: walk[at]!, next, gap: next.at - walk[at]!.end }));
  const slowest = Math.max(settled, ...gaps.filter(({ page }) => !pastEnd(page)).map(({ gap }) => gap));
  const ends = walk.filter(pastEnd);
  return ends.every((page) => {
    const after = gaps.find((one) => one.page === page);
    const begun = walk.filter(
      (one, at) => one.number < page.number && (at === 0 || idSegment(one) === undefined),
    ).length;
    const ended = ends.filter((one) => one.number <= page.number).length;
    // Where more have begun than ended, there is another reader.
    return after !== undefined && isAnew(page, after.next) && after.gap <= slowest && begun === ended;
  });
}

/** A first start that begins the history with the id of a recent hour. */
interface Begin {
  readonly run: WorldRun;
  readonly call: Call;
  /** How many hours ago that was. */
  readonly ago: number;
  /** When a reply led on from there, ms since 1970. */
  readonly led: number | undefined;
}

function beginsIn(runs: readonly WorldRun[]): Begin[] {
  return runs.flatMap((run) => {
    const asked = dataCalls(run).filter(({ operation, start }) => operation === 'getCurrencyExchange' && start === 1);
    const [call] = asked;
    const id = Number(call && hourOf(call));
    // Nobody computes an hour of more than a week ago to begin with.
    if (!call || id % 3600 !== 0 || call.clock - id * 1000 > 7 * 24 * hour) return [];
    const led = asked.find((one) => one.status === 200 && one.delivery === 'sent' && !pastEnd(one));
    return [{ run, call, ago: Math.floor(call.clock / hour) - id / 3600, led: led && run.epoch + led.end }];
  });
}

/** Whether a start begins where an earlier one had begun, which had been led on. */
const isAsIfNew = ({ run, call, ago }: Begin, earlier: Begin): boolean =>
  earlier.ago === ago &&
  earlier.call.realm === call.realm &&
  earlier.led !== undefined &&
  earlier.led < run.epoch + call.at - settled;

export const exchange: readonly AuditRow[] = [
  {
    id: 'EXCHANGE-ID-001',
    level: 'MUST',
    sentence: 'The id of an exchange request is a segment of the path.',
    source: '4.2',
    how: 'The query of every exchange request without an id in its path is searched for it; a time that is no hour keeps caches away, and is allowed.',
    judge: (run) =>
      each(
        dataCalls(run).filter(({ operation }) => operation === 'getCurrencyExchange'),
        (call) => {
          const name = ['id', 'next_change_id', 'timestamp'].find(
            (one) =>
              hourOf(call) === undefined &&
              call.query.has(one) &&
              !(one === 'timestamp' && Number(call.query.get(one)) % 3600 !== 0),
          );
          return name === undefined ? undefined : violation('/currency-exchange[/<realm>]/<id>', `?${name}=…`, call);
        },
      ),
  },
  {
    id: 'EXCHANGE-ID-002',
    level: 'MUST',
    sentence: 'The id of an exchange request is a timestamp taken from an earlier response.',
    source: '4.2',
    how: `Every id is looked for among the next_change_id values that came before. ${storedHow}`,
    judge: (run) =>
      fromReplies(
        run,
        'getCurrencyExchange',
        (call) => hourOf(call) ?? null,
        // 4.2: next_change_id is truncated to the hour; none has ever been 0.
        (id) => Number(id) > 0 && Number(id) % 3600 === 0,
      ),
  },
  {
    id: 'EXCHANGE-ID-004',
    level: 'ADVICE',
    sentence: 'The history begins without an id, or at one that a response gave: not at one computed from the clock.',
    source: '4.2',
    how: 'Hours of the last week are looked at with which first starts begin. One that no response gave, and with which a later world begins as well although the client had been led on from there, was not stored. That it was computed is inferred, so this never fails.',
    across: (runs) => {
      const begins = beginsIn(runs);
      const computed = begins.filter((one) => begins.some((other) => isAsIfNew(one, other)));
      return {
        ...each(computed, ({ call }) =>
          violation(
            'no id, or the last that a response gave',
            `${quote(hourOf(call))} in one world after another`,
            call,
          ),
        ),
        exercised: begins.length,
        ...(computed[0] && { world: computed[0].run.world.id }),
      };
    },
  },
  {
    id: 'EXCHANGE-ID-003',
    level: 'MUST',
    sentence: 'The id of an exchange request is a unix timestamp.',
    source: '4.2',
    how: 'The last segment of every exchange request is read; a realm stands there as well.',
    judge: (run) =>
      each(
        dataCalls(run).filter((call) => call.operation === 'getCurrencyExchange' && idSegment(call) !== undefined),
        (call) =>
          hourOf(call) === undefined || Number(hourOf(call)) > lastSecond
            ? violation('a unix timestamp', quote(idSegment(call)), call)
            : undefined,
      ),
  },
  {
    id: 'EXCHANGE-HOUR-001',
    level: 'MUST',
    sentence: 'Only past hours are available, never the current hour: none after them is asked for.',
    source: '4.2',
    how: "Every id is compared with the mock's clock. An hour that a reply of any world gave is allowed while it is current: the end of the history is one.",
    across: (runs) => {
      const asked = runs.flatMap((run) =>
        dataCalls(run)
          .filter((call) => call.operation === 'getCurrencyExchange' && Number(hourOf(call)) <= lastSecond)
          .map((call) => ({ call, run })),
      );
      const given = new Set(
        runs.flatMap((run) =>
          dataCalls(run)
            .filter((call) => call.operation === 'getCurrencyExchange' && !pastEnd(call))
            .map((call) => String(replyOf(call, 'next_change_id'))),
        ),
      );
      const isLate = ({ call }: (typeof asked)[number]): boolean => {
        const begin = Number(hourOf(call)) * 1000;
        return begin > call.clock + 5000 || (begin > call.clock - hour && !given.has(hourOf(call)!));
      };
      const late = asked.find(isLate);
      return {
        ...each(asked, (one) =>
          isLate(one)
            ? violation(
                'an hour that is over',
                `the hour that begins at ${new Date(Number(hourOf(one.call)) * 1000).toISOString()}, asked for at ${new Date(one.call.clock).toISOString()}`,
                one.call,
              )
            : undefined,
        ),
        ...(late && { world: late.run.world.id }),
      };
    },
  },
  {
    id: 'EXCHANGE-END-001',
    level: 'MUST',
    sentence: 'When next_change_id equals the id passed in, the client waits until the next hourly boundary.',
    source: '4.2',
    how: 'A request for the same hour again, before that hour is over, does not wait; several readers may come to it once each, and one after a reply that took more than a second is allowed. One that begins the history again after each of its ends does not wait either; two walks of which the last comes to the end are allowed.',
    judge: (run) =>
      each(
        walksOfClients(run, 'getCurrencyExchange')
          .flatMap((walk) =>
            walk.map((page, at) => ({ page, next: walk[at + 1], before: walk.slice(0, at + 1), walk })),
          )
          .filter(({ page }) => page.status === 200 && page.delivery === 'sent' && pastEnd(page)),
        ({ page, next, before, walk }) => {
          const anew = before.filter((one, at) => pastEnd(one) && isAnew(one, [...before, next][at + 1]));
          if (isAnew(page, next) && (anew.length > 2 || neverEnds(walk)))
            return violation(
              'nothing until the next hour',
              anew.length > 2 ? 'the history from its beginning, again and again' : 'the history from its beginning',
              page,
              next!,
            );
          if (!next || hourOf(next) !== hourOf(page)) return undefined;
          // Each reader of the history is led to its end once.
          const led = before.filter((one) => !pastEnd(one) && String(replyOf(one, 'next_change_id')) === hourOf(page));
          if (before.filter((one) => hourOf(one) === hourOf(page)).length < led.length) return undefined;
          // A reply that took so long may have come to nobody: this is its second try.
          if (page.end - page.at > replyTimeout) return undefined;
          return Math.floor(next.clock / hour) === Math.floor(page.clock / hour)
            ? violation(
                'nothing until the next hour',
                `the same hour again after ${(Math.max(0, next.at - page.end) / 1000).toFixed(1)} s`,
                page,
                next,
              )
            : undefined;
        },
      ),
  },
  {
    id: 'EXCHANGE-END-002',
    level: 'MUST',
    sentence: 'An hour without markets is not the end of the history: next_change_id leads on.',
    source: '4.2',
    how: 'In the world empty-hours a client that asks for at least two hours more of a realm in the worlds calm or quiet-hours must not end with success at one that has no markets, and whose next_change_id is another, unless it reads on after as many such hours; nor ask for it three times and never for what it leads to, where it asks for one hour more.',
    compares: ['quiet-hours', 'empty-hours'],
    across: (runs) => {
      const run = runs.find(({ world }) => world.id === 'empty-hours');
      if (!run?.ended || run.endings.some(({ how }) => how !== 'exit')) return { exercised: 0, violations: [] };
      const usual = runs
        .filter(({ world }) => world.id === 'calm' || world.id === 'quiet-hours')
        .flatMap((one) => walksOfClients(one, 'getCurrencyExchange'));
      const hourAt = (call: Call): string | null => hourOf(call) ?? null;
      const met = walksOfClients(run, 'getCurrencyExchange').filter((walk) => walk.some(isEmptyHour));
      const readPast = met.flatMap((walk) =>
        walk.flatMap((page) => (isEmptyHour(page) && isFollowed(page, walk, hourAt) ? emptyUpTo(page, walk) : [])),
      );
      const most = Math.max(0, ...readPast);
      const judged = each(met, (walk) => {
        const last = walk.at(-1)!;
        const same = walk.filter(({ path }) => path === last.path);
        const stays = same.length > 2 && !same.some((page) => isFollowed(page, walk, hourAt));
        return isEmptyHour(last) &&
          lengthOf(walk) + (stays ? 0 : 1) < longest(usual, last.realm) &&
          emptyUpTo(last, walk) > most
          ? violation(
              'the hour that next_change_id names',
              stays ? `the same hour ${same.length} times` : 'no further request',
              ...(stays ? same.slice(-3) : [last]),
            )
          : undefined;
      });
      // How far a client goes shows where no hour is empty: the history of the calm world has one early.
      const isKnown = judged.violations.length > 0 || runs.some(({ world }) => world.id === 'quiet-hours');
      return { ...judged, exercised: isKnown ? judged.exercised : 0, world: run.world.id };
    },
  },
  {
    id: 'EXCHANGE-RESUME-001',
    level: 'ADVICE',
    sentence: 'A second start reads the exchange history on from where the first one was.',
    source: '4.2',
    how: resumeHow,
    judge: (run) => resumed(run, 'getCurrencyExchange', (call) => hourOf(call) ?? null, 'the history'),
  },
  {
    id: 'EXCHANGE-RESUME-002',
    level: 'ADVICE',
    sentence: 'After an error the client asks for the same hour again, not for the history from its beginning.',
    source: '4.2',
    how: 'The request after an hour that was not answered with success is compared with it, where hours were read before.',
    judge: (run) => afterError(run, 'getCurrencyExchange', (call) => hourOf(call) ?? null, 'the history'),
  },
  {
    id: 'EXCHANGE-WALK-001',
    level: 'ADVICE',
    sentence: 'next_change_id leads from one hour to the next.',
    source: '4.2',
    how: 'The same hour, answered with another next_change_id, more than twice in a walk is no progress.',
    judge: (run) =>
      each(walks(run, 'getCurrencyExchange'), (walk) => {
        const stuck = groups(
          walk.filter((page) => page.status === 200 && !pastEnd(page)),
          ({ path }) => path,
        ).find((same) => same.length > 3 && same.at(-1)!.at - same[0]!.at > settled);
        return stuck && violation('the next hour', `the same one ${stuck.length} times`, ...stuck.slice(0, 3));
      }),
  },
];
