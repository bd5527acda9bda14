import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';

import { mint } from '../oauth/index.js';
import { createApp } from './app.js';
import { send } from './mock.fixture.js';
import { usualService } from './service.fixture.js';

it('a client that floods the mock with tokens loses its own oldest, is named, and nobody else notices', async () => {
  const heard: string[] = [];
  const service = usualService({ log: (line) => heard.push(line) });
  const most = 20_000;
  const user = mint({ account: 'alice', client: 'example-web', scopes: ['account:profile'] }, service.authority);
  const flood = Array.from(
    { length: most + 2 },
    () => mint({ client: 'example-service', scopes: ['service:leagues'] }, service.authority).access_token,
  );

  const server = createApp(service, { cors: false, controlToken: undefined, allowHosts: [], log: () => {} }).listen();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const ask = (path: string, token = '') => send(url, { path, headers: { authorization: `Bearer ${token}` } });
  expect((await ask('/profile', user.access_token)).status).toBe(200);
  expect((await ask('/league', flood[2])).status).toBe(200);
  const refused = await ask('/league', flood[1]);
  expect([refused.status, refused.headers['x-mock-reason']]).toEqual([
    401,
    expect.stringContaining(`dropped: client example-service holds more than ${most} tokens`),
  ]);
  expect(heard).toEqual([expect.stringContaining(`client example-service holds more than ${most} tokens`)]);
  server.close();
  server.closeAllConnections();
});
