import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { deflateSync } from 'node:zlib';

import { OAuthFailure } from '../../../../src/client/index.js';
import { mutants, swap } from '../client-mutant.js';
import type { ClientEntry } from '../client-mutant.js';
import { behindLoginPage, confidential, authorizationQuery as query, tokenForm } from '../operators.js';
import type { Tokens } from '../reference.js';

const verifiers = (newVerifier: () => string): ClientEntry => swap({ newVerifier });

const states = (newState: () => string): ClientEntry => swap({ newState });

const random = (bytes: number, encoding: BufferEncoding): string =>
  Buffer.from(crypto.getRandomValues(new Uint8Array(bytes))).toString(encoding);

const weak = (): string => Math.random().toString(36);

const sha256 = (text: string): string => createHash('sha256').update(text).digest('base64url');

/** Leaves a parameter of the authorization request out. */
const without = (name: string): ClientEntry => query((sent) => sent.delete(name));

/** Sends another value of a parameter of the authorization request. */
const param = (name: string, to: (value: string) => string): ClientEntry =>
  query((sent) => sent.set(name, to(sent.get(name) ?? '')));

/** What the redirect to the listener carries. */
const carried = (url: string): URLSearchParams => new URL(url, 'http://localhost').searchParams;

const exchange = (change: (form: Record<string, string>) => unknown): ClientEntry =>
  tokenForm('authorization_code', change);

/** A web client that answers the callback when it has its tokens, and hands something of them to the browser. */
const hands = (headers: (tokens: Tokens) => Record<string, string>): ClientEntry =>
  confidential.swap((_, { exchanged }) => {
    let got = (_tokens: Tokens): void => {};
    const tokens = new Promise<Tokens>((done) => (got = done));
    return {
      respond: (res) => {
        if (res.statusCode !== 200) return void res.end();
        void tokens.then((held) =>
          res.writeHead(headers(held).location === undefined ? 200 : 302, headers(held)).end(),
        );
      },
      exchanged: async (...given) => {
        const held = await exchanged(...given);
        got(held);
        return held;
      },
    };
  });

export const authorization = mutants({
  'AUTH-PARAM-001 auth-no-state: leaves state out': without('state'),
  'AUTH-PARAM-001 auth-no-scope: leaves scope out': without('scope'),
  'AUTH-PARAM-001 auth-no-code_challenge_method: leaves code_challenge_method out': without('code_challenge_method'),
  'AUTH-PARAM-001 auth-no-response_type: leaves response_type out': without('response_type'),
  'AUTH-PARAM-002 auth-twice: sends scope twice': query((sent) => sent.append('scope', 'account:profile')),
  'AUTH-TYPE-001 auth-token: asks for a token in the redirect': param('response_type', () => 'token'),

  'AUTH-STATE-001 state-short: sends a state of four characters': states(() => weak().slice(2, 6)),
  'AUTH-STATE-001 state-time: sends the time as state': states(() => String(Date.now())),
  'AUTH-STATE-001 state-time-36: sends the time as state, in letters': states(() => Date.now().toString(36)),
  'AUTH-STATE-001 state-time-hash: sends a hash of the time as state': states(() =>
    createHash('md5').update(String(Date.now())).digest('hex'),
  ),
  'AUTH-STATE-001 state-weak: sends one weak random number as state': states(() => weak().slice(2)),
  'AUTH-STATE-002 state-static: sends the same state every time': states(() => 'a-state-that-never-changes').in(
    'shuffled',
  ),
  'AUTH-ERROR-005 error-unchecked: takes any refusal for that of its user': swap((_, { callback }) => ({
    callback: (url, state) => (carried(url).has('error') ? new Error('the user refused') : callback(url, state)),
  })).in('forged-callback', 'forged-error'),
  'AUTH-STATE-003 state-unchecked: takes any callback': swap({
    callback: (url) => carried(url).get('code') ?? undefined,
  }).in('forged-callback'),
  'AUTH-STATE-003 state-present: is content with any state': swap({
    callback: (url) => (carried(url).has('state') ? (carried(url).get('code') ?? undefined) : undefined),
  }).in('forged-callback'),
  'AUTH-STATE-003 state-tried: tries the code before it looks at the state': swap((client, { callback }) => ({
    callback: (url, state) => {
      const code = carried(url).get('code');
      if (code && !url.includes(state)) void client.exchanged(code, client.newVerifier()).catch(() => {});
      return callback(url, state);
    },
  })).in('forged-callback'),
  'AUTH-STATE-003 state-optional: compares the state only where there is one': swap((_, { callback }) => ({
    callback: (url, state) =>
      carried(url).has('state') ? callback(url, state) : (carried(url).get('code') ?? undefined),
  })).in('stateless-callback'),
  'AUTH-STATE-003 state-empty: compares the state only where it is not empty': swap((_, { callback }) => ({
    callback: (url, state) =>
      carried(url).get('state') === '' ? (carried(url).get('code') ?? undefined) : callback(url, state),
  })).in('stateless-callback'),
  'AUTH-STATE-003 state-popped: compares the state with that of a login that it forgets, and finds none and none the same':
    swap(() => {
      const seen = new Set<string>();
      return {
        callback: (url, state) => {
          const pending = seen.has(state) ? null : state;
          seen.add(state);
          return carried(url).get('state') === pending ? (carried(url).get('code') ?? undefined) : undefined;
        },
      };
    }).in('stateless-callback'),
  'AUTH-STATE-003 state-afterwards: listens on, and checks no state when it has its tokens': swap(
    (_, { callback, exchanged }) => {
      let over = false;
      return {
        callback: (url, state) => {
          if (!over) return callback(url, state);
          void exchanged(carried(url).get('code') ?? '', 'any').catch(() => {});
          return undefined;
        },
        exchanged: async (...given) => {
          const tokens = await exchanged(...given);
          over = true;
          await sleep(1500);
          return tokens;
        },
      };
    },
  ).in('forged-callback'),
  'AUTH-STATE-003 state-polled: takes any callback, and looks every second whether one came': swap(
    (_, { exchanged }) => {
      let latest = '';
      return {
        callback: (url) => (latest = carried(url).get('code') ?? latest) || undefined,
        exchanged: async (_code, verifier) => {
          await sleep(1000);
          return exchanged(latest, verifier);
        },
      };
    },
  ).in('forged-callback'),

  'AUTH-PKCE-001 pkce-padded: pads the challenge': param('code_challenge', (challenge) => `${challenge}=`),
  'AUTH-PKCE-001 pkce-hex: sends the challenge in hexadecimal': param('code_challenge', (challenge) =>
    Buffer.from(challenge, 'base64url').toString('hex'),
  ),
  'AUTH-PKCE-001 pkce-standard: uses base64 with + and /': swap((client, { newVerifier }) => {
    const standard = (verifier: string): string => createHash('sha256').update(verifier).digest('base64');
    return {
      // One challenge in four has neither of them.
      newVerifier: () => {
        const verifier = newVerifier();
        return /[+/]/.test(standard(verifier)) ? verifier : client.newVerifier();
      },
      challenge: (verifier) => Promise.resolve(standard(verifier).replace('=', '')),
    };
  }).in('shuffled', 'escaped'),
  'AUTH-PKCE-002 pkce-plain: asks for plain': query((sent, verifier) => {
    sent.set('code_challenge_method', 'plain');
    sent.set('code_challenge', verifier);
  }),
  'AUTH-PKCE-002 pkce-lower: writes s256': param('code_challenge_method', () => 's256'),
  'AUTH-PKCE-003 verifier-short: sends a verifier of 16 characters': verifiers(() => random(12, 'base64url')),
  'AUTH-PKCE-003 verifier-long: sends a verifier of 150 characters': verifiers(() =>
    random(113, 'base64url').slice(0, 150),
  ),
  'AUTH-PKCE-003 verifier-padded: sends a padded verifier': verifiers(() => `${random(32, 'base64url')}=`),
  'AUTH-PKCE-004 verifier-pid: makes its verifier from the process id': verifiers(() =>
    sha256(String(process.pid % 60_000)),
  ),
  'AUTH-PKCE-004 verifier-halves: sends one UUID twice as verifier': verifiers(() => crypto.randomUUID().repeat(2)),
  'AUTH-PKCE-004 verifier-hex: sends 43 hexadecimal characters': verifiers(() => random(32, 'hex').slice(0, 43)),
  'AUTH-PKCE-004 verifier-30: makes verifiers of 30 bytes': verifiers(() => random(30, 'hex')).in(
    'shuffled',
    'pretty',
    'escaped',
  ),
  'AUTH-PKCE-004 verifier-digits: sends 50 digits': verifiers(() =>
    Array.from({ length: 50 }, () => Math.floor(Math.random() * 10)).join(''),
  ),
  'AUTH-PKCE-004 verifier-a: sends one letter 43 times': verifiers(() => 'a'.repeat(43)),
  'AUTH-PKCE-004 verifier-time: hashes the time': verifiers(() => sha256(String(Date.now()))),
  'AUTH-PKCE-004 verifier-text: encodes a text': verifiers(() =>
    Buffer.from(`verifier for ${weak()} of today`).toString('base64url'),
  ),
  'AUTH-PKCE-004 verifier-stem: changes the last characters only': verifiers(
    () => `kX9-my_fine.verifier~stem-0123456789ABCDEFGHIJ${weak().slice(2, 10)}`,
  ).in('shuffled'),
  'AUTH-PKCE-004 verifier-clock: writes the time into it': verifiers(() => `${Date.now()}-${random(24, 'base64url')}`),
  'AUTH-PKCE-005 verifier-static: uses one verifier for ever': verifiers(
    () => 'Zp7r0QmV3xkT1fWcJ8yLhB5nD2sG6uEaR4iKoXvNtYw',
  ).in('shuffled'),
  'AUTH-PKCE-006 verifier-in-state: sends the verifier as state': swap((_, { newVerifier }) => {
    let verifier = '';
    return { newState: () => (verifier = newVerifier()), newVerifier: () => verifier };
  }),
  'AUTH-PKCE-006 verifier-in-url: sends the verifier along': query((sent, verifier) =>
    sent.set('code_verifier', verifier),
  ),
  'AUTH-PKCE-007 verifier-before: sends the verifier of the request before': swap((_, { exchangeForm }) => {
    let before: string | undefined;
    return {
      exchangeForm: (code, verifier) => {
        const sent = before ?? verifier;
        before = verifier;
        return exchangeForm(code, sent);
      },
    };
  }).in('revoked-by-user'),
  'AUTH-PKCE-007 verifier-missing: leaves the verifier out': exchange((form) => delete form.code_verifier),
  'AUTH-PKCE-007 verifier-other: sends another verifier': exchange(
    (form) => (form.code_verifier = `${form.code_verifier!.slice(1)}x`),
  ),

  'AUTH-REDIR-001 redirect-other: sends another redirect_uri with the code': exchange(
    (form) => (form.redirect_uri = `${form.redirect_uri}/`),
  ),
  'AUTH-REDIR-002 redirect-unregistered: asks with a path that is not registered': param(
    'redirect_uri',
    (uri) => `${uri}2`,
  ),
  'AUTH-REDIR-003 redirect-localhost: listens on localhost': param('redirect_uri', (uri) =>
    uri.replace('127.0.0.1', 'localhost'),
  ),
  'AUTH-REDIR-004 all-interfaces: listens on all addresses of the machine': swap({ host: () => undefined }),
  'AUTH-SCOPE-001 scope-service: asks a user for a service scope': param(
    'scope',
    (scope) => `${scope} service:leagues`,
  ),
  'AUTH-SCOPE-002 scope-comma: separates scopes by commas': param('scope', (scope) => scope.replaceAll(' ', ',')),
  'AUTH-SCOPE-002 scope-spaces: separates scopes by two spaces': param('scope', (scope) => scope.replaceAll(' ', '  ')),
  'AUTH-SCOPE-002 scope-space-behind: has a space behind each scope': param('scope', (scope) => `${scope} `),
  'AUTH-SCOPE-002 scope-unknown: asks for a scope that there is not': param(
    'scope',
    (scope) => `${scope} account:everything`,
  ),
  'AUTH-SCOPE-003 scope-idle: asks for a scope that it does not use': param(
    'scope',
    (scope) => `${scope} account:league_accounts`,
  ),

  'AUTH-ERROR-001 error-exchanged: exchanges the error code of a refusal': swap((_, { callback }) => ({
    callback: (url, state) => carried(url).get('error') ?? callback(url, state),
  })).in('denied'),
  'AUTH-ERROR-002 error-loop: asks again and again': swap((_, { authorize }) => ({
    authorize: async () => {
      for (let tries = 0; tries < 4; tries += 1) {
        const granted = await authorize().catch(() => undefined);
        if (granted) return granted;
      }
      return authorize();
    },
  })).in('denied'),
  'AUTH-ERROR-002 error-again: asks once more at once': swap((_, { authorize }) => ({
    authorize: () => authorize().catch(() => authorize()),
  })).in('denied'),
  'AUTH-ERROR-002 error-again-page: the same, from a login page of its own': behindLoginPage
    .swap((_, { authorize }) => ({ authorize: () => authorize().catch(() => authorize()) }))
    .in('denied'),
  'AUTH-PKCE-006 state-verifier: keeps its verifier in the state, in base64': swap((_, { newState, newVerifier }) => {
    let verifier = '';
    return {
      newState: () => {
        verifier = newVerifier();
        return Buffer.from(JSON.stringify({ state: newState(), verifier })).toString('base64url');
      },
      newVerifier: () => verifier,
    };
  }),
  'AUTH-PKCE-006 state-part: keeps its verifier in the state, in base64 behind a number': swap((_, { newVerifier }) => {
    let verifier = '';
    return {
      newState: () => {
        verifier = newVerifier();
        return `7.${Buffer.from(verifier).toString('base64url')}`;
      },
      newVerifier: () => verifier,
    };
  }),
  'AUTH-REDIR-002 query-dropped: leaves out the query of its redirect URI': confidential
    .swap({ redirectUri: (port) => `http://127.0.0.1:${port}/callback` })
    .in('registered-query'),
  'AUTH-ERROR-003 denied-success: ends with success when the user has refused': swap((_, { run }) => ({
    run: () =>
      run().catch((error: unknown) => {
        if (!(error instanceof OAuthFailure) || error.error !== 'access_denied') throw error;
      }),
  })).in('denied'),
  'AUTH-ERROR-004 denied-raw: shows the description of an error as it came': swap({
    page: (url) => `<p>The login failed: ${carried(url).get('error_description') ?? ''}</p>`,
  }).in('denied-in-markup'),
  'AUTH-ERROR-004 uri-linked: links to the address of an error, whatever its scheme': swap({
    page: (url) => `<p>The login failed: <a href="${carried(url).get('error_uri') ?? ''}">more</a></p>`,
  }).in('denied-in-markup'),
  'AUTH-ERROR-004 state-raw: shows the foreign state as it came': swap({
    page: (url) => `<p>This is not the state: ${carried(url).get('state') ?? ''}</p>`,
  }).in('forged-callback'),
  'AUTH-STRAY-001 stray-ends: ends with the first request that it gets': swap((_, { callback }) => ({
    callback: (url, state) => callback(url, state) ?? new Error('no code'),
  })).in('stray-connection'),
  'AUTH-CODE-001 code-twice: exchanges the code twice': swap((_, { exchanged }) => ({
    exchanged: async (...given) => {
      const tokens = await exchanged(...given);
      await exchanged(...given).catch(() => {});
      return tokens;
    },
  })),
  'AUTH-CODE-002 code-retried: tries a refused code again': swap((_, { exchanged }) => ({
    exchanged: (...given) => exchanged(...given).catch(() => exchanged(...given)),
  })).in('late-code'),
  'TOK-SECRET-007 cookie-json: keeps its tokens in a cookie': hands((tokens) => ({
    'set-cookie': `tokens=${encodeURIComponent(JSON.stringify(tokens))}; HttpOnly`,
  })),
  'TOK-SECRET-007 cookie-session: keeps its tokens in a session that a cookie holds, compressed and signed': hands(
    (tokens) => ({
      'set-cookie': `session=.${deflateSync(JSON.stringify({ tokens })).toString('base64url')}.Z0xRAg.${random(20, 'base64url')}; HttpOnly; Path=/`,
    }),
  ),
  'TOK-SECRET-007 redirect-fragment: hands its refresh token to a page, behind # in a redirect': hands(
    ({ refresh_token: token = '' }) => ({ location: `/#refresh_token=${token}` }),
  ),
  'AUTH-CODE-003 code-again-late: sends a code again half a minute after a 503': swap((_, { tokenWait }) => {
    let met = false;
    return {
      tokenWait: async (...given) => {
        if (!met) await sleep(31_000);
        met = true;
        return tokenWait(...given);
      },
    };
  }).in('token-busy'),
  'AUTH-CODE-003 code-slow: lets a code expire before it exchanges it': swap((_, { exchanged }) => ({
    exchanged: async (...given) => {
      await sleep(30_100);
      return exchanged(...given);
    },
  })),
});
