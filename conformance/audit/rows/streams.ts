import { replyOf } from '../call.js';
import type { Call } from '../call.js';
import { each, groups, quote, violation } from '../row.js';
import type { AuditRow } from '../row.js';
import type { WorldRun } from '../run.js';
import { afterError, fromReplies, resumed } from './positions.js';
import { dataCalls, isPage, pagesOf } from './requests.js';
import { walksOfClients, walks, idOf, isEmpty, lengthOf, longest, isFollowed, storedHow, resumeHow } from './walks.js';

/** Each page of the stash stream that came, with the request after it. */
const steps = (run: WorldRun, operation: Call['operation']): { page: Call; next: Call }[] =>
  walks(run, operation)
    .flatMap((walk) => walk.slice(1).map((next, at) => ({ page: walk[at]!, next })))
    .filter(({ page }) => page.status === 200 && page.delivery === 'sent');

/** The ids of the stashes on a page. */
const stashesOf = (call: Call): string[] => {
  const stashes = replyOf(call, 'stashes');
  return Array.isArray(stashes) ? (stashes as { id: string }[]).map(({ id }) => id) : [];
};

/** Whether a page holds stashes, and fewer than one before it in the walk. */
const isShorter = (page: Call, at: number, walk: readonly Call[]): boolean =>
  stashesOf(page).length > 0 && walk.slice(0, at).some((one) => stashesOf(one).length > stashesOf(page).length);

const isStash = (run: WorldRun, id: string): boolean =>
  dataCalls(run).some((call) => call.operation === 'getPublicStashTabs' && stashesOf(call).includes(id));

export const streams: readonly AuditRow[] = [
  {
    id: 'STREAM-ID-001',
    level: 'MUST',
    sentence: 'next_change_id is passed as id.',
    source: '4.2',
    how: 'The request after a page with stashes must not carry next_change_id under another name.',
    judge: (run) =>
      each(
        steps(run, 'getPublicStashTabs').filter(({ page }) => !isEmpty(page)),
        ({ page, next }) => {
          if (idOf(next) === replyOf(page, 'next_change_id')) return undefined;
          const [, stray] =
            [...next.query]
              .map(([name, value]) => [value, name] as const)
              .find(
                ([value, name]) =>
                  name !== 'id' && (name === 'next_change_id' || value === replyOf(page, 'next_change_id')),
              ) ?? [];
          return stray === undefined ? undefined : violation(`id=<next_change_id>`, `${stray}=…`, page, next);
        },
      ),
  },
  {
    id: 'STREAM-ID-002',
    level: 'MUST',
    sentence: 'id is a pagination code taken from an earlier response.',
    source: '4.2',
    how: `Every id is looked for among the next_change_id values that came before. ${storedHow}`,
    judge: (run) =>
      fromReplies(run, 'getPublicStashTabs', idOf, (id) => /^(?=.*[1-9])[\w-]{8,}$/.test(id) && !isStash(run, id)),
  },
  {
    id: 'STREAM-ID-003',
    level: 'ADVICE',
    sentence: 'A page that was read is not read again and again: next_change_id leads on.',
    source: '4.2',
    how: 'The same page, with stashes, more than twice in a walk is no progress; the first page counts where nothing else was read meanwhile.',
    judge: (run) => {
      const pages = pagesOf(run, 'getPublicStashTabs').filter(
        (call) => call.status === 200 && call.delivery === 'sent',
      );
      const walked = groups(pages, ({ realm, start }) => `${start} ${realm}`).filter((walk) => walk.length > 1);
      return each(walked, (walk) => {
        const again = groups(
          walk.filter((call) => !isEmpty(call)),
          (call) => idOf(call) ?? '',
        ).find((same) => {
          if (same.length < 3) return false;
          const others = walk.some(
            (call) => idOf(call) !== idOf(same[0]!) && call.at > same[0]!.at && call.at < same.at(-1)!.at,
          );
          return idOf(same[0]!) !== null || !others;
        });
        return again && violation('the next page', `the same page ${again.length} times`, ...again.slice(0, 3));
      });
    },
  },
  {
    id: 'STREAM-ID-004',
    level: 'ADVICE',
    sentence: 'A pagination code leads on in the realm whose stream gave it.',
    source: '4.2',
    how: 'Every id that a reply gave before is compared with the realms of those replies. The path names the realm of a stream, and nothing says that a code is good in two of them.',
    judge: (run) => {
      const pages = dataCalls(run).filter(({ operation }) => operation === 'getPublicStashTabs');
      const given = pages.map((call) => ({
        call,
        realms: pages
          .filter((one) => one.number < call.number && replyOf(one, 'next_change_id') === idOf(call))
          .map(({ realm }) => realm),
      }));
      return each(
        given.filter(({ realms }) => realms.length > 0),
        ({ call, realms }) =>
          realms.includes(call.realm)
            ? undefined
            : violation(`a code of the stream of ${call.realm ?? 'pc'}`, `one of that of ${realms[0] ?? 'pc'}`, call),
      );
    },
  },
  {
    id: 'STREAM-END-001',
    level: 'ADVICE',
    sentence: 'At the end of the stream the client polls again with the same next_change_id.',
    source: '4.2',
    how: 'The request after an empty page is compared with it.',
    judge: (run) => {
      const ends = steps(run, 'getPublicStashTabs').filter(({ page }) => isEmpty(page));
      // One walk may follow another; whoever begins anew twice does not poll.
      const anew = ends.filter(({ next }) => idOf(next) === null);
      return each(ends, ({ page, next }) => {
        const wanted = String(replyOf(page, 'next_change_id'));
        if (idOf(next) === wanted || (idOf(next) === null && anew.length < 2)) return undefined;
        // Between the two it may have read on with another token.
        const isLed = pagesOf(run, 'getPublicStashTabs').some(
          (one) =>
            one.number > page.number && one.number < next.number && replyOf(one, 'next_change_id') === idOf(next),
        );
        if (isLed) return undefined;
        return violation(quote(wanted), quote(idOf(next)), page, next);
      });
    },
  },
  {
    id: 'STREAM-END-002',
    level: 'ADVICE',
    sentence: 'At the end of the stream the client pauses before it polls again.',
    source: 'observed',
    how: 'Polls at the end that follow a reply within 0.3 seconds are counted; three are allowed.',
    judge: (run) => {
      const polls = steps(run, 'getPublicStashTabs').filter(({ page }) => isEmpty(page));
      const soon = polls.filter(({ page, next }) => next.at - page.end < 300);
      return {
        exercised: polls.length,
        violations:
          soon.length > 3
            ? [violation('a pause', `${soon.length} polls at once`, ...soon.slice(0, 3).map(({ next }) => next))]
            : [],
      };
    },
  },
  {
    id: 'STREAM-END-003',
    level: 'MUST',
    sentence: 'A page with stashes is not the end of the stream, however few there are.',
    source: '4.2',
    how: 'In the world even-pages all pages hold the same number of stashes; elsewhere they vary. A client that asks for at least two pages more of a realm there must not end with success in the calm world at one that holds fewer than another before it, unless it reads on after one with as few.',
    compares: ['even-pages'],
    across: (runs) => {
      const [calm, even] = ['calm', 'even-pages'].map((id) => runs.find(({ world }) => world.id === id));
      if (!calm?.ended || !even?.ended || [...calm.endings, ...even.endings].some(({ how }) => how !== 'exit'))
        return { exercised: 0, violations: [] };
      const usual = walksOfClients(even, 'getPublicStashTabs');
      const met = walksOfClients(calm, 'getPublicStashTabs').filter((walk) => walk.some(isShorter));
      // Whoever reads on after so few has stopped for another reason.
      const readPast = met.flatMap((walk) =>
        walk.filter((page, at) => isShorter(page, at, walk) && isFollowed(page, walk, idOf)),
      );
      const fewest = Math.min(Infinity, ...readPast.map((page) => stashesOf(page).length));
      return {
        ...each(met, (walk) => {
          const last = walk.at(-1)!;
          return isShorter(last, walk.length - 1, walk) &&
            lengthOf(walk) + 1 < longest(usual, last.realm) &&
            stashesOf(last).length < fewest
            ? violation('the page that next_change_id leads to', 'no further request', last)
            : undefined;
        }),
        world: 'calm',
      };
    },
  },
  {
    id: 'STREAM-RESUME-001',
    level: 'ADVICE',
    sentence: 'A second start reads the stream on from where the first one was.',
    source: '4.2',
    how: resumeHow,
    judge: (run) => resumed(run, 'getPublicStashTabs', idOf, 'the stream'),
  },
  {
    id: 'STREAM-RESUME-002',
    level: 'ADVICE',
    sentence: 'After an error the client asks for the same page again, not for the stream from its beginning.',
    source: '4.2',
    how: 'The request after a page that was not answered with success is compared with it, where pages were read before.',
    judge: (run) => afterError(run, 'getPublicStashTabs', idOf, 'the stream'),
  },
  {
    id: 'STREAM-CUT-001',
    level: 'ADVICE',
    sentence: 'A page that broke off is not taken for read: it is asked for again before what follows it.',
    source: 'RFC 9112 8',
    how: 'Where a page of a stream came shorter than its length, the next request to that stream must not be for the id that it names.',
    judge: (run) =>
      each(
        dataCalls(run).flatMap((call) => {
          const next = dataCalls(run).find(
            (one) => one.number > call.number && one.operation === call.operation && one.realm === call.realm,
          );
          return isPage(call) && call.delivery === 'cut' && next ? [{ call, next }] : [];
        }),
        ({ call, next }) =>
          next.target === call.target ? undefined : violation('the same page again', 'a page behind it', call, next),
      ),
  },
];
