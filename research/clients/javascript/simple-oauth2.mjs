// simple-oauth2, as its README has it: a client with a secret, whose example neither makes a verifier nor compares the state.
import { createHash, randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import { execFile } from 'node:child_process';
import { AuthorizationCode } from 'simple-oauth2';
import { auth, fetching, readAccount, scopes } from './browser.mjs';

const { env } = process;
const client = new AuthorizationCode({
  client: { id: env.GAMEDATA_CLIENT_ID, secret: env.GAMEDATA_CLIENT_SECRET },
  auth: { tokenHost: auth, tokenPath: '/oauth/token', authorizePath: '/oauth/authorize' },
});
const redirect_uri = env.GAMEDATA_REDIRECT_URI;
const verifier = randomBytes(32).toString('base64url');
const page = client.authorizeURL({
  redirect_uri,
  scope: scopes,
  state: randomBytes(16).toString('hex'),
  code_challenge: createHash('sha256').update(verifier).digest('base64url'),
  code_challenge_method: 'S256',
});
const server = createServer();
const answer = new Promise((done) => {
  server.on('request', (request, response) => {
    response.end('Logged in.');
    const url = new URL(request.url, redirect_uri);
    if (url.pathname === new URL(redirect_uri).pathname) done(url.searchParams.get('code'));
  });
});
await new Promise((done) => server.listen(Number(new URL(redirect_uri).port), '127.0.0.1', done));
execFile(env.BROWSER, [page]);
const code = await answer;
server.close();
server.closeAllConnections();

let accessToken = await client.getToken({ code, redirect_uri, scope: scopes, code_verifier: verifier });
const get = fetching(() => accessToken.token.access_token);
await get('/profile');
accessToken = await accessToken.refresh();
await readAccount(get);
