/** The mock without a port: what programs import as `game-data-contract/handler`. Nothing in it needs Node. */
import { noFiles } from '../server/files.js';
import type { Files } from '../server/files.js';
import type { CommonOptions } from '../server/options.js';
import { createPipeline } from '../server/pipeline.js';
import { noSuchPath } from '../server/refusal.js';
import { Service } from '../server/service.js';
import { beginWith, settingsOf, silent } from '../server/settings.js';
import { withLocals } from '../server/turn.js';
import { SetupError } from '../input/setup-error.js';
import { builtInFixtures } from '../world/fixtures/built-in.js';
import { Incoming } from './incoming.js';
import { Outgoing } from './outgoing.js';

export type { CommonOptions } from '../server/options.js';
export type { Files } from '../server/files.js';
export { SetupError } from '../input/setup-error.js';

export interface HandlerOptions extends CommonOptions {
  /**
   * The address that clients know the mock by, with a path where it is below one: `https://example.com/mock`. Without it,
   * it is the origin of each request.
   */
  readonly url?: string;
  /**
   * Where requests come from. Without it they come from the program that calls the handler, and are trusted as those of its
   * own machine: the control protocol is open, and `X-Mock-Reason` says why something is refused. A handler that others
   * reach over a network is given their address, or a `controlToken`.
   */
  readonly address?: (request: Request) => string;
  /** The files of this package, for the pages below `/docs` and `/try` and for `Prefer`. Without it these have none. */
  readonly files?: Files;
  /** Redirect URIs that clients have beside their own, by client id. */
  readonly redirectUris?: Readonly<Record<string, readonly string[]>>;
}

const ownOptions = {
  url: true,
  address: true,
  files: true,
  redirectUris: true,
} satisfies Record<Exclude<keyof HandlerOptions, keyof CommonOptions>, true>;

/** Answers one request. What a broken connection would be is `Response.error()`, or an error of the body. */
export type Handler = (request: Request) => Promise<Response>;

/**
 * Makes a mock that answers requests of the Fetch API: the same as `startMock`, in workers, browsers, and below MSW.
 * @throws SetupError: one line on what to change, for a wrong option or switch
 */
export function createHandler(options: HandlerOptions = {}): Handler {
  const { cors = false, controlToken, log = silent, files = noFiles, address = () => '127.0.0.1' } = options;
  const { redirectUris = {} } = options;
  const given = readUrl(options.url);
  const base = given?.pathname.replace(/\/$/, '') ?? '';
  const service = new Service({
    ...settingsOf(options, ownOptions),
    fixtures: builtInFixtures,
    adaptWorld: ({ clients }) => ({
      clients: clients.map((client) => ({
        ...client,
        redirectUris: [...client.redirectUris, ...(redirectUris[client.id] ?? [])],
      })),
    }),
  });
  service.base = base;
  const begun = beginWith(service, options);
  // Each request rejects with it.
  begun.catch(() => {});
  const { answer } = createPipeline(service, { cors, controlToken, files, guard: () => {}, log });

  return async (request) => {
    if (request.bodyUsed)
      throw new TypeError('the body of the request was read before; give the handler request.clone() first');
    await begun;
    // Who is gone has asked for nothing.
    if (request.signal?.aborted) return Response.error();
    const { origin, pathname, search } = new URL(request.url);
    service.issuer = (given?.origin ?? origin) + base;
    const inside = pathname === base || pathname.startsWith(`${base}/`);
    const outgoing = new Outgoing(request);
    const target = inside ? pathname.slice(base.length) || '/' : pathname;
    answer(
      new Incoming(request, target + search, address(request)),
      inside ? outgoing : withLocals(outgoing, { refusal: noSuchPath(pathname) }),
    );
    return outgoing.response;
  };
}

/** @throws SetupError for what is no address */
function readUrl(given: string | undefined): URL | null {
  if (given === undefined) return null;
  const url = URL.canParse(given) ? new URL(given) : null;
  if (url && /^https?:$/.test(url.protocol) && url.search === '' && url.hash === '') return url;
  throw new SetupError(`url ${given}: not an address; write it like https://example.com or https://example.com/mock`);
}
