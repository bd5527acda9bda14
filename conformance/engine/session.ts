import { createHash, randomBytes } from 'node:crypto';

import { scopes as contractScopes } from '../../src/contract/index.js';
import type { Scope } from '../../src/contract/index.js';
import {
  authorizationUrl,
  endpointOperations,
  endpointPaths,
  endpoints,
  endpointUrl,
  withQuery,
} from '../target/endpoints.js';
import { introspects, isOffered } from '../target/offers.js';
import type { ReadyToken, Role } from '../target/target.js';
import { roles, userRoles } from '../target/table.js';
import { header, member, succeeded } from '../wire/answer.js';
import type { Answer } from '../wire/answer.js';
import type { Environment } from './environment.js';
import { HttpRequests } from './http.js';
import { encoded, merged } from './requests.js';
import type {
  AuthorizationRequest,
  Code,
  Fields,
  FormOptions,
  Grant,
  GrantOptions,
  Http,
  OAuth,
  Redirect,
  Source,
} from './run.js';
import { openedBy, sampleOf } from './operations.js';
import { consentAnswer } from './transport.js';
import { MissingCapability, PrerequisiteFailed } from '../verdict.js';

/** Tokens of public clients live for hours only. */
const sharedUserRoles: readonly Role[] = [...userRoles.filter((role) => role !== 'public'), 'public'];
const serviceRoles: readonly Role[] = [
  'service',
  'service_account',
  'operations',
  'confidential',
  'confidential_other',
];

const random = (): string => randomBytes(32).toString('base64url');

/**
 * The authorization server as a client sees it, and the tokens that checks share. Checks that run beside each other
 * have one session; a check that runs alone has its own.
 */
export class Session implements OAuth {
  readonly http: Http;
  /** Where samples of this session come from. */
  readonly source: Source;
  readonly #shared = new Map<string, Promise<unknown>>();

  constructor(readonly env: Environment) {
    this.http = new HttpRequests(env, this);
    this.source = { http: this.http, facts: { target: env.target, once: (key, make) => this.once(key, make) } };
  }

  /** The first caller makes it, everybody has it; a failure is everybody's, as a prerequisite. */
  once<T>(key: string, make: () => Promise<T>): Promise<T> {
    const before = this.#shared.get(key);
    if (before) return before as Promise<T>;
    const made = make().catch((error: unknown) => {
      throw error instanceof Error && error.name === 'Deviation' ? new PrerequisiteFailed(error.message) : error;
    });
    this.#shared.set(key, made);
    return made;
  }

  client(role: Role) {
    const client = this.env.target.clients[role];
    if (!client) throw new MissingCapability(`client ${role} in the target`);
    return client;
  }

  credentials(role: Role): Fields {
    const { client_id, client_secret } = this.client(role);
    return [
      ['client_id', client_id],
      ...(client_secret === undefined ? [] : [['client_secret', client_secret] as const]),
    ];
  }

  kind(role: Role): 'confidential' | 'public' | 'service' {
    if (role === 'public') return 'public';
    return userRoles.includes(role) ? 'confidential' : 'service';
  }

  // --- requests ---------------------------------------------------------------------------------------------------

  /** @throws MissingCapability where the server has no such endpoint */
  #mustOffer(path: string): void {
    const endpoint = endpoints.find((one) => endpointPaths[one] === path);
    if (endpoint === undefined || isOffered(this.env.target, endpointOperations[endpoint])) return;
    throw new MissingCapability(
      endpointOperations[endpoint],
      'it is declared in not_offered of the target, or the target has ready tokens and no client',
    );
  }

  /** A form post to the authorization server. */
  async form(
    path: string,
    fields: Fields,
    options: FormOptions & {
      operation?: 'issueToken' | 'revokeToken' | 'introspectToken';
      method?: string;
      query?: Fields;
    } = {},
  ): Promise<Answer> {
    const { token, headers = {}, body, operation, method = 'POST', query = [] } = options;
    const grant = fields.find(([name]) => name === 'grant_type')?.[1];
    const id = fields.find(([name]) => name === 'client_id')?.[1];
    const role = roles.find((one) => this.env.target.clients[one]?.client_id === id);
    const url = withQuery(authorizationUrl(this.env.target, path), encoded(query));
    this.#mustOffer(path);
    const withBody = method !== 'GET' && method !== 'HEAD';
    const send = (): Promise<Answer> =>
      this.env.wire.send(
        {
          method,
          url,
          headers: merged(
            {
              accept: 'application/json',
              ...(withBody && { 'content-type': 'application/x-www-form-urlencoded' }),
              ...(typeof token === 'string' && { authorization: `Bearer ${token}` }),
            },
            headers,
          ),
          ...(withBody && { body: body ?? encoded(fields) }),
        },
        {
          server: 'authorization',
          args: {},
          ...(operation && method === 'POST' && { operation }),
          ...(grant !== undefined && { grant }),
          ...(role && { client: grant === 'client_credentials' ? 'service' : this.kind(role) }),
        },
      );
    return grant === 'authorization_code' ? this.#inOrder(send) : send();
  }

  tokenRequest(fields: Fields, options: FormOptions = {}): Promise<Answer> {
    return this.form('/oauth/token', fields, { ...options, operation: 'issueToken' });
  }

  async revoke(fields: Fields, options: FormOptions = {}): Promise<Answer> {
    const token = options.token === undefined ? (await this.credential('oauth:revoke')).access : options.token;
    return this.form('/oauth/token/revoke', fields, { ...options, token, operation: 'revokeToken' });
  }

  async introspect(fields: Fields, options: FormOptions = {}): Promise<Answer> {
    const token = options.token === undefined ? (await this.credential('oauth:introspect')).access : options.token;
    return this.form('/oauth/token/introspect', fields, { ...options, token, operation: 'introspectToken' });
  }

  request(
    method: string,
    path: string,
    { fields = [], ...options }: FormOptions & { fields?: Fields; query?: Fields } = {},
  ): Promise<Answer> {
    return this.form(path, fields, { ...options, method });
  }

  authorizationAddress(fields: Fields): string {
    return withQuery(endpointUrl(this.env.target, 'authorize'), encoded(fields));
  }

  async bareAuthorize(fields: Fields): Promise<Answer> {
    this.#mustOffer(endpointPaths.authorize);
    const url = this.authorizationAddress(fields);
    return this.env.wire.send(
      { method: 'GET', url, headers: { accept: 'text/html' } },
      { server: 'authorization', args: {} },
    );
  }

  async probe(token: string, scopes: readonly Scope[]): Promise<Answer> {
    const [operation] = openedBy(this.env.target, scopes);
    if (operation !== undefined)
      return this.http.data(operation, { ...(await sampleOf(this.source, operation)), token });
    if (introspects(this.env.target)) return this.#introspected(token, scopes);
    if (scopes.includes('oauth:introspect')) return this.introspect([['token', token]], { token });
    if (scopes.includes('oauth:revoke')) return this.revoke([['token', 'cx-was-never-issued']], { token });
    throw new PrerequisiteFailed(`no operation takes a token with ${scopes.join(' ') || 'no scope'}`);
  }

  /**
   * Where there is no data to ask for, introspection tells whether a token works: 200, 401, or 403 where it shows that a
   * scope is lacking, as the data API would.
   */
  async #introspected(token: string, scopes: readonly Scope[]): Promise<Answer> {
    const answer = await this.#introspectedBy('operations', token);
    if (answer.status !== 200) return answer;
    const granted = scopesIn(answer) ?? ((await this.#showsScopes()) ? [] : scopes);
    const lacks = scopes.some((scope) => !granted.includes(scope));
    return { ...answer, status: member(answer.json, 'active') !== true ? 401 : lacks ? 403 : 200 };
  }

  #introspectedBy(role: Role, token: string): Promise<Answer> {
    return this.introspect([['token', token], ...this.credentials(role)], { token: null });
  }

  /** Whether introspection tells scopes, which it need not (RFC 7662 2.2): then a token that it tells none of has none. */
  #showsScopes(): Promise<boolean> {
    return this.once('introspection shows scopes', async () => {
      const { access } = await this.credential('oauth:introspect');
      return scopesIn(await this.#introspectedBy('operations', access)) !== undefined;
    });
  }

  // --- consent ----------------------------------------------------------------------------------------------------

  authorizationRequest(
    role: Role,
    options: { scopes?: readonly Scope[]; state?: string; verifier?: string; redirect_uri?: string } = {},
  ): AuthorizationRequest {
    const client = this.client(role);
    const redirect_uri = options.redirect_uri ?? client.redirect_uri;
    if (redirect_uri === undefined) throw new MissingCapability(`redirect_uri of client ${role}`);
    const verifier = options.verifier ?? random();
    const state = options.state ?? random();
    const scopes = options.scopes ?? userScopes(client.scopes);
    return {
      role,
      verifier,
      state,
      redirect_uri,
      fields: [
        ['client_id', client.client_id],
        ['response_type', 'code'],
        ['scope', scopes.join(' ')],
        ['state', state],
        ['redirect_uri', redirect_uri],
        ['code_challenge', challengeOf(verifier)],
        ['code_challenge_method', 'S256'],
      ],
    };
  }

  async authorize(
    fields: Fields,
    { account, decision = 'approve' }: { account?: string; decision?: 'approve' | 'deny' } = {},
  ): Promise<Redirect> {
    const { consent } = this.env.hooks;
    if (!consent) throw new MissingCapability('consent', 'a way to approve at /oauth/authorize');
    this.#mustOffer(endpointPaths.authorize);
    const url = this.authorizationAddress(fields);
    const who = account ?? this.account();
    const id = fields.find(([name]) => name === 'client_id')?.[1];
    const role = roles.find((one) => this.env.target.clients[one]?.client_id === id);
    const pair = JSON.stringify([who, id]);
    const decide = async (): Promise<Redirect> => {
      const { status, location, body } = await consent({ url, account: who, decision });
      const query = queryOf(location);
      const redirect = {
        status,
        location,
        query,
        code: query.get('code'),
        error: query.get('error'),
        page: body ?? '',
      };
      if (redirect.code !== null) this.env.met.add(pair);
      const by = this.env.target.consent === 'none' ? 'adapter' : this.env.target.consent;
      const input = { account: who, decision };
      const answer = consentAnswer(url, { status, location, body }, { name: 'consent', input, by });
      this.env.monitors.redirect(redirect, { fields, account: who, answer, ...(role && { role }) });
      return redirect;
    };
    // A person meets an application for the first time once: servers that keep consents may not bear two at once.
    if (role && !this.env.met.has(pair)) return this.env.wire.alone(decide);
    return this.#inOrder(decide);
  }

  /** Consents and exchanges, where they end something of earlier ones: while nothing else is under way, so that it is known what. */
  #inOrder<T>(action: () => Promise<T>): Promise<T> {
    return this.env.later.matters ? this.env.wire.alone(action) : action();
  }

  /** The accounts that can be chosen: `auto` chooses by itself, so none but the one that consents where none is named. */
  accounts(): readonly string[] {
    const { consent, accounts, tokens } = this.env.target;
    if (consent === 'auto') return [this.account()];
    const all = Object.keys(accounts);
    const isUsable = (account: string): boolean => tokens.some((one) => (one.account ?? this.account()) === account);
    return this.env.hooks.consent || tokens.length === 0 ? all : all.filter(isUsable);
  }

  /** The account that consents where a check names none: alice, or the first one. */
  account(): string {
    const accounts = Object.keys(this.env.target.accounts);
    const account = accounts.includes('alice') ? 'alice' : accounts[0];
    if (account === undefined) {
      // `auto` approves without asking who it is.
      if (this.env.target.consent === 'auto') return 'default';
      throw new MissingCapability('an account in the target');
    }
    return account;
  }

  // --- codes and grants -------------------------------------------------------------------------------------------

  async code(role: Role, options: GrantOptions = {}): Promise<Code> {
    const account = options.account ?? this.account();
    const request = this.authorizationRequest(role, options);
    const { code, error, status } = await this.authorize(request.fields, { account });
    if (code === null) {
      throw new PrerequisiteFailed(
        `the consent of ${account} for client ${role} gave no code (${error ?? `status ${status}`})`,
      );
    }
    const scopes = options.scopes ?? userScopes(this.client(role).scopes);
    return { role, account, code, verifier: request.verifier, redirect_uri: request.redirect_uri, scopes };
  }

  exchangeFields({ role, code, redirect_uri, verifier }: Code): Fields {
    return [
      ...this.credentials(role),
      ['grant_type', 'authorization_code'],
      ['code', code],
      ['redirect_uri', redirect_uri],
      ['code_verifier', verifier],
    ];
  }

  exchange(code: Code): Promise<Answer> {
    return this.tokenRequest(this.exchangeFields(code));
  }

  refresh(role: Role, refresh: string): Promise<Answer> {
    return this.tokenRequest(this.refreshFields(role, refresh));
  }

  refreshFields(role: Role, refresh: string): Fields {
    return [...this.credentials(role), ['grant_type', 'refresh_token'], ['refresh_token', refresh]];
  }

  async grant(role: Role, options: GrantOptions = {}): Promise<Grant> {
    return this.#inOrder(async () => {
      const code = await this.code(role, options);
      return this.granted(role, code.account, this.exchangeFields(code));
    });
  }

  async clientCredentials(role: Role, options: { scopes?: readonly Scope[] } = {}): Promise<Grant> {
    const { scopes = this.client(role).scopes } = options;
    return this.granted(role, null, [
      ...this.credentials(role),
      ['grant_type', 'client_credentials'],
      ['scope', scopes.join(' ')],
    ]);
  }

  async spareCredentials(role: Role, options: { scopes?: readonly Scope[] } = {}): Promise<Grant> {
    const { scopes = this.client(role).scopes } = options;
    // A server that gives a client the token that it has gives this one, which is never ended, to all who ask.
    const { access } = await this.#sharedGrant(role, scopes);
    const grant = await this.clientCredentials(role, { scopes });
    if (grant.access !== access) return grant;
    throw new MissingCapability(`a second token of client ${role}, which is given the one that it has`);
  }

  async refreshed({ role, account, refresh }: Grant): Promise<Grant> {
    if (refresh === undefined) throw new PrerequisiteFailed(`client ${role} was issued no refresh token`);
    return this.granted(role, account, this.refreshFields(role, refresh));
  }

  async granted(role: Role, account: string | null, fields: Fields): Promise<Grant> {
    const answer = await this.form('/oauth/token', fields, { operation: 'issueToken' });
    const access = member(answer.json, 'access_token');
    if (!succeeded(answer) || typeof access !== 'string') {
      const error = member(answer.json, 'error');
      const grant = fields.find(([name]) => name === 'grant_type')?.[1];
      throw new PrerequisiteFailed(
        `POST /oauth/token (${grant}, client ${role}) answered ${answer.status}${typeof error === 'string' ? ` ${error}` : ''} instead of a token`,
      );
    }
    return grantOf(role, account, answer);
  }

  // --- shared tokens ----------------------------------------------------------------------------------------------

  /** The role that can have a token with all of these scopes. */
  roleFor(scopes: readonly Scope[]): Role | undefined {
    const { clients } = this.env.target;
    const able = (role: Role): boolean => scopes.every((scope) => clients[role]?.scopes.includes(scope));
    const user = scopes.every((scope) => scope.startsWith('account:'));
    const order = user
      ? [...(this.env.hooks.consent ? sharedUserRoles : []), 'service_account' as const]
      : serviceRoles;
    return order.find(able);
  }

  async token(
    scopes: readonly Scope[],
    { account, exact = false }: { account?: string; exact?: boolean } = {},
  ): Promise<string> {
    const role = this.roleFor(scopes);
    if (!role) {
      const ready = this.#ready(scopes, account, exact);
      if (ready !== undefined) return ready;
      const such = `${exact ? 'exactly ' : ''}${scopes.join(' and ')}`;
      throw new MissingCapability(`a client that may have ${such}`, `declare one, or a token with ${such} in tokens`);
    }
    const byUser = scopes.every((scope) => scope.startsWith('account:')) && userRoles.includes(role);
    const who = byUser ? (account ?? this.account()) : null;
    return (await this.#sharedGrant(role, scopes, who)).access;
  }

  /** A ready token of the target that has these scopes, the one with the fewest; with `exact`, no others. */
  #ready(scopes: readonly Scope[], account: string | undefined, exact: boolean): string | undefined {
    const isOwn = (one: ReadyToken): boolean =>
      !scopes.some((scope) => scope.startsWith('account:')) ||
      (one.account ?? this.account()) === (account ?? this.account());
    return this.env.target.tokens
      .filter((one) => scopes.every((scope) => one.scopes.includes(scope)) && isOwn(one))
      .filter((one) => !exact || one.scopes.length === scopes.length)
      .toSorted((a, b) => a.scopes.length - b.scopes.length)[0]?.token;
  }

  /** The run's own grant by an account, or by client credentials. */
  async #sharedGrant(role: Role, scopes: readonly Scope[], account: string | null = null): Promise<Grant> {
    const key = `token ${role} ${account ?? ''} ${[...scopes].sort().join(' ')}`;
    const grant = await this.once(key, () =>
      account === null ? this.clientCredentials(role, { scopes }) : this.grant(role, { account, scopes }),
    );
    if (!this.env.later.hasEnded(grant.access)) return grant;
    this.#shared.delete(key);
    return this.#sharedGrant(role, scopes, account);
  }

  obtainable(): ReadonlyMap<Scope, Role | undefined> {
    const found = new Map<Scope, Role | undefined>();
    for (const scope of Object.keys(contractScopes) as Scope[]) {
      const role = this.roleFor([scope]);
      if (role || this.env.target.tokens.some(({ scopes }) => scopes.includes(scope))) found.set(scope, role);
    }
    return found;
  }

  /** Revocation and introspection by bearer: an operations token, or another one that may have the scope. */
  async credential(scope: 'oauth:revoke' | 'oauth:introspect'): Promise<Grant> {
    const role = (['operations', ...serviceRoles] as const).find((one) =>
      this.env.target.clients[one]?.scopes.includes(scope),
    );
    if (!role) throw new MissingCapability(`a client that may have ${scope}`);
    return this.once(`credential ${scope}`, () => this.clientCredentials(role, { scopes: [scope] }));
  }
}

export function grantOf(role: Role, account: string | null, answer: Answer): Grant {
  const response = (answer.json ?? {}) as Readonly<Record<string, unknown>>;
  const refresh = member(response, 'refresh_token');
  const scope = member(response, 'scope');
  return {
    role,
    account,
    access: String(member(response, 'access_token')),
    refresh: typeof refresh === 'string' && refresh !== '' ? refresh : undefined,
    scopes: (typeof scope === 'string' ? scope.split(' ').filter((word) => word !== '') : []) as Scope[],
    response,
    answer,
  };
}

const userScopes = (scopes: readonly Scope[]): readonly Scope[] =>
  scopes.filter((scope) => scope.startsWith('account:'));

/** The S256 challenge of a verifier (RFC 7636 4.2). */
export const challengeOf = (verifier: string): string =>
  createHash('sha256').update(verifier, 'ascii').digest('base64url');

/** The query component of a redirect's target, fragment cut off. */
function queryOf(location: string | null): URLSearchParams {
  const [, query = ''] = /^[^?#]*\?([^#]*)/s.exec(location ?? '') ?? [];
  return new URLSearchParams(query);
}

/** Seconds by the Date header of an answer, or undefined where it has none. */
export function dateOf(answer: Answer): number | undefined {
  const ms = Date.parse(header(answer, 'date') ?? '');
  return Number.isNaN(ms) ? undefined : ms / 1000;
}

function scopesIn({ json }: Answer): readonly string[] | undefined {
  const scope = member(json, 'scope');
  return typeof scope === 'string' ? scope.split(' ') : undefined;
}
