import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as oauth from 'oauth4webapi';

import { connectMock, createGameClient } from '../../client/index.js';
import { send, startTestMock } from '../mock.fixture.js';
import type { Mock } from '../mock.js';
import { Refusal } from '../refusal.js';
import { usualService } from '../service.fixture.js';
import { bounds, Namespaces } from './namespaces.js';

let mock: Mock;
beforeAll(async () => {
  mock = await startTestMock();
});
afterAll(() => mock.close());

const scopes = ['account:profile', 'account:item_filter'];
const profile = (token: string) => ({ path: '/profile', headers: { authorization: `Bearer ${token}` } });

describe('namespaces', () => {
  it('are 50 at the same time, each with its own clock, tokens and filters', async () => {
    const names = Array.from({ length: bounds.namespaces }, (_, index) => `parallel-${index}`);
    await Promise.all(
      names.map(async (name, index) => {
        const own = await mock.namespace(name);
        expect(own.url).toBe(`${mock.url}/ns/${name}`);
        await own.clock.freeze();
        const now = await own.clock.advance({ days: index });
        expect(now.toISOString().slice(0, 10)).toBe(dayAfter(index));
        const { access_token: token } = await own.issueToken({ account: 'alice', scopes });
        const game = createGameClient({ baseUrl: own.url, token });
        const { data } = await game.POST('/item-filter', {
          body: { filter_name: name, realm: 'pc', filter: 'Show\n', description: '', version: '1' },
        });
        expect(data?.filter?.filter_name).toBe(name);
        const listed = await game.GET('/item-filter');
        const others = listed.data?.filters.filter(({ filter_name }) => filter_name.startsWith('parallel-'));
        expect(others?.map(({ filter_name }) => filter_name)).toEqual([name]);
        expect((await own.tokens()).length).toBe(2);
        expect(await own.clock.now()).toEqual(now);
        expect((await send(mock.url, profile(token))).status).toBe(401);
        const next = names[(index + 1) % names.length]!;
        expect([401, 404]).toContain((await send(mock.url, { ...profile(token), path: `/ns/${next}/profile` })).status);
      }),
    );
    expect(await mock.tokens()).toEqual([]);
    await expect(mock.namespace('one-more')).rejects.toThrow('there are 50 namespaces; remove one');
    await Promise.all(names.map(async (name) => (await mock.namespace(name)).remove()));
    expect((await send(mock.url, { path: '/ns/parallel-1/profile' })).status).toBe(404);
  });

  it('are whole mocks to client libraries: metadata, code, token, refresh', async () => {
    await using own = await mock.namespace('library');
    const issuer = new URL(own.url);
    const insecure = { [oauth.allowInsecureRequests]: true };
    const found = await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...insecure });
    const server = await oauth.processDiscoveryResponse(issuer, found);
    expect(server.token_endpoint).toBe(`${own.url}/oauth/token`);
    const known = mock.world.clients.find(({ type, redirectUris }) => type === 'public' && redirectUris.length > 0)!;
    const client: oauth.Client = { client_id: known.id };
    const [redirectUri = ''] = known.redirectUris;
    const verifier = oauth.generateRandomCodeVerifier();
    const url = new URL(server.authorization_endpoint!);
    url.search = new URLSearchParams({
      client_id: known.id,
      redirect_uri: redirectUri,
      response_type: 'code',
      scope: 'account:profile',
      state: 's',
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    }).toString();
    const { location } = await own.consent({ url: url.href, account: 'bob' });
    const parameters = oauth.validateAuthResponse(server, client, new URL(location!), 's');
    const answer = await oauth.authorizationCodeGrantRequest(
      server,
      client,
      oauth.None(),
      parameters,
      redirectUri,
      verifier,
      insecure,
    );
    const { access_token: token } = await oauth.processAuthorizationCodeResponse(server, client, answer);
    expect((await send(mock.url, { ...profile(token), path: '/ns/library/profile' })).json()).toHaveProperty(
      'name',
      'bob',
    );
    expect((await send(mock.url, profile(token))).status).toBe(401);
  });

  it('have pages whose links and forms stay in the namespace', async () => {
    await using own = await mock.namespace('pages');
    const known = mock.world.clients.find(
      ({ type, redirectUris }) => type === 'confidential' && redirectUris.length > 0,
    )!;
    const query = new URLSearchParams({
      client_id: known.id,
      redirect_uri: known.redirectUris[0]!,
      response_type: 'code',
      scope: 'account:profile',
      state: 's',
      code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
      code_challenge_method: 'S256',
    }).toString();
    const pages = ['', '/', '/applications', `/oauth/authorize?${query}`];
    const texts = await Promise.all(pages.map((path) => send(mock.url, { path: `/ns/pages${path}` })));
    expect(texts.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const links = texts.flatMap(({ text }) =>
      [...text.matchAll(/(?:href|action|src)="([^"]*)"/g)].map(([, link = '']) => link),
    );
    expect(links.length).toBeGreaterThan(8);
    expect(links.filter((link) => !/^(\/ns\/pages\/|data:)/.test(link))).toEqual([]);
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    const approved = await send(mock.url, {
      method: 'POST',
      path: `/ns/pages/oauth/authorize?${query}`,
      headers: form,
      body: 'account=alice&decision=approve&scope=account%3Aprofile',
    });
    expect(String(approved.headers.location)).toMatch(/[?&]code=/);
    const revoked = await send(mock.url, {
      method: 'POST',
      path: '/ns/pages/applications',
      headers: form,
      body: `account=alice&client_id=${known.id}`,
    });
    expect(revoked.headers.location).toBe('/ns/pages/applications?account=alice');
    expect((await own.tokens()).filter(({ state }) => state === 'live')).toEqual([]);
  });

  it('begin with a snapshot of the mock, and are reset by themselves', async () => {
    const { access_token: token } = await mock.issueToken({ account: 'alice', scopes });
    await mock.snapshots.save('signed-in');
    await using own = await mock.namespace('begun', { snapshot: 'signed-in' });
    await mock.revokeToken(token);
    expect((await send(mock.url, { ...profile(token), path: '/ns/begun/profile' })).status).toBe(200);
    await mock.reset();
    expect((await send(mock.url, { ...profile(token), path: '/ns/begun/profile' })).status).toBe(200);
    await own.reset();
    expect((await own.tokens()).length).toBe(2);
    await expect(mock.namespace('x', { snapshot: 'none' })).rejects.toThrow('there is no snapshot "none"');
  });

  it('are guarded as the control surface is, and are not nested', async () => {
    await using own = await mock.namespace('guarded');
    const browser = { origin: 'https://page.example' };
    expect((await send(mock.url, { path: '/ns/guarded/__control/clock', headers: browser })).status).toBe(403);
    for (const path of ['/ns/guarded/profile', '/ns/none/profile'])
      expect([path, (await send(mock.url, { path, headers: { host: 'rebound.example' } })).status]).toEqual([
        path,
        403,
      ]);
    await expect(connectMock(own.url).namespace('inner')).rejects.toThrow('has no such call');
    await expect(mock.namespace('../x')).rejects.toThrow('name has the wrong form (letters, digits and ._-, up to 64.');
    expect((await mock.namespace('guarded')).url).toBe(own.url);
    for (const path of ['/ns', '/ns/', '/ns/none/profile', '/nsx/guarded/profile'])
      expect([path, (await send(mock.url, { path })).status]).toEqual([path, 404]);
  });

  it('end when nobody has used them for an hour', () => {
    let now = 0;
    const root = usualService({ epoch: 0, realTime: () => now });
    const namespaces = new Namespaces(root, () => () => {});
    namespaces.create('a');
    namespaces.create('b');
    now = bounds.idle;
    const request = { url: '/ns/b/profile' } as Parameters<Namespaces['dispatch']>[0];
    expect(namespaces.dispatch(request, {} as Parameters<Namespaces['dispatch']>[1])).toBe(true);
    expect(request.url).toBe('/profile');
    now += 1;
    expect(namespaces.list().map(({ name }) => name)).toEqual(['b']);
    const ended = { ...request, url: '/ns/a' } as typeof request;
    expect(namespaces.dispatch(ended, {} as never)).toBe(false);
    expect(() => namespaces.refuse(ended)).toThrow(Refusal);
  });

  it('keep a megabyte in the journal unless they are told', async () => {
    await using own = await mock.namespace('journal');
    const bytes = async (control: string): Promise<number> =>
      (await send(control, { path: `${new URL(control).pathname}/journal` })).json<{ bytes: number }>().bytes;
    await own.journal.start();
    expect([await bytes(own.controlUrl), await bytes(mock.controlUrl)]).toEqual([1 << 20, 16 << 20]);
    await own.journal.start({ bytes: 5000 });
    expect(await bytes(own.controlUrl)).toBe(5000);
  });

  it('hold so many tokens, filters and stash events and no more', async () => {
    await using own = await mock.namespace('full');
    const { access_token: token } = await own.issueToken({ account: 'alice', clientId: undefined, scopes });
    const game = createGameClient({ baseUrl: own.url, token });
    const filter = 'x'.repeat(500_000);
    const body = { filter_name: 'Large', realm: 'pc' as const, filter, description: '', version: '1' };
    expect((await game.POST('/item-filter', { body })).response.status).toBe(200);
    const refused = await game.POST('/item-filter', { body });
    expect(refused.response.status).toBe(503);
    expect(JSON.stringify(refused.error)).toContain('a namespace holds 800000 characters of filters');
    for (let index = 0; index < 120; index += 1) await own.issueToken({ account: 'bob', scopes });
    // Of each client 50, which are two for each sign-in.
    expect((await own.tokens()).length).toBeLessThan(60);
  });
});

const dayAfter = (days: number): string =>
  new Date(Date.parse('2026-01-01') + days * 86_400_000).toISOString().slice(0, 10);
