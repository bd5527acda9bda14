import type { Request } from 'express';

import { Refusal } from './refusal.js';

/**
 * Refuses a form that another site's page sends in the browser of a developer: a page of the mock posts to the mock or
 * not at all. Programs send neither header and pass.
 * @throws Refusal 403
 */
export function refuseForeignForm(req: Request): void {
  const site = req.headers['sec-fetch-site'];
  const origin = req.headers.origin;
  const foreign =
    site !== undefined
      ? site !== 'same-origin' && site !== 'none'
      : origin !== undefined && !isOwn(origin, req.headers.host);
  if (foreign) throw new Refusal(403, 'this form came from another site; open the page of the mock itself');
}

function isOwn(origin: string, host: string | undefined): boolean {
  try {
    return new URL(origin).host === host;
  } catch {
    return false;
  }
}
