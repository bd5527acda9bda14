/** Writes the realm as Keycloak imports it: the accounts, clients and scopes of world.json. */
import { readFileSync } from 'node:fs';

const { accounts, clients, scopes } = JSON.parse(readFileSync(new URL('../world.json', import.meta.url)));
const hour = 3600;
const day = 24 * hour;
const protocol = 'openid-connect';

const users = Object.entries(accounts).map(([username, id]) => ({
  id,
  username,
  enabled: true,
  email: `${username}@app.example`,
  emailVerified: true,
  firstName: username,
  lastName: username,
  credentials: [{ type: 'password', value: 'password' }],
}));

const application = ({ client_id: clientId, client_secret: secret, redirect_uri, redirect_uris, ...own }) => ({
  clientId,
  protocol,
  publicClient: secret === undefined,
  ...(secret && { secret, clientAuthenticatorType: 'client-secret' }),
  redirectUris: redirect_uris ?? (redirect_uri ? [redirect_uri] : []),
  standardFlowEnabled: redirect_uri !== undefined,
  implicitFlowEnabled: false,
  directAccessGrantsEnabled: false,
  serviceAccountsEnabled: secret !== undefined,
  consentRequired: redirect_uri !== undefined,
  fullScopeAllowed: false,
  defaultClientScopes: ['basic'],
  optionalClientScopes: own.scopes,
  // Introspection is for the clients that a token names as its audience.
  protocolMappers: [...new Set([clientId, clients.operations.client_id])].map((audience) => ({
    name: `audience ${audience}`,
    protocol,
    protocolMapper: 'oidc-audience-mapper',
    config: { 'included.client.audience': audience, 'access.token.claim': 'true', 'introspection.token.claim': 'true' },
  })),
  attributes: {
    'pkce.code.challenge.method': 'S256',
    'use.refresh.tokens': String(own.refresh ?? false),
    'access.token.lifespan': String(!redirect_uri ? 10 * 365 * day : secret ? 28 * day : 10 * hour),
    'client.session.max.lifespan': String((!redirect_uri ? 10 * 365 : secret ? 90 : 7) * day),
    'client.session.idle.timeout': String((!redirect_uri ? 10 * 365 : secret ? 90 : 7) * day),
  },
});

const basic = {
  name: 'basic',
  protocol,
  attributes: { 'include.in.token.scope': 'false', 'display.on.consent.screen': 'false' },
  protocolMappers: [
    {
      name: 'sub',
      protocol,
      protocolMapper: 'oidc-sub-mapper',
      config: { 'access.token.claim': 'true', 'introspection.token.claim': 'true' },
    },
    {
      name: 'username',
      protocol,
      protocolMapper: 'oidc-usermodel-property-mapper',
      config: {
        'user.attribute': 'username',
        'claim.name': 'username',
        'jsonType.label': 'String',
        'access.token.claim': 'true',
        'introspection.token.claim': 'true',
      },
    },
  ],
};

const realm = {
  realm: 'foreign',
  enabled: true,
  sslRequired: 'none',
  passwordPolicy: 'hashAlgorithm(pbkdf2-sha256) and hashIterations(1)',
  accessCodeLifespan: 30,
  accessTokenLifespan: 28 * day,
  ssoSessionIdleTimeout: 10 * 365 * day,
  ssoSessionMaxLifespan: 10 * 365 * day,
  revokeRefreshToken: true,
  refreshTokenMaxReuse: 0,
  users,
  clientScopes: [
    basic,
    ...scopes.map((name) => ({
      name,
      protocol,
      attributes: { 'include.in.token.scope': 'true', 'display.on.consent.screen': 'true' },
    })),
  ],
  defaultDefaultClientScopes: ['basic'],
  clients: Object.values(clients).map(application),
};
console.log(JSON.stringify(realm, undefined, 2));
