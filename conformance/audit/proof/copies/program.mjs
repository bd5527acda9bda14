// A command-line client that several processes run at once on one store. STORE is how it stores its login, and STEPS the
// steps that a mutant or a variant replaces. Each step is a function whose first argument has all steps.
import { spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, rmdirSync, writeFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const { env } = process;
const folder = env.GAMEDATA_STATE;
const id = env.GAMEDATA_PUBLIC_CLIENT_ID;
const scope = 'account:profile account:characters';

const send = (url, { method = 'GET', headers = {}, body, ...rest } = {}) =>
  new Promise((done, fail) => {
    const agent = 'OAuth example-copies/1.0 (contact: copies@example.com)';
    const options = { method, headers: { 'user-agent': agent, ...headers }, timeout: 20_000, ...rest };
    const req = request(url, options, (res) => {
      let text = '';
      res.setEncoding('utf8').on('data', (part) => (text += part));
      res.on('end', () => done({ status: res.statusCode, text })).on('error', fail);
    });
    req.on('timeout', () => req.destroy(new Error('time-out'))).on('error', fail);
    req.end(body);
  });

const isAlive = (pid) => {
  try {
    return process.kill(Number(pid), 0);
  } catch {
    return false;
  }
};
const readOr = (path) => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
};
/** The text of a file that only its owner may read: the whole of the old one, or the whole of the new one. */
const replaceFile = (path, text) => {
  const part = `${path}.${process.pid}`;
  writeFileSync(part, text, { mode: 0o600 });
  renameSync(part, path);
};
const parsed = (text) => {
  try {
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return undefined; // A part of a file is no login.
  }
};

const steps = {
  // --- what is stored
  path: (c, name = 'tokens.json') => join(folder, name),
  load: (c) => parsed(readOr(c.path())),
  save: (c, tokens) => replaceFile(c.path(), JSON.stringify(tokens)),
  /** Forgets a login that nobody can use any more, and no other. */
  forget: (c, held) => c.load()?.refresh_token === held.refresh_token && rmSync(c.path(), { force: true }),
  /** One at a time, where the design has a lock. */
  locked: (c, work) => work(),

  // --- tokens
  tokens: async (c) => c.load() ?? c.locked(async () => c.load() ?? c.login()),
  isEnding: (c, { ends }) => ends !== null && Date.now() > ends - 60_000,
  /** Others may have refreshed while this copy waited for the lock. */
  renew: (c, rejected) =>
    c.locked(async () => {
      const held = c.load();
      return held && held.access_token !== rejected ? held : c.refresh(held);
    }),
  refresh: async (c, held) => {
    if (held === undefined) return c.login();
    const got = await c.tokenRequest({ grant_type: 'refresh_token', refresh_token: held.refresh_token });
    if (got.status === 200) return c.received(got);
    if (parsed(got.text)?.error !== 'invalid_grant') throw new Error(`the token endpoint answers ${got.status}`);
    return c.refused(held);
  },
  /** Nobody else can have used it where there is a lock: the grant is gone. */
  refused: (c, held) => (c.forget(held), c.login()),
  /** Another copy may have used the token, and may not have stored what it got yet. */
  adopt: async (c, held, tries = 40) => {
    for (let n = 0; n < tries; n += 1) {
      const now = c.load();
      if (now && now.refresh_token !== held.refresh_token) return now;
      await sleep(100);
    }
  },
  tokenRequest: (c, form) =>
    c.send(`${env.GAMEDATA_AUTH_URL}/oauth/token`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ client_id: id, ...form }).toString(),
    }),
  received: async (c, { text }) => {
    const { access_token, refresh_token, expires_in } = JSON.parse(text);
    const tokens = { access_token, refresh_token, ends: expires_in === null ? null : Date.now() + expires_in * 1000 };
    await c.save(tokens);
    return tokens;
  },
  login: async (c) => {
    const state = randomBytes(16).toString('hex');
    const verifier = randomBytes(32).toString('base64url');
    let redirect;
    const code = await new Promise((done, fail) => {
      const server = createServer((req, res) => {
        const query = new URL(req.url, redirect).searchParams;
        res.setHeader('connection', 'close');
        res.end('You may close this window.');
        if (query.get('state') !== state) return;
        server.close();
        if (query.has('code')) done(query.get('code'));
        else fail(new Error('the user refused'));
      });
      server.listen(0, '127.0.0.1', () => {
        redirect = `http://127.0.0.1:${server.address().port}/callback`;
        const code_challenge = createHash('sha256').update(verifier).digest('base64url');
        const query = { client_id: id, response_type: 'code', scope, state, redirect_uri: redirect, code_challenge };
        process.stdout.write(
          `Open ${env.GAMEDATA_AUTH_URL}/oauth/authorize?${new URLSearchParams({ ...query, code_challenge_method: 'S256' })} \n`,
        );
      });
      setTimeout(() => fail(new Error('nobody answered')), 20_000).unref();
    });
    const form = { grant_type: 'authorization_code', code, redirect_uri: redirect, code_verifier: verifier };
    return c.received(await c.tokenRequest(form));
  },

  // --- the work
  get: async (c, path) => {
    let held = await c.tokens();
    if (c.isEnding(held)) held = await c.renew(held.access_token);
    for (let n = 0; ; n += 1) {
      const got = await c.send(env.GAMEDATA_BASE_URL + path, {
        headers: { authorization: `Bearer ${held.access_token}` },
      });
      if (got.status === 200) return;
      if (got.status !== 401 || n >= 2) throw new Error(`${path} is answered with ${got.status}`);
      held = await c.renew(held.access_token);
    }
  },
  run: async (c) => {
    await c.get('/profile');
    await c.get('/character');
  },
  send: (c, ...given) => send(...given),
  sleep: (c, ms) => sleep(ms),
};

/** A folder that only one process can make, with the number of its owner: it is free again when that has ended. */
const lock = {
  lockPath: () => join(folder, 'lock'),
  lockWait: () => 15_000,
  isStale: (c, pid) => !isAlive(pid),
  take: async (c) => {
    const path = c.lockPath();
    const own = `${path}.${process.pid}`;
    for (const end = Date.now() + c.lockWait(); Date.now() < end; await sleep(40)) {
      try {
        mkdirSync(own, { recursive: true });
        writeFileSync(join(own, String(process.pid)), '');
        renameSync(own, path); // Fails where there is one with an owner in it.
        return;
      } catch {
        const pid = c.lockOwner();
        if (pid !== undefined && c.isStale(pid)) rmSync(join(path, pid), { force: true });
      }
    }
    throw new Error('another copy of this program holds the lock; try again');
  },
  lockOwner: (c) => {
    try {
      return readdirSync(c.lockPath())[0];
    } catch {
      return undefined;
    }
  },
  release: (c) => {
    rmSync(join(c.lockPath(), String(process.pid)), { force: true });
    try {
      rmdirSync(c.lockPath());
    } catch {
      // The next one has it already.
    }
  },
  locked: async (c, work) => {
    await c.take();
    try {
      return await work();
    } finally {
      c.release();
    }
  },
};

const designs = {
  /** A file without a lock: whoever is refused looks for what another copy stored, or says that the login has ended. */
  file: {
    refused: async (c, held) => {
      const next = await c.adopt(held);
      if (next) return next;
      c.forget(held);
      throw new Error('the login has ended; start again to log in');
    },
  },
  lock,
  /** As a keyring of the desktop: an entry for each name, no lock of its own, and nobody can list them. */
  keyring: {
    ...lock,
    entry: (c, name) => c.path(createHash('sha256').update(`example-copies/${name}`).digest('hex')),
    load: (c) => parsed(Buffer.from(readOr(c.entry('login')) ?? '', 'base64').toString()),
    save: (c, tokens) => replaceFile(c.entry('login'), Buffer.from(JSON.stringify(tokens)).toString('base64')),
    forget: (c, held) => c.load()?.refresh_token === held.refresh_token && rmSync(c.entry('login'), { force: true }),
  },
  /** As a table of a database with a unique key: a row for each version, which only one copy can insert. */
  table: {
    ...lock,
    rows: () =>
      readdirSync(folder)
        .flatMap((name) => /^row-(\d+)$/.exec(name)?.[1] ?? [])
        .map(Number),
    newest: (c) => Math.max(0, ...c.rows()),
    load: (c) => (c.newest() === 0 ? undefined : (parsed(readOr(c.path(`row-${c.newest()}`))) ?? undefined)),
    insert: (c, version, value) => {
      const part = c.path(`part-${process.pid}`);
      writeFileSync(part, JSON.stringify(value), { mode: 0o600 });
      renameSync(part, c.path(`row-${version}`));
    },
    save: (c, tokens) => c.insert(c.newest() + 1, tokens),
    forget: (c) => c.insert(c.newest() + 1, null),
  },
  /** One process has the login, and gives access tokens to the others. */
  daemon: {
    ...lock,
    ask: async (c, rejected = '') => {
      for (let n = 0; n < 60; n += 1) {
        const socketPath = c.path('daemon.sock');
        const got = await send(`http://localhost/${rejected}`, { socketPath }).catch(() => undefined);
        if (got?.status === 200) return JSON.parse(got.text);
        if (got) throw new Error(got.text);
        if (n % 20 === 0) c.summon();
        await sleep(100);
      }
      throw new Error('the helper process does not answer; try again');
    },
    summon: () => {
      const child = spawn(process.execPath, process.argv.slice(1), {
        env: { ...env, DAEMON: 'yes' },
        detached: true,
        stdio: ['ignore', 'inherit', 'inherit'],
      });
      child.unref();
    },
    serve: async (c) => {
      if (c.lockOwner() !== undefined && isAlive(c.lockOwner())) return;
      await c.take();
      rmSync(c.path('daemon.sock'), { force: true });
      let working = Promise.resolve();
      const server = createServer((req, res) => {
        working = working
          .then(() => c.grant(req.url.slice(1)))
          .then(
            (tokens) => res.end(JSON.stringify(tokens)),
            (error) => res.writeHead(500).end(error.message),
          );
      });
      server.listen(c.path('daemon.sock'));
      for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, () => process.exit());
    },
    grant: async (c, rejected) => {
      const held = c.load() ?? (await c.login());
      return held.access_token === rejected ? c.refresh(held) : held;
    },
    tokens: (c) => c.ask(),
    renew: (c, rejected) => c.ask(rejected),
  },
};

const client = {};
const bind = (table) =>
  Object.assign(
    client,
    Object.fromEntries(Object.entries(table).map(([name, step]) => [name, step.bind(null, client)])),
  );
bind(steps);
bind(designs[env.STORE]);
const original = { ...client };
bind(new Function('original', 'fs', `return {${env.STEPS ?? ''}}`)(original, await import('node:fs')));
try {
  await (env.DAEMON ? client.serve() : client.run());
} catch (error) {
  process.stderr.write(`${error instanceof SyntaxError || error instanceof TypeError ? error.stack : error.message}\n`);
  process.exitCode = 1;
}
