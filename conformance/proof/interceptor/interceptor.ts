import { AsyncLocalStorage } from 'node:async_hooks';

import type { GameOperation, LogicalOperation } from '../../../src/contract/index.js';
import type { Game } from '../../../src/game/game.js';
import type { Authority } from '../../../src/oauth/index.js';
import type { Service } from '../../../src/server/service.js';
import type { Store } from '../../../src/store/store.js';
import type { Client, World } from '../../../src/world/world.js';
import type { AdapterTree } from '../../target/hooks.js';
import { countedCodec } from './counted-codec.js';
import { Inbound, Outbound } from './traffic.js';
import type { Route, Traffic } from './traffic.js';

export type Json = Record<string, unknown>;

/** Reports that a mutation took effect. */
export type Acted = () => void;

export interface DataReply {
  readonly reply: Outbound;
  readonly request: Inbound;
  /** Path parameters, decoded. */
  readonly args: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
}

/** An object that is `base` but for some of its members. Getters of `base` keep working. */
const over = <T extends object>(base: T, part: Partial<T>): T => Object.assign(Object.create(base) as T, part);

/** The request that the rules work on. All interceptors share one: each slows every promise. */
const underway = new AsyncLocalStorage<Inbound>();

/** A query after a change; undefined where that leaves it as it was. */
function edited(query: URLSearchParams, change: (query: URLSearchParams) => void): URLSearchParams | undefined {
  const before = query.toString();
  change(query);
  return query.toString() === before ? undefined : query;
}

type Answered = Outbound | undefined | void;

/**
 * The places of our server where a mutation can be applied from outside: requests on their way in, replies on their way
 * out, the store, the world and what the rules depend on. It knows whether a mutation took effect.
 */
export class Interceptor implements Traffic {
  tookEffect = false;
  /** Set before anything is asked. */
  service!: Service;
  readonly #inbound: ((request: Inbound) => Answered | Promise<Answered>)[] = [];
  readonly #outbound: ((reply: Outbound, request: Inbound) => void | Promise<void>)[] = [];
  readonly #laid: ((service: Service) => void)[] = [];
  readonly #codec: ((codec: AdapterTree) => AdapterTree)[] = [];

  readonly acted: Acted = () => {
    this.tookEffect = true;
  };

  // --- requests and replies -------------------------------------------------------------------------------------

  /** Looks at every request, may change it, or answers in the server's place. */
  request(change: (request: Inbound) => Answered | Promise<Answered>): void {
    this.#inbound.push(change);
  }

  /** Looks at every reply and may change it. */
  reply(change: (reply: Outbound, request: Inbound) => void | Promise<void>): void {
    this.#outbound.push(change);
  }

  /** Changes the body of successful replies of data operations; what `change` returns takes the body's place. */
  data(
    operations: GameOperation | readonly GameOperation[] | 'all',
    change: (body: Json, context: DataReply) => unknown,
  ): void {
    this.reply((reply, request) => {
      const { route } = request;
      if (!route || !isOneOf(route.operation, operations) || reply.status >= 300) return;
      const { json } = reply;
      if (typeof json !== 'object' || json === null || isAuthorization(route.operation)) return;
      const changed = change(json as Json, { reply, request, args: route.args, query: request.query });
      if (changed !== undefined) reply.json = changed;
    });
  }

  /** Changes the JSON of replies of the authorization server's form endpoints, refusals included. */
  oauth(
    operation: 'issueToken' | 'revokeToken' | 'introspectToken',
    change: (body: Json, reply: Outbound, request: Inbound) => unknown,
  ): void {
    this.reply((reply, request) => {
      if (request.operation !== operation) return;
      const { json } = reply;
      if (typeof json !== 'object' || json === null) return;
      const changed = change(json as Json, reply, request);
      if (changed !== undefined) reply.json = changed;
    });
  }

  /** Changes requests to a form endpoint by their form. */
  form(
    operation: 'issueToken' | 'revokeToken' | 'introspectToken',
    change: (form: URLSearchParams, request: Inbound) => Answered | Promise<Answered>,
  ): void {
    this.request(async (request) => {
      if (request.operation !== operation || request.method !== 'POST') return undefined;
      const { form } = request;
      const before = form.toString();
      const answer = await change(form, request);
      if (form.toString() !== before) request.form = form;
      return answer;
    });
  }

  /** Changes the query of authorization requests, whether a browser sends them or the control surface does. */
  authorization(change: (query: URLSearchParams) => void): void {
    this.request((request) => {
      if (request.operation === 'authorize') {
        const query = edited(request.query, change);
        if (query) request.query = query;
      } else if (isConsent(request)) {
        const order = request.json as { url: string };
        const url = new URL(order.url);
        const query = edited(new URLSearchParams(url.search), change);
        if (query) request.json = { ...order, url: `${url.origin}${url.pathname}?${query}` };
      }
    });
  }

  /**
   * Changes where the authorization endpoint sends a browser. `query` is that of the authorization request; null as
   * location is a page.
   */
  redirect(
    change: (
      location: string | null,
      context: { readonly query: URLSearchParams; readonly order: Json; readonly reply: Outbound },
    ) => string | null | undefined,
  ): void {
    this.reply((reply, request) => {
      if (isConsent(request)) {
        const order = request.json as Json;
        const body = reply.json as Json;
        if (reply.status !== 200) return;
        const location = (body.location as string | undefined) ?? null;
        const query = new URL(String(order.url)).searchParams;
        const changed = change(location, { query, order, reply });
        if (changed === undefined || changed === location) return;
        body.location = changed;
        if (changed !== null) {
          body.status = 302;
          delete body.body;
        }
      } else if (request.operation === 'authorize') {
        const location = reply.headers.location ?? null;
        const changed = change(location, { query: request.query, order: {}, reply });
        if (changed === undefined || changed === null || changed === location) return;
        reply.headers.location = changed;
        reply.status = 302;
      }
    });
  }

  /** The request that the rules work on; undefined outside of requests. */
  get current(): Inbound | undefined {
    return underway.getStore();
  }

  // --- what the rules see ---------------------------------------------------------------------------------------

  /** Called whenever the world has been laid out: at the start, and after each reset. */
  laid(change: (service: Service) => void): void {
    this.#laid.push(change);
  }

  authority(part: (authority: Authority, service: Service) => Partial<Authority>): void {
    this.laid((service) => {
      service.authority = over(service.authority, part(service.authority, service));
    });
  }

  /** Other registered clients, by a change of each. */
  clients(change: (client: Client) => Partial<Client>): void {
    this.authority(({ clients }) => ({
      clients: new Map([...clients].map(([id, client]) => [id, { ...client, ...change(client) }])),
    }));
  }

  /** Readings that the target does not tell of. A look at one is an effect. */
  switches(part: Partial<Authority['switches']>): void {
    const { acted } = this;
    this.laid((service) => {
      const switches = Object.create(service.switches) as Authority['switches'];
      for (const [name, value] of Object.entries(part)) {
        Object.defineProperty(switches, name, { enumerable: true, get: () => (acted(), value) });
      }
      service.authority = over(service.authority, { switches });
      service.game = over(service.game, { switches });
      Object.assign(service, { switches });
    });
  }

  store(part: (store: Store, acted: Acted) => Partial<Store>): void {
    this.laid((service) => {
      const { store } = service.authority;
      const mutated = over(store, part(store, this.acted));
      service.authority = over(service.authority, { store: mutated });
      service.game = over(service.game, { store: mutated });
      Object.assign(service, { store: mutated });
    });
  }

  game(part: (game: Game, acted: Acted) => Partial<Game>): void {
    this.laid((service) => {
      service.game = over(service.game, part(service.game, this.acted));
    });
  }

  world(part: (world: World, acted: Acted) => Partial<World>): void {
    this.laid((service) => {
      service.game = over(service.game, { world: over(service.game.world, part(service.game.world, this.acted)) });
    });
  }

  /** The codec under test, which is asked in this process. */
  codec(change: (codec: AdapterTree) => AdapterTree): void {
    this.#codec.push(change);
  }

  // --- for the stage --------------------------------------------------------------------------------------------

  route(method: string, path: string): Route | undefined {
    const match = this.service.routes.find(method, path);
    if (!match || !('operation' in match)) return undefined;
    const { operation, captured } = match;
    const args = Object.fromEntries(captured.map(([name, raw]) => [name, decoded(raw)]));
    return { operation: operation.logical, realm: operation.realm, args };
  }

  async inbound(request: Inbound): Promise<Outbound | undefined> {
    for (const change of this.#inbound) {
      const answer = await this.#compared(
        () => request.seen,
        () => change(request),
      );
      if (answer) this.acted();
      if (answer) return answer;
    }
    return undefined;
  }

  async outbound(reply: Outbound, request: Inbound): Promise<void> {
    for (const change of this.#outbound) {
      await this.#compared(
        () => reply.seen,
        () => change(reply, request),
      );
    }
  }

  /** Makes a change, and looks whether it changed what is seen; one effect is enough. */
  async #compared<T>(seen: () => string, change: () => T | Promise<T>): Promise<T> {
    if (this.tookEffect) return change();
    const before = seen();
    const result = await change();
    if (seen() !== before) this.acted();
    return result;
  }

  around<T>(request: Inbound, serve: () => T): T {
    return underway.run(request, serve);
  }

  /** Takes hold of a service, now and after each reset. */
  hold(service: Service): void {
    this.service = service;
    const pristine = service.store;
    const load = service.loadWorld.bind(service);
    service.loadWorld = () => {
      Object.assign(service, { store: pristine });
      load();
      for (const change of this.#laid) change(service);
    };
    for (const change of this.#laid) change(service);
  }

  /** Applies the codec mutations; one takes effect when its result differs from that of the codec before it. */
  codecOver(original: AdapterTree): AdapterTree {
    return this.#codec.reduce<AdapterTree>((codec, change) => countedCodec(codec, change(codec), this.acted), original);
  }
}

const isOneOf = (operation: LogicalOperation, wanted: string | readonly string[]): boolean =>
  wanted === 'all' || operation === wanted || (Array.isArray(wanted) && wanted.includes(operation));

const authorization: readonly string[] = ['authorize', 'issueToken', 'revokeToken', 'introspectToken'];
const isAuthorization = (operation: LogicalOperation): boolean => authorization.includes(operation);

/** A browser that the control surface plays. */
export const isConsent = ({ path, method }: Inbound): boolean => method === 'POST' && path === '/__control/consent';

function decoded(raw: string): string {
  try {
    return decodeURIComponent(raw);
  } catch {
    return raw;
  }
}

/** A reply of the mutant's own. */
export function answerOf(status: number, body: unknown, headers: Record<string, string> = {}): Outbound {
  const content = body === undefined ? '' : JSON.stringify(body);
  return new Outbound(status, { 'content-type': 'application/json; charset=utf-8', ...headers }, content);
}
