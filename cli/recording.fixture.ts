import { challengeOf, createVerifier } from '../src/client/index.js';
import type { Mock } from '../src/server/mock.js';

export interface HarEntry {
  startedDateTime: string;
  time: number;
  request: {
    method: string;
    url: string;
    headers: { name: string; value: string }[];
    postData?: { mimeType: string; text: string };
  };
  response: {
    status: number;
    headers: { name: string; value: string }[];
    redirectURL: string;
    content: { size: number; mimeType: string; text?: string; encoding?: string };
  };
}

const pairs = (headers: Headers): { name: string; value: string }[] =>
  [...headers].map(([name, value]) => ({ name, value }));

/** What a proxy would record of a client that signs in, refreshes, and reads of everything a little. */
export async function recordedFrom(mock: Mock): Promise<HarEntry[]> {
  const entries: HarEntry[] = [];
  const send = async (method: string, path: string, headers: Record<string, string> = {}, body?: string) => {
    const request = new Request(mock.url + path, { method, headers, ...(body !== undefined && { body }) });
    const answer = await fetch(request, { redirect: 'manual' });
    const bytes = Buffer.from(await answer.arrayBuffer());
    const isOdd = entries.length % 2 === 1;
    entries.push({
      startedDateTime: new Date(Date.UTC(2026, 0, 1) + entries.length * 1000).toISOString(),
      time: 3,
      request: {
        method,
        url: request.url,
        headers: pairs(request.headers),
        ...(body !== undefined && { postData: { mimeType: headers['content-type'] ?? '', text: body } }),
      },
      response: {
        status: answer.status,
        headers: pairs(answer.headers),
        redirectURL: answer.headers.get('location') ?? '',
        content: {
          size: bytes.length,
          mimeType: answer.headers.get('content-type') ?? '',
          // Tools write bodies either way.
          text: bytes.toString(isOdd ? 'base64' : 'utf8'),
          ...(isOdd && { encoding: 'base64' }),
        },
      },
    });
    return { answer, text: bytes.toString('utf8') };
  };
  const form = (path: string, fields: Record<string, string>) =>
    send('POST', path, { 'content-type': 'application/x-www-form-urlencoded' }, new URLSearchParams(fields).toString());
  const client = mock.world.clients.find(
    ({ type, secret, redirectUris }) => type === 'confidential' && secret && redirectUris.length > 0,
  )!;
  const [redirect_uri = ''] = client.redirectUris;
  const credentials = { client_id: client.id, client_secret: client.secret ?? '' };
  const verifier = createVerifier();
  const query = new URLSearchParams({
    client_id: client.id,
    response_type: 'code',
    scope: 'account:profile account:characters',
    state: 'a-state-of-my-own',
    redirect_uri,
    code_challenge: await challengeOf(verifier),
    code_challenge_method: 'S256',
  });
  const { answer } = await send('GET', `/oauth/authorize?${query.toString()}`);
  const code = new URL(answer.headers.get('location') ?? '').searchParams.get('code') ?? '';
  const exchanged = await form('/oauth/token', {
    ...credentials,
    grant_type: 'authorization_code',
    code,
    redirect_uri,
    code_verifier: verifier,
  });
  const { refresh_token: refresh } = JSON.parse(exchanged.text) as { refresh_token: string };
  await form('/oauth/token', { ...credentials, grant_type: 'refresh_token', refresh_token: refresh });
  await form('/oauth/token', { ...credentials, grant_type: 'refresh_token', refresh_token: refresh });

  const user = await mock.issueToken({
    account: 'alice',
    scopes: ['account:profile', 'account:characters', 'account:stashes', 'account:leagues', 'account:item_filter'],
  });
  const service = await mock.issueToken({
    scopes: ['service:leagues', 'service:leagues:ladder', 'service:pvp_matches', 'service:psapi', 'service:cxapi'],
  });
  const get = (path: string, token: string) => send('GET', path, { authorization: `Bearer ${token}` });
  const league = encodeURIComponent(String(mock.world.known['stash_league']));
  await get('/profile', user.access_token);
  await get('/profile', 'no-token-at-all');
  const { text } = await get('/character', user.access_token);
  const [first] = (JSON.parse(text) as { characters: { name: string }[] }).characters;
  await get(`/character/${encodeURIComponent(first?.name ?? '')}`, user.access_token);
  await get(`/character/nobody`, user.access_token);
  await get(`/stash/${league}`, user.access_token);
  await get('/account/leagues', user.access_token);
  await get('/item-filter', user.access_token);
  await get('/league?type=main', service.access_token);
  await get(`/league/${league}/ladder?limit=5`, service.access_token);
  await get('/pvp-match', service.access_token);
  await get('/public-stash-tabs', service.access_token);
  await get('/currency-exchange', service.access_token);
  await get('/league?limit=-1', service.access_token);
  await send('GET', '/docs');
  return entries;
}

/** Entries as a HAR file. */
export const harOf = (entries: readonly HarEntry[]): string =>
  JSON.stringify({ log: { version: '1.2', creator: { name: 'test', version: '1' }, entries } });
