import { describe, expect, it } from 'vitest';

import { connectMock, MockCallError } from './index.js';

interface Call {
  readonly call: string;
  readonly authorization: string | null;
  readonly body: unknown;
}

function connected(answer: () => Response, controlToken?: string) {
  const calls: Call[] = [];
  const fetch = async (request: Request): Promise<Response> => {
    const text = await request.text();
    const { pathname } = new URL(request.url);
    calls.push({
      call: `${request.method} ${pathname}`,
      authorization: request.headers.get('authorization'),
      body: text === '' ? null : JSON.parse(text),
    });
    return answer();
  };
  return { mock: connectMock('http://127.0.0.1:4010/', { fetch, controlToken }), calls };
}

const empty = (): Response => new Response(null, { status: 204 });

describe('connectMock', () => {
  it('knows its addresses without asking', () => {
    expect(connectMock('http://127.0.0.1:4010/')).toMatchObject({
      url: 'http://127.0.0.1:4010',
      controlUrl: 'http://127.0.0.1:4010/__control',
    });
  });

  it('moves the clock by a span alone that it knows', () => {
    const { mock, calls } = connected(empty);
    const give = 'give seconds, or days, hours, minutes, seconds';
    expect(() => mock.clock.advance({ dayz: 1 } as object)).toThrow(`clock.advance has "dayz"; ${give}`);
    expect(() => mock.clock.advance({})).toThrow(`clock.advance has nothing; ${give}`);
    expect(calls).toEqual([]);
  });

  it('moves the clock', async () => {
    const { mock, calls } = connected(() => Response.json({ now: '2026-01-29T00:00:00.000Z', frozen: false }));
    expect(await mock.clock.now()).toEqual(new Date('2026-01-29T00:00:00Z'));
    await mock.clock.advance({ days: 28, hours: 1, minutes: 2, seconds: 3 });
    await mock.clock.advance(30);
    await mock.clock.set(new Date('2026-02-01T00:00:00Z'));
    await mock.clock.freeze();
    await mock.clock.unfreeze();
    expect(calls.map(({ call }) => call)).toEqual([
      'GET /__control/clock',
      ...Array<string>(5).fill('POST /__control/clock'),
    ]);
    expect(calls.slice(1).map(({ body }) => body)).toEqual([
      { advance: 28 * 86400 + 3723 },
      { advance: 30 },
      { set: '2026-02-01T00:00:00.000Z' },
      { frozen: true },
      { frozen: false },
    ]);
  });

  it.each(['nope', '127.0.0.1:8080', 'localhost:8080', 'http://'])('refuses %j, which is no address', (url) => {
    expect(() => connectMock(url)).toThrow(`connectMock: "${url}" is no address; write one such as http://`);
  });

  it('asks for tokens, consent, revocations, stash events and a reset in the words of the protocol', async () => {
    const { mock, calls } = connected(empty, 'open sesame');
    await mock.issueToken({ account: 'alice', clientId: 'example-web', scopes: ['account:profile'] });
    await mock.revokeToken('abc');
    await mock.consent({ url: 'http://127.0.0.1:4010/oauth/authorize?a=b', account: 'alice' });
    await mock.revokeByUser('alice', 'example-web');
    await mock.revokeByApplication('example-service');
    await mock.stashEvent({ op: 'list' });
    await mock.reset();
    expect(calls.map(({ call, body }) => [call.replace('/__control', ''), body])).toEqual([
      ['POST /tokens', { account: 'alice', client_id: 'example-web', scopes: ['account:profile'] }],
      ['POST /tokens/revocations', { token: 'abc' }],
      ['POST /consent', { url: 'http://127.0.0.1:4010/oauth/authorize?a=b', account: 'alice', decision: 'approve' }],
      ['POST /revocations', { by: 'user', account: 'alice', client_id: 'example-web' }],
      ['POST /revocations', { by: 'application', client_id: 'example-service' }],
      ['POST /stash-events', { realm: 'pc', op: 'list' }],
      ['POST /reset', null],
    ]);
    expect(new Set(calls.map(({ authorization }) => authorization))).toEqual(new Set(['Bearer open sesame']));
  });

  it('names the call and hands on the sentence of the mock', async () => {
    const { mock } = connected(() => Response.json({ error: 'account: there is no "zoe"' }, { status: 400 }));
    const failure = await mock.revokeByUser('zoe', 'example-web').catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(MockCallError);
    expect(failure).toMatchObject({
      status: 400,
      message: 'POST http://127.0.0.1:4010/__control/revocations: account: there is no "zoe"',
    });
  });

  it('says when something else answers, or nothing', async () => {
    await expect(connected(() => new Response('<h1>Not found</h1>', { status: 404 })).mock.tokens()).rejects.toThrow(
      'no answer of a mock (HTTP 404)',
    );
    await expect(connected(() => new Response('<h1>Hello</h1>')).mock.tokens()).rejects.toThrow(
      'no answer of a mock (HTTP 200)',
    );
    const { mock } = connected(() => {
      throw new TypeError('fetch failed');
    });
    await expect(mock.reset()).rejects.toThrow(
      'POST http://127.0.0.1:4010/__control/reset: nothing answers there; is the mock running?',
    );
  });
});
