import type { Request, Response } from './http.js';
import { Routes } from './routes.js';

/** Answers a request; `captured` is what stands at the parameters of the path. What it throws or rejects with is a refusal. */
export type Call = (req: Request, res: Response, captured: Readonly<Record<string, string>>) => unknown;

/** What answers where, by method and path. */
export type Calls = Readonly<Record<`${'GET' | 'POST'} /${string}`, Call>>;

interface Row {
  readonly method: string;
  readonly path: string;
  readonly call: Call;
}

/** Calls below another path. That of `/` answers there with and without a slash. */
export const below = (place: string, calls: Calls): Calls =>
  Object.fromEntries(
    Object.entries(calls).flatMap(([key, call]) => {
      const { method, path } = placeOf(key);
      return [`${place}${path}`, ...(path === '/' ? [place] : [])].map((one) => [`${method} ${one}`, call]);
    }),
  );

/** Finds the call for a method and a path, ready to be made; the methods that there are instead; or undefined. */
export function callsIn(
  calls: Calls,
): (
  method: string,
  path: string,
) => ((req: Request, res: Response) => unknown) | { readonly allow: readonly string[] } | undefined {
  const routes = new Routes<Row>(Object.entries(calls).map(([key, call]) => ({ ...placeOf(key), call })));
  return (method, path) => {
    const found = routes.find(method, path);
    if (!found || !('operation' in found)) return found;
    const captured = Object.fromEntries(found.captured);
    return (req, res) => found.operation.call(req, res, captured);
  };
}

function placeOf(key: string): { readonly method: string; readonly path: string } {
  const [method = '', path = ''] = key.split(' ');
  return { method, path };
}
