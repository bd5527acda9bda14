import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { startMock } from '../../src/index.js';
import type { Mock } from '../../src/index.js';

/** The mock, and two servers before it that answer as the service may tomorrow. */
export interface Worlds {
  readonly mock: Mock;
  /** Addresses: as described, with a member that nobody knows, with values that nobody knows. */
  readonly urls: Readonly<Record<'described' | 'member' | 'value', string>>;
  close(): Promise<void>;
}

export const application = { id: 'example-web', secret: 'web-secret' } as const;

export async function startWorlds(): Promise<Worlds> {
  const mock = await startMock({ autoApprove: 'alice', epoch: '2026-01-01T00:00:00Z', volume: { stashChanges: 400 } });
  // A compiler may take minutes; the stream has to be as long after it as before.
  await mock.clock.freeze();
  const [member, value] = await Promise.all([relay(mock.url, withMember), relay(mock.url, withValues)]);
  return {
    mock,
    urls: { described: mock.url, member: member.url, value: value.url },
    close: async () => void (await Promise.all([member.close(), value.close(), mock.close()])),
  };
}

type Reply = Record<string, unknown>;
interface Entry {
  readonly rank: number;
  readonly character: { readonly name: string; readonly level: number };
}

/** What the programs must print: read here without any generated code. */
export interface Expected {
  /** All steps. */
  readonly client: readonly string[];
  readonly oauth: readonly string[];
  /** The short program: the first ten of a ladder. */
  readonly example: readonly string[];
}

export async function expectedLines({ mock }: Worlds): Promise<Expected> {
  const tokens = async (form: Record<string, string>): Promise<Reply> => {
    const client = { client_id: application.id, client_secret: application.secret };
    const body = new URLSearchParams({ ...client, ...form });
    return (await fetch(`${mock.url}/oauth/token`, { method: 'POST', body })).json() as Promise<Reply>;
  };
  const get = async (path: string, { access_token: token }: Reply): Promise<Reply> =>
    (await fetch(mock.url + path, { headers: { authorization: `Bearer ${String(token)}` } })).json() as Promise<Reply>;

  const service = await tokens({ grant_type: 'client_credentials', scope: 'service:leagues:ladder service:psapi' });
  const user = await tokens({ grant_type: 'refresh_token', refresh_token: await refreshToken(mock) });
  const { character } = (await get('/character/AsterOfReeds', user)) as { character: Reply };

  const entries: Entry[] = [];
  for (;;) {
    const path = `/league/Standard/ladder?limit=500&offset=${entries.length}`;
    const { league } = (await get(path, service)) as { league: { entries: Entry[] } };
    if (league.entries.length === 0) break;
    entries.push(...league.entries);
  }
  let [stashes, items] = [0, 0];
  for (let id = ''; ;) {
    const page = await get(`/public-stash-tabs${id}`, service);
    const changes = page['stashes'] as { items?: unknown[] }[];
    if (changes.length === 0) break;
    stashes += changes.length;
    for (const change of changes) items += change.items?.length ?? 0;
    id = `?id=${String(page['next_change_id'])}`;
  }
  const worn = character['equipment'] as unknown[];
  return {
    client: [
      `client credentials: ${String(service['token_type'])}`,
      `refresh: ${String(user['username'])}`,
      `character: level ${String(character['level'])}, experience ${String(character['experience'])}, ${worn.length} items`,
      `ladder: ${entries.length} entries`,
      `stream: ${stashes} stashes, ${items} items`,
    ],
    oauth: ['code: alice', 'refresh: alice', 'client credentials: 200', 'revocation: 401'],
    example: entries.slice(0, 10).map(({ rank, character: { name, level } }) => `${rank} ${name} ${level}`),
  };
}

/** A refresh token of a user, good for one exchange. */
export async function refreshToken(mock: Mock): Promise<string> {
  const wish = {
    account: 'alice',
    clientId: application.id,
    scopes: ['account:characters', 'account:profile'],
  } as const;
  const { refresh_token: token } = await mock.issueToken(wish);
  if (token === undefined) throw new Error(`${application.id} gets no refresh token`);
  return token;
}

/** Objects whose keys are data: a new member there would be an entry. */
const dictionaries =
  /^(mastery_effects|specialisations|skill_overrides|jewel_data|rewards|nodes|groups|progress|map|volume_traded|(lowest|highest)_\w+)$/;

/** Every object with a member more. */
function withMember(value: unknown, key = ''): unknown {
  if (Array.isArray(value)) return value.map((entry) => withMember(entry));
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([name, member]) => [name, withMember(member, name)] as const);
  const more = dictionaries.test(key) ? {} : { added_later: { since: 2, names: ['one', null] } };
  return { ...Object.fromEntries(members), ...more };
}

/** Fields with listed values, each with a value that is not listed. */
const unlisted: Record<string, string | number> = {
  realm: 'tablet',
  rarity: 'Fabled',
  frameType: 99,
  displayMode: 99,
  bandit_choice: 'Nobody',
  pantheon_major: 'Nobody',
  sColour: 'Z',
  attr: 'Z',
};

function withValues(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withValues);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      typeof member === typeof unlisted[name] ? unlisted[name] : withValues(member),
    ]),
  );
}

/** A server that passes requests on and changes the JSON that comes back. */
async function relay(
  target: string,
  change: (body: unknown) => unknown,
): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer((request, response) => {
    void (async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const { authorization, 'content-type': type } = request.headers;
      const answer = await fetch(target + (request.url ?? ''), {
        method: request.method ?? 'GET',
        headers: { ...(authorization && { authorization }), ...(type && { 'content-type': type }) },
        redirect: 'manual',
        ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
      });
      const body = JSON.stringify(change(await answer.json()));
      response.writeHead(answer.status, {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
      });
      response.end(body);
    })().catch((error: unknown) => response.destroy(error as Error));
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
