import { Agent } from 'node:http';

import { Ajv2020 as Ajv } from 'ajv/dist/2020.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import type { JournalEntry } from '../../client/index.js';
import { controlCall } from '../control.fixture.js';
import { processes, send, startTestMock, withToken } from '../mock.fixture.js';
import type { Mock } from '../mock.js';

let mock: Mock;
beforeEach(async () => {
  mock = await startTestMock({ journal: true });
});
afterEach(() => mock.close());

const profile = async (scope = 'account:profile' as const) =>
  send(mock.url, { path: '/profile', headers: await withToken(mock, scope) });
const postFilter = async (text: string) => {
  const headers = { ...(await withToken(mock, 'account:item_filter')), 'content-type': 'application/json' };
  const body = JSON.stringify({ filter: text });
  return send(mock.url, { method: 'POST', path: '/item-filter', headers, body });
};
const secret = 'service-secret';
const tokenRequest = (fields: Record<string, string> = {}) =>
  send(mock.url, {
    method: 'POST',
    path: '/oauth/token',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: 'example-service',
      client_secret: secret,
      scope: 'service:leagues',
      ...fields,
    }).toString(),
  });

describe('an entry', () => {
  it('says what came, what was decided and why, in the form that the control document has', async () => {
    await profile();
    await send(mock.url, { path: '/profile', headers: { authorization: `Bearer ${'a'.repeat(40)}` } });
    const got = await controlCall(mock, 'GET', '/journal/entries', undefined, 'JournalEntryList');
    const { entries } = got.json<{ entries: JournalEntry[] }>();
    expect(entries).toMatchObject([
      {
        number: 1,
        operation: 'getProfile',
        account: 'alice',
        decision: 'answered',
        problems: { request: [], reply: [] },
      },
      {
        number: 2,
        account: null,
        decision: 'refused',
        reason: expect.stringContaining('is unknown'),
        delivery: 'sent',
      },
    ]);
    expect(entries[0]?.credential).not.toBe(entries[1]?.credential);
    expect(await mock.journal.list()).toEqual(entries);
  });

  it.each([
    ['/league?limit=abc', 'limit must be a whole number'],
    ['/league?limit=51', 'limit must be at most 50'],
    ['/league?type=none', 'type must be one of'],
  ])('names what in a request leaves the contract: %s', async (path, problem) => {
    await send(mock.url, { path, headers: await withToken(mock, 'service:leagues') });
    const [entry] = await mock.journal.list();
    expect(entry?.problems.request).toEqual([expect.stringContaining(problem)]);
  });

  it('names it of forms and bodies too, before their secrets are marked', async () => {
    await tokenRequest();
    await tokenRequest({ grant_type: 'authorization_code', code: 'c0ffee', code_verifier: 'short', redirect_uri: 'x' });
    const headers = await withToken(mock, 'account:item_filter');
    await send(mock.url, {
      method: 'POST',
      path: '/item-filter',
      headers: { ...headers, 'content-type': 'application/json' },
      body: '{"filter_name":7}',
    });
    const entries = await mock.journal.list();
    expect(entries.map(({ problems }) => problems.request)).toEqual([
      [],
      expect.arrayContaining([expect.stringMatching(/^field code_verifier must match /)]),
      [expect.stringMatching(/filter_name must be a text/)],
    ]);
    expect(entries.map(({ problems }) => problems.reply)).toEqual([[], [], []]);
  });

  it('names what in a reply leaves the contract, of a mock whose switches leave it', async () => {
    const odd = await startTestMock({
      journal: true,
      switches: { 'flags.absentForm': 'null' },
    });
    const token = await odd.issueToken({ account: 'alice', scopes: ['account:characters'] });
    await send(odd.url, { path: '/character', headers: { authorization: `Bearer ${token.access_token}` } });
    expect((await odd.journal.list()).at(-1)?.problems.reply).toContain('field characters.0.expired must be true');
    await odd.close();
  });
});

describe('a secret', () => {
  const texts = async (): Promise<string> =>
    JSON.stringify([await mock.journal.list(), await mock.journal.har()]) +
    (await send(mock.url, { path: '/__control/journal/stream?operation=x' })).text;

  it('stands nowhere in the journal, and two uses of it have one mark', async () => {
    const { access_token: access, refresh_token: refresh = '' } = await mock.issueToken({
      account: 'alice',
      clientId: 'example-web',
      scopes: ['account:profile'],
    });
    const web = mock.world.clients.find(({ id }) => id === 'example-web')?.secret ?? '';
    const basic = `Basic ${Buffer.from(`${encodeURIComponent('example-web')}:${encodeURIComponent(web)}`).toString('base64')}`;
    const code = 'd'.repeat(40);
    await send(mock.url, {
      path: '/profile',
      headers: { authorization: `Bearer ${access}`, cookie: `session=${access}` },
    });
    await send(mock.url, { path: `/profile?access%5Ftoken=${access}` });
    await send(mock.url, { path: `/character/${access}`, headers: { referer: `http://x.example/?code=${code}` } });
    await tokenRequest({ grant_type: 'refresh_token', refresh_token: refresh });
    const refreshed = await send(mock.url, {
      method: 'POST',
      path: '/oauth/token',
      headers: { authorization: basic, 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ grant_type: 'refresh_token', refresh_token: refresh }).toString(),
    });
    const json = JSON.stringify({ client_secret: web, refresh_token: refresh, code, code_verifier: 'v'.repeat(43) });
    await send(mock.url, {
      method: 'POST',
      path: '/token',
      headers: { 'content-type': 'application/json' },
      body: json,
    });
    const issued = refreshed.json<{ access_token: string; refresh_token: string }>();
    const shown = await texts();
    for (const one of [access, refresh, issued.access_token, issued.refresh_token, secret, web, basic.slice(6), code])
      expect([one, shown.includes(one), shown.includes(encodeURIComponent(one))]).toEqual([one, false, false]);
    expect(shown).not.toContain('v'.repeat(43));

    const [read, inQuery, , , rotated] = await mock.journal.list();
    expect(read?.request.headers).toContainEqual(['authorization', `Bearer [redacted ${read?.credential}]`]);
    expect(inQuery?.target).toBe(`/profile?access%5Ftoken=[redacted ${read?.credential}]`);
    expect(rotated?.request.body.text).toContain(`refresh_token=[redacted ${rotated?.credential}]`);
  });

  it('is marked though the mock has forgotten it before anybody reads', async () => {
    await mock.snapshots.save('before');
    const { access_token: text } = await mock.issueToken({ account: 'alice', scopes: ['account:profile'] });
    await send(mock.url, { path: `/character/${text}`, headers: { 'x-trace': text, authorization: `Bearer ${text}` } });
    await mock.snapshots.restore('before');
    const shown = await texts();
    expect([shown.includes(text), shown.match(/\[redacted/g)?.length]).toEqual([false, 6]);
    await mock.snapshots.remove('before');
  });

  it('is marked in reasons too, and where it is nothing but text: short tokens, other alphabets, the control token', async () => {
    const controlToken = 'c0ntrol/t0ken+of=ours';
    const switches = { 'tokens.length': 20, 'tokens.alphabet': 'reserved' };
    const own = await startTestMock({ journal: true, controlToken, switches });
    const { access_token: access } = await own.issueToken({ account: 'alice', scopes: ['account:item_filter'] });
    const web = own.world.clients.find(({ id }) => id === 'example-web')?.secret ?? '';
    const bearer = { authorization: `Bearer ${access}` };
    const encoded = Buffer.from(`x:${access}`).toString('base64');
    for (const one of [access, web, controlToken])
      await send(own.url, { path: `/${encodeURIComponent(one)}?${one}`, headers: { 'user-agent': `agent ${one}` } });
    const filter = JSON.stringify({
      filter_name: access,
      realm: 'pc',
      filter: `# ${encoded} ${web}`,
      client_secret: web,
    });
    const headers = { ...bearer, 'content-type': 'application/json' };
    await send(own.url, { method: 'POST', path: '/item-filter', headers, body: filter });
    await send(own.url, {
      path: `/oauth/authorize?client_id=example-web&redirect_uri=https%3A%2F%2Fx.example%2F%3Fcode%3Dn0b0dy-kn0ws`,
    });
    const shown = JSON.stringify([await own.journal.list(), await own.journal.har()]);
    for (const one of [access, encodeURIComponent(access), encoded, web, controlToken, 'n0b0dy-kn0ws'])
      expect([one, shown.includes(one)]).toEqual([one, false]);
    expect((await own.journal.list())[0]?.reason).toMatch(/\[redacted \w{12}\]/);
    await own.close();
  });

  it('costs little where a form has 16,000 fields', async () => {
    const body = Array.from({ length: 16_000 }, (_, index) => `f${index % 8000}=v`).join('&');
    const started = process.cpuUsage();
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    for (let time = 0; time < 3; time += 1)
      await send(mock.url, { method: 'POST', path: '/oauth/token', headers, body });
    expect(await mock.journal.count()).toBe(3);
    expect((await mock.journal.list())[0]?.request.body.text).toMatch(/^f0=\[redacted/);
    // Microseconds of this process, however busy the machine is.
    expect(process.cpuUsage(started).user).toBeLessThan(3_000_000);
  });

  it('of a redirect is marked, and the consent page is not kept', async () => {
    const own = await startTestMock({ journal: true, autoApprove: 'alice' });
    const query = new URLSearchParams({
      client_id: 'example-web',
      response_type: 'code',
      scope: 'account:profile',
      state: 'af0ifjsldkj',
      redirect_uri: 'https://app.example/callback',
      code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
      code_challenge_method: 'S256',
    });
    const redirect = await send(own.url, { path: `/oauth/authorize?${query}` });
    const code = new URL(redirect.headers.location ?? '').searchParams.get('code') ?? '';
    const [entry] = await own.journal.list();
    expect(code).toMatch(/./);
    expect(JSON.stringify(entry)).not.toContain(code);
    expect(entry?.reply?.headers.find(([name]) => name === 'location')?.[1]).toMatch(
      /code=\[redacted \w+\]&state=af0i/,
    );
    expect(entry).toMatchObject({ client_id: 'example-web', problems: { request: [] } });
    await own.close();
  });
});

describe('the journal', () => {
  it('leaves out the pages of the mock', async () => {
    for (const path of ['/', '/docs', '/try', '/health', '/profile']) await send(mock.url, { path });
    expect((await mock.journal.list()).map(({ target }) => target)).toEqual(['/profile']);
  });

  it('is off until it is started, and stays readable when it is stopped', async () => {
    const own = await startTestMock();
    await send(own.url, { path: '/profile' });
    await own.journal.start();
    expect(await own.journal.count()).toBe(0);
    await send(own.url, { path: '/profile' });
    await own.journal.stop();
    await send(own.url, { path: '/profile' });
    expect(await own.journal.count()).toBe(1);
    await own.close();
  });

  it('does not say that nothing came where it did not record', async () => {
    const own = await startTestMock();
    const refused = async () => {
      const { journal } = own;
      for (const ask of [() => journal.count(), () => journal.list({ status: 200 }), () => journal.har()])
        await expect(ask()).rejects.toMatchObject({
          status: 409,
          message: expect.stringContaining(
            'the journal does not record; start it before the requests: await mock.journal.start()',
          ),
        });
    };
    await refused();
    await own.journal.start();
    await own.reset();
    expect(await own.journal.count()).toBe(0);
    await own.journal.stop();
    expect(await own.journal.count()).toBe(0);
    await own.journal.clear();
    await refused();
    await own.close();
  });

  it('is bounded in entries and bytes: the oldest go first', async () => {
    await mock.journal.start({ entries: 3 });
    for (let step = 0; step < 5; step++) await send(mock.url, { path: `/none/${step}` });
    expect((await mock.journal.list()).map(({ target }) => target)).toEqual(['/none/2', '/none/3', '/none/4']);
    await mock.journal.start({ bytes: 100_000 });
    for (const letter of 'abcde') await postFilter(letter.repeat(60_000));
    expect((await mock.journal.list()).map(({ request }) => request.body.text?.slice(-3))).toEqual(['e"}']);
  });

  it('keeps 64 KiB of a body, and counts the rest', async () => {
    await postFilter('y'.repeat(100_000));
    const [entry] = await mock.journal.list();
    expect([entry?.request.body.text?.length, entry?.request.body.size]).toEqual([65_536, 100_013]);
    expect(entry?.problems.request).toBeNull();
  });

  it('finds by operation, client, account, status and decision', async () => {
    await profile();
    await tokenRequest();
    await tokenRequest({ client_secret: 'wrong' });
    await send(mock.url, { path: '/profile' });
    const { journal } = mock;
    expect(await journal.count({ operation: 'getProfile' })).toBe(2);
    expect(await journal.count({ clientId: 'example-service' })).toBe(2);
    expect(await journal.count({ account: 'alice' })).toBe(1);
    expect(await journal.count({ status: 401 })).toBe(2);
    expect(await journal.count({ status: '4xx', operation: 'issueToken' })).toBe(1);
    expect(await journal.count({ decision: 'answered', after: 1 })).toBe(1);
  });

  it.each([
    [{ operation: 'profile' }, 'did you mean getProfile'],
    [{ operation: 'xyz' }, 'the operations are authorize'],
    [{ status: '600' }, 'write a status like 404'],
    [{ decision: 'denied' as 'refused' }, 'the decisions are answered'],
    [{ from: 1 } as object, 'it takes operation'],
  ])('refuses a filter that means nothing: %j', async (filter, sentence) => {
    await expect(mock.journal.list(filter)).rejects.toThrow(sentence);
  });

  it('waits for what is to come, and counts what is there', async () => {
    await tokenRequest();
    const two = mock.journal.waitFor({ operation: 'issueToken' }, { count: 2 });
    await tokenRequest();
    expect((await two).map(({ number }) => number)).toEqual([1, 2]);
    expect(await mock.journal.waitFor({ operation: 'issueToken' })).toHaveLength(1);
  });

  it('says what came instead of what was waited for', async () => {
    await tokenRequest();
    await profile();
    await profile();
    await expect(mock.journal.waitFor({ operation: 'issueToken' }, { count: 2, timeout: 0.05 })).rejects.toThrow(
      /waited 0\.05 s for 2 of operation issueToken: 1 came; what came instead: getProfile 200 of example-web\S* for alice \(2\)/,
    );
    await mock.journal.stop();
    await mock.journal.clear();
    await expect(mock.journal.waitFor({}, { timeout: 0.01 })).rejects.toThrow(
      '0 came; nothing else came; the journal does not record',
    );
  });

  it('is followed as a stream, by a bounded number', async () => {
    const seen: string[] = [];
    const stream = mock.journal.stream({ operation: 'issueToken' })[Symbol.asyncIterator]();
    const first = stream.next();
    // The first event can only be waited for once the stream stands: ask until something came.
    const stop = new AbortController();
    void first.then(() => stop.abort());
    while (!stop.signal.aborted) await tokenRequest();
    seen.push((await first).value.operation);
    await profile();
    await tokenRequest();
    seen.push((await stream.next()).value.operation);
    await stream.return?.(undefined);
    expect(seen).toEqual(['issueToken', 'issueToken']);

    const leave = new AbortController();
    const open = () => fetch(`${mock.controlUrl}/journal/stream`, { signal: leave.signal });
    const all = await Promise.all(Array.from({ length: 40 * processes }, open));
    expect(all.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(32 * processes);
    expect(all.filter(({ status }) => status === 409).length).toBeGreaterThanOrEqual(8);
    leave.abort();
  });

  it('is exported as an HTTP archive', async () => {
    await tokenRequest();
    await profile();
    const har = await mock.journal.har();
    const list = { type: 'array', items: { type: 'object', required: ['name', 'value'] } };
    const message = { headers: list, cookies: list, headersSize: { type: 'integer' }, bodySize: { type: 'integer' } };
    const names = ['httpVersion', ...Object.keys(message)];
    const valid = new Ajv({ strict: false }).compile({
      properties: {
        log: {
          required: ['version', 'creator', 'entries'],
          properties: {
            version: { const: '1.2' },
            creator: { required: ['name', 'version'] },
            entries: {
              minItems: 2,
              items: {
                required: ['startedDateTime', 'time', 'request', 'response', 'cache', 'timings'],
                properties: {
                  request: { required: ['method', 'url', 'queryString', ...names], properties: message },
                  response: {
                    required: ['status', 'statusText', 'redirectURL', 'content', ...names],
                    properties: { ...message, content: { required: ['size', 'mimeType'] } },
                  },
                  timings: { required: ['send', 'wait', 'receive'] },
                },
              },
            },
          },
        },
      },
      required: ['log'],
    });
    expect([valid(har), valid.errors]).toEqual([true, null]);
    expect(JSON.stringify(har)).toContain(`"url":"${mock.url}/profile"`);
  });

  it('ends its streams and waits when the mock is closed, and is empty after a reset', async () => {
    const own = await startTestMock({ journal: true });
    await send(own.url, { path: '/' });
    await own.reset();
    expect(await own.journal.count()).toBe(0);
    const waiting = own.journal.waitFor({}, { timeout: 60 }).catch((error: Error) => error.message);
    const stream = await fetch(`${own.controlUrl}/journal/stream`);
    await own.close();
    expect(await waiting).toMatch(/is being closed|nothing answers/);
    await stream.text().catch(() => '');
  });
});

describe('much of it', () => {
  it('is waited for in vain without holding up the mock', async () => {
    const entries = 8000;
    await mock.journal.start({ entries, bytes: 1 << 28 });
    const agent = new Agent({ keepAlive: true, maxSockets: 8 });
    await Promise.all(Array.from({ length: entries }, () => send(mock.url, { path: '/nothing', agent })));
    agent.destroy();
    // Time on the processor: a busy machine makes nothing slower.
    const begin = process.cpuUsage();
    const path = '/__control/journal/wait?operation=getProfile&timeout=0.001';
    const { status, text } = await send(mock.url, { path });
    expect([status, text]).toEqual([409, expect.stringContaining('GET /nothing 404 (1000), of the last 1000 of')]);
    expect(process.cpuUsage(begin).user).toBeLessThan(4_000_000);
  });

  it('in one form costs little more than to read it', async () => {
    const fields = Array.from({ length: 16_000 }, (_, index) => (index + 1296).toString(36)).join('&');
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const spent = async (body: string): Promise<number> => {
      const begin = process.cpuUsage();
      const { status } = await send(mock.url, { method: 'POST', path: '/oauth/token', headers, body });
      expect(status).toBe(400);
      return process.cpuUsage(begin).user / 1000;
    };
    const times: number[] = [];
    for (let round = 0; round < 5; round++) times.push(await spent(fields));
    expect(Math.min(...times)).toBeLessThan(150);
    await spent(`${fields.slice(0, 30_000)}&${fields.slice(0, 30_000)}`);
    const [problem = ''] = (await mock.journal.list()).at(-1)?.problems.request ?? [];
    expect(problem).toBe('sent more than once: a field that the contract does not have');
    expect(problem.length).toBeLessThan(300);
  });
});
