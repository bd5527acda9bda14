/**
 * The errors of the data API. The interface shows neither codes nor bodies (7): both are the mock's own (K-067). `words`
 * are fixed and fit to be matched on; what follows them in a message is for people.
 */
export const errors = {
  accepted: { code: 0, status: 202, words: 'Accepted' },
  notFound: { code: 1, status: 404, words: 'Resource not found' },
  invalidQuery: { code: 2, status: 400, words: 'Invalid query' },
  rateLimited: { code: 3, status: 429, words: 'Rate limit exceeded' },
  internal: { code: 4, status: 500, words: 'Internal error' },
  contentType: { code: 5, status: 415, words: 'Unexpected content type' },
  forbidden: { code: 6, status: 403, words: 'Forbidden' },
  unavailable: { code: 7, status: 503, words: 'Temporarily unavailable' },
  unauthorized: { code: 8, status: 401, words: 'Unauthorized' },
  methodNotAllowed: { code: 9, status: 405, words: 'Method not allowed' },
  unprocessable: { code: 10, status: 422, words: 'Unprocessable entity' },
} as const satisfies Record<string, { code: number; status: number; words: string }>;

export type ErrorName = keyof typeof errors;

/** The body of every data error: `{ error: { code, message } }`. */
export interface ErrorBody {
  readonly error: { readonly code: number; readonly message: string };
}

function bodyOf({ code, words }: { code: number; words: string }, detail: string): ErrorBody {
  return { error: { code, message: detail === '' ? words : `${words}: ${detail}` } };
}

/** The error object alone, as an accepted update carries it beside its filter (interface 4.2). */
export const errorObject = (name: ErrorName, detail = ''): ErrorBody['error'] => bodyOf(errors[name], detail).error;

/**
 * A refusal as a reply. `detail` names what is at fault and the remedy.
 */
export function fault<Name extends ErrorName>(
  name: Name,
  detail = '',
): { status: (typeof errors)[Name]['status']; body: ErrorBody } {
  return { status: errors[name].status, body: bodyOf(errors[name], detail) };
}

/**
 * The body for a status, for refusals that come before an operation. A status without an error of its own is an invalid
 * query (413 is one) or, from 500 on, an internal error.
 */
export function errorBody(status: number, detail = ''): ErrorBody {
  const own = Object.values(errors).find((error) => error.status === status);
  return bodyOf(own ?? (status >= 500 ? errors.internal : errors.invalidQuery), detail);
}
