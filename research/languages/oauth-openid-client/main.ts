import * as oauth from 'openid-client';

const { GAME_URL = 'http://127.0.0.1:4010', CLIENT_ID = '', CLIENT_SECRET = '' } = process.env;
const endpoints = {
  issuer: GAME_URL,
  authorization_endpoint: `${GAME_URL}/oauth/authorize`,
  token_endpoint: `${GAME_URL}/oauth/token`,
  revocation_endpoint: `${GAME_URL}/oauth/token/revoke`,
};
const application = new oauth.Configuration(endpoints, CLIENT_ID, undefined, oauth.ClientSecretPost(CLIENT_SECRET));
oauth.allowInsecureRequests(application); // for http on this machine alone
// The token of client credentials has an expires_in of null, which the library refuses.
application[oauth.customFetch] = async (url, options) => {
  const response = await fetch(url, options as RequestInit);
  const text = (await response.text()).replace(/"expires_in":\s*null,?/, '');
  return new Response(text, response);
};
const get = (path: string, token: string) => fetch(GAME_URL + path, { headers: { authorization: `Bearer ${token}` } });
const nameOf = async (token: string) => ((await (await get('/profile', token)).json()) as { name: string }).name;

const verifier = oauth.randomPKCECodeVerifier();
const state = oauth.randomState();
const page = oauth.buildAuthorizationUrl(application, {
  redirect_uri: 'https://app.example/callback',
  scope: 'account:profile',
  state,
  code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
  code_challenge_method: 'S256',
});
// A browser goes to the page; here the mock consents at once and says where the browser would come back.
const back = new URL((await fetch(page, { redirect: 'manual' })).headers.get('location') ?? '');
const tokens = await oauth.authorizationCodeGrant(application, back, {
  pkceCodeVerifier: verifier,
  expectedState: state,
});
console.log(`code: ${await nameOf(tokens.access_token)}`);

const fresh = await oauth.refreshTokenGrant(application, tokens.refresh_token ?? '');
console.log(`refresh: ${await nameOf(fresh.access_token)}`);

const service = await oauth.clientCredentialsGrant(application, { scope: 'service:leagues' });
console.log(`client credentials: ${(await get('/league', service.access_token)).status}`);

await oauth.tokenRevocation(application, fresh.access_token);
console.log(`revocation: ${(await get('/profile', fresh.access_token)).status}`);
