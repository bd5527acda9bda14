import { replyOf } from '../call.js';
import type { Call } from '../call.js';
import { groups } from '../row.js';
import type { WorldRun } from '../run.js';
import { pagesOf } from './requests.js';

/** The pages of a stream that were asked for, and not refused. */
const answeredPages = (run: WorldRun, operation: Call['operation']): Call[] =>
  pagesOf(run, operation).filter(({ status }) => status === 200 || status === null);

/** What a client reads of a stream in a start, whatever its tokens: one may be replaced between two pages. */
export const walksOfClients = (run: WorldRun, operation: Call['operation']): Call[][] =>
  groups(answeredPages(run, operation), ({ realm, start, client }) => `${start} ${realm} ${client}`);

/** Who reads is told by its token; where each request has one of its own, there is one reader. */
export function walks(run: WorldRun, operation: Call['operation']): Call[][] {
  const read = answeredPages(run, operation);
  const readers = groups(read, ({ realm, start, bearer }) => `${start} ${realm} ${bearer}`);
  return readers.every((walk) => walk.length === 1) ? groups(read, ({ realm, start }) => `${start} ${realm}`) : readers;
}

export const idOf = (call: Call): string | null => call.query.get('id');

export const isEmpty = (call: Call): boolean =>
  Array.isArray(replyOf(call, 'stashes')) && (replyOf(call, 'stashes') as unknown[]).length === 0;

/** The hour in the path of an exchange request. */
export const hourOf = ({ path }: Call): string | undefined => /\/(\d+)$/.exec(path)?.[1];

export const pastEnd = (call: Call): boolean =>
  hourOf(call) !== undefined && String(replyOf(call, 'next_change_id')) === hourOf(call);

/** Whether a reply says that a stream has come to its end for now. */
export const isEnd = (call: Call): boolean => isEmpty(call) || pastEnd(call);

/** How many pages a walk asks for; one that is asked for again counts once. */
export const lengthOf = (walk: readonly Call[]): number =>
  new Set(walk.map((call) => (call.operation === 'getCurrencyExchange' ? call.path : (idOf(call) ?? '')))).size;

/** The longest walk in a realm. */
export const longest = (walks: readonly Call[][], realm: Call['realm']): number =>
  Math.max(0, ...walks.filter(([first]) => first!.realm === realm).map(lengthOf));

/** Whether what a page leads to is asked for in its walk. */
export const isFollowed = (page: Call, walk: readonly Call[], positionOf: (call: Call) => string | null): boolean => {
  const next = String(replyOf(page, 'next_change_id'));
  return walk.some((one) => one.number > page.number && positionOf(one) === next);
};

export const storedHow =
  'One with which a walk begins, in a start and a realm, may have been stored on another day, and is not judged.';

export const resumeHow =
  'The first id of a second start is compared with those of the first. The beginning, or the first id of all where three pages and more were read since, is not where it was. What was not stored below GAMEDATA_STATE is not judged.';
