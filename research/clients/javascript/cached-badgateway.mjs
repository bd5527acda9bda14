// @badgateway/oauth2-client, as its README has it: its fetch wrapper with storeToken and getStoredToken.
import { OAuth2Client, OAuth2Fetch, generateCodeVerifier } from '@badgateway/oauth2-client';
import { auth, base, keep, kept, loopback, publicClient, readAccount, scopes } from './browser.mjs';

const client = new OAuth2Client({
  server: auth,
  clientId: publicClient,
  authorizationEndpoint: '/oauth/authorize',
  tokenEndpoint: '/oauth/token',
});
async function getNewToken() {
  const { redirectUri, visited } = await loopback();
  const codeVerifier = await generateCodeVerifier();
  const state = crypto.randomUUID();
  const page = await client.authorizationCode.getAuthorizeUri({ redirectUri, state, codeVerifier, scope: scopes });
  return client.authorizationCode.getTokenFromCodeRedirect(await visited(page), { redirectUri, state, codeVerifier });
}
const wrapper = new OAuth2Fetch({
  client,
  getNewToken,
  scheduleRefresh: false,
  storeToken: (token) => keep(token),
  getStoredToken: () => kept() ?? null,
});
const get = async (path) => {
  const response = await wrapper.fetch(base + path);
  if (!response.ok) throw new Error(`${path}: HTTP ${response.status}`);
  return response.json();
};
await get('/profile');
await readAccount(get);
