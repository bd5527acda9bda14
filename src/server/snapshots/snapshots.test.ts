import { afterEach, describe, expect, it } from 'vitest';

import type { SnapshotFile, TokenInfo } from '../../client/index.js';
import { startMock } from '../mock.js';
import type { Mock } from '../mock.js';
import { epoch, send, startTestMock } from '../mock.fixture.js';

const open: Mock[] = [];
const started = async (...options: Parameters<typeof startTestMock>): Promise<Mock> => {
  const mock = await startTestMock(...options);
  open.push(mock);
  return mock;
};
afterEach(async () => {
  await Promise.all(open.splice(0).map((mock) => mock.close()));
});

const scopes = ['account:profile', 'account:item_filter'];
const status = async (mock: Mock, token: string): Promise<number> =>
  (await send(mock.url, { path: '/profile', headers: { authorization: `Bearer ${token}` } })).status;
const filters = async (mock: Mock, token: string): Promise<unknown> =>
  (await send(mock.url, { path: '/item-filter', headers: { authorization: `Bearer ${token}` } })).json();
const states = (tokens: readonly TokenInfo[]): string[] => tokens.map(({ state }) => state);

/** Changes something of everything that a snapshot has. */
async function change(mock: Mock, token: string): Promise<void> {
  const body = JSON.stringify({ filter_name: 'Mine', realm: 'pc', filter: 'Show\n', description: '', version: '1' });
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const { status: created } = await send(mock.url, { method: 'POST', path: '/item-filter', headers, body });
  expect(created).toBe(200);
  await mock.stashEvent({ op: 'list' });
  await mock.clock.advance({ days: 40 });
  await mock.revokeToken(token);
  await mock.issueToken({ account: 'bob', scopes });
}

describe('a snapshot', () => {
  it('brings back tokens, filters, stash events and the clock, as often as it is asked to', async () => {
    const mock = await started();
    await mock.clock.freeze();
    const { access_token: token } = await mock.issueToken({ account: 'alice', scopes });
    const before = { filters: await filters(mock, token), tokens: await mock.tokens(), now: await mock.clock.now() };
    expect(await mock.snapshots.save('before')).toEqual({ name: 'before', clock: before.now.toISOString() });
    for (const round of [1, 2]) {
      await change(mock, token);
      expect([round, await status(mock, token)]).toEqual([round, 401]);
      await mock.snapshots.restore('before');
      expect(await status(mock, token)).toBe(200);
      expect({ filters: await filters(mock, token), tokens: await mock.tokens(), now: await mock.clock.now() }).toEqual(
        before,
      );
      const { stashEvents } = await mock.snapshots.save('now').then(() => mock.snapshots.export('now'));
      expect(stashEvents).toEqual([]);
    }
  });

  it('brings back a code that was used since, once', async () => {
    const mock = await started({ autoApprove: true });
    const client = mock.world.clients.find(({ type, redirectUris }) => type === 'public' && redirectUris.length > 0)!;
    const [redirect_uri = ''] = client.redirectUris;
    const verifier = 'v'.repeat(43);
    const { createHash } = await import('node:crypto');
    const query = new URLSearchParams({
      client_id: client.id,
      response_type: 'code',
      scope: 'account:profile',
      state: 's',
      redirect_uri,
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
    });
    const { headers } = await send(mock.url, { path: `/oauth/authorize?${query.toString()}` });
    const code = new URL(String(headers.location)).searchParams.get('code') ?? '';
    await mock.snapshots.save('code');
    const exchange = async (): Promise<number> => {
      const body = new URLSearchParams({
        client_id: client.id,
        grant_type: 'authorization_code',
        code,
        redirect_uri,
        code_verifier: verifier,
      }).toString();
      const type = { 'content-type': 'application/x-www-form-urlencoded' };
      return (await send(mock.url, { method: 'POST', path: '/oauth/token', headers: type, body })).status;
    };
    expect(await exchange()).toBe(200);
    expect(await exchange()).toBe(400);
    await mock.snapshots.restore('code');
    expect(await exchange()).toBe(200);
  });

  it('is forked, listed and forgotten, and counts', async () => {
    const mock = await started();
    await mock.snapshots.save('a');
    await mock.snapshots.fork('a', 'b');
    await mock.issueToken({ account: 'alice', scopes });
    await mock.snapshots.save('a');
    await mock.snapshots.restore('b');
    expect(await mock.tokens()).toEqual([]);
    await mock.snapshots.restore('a');
    expect(states(await mock.tokens())).toContain('live');
    await mock.snapshots.remove('a');
    expect((await mock.snapshots.list()).map(({ name }) => name)).toEqual(['b']);
    await expect(mock.snapshots.restore('a')).rejects.toThrow('name: there is no snapshot "a"; there are b');
    await expect(mock.snapshots.save('no name')).rejects.toThrow(
      'name has the wrong form (letters, digits and ._-, up to 64.',
    );
    for (let index = 1; index < 20; index += 1) await mock.snapshots.save(`s${index}`);
    await expect(mock.snapshots.save('one-more')).rejects.toThrow('there are 20 snapshots; remove one');
  });

  it('goes through a file into another mock of the same settings, and starts one', async () => {
    const mock = await started({ seed: 7, switches: { 'lookup.nullStatus': 404 } });
    const { access_token: token } = await mock.issueToken({ account: 'alice', scopes });
    await mock.clock.advance({ days: 3 });
    await mock.snapshots.save('before');
    const file = JSON.parse(JSON.stringify(await mock.snapshots.export('before'))) as SnapshotFile;

    const twin = await started({ seed: 7, switches: { 'lookup.nullStatus': 404 } });
    await twin.snapshots.import('theirs', file);
    expect(await status(twin, token)).toBe(401);
    await twin.snapshots.restore('theirs');
    expect(await status(twin, token)).toBe(200);

    const heir = await startMock({ snapshot: file });
    open.push(heir);
    expect(await status(heir, token)).toBe(200);
    expect(heir.world.epoch).toBe(Date.parse(epoch));
    expect((await heir.clock.now()).toISOString().slice(0, 10)).toBe('2026-01-04');
    await heir.revokeToken(token);
    await heir.reset();
    expect(await status(heir, token)).toBe(200);
  });

  it('refuses a file that is none, and one of other settings', async () => {
    const mock = await started();
    await mock.snapshots.save('own');
    const file = await mock.snapshots.export('own');
    const other = await started({ seed: 2, flags: { 'F-CX': false } });
    await expect(other.snapshots.import('x', file)).rejects.toThrow(
      'snapshot: was made with another seed and flags; start a mock with --snapshot <file>',
    );
    await expect(startMock({ snapshot: file, seed: 3 })).rejects.toThrow('snapshot: was made with another seed');
    await expect(mock.snapshots.import('x', {} as SnapshotFile)).rejects.toThrow('snapshot lacks the member snapshot');
    const odd = { ...file, tokens: [{ text: 't' }] };
    await expect(mock.snapshots.import('x', odd)).rejects.toThrow('snapshot/tokens/0 lacks the member kind');
    await expect(startMock({ snapshot: odd })).rejects.toThrow('snapshot.tokens[0]: lacks the member kind');
  });
});
