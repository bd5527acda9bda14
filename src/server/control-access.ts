import type { Request } from './http.js';
import { sameText } from '../oauth/index.js';
import { isForeign, isOfOwnOrigin } from './browser.js';
import { Refusal } from './refusal.js';
import { isLoopback } from './send.js';

/**
 * Lets programs on this machine and the mock's own pages in, and nobody else unless a token is set and shown: not other
 * machines, and never a page of another site. A name that was rebound to this machine has been refused before
 * (`hostGuard`).
 * @throws Refusal 401 or 403
 */
export function guardControl(req: Request, token: string | undefined): void {
  if (isForeign(req) || !isOfOwnOrigin(req))
    throw new Refusal(403, 'the control protocol is closed to pages of other sites in a browser');
  if (token !== undefined) {
    if (!sameText(req.headers.authorization ?? '', `Bearer ${token}`))
      throw new Refusal(401, 'the control protocol needs its token: Authorization: Bearer <control_token>');
    return;
  }
  if (!mayControl(req, token))
    throw new Refusal(
      403,
      'the control protocol is open to this machine only; start the mock with --control-token to open it to others',
    );
}

/** Whether `guardControl` lets a request in. */
export function controls(req: Request, token: string | undefined): boolean {
  try {
    guardControl(req, token);
    return true;
  } catch {
    return false;
  }
}

/** Whether the machine at the other end may call at all: this one, or any if there is a token to show. */
export const mayControl = (req: Request, token: string | undefined): boolean =>
  token !== undefined || isLoopback(req.address);
