export interface OAuthFailureDetails {
  /** What was being done, for the message. */
  readonly call: string;
  readonly description?: string | null;
  readonly status?: number | null;
}

/**
 * An OAuth exchange that did not succeed. `error` is the code that the server sent (RFC 6749 4.1.2.1 and 5.2), or one of
 * three of our own: `state_mismatch` and `invalid_redirect` for a redirect that must not be trusted, and
 * `invalid_response` for an answer that is none of OAuth's. A token source adds `no_refresh_token`.
 */
export class OAuthFailure extends Error {
  override readonly name = 'OAuthFailure';
  readonly error: string;
  /** The words that came with the code, or null. */
  readonly description: string | null;
  /** HTTP status of the answer; null where there was none, as with a redirect. */
  readonly status: number | null;

  constructor(error: string, { call, description = null, status = null }: OAuthFailureDetails) {
    super(
      `${call}: ${error}${description === null ? '' : `, ${description}`}${status === null ? '' : ` (HTTP ${status})`}`,
    );
    this.error = error;
    this.description = description;
    this.status = status;
  }
}
