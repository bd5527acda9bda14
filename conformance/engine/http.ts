import type { GameOperation, Scope } from '../../src/contract/index.js';
import { authorizationUrl, endpointPaths } from '../target/endpoints.js';
import { isOffered } from '../target/offers.js';
import { NotExercised, NotOffered } from '../verdict.js';
import { saysLater } from '../wire/answer.js';
import type { Answer, Sent } from '../wire/answer.js';
import { release } from '../wire/race.js';
import { atOnce, lanesFor } from '../wire/slots.js';
import type { Environment } from './environment.js';
import { knownEverywhere } from './propagation.js';
import { below, encoded, locate, merged, settled } from './requests.js';
import type { DataRequest, Fields, Http, OAuth } from './run.js';

/** Requests to the data API with the tokens of a session, and races. */
export class HttpRequests implements Http {
  constructor(
    readonly env: Environment,
    readonly oauth: Pick<OAuth, 'token'>,
  ) {}

  async data(logical: GameOperation, request: DataRequest = {}): Promise<Answer> {
    const args = settled(logical, request);
    const { operation, path } = locate(logical, args, this.env.target.names);
    if (!isOffered(this.env.target, operation.id))
      throw new NotOffered(operation.id, 'it is declared in not_offered of the target');
    const token = await this.#tokenOf(request, operation.scope!);
    const sent = this.#dataRequest(operation.method, path, { ...request, token });
    return this.env.later.service.send(this.env.wire, sent, { server: 'data', operation: logical, args });
  }

  raw(method: string, path: string, request: Omit<DataRequest, 'args'> = {}): Promise<Answer> {
    const sent = this.#dataRequest(method, path, request);
    return this.env.later.service.send(this.env.wire, sent, { server: 'data', args: {} });
  }

  atOnce<T, R>(values: Iterable<T>, action: (value: T) => Promise<R>): Promise<readonly R[]> {
    return atOnce(lanesFor(this.env.target.budget), values, action);
  }

  alone<T>(action: () => Promise<T>): Promise<T> {
    return this.env.wire.alone(action);
  }

  async together<T>(action: () => Promise<T>): Promise<T> {
    this.env.wire.mayRace();
    return this.env.wire.alone(action);
  }

  async #tokenOf({ token, account, headers = {} }: DataRequest, scope: Scope): Promise<string | null> {
    if (token !== undefined) return token;
    if (Object.keys(headers).some((name) => name.toLowerCase() === 'authorization')) return null;
    return this.oauth.token([scope], account === undefined ? {} : { account });
  }

  #dataRequest(method: string, path: string, { body, token, headers = {}, query }: DataRequest): Sent {
    const extra = query && query.length > 0 ? `${path.includes('?') ? '&' : '?'}${encoded(query)}` : '';
    return {
      method,
      url: below(this.env.target.base_url, path) + extra,
      headers: merged(
        {
          accept: 'application/json',
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...(typeof token === 'string' && { authorization: `Bearer ${token}` }),
        },
        headers,
      ),
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    };
  }

  async race(
    requests: readonly { readonly path: string; readonly fields: Fields; readonly token?: string }[],
  ): Promise<readonly Answer[]> {
    const sent = requests.map(({ path, fields, token }) => ({
      method: 'POST',
      url: authorizationUrl(this.env.target, path),
      headers: {
        accept: 'application/json',
        'content-type': 'application/x-www-form-urlencoded',
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
      },
      body: encoded(fields),
    }));
    await this.env.wire.reserve(sent);
    // By itself, so that a server meets no more at once than a race has.
    const { received, ms } = await this.env.wire.alone(async () => {
      const started = performance.now();
      return { received: await release(sent, undefined, this.env.wire.connection), ms: performance.now() - started };
    });
    if (requests.some(({ path }) => path === endpointPaths.revoke)) await knownEverywhere(this.env.target);
    const later = received.find(saysLater);
    if (later) throw new NotExercised(`a request of a race was put off with status ${later.status}`);
    const operations = { '/oauth/token': 'issueToken', '/oauth/token/revoke': 'revokeToken' } as const;
    return received.map((one, index) => {
      const { path, fields } = requests[index]!;
      const grant = fields.find(([name]) => name === 'grant_type')?.[1];
      const operation = operations[path as keyof typeof operations];
      return this.env.wire.record(
        sent[index]!,
        {
          server: 'authorization',
          args: {},
          race: true,
          ...(operation && { operation }),
          ...(grant !== undefined && { grant }),
        },
        one,
        ms,
      );
    });
  }
}
