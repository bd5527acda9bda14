/**
 * The mock in the documentation: a service worker that answers what the pages below its folder ask of the service, so that
 * `/try` works wherever the documentation lies. It knows no server.
 */
import { connectMock } from '../../../src/client/index.js';
import type { SnapshotFile } from '../../../src/client/index.js';
import { createHandler } from '../../../src/handler/index.js';
import type { Handler } from '../../../src/handler/index.js';

/** What is used of the Service Workers API, whose types would take the place of Node's in everything that is imported here. */
interface WorkerEvent {
  readonly request: Request;
  respondWith(response: Promise<Response>): void;
  waitUntil(work: Promise<unknown>): void;
}
declare const self: {
  readonly registration: { readonly scope: string };
  readonly clients: { claim(): Promise<void> };
  skipWaiting(): Promise<void>;
  addEventListener(name: 'install' | 'activate' | 'fetch', listener: (event: WorkerEvent) => void): void;
};
declare const caches: {
  open(name: string): Promise<{
    match(url: URL): Promise<Response | undefined>;
    put(url: URL, response: Response): Promise<void>;
  }>;
};

const scope = new URL(self.registration.scope);
const address = scope.href.replace(/\/$/, '');

/** Where the state is kept: browsers end a worker that has been idle for half a minute. */
const place = new URL('mock-state', scope);
const store = () => caches.open('gamedata-mock');

const options = {
  url: address,
  redirectUris: { 'example-desktop': [`${address}/try/redirect`] },
  log: (line: string) => console.error(line),
};

async function begin(): Promise<Handler> {
  const kept = await (await store()).match(place);
  try {
    const handler = createHandler({ ...options, ...(kept && { snapshot: (await kept.json()) as SnapshotFile }) });
    // What was kept by an earlier version may not fit this one: the first request would tell.
    await handler(new Request(`${address}/health`));
    return handler;
  } catch {
    return createHandler(options);
  }
}

let begun: Promise<Handler> | undefined;

async function keep(handler: Handler): Promise<void> {
  const { snapshots } = connectMock(address, { fetch: handler });
  await snapshots.save('kept');
  await (await store()).put(place, Response.json(await snapshots.export('kept')));
}

/** Files that lie beside the worker, by the ends of their names. */
const isFile = (path: string): boolean => path === '' || /\.(?:html|js|css|json|webp|svg|txt)$/.test(path);

async function answer(
  { request, waitUntil }: Pick<WorkerEvent, 'request' | 'waitUntil'>,
  path: string,
): Promise<Response> {
  // The mock has its documentation below /docs; here it is the folder itself.
  if (path === 'docs' || path.startsWith('docs/')) return Response.redirect(new URL(path.slice(5), scope), 302);
  if (path === 'try/') return Response.redirect(new URL('try', scope), 302);
  const handler = await (begun ??= begin());
  const response = await handler(request);
  if (request.method !== 'GET' || path === 'oauth/authorize') waitUntil(keep(handler));
  return response;
}

self.addEventListener('install', (event) => event.waitUntil(self.skipWaiting()));
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));
self.addEventListener('fetch', (event) => {
  const { origin, pathname } = new URL(event.request.url);
  const path = pathname.slice(scope.pathname.length);
  if (origin !== scope.origin || !pathname.startsWith(scope.pathname) || isFile(path)) return;
  event.respondWith(answer({ request: event.request, waitUntil: (work) => event.waitUntil(work) }, path));
});
