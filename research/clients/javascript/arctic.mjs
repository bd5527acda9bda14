// arctic, as its guide to a generic client has it.
import * as arctic from 'arctic';
import { auth, fetching, loopback, publicClient, readAccount, scopes } from './browser.mjs';

const { redirectUri, visited } = await loopback();
const client = new arctic.OAuth2Client(publicClient, null, redirectUri);
const state = arctic.generateState();
const verifier = arctic.generateCodeVerifier();
const s256 = arctic.CodeChallengeMethod.S256;
const page = client.createAuthorizationURLWithPKCE(`${auth}/oauth/authorize`, state, s256, verifier, scopes);

const { searchParams } = await visited(page);
if (searchParams.get('code') === null || searchParams.get('state') !== state) throw new Error('Invalid request');
let tokens = await client.validateAuthorizationCode(`${auth}/oauth/token`, searchParams.get('code'), verifier);
const get = fetching(() => tokens.accessToken());
await get('/profile');
tokens = await client.refreshAccessToken(`${auth}/oauth/token`, tokens.refreshToken(), scopes);
await readAccount(get);
