import type { Operation, Switches } from '../contract/index.js';
import { refuseAuthorization } from './authorization.js';
import { refuseData } from './data.js';
import type { Refusal } from './refusal.js';
import type { Wire } from './send.js';

/** A refusal on the wire: as the OAuth RFCs have it at the authorization server, unlike the data API (interface 5.1, 7). */
export const refuse = (refusal: Refusal, { server }: Pick<Operation, 'server'>, switches: Switches): Wire =>
  server === 'authorization' ? refuseAuthorization(refusal) : refuseData(refusal, switches);
