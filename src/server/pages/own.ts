import type { ExchangeRecord } from '../exchange-record.js';

/** Pages of the mock for people, and what they load: nothing that a client of the interface asks for. */
const own =
  /^(?:\/ns\/[^/?]+)?(?:\/|\/health|\/favicon\.ico|\/docs(?:\/[^?]*)?|\/try(?:\/[^?]*)?|\/openapi\.(?:yaml|json))(?:\?|$)/;

/** Whether a request is for one of the mock's own pages, which no list of a client's requests names. */
export const isOwnPage = ({ operationId, target }: Pick<ExchangeRecord, 'operationId' | 'target'>): boolean =>
  operationId === undefined && own.test(target);
