// A desktop application with arctic: the code comes to a port of the loopback, and tokens are kept in a file.
import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { CodeChallengeMethod, generateCodeVerifier, generateState, OAuth2Client, OAuth2RequestError } from 'arctic';

const { env } = process;
const base = env.GAMEDATA_BASE_URL;
const file = join(env.GAMEDATA_STATE, 'tokens.json');
const tokenEndpoint = `${env.GAMEDATA_AUTH_URL}/oauth/token`;
const scopes = ['account:profile', 'account:stashes', 'account:leagues'];
let client;

function keep(tokens) {
  const kept = {
    access: tokens.accessToken(),
    refresh: tokens.hasRefreshToken() ? tokens.refreshToken() : undefined,
    ends: tokens.accessTokenExpiresAt().getTime(),
  };
  writeFileSync(file, JSON.stringify(kept), { mode: 0o600 });
  return kept;
}

async function login() {
  const state = generateState();
  const verifier = generateCodeVerifier();
  const server = createServer();
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  const redirect = `http://127.0.0.1:${server.address().port}/callback`;
  client = new OAuth2Client(env.GAMEDATA_PUBLIC_CLIENT_ID, null, redirect);
  const url = client.createAuthorizationURLWithPKCE(
    `${env.GAMEDATA_AUTH_URL}/oauth/authorize`,
    state,
    CodeChallengeMethod.S256,
    verifier,
    scopes,
  );
  try {
    const code = await new Promise((done, fail) => {
      server.on('request', (req, res) => {
        const query = new URL(req.url, redirect).searchParams;
        if (query.get('state') !== state) return void res.writeHead(400).end();
        res.end('You may close this window.');
        if (query.has('code')) done(query.get('code'));
        else fail(new Error(`login failed: ${query.get('error')}`));
      });
      execFile('xdg-open', [url.href]);
    });
    return keep(await client.validateAuthorizationCode(tokenEndpoint, code, verifier));
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

let tokens = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : await login();
client ??= new OAuth2Client(env.GAMEDATA_PUBLIC_CLIENT_ID, null, null);

let renewing;
const renew = () => (renewing ??= renewed().finally(() => (renewing = undefined)));
async function renewed() {
  if (!tokens.refresh) {
    tokens = await login();
    return;
  }
  try {
    tokens = keep(await client.refreshAccessToken(tokenEndpoint, tokens.refresh, []));
  } catch (error) {
    if (!(error instanceof OAuth2RequestError) || error.code !== 'invalid_grant') throw error;
    tokens = await login();
  }
}

async function get(path) {
  if (tokens.ends < Date.now() + 60_000) await renew();
  let retried = false;
  for (;;) {
    const { access } = tokens;
    const answer = await fetch(base + path, {
      headers: { authorization: `Bearer ${access}`, 'user-agent': 'example-desktop/2.1 (+https://example.com)' },
    });
    if (answer.ok) return answer.json();
    await answer.arrayBuffer();
    if (answer.status === 401 && !retried) {
      retried = true;
      if (tokens.access === access) await renew();
      continue;
    }
    if (answer.status === 429 || answer.status === 503) {
      const text = answer.headers.get('retry-after') ?? '10';
      const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now();
      await sleep(ms + 100);
      continue;
    }
    throw new Error(`${path}: ${answer.status}`);
  }
}

const [profile, { leagues }] = await Promise.all([get('/profile'), get('/account/leagues')]);
console.log(profile.name, leagues.length);
for (const { id } of leagues.slice(0, 2)) {
  const { stashes } = await get(`/stash/${encodeURIComponent(id)}`);
  const [tab] = stashes.filter(({ type, children, parent }) => type !== 'Folder' && !children && !parent);
  if (tab) await get(`/stash/${encodeURIComponent(id)}/${tab.id}`);
}
