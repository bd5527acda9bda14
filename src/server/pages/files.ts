import { bytes } from '../../bytes/index.js';
import type { Call, Calls } from '../calls.js';
import type { Files } from '../files.js';
import { noSuchPath, Refusal } from '../refusal.js';
import { jsonType, send } from '../send.js';
import type { Service } from '../service.js';
import { splitTarget } from '../target.js';

/** The link of a page of the documentation to where the mock starts in the browser. A mock that serves the page has its own pages in the place of it. */
export const ofMock = '<a href="try/index.html">Try it</a>';
/** The reference, and the address of a mock in it: its samples are pasted as they stand, and are to reach this one. */
const reference = 'index.html';
const usualAddress = 'http://127.0.0.1:4010';

const linksOfMock = '<a href="../try">Try it</a>\n<a href="../">Dashboard</a>';

/** The page that leads on from an address that no page has. */
const noSuchPage = '404.html';

/** Media types of what the documentation has beside pages, by the end of the name. */
const types: Readonly<Record<string, string>> = { webp: 'image/webp', svg: 'image/svg+xml', json: jsonType };

/**
 * The documentation below `/docs`: its pages, pictures and schemas. The names come from the package, never from the
 * request. Links between pages are relative, so `/docs` and `/docs/` lead to the page that leads to all others.
 */
export function documentation(service: Pick<Service, 'base' | 'issuer'>, files: Files): Calls {
  const has = (folder: string, name: string): boolean => files.list(folder).includes(name);
  const pages = new Map<string, Call>();
  const page = (name: string): Call => {
    const address = (): string => (name === reference ? service.issuer : usualAddress);
    const found = pages.get(name) ?? documentPage(files, `dist/docs/${name}`, address);
    pages.set(name, found);
    return found;
  };
  // The pictures that README.md shows are packed once, beside it.
  const folders = { images: ['dist/docs/images', 'docs/images'], schemas: ['dist/schemas'] };
  const start: Call = (req, res) =>
    send(req, res, { status: 302, headers: { location: `${service.base}/docs/start.html` }, content: '' });
  return {
    'GET /docs': start,
    'GET /docs/': start,
    'GET /docs/{name}': (req, res, captured) => {
      const { name = '' } = captured;
      const isThere = name.endsWith('.html') && has('dist/docs', name);
      return page(isThere ? name : noSuchPage)(req, res, captured);
    },
    ...Object.fromEntries(
      Object.entries(folders).map(([place, sources]): [string, Call] => [
        `GET /docs/${place}/{name}`,
        (req, res, captured) => {
          const { name = '' } = captured;
          const type = types[name.slice(name.lastIndexOf('.') + 1)];
          const folder = sources.find((one) => has(one, name));
          if (type === undefined || folder === undefined) throw noSuchPath(splitTarget(req.originalUrl).path);
          const headers = { 'content-type': type, 'x-content-type-options': 'nosniff' };
          return sendFile(files, `${folder}/${name}`, headers)(req, res, captured);
        },
      ]),
    ),
  };
}

/**
 * A page of the documentation, whole in itself: it runs its own scripts and fetches nothing. The policy names each of the
 * scripts by its hash, for the page shares its origin with the control surface.
 */
const documentPage = (files: Files, name: string, address: () => string): Call => {
  const load = memoized(async () => {
    const text = bytes.decode(await files.read(name)).replaceAll(usualAddress, address());
    const content = bytes.encode(text.replace(ofMock, linksOfMock));
    const scripts = scriptsOf(text).map((text) => `'sha256-${bytes.base64(bytes.sha256(text))}'`);
    const policy = `default-src 'none'; script-src ${scripts.join(' ') || "'none'"}; style-src 'unsafe-inline'; img-src 'self' data:; font-src data:; connect-src 'self'; worker-src blob:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'`;
    return { content, headers: { ...documentHeaders, 'content-security-policy': policy } };
  });
  return async (req, res) =>
    send(req, res, { status: name.endsWith(noSuchPage) ? 404 : 200, ...(await load().catch(() => missing(name))) });
};

/** The scripts that stand in a page. */
function scriptsOf(html: string): string[] {
  const scripts: string[] = [];
  for (let tag = html.indexOf('<script'); tag >= 0;) {
    const end = html.indexOf('</script>', tag);
    const text = html.slice(html.indexOf('>', tag) + 1, end);
    if (text !== '') scripts.push(text);
    tag = html.indexOf('<script', end);
  }
  return scripts;
}

const documentHeaders = { 'content-type': 'text/html; charset=utf-8', 'x-content-type-options': 'nosniff' };

/** A file of `dist` as it is. */
export const file = (files: Files, name: string, headers: Record<string, string>): Call =>
  sendFile(files, `dist/${name}`, headers);

const sendFile =
  (files: Files, name: string, headers: Record<string, string>): Call =>
  async (req, res) => {
    const content = await files.read(name).catch(() => missing(name));
    send(req, res, { status: 200, headers, content });
  };

function missing(name: string): never {
  throw new Refusal(
    404,
    `${name} is not there; npm run docs and npm run generate make it, and a handler needs the option files`,
  );
}

/** Loads at the first call and gives the result to all; what failed is tried again. */
function memoized<T>(load: () => Promise<T>): () => Promise<T> {
  let loaded: Promise<T> | undefined;
  return () => {
    loaded ??= load().catch((error: unknown) => {
      loaded = undefined;
      throw error;
    });
    return loaded;
  };
}
