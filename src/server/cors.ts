import type { RequestHandler } from 'express';

import { decided, note } from './send.js';
import type { Service } from './service.js';
import { splitTarget } from './target.js';

/** Lets pages of any origin read the replies of the contract's operations; never those of the control surface. */
export const corsHeaders = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'www-authenticate, x-mock-reason, retry-after, preference-applied',
} as const;

/** Answers a browser's question before it sends a request of another origin. */
export function answerPreflight({ routes }: Service): RequestHandler {
  return (req, res, next) => {
    const method = req.headers['access-control-request-method'];
    const found =
      req.method === 'OPTIONS' && method !== undefined ? routes.find(method, splitTarget(req.url).path) : undefined;
    if (!found || !('operation' in found)) return next();
    const headers = {
      ...corsHeaders,
      'access-control-allow-methods': found.operation.method,
      'access-control-allow-headers': 'authorization, content-type, prefer',
      'access-control-max-age': '600',
    };
    note(res, { status: 204, headers, content: '' });
    decided(res, null);
    res.writeHead(204, headers).end();
  };
}
