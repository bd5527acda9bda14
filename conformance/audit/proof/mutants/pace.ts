import { setTimeout as sleep } from 'node:timers/promises';

import { mutants, swap } from '../client-mutant.js';
import type { ClientEntry } from '../client-mutant.js';
import { fail } from '../operators.js';
import type { Sent } from '../reference.js';

const waits = (ms: number): ClientEntry => swap({ waitAfter: () => sleep(ms) });

/** Tries again what was answered with a status. */
const insistsOn = (status: number): ClientEntry =>
  swap({
    optional: async (step) => {
      for (let tries = 0; tries < 6; tries += 1)
        try {
          return await step();
        } catch (error) {
          if ((error as { status?: number }).status !== status) throw error;
        }
    },
  });

/** Has a parameter in the address of each request that reads, which keeps caches away. */
const fresh = ({ url, ...request }: Sent): Sent => ({
  ...request,
  url: request.method === 'GET' ? `${url}${url.includes('?') ? '&' : '?'}_=${Date.now()}` : url,
});

/** Gives up at a status. */
const endsWith = (status: number): ClientEntry =>
  swap((_, { worthTrying }) => ({ worthTrying: (got) => got !== status && worthTrying(got) }));

export const pace = mutants({
  'PACE-RETRY-001 retry-at-once: repeats at once after a 429': waits(50).in('restricted-once'),
  'PACE-RETRY-001 retry-second: waits a second, whatever Retry-After says': waits(1000).in('restricted-once'),
  'PACE-RETRY-001 retry-habit: waits two seconds, whatever is asked': waits(2000).in('restricted-once'),
  'PACE-RETRY-001 retry-three: waits three seconds, whatever is asked': waits(3000).in('restricted-first'),
  'PACE-RETRY-001 retry-ms: takes Retry-After for milliseconds': swap((_, { retryAfter }) => ({
    retryAfter: (got) => (retryAfter(got) ?? 0) / 1000 + 40,
  })).in('restricted-once'),
  'PACE-RETRY-001 retry-capped: waits ten seconds at most': swap((_, { retryAfter }) => ({
    retryAfter: (got) => Math.min(10_000, retryAfter(got) ?? 0),
  })).in('restricted-long'),
  'PACE-RETRY-001 retry-fresh: repeats at once after a 429, and keeps caches away': waits(50)
    .swap({ dressed: fresh })
    .in('restricted-once'),
  'PACE-RETRY-002 retry-503: repeats at once after a 503': waits(50).in('busy-once'),
  'PACE-RETRY-002 busy-habit: waits two seconds after a 503': waits(2000).in('busy-once'),
  'PACE-RETRY-002 retry-post: sends a filter again at once after a 503': swap((_, { dataRequest, waitAfter }) => {
    let isPost = false;
    return {
      dataRequest: (method, ...request) => {
        isPost = method === 'POST';
        return dataRequest(method, ...request);
      },
      waitAfter: (...given) => (isPost ? sleep(50) : waitAfter(...given)),
    };
  }).in('filter-refused'),
  'PACE-SURVIVE-007 retry-bare: needs Retry-After': swap({
    retryAfter: ({ headers }) => Number(headers.get('retry-after')!.trim()) * 1000 + 100,
  }).in('restricted-bare'),
  'PACE-RETRY-003 retry-date: does not read a date in Retry-After': swap({
    retryAfter: ({ headers }) => {
      const seconds = Number(headers.get('retry-after'));
      return Number.isNaN(seconds) ? 100 : seconds * 1000;
    },
  }).in('restricted-date'),
  'PACE-BACKOFF-001 backoff-none: repeats failures at once': waits(10)
    .swap({ attempts: () => 9 })
    .in('down'),
  'PACE-BACKOFF-001 backoff-few: repeats failures three times, at once': waits(10).in('down'),
  'PACE-BACKOFF-001 backoff-bare: repeats at once after a 429 without Retry-After': waits(10).in('restricted-always'),
  'PACE-BACKOFF-001 backoff-endless: never gives up': waits(250)
    .swap({ attempts: () => 40 })
    .in('down'),
  'PACE-REFUSED-001 refused-loop: gets a new token for every 401, and asks again': swap((_, { data }) => ({
    data: async (...asked) => {
      for (let time = 1; ; time += 1) {
        const got = await data(...asked).catch((error: unknown) => error);
        if (!(got instanceof Error)) return got;
        if (!got.message.includes('401') || time > 8) throw got;
        await sleep(300);
      }
    },
  })).in('refused'),
  'PACE-SAME-001 same-burst: asks for the same thing ten times': swap((client, { account }) => ({
    account: async () => {
      for (let time = 0; time < 12; time += 1) await client.get('/profile');
      await account();
    },
  })),
  'PACE-FORBIDDEN-001 forbidden-again: repeats what was forbidden': insistsOn(403)
    .swap({ isGranted: () => true })
    .in('partial-consent'),
  'PACE-FORBIDDEN-001 forbidden-elsewhere: repeats what was forbidden though it was granted':
    insistsOn(403).in('forbidden'),
  'PACE-FORBIDDEN-001 forbidden-fresh: repeats what was forbidden, and keeps caches away': insistsOn(403)
    .swap({ dressed: fresh })
    .in('forbidden'),
  'PACE-FORBIDDEN-001 forbidden-workers: repeats what was forbidden after longer and longer waits, in workers of its own':
    swap((client, { worthTrying }) => ({
      worthTrying: (status) => status === 403 || worthTrying(status),
      account: async () => {
        const paths = ['/profile', '/character', '/account/leagues', '/item-filter'];
        await Promise.all(paths.map((path) => client.get(path)));
      },
    })).in('forbidden'),
  'PACE-RETRY-001 retry-after-first: waits as long as it was told the first time alone': swap((_, { retryAfter }) => {
    let told = 0;
    return { attempts: () => 6, retryAfter: (got) => ((told += 1), told > 1 ? 60 : retryAfter(got)) };
  }).in('restricted-again'),
  'PACE-MISSING-001 missing-again: repeats what is not there': insistsOn(404).swap((client, { account }) => ({
    account: async () => {
      await account();
      await client.optional(async () => void (await client.get('/item-filter/0000000000')));
    },
  })),
  'PACE-MISSING-001 null-again: repeats what null stands for': swap((client, { account }) => ({
    account: async () => {
      await account();
      for (let times = 0; times < 5; times += 1)
        await client.optional(async () => void (await client.get('/character/NobodyOfThisName')));
    },
  })),
  'PACE-INVALID-001 invalid-again: repeats what is invalid': insistsOn(400).swap((client, { service }) => ({
    service: async () => {
      await service();
      await client.optional(async () => void (await client.get('/league?type=none', true)));
    },
  })),
  // It waits longer than it is told, so that each refusal after that is of its own making.
  'PACE-WINDOW-001 window-ignored: reads no limits': swap((_, { retryAfter }) => ({
    learn: () => {},
    attempts: () => 8,
    pages: () => 24,
    retryAfter: (got) => {
      const told = retryAfter(got);
      return told === undefined ? undefined : told + 2200;
    },
  })).in('tight-limits'),
  'PACE-WINDOW-001 window-own: counts its own requests alone': swap({ hearOfOthers: () => {}, pages: () => 20 }).in(
    'shared-limits',
  ),
  'PACE-AGENT-001 agent-library: sends the name of its library': swap({ agent: () => 'python-requests/2.32.0' }),
  'PACE-AGENT-001 agent-oauth-library: sends the name of its OAuth library': swap({
    agent: () => 'oauth4webapi/v3.8.8 (https://github.com/panva/oauth4webapi)',
  }),
  'PACE-HANG-001 hang-for-ever: waits for ever': swap({ timeout: 600_000 }).in('hang'),
  'PACE-SURVIVE-001 ends-429: ends with a 429': endsWith(429).in('restricted-once'),
  'PACE-SURVIVE-001 ends-429-first: ends with the first 429': endsWith(429).in('restricted-first'),
  'PACE-SURVIVE-002 ends-503: ends with a 503': endsWith(503).in('busy-once'),
  'PACE-SURVIVE-003 policy-fixed: expects the policy of the first reply for ever': swap((_, { learn }) => {
    let first: string | null = null;
    return {
      learn: (key, got) => {
        const policy = got.headers.get('x-rate-limit-policy');
        first ??= policy;
        if (policy !== null && policy !== first) fail(`no policy ${policy}`);
        learn(key, got);
      },
    };
  }).in('policy-changes'),
  'PACE-SURVIVE-004 edge-json: reads every reply as JSON': swap((client, { dataRequest }) => ({
    dataRequest: async (...asked) => {
      const got = await dataRequest(...asked);
      try {
        JSON.parse(got.text);
      } catch {
        client.worthTrying = () => false;
      }
      return got;
    },
  })).in('edge-page'),
  'PACE-SURVIVE-005 reset-ends: ends with a reset': swap({
    failed: (reason) => Promise.reject(reason as Error),
  }).in('reset'),
  'PACE-SURVIVE-006 date-ends: ends with a Retry-After that is a date': swap((_, { retryAfter }) => ({
    retryAfter: (got) =>
      /[A-Z]/.test(got.headers.get('retry-after') ?? '') ? fail('a number is wanted') : retryAfter(got),
  })).in('restricted-date'),
  'TOK-SURVIVE-001 access-ends: ends with its access token': swap({
    renew: () => Promise.reject(new Error('the token has ended')),
  }).in('access-ends'),
  'TOK-SURVIVE-001 reads-401: knows that a token has ended by the body of the error': swap((_, { send }) => ({
    send: async (request) => {
      const got = await send(request);
      return got.status === 401 && !got.text.includes('error') ? { ...got, status: 400 } : got;
    },
  })).in('access-ends-empty'),
  'TOK-SURVIVE-003 needs-refresh: takes no token response without a refresh token': swap((_, { received }) => ({
    received: (got) => {
      const tokens = received(got);
      if (tokens.ends !== null) void tokens.refresh_token!.length;
      return tokens;
    },
  })).in('no-refresh-token'),
  'TOK-SURVIVE-002 token-busy-ends: ends when the token endpoint is busy': swap({
    tokenWait: () => Promise.reject(new Error('busy')),
  }).in('token-busy'),
});
