import fc from 'fast-check';
import type { Arbitrary } from 'fast-check';

import { check } from '../../engine/check.js';
import type { Run } from '../../engine/run.js';
import { gHour, gWithinHour } from '../../generators/stream.js';
import {
  askHour,
  chainOf,
  digestOf,
  exchangeRealms,
  hour,
  markOf,
  marketsText,
  readHour,
  startOfHour,
  walkChain,
} from '../../model/exchange.js';
import type { Digest } from '../../model/exchange.js';
import { firstNext } from './exchange-history.js';

interface Hour {
  readonly realm: string;
  readonly id: number;
}

/** The hours that the chains handed out, ends left out; *not exercised* where there are none. */
async function hoursOf(run: Run): Promise<Arbitrary<Hour>> {
  const found: Arbitrary<Hour>[] = [];
  for (const realm of exchangeRealms) {
    const { links } = await chainOf(run, realm);
    const hours = links.flatMap(({ asked, next }) => (asked === undefined || asked === next ? [] : [asked]));
    if (hours.length > 0) found.push(gHour(hours).map((id) => ({ realm, id })));
  }
  if (found.length === 0) run.expect.notExercised('the history has one hour at most');
  return fc.oneof(...found);
}

/** A few hours with markets, none of the last ones: nothing says when those are complete. */
async function settledHours(run: Run): Promise<readonly Hour[]> {
  const found = new Map<string, Hour>();
  for (const realm of exchangeRealms) {
    const current = startOfHour(await run.facts.now());
    for (const walk of [await walkChain(run, realm, current - 8 * hour, 20), await chainOf(run, realm)]) {
      const latest = (walk.end ?? current) - 3 * hour;
      const full = walk.links.filter(({ asked = Infinity, count }) => count > 0 && asked <= latest);
      for (const { asked: id = 0 } of [...full.slice(0, 1), ...full.slice(-2)])
        found.set(`${realm} ${id}`, { realm, id });
    }
  }
  return [...found.values()];
}

/** What an hour that is over says, now and later, by its id and by one within it. */
export const closedHours = [
  check({
    id: 'CX-009',
    level: 'INFER',
    sentence: 'Hours that are over do not change: asked twice, the markets are the same.',
    source: '4.2',
    entailed: '4.2: a digest is of an hour that is over; asked twice it is one fact',
    gap: 'K-120',
    needs: ['client:service', 'flag:F-CX'],
    judge: async (run) => {
      await run.expect.property('completed hour', await hoursOf(run), { share: 0.12 }, async ({ id, realm }) => {
        const { links } = await chainOf(run, realm);
        const before = await readHour(run, id, realm);
        const after = await readHour(run, id, realm);
        // The walk had asked for the same hour.
        const mark = links.find(({ asked }) => asked === id)?.mark ?? markOf(after.markets);
        const same = new Set([mark, markOf(before.markets), markOf(after.markets)]).size === 1;
        // Pruned in between: then the history begins later than this hour.
        if (!same && (await firstNext(run, realm)) > id + hour) return;
        run.expect.that(
          same,
          `the same markets for hour ${id} of realm ${realm} each time`,
          'other ones',
          after.answer,
        );
      });
    },
  }),

  check({
    id: 'CX-014',
    level: 'INFER',
    sentence:
      'An hour that is over has no other markets a day later: entries are removed, and none is added or changed.',
    source: '4.2',
    entailed: '4.2: a digest is of an hour that is over; asked later it is one fact',
    gap: 'K-120',
    needs: ['client:service', 'clock', 'flag:F-CX'],
    phase: 'clock',
    judge: async (run) => {
      const hours = await settledHours(run);
      if (hours.length === 0) run.expect.notExercised('no hour of before the last ones has markets');
      const marksOf = (digest: Digest | undefined): string[] => (digest?.markets ?? []).map((one) => markOf([one]));
      const ask = async ({ id, realm }: Hour) => digestOf(await askHour(run, id, realm));
      const before = await run.http.atOnce(hours, async (one) => ({ ...one, marks: new Set(marksOf(await ask(one))) }));
      await run.facts.advance(25 * hour, Infinity);
      let compared = 0;
      await run.expect.each('hour $id of realm $realm', before, async ({ marks, ...one }) => {
        const digest = await ask(one);
        // Entries may be removed since, and none is added or changed.
        const isLeft = marksOf(digest).every((mark) => marks.has(mark));
        // Pruned since: then the history begins later than this hour.
        if (!digest || (!isLeft && (await firstNext(run, one.realm)) > one.id + hour)) return;
        compared += 1;
        run.expect.that(
          isLeft,
          `no market in hour ${one.id} that was not there a day ago`,
          'another one',
          digest.answer,
        );
      });
      if (compared === 0) run.expect.notExercised('no hour of a day ago is kept');
    },
  }),

  check({
    id: 'CX-010',
    level: 'INFER',
    sentence: 'An id within an hour is refused with 4xx or stands for the whole hour.',
    source: '4.2',
    plausible: 'an id is one that an earlier response gave; what others give is not stated',
    gap: 'K-053',
    needs: ['client:service', 'flag:F-CX'],
    judge: async (run) => {
      await run.expect.property(
        'id within an hour',
        fc.record({ of: await hoursOf(run), second: gWithinHour }),
        { share: 0.12 },
        async ({ of: { id, realm }, second }) => {
          const answer = await askHour(run, id + second, realm);
          run.expect.status(answer, '2xx', '4xx');
          const digest = digestOf(answer);
          if (!digest) return;
          const whole = await readHour(run, id, realm);
          const same = digest.next === whole.next && marketsText(digest.markets) === marketsText(whole.markets);
          if (!same && (await firstNext(run, realm)) > id + hour) return;
          run.expect.that(
            same,
            `realm ${realm}: 4xx, or the answer for ${id}`,
            { next_change_id: digest.next },
            answer,
          );
        },
      );
    },
  }),
];
