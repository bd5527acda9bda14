import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import type { LimitChoice, LimitSettings, LimitWindow } from '../../client/index.js';
import { send as sendAny, startTestMock } from '../mock.fixture.js';
import type { Got, RawRequest } from '../mock.fixture.js';
import type { Mock } from '../mock.js';

let mock: Mock;
beforeEach(async () => {
  mock = await startTestMock();
  await mock.clock.freeze();
});
afterEach(() => mock.close());

const send = (sent: RawRequest): Promise<Got> => sendAny(mock.url, sent);
const window = (hits: number, period: number, restriction: number): LimitWindow => ({ hits, period, restriction });
const perClient = (...windows: LimitWindow[]): LimitSettings => ({
  policies: [{ name: 'all', operations: '*', rules: [{ rule: 'client', windows }] }],
});

/** A client that asks for its profile: the statuses, one after another. */
async function asker(clientId: string, account = 'alice') {
  const { access_token: token } = await mock.issueToken({ account, clientId, scopes: ['account:profile'] });
  const get = (more: Partial<RawRequest> = {}): Promise<Got> =>
    send({ path: '/profile', headers: { authorization: `Bearer ${token}` }, ...more });
  const statuses = async (count: number): Promise<number[]> => {
    const seen: number[] = [];
    for (let step = 0; step < count; step++) seen.push((await get()).status);
    return seen;
  };
  return { get, statuses };
}

/** Statuses of requests for leagues, by turns with tokens of two applications of one owner. */
async function leaguesOfTwoApplications(one: Mock, count = 3): Promise<number[]> {
  const tokens = await Promise.all(
    ['example-service', 'example-web'].map((clientId) => one.issueToken({ clientId, scopes: ['service:leagues'] })),
  );
  const statuses: number[] = [];
  for (let step = 0; step < count; step++) {
    const { access_token: token } = tokens[step % 2]!;
    const headers = { authorization: `Bearer ${token}`, 'user-agent': 'my-tool/1.0' };
    statuses.push((await sendAny(one.url, { path: '/league', headers })).status);
  }
  return statuses;
}

const limitHeaders = ({ headers }: Got): Record<string, unknown> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => /ratelimit|rate-limit|retry-after/.test(name)));

describe('the headers', () => {
  const settings: LimitSettings = {
    policies: [
      {
        name: 'account',
        operations: ['getProfile'],
        rules: [
          { rule: 'client', windows: [window(2, 10, 30), window(100, 60, 60)] },
          { rule: 'ip', windows: [window(50, 10, 10)] },
        ],
      },
    ],
  };

  it('in the observed style show rules, windows and state, counted after the request', async () => {
    await mock.limits.set(settings);
    const { get } = await asker('example-web');
    expect(limitHeaders(await get())).toEqual({
      'x-rate-limit-policy': 'account',
      'x-rate-limit-rules': 'client,ip',
      'x-rate-limit-client': '2:10:30,100:60:60',
      'x-rate-limit-client-state': '1:10:0,1:60:0',
      'x-rate-limit-ip': '50:10:10',
      'x-rate-limit-ip-state': '1:10:0',
    });
    await get();
    const over = await get();
    expect(over.status).toBe(429);
    expect(over.json()).toEqual({ error: { code: 3, message: 'Rate limit exceeded: try again in 30 s' } });
    expect(limitHeaders(over)).toMatchObject({ 'retry-after': '30', 'x-rate-limit-client-state': '3:10:30,3:60:0' });
    expect(over.headers['x-mock-reason']).toContain('policy account, rule client: more than 2 requests in 10 s');
    await mock.clock.advance(12);
    expect(limitHeaders(await get())).toMatchObject({
      'retry-after': '18',
      'x-rate-limit-client-state': '0:10:18,3:60:0',
    });
  });

  it('in the style of the IETF draft show quotas and what is left', async () => {
    await mock.limits.set({ ...settings, headers: 'ietf' });
    const { get } = await asker('example-web');
    expect(limitHeaders(await get())).toEqual({
      'ratelimit-policy': '"account-client-10";q=2;w=10, "account-client-60";q=100;w=60, "account-ip-10";q=50;w=10',
      ratelimit: '"account-client-10";r=1;t=11, "account-client-60";r=99;t=61, "account-ip-10";r=49;t=11',
    });
    await get();
    const over = await get();
    expect([over.status, over.headers['retry-after']]).toEqual([429, '30']);
    expect(over.headers.ratelimit).toContain('"account-client-10";r=0;t=30');
  });

  it('in neither style say nothing but when to come back', async () => {
    await mock.limits.set({ ...settings, headers: 'none' });
    const { get } = await asker('example-web');
    expect(limitHeaders(await get())).toEqual({});
    await get();
    expect(limitHeaders(await get())).toEqual({ 'retry-after': '30' });
  });

  it('are not there without limits', async () => {
    const { get } = await asker('example-web');
    expect(limitHeaders(await get())).toEqual({});
    expect(await mock.limits.get()).toBeNull();
  });
});

describe('who shares an allowance', () => {
  it('are the operations of a policy, and HEAD with GET', async () => {
    await mock.limits.set({
      policies: [
        {
          name: 'both',
          operations: ['getProfile', 'listCharacters'],
          rules: [{ rule: 'client', windows: [window(2, 10, 30)] }],
        },
      ],
    });
    const { get } = await asker('example-web');
    expect((await get({ method: 'HEAD' })).status).toBe(200);
    expect((await get({ path: '/character' })).status).toBe(403); // no scope, and counted all the same
    expect((await get()).status).toBe(429);
    expect((await get({ path: '/account/leagues' })).status).toBe(403);
  });

  it('are all public clients, but no two confidential ones', async () => {
    await mock.limits.set(perClient(window(2, 10, 30)));
    const [desktop, other] = [await asker('example-desktop'), await asker('example-desktop-norefresh', 'bob')];
    expect([...(await desktop.statuses(1)), ...(await other.statuses(2)), ...(await desktop.statuses(1))]).toEqual([
      200, 200, 429, 429,
    ]);
    const [web, web2] = [await asker('example-web'), await asker('example-other')];
    expect([...(await web.statuses(3)), ...(await web2.statuses(2))]).toEqual([200, 200, 429, 200, 200]);
  });

  it('are the client-credentials tokens and the user tokens of the owner', async () => {
    await mock.limits.set({
      policies: [{ name: 'all', operations: '*', rules: [{ rule: 'account', windows: [window(2, 10, 30)] }] }],
    });
    const { owner = '' } = mock.world.clients.find(({ id }) => id === 'example-service') ?? {};
    const { access_token: token } = await mock.issueToken({ clientId: 'example-service', scopes: ['service:leagues'] });
    const ofOwner = await asker('example-web', owner);
    expect(await ofOwner.statuses(1)).toEqual([200]);
    const leagues = () => send({ path: '/league', headers: { authorization: `Bearer ${token}` } });
    expect([(await leagues()).status, (await leagues()).status]).toEqual([200, 429]);
    expect(await ofOwner.statuses(1)).toEqual([429]);
    expect(await (await asker('example-web', 'bob')).statuses(1)).toEqual([200]);
  });

  it('are, by client too, the client-credentials tokens of all applications of an owner', async () => {
    await mock.limits.set(perClient(window(2, 10, 30)));
    expect(await leaguesOfTwoApplications(mock)).toEqual([200, 200, 429]);
    const { owner = '' } = mock.world.clients.find(({ id }) => id === 'example-service') ?? {};
    expect(await (await asker('example-web', owner)).statuses(2)).toEqual([200, 200]);
  });

  it('are requests of one address, whoever they are from', async () => {
    await mock.limits.set({
      policies: [{ name: 'all', operations: '*', rules: [{ rule: 'ip', windows: [window(2, 10, 30)] }] }],
    });
    const { get } = await asker('example-web');
    expect([(await get()).status, (await send({ path: '/profile' })).status, (await get()).status]).toEqual([
      200, 401, 429,
    ]);
  });

  it('are token requests of a client, which says in the form who it is', async () => {
    await mock.limits.set(perClient(window(1, 10, 30)));
    const post = (client: string, body = `grant_type=client_credentials&client_id=${client}&client_secret=x`) =>
      send({
        method: 'POST',
        path: '/oauth/token',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body,
      });
    const statuses = [];
    for (const client of ['example-service', 'example-web', 'example-service'])
      statuses.push((await post(client)).status);
    expect(statuses).toEqual([401, 401, 429]);
    expect((await post('example-service')).json()).toEqual({
      error: 'temporarily_unavailable',
      error_description: expect.any(String) as string,
    });
    const unread = await send({ method: 'POST', path: '/oauth/token', body: 'x' });
    expect([unread.status, unread.json()]).toEqual([400, expect.objectContaining({ error: 'invalid_request' })]);
  });
});

describe('the windows', () => {
  it('follow the clock of the mock, in buckets: who paces to the exact edge is restricted now and then', async () => {
    await mock.limits.set(perClient({ hits: 1, period: 10, restriction: 5, bucket: 5 }));
    const { get } = await asker('example-web');
    await mock.clock.advance(2.5); // in the middle of a bucket
    expect((await get()).status).toBe(200);
    await mock.clock.advance(10);
    expect((await get()).status).toBe(429);
    await mock.clock.advance(5);
    expect((await get()).status).toBe(429); // the refused request of before counted, and is in the period
    await mock.clock.advance(15);
    expect((await get()).status).toBe(200);
  });

  it('count what others send who share them, just before each request', async () => {
    await mock.limits.set({
      policies: [
        { name: 'all', operations: '*', rules: [{ rule: 'client', others: 2, windows: [window(6, 10, 30)] }] },
      ],
    });
    const { get } = await asker('example-desktop');
    expect((await get()).headers['x-rate-limit-client-state']).toBe('3:10:0');
    expect((await get()).headers['x-rate-limit-client-state']).toBe('6:10:0');
    expect((await get()).status).toBe(429);
  });

  it('change in the middle of a session, and keep what was counted where they stay', async () => {
    await mock.limits.set(perClient(window(5, 10, 30)));
    const { get } = await asker('example-web');
    await get();
    await get();
    await mock.limits.set(perClient(window(3, 10, 30), window(50, 60, 60)));
    const got = await get();
    expect(got.headers['x-rate-limit-client']).toBe('3:10:30,50:60:60');
    expect(got.headers['x-rate-limit-client-state']).toBe('3:10:0,1:60:0');
    await mock.limits.set('off');
    expect(limitHeaders(await get())).toEqual({});
  });

  it('start anew with a reset, under the limits of the start', async () => {
    const own = await startTestMock({ limits: perClient(window(1, 10, 1000)) });
    const get = () => sendAny(own.url, { path: '/profile', headers: { authorization: `Bearer ${token}` } });
    let { access_token: token } = await own.issueToken({ account: 'alice', scopes: ['account:profile'] });
    expect([(await get()).status, (await get()).status]).toEqual([200, 429]);
    await own.limits.set('off');
    await own.reset();
    ({ access_token: token } = await own.issueToken({ account: 'alice', scopes: ['account:profile'] }));
    expect([(await get()).status, (await get()).status]).toEqual([200, 429]);
    await own.close();
  });

  it('of invalid requests count 4xx answers alone, and close every operation', async () => {
    await mock.limits.set({
      policies: [
        {
          name: 'invalid',
          operations: '*',
          counts: 'invalid',
          rules: [{ rule: 'client', windows: [window(2, 60, 600)] }],
        },
      ],
    });
    const { get, statuses } = await asker('example-web');
    expect(await statuses(4)).toEqual([200, 200, 200, 200]);
    for (let step = 0; step < 3; step++) expect((await get({ path: '/character' })).status).toBe(403);
    const closed = await get();
    expect([closed.status, closed.headers['retry-after'], closed.headers['x-rate-limit-policy']]).toEqual([
      429,
      '600',
      'invalid',
    ]);
    await mock.clock.advance(600);
    expect(await statuses(1)).toEqual([200]);
  });
});

describe('the edge', () => {
  it('refuses requests without a User-Agent, with a page', async () => {
    await mock.limits.set({ policies: [], edge: { user_agent: true } });
    const { get } = await asker('example-web');
    const refused = await get();
    expect([refused.status, refused.headers['content-type']]).toEqual([403, 'text/html; charset=utf-8']);
    expect(refused.headers['x-mock-reason']).toContain('User-Agent');
    const response = await fetch(`${mock.url}/profile`, { headers: { 'user-agent': 'my-tool/1.0 (me@example.com)' } });
    expect([response.status, response.headers.get('content-type')]).toEqual([401, 'application/json; charset=utf-8']);
  });

  it('answers a flood with a page, and is seen in the journal', async () => {
    await mock.journal.start();
    await mock.limits.set({ policies: [], edge: { flood: window(3, 10, 60) } });
    const { get, statuses } = await asker('example-web');
    expect(await statuses(3)).toEqual([200, 200, 200]);
    const flooded = await get();
    expect([flooded.status, flooded.headers['retry-after']]).toEqual([429, '60']);
    expect(flooded.text).toMatch(/^<!doctype html>/);
    expect((await mock.journal.list({ decision: 'limited' }))[0]).toMatchObject({
      reason: expect.stringContaining('edge: a flood'),
      problems: { reply: ['the content-type is not application/json'] },
      reply: { body: { text: flooded.text } },
    });
  });
});

describe('the settings', () => {
  it('of the realistic set count the service operations for the account of the owner', async () => {
    const own = await startTestMock({ limits: 'realistic' });
    await own.clock.freeze();
    const statuses = await leaguesOfTwoApplications(own, 21);
    expect(statuses).toEqual([...Array<number>(20).fill(200), 429]);
    await own.close();
  });

  it('of the realistic set let an ordinary session pass, and restrict a hasty one', async () => {
    const own = await startTestMock({ limits: 'realistic' });
    await own.clock.freeze();
    const { access_token: token } = await own.issueToken({ account: 'alice', scopes: ['account:characters'] });
    const get = () =>
      sendAny(own.url, {
        path: '/character',
        headers: { authorization: `Bearer ${token}`, 'user-agent': 'my-tool/1.0' },
      });
    const statuses = [];
    for (let step = 0; step < 16; step++) statuses.push((await get()).status);
    expect(statuses).toEqual([...Array<number>(15).fill(200), 429]);
    await own.close();
  });

  const policy = {
    name: 'p',
    operations: ['getProfile'],
    rules: [{ rule: 'client' as const, windows: [window(1, 1, 1)] }],
  };
  it.each([
    ['loose', 'limits: "loose" is not a name of limits; write observed, realistic or off'],
    [{}, 'limits: lacks the member policies; add it'],
    [
      { policies: [{ ...policy, name: 'A B' }] },
      'limits.policies[0].name: has the wrong form (what headers call it: small letters, digits and -, up to 60)',
    ],
    [{ policies: [{ ...policy, rules: [] }] }, 'limits.policies[0].rules: needs at least 1 entry'],
    [
      { policies: [{ ...policy, operations: [] }] },
      'limits.policies[0].operations: has the wrong form (operations of the interface, or ids of the OpenAPI document; ',
    ],
    [
      { policies: [{ ...policy, operations: ['profile'] }] },
      'limits.policies[0].operations[0]: there is no operation "profile"; did you mean getProfile?',
    ],
    [
      { policies: [policy, { ...policy, name: 'q' }] },
      'limits.policies[1].operations: the policy p has getProfile already',
    ],
    [{ policies: [policy, policy] }, 'limits.policies[1].name: policies[0] has the name p already'],
    [
      { policies: [{ ...policy, rules: [...policy.rules, ...policy.rules] }] },
      'rules[1].rule: rules[0] is the rule client already',
    ],
    [
      { policies: [{ ...policy, rules: [{ rule: 'client', windows: [window(0, 1, 1)] }] }] },
      'windows[0].hits: must be 1 or more',
    ],
    [
      { policies: [{ ...policy, rules: [{ rule: 'client', windows: [window(1, 86_400, 1)] }] }] },
      'take buckets of at least 87 s',
    ],
    [
      { policies: [{ ...policy, rules: [{ rule: 'client', windows: [window(1, 5, 1), window(2, 5, 1)] }] }] },
      'another window has 5 s already',
    ],
    [
      { policies: [{ ...policy, rules: [{ ...policy.rules[0]!, shown: 'Ip' }] }] },
      'rules[0].shown: Ip is not client in other letter case',
    ],
    [{ policies: [], head: [{ operations: ['profile'] }] }, 'head[0].operations[0]: there is no operation "profile"'],
    [
      { policies: [], head: [{ operations: ['getStash'] }, { operations: ['getStashSub'] }] },
      'head[1].operations: head[0] has getStashSub already',
    ],
    [{ policies: [], burst: 1 }, 'limits: does not take "burst"; it takes '],
  ] as [LimitChoice, string][])('that are wrong change nothing: %j', async (wrong, sentence) => {
    await mock.limits.set({ policies: [policy] });
    await expect(mock.limits.set(wrong)).rejects.toThrow(sentence);
    expect(await mock.limits.get()).toEqual({ policies: [policy] });
    await expect(startTestMock({ limits: wrong })).rejects.toThrow(sentence);
  });
});
