import type { Operation, Switches } from '../contract/index.js';
import { refuseAuthorization } from './authorization.js';
import { dataRefusal } from './data-reply.js';
import type { Refusal } from './refusal.js';
import type { HttpReply } from './send.js';

/** A refusal as a reply: as the OAuth RFCs have it at the authorization server, unlike the data API (interface 5.1, 7). */
export const refusalReply = (refusal: Refusal, { server }: Pick<Operation, 'server'>, switches: Switches): HttpReply =>
  server === 'authorization' ? refuseAuthorization(refusal) : dataRefusal(refusal, switches);
