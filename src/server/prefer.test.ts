import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import * as judges from '../contract/judges.gen.js';
import { operationList, parameterTable } from '../contract/index.js';
import { send, startTestMock, withToken } from './mock.fixture.js';
import type { Got } from './mock.fixture.js';
import type { Mock } from './mock.js';

let mock: Mock;
beforeAll(async () => {
  mock = await startTestMock({ cors: true });
});
afterAll(() => mock.close());

const prefer = (value: string | readonly string[], path = '/profile', method = 'GET'): Promise<Got> =>
  send(mock.url, { path, method, headers: { prefer: value } });

describe('Prefer', () => {
  it('gives the documented response of a status, without a token', async () => {
    const got = await prefer('code=403');
    expect(got.status).toBe(403);
    expect(got.headers).toMatchObject({
      'preference-applied': 'code=403',
      vary: 'Prefer',
      'x-mock-reason': 'the request asked for it: Prefer: code=403',
    });
    expect(got.json()).toHaveProperty('error.code', 6);
  });

  it('gives the example of a name, of a status where both are asked for', async () => {
    const linked = await prefer('example=linked');
    expect(linked.json()).toHaveProperty('livestream.name', 'alice_by_lantern');
    expect(linked.headers['preference-applied']).toBe('example=linked');
    const both = await prefer(['EXAMPLE="plain"', 'code=200; foo=bar', 'code=403']);
    expect(both.json()).toHaveProperty('name', 'bob');
    expect(both.headers['preference-applied']).toBe('code=200, example=plain');
  });

  it('has an example that keeps the contract for every operation with a JSON response', async () => {
    const validators = judges as unknown as Readonly<Record<string, (value: unknown) => boolean>>;
    for (const { id, logical, method, path } of operationList) {
      if (logical === 'authorize') continue;
      const got = await prefer('code=200', path.replaceAll(/\{[^}]+\}/g, 'x'), method);
      expect([id, got.status]).toEqual([id, 200]);
      expect([id, validators[`${logical}200`]?.(got.json())]).toEqual([id, true]);
    }
  });

  it('has examples of the realm that a path names', async () => {
    const inPath = operationList.filter(({ path }) => /[/](?:xbox|sony|game2|[{]realm[}])/.test(path));
    for (const { id, method, path, realm } of inPath) {
      const got = await prefer('code=200', path.replaceAll('{realm}', 'xbox').replaceAll(/\{[^}]+\}/g, 'x'), method);
      const [shown] = Object.values(got.json<Record<string, unknown>>());
      const realms = [shown].flat().flatMap((one) => (one as { realm?: string } | null)?.realm ?? []);
      expect([id, ...new Set(realms)]).toEqual(realms.length === 0 ? [id] : [id, realm ?? 'xbox']);
    }
  });

  it('has examples of refusals that name only what the operation has', async () => {
    for (const { id, method, path, server, logical } of operationList) {
      if (server !== 'data') continue;
      const refused = await prefer('code=400', path.replaceAll(/\{[^}]+\}/g, 'x'), method);
      const named = refused.status === 400 && refused.text.includes('limit');
      expect([id, named && !('limit' in parameterTable[logical])]).toEqual([id, false]);
    }
  });

  it('sends the headers that belong to a status', async () => {
    const challenges = await Promise.all([
      prefer('code=401'),
      prefer('code=403'),
      prefer('example=wrong-secret', '/oauth/token', 'POST'),
    ]);
    expect(challenges.map(({ headers }) => headers['www-authenticate'])).toEqual([
      'Bearer realm="data", error="invalid_token"',
      'Bearer realm="data", error="insufficient_scope", scope="account:profile"',
      'Basic realm="oauth", charset="UTF-8"',
    ]);
    const busy = await prefer('code=429', '/oauth/token', 'POST');
    expect(busy.headers).toMatchObject({ 'retry-after': '60', 'cache-control': 'no-store' });
    expect(busy.json()).toMatchObject({ error: 'temporarily_unavailable' });
  });

  it('ignores what is not documented, and says what is', async () => {
    const headers = { ...(await withToken(mock, 'account:profile')), prefer: 'code=418' };
    const got = await send(mock.url, { path: '/profile', headers });
    expect(got.status).toBe(200);
    expect(got.headers['preference-applied']).toBeUndefined();
    expect(got.headers['x-mock-reason']).toMatch(
      /^Prefer: code=418 is no example of getProfile; there are 200 linked, 200 plain, 401 /,
    );
    expect((await prefer('respond-async, handling=lenient, wait=-1, wait')).status).toBe(401);
  });

  it('holds a reply back as long as it is asked to, and the others not', async () => {
    const started = performance.now();
    const ended: string[] = [];
    await Promise.all([
      prefer('wait=0.3').then(({ headers }) => ended.push(String(headers['preference-applied']))),
      send(mock.url, { path: '/profile' }).then(() => ended.push('other')),
    ]);
    expect(ended).toEqual(['other', 'wait=0.3']);
    expect(performance.now() - started).toBeGreaterThan(280);
  });

  it('says nothing about requests without it, and lets no header decide for a user', async () => {
    const plain = await send(mock.url, { path: '/profile' });
    expect(plain.headers).not.toHaveProperty('vary');
    const consent = await prefer('code=302, wait=5', '/oauth/authorize?client_id=nobody');
    expect(consent.status).toBe(400);
    expect(consent.headers).not.toHaveProperty('preference-applied');
  });

  it('issues no token with an example of one', async () => {
    const got = await prefer('code=200', '/oauth/token', 'POST');
    const { access_token: token } = got.json<{ access_token: string }>();
    expect(got.headers['cache-control']).toBe('no-store');
    const used = await send(mock.url, { path: '/profile', headers: { authorization: `Bearer ${token}` } });
    expect(used.status).toBe(401);
  });

  it('is open to pages of other origins where the data API is', async () => {
    const preflight = await send(mock.url, {
      method: 'OPTIONS',
      path: '/profile',
      headers: {
        origin: 'https://app.example',
        'access-control-request-method': 'GET',
        'access-control-request-headers': 'prefer',
      },
    });
    expect(preflight.headers['access-control-allow-headers']).toContain('prefer');
    const got = await prefer('code=403');
    expect(got.headers['access-control-allow-origin']).toBe('*');
    expect(got.headers['access-control-expose-headers']).toBe('*');
  });
});
