import type { Request, Response } from './http.js';
import type { LimitHead } from '../client/index.js';
import type { Operation } from '../contract/index.js';
import { readForm } from './authorization.js';
import { draftOf } from './exchanges.js';
import { applyFault } from './faults/strike.js';
import type { Identity } from './identity.js';
import { formOf, identify } from './identity.js';
import { edgePage } from './limits/edge.js';
import { limitHeaders } from './limits/headers.js';
import type { Admission, Subjects } from './limits/limits.js';
import { Refusal } from './refusal.js';
import { refusalReply } from './refusal-reply.js';
import { reasonHeader } from './send.js';
import type { HttpReply } from './send.js';
import type { Service } from './service.js';

/** A request to an operation, on its way. */
interface Asked {
  readonly operation: Operation;
  readonly query: string;
  readonly req: Request;
  readonly res: Response;
}

/** What would happen without an obstacle. */
interface Next {
  readonly answer: () => Promise<HttpReply>;
  /** The reply to a request that could not be read. */
  readonly refuse: (error: unknown) => HttpReply;
}

/** Whether anything stands between requests and operations. */
export const hasObstacles = ({ faults, limits }: Service): boolean => faults.active || limits.active;

/**
 * What stands between a request and its operation, where somebody asked for it: the edge, then limits, then faults.
 * Resolves to what is to be sent, or to null where nothing is.
 */
export async function passObstacles(asked: Asked, next: Next, service: Service): Promise<HttpReply | null> {
  const { operation, req, res } = asked;
  const { limits, faults, clock } = service;
  const { address } = req;
  const blocked = limits.edge(address, req.headers['user-agent'], clock.now());
  if (blocked) return limited(res, edgePage(blocked));

  const unreadable = hasForm(operation) ? await readAhead(asked) : null;
  const identity = identityOf(asked, service);
  const subjects = subjectsOf(identity, address, service);
  const head = req.method === 'HEAD' ? limits.headOf(operation) : undefined;
  const admission = limits.admit(operation, subjects, clock.now(), head?.counted);
  if (admission?.refusal) return limited(res, tooMany(operation, admission, admission.refusal, service));

  const settle = (wire: HttpReply): HttpReply => {
    if (wire.status >= 400) limits.settle(operation, subjects, wire.status, clock.now());
    return wire;
  };
  const answer = async (): Promise<HttpReply> => {
    const refused = unreadable ?? refusalOf(head);
    const wire = refused ? next.refuse(refused) : withStatusOf(head, await next.answer());
    return settle(shown(wire, admission, service));
  };
  const strike = faults.active ? faults.strike({ operation, identity, grant: grantOf(asked) }) : null;
  return strike ? applyFault(strike, operation, { answer, settle }, { req, res, service }) : answer();
}

const grantOf = ({ operation, req }: Asked): string | null =>
  operation.logical === 'issueToken' ? formOf(req).get('grant_type') : null;

/** Why every HEAD of an operation is refused, or null. */
const refusalOf = (head: LimitHead | undefined): Refusal | null =>
  head?.status !== undefined && head.status >= 400 ? new Refusal(head.status, 'HEAD is refused here; use GET') : null;

/** A success with the status that HEAD has; 204 has no content to describe. */
function withStatusOf(head: LimitHead | undefined, wire: HttpReply): HttpReply {
  if (head?.status === undefined || wire.status >= 300) return wire;
  if (head.status !== 204) return { ...wire, status: head.status };
  const { 'content-type': _type, ...headers } = wire.headers;
  return { ...wire, status: 204, headers, content: '' };
}

const hasForm = ({ server, method }: Operation): boolean => server === 'authorization' && method === 'POST';

/**
 * Clients of the authorization server say in the form who they are, so it is read here, and again by the endpoint.
 * Resolves to why it cannot be read, or to null.
 */
async function readAhead({ req, res }: Asked): Promise<unknown> {
  try {
    await readForm(req, res);
    return null;
  } catch (error) {
    return error;
  }
}

function identityOf({ operation, query, req, res }: Asked, { authority }: Service): Identity {
  const identity = identify(operation, query, req, authority);
  const draft = draftOf(res);
  if (draft) draft.identity = identity;
  return identity;
}

/**
 * Whom a request counts for (interface 8): all public clients share one allowance, and so do the client-credentials
 * tokens of one owner.
 */
function subjectsOf({ clientId, account, owner }: Identity, ip: string, { authority }: Service): Subjects {
  if (owner !== undefined) return { client: `every application of ${owner}`, account, ip };
  const client = clientId === undefined ? undefined : authority.clients.get(clientId);
  return { client: client?.type === 'public' ? 'every public client' : client?.id, account, ip };
}

function limited(res: Response, wire: HttpReply): HttpReply {
  const draft = draftOf(res);
  if (draft) draft.decision = 'limited';
  return wire;
}

function tooMany(
  operation: Operation,
  admission: Admission,
  { reason, seconds }: NonNullable<Admission['refusal']>,
  service: Service,
): HttpReply {
  const headers = { 'retry-after': String(seconds), 'x-mock-reason': reasonHeader(reason) };
  const refusal = new Refusal(429, `try again in ${seconds} s`, headers);
  return shown(refusalReply(refusal, operation, service.switches), admission, service);
}

function shown(wire: HttpReply, admission: Admission | null, { limits, clock }: Service): HttpReply {
  if (!admission) return wire;
  const { status, content, reason } = wire;
  const headers = limitHeaders(admission, limits.settings?.headers, clock.now());
  return { status, headers: Object.assign(headers, wire.headers), content, reason };
}
