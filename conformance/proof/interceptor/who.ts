import type { Realm } from '../../../src/contract/index.js';
import type { DataReply, Interceptor } from './interceptor.js';

/** The bearer token of a request. */
export const bearerOf = (headers: Readonly<Record<string, string | undefined>>): string =>
  headers.authorization?.replace(/^bearer /i, '') ?? '';

/** The realm that a request names, in its path or its query. */
export const realmOf = ({ request: { route, query } }: Pick<DataReply, 'request'>): Realm =>
  (route?.realm ?? route?.args.realm ?? query.get('realm') ?? 'pc') as Realm;

/** The account whose token a request carries. */
export const accountOf = (seam: Interceptor, { request }: Pick<DataReply, 'request'>): string =>
  seam.service.authority.store.findToken(bearerOf(request.headers))?.grant.account ?? '';
