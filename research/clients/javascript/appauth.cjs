// AppAuth for JS in Node, as its sample application has it.
const { createServer } = require('node:http');
const appauth = require('@openid/appauth');
const { NodeCrypto, NodeRequestor } = require('@openid/appauth/built/src/node_support');
const { NodeBasedHandler } = require('@openid/appauth/built/src/node_support/node_request_handler');

const { GAMEDATA_AUTH_URL: auth, GAMEDATA_BASE_URL: base, GAMEDATA_PUBLIC_CLIENT_ID: client_id } = process.env;
const configuration = new appauth.AuthorizationServiceConfiguration({
  authorization_endpoint: `${auth}/oauth/authorize`,
  token_endpoint: `${auth}/oauth/token`,
  revocation_endpoint: `${auth}/oauth/token/revoke`,
});

async function main() {
  const port = await freePort();
  const redirect_uri = `http://127.0.0.1:${port}`;
  const notifier = new appauth.AuthorizationNotifier();
  const authorizationHandler = new NodeBasedHandler(port);
  const tokenHandler = new appauth.BaseTokenRequestHandler(new NodeRequestor());
  authorizationHandler.setAuthorizationNotifier(notifier);
  const answered = new Promise((done, fail) => {
    notifier.setAuthorizationListener((request, response, error) =>
      response ? done({ request, response }) : fail(error),
    );
  });
  const scope = 'account:profile account:characters account:leagues';
  const asked = { client_id, redirect_uri, scope, response_type: 'code', state: undefined };
  authorizationHandler.performAuthorizationRequest(
    configuration,
    new appauth.AuthorizationRequest(asked, new NodeCrypto()),
  );
  const { request, response } = await answered;
  const { code } = response;
  const extras = { code_verifier: request.internal.code_verifier };
  let tokens = await tokenHandler.performTokenRequest(
    configuration,
    new appauth.TokenRequest({ client_id, redirect_uri, grant_type: 'authorization_code', code, extras }),
  );
  const get = async (path) => {
    const answer = await fetch(base + path, { headers: { authorization: `Bearer ${tokens.accessToken}` } });
    if (!answer.ok) throw new Error(`${path}: HTTP ${answer.status}`);
    return answer.json();
  };
  await get('/profile');
  const refresh_token = tokens.refreshToken;
  tokens = await tokenHandler.performTokenRequest(
    configuration,
    new appauth.TokenRequest({ client_id, redirect_uri, grant_type: 'refresh_token', refresh_token }),
  );
  const { readAccount } = await import('./browser.mjs');
  await readAccount(get);
}

const freePort = () =>
  new Promise((done) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address();
      probe.close(() => done(port));
    });
  });

main().catch((error) => {
  console.error(error);
  process.exitCode = 1;
});
