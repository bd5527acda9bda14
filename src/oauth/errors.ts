import type { components } from '../contract/index.js';

/**
 * Every error that the authorization server answers with: code -> status, and public words. The words are fixed, so that
 * nothing a caller sent comes back in them, and use the characters of RFC 6749 5.2 only.
 */
export const failures = {
  // RFC 6749 4.1.2.1 and 5.2
  invalid_request: [400, 'The request lacks a required parameter, repeats one, or is otherwise malformed.'],
  invalid_client: [401, 'The client is unknown, or its authentication failed.'],
  invalid_grant: [
    400,
    'The code or token is unknown, expired, used or revoked, or belongs to another client or request.',
  ],
  invalid_scope: [400, 'A requested scope is unknown, or the client may not have it here.'],
  unauthorized_client: [400, 'The client may not do this.'],
  unsupported_grant_type: [400, 'The grant type is not supported.'],
  unsupported_response_type: [400, 'The only response type is code.'],
  access_denied: [400, 'The user denied the request.'],
  // RFC 6750 3.1
  invalid_token: [401, 'The bearer token is malformed, expired or revoked.'],
  insufficient_scope: [403, 'The bearer token lacks the scope of this endpoint.'],
} as const satisfies Record<string, readonly [status: 400 | 401 | 403, description: string]>;

export type OAuthErrorCode = keyof typeof failures;

/** A refusal by the authorization server. */
export class OAuthError extends Error {
  override readonly name = 'OAuthError';

  /** What happened, in words, for logs, tests and a header: one line of printable ASCII. */
  readonly reason: string;

  /**
   * @param reason secrets, codes, tokens and verifiers only shortened
   * @param challenge in place of the one that belongs to the code
   */
  constructor(
    readonly code: OAuthErrorCode,
    reason: string,
    readonly challenge?: string,
  ) {
    const line = reason.replaceAll(/[^\x20-\x7E]/g, '?');
    super(`${code}: ${line}`);
    this.reason = line;
  }

  get status(): 400 | 401 | 403 {
    return failures[this.code][0];
  }

  /** The words of the wire. */
  get description(): string {
    return failures[this.code][1];
  }

  /** The JSON body of RFC 6749 5.2. */
  get body(): components['schemas']['OAuthError'] {
    return { error: this.code, error_description: this.description };
  }
}

/** What `step` returns, or the OAuthError that it throws. Any other error is not a refusal and goes on its way. */
export function caught<T>(step: () => T): T | OAuthError {
  try {
    return step();
  } catch (error) {
    if (error instanceof OAuthError) return error;
    throw error;
  }
}

/** What a language writes where there is no value. */
const noValue = /^(undefined|null|None|nil)?$/;

/** Enough of a code, token or verifier to recognise it in a log, and too little to use it. */
export function shorten(secret: string): string {
  if (noValue.test(secret)) return `'${secret}'`;
  return secret.length < 16 ? `(${secret.length} characters)` : `${secret.slice(0, 6)}...`;
}

/** Something that a caller sent, no longer than fits a line. */
export const quote = (text: string): string => `'${text.length > 200 ? `${text.slice(0, 200)}...` : text}'`;
