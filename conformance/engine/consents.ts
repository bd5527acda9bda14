import type { Scope } from '../../src/contract/index.js';
import { endpointPaths } from '../target/endpoints.js';
import { challengeOf, unguessable } from '../target/pkce.js';
import { roles } from '../target/table.js';
import type { Role } from '../target/target.js';
import { MissingCapability } from '../verdict.js';
import { AuthorizationServer } from './authorization-server.js';
import type { AuthorizationRequest, Fields, Redirect } from './run.js';
import { consentAnswer } from './transport.js';

/** Users at the authorization server, who approve or deny. */
export class Consents extends AuthorizationServer {
  authorizationRequest(
    role: Role,
    options: { scopes?: readonly Scope[]; state?: string; verifier?: string; redirect_uri?: string } = {},
  ): AuthorizationRequest {
    const client = this.client(role);
    const redirect_uri = options.redirect_uri ?? client.redirect_uri;
    if (redirect_uri === undefined) throw new MissingCapability(`redirect_uri of client ${role}`);
    const verifier = options.verifier ?? unguessable();
    const state = options.state ?? unguessable();
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
    {
      account,
      decision = 'approve',
      granted,
    }: { account?: string; decision?: 'approve' | 'deny'; granted?: readonly Scope[] } = {},
  ): Promise<Redirect> {
    const { consent } = this.env.hooks;
    if (!consent) throw new MissingCapability('consent', 'a way to approve at /oauth/authorize');
    this.mustOffer(endpointPaths.authorize);
    const url = this.authorizationAddress(fields);
    const who = account ?? this.account();
    const id = fields.find(([name]) => name === 'client_id')?.[1];
    const role = roles.find((one) => this.env.target.clients[one]?.client_id === id);
    const pair = JSON.stringify([who, id]);
    const decide = async (): Promise<Redirect> => {
      const { status, location, body } = await consent({
        url,
        account: who,
        decision,
        ...(granted && { scope: granted.join(' ') }),
      });
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
      const input = { account: who, decision, ...(granted && { scope: granted.join(' ') }) };
      const answer = consentAnswer(url, { status, location, body }, { name: 'consent', input, by });
      this.env.monitors.redirect(redirect, { fields, account: who, answer, ...(role && { role }) });
      return redirect;
    };
    // A person meets an application for the first time once: servers that keep consents may not bear two at once.
    if (role && !this.env.met.has(pair)) return this.env.wire.alone(decide);
    return this.inOrder(decide);
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
}

/** Scopes that users consent to. */
export const userScopes = (scopes: readonly Scope[]): readonly Scope[] =>
  scopes.filter((scope) => scope.startsWith('account:'));

/** The query component of a redirect's target, fragment cut off. */
function queryOf(location: string | null): URLSearchParams {
  const [, query = ''] = /^[^?#]*\?([^#]*)/s.exec(location ?? '') ?? [];
  return new URLSearchParams(query);
}
