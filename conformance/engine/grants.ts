import type { Scope } from '../../src/contract/index.js';
import type { Role } from '../target/target.js';
import { PrerequisiteFailed } from '../verdict.js';
import { member, succeeded } from '../wire/answer.js';
import type { Answer } from '../wire/answer.js';
import { Consents, userScopes } from './consents.js';
import type { Code, Fields, Grant, GrantOptions } from './run.js';

/** Codes and grants, which nobody else holds. */
export class Grants extends Consents {
  async code(role: Role, options: GrantOptions = {}): Promise<Code> {
    const account = options.account ?? this.account();
    const request = this.authorizationRequest(role, options);
    const { code, error, status } = await this.authorize(request.fields, {
      account,
      ...(options.granted && { granted: options.granted }),
    });
    if (code === null) {
      throw new PrerequisiteFailed(
        `the consent of ${account} for client ${role} gave no code (${error ?? `status ${status}`})`,
      );
    }
    const scopes = options.granted ?? options.scopes ?? userScopes(this.client(role).scopes);
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
    return this.inOrder(async () => {
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
}

/** What a successful token response gave. */
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
