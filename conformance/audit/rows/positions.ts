import { replyOf } from '../call.js';
import type { Call } from '../call.js';
import type { Finding } from '../row.js';
import { each, groups, quote, violation } from '../row.js';
import type { WorldRun } from '../run.js';
import { pagesOf } from './requests.js';

/** Reads the position in a stream that a request asks for; null for its beginning. */
type Position = (call: Call) => string | null;

const nextOf = (call: Call): string => String(replyOf(call, 'next_change_id'));
const isRead = (call: Call): boolean => call.status === 200 && call.delivery === 'sent';

/** Whether each position came from a reply; one with which a walk begins may be of another day, where `maybe` says so. */
export function fromReplies(
  run: WorldRun,
  operation: Call['operation'],
  idOf: Position,
  maybe: (id: string) => boolean,
): Finding {
  const pages = pagesOf(run, operation);
  const isKnown = (call: Call): boolean =>
    // The end of a stream answers with the id that was passed in, wherever that came from.
    pages.some((one) => one.number < call.number && nextOf(one) === idOf(call) && idOf(one) !== idOf(call));
  const asked = pages.filter((call) => idOf(call) !== null);
  const begins = groups(pages, ({ start, realm, bearer }) => `${start} ${realm} ${bearer}`).map(([first]) => first!);
  const read = (call: Call): boolean =>
    pages.some(
      (one) => one.number < call.number && one.start === call.start && one.realm === call.realm && isRead(one),
    );
  const stored = new Set(
    begins
      .filter((call) => idOf(call) !== null && !isKnown(call) && !read(call) && maybe(idOf(call)!))
      .map((call) => `${call.realm} ${idOf(call)}`),
  );
  return {
    ...each(
      asked.filter((call) => !stored.has(`${call.realm} ${idOf(call)}`)),
      (call) => (isKnown(call) ? undefined : violation('an id from an earlier response', quote(idOf(call)), call)),
    ),
    ...(stored.size > 0 && {
      obstacle:
        'the client began with an id that no reply gave: begin without one, or keep the last below GAMEDATA_STATE',
    }),
  };
}

/** So many pages read since show that a position was not stored again. */
const behind = 3;

/** Whether a second start goes on where the first one was. */
export function resumed(run: WorldRun, operation: Call['operation'], idOf: Position, what: string): Finding {
  const nothing = { exercised: 0, violations: [] };
  const [ending] = run.endings;
  // What a client that died had not yet stored is another matter.
  if (ending?.stored === false || ending?.how === 'signal' || (ending?.how === 'exit' && ending.code !== 0))
    return nothing;
  const read = pagesOf(run, operation).filter(isRead);
  return each(
    groups(
      pagesOf(run, operation).filter(({ start }) => start === 2),
      ({ realm }) => realm ?? '',
    ).flatMap(([call]) => {
      const before = read.filter(({ start, realm }) => start === 1 && realm === call?.realm);
      return call && before.length > 0 ? [{ call, before }] : [];
    }),
    ({ call, before }) => {
      const last = before.at(-1)!;
      const id = idOf(call);
      if (id === null)
        return violation(`${what} from ${quote(nextOf(last))}`, `${what} from its beginning`, last, call);
      const isFirst = before.findIndex((page) => nextOf(page) === id) === 0 && before.length - 1 >= behind;
      return isFirst && new Set(before.map(nextOf)).size > behind
        ? violation(
            `${what} from ${quote(nextOf(last))}`,
            `${quote(id)} again, which ${before.length} pages follow`,
            last,
            call,
          )
        : undefined;
    },
  );
}

/** Whether a client that met an error asks for the same page again. */
export function afterError(run: WorldRun, operation: Call['operation'], idOf: Position, what: string): Finding {
  const walks = groups(pagesOf(run, operation), ({ start, realm }) => `${start} ${realm}`);
  const errors = walks.flatMap((walk) =>
    walk.flatMap((call, at) => {
      const next = walk[at + 1];
      const isError = (call.status ?? 500) >= 400 || call.delivery !== 'sent';
      return isError && idOf(call) !== null && next && next.at >= call.at && walk.slice(0, at).some(isRead)
        ? [{ call, next }]
        : [];
    }),
  );
  return each(errors, ({ call, next }) =>
    idOf(next) === null
      ? violation(`${what} from ${quote(idOf(call))} again`, `${what} from its beginning`, call, next)
      : undefined,
  );
}
