import { setTimeout as sleep } from 'node:timers/promises';

import { swap } from '../client-mutant.js';
import { variants } from '../client-variant.js';
import { confidential, dataRequest } from '../operators.js';

/** Clients that do several things in other right ways, each in steps of its own: one audit does for all of them. */
export const several = variants({
  'own-ways: writes the scheme in lower case, refreshes an hour before the end, waits much longer than it must, makes a filter public, and asks for the tabs of folders by their own id':
    swap({
      dressed: (request, token) => ({ ...request, headers: { ...request.headers, authorization: `bearer ${token}` } }),
      ending: ({ ends }) => ends !== null && Date.now() > ends - 3_600_000,
    })
      .swap((_, { retryAfter, updateFilter }) => ({
        retryAfter: (got) => {
          const wait = retryAfter(got);
          return wait === undefined ? undefined : wait + 700;
        },
        updateFilter: (id, body) => updateFilter(id, { ...body, public: true }),
      }))
      .swap((client) => ({
        stashes: async (league) => {
          const { stashes = [] } = (await client.get(`/stash/${client.encode(league)}`)) as {
            stashes?: { id: string; type: string; children?: { id: string }[] }[];
          };
          const [folder] = stashes.filter(({ type }) => type === 'Folder');
          for (const { id } of folder?.children ?? []) await client.get(`/stash/${client.encode(league)}/${id}`);
        },
      })),
  'by-turns: percent-encodes the digits of paths, authenticates with HTTP Basic, reads the histories of three realms by turns, asks once for what is not there, and revokes its refresh token at the end':
    {
      client: dataRequest(({ url, ...request }) => {
        const { origin, pathname, search } = new URL(url);
        return {
          ...request,
          url: origin + pathname.replaceAll(/(?<!%|%[\da-f])\d/gi, (digit) => `%3${digit}`) + search,
        };
      })
        .swap((client, { credentialsForm }) => ({
          credentialsForm: () => {
            const { client_secret: _, client_id: __, ...form } = credentialsForm();
            return form;
          },
          credentialsHeaders: () => {
            const encoded = [client.env('SERVICE_CLIENT_ID'), client.env('SERVICE_CLIENT_SECRET')].map((text) =>
              new URLSearchParams({ a: text }).toString().slice(2),
            );
            return { authorization: `Basic ${btoa(encoded.join(':'))}` };
          },
        }))
        .swap((client) => ({
          exchangeHistory: async () => {
            const hours = new Map<string, string>();
            const realms = new Set(['', '/xbox', '/sony']);
            for (let turn = 0; turn < 5; turn += 1)
              for (const realm of realms) {
                const id = hours.get(realm);
                const path = `/currency-exchange${realm}${id === undefined ? '' : `/${id}`}`;
                const { next_change_id: next } = (await client.get(path, true)) as { next_change_id: number };
                if (String(next) === id) realms.delete(realm);
                hours.set(realm, String(next));
              }
          },
        }))
        .swap((client, { account, run }) => ({
          scopes: [...client.scopes, 'oauth:revoke'],
          account: async () => {
            await account();
            for (const path of ['/character/Nobody%20at%20all', '/item-filter/0000000000'])
              await client.optional(async () => void (await client.get(path)));
          },
          run: async () => {
            await run();
            const { access_token: bearer, refresh_token: token } = client.load() ?? {};
            if (token === undefined) return;
            await client.sendForm({ token }, { authorization: `Bearer ${bearer}` }, '/oauth/token/revoke');
            client.forget();
          },
        })),
      mayWarn: ['EXCHANGE-RESUME-001', 'ADDR-NAME-002'],
    },
  'asks-again: reads the metadata of the authorization server first, never refreshes and asks the user again, asks for one thing after the other, and polls the end of the stream at its leisure':
    {
      client: swap((client, { run, publicStashes }) => ({
        run: async () => {
          const url = `${client.auth}/.well-known/oauth-authorization-server`;
          await client.send({ method: 'GET', url, headers: {} });
          await run();
        },
        renew: async (rejected) => {
          const held = client.load();
          if (held && held.access_token !== rejected) return held;
          return (client.renewing ??= client.again().finally(() => void (client.renewing = undefined)));
        },
        account: async () => {
          const { characters = [] } = (await client.get('/character')) as { characters?: { name: string }[] };
          for (const { name } of characters.slice(0, 3)) await client.optional(() => client.character(name));
        },
        publicStashes: async () => {
          await publicStashes();
          await sleep(700);
          await publicStashes();
        },
      })),
      mayWarn: ['TOK-KEEP-007', 'AUTH-SCOPE-003'],
    },
  'confidential: is a confidential client with a listener of its own, and asks for everything at once': {
    client: confidential.swap((client) => ({
      account: async () => {
        const paths = ['/profile', '/character', '/account/leagues', '/item-filter'];
        await Promise.all(paths.map((path) => client.optional(async () => void (await client.get(path)))));
      },
    })),
    mayWarn: ['AUTH-SCOPE-003'],
  },
  'second-game: asks for the second game, and asks the user for each of two things': {
    client: swap((client, { run }) => ({
      account: async () => {
        const { characters = [] } = (await client.get('/character/game2')) as { characters?: { name: string }[] };
        for (const { name } of characters.slice(0, 2)) await client.get(`/character/game2/${client.encode(name)}`);
      },
      run: async () => {
        await run();
        client.forget();
        await client.get('/profile');
      },
    })),
    mayWarn: ['AUTH-SCOPE-003'],
  },
  'no-retry: asks for the realm xbox, and ends with any failure of the service but 429': {
    client: swap((client) => ({
      worthTrying: (status) => status === 429,
      account: async () => {
        for (const path of ['/character/xbox', '/account/leagues/xbox', '/profile']) await client.get(path);
      },
    })),
    mayWarn: ['AUTH-SCOPE-003', 'PACE-SURVIVE-002', 'PACE-SURVIVE-004'],
  },
  'fewer-scopes: asks for fewer scopes, and reads a ladder until a page is empty': {
    client: swap((client) => ({
      scopes: ['account:characters', 'account:profile'],
      account: async () => {
        await client.get('/profile');
        await client.get('/character');
      },
      filters: () => Promise.resolve(),
      service: async () => {
        for (let offset = 14_500; ; offset += 500) {
          const { league } = (await client.get(`/league/Standard/ladder?limit=500&offset=${offset}`, true)) as {
            league: { entries: unknown[] };
          };
          if (league.entries.length === 0) return;
        }
      },
    })),
    mayWarn: ['READ-OBSERVED-001'],
  },
});
