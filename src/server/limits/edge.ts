import { reasonHeader } from '../send.js';
import type { HttpReply } from '../send.js';

/** What the edge answers, which knows neither the interface nor JSON. */
export function edgePage({ reason, seconds }: { readonly reason: string; readonly seconds: number | null }): HttpReply {
  const status = seconds === null ? 403 : 429;
  const title = status === 403 ? 'Access denied' : 'Too many requests';
  return {
    status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      ...(seconds !== null && { 'retry-after': String(seconds) }),
      'x-mock-reason': reasonHeader(`edge: ${reason}`),
    },
    content: `<!doctype html>\n<html lang="en">\n<head><title>${title}</title></head>\n<body><h1>${title}</h1><p>Your request was blocked before it reached the service.</p></body>\n</html>\n`,
  };
}
