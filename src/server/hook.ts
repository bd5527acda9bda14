import type { IncomingMessage, RequestListener } from 'node:http';
import type { Request, Response } from './http.js';
import { send, takeReply } from './send.js';
import type { HttpReply } from './send.js';

/**
 * What a program that embeds the app does to its requests and replies. It gets each request before the app, and may
 * change method, URL and headers; `serve` has the app answer, and resolves to the reply before it is sent. What the hook
 * resolves to is sent. A hook that has read the body gives it to `serve`; one that does not call `serve` answers by
 * itself, and nothing is recorded.
 *
 * A reply that does not come whole (no reply, a reset, a body in portions, a stream of events) does not pass through the
 * hook: `serve` does not resolve then.
 */
export type Hook = (req: IncomingMessage, serve: (body?: Buffer) => Promise<HttpReply>) => Promise<HttpReply>;

/** `app` with a hook before it and behind it. A hook that fails ends the connection. */
export function hooked(hook: Hook, app: RequestListener): RequestListener {
  return (incoming, outgoing) => {
    const [req, res] = [incoming, outgoing] as unknown as [Request, Response];
    const serve = (body?: Buffer): Promise<HttpReply> =>
      new Promise((done) => {
        // As Express's parsers would leave it behind.
        if (body) req.body = body;
        takeReply(res, done);
        app(incoming, outgoing);
      });
    const answer = async (): Promise<void> => {
      const wire = await hook(incoming, serve);
      takeReply(res, undefined);
      send(req, res, wire);
    };
    answer().catch((error: unknown) => res.destroy(error as Error));
  };
}
