import { setTimeout as sleep } from 'node:timers/promises';

import { user } from '../../worlds/user.js';
import { swap } from '../client-mutant.js';
import { variants } from '../client-variant.js';
import { authorizationQuery, behindLoginPage } from '../operators.js';

const random = (bytes: number, encoding: BufferEncoding): string =>
  Buffer.from(crypto.getRandomValues(new Uint8Array(bytes))).toString(encoding);

/** Where a client with other words of its login may fare otherwise than the reference. */
const logins = ['shuffled', 'access-ends', 'no-refresh-token', ...user.map(({ id }) => id)];

/** The user's consent, in other right ways. */
export const authorization = variants({
  'long-verifier: uses verifiers of 128 characters': swap({ newVerifier: () => random(96, 'base64url') }).in(...logins),
  'hex-verifier: uses verifiers of 64 hexadecimal characters': swap({ newVerifier: () => random(32, 'hex') }).in(
    ...logins,
  ),
  'dated-verifier: begins its verifiers with the time, before 32 random bytes': swap({
    newVerifier: () => `${Date.now()}.${random(32, 'base64url')}`,
  }).in('shuffled'),
  'named-verifier: begins its verifiers with its name, before 32 random bytes': swap({
    newVerifier: () => `verifier-of-the-example-reference-desktop-application.${random(32, 'base64url')}`,
  }).in('shuffled'),
  'uuid-state: uses UUIDs as state': swap({ newState: () => crypto.randomUUID() }).in(...logins),
  'structured-state: puts what it wants to remember into the state': swap({
    newState: () =>
      Buffer.from(JSON.stringify({ nonce: crypto.randomUUID(), back: '/characters' })).toString('base64url'),
  }).in(...logins),
  'short-state: uses states of 12 characters': swap({ newState: () => random(9, 'base64url') }).in(...logins),
  'page-state: relies on PKCE, and uses state for the page to return to': {
    client: swap({ newState: () => 'characters' }).in('shuffled', 'forged-callback'),
    mayWarn: ['AUTH-STATE-001', 'AUTH-STATE-002'],
  },
  'strict-state: ends its login at the first callback with another state': swap((_, { callback }) => ({
    callback: (url, state) => callback(url, state) ?? new Error('another state came back'),
  })).in('forged-callback', 'forged-error', 'stateless-callback'),
  'encoded-form: writes %20 for the spaces of scopes': swap((_, { authorizationUrl }) => ({
    authorizationUrl: (...given) => authorizationUrl(...given).replaceAll('+', '%20'),
  })).in(...logins),
  'more-parameters: sends parameters that the interface does not have': authorizationQuery((query) => {
    query.set('prompt', 'consent');
    query.set('ui_locales', 'en');
  })
    .swap((_, { send }) => ({
      send: (request) => {
        const { method, url, body } = request;
        if (method === 'GET')
          return send({ ...request, url: `${url}${url.includes('?') ? '&' : '?'}timestamp=${Date.now()}` });
        return send(body?.includes('grant_type=') ? { ...request, body: `${body}&audience=game` } : request);
      },
    }))
    .in('access-ends'),
  'localhost: calls its loopback address by the name': {
    client: swap((client, { authorizationUrl }) => ({
      authorizationUrl: (...given) => {
        client.redirect = client.redirect.replace('127.0.0.1', 'localhost');
        return authorizationUrl(...given);
      },
    })).in('forged-callback'),
    mayWarn: ['AUTH-REDIR-003'],
  },
  'listens-on: listens for a while after the callback': swap((_, { exchanged }) => ({
    exchanged: async (...given) => {
      const tokens = await exchanged(...given);
      await sleep(1500);
      return tokens;
    },
  })).in(...logins),
  'auto-consent: is redirected without a page': {
    client: swap({}).in('denied', 'forged-callback', 'late-code', 'stray-connection'),
    autoApprove: true,
  },
  'login-page: has no refresh tokens, and opens the same login page of its own each time': {
    client: behindLoginPage.swap((client) => ({ refreshed: () => client.again() })).in('access-ends', 'late-code'),
    mayWarn: ['TOK-KEEP-007'],
  },
});
