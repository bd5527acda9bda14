import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { createLocalJWKSet, jwtVerify } from 'jose';
import { OAuth2Server } from 'oauth2-mock-server';

import { resources } from '../resources.mjs';

const { PORT, PUBLIC_URL } = process.env;
const mock = new OAuth2Server();
await mock.issuer.keys.generate('RS256');
mock.issuer.url = PUBLIC_URL;
// By its documented event: else a client that asks twice within a second gets one token twice.
mock.service.on('beforeTokenSigning', ({ payload }) => Object.assign(payload, { jti: randomUUID() }));
const keys = createLocalJWKSet({ keys: mock.issuer.keys.toJSON() });

/** Its introspection tells neither scope nor account, so the resource reads the token itself, a JWT. */
async function meaning(token) {
  try {
    const { payload } = await jwtVerify(token, keys);
    return { scopes: String(payload.scope).split(' '), uuid: payload.sub, name: payload.sub };
  } catch {
    return undefined;
  }
}

createServer(async (request, response) => {
  if (!(await resources(request, response, meaning))) mock.service.requestHandler(request, response);
}).listen(Number(PORT), '127.0.0.1');
