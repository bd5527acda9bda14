import type { Request } from './http.js';
import { bytes } from '../bytes/index.js';
import type { Operation } from '../contract/index.js';
import type { Authority } from '../oauth/index.js';
import { bearerText, claimedClient } from '../oauth/index.js';
import type { Token } from '../store/store.js';

/** Who a request says it is from, as far as the mock can tell before it decides. */
export interface Identity {
  readonly clientId?: string | undefined;
  /** Account key. */
  readonly account?: string | undefined;
  /** Account key of the owner, where a client-credentials token speaks for the application (interface 5.6). */
  readonly owner?: string | undefined;
  /** The access token, refresh token or code that was presented, whether it is good or not. */
  readonly credential?: string | undefined;
}

const nobody: Identity = {};

/** Reads who sends a request. Nothing is checked: an expired token still tells whose it was. */
export function identify(
  operation: Operation | undefined,
  query: string,
  req: Request,
  authority: Authority,
): Identity {
  if (!operation) return nobody;
  const { authorization } = req.headers;
  if (operation.logical === 'authorize') return ofClient(new URLSearchParams(query).get('client_id'));
  if (operation.server === 'data') return ofBearer(authorization, authority);
  const form = formOf(req);
  const fields = {
    client_id: form.get('client_id') ?? undefined,
    client_secret: form.get('client_secret') ?? undefined,
  };
  const clientId = claimedClient(fields, authorization, authority);
  if (operation.logical !== 'issueToken')
    return clientId === undefined ? ofBearer(authorization, authority) : ofClient(clientId);
  const credential = form.get('refresh_token') ?? form.get('code') ?? undefined;
  if (credential === undefined) return { clientId, account: authority.clients.get(clientId ?? '')?.owner };
  const known = authority.store.findToken(credential) ?? authority.store.findCode(credential);
  return { clientId, account: known?.grant.account, credential };
}

export const ofToken = ({ grant: { clientId, account, kind }, text }: Token): Identity => ({
  clientId,
  account,
  owner: kind === 'client_credentials' ? account : undefined,
  credential: text,
});

const ofClient = (clientId: string | null): Identity => (clientId === null ? nobody : { clientId });

function ofBearer(authorization: string | undefined, { store }: Authority): Identity {
  // As nearly every client writes it: what is found needs no further look.
  const plain = authorization?.startsWith('Bearer ') ? store.findToken(authorization.slice(7)) : undefined;
  if (plain) return ofToken(plain);
  const credential = bearerText(authorization);
  if (credential === undefined) return nobody;
  const token = store.findToken(credential);
  return token ? ofToken(token) : { credential };
}

/** The form of a request whose body was read; an empty one otherwise. */
export function formOf(req: Request): URLSearchParams {
  const { body } = req;
  return new URLSearchParams(body instanceof Uint8Array ? bytes.decode(body) : '');
}
