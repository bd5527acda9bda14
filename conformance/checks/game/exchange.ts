import { check, group, observation } from '../../engine/check.js';
import type { Run } from '../../engine/run.js';
import {
  askHour,
  chainOf,
  digestOf,
  endOfExchange,
  exchangeRealms,
  exists,
  faultOf,
  hour,
  marketsText,
  mostHours,
  readHour,
  startOfHour,
  walkChain,
} from '../../model/exchange.js';
import { areAll } from '../../model/schema.js';
import { closedHours } from './exchange-hours.js';
import {
  comesBefore,
  coversHistory,
  currentIsClosed,
  staysAsItWas,
  firstById,
  firstNext,
  leaguesOfRealm,
  marketsAfter,
  nothingBefore,
} from './exchange-history.js';

/** Where the stream of a realm ends by now; undefined where no walk comes to the end. */
async function endNow(run: Run, realm: string): Promise<number | undefined> {
  // The last hours lead there as well, and on the way from the first one there are many by now.
  const recent = startOfHour(await run.facts.now()) - 6 * hour;
  const { end } = await walkChain(run, realm, recent, 20);
  // An id that no answer gave may be answered in any way, with itself too: only one that leads on shows the end.
  return end === undefined || end === recent ? endOfExchange(run, realm) : end;
}

/** Where the stream of a realm ends by now that has had every one of the last hours; undefined for any other. */
async function steadyEnd(run: Run, realm: string): Promise<number | undefined> {
  const { links, end } = await walkChain(run, realm, startOfHour(await run.facts.now()) - 6 * hour, 20);
  const steps = links.slice(0, -1);
  return steps.length > 2 && steps.every(({ asked = 0, next }) => next - asked === hour) ? end : undefined;
}

/** How long after its end an hour may take to show, in seconds. */
const lag = 600;

export default group('game/exchange', [
  check({
    id: 'CX-001',
    level: 'MUST',
    sentence:
      'GET /currency-exchange returns `next_change_id`, an unsigned integer and no string, and `markets`, an array.',
    source: '4.2',
    gap: 'K-056',
    needs: ['client:service', 'flag:F-CX'],
    judge: async (run) => {
      const { answer, markets } = await readHour(run);
      areAll(run, 'ExchangeMarket', markets, answer);
    },
  }),

  check({
    id: 'CX-003',
    level: 'MUST',
    sentence: 'Without id the first hour of history is assumed.',
    source: '4.2',
    gap: 'K-053',
    needs: ['client:service', 'flag:F-CX'],
    judge: async (run) => {
      exists(run);
      const { links } = await chainOf(run, 'pc');
      const smallest = Math.min(...links.slice(1).map(({ next }) => next));
      const first = await readHour(run);
      // The walk may be older than this answer: a first hour that was pruned since makes way for a later one.
      run.expect.that(
        links.length < 2 || links[0]!.next <= smallest,
        'the smallest next_change_id of the chain without an id',
        links[0]?.next,
        first.answer,
      );
      for (const realm of exchangeRealms) await nothingBefore(run, realm);
      const judged = new Set<string>();
      for (const realm of exchangeRealms) if (await firstById(run, realm)) judged.add(realm);
      const known = run.facts.target.known.first_hour;
      if (known === undefined || judged.has('pc')) return;
      for (let attempt = 0; ; attempt += 1) {
        const here = await readHour(run);
        const answer = await askHour(run, known);
        const there = digestOf(answer);
        if (there && there.next === here.next && marketsText(there.markets) === marketsText(here.markets)) {
          run.expect.that(true, `the answer for ${known}`, undefined);
          return;
        }
        if (attempt < 2 && (await firstNext(run)) !== here.next) continue;
        // Where the hour has been pruned, nothing before the first hour has markets any more.
        let id = known;
        for (let step = 0; step < 30 && id < here.next; step += 1) {
          const digest = digestOf(await askHour(run, id));
          const earlier = digest !== undefined && comesBefore(digest, here);
          run.expect.that(
            !earlier,
            `without id the first hour of history: that of ${known}, which goes on at ${digest?.next}`,
            `an hour that goes on at ${here.next}`,
            here.answer,
          );
          if (!digest || digest.next <= id) break;
          id = digest.next;
        }
        const why = here.next - hour === known ? 'cannot be asked for by its id' : 'is no longer part of the history';
        run.expect.notExercised(`the hour ${known} ${why}: without id the history goes on at ${here.next}`);
      }
    },
  }),

  check({
    id: 'CX-004',
    level: 'MUST',
    sentence: 'A next_change_id is a valid id for the next call, and away from the end ids grow by whole hours.',
    source: '4.2',
    gap: 'K-053',
    needs: ['client:service', 'flag:F-CX'],
    requests: exchangeRealms.length * mostHours,
    judge: async (run) => {
      const chains = await run.http.atOnce(exchangeRealms, async (realm) => ({
        realm,
        ...(await chainOf(run, realm)),
      }));
      for (const { realm, links, broken } of chains) {
        run.expect.that(
          broken === undefined,
          `an hour for every next_change_id, realm ${realm}`,
          faultOf(broken),
          broken,
        );
        for (const { asked, next } of links) {
          const first = asked === undefined;
          run.expect.that(
            next % hour === 0 && (first || next === asked || next - asked >= hour),
            `realm ${realm}: a next_change_id that is whole hours later than ${asked ?? 'nothing'}`,
            next,
          );
        }
      }
      if ((await chainOf(run, 'pc')).links.length < 2) run.expect.notExercised('the history has one hour at most');
    },
  }),

  check({
    id: 'CX-005',
    level: 'MUST',
    sentence: 'At the end of the stream next_change_id is the id that was passed.',
    source: '4.2',
    needs: ['client:service', 'flag:F-CX'],
    judge: async (run) => {
      for (const realm of exchangeRealms) {
        const { links, broken } = await chainOf(run, realm);
        const end = await endOfExchange(run, realm);
        if (end === undefined) {
          const last = links.at(-1);
          run.expect.that(
            links.length >= mostHours,
            `realm ${realm}: an end of the stream, where next_change_id is the id passed in`,
            broken
              ? `${faultOf(broken)}${last ? ` after ${last.next}` : ', for the first request'}`
              : `${last?.next} after ${last?.asked ?? 'the first request'}`,
            broken,
          );
          if (realm === 'pc') run.expect.notExercised(`the stream has no end within ${links.length} hours`);
          continue;
        }
        let id = end;
        for (let round = 0; round < 3; round += 1) {
          const { answer, next } = await readHour(run, id, realm);
          // A full hour may have ended meanwhile, and then the stream goes on.
          if (next === id + hour && next <= startOfHour(await run.facts.now())) id = next;
          else run.expect.that(next === id, `realm ${realm}: next_change_id ${id}, as it was passed in`, next, answer);
        }
      }
    },
  }),

  check({
    id: 'CX-006',
    level: 'MUST',
    sentence:
      'The current hour is never available: next_change_id is not after its start, and asking for it gives no markets.',
    source: '4.2,8',
    needs: ['client:service', 'flag:F-CX'],
    phase: 'clock',
    judge: async (run) => {
      await readHour(run);
      const claimed = await run.http.atOnce(exchangeRealms, (realm) => currentIsClosed(run, realm));
      if (!run.facts.hooks.clock) return;
      // Late in the hour, when a time that is rounded is that of the hour after it.
      const now = await run.facts.now();
      const late = startOfHour(now) + 3000 - now;
      await run.facts.advance(Math.ceil(late > 0 ? late : late + hour));
      const claimedLate = await run.http.atOnce(exchangeRealms, (realm) => currentIsClosed(run, realm));
      const hours = [...claimed, ...claimedLate].filter((one) => one !== undefined);
      if (hours.length === 0) return;
      await run.facts.advance(hour);
      for (const one of hours) await staysAsItWas(run, one);
    },
  }),

  check({
    id: 'CX-007',
    level: 'MUST',
    sentence: 'After the next full hour the former end gives the hour that is over.',
    source: '4.2',
    needs: ['client:service', 'clock', 'flag:F-CX'],
    phase: 'clock',
    requests: mostHours + 80 * exchangeRealms.length,
    judge: async (run) => {
      exists(run);
      if (!run.facts.hooks.clock) run.expect.missing('a hook for the clock (clock)');
      const end = await endNow(run, 'pc');
      if (end === undefined) return run.expect.notExercised('the walk did not come to the end of the stream');
      // One that passes over no hour, and ends where that of pc does, moves on with it. Another may be quiet for long.
      const ends = new Map([['pc', end]]);
      for (const realm of exchangeRealms) if ((await steadyEnd(run, realm)) === end) ends.set(realm, end);
      // An id may be that of the hour before the one that it is answered with (K-053); the declared first hour tells.
      const { first_hour } = run.facts.target.known;
      const before =
        first_hour === undefined
          ? startOfHour(await run.facts.now()) - hour === end
          : (await firstNext(run)) === first_hour;
      let current = 0;
      const late = new Set<string>();
      const look = async (isLate: boolean): Promise<void> => {
        for (const [realm, former] of ends) {
          const walk = await walkChain(run, realm, former, 20);
          const arrived = walk.end === current || (before && walk.end === current - hour);
          if (walk.end !== former && arrived) ends.delete(realm);
          else ends.set(realm, walk.end ?? former);
          if (isLate && !ends.has(realm)) late.add(realm);
        }
      };
      // A stream that passes over quiet hours may have no news after one hour.
      for (let hours = 0; hours < 8 && ends.size > 0; hours += 1) {
        const now = await run.facts.now();
        await run.facts.advance(Math.ceil(startOfHour(now) + hour - now) + 5);
        current = startOfHour(await run.facts.now());
        await look(false);
        if (ends.size === 0) break;
        // Nothing says that an hour is there as soon as it is over.
        await run.facts.advance(lag);
        await look(true);
      }
      if (late.size > 0)
        run.expect.warn(`an hour shows only up to ${lag / 60} minutes after its end: realm ${[...late].join(', ')}`);
      for (const realm of exchangeRealms) {
        const stuck = ends.get(realm);
        run.expect.that(
          stuck === undefined,
          `realm ${realm}: an end at ${current}, once the hour is over, from the id of the former end`,
          `one at ${stuck}`,
        );
      }
    },
  }),

  check({
    id: 'CX-008',
    level: 'INFER',
    sentence: 'An hour without activity has no markets and is not the end.',
    source: '4.2',
    entailed: '4.2: markets with activity are returned, and the end is where nothing comes after',
    gap: 'K-053',
    needs: ['client:service', 'flag:F-CX'],
    judge: async (run) => {
      exists(run);
      const known = run.facts.target.known.quiet_hour;
      const { links, end } = await chainOf(run, 'pc');
      const quiet = links.filter(({ asked, count, next }) => asked !== undefined && count === 0 && asked !== next);
      for (const { asked } of quiet.slice(0, 3)) run.expect.that(true, 'an hour without markets that leads on', asked);
      if (known !== undefined) {
        const answer = await askHour(run, known);
        const digest = digestOf(answer);
        if (digest) {
          run.expect.that(
            digest.next !== known,
            'a next_change_id other than the quiet hour that was asked for',
            digest.next,
            answer,
          );
          // An id may be that of the hour that begins with it or ends with it, and a stream may pass over quiet hours (K-053).
          const around = [known, known + 3600].map((id) => links.find(({ asked }) => asked === id)?.count);
          run.expect.that(
            around.some((count) => count === undefined || count === 0),
            'no markets for the declared quiet hour, whether its id is that of its start or of its end',
            `${around.join(' and ')} markets`,
            answer,
          );
          if (digest.markets.length > 0)
            run.expect.note(`the declared quiet hour has ${digest.markets.length} markets`);
        } else run.expect.note(`the declared quiet hour: status ${answer.status}`);
      }
      if (end !== undefined) {
        const found = await marketsAfter(run, end, 6);
        run.expect.that(found === undefined, `no markets after ${end}, where the stream says that it ends`, found);
      }
      if (known === undefined && quiet.length === 0) run.expect.notExercised('no hour of the history is quiet');
    },
  }),

  ...closedHours,

  check({
    id: 'CX-011',
    level: 'MUST',
    sentence: 'xbox, sony and game2 are accepted as the realm of the exchange, with and without id.',
    source: '4.2',
    gap: 'K-020',
    needs: ['client:service', 'flag:F-CX'],
    judge: async (run) => {
      for (const realm of ['xbox', 'sony', 'game2']) {
        const first = await readHour(run, undefined, realm);
        run.expect.status(first.answer, 200);
        const { answer } = await readHour(run, first.next, realm);
        run.expect.status(answer, 200);
        // Equal histories of two realms are possible, and yet nothing that trade would bring about.
        const [here, there] = [(await chainOf(run, realm)).links, (await chainOf(run, 'pc')).links];
        const busy = here.filter(({ count }) => count > 0);
        const other = new Map(there.map((link) => [link.asked, link.mark]));
        const equal = busy.filter(({ asked, mark }) => other.get(asked) === mark);
        if (busy.length > 2 && equal.length === busy.length) {
          await leaguesOfRealm(run, realm, busy[0]!.asked);
          run.expect.warn(`all ${busy.length} hours of realm ${realm} with markets have those of realm pc`, answer);
        }
        if (busy.length > 2 && new Set(busy.map(({ mark }) => mark)).size === 1)
          run.expect.warn(`all ${busy.length} hours of realm ${realm} with markets have the same markets`, answer);
      }
    },
  }),

  observation({
    id: 'CX-012',
    sentence: 'What an id in the future, before the kept history, negative or non-numeric gives is not stated.',
    source: '4.2',
    gap: 'K-053',
    needs: ['client:service', 'flag:F-CX'],
    observe: async (run, note) => {
      exists(run);
      const future = startOfHour(await run.facts.now()) + 48 * hour;
      const cases: readonly (readonly [string, number | string])[] = [
        ['a future hour', future],
        ['the hour 0', 0],
        ['a negative id', -hour],
        ['an id that is no number', 'cx-none'],
        ['the year 10000', 253402300800],
        ['an id in milliseconds', '99999999999600'],
        ['an id of 20 digits', '99999999999999999600'],
      ];
      for (const [what, id] of cases) {
        const answer = await askHour(run, id);
        const digest = digestOf(answer);
        note(`${what}: status ${answer.status}, ${digest?.markets.length ?? 'no'} markets`);
        if (id === future && digest && digest.markets.length > 0) run.expect.warn('a future hour has markets', answer);
      }
    },
  }),

  check({
    id: 'CX-013',
    level: 'INFER',
    sentence: 'The chain from the first hour to the end shows every hour with activity exactly once.',
    source: '4.2',
    entailed:
      '4.2: each market with activity in an hour is returned, and next_change_id leads from the first hour to the end',
    needs: ['client:service', 'clock', 'flag:F-CX'],
    requests: mostHours,
    judge: async (run) => {
      let busy = false;
      let walked = 0;
      for (const realm of exchangeRealms) {
        const chain = await chainOf(run, realm);
        if (chain.links.length >= mostHours || chain.broken || chain.end === undefined) continue;
        walked += 1;
        await coversHistory(run, realm, chain);
        busy ||= chain.links.some(({ count }) => count > 0);
      }
      if (walked === 0) run.expect.notExercised('no walk came to the end of a stream');
      if (!busy) run.expect.notExercised('no hour of a chain has markets');
    },
  }),
]);
