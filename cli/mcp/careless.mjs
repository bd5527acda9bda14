// A client with three bugs, for the recorded session of docs/agents.md: it does not check state (1), has one code_verifier
// for all logins (2), and repeats at once what was answered with 429 (3). With --corrected it has none of them.
import { execFile } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

const isCorrected = process.argv.includes('--corrected');
const { GAMEDATA_BASE_URL: api, GAMEDATA_AUTH_URL: auth, GAMEDATA_PUBLIC_CLIENT_ID: id } = process.env;
const agent = { 'user-agent': 'careless/1.0 (careless@example.com)' };

/** Waits for the redirect of the browser. */
async function codeFrom(listener, state) {
  for (;;) {
    const [request, response] = await once(listener, 'request');
    const query = new URL(request.url, 'http://127.0.0.1').searchParams;
    response.end('You may close this window.');
    if (isCorrected && query.get('state') !== state) continue; // bug 1
    if (query.has('error')) throw new Error(query.get('error'));
    if (query.has('code')) return query.get('code');
  }
}

async function login() {
  const listener = createServer().listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const redirect = `http://127.0.0.1:${listener.address().port}/callback`;
  const verifier = isCorrected
    ? randomBytes(32).toString('base64url')
    : 'correct-horse-battery-staple-correct-horse-battery'; // bug 2
  const state = randomBytes(16).toString('hex');
  const query = new URLSearchParams({
    client_id: id,
    response_type: 'code',
    scope: 'account:profile account:characters',
    state,
    redirect_uri: redirect,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  });
  execFile('xdg-open', [`${auth}/oauth/authorize?${query}`], () => {});
  const code = await codeFrom(listener, state);
  listener.close();
  listener.closeAllConnections();
  const reply = await fetch(`${auth}/oauth/token`, {
    method: 'POST',
    headers: agent,
    body: new URLSearchParams({
      client_id: id,
      grant_type: 'authorization_code',
      code,
      redirect_uri: redirect,
      scope: 'account:profile account:characters',
      code_verifier: verifier,
    }),
  });
  if (!reply.ok) throw new Error(`token endpoint: ${reply.status}`);
  return (await reply.json()).access_token;
}

async function read(path, token, tries = 3) {
  const reply = await fetch(`${api}${path}`, { headers: { ...agent, authorization: `Bearer ${token}` } });
  if (reply.ok) return reply.json();
  if (reply.status !== 429 || tries === 0) throw new Error(`${path}: ${reply.status}`);
  const seconds = Number(reply.headers.get('retry-after') ?? 1);
  await sleep(isCorrected ? seconds * 1000 : 0); // bug 3
  return read(path, token, tries - 1);
}

const token = await login();
const { name } = await read('/profile', token);
const { characters } = await read('/character', token);
process.stdout.write(`${name}: ${characters.length} characters\n`);
