import createClient from 'openapi-fetch';
import type { Client, MaybeOptionalInit, Middleware, ParseAsResponse } from 'openapi-fetch';
import type {
  ErrorResponse,
  HttpMethod,
  MediaType,
  PathsWithMethod,
  RequiredKeysOf,
  SuccessResponse,
} from 'openapi-typescript-helpers';

import type { paths } from '../contract/index.js';
import type { TokenSource } from './tokens.js';

/** The answers of an operation, by their status. */
type Responses<Operation> = Operation extends { responses: infer All extends Record<number, unknown> } ? All : never;

/** What a call gives: its data as the contract names it, `components['schemas']['Character']` and so on. */
type Answer<Operation, Init> =
  | {
      data: ParseAsResponse<SuccessResponse<Responses<Operation>, MediaType>, Init>;
      error?: never;
      response: Response;
    }
  | { data?: never; error: ErrorResponse<Responses<Operation>, MediaType>; response: Response };

type Parameters<Init> =
  RequiredKeysOf<Init> extends never ? [(Init & Record<string, unknown>)?] : [Init & Record<string, unknown>];

type Call<Method extends HttpMethod> = <
  Path extends PathsWithMethod<paths, Method>,
  Init extends MaybeOptionalInit<paths[Path], Method>,
>(
  path: Path,
  ...init: Parameters<Init>
) => Promise<Answer<paths[Path][Method], Init>>;

/**
 * Every call of the contract, typed: `game.GET('/league/{league}', { params: { path: { league } } })`. The types of the
 * library would make a list of each pair in an answer, such as the values of an item, and `components` has pairs.
 */
export interface GameClient extends Omit<Client<paths>, 'GET' | 'POST'> {
  readonly GET: Call<'get'>;
  readonly POST: Call<'post'>;
}

export interface GameClientOptions {
  /** Address of the data API, for example `http://127.0.0.1:4010`. */
  readonly baseUrl: string;
  /** An access token, or what hands one out before each request. */
  readonly token: string | TokenSource;
  /** In place of the global fetch. */
  readonly fetch?: (request: Request) => Promise<Response>;
}

/**
 * A client of the data API (interface 4.2). Each request carries the access token (RFC 6750 2.1). When the service says
 * that it is no longer good (401, interface 5.3), a source that can refresh is asked once more and the request is sent
 * once more.
 *
 * Calls resolve to `{ data, error, response }` and do not throw for a status; they reject when the network fails, and
 * with the token source's own error when it has no token to give.
 */
export function createGameClient({ baseUrl, token, fetch }: GameClientOptions): GameClient {
  const client = createClient<paths>({ baseUrl, ...(fetch && { fetch }) });
  client.use(bearer(typeof token === 'string' ? () => token : token));
  return client as GameClient;
}

/** A request as it was sent: its token, and a copy for the second try, because a body can be read only once. */
interface FirstAttempt {
  readonly token: string;
  readonly spare: Request | null;
}

function bearer(source: TokenSource): Middleware {
  // The options object is made anew for each call, and is the same one from its first hook to its last.
  const sent = new WeakMap<object, FirstAttempt>();
  return {
    async onRequest({ request, options }) {
      const token = await source();
      request.headers.set('authorization', `Bearer ${token}`);
      sent.set(options, { token, spare: source.refresh ? request.clone() : null });
    },
    async onResponse({ response, options }) {
      const first = sent.get(options);
      if (response.status !== 401 || !source.refresh || !first?.spare) return undefined;
      await response.body?.cancel();
      first.spare.headers.set('authorization', `Bearer ${await source.refresh(first.token)}`);
      return options.fetch(first.spare);
    },
  };
}
