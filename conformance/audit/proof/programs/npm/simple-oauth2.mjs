// A web application with simple-oauth2: the code goes to its own address, and tokens stay in memory.
import { createHash, randomBytes } from 'node:crypto';
import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { AuthorizationCode, ClientCredentials } from 'simple-oauth2';

const { env } = process;
const base = env.GAMEDATA_BASE_URL;
const redirectUri = env.GAMEDATA_REDIRECT_URI;
const tokens = { tokenHost: env.GAMEDATA_AUTH_URL, tokenPath: '/oauth/token' };
const options = { authorizationMethod: 'body' };
const client = new AuthorizationCode({
  client: { id: env.GAMEDATA_CLIENT_ID, secret: env.GAMEDATA_CLIENT_SECRET },
  auth: { ...tokens, authorizePath: '/oauth/authorize' },
  options,
});
const scope = 'account:profile account:characters';

async function login() {
  const state = randomBytes(16).toString('hex');
  const verifier = randomBytes(32).toString('base64url');
  const url = client.authorizeURL({
    redirect_uri: redirectUri,
    scope,
    state,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  });
  const { port, pathname } = new URL(redirectUri);
  const code = await new Promise((done, fail) => {
    const server = createServer((req, res) => {
      const { pathname: path, searchParams } = new URL(req.url, redirectUri);
      if (path !== pathname || searchParams.get('state') !== state) return void res.writeHead(404).end();
      res.end('Thank you.\n');
      server.close();
      server.closeIdleConnections();
      if (searchParams.has('error')) return fail(new Error(`not granted: ${searchParams.get('error')}`));
      done(searchParams.get('code'));
    }).listen(port, '127.0.0.1', () => execFile(env.BROWSER, [url]));
  });
  return client.getToken({ code, redirect_uri: redirectUri, scope, code_verifier: verifier });
}

let token = await login();

async function get(path, own) {
  for (let attempt = 1; ; attempt += 1) {
    if (!own && token.expired(300)) token = await token.refresh();
    const bearer = (own ?? token).token.access_token;
    const answer = await fetch(base + path, {
      headers: { authorization: `Bearer ${bearer}`, 'user-agent': 'example-web/1.0 (contact: web@example.com)' },
      signal: AbortSignal.timeout(10_000),
    });
    if (answer.ok) return answer.json();
    await answer.body?.cancel();
    if (answer.status === 401 && !own && attempt === 1) {
      token = await token.refresh();
      continue;
    }
    if (answer.status !== 429 || attempt > 4) throw new Error(`${path}: HTTP ${answer.status}`);
    const wait = Number(answer.headers.get('retry-after'));
    await sleep(1000 * (Number.isNaN(wait) ? 5 : wait) + 250);
  }
}

console.log((await get('/profile')).name);
const { characters } = await get('/character');
for (const { name } of characters.slice(0, 2)) await get(`/character/${encodeURIComponent(name)}`);

const service = new ClientCredentials({
  client: { id: env.GAMEDATA_SERVICE_CLIENT_ID, secret: env.GAMEDATA_SERVICE_CLIENT_SECRET },
  auth: tokens,
  options,
});
const own = await service.getToken({ scope: 'service:leagues' });
console.log((await get('/league?limit=20', own)).leagues.length);
