import type { StoredFilter } from '../../../../src/store/store.js';
import type { OldMutant as Mutant } from '../../mutant.js';
import { sent } from '../../interceptor/bodies.js';
import { change } from '../../interceptor/json.js';
import type { Json, Interceptor } from '../../interceptor/interceptor.js';
import { accountOf, bearerOf } from '../../interceptor/who.js';

/** Changes the texts that are created or updated. */
const texts =
  (operation: 'createItemFilter' | 'updateItemFilter', field: string, to: (text: string) => string): Mutant['plant'] =>
  (seam) =>
    sent(seam, operation, (body) =>
      change(body, field, (text: unknown) => (typeof text === 'string' ? to(text) : text)),
    );

/** Does more to the store after an update was answered. */
const afterUpdate = (
  seam: Interceptor,
  then: (context: {
    readonly account: string;
    readonly before: StoredFilter | undefined;
    readonly body: Json;
    readonly status: number;
    readonly reply: Json;
    readonly id: string;
  }) => void,
): void => {
  seam.reply((reply, request) => {
    const { operation, json, route } = request;
    if (operation !== 'updateItemFilter' || typeof json !== 'object' || json === null) return;
    const account = accountOf(seam, { request });
    const id = route?.args.id ?? '';
    const before = seam.service.authority.store.filters(account).find((filter) => filter.id === id);
    then({ account, before, body: json as Json, status: reply.status, reply: reply.json as Json, id });
  });
};

const put = (seam: Interceptor, account: string, filter: StoredFilter): void => {
  seam.acted();
  seam.service.authority.store.putFilter(account, filter);
};

/** What is public and somebody else's. */
const foreign = (seam: Interceptor, id: string, account: string): readonly [string, StoredFilter] | undefined => {
  const { accounts, store } = seam.service.authority;
  for (const key of accounts.keys()) {
    const filter = key === account ? undefined : store.filters(key).find((one) => one.id === id);
    if (filter?.public) return [key, filter];
  }
  return undefined;
};

/** What is written, and in which circumstances. */
export const filterWrites: readonly Mutant[] = [
  {
    id: 'N-FILTER-CREATE-002-bom',
    bug: 'a byte order mark at the start of a text is cut off',
    rows: ['FILTER-CREATE-002'],
    plant: texts('createItemFilter', 'filter', (text) => text.replace(/^\ufeff/, '')),
  },
  {
    id: 'N-FILTER-CREATE-002-separator',
    bug: 'line separators in a created text become line ends',
    rows: ['FILTER-CREATE-002'],
    plant: texts('createItemFilter', 'filter', (text) => text.replace(/[\u2028\u2029\u0085\v\f]/g, '\n')),
  },
  {
    id: 'N-FILTER-UPDATE-001-separator',
    bug: 'line separators in an updated text become line ends',
    rows: ['FILTER-UPDATE-001'],
    plant: texts('updateItemFilter', 'filter', (text) => text.replace(/[\u2028\u2029\u0085\v\f]/g, '\n')),
  },
  {
    id: 'N-FILTER-UPDATE-001-name',
    bug: 'an updated filter_name is cut at 100 characters',
    rows: ['FILTER-UPDATE-001'],
    plant: texts('updateItemFilter', 'filter_name', (text) => text.slice(0, 100)),
  },
  {
    id: 'N-FILTER-UPDATE-001-description',
    bug: 'an updated description is cut at 255 characters',
    rows: ['FILTER-UPDATE-001'],
    plant: texts('updateItemFilter', 'description', (text) => text.slice(0, 255)),
  },
  {
    id: 'N-FILTER-CREATE-007-case',
    bug: 'the realm of a creation is taken in any case',
    rows: ['FILTER-CREATE-007'],
    plant: texts('createItemFilter', 'realm', (realm) => (realm.toLowerCase() === 'pc' ? 'pc' : realm)),
  },
  {
    id: 'N-FILTER-UPDATE-008-realm-case',
    bug: 'the realm of an update is taken in any case',
    rows: ['FILTER-UPDATE-008'],
    plant: texts('updateItemFilter', 'realm', (realm) => (realm.toLowerCase() === 'pc' ? 'pc' : realm)),
  },
  {
    id: 'N-FILTER-UPDATE-008-name',
    bug: 'an update that is refused has renamed the filter',
    rows: ['FILTER-UPDATE-008'],
    plant: (seam) =>
      afterUpdate(seam, ({ account, before, body, status }) => {
        const name = body.filter_name;
        if (status >= 400 && before && typeof name === 'string' && 'realm' in body)
          put(seam, account, { ...before, filter_name: name });
      }),
  },
  {
    id: 'N-FILTER-UPDATE-003-alone',
    bug: 'public counts only where it is the only field of an update',
    rows: ['FILTER-UPDATE-003'],
    plant: (seam) =>
      sent(seam, 'updateItemFilter', (body) => {
        if (body.public !== true || Object.keys(body).length < 2) return body;
        const { public: _, ...rest } = body;
        return rest;
      }),
  },
  {
    id: 'N-FILTER-UPDATE-009-public',
    bug: 'anybody may update a public filter',
    rows: ['FILTER-UPDATE-009'],
    plant: (seam) =>
      seam.request((request) => {
        if (request.operation !== 'updateItemFilter' || typeof request.json !== 'object') return undefined;
        const account = seam.service.authority.store.findToken(bearerOf(request.headers))?.grant.account ?? '';
        const found = foreign(seam, request.route?.args.id ?? '', account);
        const description = (request.json as Json).description;
        if (found && typeof description === 'string') put(seam, found[0], { ...found[1], description });
        return undefined;
      }),
  },
  {
    id: 'N-FILTER-PUBLIC-001-invalid',
    bug: 'a validation that fails makes a filter private',
    rows: ['FILTER-PUBLIC-001'],
    plant: (seam) =>
      afterUpdate(seam, ({ account, before, status, reply }) => {
        const validation = (reply.filter as Json | undefined)?.validation as Json | undefined;
        if (status >= 300 || !before?.public || validation?.valid !== false) return;
        const { public: _, ...rest } = before;
        put(seam, account, rest);
      }),
  },
  {
    id: 'N-FILTER-UPDATE-001-slow',
    bug: 'of an update that needs processing only the text is written',
    rows: ['FILTER-UPDATE-001'],
    plant: (seam) =>
      sent(seam, 'updateItemFilter', (body) => {
        const slow = seam.service.game.switches['filters.asyncTrigger'];
        return typeof body.filter === 'string' && body.filter.includes(slow) ? { filter: body.filter } : body;
      }),
  },
  {
    id: 'N-FILTER-UPDATE-001-late',
    bug: 'the end of the processing of an update undoes those in between',
    rows: ['FILTER-UPDATE-001'],
    plant: (seam) =>
      afterUpdate(seam, ({ account, before, body, status }) => {
        if (status !== 202 || !before || !('filter' in body)) return;
        setTimeout(() => put(seam, account, before), 400).unref();
      }),
  },
];
