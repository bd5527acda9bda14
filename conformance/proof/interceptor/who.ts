import type { GameOperation, Realm } from '../../../src/contract/index.js';
import type { DataReply, Interceptor } from './interceptor.js';
import type { Inbound } from './traffic.js';

/** The bearer token of a request. */
export const bearerOf = (headers: Readonly<Record<string, string | undefined>>): string =>
  headers.authorization?.replace(/^bearer /i, '') ?? '';

/** The realm that a request's path names. */
export const realmOf = ({ request: { route } }: Pick<DataReply, 'request'>): Realm =>
  (route?.realm ?? route?.args.realm ?? 'pc') as Realm;

/** The account whose token a request carries. */
export const accountOf = (seam: Interceptor, { request }: Pick<DataReply, 'request'>): string =>
  seam.service.authority.store.findToken(bearerOf(request.headers))?.grant.account ?? '';

/** Answers of an operation that are kept, and given to whoever asks for what has the same key. */
export function kept(seam: Interceptor, operation: GameOperation, keyOf: (request: Inbound) => string): void {
  const answers = new Map<string, string>();
  seam.laid(() => answers.clear());
  seam.reply((reply, request) => {
    if (request.operation !== operation || (reply.status !== 200 && reply.status !== 404)) return;
    const key = keyOf(request);
    const before = answers.get(key);
    if (before !== undefined) {
      reply.status = 200;
      reply.json = JSON.parse(before);
    } else if (reply.status === 200) answers.set(key, reply.text);
  });
}

/** Answers that are kept by their address alone, whoever asks. */
export const keptForAll =
  (operation: GameOperation) =>
  (seam: Interceptor): void =>
    kept(seam, operation, ({ url }) => url);
