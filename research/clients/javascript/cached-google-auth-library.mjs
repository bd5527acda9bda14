// google-auth-library, as its README has it: what its tokens event tells goes to a file.
import { randomBytes } from 'node:crypto';
import { OAuth2Client } from 'google-auth-library';
import { auth, base, keep, kept, loopback, publicClient, readAccount, scopes } from './browser.mjs';

const clientOf = (redirectUri) =>
  new OAuth2Client({
    clientId: publicClient,
    redirectUri,
    // Without it the library refreshes by its clock alone.
    forceRefreshOnFailure: true,
    endpoints: { oauth2AuthBaseUrl: `${auth}/oauth/authorize`, oauth2TokenUrl: `${auth}/oauth/token` },
  });

async function login() {
  const { redirectUri, visited } = await loopback();
  const client = clientOf(redirectUri);
  const codes = await client.generateCodeVerifierAsync();
  const state = randomBytes(16).toString('hex');
  const page = client.generateAuthUrl({
    access_type: 'offline',
    scope: scopes.join(' '),
    state,
    code_challenge_method: 'S256',
    code_challenge: codes.codeChallenge,
  });
  const { searchParams } = await visited(page);
  if (searchParams.get('state') !== state) throw new Error('another state');
  return (await client.getToken({ code: searchParams.get('code'), codeVerifier: codes.codeVerifier })).tokens;
}

if (!kept()) keep(await login());
const client = clientOf();
client.setCredentials(kept());
client.on('tokens', (tokens) => keep({ ...kept(), ...tokens }));
const get = async (path) => (await client.request({ url: base + path })).data;
await get('/profile');
await readAccount(get);
