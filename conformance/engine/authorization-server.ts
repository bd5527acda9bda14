import {
  endpointOperations,
  endpointPaths,
  endpoints,
  endpointUrl,
  withQuery,
  authorizationUrl,
} from '../target/endpoints.js';
import { isOffered } from '../target/offers.js';
import { roles, userRoles } from '../target/table.js';
import type { ClientEntry, Role } from '../target/target.js';
import { MissingCapability, NotOffered } from '../verdict.js';
import { knownEverywhere } from './propagation.js';
import { member } from '../wire/answer.js';
import type { Answer } from '../wire/answer.js';
import type { Environment } from './environment.js';
import { encoded, merged } from './requests.js';
import type { Fields, FormOptions } from './run.js';

/** The endpoints of the authorization server, as a client of the target asks them. */
export class AuthorizationServer {
  constructor(readonly env: Environment) {}

  client(role: Role): ClientEntry {
    const client = this.env.target.clients[role];
    if (!client) throw new MissingCapability(`clients.${role}`, `declare clients.${role} in the target`);
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

  /** @throws NotOffered where the server has no such endpoint */
  protected mustOffer(path: string): void {
    const endpoint = endpoints.find((one) => endpointPaths[one] === path);
    if (endpoint === undefined || isOffered(this.env.target, endpointOperations[endpoint])) return;
    throw new NotOffered(
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
    this.mustOffer(path);
    const withBody = method !== 'GET' && method !== 'HEAD';
    const send = (): Promise<Answer> =>
      this.env.later.service.send(
        this.env.wire,
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
    const answer = await (grant === 'authorization_code' ? this.inOrder(send) : send());
    // Who uses a code or a refresh token again may end the grant (RFC 6749 4.1.2, 10.4).
    const mayEnd =
      path === endpointPaths.revoke ? answer.status === 200 : member(answer.json, 'error') === 'invalid_grant';
    if (mayEnd) await knownEverywhere(this.env.target);
    return answer;
  }

  tokenRequest(fields: Fields, options: FormOptions = {}): Promise<Answer> {
    return this.form('/oauth/token', fields, { ...options, operation: 'issueToken' });
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
    this.mustOffer(endpointPaths.authorize);
    const url = this.authorizationAddress(fields);
    return this.env.wire.send(
      { method: 'GET', url, headers: { accept: 'text/html' } },
      { server: 'authorization', args: {} },
    );
  }

  /** Consents and exchanges, where they end something of earlier ones: while nothing else is under way, so that it is known what. */
  protected inOrder<T>(action: () => Promise<T>): Promise<T> {
    return this.env.later.consentMatters ? this.env.wire.alone(action) : action();
  }
}
