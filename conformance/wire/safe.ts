import type { Asked, Sent } from './answer.js';

/**
 * Why a request is not sent to somebody else's server, or undefined: nothing is written through the data API. The
 * authorization server is asked for tokens of the run, and to revoke no others.
 */
export function refusal({ method }: Pick<Sent, 'method'>, { server }: Pick<Asked, 'server'>): string | undefined {
  const harmless = server === 'data' ? ['GET', 'HEAD', 'OPTIONS'] : ['GET', 'HEAD', 'OPTIONS', 'POST'];
  if (harmless.includes(method)) return undefined;
  return `${method} requests to the ${server === 'data' ? 'data API' : `${server} server`}, which --safe does not send`;
}
