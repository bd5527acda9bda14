// openid-client, as the examples of its README have it, with its tokens in a file.
import * as client from 'openid-client';
import { auth, base, keep, kept, loopback, publicClient, readAccount, scopes } from './browser.mjs';

const server = {
  issuer: auth,
  authorization_endpoint: `${auth}/oauth/authorize`,
  token_endpoint: `${auth}/oauth/token`,
};
const config = new client.Configuration(server, publicClient, undefined, client.None());
client.allowInsecureRequests(config);

async function login() {
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
  const checks = { pkceCodeVerifier: verifier, expectedState: state };
  return client.authorizationCodeGrant(config, await visited(page), checks);
}

let tokens = kept();
if (!tokens) keep((tokens = await login()));
const request = (path) => client.fetchProtectedResource(config, tokens.access_token, new URL(base + path), 'GET');
const get = async (path) => {
  const response = await request(path).catch(async (error) => {
    if (!(error instanceof client.WWWAuthenticateChallengeError)) throw error;
    keep((tokens = await client.refreshTokenGrant(config, tokens.refresh_token)));
    return request(path);
  });
  if (!response.ok) throw new Error(`${path}: HTTP ${response.status}`);
  return response.json();
};
await get('/profile');
await readAccount(get);
