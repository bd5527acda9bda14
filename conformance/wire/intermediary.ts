import { header, mediaType } from './answer.js';
import type { Answer } from './answer.js';

/**
 * Statuses that a gateway, a proxy or an edge sends by itself: RFC 9110 15.5.8, 15.6.3 to 15.6.5, RFC 6585 6, and those
 * that content delivery networks have made up.
 */
const ofGateways: ReadonlySet<number> = new Set([407, 502, 503, 504, 511, 520, 521, 522, 523, 524, 525, 526, 527, 530]);

/** Statuses with which an edge turns a client away by a page: the API itself has JSON for them, or no body. */
const ofEdges: ReadonlySet<number> = new Set([403, 429]);

/**
 * Whether an answer looks as if an intermediary gave it, not the API: a status of gateways without JSON, or a page that
 * turns the client away. The pages of the authorization endpoint are its own.
 */
export function isOfIntermediary(answer: Answer): boolean {
  if (answer.json !== undefined) return false;
  if (ofGateways.has(answer.status)) return true;
  const isPage = /^(text\/html|application\/xhtml\+xml)$/.test(mediaType(answer) ?? '');
  return ofEdges.has(answer.status) && isPage && answer.asked.operation !== 'authorize';
}

/** `status 502 from an intermediary (text/html)`. */
export const intermediaryText = (answer: Answer): string =>
  `status ${answer.status} from an intermediary (${header(answer, 'content-type') ?? 'no content type'})`;
