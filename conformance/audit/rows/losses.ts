import { answered } from '../answered.js';
import type { Call } from '../call.js';
import type { AuditRow } from '../row.js';
import { each, groups, violation } from '../row.js';
import type { WorldRun } from '../run.js';
import { requestedTabs } from './names.js';
import { keepsCachesAway } from './queries.js';
import { dataCalls, isPage } from './requests.js';

/** Whether each start ended by itself, and said that all went well. */
const saysSuccess = ({ ended, endings }: WorldRun): boolean =>
  ended && endings.length > 0 && endings.every(({ how }) => how === 'exit');

/** Worlds that take away what a client may read. */
const takesAway = ({ world }: WorldRun): boolean =>
  world.browser === 'part' ||
  world.browser === 'deny' ||
  (world.events ?? []).some((event) => event.do === 'revoke-user') ||
  (world.faults ?? []).some(({ status }) => status === 401);

/** Errors that say nothing about what is there. */
const isFailure = ({ status, delivery }: Call): boolean =>
  status === null || delivery !== 'sent' || [401, 408, 429].includes(status) || status >= 500;

/** What a request reads: the path, and what selects a page of it; not how much of it, nor what only keeps caches away. */
const readOf = ({ path, query }: Call): string =>
  [
    path,
    ...[...query]
      .filter(([name, value]) => name !== 'limit' && !keepsCachesAway(name, value))
      .map((pair) => pair.join('='))
      .toSorted(),
  ].join(' ');

/** Reads that failed and never came to success, one for each page. */
const unread = (run: WorldRun): { first: Call; lost: boolean }[] =>
  groups(
    dataCalls(run).filter(({ method, operation }) => method === 'GET' && operation !== undefined),
    (call) => `${call.start} ${readOf(call)}`,
  ).flatMap((same) => {
    const first = same.find(isFailure);
    return first ? [{ first, lost: !same.some((call) => call.number > first.number && !isFailure(call)) }] : [];
  });

/** The rows whose worlds change the form of what is read, and nothing of what there is. */
const sameData = new Set([
  'READ-UNKNOWN-001',
  'READ-UNKNOWN-002',
  'READ-UNKNOWN-003',
  'READ-ORDER-001',
  'READ-JSON-001',
  'READ-CODING-001',
  'READ-DATE-001',
  'READ-HEX-001',
  'READ-LARGE-001',
  'READ-TOKEN-001',
]);

/** What a client read in the calm world, by operation. */
const readIn = (calm: WorldRun | undefined): Map<Call['operation'], Call> =>
  new Map(
    (calm && saysSuccess(calm) ? answered(calm.calls) : [])
      .filter(({ method }) => method === 'GET')
      .map((call) => [call.operation, call]),
  );

/** Pages that show that a client walks through a stream, and does not only look at its beginning. */
const walked = 3;

/** The pages of each stream and history that a client got in its first start, by where they begin. */
const walksOf = (run: WorldRun): Map<string, Call>[] =>
  groups(
    answered(run.calls).filter((call) => isPage(call) && call.start === 1),
    ({ operation, realm }) => `${operation} ${realm}`,
  ).map((pages) => new Map(pages.map((page) => [page.target, page])));

/** A stream whose first page was read again and again, or once, and no other, though the client walked through it in the calm world. */
function shorterWalk(calm: WorldRun, run: WorldRun): readonly [Call, Call] | undefined {
  for (const pages of walksOf(calm)) {
    const [usual] = pages.values();
    const own = walksOf(run).find((one) => one.has(usual!.target));
    const [first] = own?.values() ?? [];
    if (first && pages.size >= walked && own?.size === 1 && first.target === usual!.target) return [first, usual!];
  }
  return undefined;
}

const calmOf = (runs: readonly WorldRun[]): WorldRun | undefined => runs.find(({ world }) => world.id === 'calm');

const listsTabs: ReadonlySet<Call['operation']> = new Set<Call['operation']>(['listStashes', 'listGuildStashes']);

/** Requests for a tab that is part of another, answered with success. */
const subTabs = (run: WorldRun): Call[] =>
  requestedTabs(run)
    .filter(({ call, stash, sub, tabs }) => call.status === 200 && tabs.get(sub ?? stash) !== undefined)
    .map(({ call }) => call);

/** What a client did not read, and took for read. */
export const losses: readonly AuditRow[] = [
  {
    id: 'READ-ERROR-001',
    level: 'ADVICE',
    sentence: 'What could not be read is not taken for empty: the client asks again, or ends with an error.',
    source: 'RFC 9110 15',
    how: 'A client that ends with success, as in the calm world, although a read that works there failed and never succeeded in the same start, has lost data in silence. It may have left something out on purpose, so this never fails.',
    across: (runs) => {
      const calm = calmOf(runs);
      const gave = readIn(calm);
      const cases = runs
        .filter((run) => run !== calm && saysSuccess(run) && !takesAway(run))
        .flatMap((run) => unread(run).map((one) => ({ ...one, run })))
        .filter(({ first }) => gave.has(first.operation));
      const lost = cases.find((one) => one.lost);
      return {
        ...each(cases, (one) =>
          one.lost
            ? violation(
                'the request again until it is answered, or an error at the end',
                `success, although ${one.first.target} ${one.first.status === null || one.first.delivery !== 'sent' ? 'was never answered' : `was answered with ${one.first.status} only`}`,
                one.first,
              )
            : undefined,
        ),
        ...(lost && { world: lost.run.world.id }),
      };
    },
  },
  {
    id: 'READ-SAME-001',
    level: 'ADVICE',
    sentence: 'The same data in another form leads to the same requests.',
    source: '4.2',
    how: 'In worlds that change the form of replies and nothing of what there is, a client that ends with success must have asked for each operation that it asked for in the calm world, and gone beyond the first page of a stream or a history of which it read three pages there. Who could not read a list or a page, and did not say so, has nothing more to ask. Where replies are large a client may have read enough at once.',
    across: (runs) => {
      const calm = calmOf(runs);
      const gave = readIn(calm);
      const cases = runs
        .filter((run) => run !== calm && saysSuccess(run) && sameData.has(run.world.survival ?? ''))
        .map((run) => ({
          run,
          missing: [...gave].find(([operation]) => !run.calls.some((call) => call.operation === operation)),
          short: calm && run.world.survival !== 'READ-LARGE-001' ? shorterWalk(calm, run) : undefined,
        }));
      const lost = cases.find(({ missing, short }) => missing !== undefined || short !== undefined);
      return {
        ...each(gave.size === 0 ? [] : cases, ({ run, missing, short }) =>
          missing
            ? violation(
                `${missing[1].method} ${missing[1].path} or its like, as in the calm world`,
                'success without such a request',
                missing[1],
                ...dataCalls(run).slice(-2),
              )
            : short &&
              violation(
                `the page behind the first of ${short[0].path}, as in the calm world`,
                'success, and no page behind it',
                ...short,
              ),
        ),
        ...(lost && { world: lost.run.world.id }),
      };
    },
  },
  {
    id: 'READ-SAME-002',
    level: 'ADVICE',
    sentence: 'Sub-tabs are read as well where they stand in the list beside the others.',
    source: '4.2',
    how: 'A client that asks for a sub-tab in the calm world, where lists are nested, and ends with success in the world flat-tabs, must have asked for one there.',
    compares: ['flat-tabs'],
    across: (runs) => {
      const calm = calmOf(runs);
      const flat = runs.find(({ world }) => world.id === 'flat-tabs');
      const [first] = calm && saysSuccess(calm) ? subTabs(calm) : [];
      const lists = flat && saysSuccess(flat) ? flat.calls.filter(({ operation }) => listsTabs.has(operation)) : [];
      if (first === undefined || lists.length === 0) return { exercised: 0, violations: [] };
      const lost = subTabs(flat!).length === 0;
      return {
        exercised: lists.length,
        violations: lost
          ? [
              violation(
                `${first.path} or its like, as in the calm world`,
                'success without such a request',
                ...lists.slice(0, 3),
              ),
            ]
          : [],
        world: 'flat-tabs',
      };
    },
  },
];
