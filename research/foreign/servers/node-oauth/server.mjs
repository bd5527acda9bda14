import { advance } from '../clock.mjs';
import { createServer } from 'node:http';
import OAuth2Server from '@node-oauth/oauth2-server';

import { resources } from '../resources.mjs';
import { accounts, model } from './model.mjs';

const { Request, Response } = OAuth2Server;
const server = new OAuth2Server({
  model,
  authorizationCodeLifetime: 30,
  allowExtendedTokenAttributes: true,
  requireClientAuthentication: { authorization_code: false, refresh_token: false },
});

const page = `<!doctype html><title>Consent</title><form method="post">
<label>Account <input name="account"></label>
<button name="decision" value="approve">Approve</button><button name="decision" value="deny">Deny</button></form>`;

/** The package takes requests with a parsed body and query, in objects of its own. */
async function parsed(request) {
  let text = '';
  for await (const chunk of request) text += chunk;
  const { searchParams } = new URL(request.url, 'http://server');
  return { body: fields(new URLSearchParams(text)), query: fields(searchParams) };
}

/** A field that came more than once is a list, as common parsers have it. */
function fields(params) {
  const names = new Set(params.keys());
  return Object.fromEntries(
    [...names].map((name) => [name, params.getAll(name).length > 1 ? params.getAll(name) : params.get(name)]),
  );
}

async function answered(request, response, act) {
  const { body, query } = await parsed(request);
  const own = new Request({ headers: request.headers, method: request.method, query, body });
  const reply = new Response({});
  try {
    await act(own, reply);
  } catch (error) {
    reply.status = reply.get('location') ? 302 : error.code;
    reply.body = { error: error.name, error_description: error.message };
  }
  response.writeHead(reply.status, { 'content-type': 'application/json', ...reply.headers });
  response.end(JSON.stringify(reply.body));
}

const authorize = (request, response) =>
  answered(request, response, (own, reply) => {
    own.body.allowed = String(own.body.decision === 'approve');
    const { account } = own.body;
    const authenticateHandler = { handle: () => ({ name: account, uuid: accounts[account] }) };
    return server.authorize(own, reply, { authenticateHandler });
  });

async function meaning(token) {
  const headers = { authorization: `Bearer ${token}` };
  try {
    const { scope, user } = await server.authenticate(
      new Request({ headers, method: 'GET', query: {} }),
      new Response({}),
    );
    return { scopes: scope ?? [], ...user };
  } catch {
    return undefined;
  }
}

createServer(async (request, response) => {
  const { pathname, searchParams } = new URL(request.url, 'http://server');
  if (pathname === '/__clock') return response.end(advance(Number(searchParams.get('advance') ?? 0)));
  if (pathname === '/oauth/token') return answered(request, response, (own, reply) => server.token(own, reply));
  if (pathname === '/oauth/authorize') {
    if (request.method === 'POST') return authorize(request, response);
    return response.setHeader('content-type', 'text/html').end(page);
  }
  if (!(await resources(request, response, meaning))) response.writeHead(404).end();
}).listen(Number(process.env.PORT), '127.0.0.1');
