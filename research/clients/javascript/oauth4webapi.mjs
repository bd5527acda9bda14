// oauth4webapi, as its example of the code flow has it.
import * as oauth from 'oauth4webapi';
import { auth, base, loopback, publicClient, readAccount, scopes } from './browser.mjs';

const as = { issuer: auth, authorization_endpoint: `${auth}/oauth/authorize`, token_endpoint: `${auth}/oauth/token` };
const client = { client_id: publicClient };
const none = oauth.None();
const insecure = { [oauth.allowInsecureRequests]: true };

const { redirectUri, visited } = await loopback();
const verifier = oauth.generateRandomCodeVerifier();
const state = oauth.generateRandomState();
const page = new URL(as.authorization_endpoint);
page.searchParams.set('client_id', client.client_id);
page.searchParams.set('redirect_uri', redirectUri);
page.searchParams.set('response_type', 'code');
page.searchParams.set('scope', scopes.join(' '));
page.searchParams.set('code_challenge', await oauth.calculatePKCECodeChallenge(verifier));
page.searchParams.set('code_challenge_method', 'S256');
page.searchParams.set('state', state);

const answer = oauth.validateAuthResponse(as, client, await visited(page), state);
const exchanged = await oauth.authorizationCodeGrantRequest(as, client, none, answer, redirectUri, verifier, insecure);
let tokens = await oauth.processAuthorizationCodeResponse(as, client, exchanged);
const get = async (path) => {
  const url = new URL(base + path);
  const none = [undefined, undefined];
  const response = await oauth.protectedResourceRequest(tokens.access_token, 'GET', url, ...none, insecure);
  if (!response.ok) throw new Error(`${path}: HTTP ${response.status}`);
  return response.json();
};
await get('/profile');
const refreshed = await oauth.refreshTokenGrantRequest(as, client, none, tokens.refresh_token, insecure);
tokens = await oauth.processRefreshTokenResponse(as, client, refreshed);
await readAccount(get);
