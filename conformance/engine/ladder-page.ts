import { isObject } from '../json.js';
import { member } from '../wire/answer.js';

/**
 * The page in the body of a ladder's reply: the member `ladder`, where live services have it beside the league or match
 * (F-OBS-LADDER), else the wrapper, as the description has it. Of any other body the wrapper.
 */
export function ladderPage(body: unknown, wrapper: string): unknown {
  const beside = member(body, wrapper);
  return beside === undefined ? undefined : (member(body, 'ladder') ?? beside);
}

const pages = ['league', 'match', 'ladder'];

/** A body without the time of its page, which may be another in each answer (K-031). */
export function undated(body: unknown): unknown {
  if (!isObject(body)) return body;
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => [
      name,
      pages.includes(name) && isObject(value) ? { ...value, cached_since: null } : value,
    ]),
  );
}

/** The time of the page in a body, where it has one. */
export const stampOf = (body: unknown): unknown =>
  pages.map((name) => member(member(body, name), 'cached_since')).find((stamp) => typeof stamp === 'string');

/**
 * Whether pages are kept by their address, so that two of them are of different moments (K-031): one has the same time
 * whenever it is asked for, and the other another one. The times are those of `cached_since`.
 */
export const isKeptApart = (before: unknown, after: unknown, other: unknown): boolean =>
  typeof before === 'string' && typeof other === 'string' && before === after && before !== other;
