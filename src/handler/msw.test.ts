import { http } from 'msw';
import { setupServer } from 'msw/node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { connectMock, createGameClient } from '../client/index.js';
import { createHandler } from './index.js';

const url = 'https://api.example';
const handler = createHandler();
const server = setupServer(http.all(`${url}/*`, ({ request }) => handler(request)));
const mock = connectMock(url);

describe('below MSW', () => {
  beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));
  afterAll(() => server.close());

  it('answers the client of a program, which knows the address of the service alone', async () => {
    const { access_token: token } = await mock.issueToken({ account: 'alice', scopes: ['account:characters'] });
    const game = createGameClient({ baseUrl: url, token });
    const { data } = await game.GET('/character');
    expect(data?.characters.length).toBeGreaterThan(0);
    await mock.clock.advance({ days: 28 });
    expect((await game.GET('/character')).response.status).toBe(401);
    await mock.reset();
  });

  it('takes forms', async () => {
    const body = new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: 'example-service',
      client_secret: 'service-secret',
      scope: 'service:leagues',
    });
    const response = await fetch(`${url}/oauth/token`, { method: 'POST', body });
    expect(await response.json()).toMatchObject({ scope: 'service:leagues' });
  });

  it('breaks connections', async () => {
    await mock.faults.add({ kind: 'reset', times: 1 });
    await expect(fetch(`${url}/profile`)).rejects.toThrow(TypeError);
    expect((await fetch(`${url}/profile`)).status).toBe(401);
  });
});
