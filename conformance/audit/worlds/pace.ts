import type { LimitWindow } from '../../../src/client/index.js';
import { operationList } from '../../../src/contract/index.js';
import { dataCalls } from '../rows/requests.js';
import { asksData, faulted, limited, uses } from './conditions.js';
import type { PlannedWorld } from './conditions.js';

const window = (hits: number, period: number): LimitWindow => ({ hits, period, restriction: 2, bucket: 1 });

/** The operations that read data. */
const reads = [
  ...new Set(
    operationList.filter(({ server, method }) => server === 'data' && method === 'GET').map(({ logical }) => logical),
  ),
];

/** What most clients read, once or by one worker. */
const lists = ['getProfile', 'listLeagues', 'getPublicStashTabs', 'getCurrencyExchange'] as const;

const streams = ['getPublicStashTabs', 'getCurrencyExchange'] as const;

/** Those that read what a list of tabs or matches names. */
const tabReads = ['getStash', 'getGuildStash', 'getPvpMatch', 'getPvpMatchLadder'] as const;

/** Limits, failures and the line. The times of Retry-After differ, so that no habit fits them all. */
export const pace: readonly PlannedWorld[] = [
  {
    id: 'restricted-once',
    title: 'One request is answered with 429 and Retry-After',
    because: '5.4: limits are shared; RFC 6585 4.',
    faults: [{ kind: 'status', server: 'data', after: 1, times: 1, status: 429, retry_after: 3 }],
    survival: 'PACE-SURVIVE-001',
    needs: asksData,
    met: faulted,
  },
  {
    id: 'restricted-first',
    title: 'The first request is answered with 429 and Retry-After',
    because: '5.4: limits are shared; RFC 6585 4.',
    faults: [{ kind: 'status', server: 'data', times: 1, status: 429, retry_after: 5 }],
    survival: 'PACE-SURVIVE-001',
    needs: asksData,
    met: faulted,
  },
  {
    // Long enough for those who cap what they wait. Who gives up because of it does no wrong.
    id: 'restricted-long',
    title: 'One request is answered with 429, and Retry-After is 15 seconds',
    because: '5.4: limits are shared; RFC 9110 10.2.3 sets no bound on Retry-After.',
    faults: [{ kind: 'status', server: 'data', after: 1, times: 1, status: 429, retry_after: 15 }],
    needs: asksData,
  },
  {
    id: 'restricted-again',
    title: 'The first two requests for each of several lists are answered with 429 and Retry-After',
    because: '5.4: limits are shared; RFC 6585 4.',
    // By operation: each of several workers meets the second refusal of what it asks for.
    faults: lists.map((operation) => ({ kind: 'status', operation, times: 2, status: 429, retry_after: 3 })),
    seconds: 60,
    needs: uses(...lists),
  },
  {
    id: 'restricted-bare',
    title: 'One request is answered with 429, without Retry-After',
    because: 'RFC 6585 4: a 429 may include Retry-After.',
    faults: [{ kind: 'status', server: 'data', after: 1, times: 1, status: 429 }],
    survival: 'PACE-SURVIVE-007',
    needs: asksData,
    met: faulted,
  },
  {
    id: 'restricted-date',
    title: 'One request is answered with 429, and Retry-After is a date',
    because: 'RFC 9110 10.2.3: Retry-After is a date or seconds.',
    faults: [{ kind: 'status', server: 'data', times: 1, status: 429, retry_after: 6, retry_form: 'date' }],
    survival: 'PACE-SURVIVE-006',
    needs: asksData,
    met: faulted,
  },
  {
    id: 'busy-once',
    title: 'One request is answered with 503 and Retry-After',
    because: 'RFC 9110 15.6.4.',
    faults: [{ kind: 'status', server: 'data', after: 1, times: 1, status: 503, retry_after: 4 }],
    survival: 'PACE-SURVIVE-002',
    needs: asksData,
    met: faulted,
  },
  {
    id: 'server-error',
    title: 'One request fails with 500',
    because: 'RFC 9110 15.6.1: a service may fail.',
    faults: [{ kind: 'status', server: 'data', times: 1, status: 500 }],
    needs: asksData,
  },
  {
    id: 'later-errors',
    title: 'The second read of each operation fails with 500',
    because: 'RFC 9110 15.6.1: a service may fail, at a later page as well as at the first.',
    faults: reads.map((operation) => ({ kind: 'status', operation, after: 1, times: 1, status: 500 })),
    needs: (calm) => reads.some((operation) => dataCalls(calm).filter((one) => one.operation === operation).length > 1),
  },
  {
    id: 'stream-errors',
    title: 'The second page of a stream fails six times in a row with 500',
    because: 'RFC 9110 15.6.1: a service may fail, and for a while.',
    faults: streams.map((operation) => ({ kind: 'status', operation, after: 1, times: 6, status: 500 })),
    seconds: 40,
    needs: uses(...streams),
  },
  {
    id: 'forbidden',
    title: 'Thirty data requests are answered with 403',
    because:
      '5.3: a token that lacks the scope of a resource is answered with 403, and 5.7 has some granted on request.',
    // Each of ten workers that repeat what was forbidden meets it again, and once more.
    faults: [{ kind: 'status', server: 'data', after: 1, times: 30, status: 403 }],
    needs: asksData,
  },
  {
    id: 'one-down',
    title: 'Characters and ladders cannot be read: they fail with 500',
    because: 'RFC 9110 15.6.1: a service may fail, and a part of it alone.',
    faults: [
      { kind: 'status', operation: 'getCharacter', status: 500 },
      { kind: 'status', operation: 'getLeagueLadder', status: 500 },
    ],
    needs: (calm) =>
      dataCalls(calm).some(({ operation }) => operation === 'getCharacter' || operation === 'getLeagueLadder'),
  },
  {
    id: 'pages-down',
    title: 'Pages of ladders behind the first cannot be read: they fail with 500',
    because: 'RFC 9110 15.6.1: a service may fail, and a part of it alone.',
    faults: [{ kind: 'status', operation: 'getLeagueLadder', after: 1, status: 500 }],
    needs: (calm) => dataCalls(calm).filter(({ operation }) => operation === 'getLeagueLadder').length > 1,
  },
  {
    id: 'tabs-down',
    title: 'Tabs and matches cannot be read: they fail with 500',
    because: 'RFC 9110 15.6.1: a service may fail, and a part of it alone.',
    faults: tabReads.map((operation) => ({ kind: 'status', operation, status: 500 })),
    needs: uses(...tabReads),
  },
  {
    id: 'down',
    title: 'Every data request fails',
    because: 'RFC 9110 15.6: a service may be down.',
    faults: [{ kind: 'status', server: 'data', status: 500 }],
    seconds: 12,
    needs: asksData,
  },
  {
    id: 'restricted-always',
    title: 'Every data request is answered with 429, without Retry-After',
    because: '5.4: limits are shared; RFC 6585 4: a 429 may include Retry-After, and need not.',
    faults: [{ kind: 'status', server: 'data', status: 429 }],
    seconds: 12,
    needs: asksData,
  },
  {
    id: 'tight-limits',
    title: 'Four requests in two seconds',
    because: '1: tokens serve to apply rate limits; their numbers are not shown.',
    limit: { windows: [window(4, 2)] },
    survival: 'PACE-SURVIVE-003',
    needs: asksData,
    met: limited,
  },
  {
    id: 'coarse-windows',
    title: 'Two windows at a time, which end up to a second later than it seems',
    because: 'Observed: the service counts in buckets of its own.',
    limit: { windows: [window(4, 2), window(30, 12)] },
    survival: 'PACE-SURVIVE-003',
    needs: asksData,
    met: limited,
  },
  {
    id: 'policy-changes',
    title: 'The policy changes during the run',
    because: 'Observed; no numbers are promised.',
    limit: { windows: [window(10, 2)], later: { after: 4, windows: [window(4, 2), window(30, 12)] } },
    survival: 'PACE-SURVIVE-003',
    needs: asksData,
    met: ({ replyHeaders }) => replyHeaders['x-rate-limit-policy'] === 'later',
  },
  {
    id: 'policy-numbers',
    title: 'The policy keeps its name and gets other numbers during the run',
    because: '8: the numbers of limits are not shown, and nothing says that they stay.',
    limit: { windows: [window(10, 2)], later: { after: 4, windows: [window(3, 3)], sameName: true } },
    survival: 'PACE-SURVIVE-003',
    needs: asksData,
    met: ({ replyHeaders }) => replyHeaders['x-rate-limit-client']?.startsWith('3:3:') === true,
  },
  {
    id: 'tight-second',
    title: 'Two windows at a time, of which the second is the tighter one',
    because: '8: the numbers of limits are not shown.',
    limit: { windows: [window(20, 2), window(3, 3)] },
    survival: 'PACE-SURVIVE-003',
    needs: asksData,
    met: limited,
  },
  {
    id: 'two-rules',
    title: 'Two rules at a time, by client and by address, of which the second is the tighter one',
    because: 'Observed: a policy has several rules, each with headers of its own.',
    limit: { windows: [window(30, 2)], byAddress: [window(3, 3)] },
    survival: 'PACE-SURVIVE-003',
    needs: asksData,
    met: limited,
  },
  {
    id: 'shared-limits',
    title: 'Other applications use the same limits',
    because:
      "5.4, 8: limits are shared among all public clients, and those of an owner among all of that owner's applications.",
    limit: { windows: [window(6, 2)], others: 1 },
    survival: 'PACE-SURVIVE-003',
    needs: asksData,
    met: limited,
  },
  {
    id: 'head-counts',
    title: 'Requests with HEAD count, and announce the windows',
    because: '8: what counts is not said; RFC 9110 9.3.2 has HEAD send the headers that GET would.',
    limit: { windows: [window(6, 2)] },
    survival: 'PACE-SURVIVE-003',
    needs: (calm) => dataCalls(calm).some(({ method }) => method === 'HEAD'),
    met: ({ data, method }) => data && method === 'HEAD',
  },
  {
    id: 'edge-page',
    title: 'A CDN or gateway answers once, with an HTML page',
    because: 'Observed: something in front of the service handles bursts itself.',
    faults: [{ kind: 'page', server: 'data', after: 1, times: 1, status: 503, retry_after: 1 }],
    survival: 'PACE-SURVIVE-004',
    needs: asksData,
    met: faulted,
  },
  {
    id: 'page-200',
    title: 'Something in front of the service answers once, with status 200 and a page of HTML',
    because: 'Observed: portals and maintenance pages come with a success; 4 has the service itself send JSON.',
    faults: [{ kind: 'page', server: 'data', after: 1, times: 1, status: 200 }],
    needs: asksData,
  },
  {
    id: 'incomplete',
    title: 'A body ends before its Content-Length',
    because: 'Networks do; RFC 9112 8 has the client take such a message for incomplete.',
    // In a stream the second page too: what comes after a page is known from it.
    faults: [
      { kind: 'incomplete', operation: 'getPublicStashTabs', after: 1, times: 1 },
      { kind: 'incomplete', operation: 'getCurrencyExchange', after: 1, times: 1 },
      { kind: 'incomplete', server: 'data', after: 1, times: 1 },
    ],
    survival: 'PACE-SURVIVE-005',
    needs: asksData,
    met: faulted,
  },
  {
    id: 'redirected',
    title: 'A data request is redirected to another origin',
    because: 'RFC 9110 15.4.8: a service may redirect, and nothing in 4.2 says that it does not.',
    redirect: { server: 'data', after: 1 },
    needs: asksData,
  },
  {
    id: 'reset',
    title: 'A connection is reset',
    because: 'It happens on networks.',
    faults: [{ kind: 'reset', server: 'data', after: 1, times: 1 }],
    survival: 'PACE-SURVIVE-005',
    needs: asksData,
    met: faulted,
  },
  {
    id: 'slow',
    title: 'Bodies come slowly',
    because: 'No speed is promised.',
    faults: [{ kind: 'drip', server: 'data', times: 2, ms: 1200 }],
    survival: 'READ-SLOW-001',
    met: ({ data }) => data,
    needs: asksData,
  },
  {
    id: 'late',
    title: 'A reply takes two seconds',
    because: 'No speed is promised.',
    faults: [{ kind: 'latency', server: 'data', times: 1, ms: 2000 }],
    survival: 'READ-SLOW-001',
    met: ({ data }) => data,
    needs: asksData,
  },
  {
    id: 'hang',
    title: 'A request is never answered',
    because: 'It happens on networks.',
    faults: [{ kind: 'hang', server: 'data', after: 1, times: 1 }],
    seconds: 40,
    needs: asksData,
  },
];
