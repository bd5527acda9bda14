/** The storage that the package leaves to its caller, in memory, as its model specification asks for it. */
import { readFileSync } from 'node:fs';

export const { accounts, clients } = JSON.parse(readFileSync(new URL('../world.json', import.meta.url)));
const hour = 3600;
const day = 24 * hour;
const codes = new Map();
const access = new Map();
const refresh = new Map();

const known = new Map(
  Object.values(clients).map(
    ({ client_id: id, client_secret: secret, redirect_uri, redirect_uris, scopes, ...own }) => [
      id,
      {
        id,
        secret,
        scopes,
        redirectUris: redirect_uris ?? (redirect_uri ? [redirect_uri] : []),
        grants: redirect_uri
          ? ['authorization_code', ...(own.refresh ? ['refresh_token'] : [])]
          : ['client_credentials'],
        accessTokenLifetime: !redirect_uri ? 36_500 * day : secret ? 28 * day : 10 * hour,
        refreshTokenLifetime: secret ? 90 * day : 7 * day,
      },
    ],
  ),
);

export const model = {
  /** `secret` is null at the authorization endpoint, where clients do not authenticate. */
  async getClient(id, secret) {
    const client = known.get(id);
    return secret === null || client?.secret === (secret || undefined) ? client : undefined;
  },
  async validateScope(user, client, scope) {
    return scope?.every((one) => client.scopes.includes(one)) ? scope : false;
  },
  async getUserFromClient() {
    return { name: 'owner', uuid: accounts.owner };
  },
  async saveAuthorizationCode(code, client, user) {
    const saved = { ...code, client, user };
    codes.set(code.authorizationCode, saved);
    return saved;
  },
  async getAuthorizationCode(code) {
    return codes.get(code);
  },
  async revokeAuthorizationCode({ authorizationCode }) {
    return codes.delete(authorizationCode);
  },
  async saveToken(token, client, user) {
    const saved = { ...token, client, user, username: user.name, sub: user.uuid };
    access.set(token.accessToken, saved);
    if (token.refreshToken) refresh.set(token.refreshToken, saved);
    return saved;
  },
  async getAccessToken(token) {
    return access.get(token);
  },
  async getRefreshToken(token) {
    return refresh.get(token);
  },
  async revokeToken({ refreshToken }) {
    return refresh.delete(refreshToken);
  },
};
