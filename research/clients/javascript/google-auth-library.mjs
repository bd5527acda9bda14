// google-auth-library with endpoints of another service, as its sample of a code verifier has it, with a state.
import { randomBytes } from 'node:crypto';
import { OAuth2Client } from 'google-auth-library';
import { auth, base, loopback, publicClient, readAccount, scopes } from './browser.mjs';

const { redirectUri, visited } = await loopback();
const client = new OAuth2Client({
  clientId: publicClient,
  redirectUri,
  endpoints: { oauth2AuthBaseUrl: `${auth}/oauth/authorize`, oauth2TokenUrl: `${auth}/oauth/token` },
});
const codes = await client.generateCodeVerifierAsync();
const page = client.generateAuthUrl({
  access_type: 'offline',
  scope: scopes.join(' '),
  state: randomBytes(16).toString('hex'),
  code_challenge_method: 'S256',
  code_challenge: codes.codeChallenge,
});
const { searchParams } = await visited(page);
const { tokens } = await client.getToken({ code: searchParams.get('code'), codeVerifier: codes.codeVerifier });
client.setCredentials(tokens);
const get = async (path) => (await client.request({ url: base + path })).data;
await get('/profile');
await client.refreshAccessToken();
await readAccount(get);
