/** The smallest clients that make the mistakes which public trackers are full of, each as a program of its own. */

const opening = `
const base = process.env.GAMEDATA_BASE_URL;
const auth = process.env.GAMEDATA_AUTH_URL;
const token = process.env.GAMEDATA_TOKEN_ACCOUNT;
const service = process.env.GAMEDATA_TOKEN_SERVICE;
const get = (path, bearer = token) => fetch(base + path, { headers: { authorization: 'Bearer ' + bearer, 'user-agent': 'OAuth tiny/1.0 (contact: a@example.com)' } });
const sleep = (ms) => new Promise((done) => setTimeout(done, ms));
`;

/** A desktop login; each part of it may be another one. */
const login = (parts: { verifier?: string; onCallback?: string; afterwards?: string }): string => `${opening}
const { createServer } = require('node:http');
const { createHash, randomBytes } = require('node:crypto');
const { execFile } = require('node:child_process');
const redirect = process.env.GAMEDATA_PUBLIC_REDIRECT_URI;
const id = process.env.GAMEDATA_PUBLIC_CLIENT_ID;
const state = randomBytes(16).toString('hex');
const verifier = ${parts.verifier ?? "randomBytes(32).toString('base64url')"};
const form = (fields) => fetch(auth + '/oauth/token', { method: 'POST', body: new URLSearchParams({ client_id: id, ...fields }) });
(async () => {
  const code = await new Promise((done, fail) => {
    const server = createServer((req, res) => {
      const query = new URL(req.url, redirect).searchParams;
      res.setHeader('connection', 'close');
      const finish = (act) => { res.end('ok'); server.close(); act(); };
      ${parts.onCallback ?? "if (query.get('state') !== state) return void res.end();\n      finish(() => done(query.get('code')));"}
    });
    server.listen(new URL(redirect).port, '127.0.0.1', () => {
      const query = new URLSearchParams({ client_id: id, response_type: 'code', scope: 'account:profile account:characters', state, redirect_uri: redirect, code_challenge: createHash('sha256').update(verifier).digest('base64url'), code_challenge_method: 'S256' });
      execFile('xdg-open', [auth + '/oauth/authorize?' + query]);
    });
  });
  const first = await form({ grant_type: 'authorization_code', code, redirect_uri: redirect, code_verifier: verifier });
  if (!first.ok) throw new Error('exchange: ' + first.status);
  let tokens = await first.json();
  ${parts.afterwards ?? "if (!(await get('/profile', tokens.access_token)).ok) process.exit(1);"}
})().catch((error) => { console.error(error.message); process.exit(1); });
`;

/** A client, the row that must blame it, and the world that it takes. */
export interface Mistake {
  readonly name: string;
  readonly row: string;
  readonly worlds: readonly string[];
  readonly program: string;
}

export const mistakes: readonly Mistake[] = [
  {
    name: 'refreshes once for each request that fails',
    row: 'REFRESH-ONCE-001',
    worlds: ['access-ends'],
    program: login({
      afterwards: `await get('/profile', tokens.access_token);
  await Promise.all([1, 2, 3].map(async () => {
    if ((await get('/character', tokens.access_token)).status === 401)
      await form({ grant_type: 'refresh_token', refresh_token: tokens.refresh_token });
  }));`,
    }),
  },
  {
    name: 'ends with a 429',
    row: 'PACE-SURVIVE-001',
    worlds: ['restricted-once'],
    program: `${opening}(async () => { for (const path of ['/profile', '/character']) if (!(await get(path)).ok) process.exit(1); })();`,
  },
  {
    name: 'asks on where a window is full',
    row: 'PACE-WINDOW-001',
    worlds: ['coarse-windows'],
    program: `${opening}(async () => {
  for (let n = 0; n < 17; n += 1) {
    const answer = await get(['/profile', '/character', '/account/leagues'][n % 3]);
    if (answer.status === 429) await sleep(300);
  }
})();`,
  },
  {
    name: 'sends next_change_id under its own name',
    row: 'STREAM-ID-001',
    worlds: [],
    program: `${opening}(async () => {
  let id;
  for (let n = 0; n < 3; n += 1) id = (await (await get('/public-stash-tabs' + (id ? '?next_change_id=' + id : ''), service)).json()).next_change_id;
})();`,
  },
  {
    name: 'takes the first connection to its listener for the answer',
    row: 'AUTH-STRAY-001',
    worlds: ['stray-connection'],
    program: login({
      onCallback:
        "const code = query.get('code');\n      finish(() => (code && query.get('state') === state ? done(code) : fail(new Error('no code'))));",
    }),
  },
  {
    name: 'makes its verifier from the time',
    row: 'AUTH-PKCE-004',
    worlds: [],
    program: login({ verifier: "createHash('sha256').update(String(Date.now())).digest('base64url')" }),
  },
  {
    name: 'throws both tokens away after any error',
    row: 'TOK-KEEP-002',
    worlds: ['token-503'],
    program: login({
      afterwards: `if ((await get('/profile', tokens.access_token)).status !== 200) process.exit(1);
  if ((await get('/profile', tokens.access_token)).status !== 401) return;
  const answer = await form({ grant_type: 'refresh_token', refresh_token: tokens.refresh_token });
  if (answer.ok) return;
  tokens = undefined;
  await fetch(auth + '/oauth/authorize?' + new URLSearchParams({ client_id: id, response_type: 'code', scope: 'account:profile', state: randomBytes(16).toString('hex'), redirect_uri: redirect, code_challenge: createHash('sha256').update(randomBytes(32)).digest('base64url'), code_challenge_method: 'S256' }));`,
    }),
  },
  {
    name: 'refuses members that it does not know',
    row: 'READ-UNKNOWN-001',
    worlds: ['unknown-members'],
    program: `${opening}(async () => {
  const known = ['uuid', 'name', 'locale', 'livestream'];
  for (const member of Object.keys(await (await get('/profile')).json())) if (!known.includes(member)) process.exit(1);
})();`,
  },
  {
    name: 'asks for a sub-tab without its parent',
    row: 'ADDR-SUBTAB-002',
    worlds: [],
    program: `${opening}(async () => {
  const { stashes } = await (await get('/stash/Standard')).json();
  const parent = stashes.find(({ type, children }) => type !== 'Folder' && children);
  await get('/stash/Standard/' + parent.children[0].id);
})();`,
  },
  {
    name: 'sends names beyond ASCII as they are',
    row: 'ADDR-ENCODE-001',
    worlds: [],
    program: `${opening}
const socket = require('node:net').connect(new URL(base).port, '127.0.0.1');
socket.end('GET /character/Wïldfang HTTP/1.1\\r\\nHost: localhost\\r\\nConnection: close\\r\\nAuthorization: Bearer ' + token + '\\r\\n\\r\\n');
socket.resume();`,
  },
];

/** A login that does everything right, and no more. */
export const rightLogin = login({});
