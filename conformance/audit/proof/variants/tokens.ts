import { setTimeout as sleep } from 'node:timers/promises';

import { clientOf, swap } from '../client-mutant.js';
import { variants } from '../client-variant.js';
import { Oauth4webapiClient, OpenidClient } from '../libraries.js';

/** Tokens, in other right ways. */
export const tokens = variants({
  'openid-client: uses openid-client': {
    client: clientOf(OpenidClient),
    mayWarn: ['PACE-AGENT-001', 'TOK-SCOPE-002'],
  },
  'oauth4webapi: uses oauth4webapi': {
    client: clientOf(Oauth4webapiClient),
    mayWarn: ['AUTH-CODE-007', 'PACE-AGENT-001', 'REFRESH-HANG-001', 'TOK-SCOPE-002'],
  },
  'refresh-at-once: refreshes the tokens that it was just granted, once, and keeps them where that fails': swap(
    (client, { exchanged }) => ({
      exchanged: async (code, verifier) => {
        const granted = await exchanged(code, verifier);
        return client.refreshed(granted).catch(() => granted);
      },
    }),
  ).in('token-500', 'token-503'),
  'token-for-each-scope: has no user and a token for each of two scopes, and waits twice as long as it is asked to': {
    client: swap((client) => ({
      tokenWait: (got) => sleep(2 * (client.retryAfter(got) ?? 0)),
      run: async () => {
        const read = async (scope: string, path: string): Promise<void> => {
          const { access_token: token } = await client.tokenRequest({ ...client.credentialsForm(), scope });
          await client.dataRequest('GET', path, token);
        };
        const leagues = read('service:leagues', '/league');
        await sleep(200);
        await Promise.all([leagues, read('service:cxapi', '/currency-exchange')]);
      },
    })).in('token-busy'),
    least: 15,
  },
  'given-token: uses the token that it is given': {
    client: swap((client) => ({
      run: () => client.account(),
      tokens: () => Promise.resolve({ access_token: client.env('TOKEN_ACCOUNT'), expires_in: null, ends: null }),
      renew: () => Promise.reject(new Error('the token has ended')),
    })),
    least: 15,
  },
  'old-store: begins with a token that it stored long ago': swap((client, { run }) => ({
    run: async () => {
      const token = Buffer.from(crypto.getRandomValues(new Uint8Array(20))).toString('hex');
      if (!client.load()) client.keep({ access_token: token, expires_in: null, ends: null });
      await run();
    },
  })).in('access-ends', 'rotation'),
  'gives-up-waiting: does not hear the reply of its first refresh in time, and tries again': swap((_, { sendForm }) => {
    let deaf = true;
    return {
      sendForm: async (form, headers) => {
        const got = await sendForm(form, headers);
        if (form.grant_type !== 'refresh_token' || !deaf) return got;
        deaf = false;
        throw new Error('time-out');
      },
    };
  }).in('access-ends'),
  'challenged: sends its token only when it is asked to authenticate': swap((client, { send }) => {
    const challenged = new Set<string>();
    return {
      send: async (request) => {
        const { authorization: _, ...headers } = request.headers;
        const key = `${request.method} ${request.url}`;
        if (request.url.startsWith(client.auth + '/oauth') || challenged.has(key)) return send(request);
        challenged.add(key);
        const got = await send({ ...request, headers });
        return got.status === 401 ? send(request) : got;
      },
    };
  }).in('access-ends', 'restricted-once', 'restricted-first', 'server-error', 'denied', 'token-busy'),
  'guild-tool: may read guild stashes, and revokes its token when it is done': {
    client: swap((client) => ({
      scopes: ['account:profile', 'account:guild:stashes', 'oauth:revoke'],
      account: async () => {
        await client.optional(async () => void (await client.get('/guild/stash/Standard')));
        const { access_token: token } = await client.tokens();
        await client.sendForm({ token }, { authorization: `Bearer ${token}` }, '/oauth/token/revoke');
      },
      filters: () => Promise.resolve(),
    })).in('partial-consent'),
    mayWarn: ['AUTH-SCOPE-003'],
  },
});
