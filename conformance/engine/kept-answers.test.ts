import { describe, expect, it } from 'vitest';

import { aTarget } from '../monitors/answers.fixture.js';
import type { Answer } from '../wire/answer.js';
import { adviceOnKept } from './kept-answers.js';

/** Who a token belongs to. */
type Who = string | null;
type Server = (path: string, who: Who) => Partial<Answer>;

/** The advice on a server that is asked for profiles by alice, bob and nobody. */
const adviceOf = (server: Server): Promise<readonly string[]> =>
  adviceOnKept(
    {
      http: { raw: async (_, path, { token } = {}) => server(path, token ?? null) as Answer },
      obtainable: () => new Map([['account:profile', undefined]]),
      accounts: () => ['alice', 'bob'],
      token: async (_, { account = 'alice' } = {}) => account,
    },
    aTarget(),
  );

const plain: Server = (path, who) =>
  who === null ? { status: 401, text: '' } : { status: /^\/(p|%70)/.test(path) ? 200 : 404, text: who };

/** Keeps what it answered 200, by what `key` makes of a request. */
function keeping(key: (path: string, who: Who) => string, server: Server = plain): Server {
  const kept = new Map<string, Partial<Answer>>();
  return (path, who) => {
    const answer = kept.get(key(path, who)) ?? server(path, who);
    if (answer.status === 200) kept.set(key(path, who), answer);
    return answer;
  };
}

describe('answers that are kept by their address', () => {
  it.each([
    ['alone', 'without a token', keeping((path) => path)],
    ['without its query', 'without a token', keeping((path) => path.replace(/\?.*/, ''))],
    ['once a token is there', 'for bob', keeping((path, who) => `${path} ${who !== null}`)],
  ])('are named as the cause of failures: %s', async (_, who, server) => {
    const [text] = await adviceOf(server);
    expect(text).toContain(`GET /profile ${who} got what another request had got`);
  });

  it.each([
    ['that keeps nothing', plain],
    ['that keeps by address and token', keeping((path, who) => `${path} ${who}`)],
    ['that asks for no token', (() => ({ status: 200, text: 'alice' })) as Server],
    ['that is gone', (() => ({ status: 503, text: '' })) as Server],
  ])('are not named of a server %s', async (_, server) => {
    expect(await adviceOf(server)).toEqual([]);
  });
});
