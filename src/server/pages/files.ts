import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { RequestHandler } from 'express';

import { packageFile } from '../../input/package.js';
import { Refusal } from '../refusal.js';
import { send } from '../send.js';

/**
 * A page of the documentation, whole in itself: it runs its own scripts and fetches nothing. The policy names each of the
 * scripts by its hash, for the page shares its origin with the control surface.
 */
export const documentPage = (name: string): RequestHandler => {
  const load = memoized(async () => {
    const content = await readFile(packageFile('dist', name));
    const scripts = scriptsOf(content.toString('utf8')).map(
      (text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`,
    );
    const policy = `default-src 'none'; script-src ${scripts.join(' ') || "'none'"}; style-src 'unsafe-inline'; img-src data:; font-src data:; connect-src 'self'; worker-src blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;
    return { content, headers: { ...documentHeaders, 'content-security-policy': policy } };
  });
  return async (req, res) => send(req, res, { status: 200, ...(await load().catch(() => missing(name))) });
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

/** A file of the package as it is. */
export const file =
  (name: string, headers: Record<string, string>): RequestHandler =>
  async (req, res) => {
    const content = await readFile(packageFile('dist', name)).catch(() => missing(name));
    send(req, res, { status: 200, headers, content });
  };

function missing(name: string): never {
  throw new Refusal(404, `dist/${name} is not there; npm run docs and npm run generate make it`);
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
