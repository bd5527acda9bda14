import { AsyncLocalStorage } from 'node:async_hooks';

import { evident, sizeOf } from './answer.js';
import type { Answer, Sent } from './answer.js';

/** The exchanges of a check, bodies shortened, status 0 where no answer came; `stopped` refuses it further ones. */
export interface Trace {
  readonly answers: Answer[];
  /** Characters of these and their requests. */
  size?: number;
  /** Requests, with those whose exchanges are not kept. */
  sent?: number;
  stopped?: string;
  /** The most requests that were under way when one of its own was answered 5xx, or not at all. */
  underLoad?: number;
  /** The exchange that took longest. */
  slowest?: { readonly place: string; readonly ms: number };
  /** Milliseconds for which its requests were held back: a 429, the target's budget a second, other large answers. */
  waited?: number;
}

/** The trace of whatever runs now. */
export const trace = new AsyncLocalStorage<Trace>();

/** What a trace keeps: so many answers, and so many characters of them and their requests in all. */
const kept = { answers: 120, size: 1_000_000 };

/** Keeps an exchange in the trace of whatever runs now. */
export function keep(answer: Answer): void {
  const log = trace.getStore();
  if (!log) return;
  const { answers } = log;
  if (answer.ms > (log.slowest?.ms ?? 0)) log.slowest = { place: placeOf(answer.request), ms: answer.ms };
  const short = evident(answer);
  answers.push(short);
  log.size = (log.size ?? 0) + sizeOf(short);
  while (answers.length > kept.answers || (log.size > kept.size && answers.length > 1))
    log.size -= sizeOf(answers.shift()!);
}

/** `GET /profile`: a query may hold a secret. */
export const placeOf = ({ method, url }: Sent): string => `${method} ${pathOf(url).replace(/\?.*$/s, '')}`;

/** Path and query exactly as written: URL would tidy up what a check wrote on purpose. */
export function pathOf(url: string): string {
  const [, written = ''] = /^[^:]+:\/\/[^/?#]*([^#]*)/s.exec(url) ?? [];
  return written.startsWith('/') ? written : `/${written}`;
}
