/** Mutations of paged lists: their limits, their offsets and their entries. */
import { limitOf } from '../../model/pages.js';
import type { DataReply, Interceptor, Json } from '../interceptor/interceptor.js';
import type { Inbound } from '../interceptor/traffic.js';
import { operator } from '../mutant.js';
import { list } from './replies.js';
import { isAsked, query } from './requests.js';
import type { When } from './requests.js';

/** Where the entries of a page are. */
export const entriesOf = {
  listLeagues: 'leagues',
  getLeagueLadder: 'league.entries',
  getLeagueEventLadder: 'league.entries',
  getPvpMatchLadder: 'match.entries',
} as const;

export type PagedOperation = keyof typeof entriesOf;

interface PageWindow {
  readonly offset: number;
  readonly limit: number;
}

/** The window that a request asks for. */
export const windowOf = (operation: PagedOperation, { query: sent }: Pick<DataReply, 'query'>): PageWindow => ({
  offset: Number(sent.get('offset') ?? 0),
  limit: Number(sent.get('limit') ?? limitOf(operation).preset),
});

/** Pages with other entries: what `to` makes of them. */
export const page = operator(
  'page',
  (_, operation: PagedOperation, to: (entries: Json[], window: PageWindow) => readonly unknown[], when: When = {}) =>
    list(operation, entriesOf[operation], (entries, context) => to(entries, windowOf(operation, context)), when),
);

/** A page with copies of its last entry, each a rank further, up to a length. */
export const lengthened = (entries: readonly Json[], length: number): readonly Json[] => {
  const last = entries.at(-1);
  const added = last ? Array.from({ length: Math.max(0, length - entries.length) }, (_, index) => index + 1) : [];
  return [...entries, ...added.map((more) => ({ ...last, rank: Number(last?.rank) + more }))];
};

/** Another offset, wherever there is one above 0. */
export const mapOffset = operator(
  'mapOffset',
  (_, operation: PagedOperation, to: (offset: number, limit: number) => number, when: When = {}) =>
    query(
      operation,
      (sent) => {
        const { offset, limit } = windowOf(operation, { query: sent });
        if (offset > 0 && to(offset, limit) !== offset) sent.set('offset', String(to(offset, limit)));
      },
      when,
    ),
);

type Fill = (entries: Json[], length: number, context: DataReply, at: Interceptor) => readonly unknown[];

/** A limit above the maximum is kept to: pages of `least` entries or more are made as long as the limit. */
export const exceedMaximum = operator(
  'exceedMaximum',
  (at, operation: PagedOperation, when: When = {}, least: number = limitOf(operation).max, fill: Fill = lengthened) => {
    const { max } = limitOf(operation);
    const wanted = new WeakMap<Inbound, number>();
    at.request((one) => {
      const { query: sent } = one;
      const limit = Number(sent.get('limit'));
      if (!(limit > max) || !isAsked(at, one, operation, when)) return;
      wanted.set(one, Math.min(limit, 1000));
      sent.set('limit', String(max));
      one.query = sent;
    });
    return list(operation, entriesOf[operation], (entries, context) => {
      const length = wanted.get(context.request);
      return length === undefined || entries.length < least ? entries : fill(entries, length, context, at);
    });
  },
);
