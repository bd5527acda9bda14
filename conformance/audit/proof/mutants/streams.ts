import { setTimeout as sleep } from 'node:timers/promises';

import { mutants, swap } from '../client-mutant.js';
import type { ClientEntry } from '../client-mutant.js';
import { first } from '../operators.js';
import type { Reference } from '../reference.js';

/** Asks for pages of the stream with another query. */
const streamQuery = (name: string): ClientEntry =>
  swap({ streamPage: (id) => (id === undefined ? '/public-stash-tabs' : `/public-stash-tabs?${name}=${id}`) });

/** Reads a stream, and forgets where it was when a page is refused. */
const beginsAnew = (pathOf: (client: Reference, id: string | undefined) => string): ClientEntry =>
  swap((client) => ({
    run: async () => {
      const { access_token: token } = await client.ownTokens();
      let id: string | undefined;
      for (let page = 0; page < 4; page += 1) {
        const got = await client.dataRequest('GET', pathOf(client, id), token);
        if (got.status >= 400) await sleep(client.retryAfter(got) ?? 0);
        id = got.status < 400 ? String((client.read(got) as { next_change_id: unknown }).next_change_id) : undefined;
      }
    },
  }));

const currentHour = (): number => Math.floor(Date.now() / 3_600_000) * 3600;

export const streams = mutants({
  'EXCHANGE-END-002 hour-empty: takes an hour without markets for the end': swap((client) => ({
    exchangeHistory: async () => {
      let id: string | undefined;
      for (let hour = 0; hour < 5; hour += 1) {
        const reply = (await client.get(client.hourPath(id), true)) as { next_change_id: number; markets: unknown[] };
        if (reply.markets.length === 0) return;
        id = String(reply.next_change_id);
      }
    },
  })).in('empty-hours', 'quiet-hours'),
  'EXCHANGE-END-002 hour-empty-anew: begins the history anew after an hour without markets': swap((client) => ({
    exchangeHistory: async () => {
      let id: string | undefined;
      for (let hour = 0; hour < 5; hour += 1) {
        const reply = (await client.get(client.hourPath(id), true)) as { next_change_id: number; markets: unknown[] };
        id = reply.markets.length === 0 ? undefined : String(reply.next_change_id);
      }
    },
  })).in('empty-hours', 'quiet-hours'),
  'EXCHANGE-END-001 exchange-restarts: begins the history anew where it ends, until it has read five hours': swap(
    (client) => ({
      exchangeHistory: async () => {
        let id: string | undefined;
        for (let hour = 0; hour < 5; hour += 1) {
          const { next_change_id: next } = (await client.get(client.hourPath(id), true)) as { next_change_id: number };
          id = String(next) === id ? undefined : String(next);
        }
      },
    }),
  ).in('end-of-stream'),
  'STREAM-ID-001 stream-name: sends next_change_id under its own name': streamQuery('next_change_id'),
  'STREAM-ID-001 stream-since: sends next_change_id as since': streamQuery('since'),
  'STREAM-ID-003 stream-stuck: reads the first page again and again': swap({ nextPage: () => undefined }),
  'STREAM-ID-002 stream-invented: counts ids up by itself': swap({
    nextPage: (id, next) =>
      id === undefined ? next : next.replace(/\d(?=\D*$)/, (digit) => String((Number(digit) + 1) % 10)),
  }),
  'STREAM-ID-002 stream-zero: begins at an id of its own': swap((_, { streamPage }) => ({
    streamPage: (id = '0-0000000000') => streamPage(id),
  })),
  'STREAM-ID-002 stream-stash: takes the id of a stash for that of the next page': swap((_, { data }) => {
    let stash: string | undefined;
    return {
      data: async (...asked) => {
        const reply = (await data(...asked)) as { stashes?: { id: string }[] };
        if (asked[1].startsWith('/public-stash-tabs')) stash = reply.stashes?.[0]?.id;
        return reply;
      },
      nextPage: (_id, next) => stash ?? next,
      pages: () => 2,
    };
  }),
  'STREAM-ID-004 stream-realms: keeps one place for the streams of two realms': first('service', async (client) => {
    const { next_change_id: id } = (await client.get('/public-stash-tabs', true)) as { next_change_id: string };
    await client.get(`/public-stash-tabs/xbox?id=${client.encode(id)}`, true);
  }),
  'STREAM-END-001 stream-again: begins anew at the end': swap({
    pages: () => 9,
    nextPage: (_id, next, over) => (over ? undefined : next),
  }).in('end-of-stream'),
  'STREAM-END-002 stream-no-pause: polls at the end without a pause': swap((client) => ({
    publicStashes: async () => {
      let id: string | undefined;
      for (let page = 0; page < 12; page += 1)
        id = ((await client.get(client.streamPage(id), true)) as { next_change_id: string }).next_change_id;
    },
  })).in('end-of-stream'),
  'STREAM-END-003 stream-short: takes a page with fewer stashes than the first for the last': swap((client) => ({
    publicStashes: async () => {
      let id: string | undefined;
      let first = 0;
      for (let page = 0; page < 5; page += 1) {
        const reply = (await client.get(client.streamPage(id), true)) as { next_change_id: string; stashes: unknown[] };
        if (reply.stashes.length < first) return;
        first ||= reply.stashes.length;
        id = reply.next_change_id;
      }
    },
  })).in('even-pages'),
  'STREAM-RESUME-001 stream-forgotten: begins anew with each start': swap((client, { publicStashes }) => ({
    publicStashes: () => {
      client.stored.delete('stream');
      return publicStashes();
    },
  })).in('rotation'),
  'STREAM-RESUME-002 stream-anew-at-401: begins the stream anew with a new token': swap(
    (_, { renewOwn, dataRequest }) => {
      let anew = false;
      return {
        renewOwn: (token) => ((anew = true), renewOwn(token)),
        dataRequest: (method, path, ...given) => {
          const again = anew && path.startsWith('/public-stash-tabs');
          if (again) anew = false;
          return dataRequest(method, again ? '/public-stash-tabs' : path, ...given);
        },
      };
    },
  ).in('access-ends-in-stream'),
  'STREAM-RESUME-002 stream-anew: begins the stream anew after an error': beginsAnew((client, id) =>
    client.streamPage(id),
  ).in('restricted-once'),
  'EXCHANGE-RESUME-001 exchange-forgotten: begins the history anew with each start': swap(
    (client, { exchangeHistory }) => ({
      exchangeHistory: () => {
        client.stored.delete('exchange');
        return exchangeHistory();
      },
    }),
  ).in('rotation'),
  'EXCHANGE-RESUME-002 exchange-anew-after-error: begins the history anew after an error': beginsAnew((client, id) =>
    client.hourPath(id),
  ).in('restricted-once'),
  'EXCHANGE-ID-001 exchange-query: sends the hour in the query': swap({
    hourPath: (id) => (id === undefined ? '/currency-exchange' : `/currency-exchange?id=${id}`),
  }),
  'EXCHANGE-ID-002 exchange-computed: computes the hours': swap({ nextHour: (next) => String(next + 3600) }),
  'EXCHANGE-ID-002 exchange-zero: begins the history at 0': swap((_, { hourPath }) => ({
    hourPath: (id = '0') => hourPath(id),
  })),
  'STREAM-ID-002 stream-past-end: counts on at the end of the stream, and ends where that is refused': swap(
    (client) => ({
      publicStashes: async () => {
        let id: string | undefined;
        for (let page = 0; page < 9; page += 1) {
          const reply = (await client.get(client.streamPage(id), true)) as {
            next_change_id: string;
            stashes: unknown[];
          };
          id = reply.stashes.length === 0 ? `${reply.next_change_id}1` : reply.next_change_id;
        }
      },
    }),
  ).in('end-of-stream'),
  'EXCHANGE-ID-002 exchange-after-first: takes the first hour from a reply, and counts on from there': swap(() => {
    let last = 0;
    return { nextHour: (next) => String((last = last === 0 ? next : last + 3600)) };
  }).in('quiet-hours'),
  'STREAM-ID-002 stream-raw: puts ids into the query as they are': swap({
    streamPage: (id) => (id === undefined ? '/public-stash-tabs' : `/public-stash-tabs?id=${id}`),
  }).in('odd-cursors'),
  'STREAM-CUT-001 cut-goes-on: stores the id of a page that broke off, and goes on behind it': swap((_, { send }) => ({
    send: async (request) => {
      const { pathname } = new URL(request.url);
      if (pathname !== '/public-stash-tabs') return send(request);
      const headers = { ...request.headers, 'accept-encoding': 'identity' };
      const answer = await fetch(request.url, { method: request.method, headers });
      let text = '';
      try {
        const decoder = new TextDecoder();
        for await (const part of answer.body ?? []) text += decoder.decode(part, { stream: true });
      } catch {
        const next = /"next_change_id":"([^"]*)"/.exec(text)?.[1];
        if (next !== undefined) text = JSON.stringify({ next_change_id: next, stashes: [{ id: 'x', public: false }] });
      }
      return { status: answer.status, headers: answer.headers, text };
    },
  })).in('incomplete'),
  'EXCHANGE-ID-002 exchange-day-ago: begins a day ago, in the middle of an hour': swap(
    (_, { hourPath, exchangeHistory }) => ({
      hourPath: (id) => hourPath(id ?? String(Math.floor(Date.now() / 3_600_000) * 3600 - 86_400 + 61)),
      exchangeHistory: () => exchangeHistory().catch(() => {}),
    }),
  ),
  'EXCHANGE-ID-004 exchange-yesterday: begins a day ago, at a full hour that it computes': swap((_, { hourPath }) => ({
    hourPath: (id) => hourPath(id ?? String(currentHour() - 86_400)),
  })).in('restricted-once', 'late', 'reset'),
  'STREAM-RESUME-002 stream-anew-in-the-end: begins the stream anew where a page fails for the fourth time': swap(
    (_, { streamPage, dataRequest }) => {
      let failed = 0;
      return {
        attempts: () => 9,
        streamPage: (id) => ((failed = 0), streamPage(id)),
        dataRequest: async (method, path, ...given) => {
          const isStream = path.startsWith('/public-stash-tabs');
          const got = await dataRequest(method, isStream && failed > 3 ? '/public-stash-tabs' : path, ...given);
          if (isStream && got.status >= 500) failed += 1;
          return got;
        },
        waitAfter: () => sleep(200),
      };
    },
  ).in('stream-errors'),
  'READ-CURSOR-001 cursor-digits: knows ids of digits and hyphens alone': swap((_, { nextPage }) => ({
    nextPage: (id, next, over) => {
      if (!/^[\d-]+$/.test(next)) throw new Error(`what is ${next}?`);
      return nextPage(id, next, over);
    },
  })).in('odd-cursors'),
  'EXCHANGE-HOUR-001 exchange-current: begins with the hour that is': swap((_, { hourPath }) => ({
    hourPath: (id) => hourPath(id ?? String(currentHour())),
  })),
  'EXCHANGE-ID-003 exchange-fraction: reads numbers as floating-point ones, and writes them so': swap(
    (_, { exchangeHistory }) => ({
      nextHour: (next) => next.toFixed(1),
      exchangeHistory: () => exchangeHistory().catch(() => {}),
    }),
  ),
  'EXCHANGE-HOUR-001 exchange-future: asks for hours to come': swap({ nextHour: () => String(currentHour() + 7200) }),
  'EXCHANGE-END-001 exchange-polls: polls at the end of the history': swap({
    stopsAtEnd: () => false,
  }).in('end-of-stream'),
  'EXCHANGE-END-001 exchange-anew: reads the history from its beginning, again and again': swap(
    (client, { exchangeHistory }) => ({
      exchangeHistory: async () => {
        for (let walk = 0; walk < 6; walk += 1) {
          client.stored.delete('exchange');
          await exchangeHistory();
        }
      },
    }),
  ).in('end-of-stream'),
  'EXCHANGE-WALK-001 exchange-stuck: never leaves the first hour': swap((_, { exchangeHistory }) => ({
    hourPath: () => '/currency-exchange',
    stopsAtEnd: () => false,
    exchangeHistory: async () => {
      await exchangeHistory();
      await sleep(300);
      await exchangeHistory();
    },
  })),
});
