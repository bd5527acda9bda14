import { setTimeout as sleep } from 'node:timers/promises';

import { mutants, swap } from '../client-mutant.js';
import type { ClientEntry } from '../client-mutant.js';
import { confidential } from '../operators.js';
import type { Reference, Tokens } from '../reference.js';

const keepsFirst = swap({
  replaced: (held, next) => ({
    ...next,
    ...(held.refresh_token !== undefined && { refresh_token: held.refresh_token }),
  }),
});

const tokenWaits = (ms: number): ClientEntry => swap({ tokenWait: () => sleep(ms) });

/** Asks for four things at once. */
const atOnce = swap((client) => ({
  account: async () => {
    await client.get('/profile');
    await Promise.all(
      ['/profile', '/character', '/account/leagues', '/item-filter'].map((path) => client.get(path).catch(() => {})),
    );
  },
}));

/** Sends the stored refresh token once more. */
const refreshAgain = (client: Reference) => client.sendForm(client.refreshForm(client.load()?.refresh_token ?? ''), {});

/** A web client whose own tokens are those of the same client id. */
const oneClient = confidential.swap((_, { env }) => ({ env: (name) => env(name.replace(/^SERVICE_/, '')) }));

/** Refreshes again so often after a refresh that failed, and only then gives up. */
const insists = (times: number, pause = 0): ClientEntry =>
  swap((client, { afterRefresh }) => ({
    afterRefresh: async (error) => {
      for (let tries = 0; tries < times; tries += 1) {
        if (pause > 0) await sleep(pause);
        await refreshAgain(client);
      }
      return afterRefresh(error);
    },
  }));

export const refresh = mutants({
  'REFRESH-RESTART-001 refresh-old: keeps the first refresh token': keepsFirst.in('rotation'),
  'REFRESH-USED-001 refresh-first: keeps the first refresh token while it runs': keepsFirst.in('access-ends-twice'),
  'REFRESH-USED-001 refresh-double: refreshes once more with the used token': swap((client, { refreshed }) => ({
    refreshed: async (held) => {
      const next = await refreshed(held);
      await sleep(400);
      if (held?.refresh_token) await client.sendForm(client.refreshForm(held.refresh_token), {});
      return next;
    },
  })).in('access-ends'),
  'REFRESH-ONCE-001 refresh-storm: refreshes for each request that fails': atOnce
    .swap((client) => ({ renew: () => client.refreshed(client.load()) }))
    .in('access-ends'),
  'REFRESH-ONCE-001 refresh-both: refreshes for each of two characters that it reads at once': swap((client) => ({
    renew: () => client.refreshed(client.load()),
  })).in('access-ends-together'),
  'REFRESH-ONCE-002 refresh-serial: refreshes once for each request that was refused, one after the other': atOnce
    .swap((client) => {
      let last: Promise<unknown> = Promise.resolve();
      return {
        renew: () => {
          const next = last.then(() => client.refreshed(client.load()));
          last = next.catch(() => {});
          return next;
        },
      };
    })
    .in('access-ends'),
  'REFRESH-NEWEST-001 refresh-ignored: goes on with the old access token': swap((client, original) => {
    let first: Tokens | undefined;
    return {
      tokens: async () => (first ??= await original.tokens()),
      renew: () => client.refreshed(client.load()),
      optional: async (step) => {
        await step().catch(() => {});
        await sleep(300);
      },
    };
  }).in('access-ends'),
  'REFRESH-INVALID-001 refresh-invalid: tries a refused refresh token again': insists(3, 400).in('revoked-by-user'),
  'REFRESH-INVALID-001 refresh-invalid-once: tries a refused refresh token once more, a second later': insists(
    1,
    1000,
  ).in('revoked-by-user'),
  'REFRESH-STORM-002 token-hurry: does not wait for Retry-After of the token endpoint': tokenWaits(5).in('token-503'),
  'REFRESH-STORM-002 token-hurry-first: does not wait for Retry-After at the first token request':
    tokenWaits(5).in('token-busy'),
  'REFRESH-STORM-002 token-habit: waits two seconds for the token endpoint': tokenWaits(2000).in('token-busy'),
  'REFRESH-STORM-001 token-storm: storms a token endpoint that fails': tokenWaits(1)
    .swap((client, { refreshed }) => ({
      refreshed: async (held) => {
        const form = client.refreshForm(held?.refresh_token ?? '');
        for (let tries = 0; tries < 2; tries += 1) {
          const got = await client.sendForm(form, {});
          if (got.status === 200) client.keep(client.received(got));
        }
        return refreshed(client.load());
      },
    }))
    .in('token-500'),
  'REFRESH-LOST-001 lost-loop: repeats a refresh whose reply was lost': insists(6).in('lost-refresh-reply'),
  'REFRESH-LOST-001 lost-loop-later: repeats a refresh whose reply was lost, and begins with requests of its own':
    insists(6)
      .swap((client, { run }) => ({ run: () => client.service().then(run) }))
      .in('lost-refresh-reply'),
  'REFRESH-NEED-001 refresh-each: refreshes before each request': swap({ ending: () => true }),
  'REFRESH-SCOPE-001 refresh-scope: asks for all of its scopes with each refresh': swap((client, { refreshForm }) => ({
    refreshForm: (token) => ({ ...refreshForm(token), scope: client.scopes.join(' ') }),
  })).in('partial-consent'),
  'REFRESH-RESTART-001 restart-old: stores the first refresh token only': swap((client, original) => {
    let held: Tokens | undefined;
    return {
      keep: (tokens) => {
        held = tokens;
        return client.stored.has('tokens') ? tokens : original.keep(tokens);
      },
      load: () => held ?? original.load(),
    };
  }).in('rotation'),
  'REFRESH-RESTART-001 restart-first: stores what its login and its first refresh returned, and no later refresh': swap(
    (_, { keep, load }) => {
      let held: Tokens | undefined;
      let times = 0;
      return {
        keep: (tokens) => ((held = tokens), (times += 1) > 2 ? tokens : keep(tokens)),
        load: () => held ?? load(),
      };
    },
  ).in('access-ends-twice'),
  'REFRESH-RESTART-001 restart-success: stores what a refresh returned when data has come with it': swap(
    (client, { keep, load, read }) => {
      let fresh: Tokens | undefined;
      return {
        keep: (tokens) => (client.stored.has('tokens') ? (fresh = tokens) : keep(tokens)),
        load: () => fresh ?? load(),
        read: (got) => {
          if (fresh) keep(fresh);
          return read(got);
        },
      };
    },
  ).in('refreshed-in-vain'),
  'REFRESH-RESTART-001 restart-second: keeps its refresh token from the second refresh on, and has one client id for its user and itself':
    oneClient
      .swap((_, { replaced }) => {
        let times = 0;
        return {
          replaced: (held, next) => {
            const { refresh_token: old } = held;
            return (times += 1) > 1 && old !== undefined ? { ...next, refresh_token: old } : replaced(held, next);
          },
        };
      })
      .in('access-ends-twice'),
});
