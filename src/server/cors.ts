import type { Request, Response } from './http.js';
import { decided, note } from './send.js';
import type { Service } from './service.js';
import { splitTarget } from './target.js';

/**
 * Lets pages of any origin read the replies of the contract's operations, with all headers, those of limits among them;
 * never those of the control surface.
 */
export const corsHeaders = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': '*',
} as const;

/** Whether a browser asks, before it sends a request of another origin. */
export const isPreflight = ({ method, headers }: Request): boolean =>
  method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;

/** Answers a browser's question before it sends a request of another origin. @returns false for any other request */
export function answerPreflight(req: Request, res: Response, { routes }: Service): boolean {
  const method = req.headers['access-control-request-method'];
  if (!isPreflight(req) || typeof method !== 'string') return false;
  const found = routes.find(method, splitTarget(req.url).path);
  if (!found || !('operation' in found)) return false;
  const headers = {
    ...corsHeaders,
    'access-control-allow-methods': found.operation.method,
    'access-control-allow-headers': 'authorization, content-type, prefer',
    'access-control-max-age': '600',
  };
  note(res, { status: 204, headers, content: '' });
  decided(res, null);
  res.writeHead(204, headers);
  res.end();
  return true;
}
