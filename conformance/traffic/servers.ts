import type { Target } from '../target/target.js';
import { SetupError } from '../../src/input/setup-error.js';
import { endpointPath } from '../target/endpoints.js';
import { below, partsOf, recognizer } from './recognize.js';
import type { Recognized } from './recognize.js';

/** An exchange that is not of the contract: with another host, on a path that it does not have, or HEAD and OPTIONS. */
export interface Stray {
  readonly stray: 'host' | 'path' | 'method';
  readonly what: string;
}

/** What the data API and the authorization server are recorded as: addresses that the target names, or the first ones that answer. */
export class Servers {
  readonly #recognize;
  #data: string | undefined;
  #authorization: string | undefined;

  /** @param named whether the target names the addresses */
  constructor(
    private readonly target: Target,
    private readonly named: boolean,
  ) {
    const { base_url, auth_url, names } = target;
    this.#recognize = recognizer(names);
    if (!named) return;
    this.#data = base_url;
    this.#authorization = auth_url;
  }

  get addresses(): { readonly base_url: string; readonly auth_url: string } {
    const [data, authorization] = [this.#data, this.#authorization];
    return { base_url: data ?? authorization ?? 'none', auth_url: authorization ?? data ?? 'none' };
  }

  /**
   * The operation of a request.
   *
   * @throws SetupError where the target names no address and two hosts have paths of the contract
   */
  find(method: string, url: string): Recognized | Stray {
    const parts = partsOf(url);
    if (!parts) return { stray: 'host', what: 'no web address' };
    const written = method.toUpperCase();
    return this.named ? this.#among(written, url, parts) : this.#first(written, parts);
  }

  #among(method: string, url: string, { origin, rest }: { origin: string; rest: string }): Recognized | Stray {
    let isBelow = false;
    for (const [server, base] of [
      ['data', this.#data],
      ['authorization', this.#authorization],
    ] as const) {
      const path = (server === 'authorization' ? endpointPath(this.target, url) : undefined) ?? below(base ?? '', url);
      if (path === undefined) continue;
      isBelow = true;
      const found = this.#recognize(method, path);
      if (found?.operation.server === server) return found;
      if (this.#isBare(method, path)) return { stray: 'method', what: pathOf(method, path).what };
    }
    return isBelow ? pathOf(method, rest) : { stray: 'host', what: origin };
  }

  #first(method: string, { origin, rest }: { origin: string; rest: string }): Recognized | Stray {
    const found = this.#recognize(method, rest);
    if (!found) {
      const isKnown = origin === this.#data || origin === this.#authorization;
      if (this.#isBare(method, rest) && (isKnown || this.#data === undefined))
        return { stray: 'method', what: pathOf(method, rest).what };
      return isKnown ? pathOf(method, rest) : { stray: 'host', what: origin };
    }
    const known = found.operation.server === 'data' ? (this.#data ??= origin) : (this.#authorization ??= origin);
    if (known === origin) return found;
    const flag = found.operation.server === 'data' ? 'base-url' : 'auth-url';
    throw new SetupError(
      `${known} and ${origin} are both asked for ${found.operation.path}; say which one is meant: --${flag} ${known}`,
    );
  }

  /** HEAD or OPTIONS of a path of the contract: HTTP has them for every resource, and the interface does not speak of them. */
  #isBare(method: string, path: string): boolean {
    const others = { HEAD: ['GET'], OPTIONS: ['GET', 'POST'] }[method] ?? [];
    return others.some((other) => this.#recognize(other, path) !== undefined);
  }
}

const pathOf = (method: string, rest: string): Stray => ({
  stray: 'path',
  what: `${method} ${rest.replace(/[?#].*$/s, '')}`,
});
