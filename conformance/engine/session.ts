import { scopes as contractScopes } from '../../src/contract/index.js';
import type { Scope } from '../../src/contract/index.js';
import { rolesWith } from '../target/capabilities.js';
import { introspects, isOffered } from '../target/offers.js';
import { userRoles } from '../target/table.js';
import type { ReadyToken, Role } from '../target/target.js';
import { MissingCapability, MissingScope, NotOffered, PrerequisiteFailed } from '../verdict.js';
import { member } from '../wire/answer.js';
import type { Answer } from '../wire/answer.js';
import type { Environment } from './environment.js';
import { Grants } from './grants.js';
import { HttpRequests } from './http.js';
import { gameOperations, openedBy, sampleOf, shortest } from './operations.js';
import type { Fields, FormOptions, Grant, Http, OAuth, Source } from './run.js';

/** Endpoints that a scope opens: without them nobody has a use for it. */
const endpointOf: Partial<Record<Scope, string>> = {
  'oauth:revoke': 'revokeToken',
  'oauth:introspect': 'introspectToken',
};

/**
 * The authorization server as a client sees it, and the tokens that checks share. Checks that run beside each other
 * have one session; a check that runs alone has its own.
 */
export class Session extends Grants implements OAuth {
  readonly http: Http;
  /** Where samples of this session come from. */
  readonly source: Source;
  readonly #shared = new Map<string, Promise<unknown>>();

  constructor(env: Environment) {
    super(env);
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

  /** The role that can have a token with all of these scopes. */
  roleFor(scopes: readonly Scope[]): Role | undefined {
    const roles = rolesWith(this.env.target, scopes);
    return this.env.hooks.consent || !scopes.every((scope) => scope.startsWith('account:'))
      ? roles[0]
      : roles.find((role) => !userRoles.includes(role));
  }

  async token(
    scopes: readonly Scope[],
    { account, exact = false }: { account?: string; exact?: boolean } = {},
  ): Promise<string> {
    const role = this.roleFor(scopes);
    if (!role) {
      const ready = this.#ready(scopes, account, exact);
      if (ready !== undefined) return ready;
      throw new MissingScope(scopes, exact);
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
      const operation = endpointOf[scope];
      if (operation !== undefined && !isOffered(this.env.target, operation)) continue;
      const role = this.roleFor([scope]);
      if (role || this.env.target.tokens.some(({ scopes }) => scopes.includes(scope))) found.set(scope, role);
    }
    return found;
  }

  /** Revocation and introspection by bearer: an operations token, or another one that may have the scope. */
  async credential(scope: 'oauth:revoke' | 'oauth:introspect'): Promise<Grant> {
    const roles = rolesWith(this.env.target, [scope]);
    const role = roles.find((one) => one === 'operations') ?? roles[0];
    if (!role) throw new MissingScope([scope]);
    return this.once(`credential ${scope}`, () => this.clientCredentials(role, { scopes: [scope] }));
  }

  async spareCredentials(role: Role, options: { scopes?: readonly Scope[] } = {}): Promise<Grant> {
    const { scopes = this.client(role).scopes } = options;
    // A server that gives a client the token that it has gives this one, which is never ended, to all who ask.
    const { access } = await this.#sharedGrant(role, scopes);
    const grant = await this.clientCredentials(role, { scopes });
    if (grant.access !== access) return grant;
    throw new MissingCapability(`a second token of client ${role}, which is given the one that it has`);
  }

  async revoke(fields: Fields, options: FormOptions = {}): Promise<Answer> {
    const token = options.token === undefined ? (await this.credential('oauth:revoke')).access : options.token;
    return this.form('/oauth/token/revoke', fields, { ...options, token, operation: 'revokeToken' });
  }

  async introspect(fields: Fields, options: FormOptions = {}): Promise<Answer> {
    const token = options.token === undefined ? (await this.credential('oauth:introspect')).access : options.token;
    return this.form('/oauth/token/introspect', fields, { ...options, token, operation: 'introspectToken' });
  }

  async probe(token: string, scopes: readonly Scope[]): Promise<Answer> {
    const [operation] = openedBy(this.env.target, scopes);
    if (operation !== undefined)
      return this.http.data(operation, { ...(await sampleOf(this.source, operation)), token });
    if (introspects(this.env.target)) return this.#introspected(token, scopes);
    if (scopes.includes('oauth:introspect')) return this.introspect([['token', token]], { token });
    if (scopes.includes('oauth:revoke')) return this.revoke([['token', 'cx-was-never-issued']], { token });
    if (gameOperations.some((one) => scopes.some((scope) => shortest(one).scope === scope)))
      throw new NotOffered(scopes.join(' '), 'the target offers none of its operations');
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
}

function scopesIn({ json }: Answer): readonly string[] | undefined {
  const scope = member(json, 'scope');
  return typeof scope === 'string' ? scope.split(' ') : undefined;
}
