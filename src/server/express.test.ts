import express from 'express';
import type { Request, Response } from 'express';
import { afterEach, describe, expect, it } from 'vitest';

import { createExpress } from './express.js';
import { send } from './mock.fixture.js';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

const servers: Server[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => new Promise((done) => server.close(done))));
});

/** Starts the server and says where it is. */
async function urlOf(server: Server): Promise<string> {
  servers.push(server);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Every name that an object answers to, its own and inherited. */
function namesOf(object: object): string[] {
  const names = new Set<string>();
  for (
    let one: object | null = object;
    one && one !== Object.prototype;
    one = Object.getPrototypeOf(one) as object | null
  ) {
    for (const name of Object.getOwnPropertyNames(one)) names.add(name);
  }
  return [...names].sort();
}

describe('the fast server', () => {
  it('leaves the prototypes of request and response as they were born: that is what makes it fast', async () => {
    const { app, listen } = createExpress();
    const seen: boolean[] = [];
    const server = listen();
    server.prependListener('request', (req, res) => {
      const born = [Object.getPrototypeOf(req), Object.getPrototypeOf(res)] as object[];
      res.on('finish', () => seen.push(Object.getPrototypeOf(req) === born[0], Object.getPrototypeOf(res) === born[1]));
      seen.push(born[0] === app.request, born[1] === app.response);
    });
    app.use((_req, res) => void res.json({}));
    await send(await urlOf(server), { path: '/' });
    expect(seen).toEqual([true, true, true, true]);
  });

  it('loses nothing of what Express gives requests and responses', async () => {
    const plain = express();
    const { app, listen } = createExpress();
    const names: string[][] = [];
    for (const one of [plain, app])
      one.use((req, res) => void res.end(names.push(namesOf(req), namesOf(res)).toString()));
    const { createServer } = await import('node:http');
    await send(await urlOf(createServer(plain)), { path: '/' });
    await send(await urlOf(listen()), { path: '/' });
    const [plainReq, plainRes, fastReq, fastRes] = names;
    expect(fastReq).toEqual(expect.arrayContaining(plainReq ?? []));
    expect(fastRes).toEqual(expect.arrayContaining(plainRes ?? []));
  });

  it('behaves as Express does', async () => {
    const { app, listen } = createExpress();
    app.set('trust proxy', true);
    const router = express.Router();
    router.get('/things/:id', (req: Request, res: Response) => {
      res.locals.seen = 'yes';
      res
        .status(201)
        .set('x-thing', 'a')
        .cookie('c', 'v')
        .json({
          app: req.app === app && res.app === app && req.res === res && res.req === req,
          header: req.get('X-Sent'),
          id: req.params.id,
          query: req.query,
          path: [req.path, req.baseUrl, req.originalUrl],
          ip: req.ip,
          secure: req.secure,
          accepts: req.accepts(['html', 'json']),
          is: req.is('json'),
          locals: res.locals.seen,
        });
    });
    app.use('/base', express.json(), router);
    app.get('/move', (_req, res) => res.redirect('/elsewhere'));
    app.get('/send', (_req, res) => void res.type('html').send('<p>'));
    app.get('/fail', () => Promise.reject(new Error('broken')));
    app.use(
      (error: Error, _req: Request, res: Response, _next: unknown) =>
        void res.status(500).json({ failed: error.message }),
    );
    const url = await urlOf(listen());

    const got = await send(url, {
      path: '/base/things/a%2Fb?x=1&y=2',
      headers: {
        'x-sent': 'b',
        accept: 'application/json',
        'x-forwarded-proto': 'https',
        'x-forwarded-for': '10.0.0.1',
        'content-type': 'application/json',
      },
      body: '{}',
    });
    expect([got.status, got.headers['x-thing'], got.headers['set-cookie'], got.headers.etag !== undefined]).toEqual([
      201,
      'a',
      ['c=v; Path=/'],
      true,
    ]);
    expect(got.json()).toEqual({
      app: true,
      header: 'b',
      id: 'a/b',
      query: { x: '1', y: '2' },
      path: ['/things/a%2Fb', '/base', '/base/things/a%2Fb?x=1&y=2'],
      ip: '10.0.0.1',
      secure: true,
      accepts: 'json',
      is: 'json',
      locals: 'yes',
    });
    expect((await send(url, { path: '/move' })).headers.location).toBe('/elsewhere');
    expect((await send(url, { path: '/send' })).headers['content-type']).toBe('text/html; charset=utf-8');
    expect((await send(url, { path: '/fail' })).json()).toEqual({ failed: 'broken' });
    expect((await send(url, { path: '/nowhere' })).status).toBe(404);
  });

  it('keeps two apps apart, and the Express of others untouched', async () => {
    const [one, two] = [createExpress(), createExpress()];
    for (const [name, { app }] of Object.entries({ one, two })) {
      app.set('name', name);
      app.use((req, res) => void res.json(req.app.get('name')));
    }
    expect((await send(await urlOf(one.listen()), { path: '/' })).json()).toBe('one');
    expect((await send(await urlOf(two.listen()), { path: '/' })).json()).toBe('two');
    expect(Object.hasOwn(express.request, 'app')).toBe(false);
    expect(Object.hasOwn(express.response, 'app')).toBe(false);
  });
});
