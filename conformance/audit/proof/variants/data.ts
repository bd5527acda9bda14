import { setTimeout as sleep } from 'node:timers/promises';

import { swap } from '../client-mutant.js';
import { variants } from '../client-variant.js';
import { raw } from '../operators.js';
import type { Reference } from '../reference.js';

/** Reads the exchange history as far as it goes. */
async function readHistory(client: Reference, hours: number): Promise<void> {
  for (let id: string | undefined, hour = 0; hour < hours; hour += 1) {
    const { next_change_id: next } = (await client.get(client.hourPath(id), true)) as { next_change_id: number };
    if (String(next) === id) return;
    id = String(next);
  }
}

/** What is asked for, and in what order, in other right ways. */
export const data = variants({
  'short-patience: ends with an error where it would have to wait for more than ten seconds': swap(
    (client, { retryAfter }) => ({
      retryAfter: (got) => {
        const wait = retryAfter(got);
        if (wait !== undefined && wait > 10_000) throw client.giveUp(got.status);
        return wait;
      },
    }),
  ).in('restricted-long', 'restricted-once'),
  'stash-count: reads the stream until it has fifty stashes': swap((client) => ({
    publicStashes: async () => {
      let id: string | undefined;
      for (let read = 0; read < 50;) {
        const reply = (await client.get(client.streamPage(id), true)) as { next_change_id: string; stashes: unknown[] };
        if (reply.stashes.length === 0) return;
        read += reply.stashes.length;
        id = reply.next_change_id;
      }
    },
  })).in('even-pages'),
  'service-only: has no user': { client: swap((client) => ({ run: () => client.service() })), least: 25 },
  'user-only: has no tokens of its own': swap({ service: () => Promise.resolve() }),
  'exact-pace: paces to the exact edge of the window': swap({ margin: () => 0, attempts: () => 8 }).in(
    'coarse-windows',
  ),
  'one-request: asks for one thing and ends': {
    client: swap((client) => ({ run: async () => void (await client.get('/profile')) })),
    least: 25,
    mayWarn: ['AUTH-SCOPE-003'],
  },
  'two-streams: reads the streams of two realms by turns': {
    client: swap((client) => ({
      publicStashes: async () => {
        const ids = new Map<string, string>();
        for (let turn = 0; turn < 3; turn += 1)
          for (const realm of ['', '/xbox']) {
            const id = ids.get(realm);
            const path = `/public-stash-tabs${realm}${id === undefined ? '' : `?id=${client.encode(id)}`}`;
            ids.set(realm, ((await client.get(path, true)) as { next_change_id: string }).next_change_id);
          }
      },
    })).in('calm'),
  },
  'realm-caps: reads four pages of the stream of one realm, and two of another': {
    client: swap((client) => ({
      publicStashes: async () => {
        for (const [realm, pages] of [
          ['', 4],
          ['/xbox', 2],
        ] as const)
          for (let id: string | undefined, page = 0; page < pages; page += 1) {
            const path = `/public-stash-tabs${realm}${id === undefined ? '' : `?id=${client.encode(id)}`}`;
            id = ((await client.get(path, true)) as { next_change_id: string }).next_change_id;
          }
      },
    })).in('even-pages'),
  },
  'token-between: gets another token after the first hour of a history that it reads': swap((client) => ({
    exchangeHistory: async () => {
      for (let id: string | undefined, hour = 0; hour < 5; hour += 1) {
        const { next_change_id: next } = (await client.get(client.hourPath(id), true)) as { next_change_id: number };
        if (String(next) === id) return;
        id = String(next);
        if (hour === 0) client.serviceTokens = undefined;
      }
    },
  })).in('empty-hours', 'quiet-hours'),
  'two-readers: reads the exchange history twice at the same time': {
    client: swap((client) => ({
      exchangeHistory: async () => void (await Promise.all([readHistory(client, 6), readHistory(client, 6)])),
    })).in('end-of-stream'),
    mayWarn: ['EXCHANGE-RESUME-001'],
  },
  'sampler: looks at the first page of both streams now and then': {
    client: swap((client) => ({
      service: async () => {
        for (let time = 0; time < 5; time += 1) {
          await client.get('/public-stash-tabs', true);
          await client.get('/currency-exchange', true);
          await sleep(150);
        }
      },
    })).in('calm'),
    mayWarn: ['STREAM-ID-003', 'EXCHANGE-WALK-001'],
  },
  'leagues-to-the-end: reads the leagues in small pages until one is empty': swap((client) => ({
    service: async () => {
      for (let offset = 0; ; offset += 5) {
        const { leagues } = (await client.get(`/league?limit=5&offset=${offset}`, true)) as { leagues: unknown[] };
        if (leagues.length === 0) return;
      }
    },
  })).in('odd-names'),
  'beyond-ladder: asks for several pages of a ladder at once, some of them beyond its end': {
    client: swap((client) => ({
      service: async () => {
        const pages = [14_500, 15_000, 15_500, 16_000].map((offset) => `limit=500&offset=${offset}`);
        await Promise.all(pages.map((page) => client.get(`/league/Standard/ladder?${page}`, true)));
      },
    })).in('calm'),
    mayWarn: ['ADDR-OFFSET-001'],
  },
  'ladder-places: overlaps pages of a ladder a little, and looks at every hundredth place of it': swap((client) => ({
    service: async () => {
      const pages = [0, 45, 90, 135].map((offset) => `limit=50&offset=${offset}`);
      const places = [0, 100, 200, 300].map((offset) => `limit=1&offset=${offset}`);
      for (const page of [...pages, ...places]) await client.get(`/league/Standard/ladder?${page}`, true);
    },
  })).in('calm'),
  'bare-parameters: leaves out what selects among seasons and classes': {
    client: swap((client) => ({
      service: async () => {
        for (const path of ['/league?type=season', '/league/Standard/ladder?sort=class'])
          await client.get(path, true).catch(() => {});
      },
    })),
    worlds: ['calm'],
    // What is selected then is not stated.
    mayWarn: ['ADDR-QUERY-002'],
  },
  'copies-filter: copies a filter, letters beyond ASCII and all': swap((client, { filters }) => ({
    filters: async () => {
      await client.optional(async () => {
        const { filters: [first] = [] } = (await client.get('/item-filter')) as { filters?: { id: string }[] };
        if (!first) return;
        const { filter } = (await client.get(`/item-filter/${first.id}`)) as { filter: { filter?: string } };
        await client.createFilter({ filter_name: 'copy', realm: 'pc', filter: filter.filter ?? 'Show\n' });
      });
      await filters();
    },
  })).in('odd-names', 'slow-names', 'nulls', 'partial-consent'),
  'three-filters: creates three filters, and leaves out those that are forbidden': swap((client) => ({
    filters: async () => {
      for (const name of ['one', 'two', 'three'])
        await client.optional(async () => {
          await client.createFilter({ filter_name: name, realm: 'pc', filter: `# ${name}\nShow\n` });
        });
    },
  })).in('forbidden', 'filter-refused'),
  'head-first: asks with HEAD whether something is there': swap((client, { dataRequest }) => ({
    dataRequest: async (method, path, token, body) => {
      if (method === 'GET' && /^\/(profile|character|league|public-stash-tabs|currency-exchange)/.test(path)) {
        const headers = { authorization: `Bearer ${token}`, 'user-agent': client.agent() };
        const got = await client.send({ method: 'HEAD', url: `${client.base}${path}`, headers });
        if (got.status >= 400) return got;
        const key = /^\/(profile|character)/.test(path) ? 'user' : 'service';
        client.learn(key, got);
        await client.pace(key);
      }
      return dataRequest(method, path, token, body);
    },
  })).in('access-ends', 'head-counts'),
  'http-1.0: speaks HTTP/1.0, each request on a connection of its own': swap({
    send: (request) => raw(request, '1.0'),
  }).in('access-ends', 'restricted-once', 'slow', 'large-pages'),
  'http-1.0-nameless: looks with HTTP/1.0 and no Host whether the service is there, as load balancers do': swap(
    (client, { run }) => ({
      run: async () => {
        await raw({ method: 'GET', url: `${client.base}/profile`, headers: { host: '' } }, '1.0');
        await run();
      },
    }),
  ).in('calm'),
});
