// The user's browser, and the loopback address to which it comes back.
import { execFile } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';

/** Listens on a free port: its redirect URI, and the URL of the first callback after the browser was sent to a page. */
export async function loopback() {
  const server = createServer();
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  const redirectUri = `http://127.0.0.1:${server.address().port}/callback`;
  const visited = async (page) => {
    const answer = new Promise((done) => {
      server.on('request', (request, response) => {
        response.end('You may close this window.');
        if (request.url.startsWith('/callback')) done(new URL(request.url, redirectUri));
      });
    });
    execFile(process.env.BROWSER, [String(page)]);
    const url = await answer;
    server.close();
    server.closeAllConnections();
    return url;
  };
  return { redirectUri, visited };
}

export const base = process.env.GAMEDATA_BASE_URL;
export const auth = process.env.GAMEDATA_AUTH_URL;
export const publicClient = process.env.GAMEDATA_PUBLIC_CLIENT_ID;
export const scopes = ['account:profile', 'account:characters', 'account:leagues'];

/** Asks for the list of characters, each of them and the leagues; `get` fetches a path and parses the reply. */
export async function readAccount(get) {
  const { characters } = await get('/character');
  for (const { name } of characters.slice(0, 2)) await get(`/character/${encodeURIComponent(name)}`);
  await get('/account/leagues');
}

/** `fetch` for libraries that have no request of their own. */
export const fetching = (token) => async (path) => {
  const response = await fetch(base + path, { headers: { authorization: `Bearer ${token()}` } });
  if (!response.ok) throw new Error(`${path}: HTTP ${response.status}`);
  return response.json();
};

const file = join(process.env.GAMEDATA_STATE ?? '.', 'tokens.json');

/** The tokens that an earlier start, or another copy, has kept. */
export const kept = () => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined);
export const keep = (tokens) => writeFileSync(file, JSON.stringify(tokens));
