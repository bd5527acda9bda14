import { describe, expect, it } from 'vitest';

import { MissingCapability } from '../verdict.js';
import { member } from '../wire/answer.js';
import type { Answer, Asked, Sent } from '../wire/answer.js';
import type { Wire } from '../wire/wire.js';
import type { Run } from './run.js';
import { ServiceTokens } from './service-tokens.js';

const url = 'http://127.0.0.1:1';
const tokenRequest: Sent = {
  method: 'POST',
  url: `${url}/oauth/token`,
  headers: {},
  body: 'client_id=bot&grant_type=client_credentials',
};
const forToken: Asked = { server: 'authorization', args: {}, operation: 'issueToken', grant: 'client_credentials' };
const revocation: Asked = { server: 'authorization', args: {}, operation: 'revokeToken' };
const data: Asked = { server: 'data', args: {} };

const by = (token: string): Sent => ({
  method: 'GET',
  url: `${url}/league`,
  headers: { authorization: `Bearer ${token}` },
});
const revoked = (token: string): Sent => ({
  method: 'POST',
  url: `${url}/oauth/token/revoke`,
  headers: {},
  body: `token=${token}`,
});

/** A server with one client, of whose tokens the last one works, or every one; and what it was sent. */
function served({ isSingle }: { readonly isSingle: boolean }) {
  const issued: string[] = [];
  const ended = new Set<string>();
  const seen: string[] = [];
  const tokens = new ServiceTokens();
  const works = (token: string): boolean => issued.includes(token) && !ended.has(token);
  const send = async (sent: Sent, asked: Asked): Promise<Answer> => {
    const answer = (status: number, json: unknown): Answer => {
      const one = { asked, request: sent, status, json, headers: {}, text: JSON.stringify(json), number: 1, ms: 1 };
      tokens.see(one as Answer);
      return one as Answer;
    };
    if (asked.grant === 'client_credentials') {
      if (isSingle) for (const one of issued) ended.add(one);
      issued.push(`t${issued.length + 1}`);
      return answer(200, { access_token: issued.at(-1) });
    }
    const token = new URLSearchParams(sent.body).get('token') ?? sent.headers['authorization']!.slice('Bearer '.length);
    seen.push(token);
    if (asked.operation !== 'revokeToken') return answer(works(token) ? 200 : 401, {});
    ended.add(token);
    return answer(200, {});
  };
  const wire = { send, alone: async <T>(action: () => Promise<T>) => action() } as unknown as Wire;
  const token = async (): Promise<string> =>
    String(member((await tokens.send(wire, tokenRequest, forToken)).json, 'access_token'));
  const statusOf = async (sent: Sent, asked = data): Promise<number> => (await tokens.send(wire, sent, asked)).status;
  const oauth = {
    clientCredentials: async (role: string) => {
      if (role !== 'service') throw new Error(`no client ${role}`);
      return { access: await token(), scopes: [] };
    },
    probe: async (access: string) => send(by(access), data),
  };
  const learn = (): Promise<void> => tokens.learn({ oauth } as unknown as Run, 1);
  return { tokens, token, statusOf, learn, seen };
}

describe('tokens by client credentials', () => {
  it('are used as they are where several work', async () => {
    const { tokens, token, statusOf, learn, seen } = served({ isSingle: false });
    await learn();
    expect(tokens.isSingle).toBe(false);
    const [first, second] = [await token(), await token()];
    expect(await statusOf(by(first))).toBe(200);
    expect(await statusOf(by(second))).toBe(200);
    expect(seen.slice(-2)).toEqual([first, second]);
  });

  it('are asked for anew where a later one has ended them', async () => {
    const { tokens, token, statusOf, learn, seen } = served({ isSingle: true });
    await learn();
    expect(tokens.isSingle).toBe(true);
    const [first, second] = [await token(), await token()];
    expect(await statusOf(by(first))).toBe(200);
    expect(await statusOf(by(second))).toBe(200);
    expect(seen.slice(-2)).not.toContain(first);
    const before = seen.at(-1);
    expect(await statusOf(by(second))).toBe(200);
    expect(seen.at(-1)).toBe(before);
  });

  it('stay as they are where that is to be seen', async () => {
    const { tokens, token, statusOf, learn } = served({ isSingle: true });
    await learn();
    const first = await token();
    await token();
    expect(await tokens.plainly(() => statusOf(by(first)))).toBe(401);
  });

  it('are not asked for anew once they are revoked', async () => {
    const { token, statusOf, learn } = served({ isSingle: true });
    await learn();
    const first = await token();
    expect(await statusOf(revoked(first), revocation)).toBe(200);
    expect(await statusOf(by(first))).toBe(401);
    await token();
    await expect(statusOf(by(first))).rejects.toThrow(MissingCapability);
  });

  it('are never asked for in the place of one that is none of them', async () => {
    const { token, statusOf, learn, seen } = served({ isSingle: true });
    await learn();
    await token();
    expect(await statusOf(by('of-a-user'))).toBe(401);
    expect(seen.at(-1)).toBe('of-a-user');
  });
});
