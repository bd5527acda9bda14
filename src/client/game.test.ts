import { describe, expect, it } from 'vitest';

import { createGameClient } from './game.js';

const json = (status: number, body: unknown): Response => Response.json(body, { status });

/** Answers in turn, and keeps what it was asked. */
function scripted(...answers: Response[]) {
  const seen: { url: string; authorization: string | null; body: string }[] = [];
  const fetch = async (request: Request): Promise<Response> => {
    seen.push({ url: request.url, authorization: request.headers.get('authorization'), body: await request.text() });
    return answers.shift() ?? json(500, {});
  };
  return { fetch, seen };
}

const baseUrl = 'http://mock.test';
const filter = { filter_name: 'f', realm: 'pc', public: false, filter: 'Show' } as const;

describe('createGameClient', () => {
  it('sends a fixed token and returns the typed body', async () => {
    const { fetch, seen } = scripted(json(200, { leagues: [{ id: 'Standard' }] }));
    const { data } = await createGameClient({ baseUrl, token: 'abc', fetch }).GET('/league', {
      params: { query: { limit: 1 } },
    });
    expect(data?.leagues[0]?.id).toBe('Standard');
    expect(seen).toEqual([{ url: `${baseUrl}/league?limit=1`, authorization: 'Bearer abc', body: '' }]);
  });

  it('percent-encodes path parameters', async () => {
    const { fetch, seen } = scripted(json(200, { league: null }));
    await createGameClient({ baseUrl, token: 'abc', fetch }).GET('/league/{league}', {
      params: { path: { league: 'A/B 100%' } },
    });
    expect(seen[0]?.url).toBe(`${baseUrl}/league/A%2FB%20100%25`);
  });

  it('asks the source before each request', async () => {
    const { fetch, seen } = scripted(json(200, {}), json(200, {}));
    let count = 0;
    const game = createGameClient({ baseUrl, token: async () => `t${++count}`, fetch });
    await game.GET('/profile');
    await game.GET('/profile');
    expect(seen.map(({ authorization }) => authorization)).toEqual(['Bearer t1', 'Bearer t2']);
  });

  it('refreshes after a 401 and sends the same body again, once', async () => {
    const { fetch, seen } = scripted(json(401, {}), json(200, { filter: { id: '1' } }));
    const rejected: string[] = [];
    const token = Object.assign(() => 'old', {
      refresh: async (refused: string) => {
        rejected.push(refused);
        return 'new';
      },
    });
    const { data, response } = await createGameClient({ baseUrl, token, fetch }).POST('/item-filter', { body: filter });
    expect(response.status).toBe(200);
    expect(data).toEqual({ filter: { id: '1' } });
    expect(rejected).toEqual(['old']);
    expect(seen.map(({ authorization }) => authorization)).toEqual(['Bearer old', 'Bearer new']);
    expect(seen[1]?.body).toBe(JSON.stringify(filter));
  });

  it('hands on a second 401', async () => {
    const { fetch, seen } = scripted(json(401, { n: 1 }), json(401, { n: 2 }), json(200, {}));
    const token = Object.assign(() => 'old', { refresh: async () => 'new' });
    const { error, response } = await createGameClient({ baseUrl, token, fetch }).GET('/profile');
    expect(response.status).toBe(401);
    expect(error).toEqual({ n: 2 });
    expect(seen).toHaveLength(2);
  });

  it('hands on a 401 where nothing can refresh, and any other status', async () => {
    const { fetch, seen } = scripted(json(401, {}), json(403, {}));
    expect((await createGameClient({ baseUrl, token: 'abc', fetch }).GET('/profile')).response.status).toBe(401);
    const token = Object.assign(() => 'old', { refresh: async () => 'new' });
    expect((await createGameClient({ baseUrl, token, fetch }).GET('/profile')).response.status).toBe(403);
    expect(seen).toHaveLength(2);
  });

  it('rejects with the source’s own error', async () => {
    const { fetch, seen } = scripted(json(401, {}));
    const token = Object.assign(() => 'old', { refresh: () => Promise.reject(new Error('log in again')) });
    await expect(createGameClient({ baseUrl, token, fetch }).GET('/profile')).rejects.toThrow('log in again');
    expect(seen).toHaveLength(1);
  });

  it('uses the fetch of a single call for the second try too', async () => {
    const { fetch, seen } = scripted(json(401, {}), json(200, {}));
    const token = Object.assign(() => 'old', { refresh: async () => 'new' });
    const game = createGameClient({ baseUrl, token, fetch: () => Promise.reject(new Error('the other one')) });
    expect((await game.GET('/profile', { fetch })).response.status).toBe(200);
    expect(seen).toHaveLength(2);
  });
});
