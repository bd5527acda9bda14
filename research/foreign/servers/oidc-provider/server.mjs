import { advance } from '../clock.mjs';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import Provider from 'oidc-provider';

import { Store } from './store.mjs';

const { accounts, clients, scopes } = JSON.parse(readFileSync(new URL('../world.json', import.meta.url)));
const { PORT, PUBLIC_URL } = process.env;
const hour = 3600;
const day = 24 * hour;
const isPublic = (client) => client.clientAuthMethod === 'none';

const provider = new Provider(PUBLIC_URL, {
  adapter: Store,
  clients: Object.values(clients).map(
    ({ client_id, client_secret, redirect_uri, redirect_uris, scopes: own, refresh }) => ({
      client_id,
      ...(client_secret && { client_secret }),
      token_endpoint_auth_method: client_secret ? 'client_secret_post' : 'none',
      application_type: client_secret ? 'web' : 'native',
      redirect_uris: redirect_uris ?? (redirect_uri ? [redirect_uri] : []),
      response_types: redirect_uri ? ['code'] : [],
      grant_types: redirect_uri
        ? ['authorization_code', ...(refresh ? ['refresh_token'] : [])]
        : ['client_credentials'],
      scope: own.join(' '),
    }),
  ),
  scopes,
  routes: {
    authorization: '/oauth/authorize',
    token: '/oauth/token',
    revocation: '/oauth/token/revoke',
    introspection: '/oauth/token/introspect',
  },
  responseTypes: ['code'],
  pkce: { required: () => true },
  allowOmittingSingleRegisteredRedirectUri: false,
  rotateRefreshToken: true,
  issueRefreshToken: async (ctx, client) => client.grantTypeAllowed('refresh_token'),
  features: {
    devInteractions: { enabled: false },
    clientCredentials: { enabled: true },
    introspection: { enabled: true },
    revocation: { enabled: true },
    userinfo: { enabled: false },
    rpInitiatedLogout: { enabled: false },
  },
  ttl: {
    AuthorizationCode: 30,
    AccessToken: (ctx, token, client) => (isPublic(client) ? 10 * hour : 28 * day),
    RefreshToken: (ctx, token, client) =>
      ctx?.oidc.entities.RotatedRefreshToken?.remainingTTL ?? (isPublic(client) ? 7 * day : 90 * day),
    ClientCredentials: 100 * 365 * day,
    Interaction: hour,
    Session: 365 * day,
    Grant: 365 * day,
  },
  cookies: { keys: ['a key for tests'] },
  interactions: { url: (ctx, { uid }) => `/interaction/${uid}` },
  findAccount: async (ctx, accountId) => ({ accountId, claims: () => ({ sub: accountId }) }),
});
provider.on('server_error', (ctx, error) => console.error(error));

const page = `<!doctype html><title>Consent</title><form method="post">
<label>Account <input name="account"></label>
<button name="decision" value="approve">Approve</button><button name="decision" value="deny">Deny</button></form>`;

/** Login and consent on one page. */
async function interact(request, response) {
  if (request.method !== 'POST') return response.setHeader('content-type', 'text/html').end(page);
  let body = '';
  for await (const chunk of request) body += chunk;
  const { account, decision } = Object.fromEntries(new URLSearchParams(body));
  const { params } = await provider.interactionDetails(request, response);
  if (decision !== 'approve')
    return provider.interactionFinished(
      request,
      response,
      { error: 'access_denied' },
      { mergeWithLastSubmission: false },
    );
  const accountId = accounts[account];
  const grant = new provider.Grant({ accountId, clientId: params.client_id });
  if (params.scope) grant.addOIDCScope(params.scope);
  const result = { login: { accountId }, consent: { grantId: await grant.save() } };
  return provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false });
}

const handle = provider.callback();
createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url, PUBLIC_URL);
  if (pathname === '/__clock') return response.end(advance(Number(searchParams.get('advance') ?? 0)));
  if (!pathname.startsWith('/interaction/')) return handle(request, response);
  return interact(request, response).catch((error) => {
    console.error(error);
    response.writeHead(400).end(String(error));
  });
}).listen(Number(PORT), '127.0.0.1');
