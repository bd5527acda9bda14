// openid-client, as the examples of its README have it.
import * as client from 'openid-client';
import { auth, base, loopback, publicClient, readAccount, scopes } from './browser.mjs';

const server = {
  issuer: auth,
  authorization_endpoint: `${auth}/oauth/authorize`,
  token_endpoint: `${auth}/oauth/token`,
};
const config = new client.Configuration(server, publicClient, undefined, client.None());
client.allowInsecureRequests(config);

const { redirectUri, visited } = await loopback();
const verifier = client.randomPKCECodeVerifier();
const state = client.randomState();
const page = client.buildAuthorizationUrl(config, {
  redirect_uri: redirectUri,
  scope: scopes.join(' '),
  code_challenge: await client.calculatePKCECodeChallenge(verifier),
  code_challenge_method: 'S256',
  state,
});
let tokens = await client.authorizationCodeGrant(config, await visited(page), {
  pkceCodeVerifier: verifier,
  expectedState: state,
});
const get = async (path) => {
  const url = new URL(base + path);
  const response = await client.fetchProtectedResource(config, tokens.access_token, url, 'GET');
  if (!response.ok) throw new Error(`${path}: HTTP ${response.status}`);
  return response.json();
};
await get('/profile');
tokens = await client.refreshTokenGrant(config, tokens.refresh_token);
await readAccount(get);
