/** The storage that the package leaves to its caller, in memory, as its repository interfaces ask for it. */
import { readFileSync } from 'node:fs';
import { OAuthException, generateRandomToken } from '@jmondi/oauth2-server';

const world = JSON.parse(readFileSync(new URL('../world.json', import.meta.url)));
const day = 24 * 60 * 60 * 1000;
const codes = new Map();
const access = new Map();
const refresh = new Map();
const revoked = new Set();

const users = new Map(Object.entries(world.accounts).map(([name, uuid]) => [uuid, { id: uuid, name }]));
export const userOf = (name) => users.get(world.accounts[name]);

export const clients = new Map(
  Object.values(world.clients).map(({ client_id: id, client_secret: secret, redirect_uri, redirect_uris, ...own }) => [
    id,
    {
      id,
      name: id,
      secret,
      redirectUris: redirect_uris ?? (redirect_uri ? [redirect_uri] : []),
      // The package names client_credentials at revocation and introspection, whatever the client.
      allowedGrants: [
        ...(secret ? ['client_credentials'] : []),
        ...(redirect_uri ? ['authorization_code'] : []),
        ...(own.refresh ? ['refresh_token'] : []),
      ],
      scopes: own.scopes.map((name) => ({ name })),
    },
  ]),
);

export const clientRepository = {
  async getByIdentifier(id) {
    return clients.get(id);
  },
  async isClientValid(grant, client, secret) {
    return client.allowedGrants.includes(grant) && client.secret === secret;
  },
};

export const scopeRepository = {
  async getAllByIdentifiers(names) {
    return world.scopes.filter((name) => names.includes(name)).map((name) => ({ name }));
  },
  async finalize(scopes, grant, client) {
    for (const { name } of scopes)
      if (!client.scopes.some((own) => own.name === name)) throw OAuthException.invalidScope(name);
    return scopes;
  },
};

export const userRepository = {
  async getUserByCredentials(id) {
    return users.get(id);
  },
};

export const authCodeRepository = {
  async getByIdentifier(code) {
    return codes.get(code);
  },
  issueAuthCode(client, user, scopes) {
    return { code: generateRandomToken(), client, user, scopes };
  },
  async persist(code) {
    codes.set(code.code, code);
  },
  async isRevoked(code) {
    return revoked.has(code);
  },
  async revoke(code) {
    revoked.add(code);
  },
};

export const tokenRepository = {
  async issueToken(client, scopes, user) {
    return { accessToken: generateRandomToken(), client, user, scopes };
  },
  async issueRefreshToken(token, client) {
    if (!client.allowedGrants.includes('refresh_token')) return token;
    token.refreshToken = generateRandomToken();
    token.refreshTokenExpiresAt = new Date(Date.now() + (client.secret ? 90 : 7) * day);
    refresh.set(token.refreshToken, token);
    return token;
  },
  async persist(token) {
    access.set(token.accessToken, token);
  },
  async revoke(token) {
    access.delete(token.accessToken);
    refresh.delete(token.refreshToken);
  },
  async revokeDescendantsOf(code) {
    for (const token of access.values()) if (token.originatingAuthCodeId === code) await this.revoke(token);
  },
  async isRefreshTokenRevoked(token) {
    return !refresh.has(token.refreshToken);
  },
  async getByRefreshToken(token) {
    return found(refresh, token);
  },
  async getByAccessToken(token) {
    return found(access, token);
  },
};

function found(tokens, token) {
  if (!tokens.has(token)) throw OAuthException.invalidGrant();
  return tokens.get(token);
}
