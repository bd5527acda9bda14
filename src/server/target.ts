import type { Request } from './http.js';
/** A name of a namespace, a snapshot or a store. It begins with no dot: URL readers take `..` for a way up. */
export const namePattern = '[A-Za-z0-9_-][A-Za-z0-9_.-]{0,63}';

const absolute = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)/i;
/** RFC 8414 3.1 has the path of an issuer behind the well-known one, and the libraries ask there. */
const wellKnown = '/.well-known/oauth-authorization-server';
const inFront = new RegExp(`^/ns/(${namePattern})(?=[/?]|$)`);
const behind = new RegExp(`^${wellKnown.replaceAll('.', '\\.')}/ns/(${namePattern})$`);

/**
 * Gives a request its target in origin form, in which everything behind it reads it. One in absolute form, of any scheme,
 * loses scheme and authority, and the authority takes the place of the Host (RFC 9112 3.2.2). A fragment, which no target
 * has, is dropped. `*` stays as it is. Done again it changes nothing.
 */
export function straighten(req: Pick<Request, 'url' | 'headers'>): void {
  const given = req.url;
  if (given.startsWith('/') && !given.includes('#')) return;
  const [found = '', authority] = absolute.exec(given) ?? [];
  if (authority !== undefined) req.headers.host = authority;
  const [rest = ''] = given.slice(found.length).split('#', 1);
  req.url = rest === '*' || rest.startsWith('/') ? rest : `/${rest}`;
}

/** Splits a target in origin form at its first question mark. */
export function splitTarget(target: string): { readonly path: string; readonly query: string } {
  const mark = target.indexOf('?');
  return mark < 0 ? { path: target, query: '' } : { path: target.slice(0, mark), query: target.slice(mark + 1) };
}

/** The namespace that a target in origin form names, and the target without it. */
export function inNamespace(target: string): { readonly name: string; readonly rest: string } | undefined {
  const metadata = behind.exec(target);
  if (metadata) return { name: metadata[1] ?? '', rest: wellKnown };
  const [found, name] = inFront.exec(target) ?? [];
  if (found === undefined || name === undefined) return undefined;
  const rest = target.slice(found.length);
  return { name, rest: rest.startsWith('/') ? rest : `/${rest}` };
}

/** Whether a path, or a target, that names no namespace is one of the control protocol. */
export const isControl = (path: string): boolean =>
  path.startsWith('/__control') && /^\/__control(?:[/?]|$)/.test(path);
