// client-oauth2, as its README has it; PKCE goes by the options that add parameters.
import { createHash, randomBytes } from 'node:crypto';
import ClientOAuth2 from 'client-oauth2';
import { auth, base, loopback, publicClient, readAccount, scopes } from './browser.mjs';

const { redirectUri, visited } = await loopback();
const verifier = randomBytes(32).toString('base64url');
const client = new ClientOAuth2({
  clientId: publicClient,
  accessTokenUri: `${auth}/oauth/token`,
  authorizationUri: `${auth}/oauth/authorize`,
  redirectUri,
  scopes,
  state: randomBytes(16).toString('hex'),
});
const page = client.code.getUri({
  query: {
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  },
});
let user = await client.code.getToken(String(await visited(page)), { body: { code_verifier: verifier } });
const get = async (path) => {
  const { url, headers } = user.sign({ method: 'get', url: base + path });
  const response = await fetch(url, { headers });
  if (!response.ok) throw new Error(`${path}: HTTP ${response.status}`);
  return response.json();
};
await get('/profile');
user = await user.refresh();
await readAccount(get);
