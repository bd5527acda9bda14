import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';

import { createApp } from './app.js';
import type { ExchangeRecord } from './exchange-record.js';
import type { Hook } from './hook.js';
import { usualService } from './service.fixture.js';

let close = async (): Promise<void> => {};
afterEach(() => close());

/** A mock with a hook: its address, and the records of what it answered. */
async function start(hook: Hook): Promise<{ readonly url: string; readonly records: readonly ExchangeRecord[] }> {
  const service = usualService({
    adaptWorld: ({ clients }) => ({ clients: clients.map((one) => ({ ...one, id: `my-${one.id}` })) }),
  });
  const records: ExchangeRecord[] = [];
  service.exchanges.subscribe((record) => records.push(record));
  const options = { cors: false, controlToken: undefined, allowHosts: [], log: () => {}, hook };
  const server = createApp(service, options).listen();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  close = async () => {
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, records };
}

const credentials = (id: string) => ({
  method: 'POST',
  body: new URLSearchParams({
    client_id: id,
    client_secret: 'service-secret',
    grant_type: 'client_credentials',
    scope: 'service:leagues',
  }),
});

describe('a hook', () => {
  it('changes the request before the app reads it', async () => {
    const { url, records } = await start((req, serve) => {
      req.url = '/oauth/token';
      return serve();
    });
    const response = await fetch(`${url}/token`, credentials('my-example-service'));
    expect(response.status).toBe(200);
    expect(records).toMatchObject([{ logical: 'issueToken', decision: 'answered' }]);
    expect(String(records[0]?.requestBody.content)).toContain('my-example-service');
  });

  it('reads the body and hands over another, which is recorded', async () => {
    const { url, records } = await start(async (req, serve) => {
      const parts: Buffer[] = [];
      for await (const part of req) parts.push(part as Buffer);
      return serve(Buffer.from(Buffer.concat(parts).toString().replace('nobody', 'my-example-service')));
    });
    expect((await fetch(`${url}/oauth/token`, credentials('nobody'))).status).toBe(200);
    expect(String(records[0]?.requestBody.content)).toContain('my-example-service');
  });

  it('changes the reply, and the record has what was sent', async () => {
    const { url, records } = await start(async (_req, serve) => ({ ...(await serve()), content: '{"other":true}' }));
    const response = await fetch(`${url}/profile`);
    expect([response.status, await response.json()]).toEqual([401, { other: true }]);
    expect(records).toMatchObject([{ decision: 'refused', reply: { body: { content: '{"other":true}' } } }]);
  });

  it('answers in place of the app', async () => {
    const { url, records } = await start(async () => ({ status: 418, headers: {}, content: 'tea' }));
    const response = await fetch(`${url}/profile`, { method: 'POST', body: 'x' });
    expect([response.status, await response.text()]).toEqual([418, 'tea']);
    expect(records).toEqual([]);
  });

  it('ends the connection when it fails', async () => {
    const { url } = await start(() => Promise.reject(new Error('no')));
    await expect(fetch(`${url}/profile`)).rejects.toThrow('fetch failed');
  });
});
