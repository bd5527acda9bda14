import { advance } from '../clock.mjs';
import { AuthCodeGrant, AuthorizationServer, DateInterval, JwtService, RefreshTokenGrant } from '@jmondi/oauth2-server';
import { handleExpressError, handleExpressResponse, requestFromExpress } from '@jmondi/oauth2-server/express';
import express from 'express';

import * as stored from './repositories.mjs';

const jwt = new JwtService('a secret for tests');
const repositories = [stored.clientRepository, stored.tokenRepository, stored.scopeRepository];
const server = new AuthorizationServer(...repositories, jwt);

/** A grant with a life for its access tokens by client, and 30 seconds for codes, which the options do not offer. */
const withLives = (Grant) =>
  class extends Grant {
    authCodeTTL = new DateInterval('30s');
    respondToAccessTokenRequest(request) {
      const client = stored.clients.get(request.body.client_id);
      return super.respondToAccessTokenRequest(request, new DateInterval(client && !client.secret ? '10h' : '28d'));
    }
  };
const [Codes, Refreshes] = [withLives(AuthCodeGrant), withLives(RefreshTokenGrant)];
server.enableGrantTypes(
  { grant: new Codes(stored.authCodeRepository, stored.userRepository, ...repositories, jwt, server.options) },
  { grant: new Refreshes(...repositories, jwt, server.options) },
  ['client_credentials', new DateInterval('100y')],
);

const page = `<!doctype html><title>Consent</title><form method="post">
<label>Account <input name="account"></label>
<button name="decision" value="approve">Approve</button><button name="decision" value="deny">Deny</button></form>`;

const app = express();
app.use(express.urlencoded());
app.use(express.json());

const answered = (act) => async (request, response) => {
  try {
    handleExpressResponse(response, await act(requestFromExpress(request)));
  } catch (error) {
    handleExpressError(error, response);
  }
};

app.get('/oauth/authorize', async (request, response) => {
  try {
    await server.validateAuthorizationRequest(requestFromExpress(request));
    response.type('html').send(page);
  } catch (error) {
    handleExpressError(error, response);
  }
});
app.post(
  '/oauth/authorize',
  answered(async (request) => {
    const authorization = await server.validateAuthorizationRequest(request);
    authorization.user = stored.userOf(request.body.account);
    authorization.isAuthorizationApproved = request.body.decision === 'approve';
    return server.completeAuthorizationRequest(authorization);
  }),
);
app.post(
  '/oauth/token',
  answered((request) => server.respondToAccessTokenRequest(request)),
);
app.post(
  '/oauth/token/revoke',
  answered((request) => server.revoke(request)),
);
app.post(
  '/oauth/token/introspect',
  answered((request) => server.introspect(request)),
);

app.get('/__control', (request, response) => response.json({ protocol: 1, capabilities: ['clock'] }));
app.all('/__control/clock', (request, response) =>
  response.json({ now: advance(Number(request.body?.advance ?? 0)), frozen: false }),
);
app.listen(Number(process.env.PORT), '127.0.0.1');
