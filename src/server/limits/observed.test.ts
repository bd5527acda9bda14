import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { profileOf } from '../profile.js';
import { send as sendAny, startTestMock } from '../mock.fixture.js';
import type { Got, RawRequest } from '../mock.fixture.js';
import type { Mock } from '../mock.js';

let mock: Mock;
let token: string;
beforeEach(async () => {
  mock = await startTestMock({ limits: profileOf('observed').limits, epoch: 1_700_000_040_000 });
  await mock.clock.freeze();
  const scopes = ['account:profile', 'account:leagues', 'account:characters', 'account:stashes'] as const;
  ({ access_token: token } = await mock.issueToken({ account: 'alice', scopes: [...scopes] }));
});
afterEach(() => mock.close());

const send = (sent: RawRequest): Promise<Got> =>
  sendAny(mock.url, { ...sent, headers: { 'user-agent': 'my-tool/1.0', ...sent.headers } });
const ask = (path: string, method = 'GET'): Promise<Got> =>
  send({ path, method, headers: { authorization: `Bearer ${token}` } });
const limitHeaders = ({ headers }: Got): Record<string, unknown> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => /rate-limit|retry-after/.test(name)));

const tabId = '0'.repeat(10);
const policies = [
  ['stash-list', '/stash/Standard', '10:15:60,30:60:300'],
  ['stash', `/stash/Standard/${tabId}`, '15:10:60,30:300:300'],
  ['character-list', '/character', '2:10:60,5:300:300'],
  ['character', '/character/Nobody', '5:10:60,30:300:300'],
] as const;

describe('limits as a live service has them', () => {
  it.each(policies)('the policy %s, of %s, is %s for the account alone', async (policy, path, windows) => {
    const [first = [], second = []] = windows.split(',').map((window) => window.split(':').map(Number));
    const got = await ask(path);
    expect([got.status, limitHeaders(got)]).toEqual([
      200,
      {
        'x-rate-limit-policy': policy,
        'x-rate-limit-rules': 'Account',
        'x-rate-limit-account': windows,
        'x-rate-limit-account-state': `1:${first[1]}:0,1:${second[1]}:0`,
      },
    ]);
    for (let step = 1; step < first[0]!; step++) expect((await ask(path)).status).toBe(200);
    expect(limitHeaders(await ask(path))).toMatchObject({
      'retry-after': String(first[2]),
      'x-rate-limit-account-state': `${first[0]! + 1}:${first[1]}:${first[2]},${first[0]! + 1}:${second[1]}:0`,
    });
  });

  it.each([
    ['300 s after the first hit, which its bucket holds for longer', 300, '5:300:0'],
    ['360 s after it', 360, '1:300:0'],
  ])('the second window counts in buckets of a minute: %s', async (_, later, state) => {
    // The epoch begins a minute, and all hits are in its bucket.
    for (const seconds of [20, 11, 11, 11]) {
      await mock.clock.advance(seconds);
      await ask('/character');
    }
    await mock.clock.advance(later - 33);
    expect(limitHeaders(await ask('/character'))['x-rate-limit-account-state']).toContain(state);
  });

  it('requests that end in 400 carry headers and count', async () => {
    const { access_token: own } = await mock.issueToken({ clientId: 'example-service', scopes: ['service:leagues'] });
    const got = await send({ path: '/league?limit=junk', headers: { authorization: `Bearer ${own}` } });
    expect([got.status, limitHeaders(got)]).toMatchObject([400, { 'x-rate-limit-account-state': '1:10:0,1:60:0' }]);
  });

  it('the token endpoint counts addresses', async () => {
    const got = await send({
      path: '/oauth/token',
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'grant_type=client_credentials',
    });
    expect(limitHeaders(got)).toEqual({
      'x-rate-limit-policy': 'token',
      'x-rate-limit-rules': 'Ip',
      'x-rate-limit-ip': '60:30:30',
      'x-rate-limit-ip-state': '1:30:0',
    });
  });

  it('the profile has none', async () => {
    const got = await ask('/profile');
    expect([got.status, limitHeaders(got)]).toEqual([200, {}]);
  });
});

describe('HEAD', () => {
  it('is 204 with all headers and does not count', async () => {
    await ask('/character');
    for (let step = 0; step < 3; step++) {
      const { status, headers, text } = await ask('/character', 'HEAD');
      expect([status, text]).toEqual([204, '']);
      expect(headers['x-rate-limit-account-state']).toBe('1:10:0,1:300:0');
      expect(headers).not.toHaveProperty('content-length');
      expect(headers).not.toHaveProperty('content-type');
    }
  });

  it('of the account leagues is 200 and counts', async () => {
    const counted = ({ headers }: Got): unknown => headers['x-rate-limit-account-state'];
    const before = await ask('/account/leagues', 'HEAD');
    expect([before.status, counted(before)]).toEqual([200, expect.stringMatching(/^1:/)]);
    expect(counted(await ask('/account/leagues'))).toMatch(/^2:/);
  });

  it('of the profile is 403', async () => {
    const { status, headers } = await ask('/profile', 'HEAD');
    expect(status).toBe(403);
    expect(Object.keys(headers).filter((name) => name.startsWith('x-rate-limit'))).toEqual([]);
  });

  it('is not 204 for what is refused, nor without an entry', async () => {
    expect((await send({ path: '/character', method: 'HEAD' })).status).toBe(401);
    await mock.limits.set({ policies: [] });
    expect((await ask('/character', 'HEAD')).status).toBe(200);
  });
});
