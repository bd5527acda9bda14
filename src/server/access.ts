import type { Operation } from '../contract/index.js';
import type { Bearer } from '../oauth/index.js';
import { bearer } from '../oauth/index.js';
import { Refusal } from './refusal.js';
import { reasonHeader } from './send.js';
import type { Service } from './service.js';

/**
 * Whose request it is, and by what token.
 * @throws Refusal 401 where no token is sent or it does not work, 403 where it lacks the operation's scope (RFC 6750 3.1)
 */
export function authorize(
  operation: Operation,
  header: string | undefined,
  service: Service,
): Extract<Bearer, { kind: 'token' }> {
  const caller = bearer(header, service.authority);
  if (caller.kind === 'none') {
    throw new Refusal(401, 'this operation needs an access token; send Authorization: Bearer <token>', challenge());
  }
  if (caller.kind === 'invalid') {
    throw new Refusal(401, 'the access token is unknown, expired or revoked', {
      ...challengeTo(401, operation),
      'x-mock-reason': reasonHeader(caller.reason),
    });
  }
  const { scope } = operation;
  if (scope !== undefined && !caller.token.scopes.includes(scope)) {
    throw new Refusal(403, `the access token lacks the scope ${scope}`, challengeTo(403, operation));
  }
  return caller;
}

const challenge = (error = ''): Record<string, string> => ({ 'www-authenticate': `Bearer realm="data"${error}` });

/** The challenge that belongs to a refused token (RFC 6750 3.1); no header for any other status. */
export function challengeTo(status: number, { scope }: Operation): Readonly<Record<string, string>> {
  if (status === 401) return challenge(', error="invalid_token"');
  return status === 403 ? challenge(`, error="insufficient_scope"${scope ? `, scope="${scope}"` : ''}`) : {};
}
