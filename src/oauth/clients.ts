import { bytes } from '../bytes/index.js';
import type { Client } from '../world/world.js';
import type { Authority } from './authority.js';
import { caught, OAuthError, quote } from './errors.js';
import { required } from './parameters.js';
import { sameText } from './pkce.js';

/** The fields of a body by which a client says who it is. */
export interface ClientFields {
  readonly client_id?: string;
  readonly client_secret?: string;
}

interface Credentials {
  readonly id: string;
  readonly secret: string | undefined;
  /** The secret before form-decoding, where it came by HTTP Basic. */
  readonly rawSecret?: string;
}

/**
 * The client that sends a request (RFC 6749 2.3, 3.2.1): by the fields of the body, or by HTTP Basic (K-079, switch
 * clientAuth.basic; switched off, the header is ignored as the interface does not know it).
 *
 * A confidential client must send its secret. A public client has none, and is refused if it sends one: an app that
 * ships a secret believes in something that protects nothing. An empty secret is an omitted one.
 */
export function authenticateClient(
  fields: ClientFields,
  authorization: string | undefined,
  authority: Authority,
): Client {
  const { id, secret, rawSecret } = readCredentials(fields, authorization, authority);
  const client = authority.clients.get(id);
  if (!client) throw new OAuthError('invalid_client', `no client has the id ${quote(id)}`);
  if (client.secret === null) {
    if (secret === undefined) return client;
    throw new OAuthError('invalid_client', `${id} is a public client, but a client_secret was sent`);
  }
  if (secret === undefined) throw new OAuthError('invalid_client', `the client_secret of ${id} is missing`);
  if (sameText(secret, client.secret)) return client;
  const hint = rawSecret !== undefined && sameText(rawSecret, client.secret) ? `: it is ${encodingHint}` : '';
  throw new OAuthError('invalid_client', `the client_secret of ${id} is wrong${hint}`);
}

/** The client id that a request names, whether its credentials are right or not. */
export function claimedClient(
  fields: ClientFields,
  authorization: string | undefined,
  authority: Authority,
): string | undefined {
  const read = caught(() => readCredentials(fields, authorization, authority));
  return read instanceof OAuthError ? undefined : read.id;
}

/** Whether the client put its credentials into the header: a failure then has to be 401 (RFC 6749 5.2). */
export function usesBasic(authorization: string | undefined, { switches }: Authority): authorization is string {
  return switches['clientAuth.basic'] && authorization !== undefined && /^basic(?: |$)/i.test(authorization);
}

/**
 * The status of a refusal. invalid_client is 400 or 401 as the switch says (K-080), but 401 where the header was used
 * (RFC 6749 5.2).
 */
export function statusOf(
  error: OAuthError,
  authorization: string | undefined,
  authority: Authority,
): OAuthError['status'] {
  if (error.code !== 'invalid_client' || usesBasic(authorization, authority)) return error.status;
  return authority.switches['clientAuth.invalidClientStatus'];
}

function readCredentials(fields: ClientFields, authorization: string | undefined, authority: Authority): Credentials {
  if (!usesBasic(authorization, authority)) {
    return { id: required('client_id', fields.client_id), secret: fields.client_secret };
  }
  const basic = readBasic(authorization);
  if (fields.client_secret !== undefined) {
    throw new OAuthError(
      'invalid_request',
      'a client_secret both in the body and in the Authorization header (RFC 6749 2.3)',
    );
  }
  if (fields.client_id !== undefined && fields.client_id !== basic.id) {
    throw new OAuthError(
      'invalid_request',
      `client_id ${quote(fields.client_id)} in the body, ${quote(basic.id)} in the header`,
    );
  }
  return basic;
}

/** The mistake that most clients make with secrets of reserved characters. */
const encodingHint = 'not form-urlencoded before it is joined and base64-encoded (RFC 6749 2.3.1)';

/** `Basic base64(form-urlencoded id ":" form-urlencoded secret)` (RFC 6749 2.3.1, RFC 7617). */
function readBasic(authorization: string): Credentials {
  const [, encoded] = /^basic +([A-Za-z0-9+/]+={0,2})$/i.exec(authorization) ?? [];
  const [, id, secret] = /^([^:]*):(.*)$/s.exec(bytes.decode(bytes.fromBase64(encoded ?? ''))) ?? [];
  if (!id || secret === undefined) throw new OAuthError('invalid_client', 'malformed HTTP Basic credentials');
  return { id: formDecode(id), secret: formDecode(secret) || undefined, rawSecret: secret };
}

function formDecode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw new OAuthError('invalid_client', `the HTTP Basic credentials are ${encodingHint}`);
  }
}
