import { createHash } from 'node:crypto';

import type { Scope, Switches } from '../contract/index.js';
import { scopes, switchTable } from '../contract/index.js';
import { createMemoryStore } from '../store/memory.js';
import { accountWith } from '../world/account.fixture.js';
import type { Account, Client } from '../world/world.js';
import type { Authority } from './authority.js';
import { authorize } from './authorize.js';
import { consent } from './consent.js';
import { challengeOf } from './pkce.js';
import { issueToken } from './token-endpoint.js';
import type { TokenResponse } from './tokens.js';

export const second = 1000;
export const hour = 3600 * second;
export const day = 24 * hour;

const accountScopes = (Object.keys(scopes) as Scope[]).filter(
  (scope) => scope.startsWith('account:') && !scope.includes('guild'),
);
const serviceScopes = (Object.keys(scopes) as Scope[]).filter((scope) => scope.startsWith('service:'));

const account = (key: string, digit: string): Account =>
  accountWith({
    key,
    uuid: `${digit.repeat(8)}-${digit.repeat(4)}-4${digit.repeat(3)}-a${digit.repeat(3)}-${digit.repeat(12)}`,
    username: `${key}#1234`,
  });

const client = (id: string, more: Partial<Client>): Client => ({
  id,
  name: id,
  type: 'confidential',
  secret: `${id}-secret+/=&% é`,
  redirectUris: [`https://${id}.example/cb`],
  scopes: accountScopes,
  credentialScopes: [],
  refresh: true,
  owner: 'owner',
  lastCharacterName: false,
  ...more,
});

const people = [account('owner', '1'), account('alice', '2'), account('bob', '3')];
const applications = [
  client('web', {
    redirectUris: ['https://web.example/cb', 'https://web.example/cb?a=b%20c'],
    scopes: [...accountScopes, 'oauth:revoke'],
  }),
  client('other', {
    redirectUris: ['https://other.example/cb', 'https://web.example/cb'],
    scopes: [...accountScopes, 'oauth:revoke'],
  }),
  client('plain', { refresh: false }),
  client('limited', { scopes: ['account:profile', 'account:leagues'] }),
  client('app', {
    type: 'public',
    secret: null,
    redirectUris: [
      'http://127.0.0.1:8765/cb',
      'http://[::1]/cb',
      'http://localhost:1/cb?x=1',
      'https://app.example/cb',
    ],
  }),
  client('service', {
    redirectUris: [],
    scopes: [],
    credentialScopes: [...serviceScopes, 'account:profile'],
    refresh: false,
  }),
  client('operations', {
    redirectUris: [],
    scopes: [],
    credentialScopes: ['oauth:revoke', 'oauth:introspect'],
    refresh: false,
  }),
  client('stranger', {
    owner: 'bob',
    redirectUris: [],
    scopes: [],
    credentialScopes: ['oauth:revoke'],
    refresh: false,
  }),
];

const standard = Object.fromEntries(switchTable.map((row) => [row.name, row.default])) as unknown as Switches;

/** An authority whose clock stands still until it is told to move, and whose tokens follow from a counter. */
export interface Bench extends Authority {
  readonly switches: Switches;
  wait(ms: number): void;
  client(id: string): Client;
}

export function createBench(switches: Partial<Switches> = {}, { without = [] }: { without?: Scope[] } = {}): Bench {
  let now = Date.UTC(2026, 0, 1);
  let count = 0;
  const hex = (): string =>
    createHash('sha1')
      .update(`token ${(count += 1)}`)
      .digest('hex');
  const clients = new Map(applications.map((each) => [each.id, each]));
  return {
    issuer: 'http://127.0.0.1:4010',
    clients,
    accounts: new Map(people.map((each) => [each.key, each])),
    store: createMemoryStore(),
    switches: { ...standard, ...switches },
    scopes: new Set((Object.keys(scopes) as Scope[]).filter((scope) => !without.includes(scope))),
    now: () => now,
    newToken: hex,
    newId: (digits) => hex().slice(0, digits),
    wait: (ms) => void (now += ms),
    client: (id) => clients.get(id)!,
  };
}

export const verifier = 'the-verifier_of.these~tests-0123456789-0123456789';

/** A good authorization request of a client, with some parameters changed; null takes one out. */
export function question(
  id: string,
  changes: Record<string, string | null> = {},
  bench = createBench(),
): URLSearchParams {
  const query = new URLSearchParams({
    client_id: id,
    response_type: 'code',
    scope: 'account:profile',
    state: 'a state',
    redirect_uri: bench.client(id).redirectUris[0] ?? 'https://nowhere.example',
    code_challenge: challengeOf(verifier),
    code_challenge_method: 'S256',
  });
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) query.delete(name);
    else query.set(name, value);
  }
  return query;
}

/** The query of the redirect that an approved request ends in. */
export function approve(
  bench: Bench,
  id: string,
  user = 'alice',
  changes: Record<string, string | null> = {},
): URLSearchParams {
  const asked = authorize(question(id, changes, bench), bench);
  if (asked.kind !== 'consent') throw new Error(`not asked: ${asked.error.message}`);
  return new URL(consent(asked.request, { approve: true, account: user }, bench)).searchParams;
}

/** Fields by which a client authenticates in the body. */
export function credentials(bench: Bench, id: string): Record<string, string> {
  const { secret } = bench.client(id);
  return { client_id: id, ...(secret !== null && { client_secret: secret }) };
}

export const basic = (id: string, secret: string): string =>
  `Basic ${Buffer.from([id, secret].map((part) => new URLSearchParams({ '': part }).toString().slice(1)).join(':')).toString('base64')}`;

/** The good token request that redeems a code. */
export function exchange(bench: Bench, id: string, code: string): Record<string, string> {
  return {
    ...credentials(bench, id),
    grant_type: 'authorization_code',
    code,
    redirect_uri: bench.client(id).redirectUris[0]!,
    code_verifier: verifier,
  };
}

export const post = (bench: Bench, form: Record<string, string>, authorization?: string) =>
  issueToken(new URLSearchParams(form), authorization, bench);

/** The tokens that a good request gets. */
export function tokensOf(bench: Bench, form: Record<string, string>, authorization?: string): TokenResponse {
  const answer = post(bench, form, authorization);
  if (answer.status !== 200) throw new Error(`no tokens: ${answer.error?.message}`);
  return answer.body;
}

/** The error code that a bad token request gets, or 'none'. */
export function errorOf(bench: Bench, form: Record<string, string>, authorization?: string): string {
  const answer = post(bench, form, authorization);
  return answer.status === 200 ? 'none' : answer.body.error;
}

/** Authorize, consent and exchange in one. */
export function signIn(
  bench: Bench,
  id: string,
  user = 'alice',
  changes: Record<string, string | null> = {},
): TokenResponse {
  return tokensOf(bench, exchange(bench, id, approve(bench, id, user, changes).get('code')!));
}

export const refresh = (bench: Bench, id: string, token: string): Record<string, string> => ({
  ...credentials(bench, id),
  grant_type: 'refresh_token',
  refresh_token: token,
});

export const forItself = (bench: Bench, id: string, scope?: string): Record<string, string> => ({
  ...credentials(bench, id),
  grant_type: 'client_credentials',
  ...(scope !== undefined && { scope }),
});
