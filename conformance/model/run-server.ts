import { lifetimes } from '../../src/contract/index.js';
import type { Code, Run } from '../engine/run.js';
import { PrerequisiteFailed } from '../verdict.js';
import { isOffered } from '../target/offers.js';
import type { Role } from '../target/target.js';
import { member, succeeded } from '../wire/answer.js';
import type { Answer } from '../wire/answer.js';
import type { AgingServer } from './aging.js';
import type { Lives, Misuse } from './grant.js';
import { narrow, refreshable } from './probe.js';
import { margin } from './timeline.js';
import { serverError } from './token-server.js';
import type { CodeHandle, TokenSet, Offer, Party, TokenServer } from './token-server.js';
import { introspection, revocation } from './authentication-methods.js';

/** The lives of a client's tokens (interface 5.4, 5.5), access tokens by both figures of it (K-001). */
export function livesOf(role: Role): Lives {
  const kind = role === 'public' ? 'public' : 'confidential';
  const access = lifetimes.access_token[kind];
  return {
    code: lifetimes.authorization_code,
    access,
    accessEnd: Math.max(access, lifetimes.expires_in[kind]),
    chain: lifetimes.refresh_token[kind],
    margin,
    codeMargin: 2,
  };
}

/** In a part of the run without clock moves, time is too short for any life to end. */
const still = async (): Promise<number> => 0;

/** The server under test, as the model asks it. What does not work for plain tokens is left to the rows about that. */
export async function runServer(run: Run, parties: readonly Party[]): Promise<TokenServer> {
  const offers = new Map<string, Offer>();
  for (const { client } of parties) {
    if (!offers.has(client)) offers.set(client, await offerOf(run, client as Role));
  }
  return {
    atOnce: (values, action) => run.http.atOnce(values, action),
    now: still,
    offers: ({ client }) => offers.get(client)!,
    consent: async ({ client, account }) => {
      const code = await run.oauth.code(client as Role, { scopes: narrow(run, client as Role), ...accountOf(account) });
      return { text: code.code, party: { client, account }, code } satisfies CodeHandle & { code: Code };
    },
    exchange: async (handle, fault) => {
      const { code } = handle as CodeHandle & { readonly code: Code };
      return issuedBy(await run.oauth.tokenRequest(exchangeFields(run, code, fault)));
    },
    refresh: async ({ client }, refresh, fault) =>
      issuedBy(await run.oauth.tokenRequest(refreshFields(run, client as Role, refresh, fault))),
    race: async ({ client }, asked) => {
      const fields = asked.map((one) =>
        typeof one === 'string'
          ? refreshFields(run, client as Role, one, 'none')
          : exchangeFields(run, (one as CodeHandle & { readonly code: Code }).code, 'none'),
      );
      return (await run.http.race(fields.map((one) => ({ path: '/oauth/token', fields: one })))).map(issuedBy);
    },
    use: async ({ client }, access) => {
      const answer = await run.oauth.probe(access, narrow(run, client as Role));
      if (succeeded(answer)) return true;
      if (answer.status >= 400 && answer.status <= 499) return false;
      throw new PrerequisiteFailed(`a request with an access token was answered with status ${answer.status}`);
    },
    revoke: async ({ client }, token) => {
      const answer = await (await revocation(run, client as Role)).ask(token);
      return answer.status >= 500 ? serverError : succeeded(answer);
    },
    introspect: async ({ client }, token) => {
      const answer = await (await introspection(run, client as Role)).ask(token);
      const active = member(answer.json, 'active');
      if (typeof active === 'boolean') return active;
      throw new PrerequisiteFailed(`introspection answered with status ${answer.status} and no active`);
    },
    endByUser: () => run.expect.missing('a part of the run of its own, to end what users have granted'),
  };
}

async function offerOf(run: Run, role: Role): Promise<Offer> {
  const right = (name: 'oauth:revoke' | 'oauth:introspect'): boolean =>
    isOffered(run.facts.target, name === 'oauth:revoke' ? 'revokeToken' : 'introspectToken') &&
    Object.values(run.facts.target.clients).some((client) => client.scopes.includes(name));
  const introspect = right('oauth:introspect') && (await introspection(run, role)).works;
  return {
    revoke: right('oauth:revoke') && (await revocation(run, role)).works,
    introspect,
    introspectRefresh: introspect && (await showsRefreshTokens(run, role)),
    page: false,
  };
}

/** The server with its clock: for a part of the run that may move it. */
export async function agingServer(run: Run, parties: readonly Party[]): Promise<AgingServer> {
  const { clock } = run.facts.hooks;
  if (!clock) return run.expect.missing('clock', 'a way to move the time of the server');
  const now = async (): Promise<number> => (await clock.now()).getTime() / 1000;
  return {
    ...(await runServer(run, parties)),
    now,
    to: async (start, seconds) => {
      const left = Math.ceil(start + seconds - (await now()));
      if (left > 0) await run.facts.advance(left);
    },
  };
}

/** The server with the page where users end what a client has: for a part of the run that may spoil what others hold. */
export async function serverWithPage(run: Run, parties: readonly Party[]): Promise<TokenServer> {
  const server = await runServer(run, parties);
  const { revoke } = run.facts.hooks;
  if (!revoke) return server;
  return {
    ...server,
    offers: (party) => ({ ...server.offers(party), page: true }),
    endByUser: ({ client, account }) =>
      revoke({ by: 'user', account, client_id: run.oauth.client(client as Role).client_id }),
  };
}

async function showsRefreshTokens(run: Run, role: Role): Promise<boolean> {
  if (!run.facts.target.clients[role]?.refresh) return false;
  const { refresh } = await refreshable(run, role);
  const answer = await (await introspection(run, role)).ask(refresh);
  return member(answer.json, 'active') === true;
}

const accountOf = (account: string): { readonly account?: string } => (account === '' ? {} : { account });

/** Null for a refusal: an answer without a token. */
function issuedBy(answer: Answer): TokenSet | null | typeof serverError {
  if (answer.status >= 500) return serverError;
  const access = member(answer.json, 'access_token');
  if (typeof access !== 'string') return null;
  const refresh = member(answer.json, 'refresh_token');
  const sub = member(answer.json, 'sub');
  const identity = JSON.stringify([member(answer.json, 'username'), typeof sub === 'string' ? sub.toLowerCase() : sub]);
  return { access, ...(typeof refresh === 'string' && { refresh }), identity };
}

/** Another client that may exchange and refresh, or none. */
const otherThan = (run: Run, role: Role): Role | undefined =>
  (['confidential_other', 'confidential', 'public'] as const).find(
    (one) =>
      run.facts.target.clients[one] &&
      run.facts.target.clients[one]?.client_id !== run.facts.target.clients[role]?.client_id,
  );

function exchangeFields(run: Run, code: Code, fault: Misuse) {
  const role = fault === 'client' ? (otherThan(run, code.role) ?? code.role) : code.role;
  // Without another client the verifier is wrong instead, so that the request is refused as well.
  const wrong = fault === 'proof' || (fault === 'client' && role === code.role);
  return run.oauth.exchangeFields({
    ...code,
    role,
    ...(wrong && { verifier: `${code.verifier.slice(1)}x`.padEnd(43, 'x') }),
  });
}

function refreshFields(run: Run, role: Role, refresh: string, fault: Misuse) {
  const by = fault === 'client' ? otherThan(run, role) : role;
  const fields = run.oauth.refreshFields(by ?? role, refresh);
  if (fault !== 'secret' && by !== undefined) return fields;
  const secret = run.oauth.client(role).client_secret;
  // A public client has no secret to be wrong; an unknown client is as bad.
  return fields.map(([name, value]): [string, string] =>
    name === (secret === undefined ? 'client_id' : 'client_secret') ? [name, `${value}-wrong`] : [name, value],
  );
}
