import { createHash } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { Router } from 'express';
import type { RequestHandler } from 'express';

import { packageFile } from '../../input/package.js';
import { Refusal } from '../refusal.js';
import { jsonType, send } from '../send.js';
import type { Service } from '../service.js';

/** Where a page of the documentation takes the links to the pages that only a mock has. */
export const ofMock = '<!-- pages of the mock -->';
const linksOfMock = '<a href="../try">Try it</a>\n<a href="../">Dashboard</a>';

/** Media types of what the documentation has beside pages, by the end of the name. */
const types: Readonly<Record<string, string>> = { png: 'image/png', svg: 'image/svg+xml', json: jsonType };

/**
 * The documentation below `/docs`: its pages, pictures and schemas. The names come from the package, never from the
 * request. Links between pages are relative, so `/docs` leads to `/docs/`.
 */
export function documentation(service: Pick<Service, 'base'>): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const listed = (folder: string): ReadonlySet<string> =>
    new Set(existsSync(packageFile(folder)) ? readdirSync(packageFile(folder)) : []);
  const pages = new Map<string, RequestHandler>();
  const page = (name: string): RequestHandler => {
    const found = pages.get(name) ?? documentPage(`docs/${name}`);
    pages.set(name, found);
    return found;
  };
  router.get('/docs', (req, res) =>
    send(req, res, { status: 302, headers: { location: `${service.base}/docs/` }, content: '' }),
  );
  router.get('/docs/', page('index.html'));
  router.get('/docs/:name', (req, res, next) => {
    const { name } = req.params;
    return name.endsWith('.html') && listed('dist/docs').has(name) ? page(name)(req, res, next) : next();
  });
  // The pictures that README.md shows are packed once, beside it.
  const folders = { images: ['dist/docs/images', 'docs/images'], schemas: ['dist/schemas'] };
  for (const [place, sources] of Object.entries(folders)) {
    router.get(`/docs/${place}/:name`, (req, res, next) => {
      const { name } = req.params;
      const type = types[name.slice(name.lastIndexOf('.') + 1)];
      const folder = sources.find((one) => listed(one).has(name));
      if (type === undefined || folder === undefined) return next();
      return sendFile(`${folder}/${name}`, { 'content-type': type, 'x-content-type-options': 'nosniff' })(
        req,
        res,
        next,
      );
    });
  }
  return router;
}

/**
 * A page of the documentation, whole in itself: it runs its own scripts and fetches nothing. The policy names each of the
 * scripts by its hash, for the page shares its origin with the control surface.
 */
const documentPage = (name: string): RequestHandler => {
  const load = memoized(async () => {
    const text = await readFile(packageFile('dist', name), 'utf8');
    const content = Buffer.from(text.replace(ofMock, linksOfMock));
    const scripts = scriptsOf(text).map((text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`);
    const policy = `default-src 'none'; script-src ${scripts.join(' ') || "'none'"}; style-src 'unsafe-inline'; img-src 'self' data:; font-src data:; connect-src 'self'; worker-src blob:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'`;
    return { content, headers: { ...documentHeaders, 'content-security-policy': policy } };
  });
  return async (req, res) => send(req, res, { status: 200, ...(await load().catch(() => missing(`dist/${name}`))) });
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
export const file = (name: string, headers: Record<string, string>): RequestHandler =>
  sendFile(`dist/${name}`, headers);

const sendFile =
  (name: string, headers: Record<string, string>): RequestHandler =>
  async (req, res) => {
    const content = await readFile(packageFile(name)).catch(() => missing(name));
    send(req, res, { status: 200, headers, content });
  };

function missing(name: string): never {
  throw new Refusal(404, `${name} is not there; npm run docs and npm run generate make it`);
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
