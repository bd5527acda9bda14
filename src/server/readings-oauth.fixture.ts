import { authorizationQuery, basic, codeClient, codeFor, exchangeForm, form } from './calls-oauth.fixture.js';
import { challengeOf } from '../oauth/pkce.js';
import type { Got } from './mock.fixture.js';
import { send, withToken } from './mock.fixture.js';
import type { Mock } from './mock.js';
import type { Readings } from './readings.fixture.js';

type Fields = Readonly<Record<string, string | null>>;

const postForm = (mock: Mock, path: string, fields: Fields, headers: Record<string, string> = {}): Promise<Got> =>
  send(mock.url, {
    method: 'POST',
    path,
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body: form(fields),
  });

const token = (mock: Mock, fields: Fields, headers?: Record<string, string>): Promise<Got> =>
  postForm(mock, '/oauth/token', fields, headers);

interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
}

const web = (mock: Mock) => codeClient(mock.world);

/** Tokens of alice for the client that may refresh. */
const minted = async (mock: Mock): Promise<Tokens> =>
  (await mock.issueToken({ account: 'alice', clientId: web(mock).id, scopes: ['account:profile'] })) as Tokens;

const profile = async (mock: Mock, { access_token: text }: Tokens): Promise<number> =>
  (await send(mock.url, { path: '/profile', headers: { authorization: `Bearer ${text}` } })).status;

const refresh = (mock: Mock, { refresh_token: text }: Tokens): Promise<Got> => {
  const { id, secret } = web(mock);
  return token(mock, { client_id: id, client_secret: secret, grant_type: 'refresh_token', refresh_token: text });
};

const service = (mock: Mock) => {
  const found = mock.world.clients.find(({ credentialScopes }) => credentialScopes.includes('service:leagues'));
  if (!found) throw new Error('no service client');
  return found;
};

const credentials = (mock: Mock, scope = 'service:leagues'): Fields => {
  const { id, secret } = service(mock);
  return { client_id: id, client_secret: secret, grant_type: 'client_credentials', scope };
};

const authorizePath = (mock: Mock, more: Record<string, string> = {}, client = web(mock)): string =>
  `/oauth/authorize?${authorizationQuery(client, more)}`;

const location = async (mock: Mock, more: Record<string, string> = {}): Promise<string> =>
  (await mock.consent({ url: `${mock.url}${authorizePath(mock, more)}`, account: 'alice' })).location ?? '';

async function revoke(mock: Mock, text: string): Promise<Got> {
  return postForm(mock, '/oauth/token/revoke', { token: text }, await withToken(mock, 'oauth:revoke'));
}

const operations = (mock: Mock) => {
  const found = mock.world.clients.find(({ credentialScopes }) => credentialScopes.includes('oauth:introspect'));
  if (!found) throw new Error('no client that may introspect');
  return found;
};

/** The readings of the authorization server. */
export const oauthReadings: Readings = {
  'tokens.expiresInMode': {
    look: async (mock) =>
      (await mock.issueToken({ account: 'alice', clientId: web(mock).id, scopes: ['account:profile'] })).expires_in,
    sees: [
      ['documented', 2_592_000],
      ['truthful', 2_419_200],
    ],
  },
  'tokens.accessLife.confidential': {
    look: async (mock) => {
      const tokens = await minted(mock);
      await mock.clock.advance(61);
      return profile(mock, tokens);
    },
    sees: [
      [2_419_200, 200],
      [60, 401],
    ],
  },
  'exchange.scope': {
    look: async (mock) => {
      const code = await codeFor(mock, web(mock), { scope: 'account:profile account:characters' });
      const got = (await token(mock, { ...exchangeForm(web(mock), code), scope: 'account:profile' })).json<{
        scope?: string;
        error?: string;
      }>();
      return got.scope ?? got.error;
    },
    sees: [
      ['narrow', 'account:profile'],
      ['ignore', 'account:profile account:characters'],
      ['reject', 'invalid_scope'],
    ],
  },
  'refresh.revokeOldAccess': {
    look: async (mock) => {
      const tokens = await minted(mock);
      await refresh(mock, tokens);
      return profile(mock, tokens);
    },
    sees: [
      [false, 200],
      [true, 401],
    ],
  },
  'refresh.reuseRevokesFamily': {
    look: async (mock) => {
      const tokens = await minted(mock);
      const fresh = (await refresh(mock, tokens)).json<Tokens>();
      const reused = await refresh(mock, tokens);
      return [reused.status, await profile(mock, fresh)];
    },
    sees: [
      [false, [400, 200]],
      [true, [400, 401]],
    ],
  },
  'code.replayRevokes': {
    look: async (mock) => {
      const fields = exchangeForm(web(mock), await codeFor(mock, web(mock)));
      const tokens = (await token(mock, fields)).json<Tokens>();
      const replayed = await token(mock, fields);
      return [replayed.status, await profile(mock, tokens)];
    },
    sees: [
      [true, [400, 401]],
      [false, [400, 200]],
    ],
  },
  'code.burnOnFailure': {
    look: async (mock) => {
      const fields = exchangeForm(web(mock), await codeFor(mock, web(mock)));
      await token(mock, { ...fields, code_verifier: 'x'.repeat(43) });
      return (await token(mock, fields)).status;
    },
    sees: [
      [false, 200],
      [true, 400],
    ],
  },
  'pkce.verifier': {
    look: async (mock) => {
      const short = 'AbCdEfGhIjKlMg==';
      const code = await codeFor(mock, web(mock), { code_challenge: challengeOf(short) });
      return (await token(mock, { ...exchangeForm(web(mock), code), code_verifier: short })).status;
    },
    sees: [
      ['strict', 400],
      ['lenient', 200],
    ],
  },
  'clientAuth.basic': {
    look: async (mock) =>
      (
        await token(
          mock,
          { grant_type: 'client_credentials', scope: 'service:leagues' },
          { authorization: basic(service(mock)) },
        )
      ).status,
    sees: [
      [true, 200],
      [false, 400],
    ],
  },
  'clientAuth.invalidClientStatus': {
    look: async (mock) => (await token(mock, { ...credentials(mock), client_secret: 'wrong' })).status,
    sees: [
      [401, 401],
      [400, 400],
    ],
  },
  'scopes.order': {
    look: async (mock) =>
      (await token(mock, credentials(mock, 'service:psapi service:leagues'))).json<{ scope: string }>().scope,
    sees: [
      ['requested', 'service:psapi service:leagues'],
      ['sorted', 'service:leagues service:psapi'],
    ],
  },
  'tokens.nullExpiresIn': {
    look: async (mock) => (await token(mock, credentials(mock))).json<{ expires_in?: null }>().expires_in,
    sees: [
      ['null', null],
      ['omit', undefined],
    ],
  },
  'tokens.form': {
    look: async (mock) => {
      const { access_token: text, refresh_token: other } = await minted(mock);
      return [
        /^[0-9a-f]{40}$/.test(text),
        /^[\w-]+\.[\w-]+\.[\w-]+$/.test(text),
        /^[0-9a-f]{40}$/.test(other),
        await profile(mock, { access_token: text, refresh_token: '' }),
      ];
    },
    sees: [
      ['hex', [true, false, true, 200]],
      ['jwt', [false, true, true, 200]],
    ],
  },
  'tokens.length': {
    look: async (mock) => (await minted(mock)).access_token.length,
    sees: [
      [40, 40],
      [20, 20],
      [4000, 4000],
    ],
  },
  'tokens.alphabet': {
    look: async (mock) => {
      const code = new URL(await location(mock)).searchParams.get('code') ?? '';
      const { access_token: text, refresh_token: other } = await minted(mock);
      const reserved = /^(?=.*[+])(?=.*[/])[\w.~+/%-]+==$/;
      return [
        [code, text, other].map((one) => reserved.test(one)),
        await profile(mock, { access_token: text, refresh_token: '' }),
      ];
    },
    sees: [
      ['hex', [[false, false, false], 200]],
      ['reserved', [[true, true, true], 200]],
    ],
  },
  'refresh.capAccessToChain': {
    look: async (mock) => {
      const tokens = await minted(mock);
      await mock.clock.advance({ days: 80 });
      const late = (await refresh(mock, tokens)).json<Tokens>();
      await mock.clock.advance({ days: 15 });
      return profile(mock, late);
    },
    sees: [
      [false, 200],
      [true, 401],
    ],
  },
  'authorize.status': {
    look: async (mock) => [
      (await mock.consent({ url: `${mock.url}${authorizePath(mock)}`, account: 'alice' })).status,
      (await send(mock.url, { path: authorizePath(mock, { response_type: 'token' }) })).status,
    ],
    sees: [
      [302, [302, 302]],
      [303, [303, 303]],
      [307, [307, 307]],
    ],
  },
  'authorize.badClientStatus': {
    look: async (mock) => {
      const got = await send(mock.url, { path: authorizePath(mock, { redirect_uri: 'https://elsewhere.example/' }) });
      return [got.status, got.headers.location];
    },
    sees: [
      [400, [400, undefined]],
      [403, [403, undefined]],
      [200, [200, undefined]],
    ],
  },
  'authorize.iss': {
    look: async (mock) => new URL(await location(mock)).searchParams.get('iss') === mock.url,
    sees: [
      [false, false],
      [true, true],
    ],
  },
  'authorize.paramOrder': {
    look: async (mock) => [...new URL(await location(mock)).searchParams.keys()],
    sees: [
      ['code-first', ['code', 'state']],
      ['state-first', ['state', 'code']],
    ],
  },
  'authorize.spaceForm': {
    look: async (mock) => /state=([^&]*)/.exec(await location(mock, { state: 'a b+c' }))?.[1],
    sees: [
      ['plus', 'a+b%2Bc'],
      ['percent', 'a%20b%2Bc'],
    ],
  },
  'redirect.loopbackAnyPort': {
    look: async (mock) => {
      const app = codeClient(mock.world, 'public');
      const redirect_uri = (app.redirectUris[0] ?? '').replace(/:\d+/, ':59999');
      return (await send(mock.url, { path: authorizePath(mock, { redirect_uri }, app) })).status;
    },
    sees: [
      ['public', 200],
      ['none', 400],
    ],
  },
  'scopes.unknown': {
    look: async (mock) => {
      const { searchParams } = new URL(await location(mock, { scope: 'account:profile account:everything' }));
      if (searchParams.has('error')) return searchParams.get('error');
      return (await token(mock, exchangeForm(web(mock), searchParams.get('code') ?? ''))).json<{ scope: string }>()
        .scope;
    },
    sees: [
      ['error', 'invalid_scope'],
      ['drop', 'account:profile'],
    ],
  },
  'consent.mode': {
    look: async (mock) => {
      const got = await send(mock.url, { path: authorizePath(mock) });
      return [got.status, got.headers.location?.includes('code=')];
    },
    sees: [
      ['page', [200, undefined]],
      ['auto', [302, true]],
    ],
  },
  'revoke.auth': {
    look: async (mock) => {
      const { id, secret } = operations(mock);
      const body = { client_id: id, client_secret: secret, token: 'x' };
      return Promise.all([
        revoke(mock, 'x').then(({ status }) => status),
        postForm(mock, '/oauth/token/introspect', body).then(({ status }) => status),
      ]);
    },
    sees: [
      ['either', [200, 200]],
      ['bearer', [200, 401]],
      ['client', [401, 200]],
    ],
  },
  'revoke.body': {
    look: async (mock) => {
      const got = await revoke(mock, 'never-given');
      return [got.status, got.text === '' ? undefined : got.headers['content-type'], got.text];
    },
    sees: [
      ['json', [200, 'application/json; charset=utf-8', '{}']],
      ['empty', [200, undefined, '']],
      ['html', [200, 'text/html; charset=utf-8', '<p>The token is revoked.</p>']],
    ],
  },
  'revoke.refreshRevokesAccess': {
    look: async (mock) => {
      const tokens = await minted(mock);
      await revoke(mock, tokens.refresh_token);
      return profile(mock, tokens);
    },
    sees: [
      [true, 401],
      [false, 200],
    ],
  },
  'revoke.usedRefresh': {
    look: async (mock) => {
      const tokens = await minted(mock);
      const next = (await refresh(mock, tokens)).json<Tokens>();
      await revoke(mock, tokens.refresh_token);
      return profile(mock, next);
    },
    sees: [
      ['grant', 401],
      ['nothing', 200],
    ],
  },
  'revoke.accessRevokesRefresh': {
    look: async (mock) => {
      const tokens = await minted(mock);
      await revoke(mock, tokens.access_token);
      return (await refresh(mock, tokens)).status;
    },
    sees: [
      [false, 200],
      [true, 400],
    ],
  },
  'introspect.detail': {
    look: async (mock) => {
      const got = await postForm(
        mock,
        '/oauth/token/introspect',
        { token: (await minted(mock)).access_token },
        await withToken(mock, 'oauth:introspect'),
      );
      return Object.keys(got.json<object>()).sort();
    },
    sees: [
      ['full', ['active', 'client_id', 'exp', 'iat', 'scope', 'sub', 'token_type', 'username']],
      ['active', ['active']],
    ],
  },
};
