import type { Request } from './http.js';
import { Refusal } from './refusal.js';

/**
 * Refuses a form that another site's page sends in the browser of a developer: a page of the mock posts to the mock or
 * not at all. Programs send neither header and pass.
 * @throws Refusal 403
 */
export function refuseForeignForm(req: Request): void {
  if (isForeign(req)) throw new Refusal(403, 'this form came from another site; open the page of the mock itself');
}

/**
 * Whether the page of another site sent a request. `Sec-Fetch-Site` says so, and where a browser leaves it out, `Origin`
 * does: a page can forge neither. Programs send none of them.
 */
export function isForeign(req: Request): boolean {
  const site = req.headers['sec-fetch-site'];
  return site === undefined ? !isOfOwnOrigin(req) : site !== 'same-origin' && site !== 'none';
}

/** Whether the `Origin` of a request, where it has one, is the address that it was sent to. */
export function isOfOwnOrigin({ headers: { origin, host } }: Request): boolean {
  if (origin === undefined) return true;
  try {
    return new URL(origin).host === host;
  } catch {
    return false;
  }
}
