// A web site with @auth/core, on a port of its own: its address is registered as redirect URI.
import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import { Auth } from '@auth/core';

const { env } = process;
const port = Number(env.PORT ?? 38417);
const origin = `http://127.0.0.1:${port}`;
const data = async (path, token) => {
  const answer = await fetch(env.GAMEDATA_BASE_URL + path, {
    headers: { authorization: `Bearer ${token}`, 'user-agent': 'example-portal/4 (contact: portal@example.com)' },
  });
  if (!answer.ok) throw new Error(`${path}: HTTP ${answer.status}`);
  return answer.json();
};

const config = {
  trustHost: true,
  secret: 'a secret of thirty-two characters',
  basePath: '/auth',
  logger: { error: (error) => finish(error), warn() {}, debug() {} },
  providers: [
    {
      id: 'game',
      name: 'Game',
      type: 'oauth',
      clientId: env.GAMEDATA_CLIENT_ID,
      clientSecret: env.GAMEDATA_CLIENT_SECRET,
      client: { token_endpoint_auth_method: 'client_secret_post' },
      checks: ['pkce', 'state'],
      issuer: env.GAMEDATA_AUTH_URL,
      authorization: { url: `${env.GAMEDATA_AUTH_URL}/oauth/authorize`, params: { scope: 'account:profile' } },
      token: `${env.GAMEDATA_AUTH_URL}/oauth/token`,
      userinfo: {
        url: `${env.GAMEDATA_BASE_URL}/profile`,
        request: ({ tokens }) => data('/profile', tokens.access_token),
      },
      profile: ({ uuid, name }) => ({ id: uuid, name }),
    },
  ],
};

async function handle(request) {
  const url = new URL(request.url);
  if (url.pathname === '/login') {
    // The form of the sign-in page, sent at once.
    const form = await Auth(new Request(`${origin}/auth/csrf`, { headers: request.headers }), config);
    const { csrfToken } = await form.json();
    const cookies = form.headers.getSetCookie().map((cookie) => cookie.split(';', 1)[0]);
    const answer = await Auth(
      new Request(`${origin}/auth/signin/game`, {
        method: 'POST',
        headers: { cookie: cookies.join('; ') },
        body: new URLSearchParams({ csrfToken, callbackUrl: `${origin}/` }),
      }),
      config,
    );
    for (const cookie of form.headers.getSetCookie()) answer.headers.append('set-cookie', cookie);
    return answer;
  }
  if (url.pathname.startsWith('/auth/')) return Auth(request, config);
  if (url.pathname !== '/') return new Response('', { status: 404 });
  const session = await (
    await Auth(new Request(`${origin}/auth/session`, { headers: request.headers }), config)
  ).json();
  if (session?.user === undefined) return new Response('Nobody is logged in.', { status: 401 });
  setTimeout(finish, 50);
  return new Response(`Hello, ${session.user.name}.`);
}

const server = createServer(async (req, res) => {
  const chunks = [];
  for await (const chunk of req) chunks.push(chunk);
  const request = new Request(origin + req.url, {
    method: req.method,
    headers: Object.entries(req.headers).flatMap(([name, value]) => [[name, String(value)]]),
    ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
  });
  const answer = await handle(request);
  const headers = Object.fromEntries([...answer.headers].filter(([name]) => name !== 'set-cookie'));
  res.writeHead(answer.status, { ...headers, 'set-cookie': answer.headers.getSetCookie() });
  res.end(Buffer.from(await answer.arrayBuffer()));
});
server.listen(port, '127.0.0.1', () => execFile(env.BROWSER, [`${origin}/login`]));

function finish(error) {
  if (error) console.error(String(error.cause?.err ?? error.message ?? error));
  process.exitCode = error ? 1 : 0;
  setTimeout(() => {
    server.close();
    server.closeAllConnections();
  }, 100);
}
setTimeout(() => finish(new Error('nobody logged in')), 20_000).unref();
