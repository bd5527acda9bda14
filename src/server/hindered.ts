import type { Request, Response } from 'express';

import type { Operation } from '../contract/index.js';
import { readForm } from './authorization.js';
import { draftOf } from './exchanges.js';
import { struck } from './faults/strike.js';
import type { Identity } from './identity.js';
import { identify } from './identity.js';
import type { Wire } from './send.js';
import type { Service } from './service.js';

/** A request to an operation, on its way. */
interface Asked {
  readonly operation: Operation;
  readonly query: string;
  readonly req: Request;
  readonly res: Response;
}

/** Whether anything stands between requests and operations. */
export const hinders = ({ faults }: Service): boolean => faults.active;

/**
 * What stands between a request and its operation, where somebody asked for it: faults.
 * Resolves to what is to be sent, or to null where nothing is.
 */
export async function hindered(asked: Asked, answer: () => Promise<Wire>, service: Service): Promise<Wire | null> {
  const { operation, req, res } = asked;
  const identity = await identityOf(asked, service);
  const strike = service.faults.strike(operation, identity);
  return strike ? struck(strike, operation, answer, { req, res, service }) : answer();
}

/** Who asks. Clients of the authorization server say so in the form, which is read here and again by the endpoint. */
async function identityOf({ operation, query, req, res }: Asked, { authority }: Service): Promise<Identity> {
  if (operation.server === 'authorization' && operation.method === 'POST') await readForm(req, res);
  const identity = identify(operation, query, req, authority);
  const draft = draftOf(res);
  if (draft) draft.identity = identity;
  return identity;
}
