// @badgateway/oauth2-client as its README has it: a desktop login, then several requests at once.
import { createServer } from 'node:http';
import { execFile } from 'node:child_process';
import { OAuth2Client, OAuth2Fetch, generateCodeVerifier } from '@badgateway/oauth2-client';

const { env } = process;
const client = new OAuth2Client({
  server: env.GAMEDATA_AUTH_URL,
  clientId: env.GAMEDATA_PUBLIC_CLIENT_ID,
  authorizationEndpoint: '/oauth/authorize',
  tokenEndpoint: '/oauth/token',
});

async function getNewToken() {
  const codeVerifier = await generateCodeVerifier();
  const state = crypto.randomUUID();
  const server = createServer();
  const answer = new Promise((done) => {
    server.on('request', (req, res) => {
      res.end('You may close this window.');
      if (req.url.startsWith('/callback')) done(req.url);
    });
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  const redirectUri = `http://127.0.0.1:${server.address().port}/callback`;
  const scope = ['account:profile', 'account:characters', 'account:leagues'];
  execFile(env.BROWSER, [await client.authorizationCode.getAuthorizeUri({ redirectUri, state, codeVerifier, scope })]);
  const url = new URL(await answer, redirectUri);
  server.close();
  server.closeAllConnections();
  return client.authorizationCode.getTokenFromCodeRedirect(url, { redirectUri, state, codeVerifier });
}

const wrapper = new OAuth2Fetch({ client, getNewToken, scheduleRefresh: false });
async function get(path) {
  const answer = await wrapper.fetch(env.GAMEDATA_BASE_URL + path);
  if (!answer.ok) throw new Error(`${path}: HTTP ${answer.status}`);
  return answer.json();
}
await get('/profile');
await Promise.all(['/character', '/account/leagues', '/profile'].map(get));
