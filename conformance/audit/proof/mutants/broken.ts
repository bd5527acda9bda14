import { createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';

import { mutants, swap } from '../client-mutant.js';
import type { ClientEntry } from '../client-mutant.js';
import { behindLoginPage } from '../operators.js';
import type { Got, Reference, Tokens } from '../reference.js';

/** Takes a callback whose state is alike. */
const alike = (isAlike: (given: string, own: string) => boolean): ClientEntry =>
  swap((_, { callback }) => ({
    callback: (url, state) => {
      const { searchParams } = new URL(url, 'http://localhost');
      const [given, code] = [searchParams.get('state'), searchParams.get('code')];
      return code !== null && given !== null && isAlike(given, state) ? code : callback(url, state);
    },
  }));

/** A client of the streams alone. */
const service = swap((client) => ({ run: () => client.service() }));

/** Waits for the first connection to say something before it looks at another. */
const oneAtATime = swap((client) => ({
  authorize: async () => {
    const state = client.newState();
    const verifier = client.newVerifier();
    const waiting: Socket[] = [];
    const server = createServer((socket) => void waiting.push(socket.on('error', () => {})));
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    client.redirect = `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`;
    void client.open(client.authorizationUrl(state, await client.challenge(verifier), verifier));
    const tokens = new Promise<Tokens>((done, fail) => {
      const timer = setTimeout(() => fail(new Error('nobody answered')), 15_000);
      const serve = async (): Promise<void> => {
        for (let socket = waiting.shift(); ; socket = waiting.shift()) {
          if (socket) {
            const said = await new Promise<string>((heard) =>
              socket.once('data', (bytes) => heard(bytes.toString())).once('close', () => heard('')),
            );
            socket.end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n');
            const code = client.callback(said.split(' ')[1] ?? '/', state);
            if (typeof code === 'string') return done(await client.exchanged(code, verifier));
          } else await new Promise((next) => setTimeout(next, 20));
        }
      };
      serve().then(() => clearTimeout(timer), fail);
    });
    return tokens.finally(() => {
      for (const socket of waiting) socket.destroy();
      server.close();
    });
  },
}));

/** Takes the state of every login that it began. */
const keepsStates = (_: Reference, { callback, newState }: Pick<Reference, 'callback' | 'newState'>) => {
  const begun = new Set<string>();
  return {
    newState: () => {
      const state = newState();
      begun.add(state);
      return state;
    },
    callback: (url: string, state: string) => {
      const given = new URL(url, 'http://127.0.0.1').searchParams.get('state') ?? '';
      return callback(url, begun.has(given) ? given : state);
    },
  };
};

export const broken = mutants({
  'AUTH-STATE-003 state-all-but-last: compares all of the state but its last character': alike(
    (given, own) => given.slice(0, -1) === own.slice(0, -1),
  ).in('forged-last'),
  'AUTH-STATE-003 state-begins: takes a state that its own begins with': alike(
    (given, own) => given !== '' && own.startsWith(given),
  ).in('forged-prefix'),
  'AUTH-STATE-003 state-caseless: compares states without regard to case': alike(
    (given, own) => given.toLowerCase() === own.toLowerCase(),
  ).in('forged-case'),
  'AUTH-STATE-003 state-ends: takes a state that ends with its own': alike((given, own) => given.endsWith(own)).in(
    'forged-before',
  ),
  'AUTH-STATE-003 state-within: takes a state that has its own in it': alike((given, own) => given.includes(own)).in(
    'forged-behind',
  ),
  'AUTH-STATE-003 state-kept: takes the state of every login that it began': swap(keepsStates).in('forged-earlier'),
  'AUTH-STATE-003 state-kept-page: the same, and opens a login page of its own': behindLoginPage
    .swap(keepsStates)
    .in('forged-earlier'),
  'AUTH-STRAY-001 listener-serial: serves one connection at a time': oneAtATime.in('held-connection'),

  'AUTH-CODE-005 code-insists: tries the code of a lost exchange over and over': swap((_, { exchanged }) => ({
    exchanged: async (...given) => {
      for (let tries = 0; tries < 5; tries += 1)
        try {
          return await exchanged(...given);
        } catch {
          // Once more.
        }
      return exchanged(...given);
    },
  })).in('lost-code-reply'),
  'AUTH-CODE-005 code-again: sends the code of a lost exchange once more': swap((_, { exchanged }) => ({
    exchanged: (...given) => exchanged(...given).catch(() => exchanged(...given)),
  })).in('lost-code-reply'),
  'AUTH-CODE-005 code-silent: ends with success where an exchange failed': swap((_, { run }) => ({
    run: () => run().catch(() => {}),
  })).in('lost-code-reply'),
  'AUTH-CODE-007 code-waits: waits for a code exchange without end': swap((client, { sendForm }) => ({
    sendForm: (form, ...given) => {
      client.timeout = form.grant_type === 'authorization_code' ? 600_000 : 3000;
      return sendForm(form, ...given);
    },
  })).in('hung-code'),
  'REFRESH-HANG-001 refresh-waits: waits for a refresh without end': swap((client, { sendForm }) => ({
    sendForm: (form, ...given) => {
      client.timeout = form.grant_type === 'refresh_token' ? 600_000 : 3000;
      return sendForm(form, ...given);
    },
  })).in('hung-refresh'),

  'READ-PAGE-001 page-last: takes what is no JSON for an empty list, and reads other lists at the same path': swap(
    (client) => ({
      run: async () => {
        for (const realm of ['pc', 'xbox', 'sony']) await client.get(`/league?realm=${realm}`, true).catch(() => {});
      },
    }),
  ).in('page-200'),
  'READ-PAGE-001 page-empty: takes what is no JSON for nothing': swap((_, { read }) => ({
    read: (got) => {
      try {
        return read(got);
      } catch {
        return {
          leagues: [],
          characters: [],
          stashes: [],
          markets: [],
          filters: [],
          next_change_id: 1,
          filter: { id: 'x' },
        };
      }
    },
  })).in('page-200'),
  'PACE-SURVIVE-005 incomplete-ends: ends with a body that was cut': swap({
    failed: async (broken) => {
      throw broken;
    },
  }).in('incomplete'),
  'TOK-REDIRECT-001 redirect-follows: follows redirects with every header': swap((_, { send }) => ({
    send: async (request) => {
      const got: Got = await send(request);
      const location = got.headers.get('location');
      return location === null ? got : send({ ...request, url: location });
    },
  })).in('redirected'),

  'TOK-REDIRECT-002 redirect-secrets: follows the redirect of a token request': swap((_, { send }) => ({
    send: async (request) => {
      const got: Got = await send(request);
      const location = got.headers.get('location');
      return location === null || !request.url.includes('/oauth/') ? got : send({ ...request, url: location });
    },
  })).in('token-redirected'),
  'READ-ERROR-001 page-lost: takes an error on a later page for the end of the stream': swap(
    (client, { publicStashes, attempts }) => ({
      publicStashes: async () => {
        client.attempts = () => 1;
        await publicStashes().catch(() => {});
        client.attempts = attempts;
      },
    }),
  ).in('later-errors'),

  'PACE-WINDOW-001 window-first: reads the first window of a policy only': swap((_, { learn }) => ({
    attempts: () => 8,
    learn: (key, got) => {
      const [first = ''] = (got.headers.get('x-rate-limit-client') ?? '').split(',');
      const headers = { 'x-rate-limit-rules': 'client', 'x-rate-limit-client': first };
      learn(key, { ...got, headers: new Headers(first === '' ? {} : headers) });
    },
  })).in('tight-second'),
  'PACE-WINDOW-001 rule-first: reads the first rule of a policy only': swap((_, { rules }) => ({
    attempts: () => 8,
    rules: (got) => rules(got).slice(0, 1),
  })).in('two-rules'),
  'PACE-WINDOW-001 window-name: learns a policy once, by its name': swap((_, { learn }) => {
    const known = new Set<string>();
    return {
      attempts: () => 8,
      learn: (key, got) => {
        const name = String(got.headers.get('x-rate-limit-policy'));
        if (!known.has(name)) learn(key, got);
        known.add(name);
      },
    };
  }).in('policy-numbers'),
  'PACE-WINDOW-001 window-head: does not count its requests with HEAD': swap((_, { dataRequest }) => ({
    attempts: () => 8,
    dataRequest: async (method, path, token, body) => {
      if (method === 'GET') {
        await dataRequest('HEAD', path, token);
        await dataRequest('HEAD', path, token);
      }
      return dataRequest(method, path, token, body);
    },
  })).in('head-counts'),

  'STREAM-RESUME-001 service-forgotten: stores nothing of the stash stream': service
    .swap((client, { publicStashes }) => ({
      publicStashes: () => {
        client.stored.delete('stream');
        return publicStashes();
      },
    }))
    .in('restarted'),
  'ADDR-ENCODE-002 name-question: leaves the ? of names as it is': swap((_, { encode }) => ({
    encode: (name) => encode(name).replaceAll('%3F', '?'),
  })).in('odd-names'),
});
