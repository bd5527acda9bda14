import { succeeded } from '../wire/answer.js';
import type { Answer } from '../wire/answer.js';
import { given, own, show } from './values.js';

/** Answers of the token endpoint to a POST, which is the only method that the interface has there. */
export const ofTokenEndpoint = ({ asked, request }: Answer): boolean =>
  asked.operation === 'issueToken' && request.method.toUpperCase() === 'POST';

/** Whether a token answer is an error, whatever its status says. */
export const isError = (answer: Answer): boolean =>
  answer.status >= 400 || (given(own(answer.json, 'error')) && own(answer.json, 'access_token') === undefined);

/** Whether an answer grants a token, or means to. */
export const isGrant = (answer: Answer): boolean => ofTokenEndpoint(answer) && succeeded(answer) && !isError(answer);

/** Refusals that HTTP makes before OAuth is asked: method, length, media type, too many requests. */
const ofHttp: ReadonlySet<number> = new Set([405, 406, 408, 411, 413, 414, 415, 417, 429, 431]);

/**
 * Whether an answer is OAuth's own refusal of a proper form: what HTTP refuses before, or what cannot be decoded, a
 * server's framework may answer in its own way.
 */
export const isRefusal = (answer: Answer): boolean =>
  answer.status < 500 &&
  !ofHttp.has(answer.status) &&
  isForm(answer) &&
  !/%(?![0-9A-Fa-f]{2})/.test(answer.request.body ?? '');

/** A header of the request, by its name in lower case. */
export const sentHeader = ({ request }: Answer, wanted: string): string | undefined =>
  Object.entries(request.headers).find(([name]) => name.toLowerCase() === wanted)?.[1];

const isForm = (answer: Answer): boolean =>
  sentHeader(answer, 'content-type')?.split(';')[0]?.trim().toLowerCase() === 'application/x-www-form-urlencoded';

/** How a value is said to be without saying it. */
export const withheld = (value: unknown): string =>
  typeof value === 'string' ? `a text of ${value.length} characters` : show(value);
