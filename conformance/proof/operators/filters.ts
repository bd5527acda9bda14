/** Mutations of item filters: what is sent of them, what is kept of them, and whose they are. */
import type { StoredFilter } from '../../../src/store/store.js';
import type { Interceptor, Json } from '../interceptor/interceptor.js';
import { change as changeMember } from '../interceptor/json.js';
import { accountOf } from '../interceptor/who.js';
import { operator } from '../mutant.js';
import { rawReply, reply } from './replies.js';
import { request, sentBody } from './requests.js';

const update = 'updateItemFilter';

/** A member of the body of a filter that is sent, changed where it is there; `gone` takes it away. */
export const sentMember = operator(
  'sentMember',
  (_, operation: 'createItemFilter' | 'updateItemFilter', name: string, to: (value: never) => unknown) =>
    sentBody(operation, (body) => changeMember(body, name, to)),
);

/** A text in the body of a filter that is sent, changed. */
export const sentText = operator(
  'sentText',
  (_, operation: 'createItemFilter' | 'updateItemFilter', name: string, to: (text: string) => string) =>
    sentMember(operation, name, (value: unknown) => (typeof value === 'string' ? to(value) : value)),
);

/** The filter as a private one. */
export const withoutPublic = ({ public: _, ...filter }: StoredFilter): StoredFilter => filter;

// --- what becomes of a text -----------------------------------------------------------------------------------------

/** A text that is cut off after so many characters. */
export const cut =
  (length: number) =>
  (text: string): string =>
    text.slice(0, length);

/** A text whose line separators are line ends. */
export const withoutSeparators = (text: string): string => text.replace(/[\u2028\u2029\u0085\v\f]/g, '\n');

/** The name of realm pc, whatever its case. */
export const anyCase = (realm: string): string => (realm.toLowerCase() === 'pc' ? 'pc' : realm);

// --- what is kept ---------------------------------------------------------------------------------------------------

/** A filter, whosever it is, and the account that has it. */
export function keptFilter(at: Interceptor, id: string | undefined, store = at.service.authority.store) {
  const all = [...at.service.authority.accounts.keys()].flatMap((account) =>
    store.filters(account).map((filter) => ({ account, filter })),
  );
  return all.find(({ filter }) => filter.id === id);
}

/** What an update leaves behind, changed; the answer to it does not show that. */
export const written = operator(
  'written',
  (at, to: (after: StoredFilter, before: StoredFilter, at: Interceptor) => StoredFilter) =>
    at.store((store, acted) => ({
      putFilter(account, filter) {
        const before = store.filters(account).find(({ id }) => id === filter.id);
        const after = before ? to(filter, before, at) : filter;
        if (after !== filter) acted();
        store.putFilter(account, after);
      },
    })),
);

interface AnsweredFilter {
  readonly body: Json;
  readonly status: number;
  readonly reply: Json;
}

/** Once an update is answered, its filter is replaced, `after` some milliseconds if any. */
export const afterwards = operator(
  'afterwards',
  (at, to: (filter: StoredFilter, answered: AnsweredFilter) => StoredFilter | null, after: number = 0) =>
    rawReply(update, (one, asked) => {
      const { json, route } = asked;
      const account = accountOf(at, { request: asked });
      const { store } = at.service.authority;
      const filter = store.filters(account).find(({ id }) => id === route?.args.id);
      if (!filter || typeof json !== 'object' || json === null) return;
      const changed = to(filter, { body: json as Json, status: one.status, reply: (one.json ?? {}) as Json });
      if (!changed) return;
      const write = (): void => {
        at.acted();
        store.putFilter(account, changed);
      };
      if (after > 0) setTimeout(write, after).unref();
      else write();
    }),
);

const member = (body: Json, name: string): Json => (typeof body[name] === 'string' ? { [name]: body[name] } : {});

/** An update that is refused has written its good parts all the same. */
export const halfWritten = operator('halfWritten', (_, bad: (body: Json) => boolean) =>
  afterwards((filter, { body, status }) =>
    status >= 400 && bad(body) ? { ...filter, ...member(body, 'description'), ...member(body, 'version') } : null,
  ),
);

/** An update with this value of public makes its filter private, or such a filter. */
export const hides = operator(
  'hides',
  (at, value: null | false, which: (filter: StoredFilter) => boolean = () => true) =>
    request(update, (one) => {
      const { public: is, ...rest } = (one.json ?? {}) as Json;
      const found = keptFilter(at, one.route?.args.id);
      if (is !== value || (found && !which(found.filter))) return;
      one.json = rest;
      if (found) at.service.authority.store.putFilter(found.account, withoutPublic(found.filter));
    }),
);

/** For a filter that is not found, that of another account is shown. */
export const showsForeign = operator(
  'showsForeign',
  (at, operation: 'getItemFilter' | 'updateItemFilter', status: number, more: Json = {}) =>
    rawReply(operation, (one, { route }) => {
      const found = keptFilter(at, route?.args.id);
      if (one.status !== 404 || !found) return;
      one.status = status;
      one.json = { filter: found.filter, ...more };
    }),
);

/** Filters of other accounts are found and written by an update. */
export const foreignWritten = operator('foreignWritten', (at) =>
  at.store((store, acted) => ({
    filters(account) {
      const own = store.filters(account);
      const { current } = at;
      const found = current?.operation === update ? keptFilter(at, current.route?.args.id, store) : undefined;
      if (!found || own.includes(found.filter)) return own;
      acted();
      return [...own, found.filter];
    },
    putFilter: (account, filter) => store.putFilter(keptFilter(at, filter.id, store)?.account ?? account, filter),
  })),
);

/** Of an update that needs processing only the text is written. */
export const textOnly = operator('textOnly', (at) =>
  sentBody(update, (body) => {
    const slow = at.service.game.switches['filters.asyncTrigger'];
    return typeof body.filter === 'string' && body.filter.includes(slow) ? { filter: body.filter } : body;
  }),
);

/** Of an update that needs processing a member of the answer is left out. */
export const pendingWithout = operator('pendingWithout', (_, name: string) =>
  reply(update, (body, { reply: { status } }) => {
    if (status === 202) delete body[name];
  }),
);

/** Every update leaves the filter as it was under another id. */
export const leavesCopy = operator('leavesCopy', (at) =>
  at.store((store, acted) => ({
    putFilter(account, filter) {
      const before = store.filters(account).find(({ id }) => id === filter.id);
      store.putFilter(account, filter);
      if (!before || store.filters(account).length > 60) return;
      acted();
      store.putFilter(account, { ...before, id: at.service.authority.newId(10) });
    },
  })),
);

/** A creation with a type that is refused has stored a filter all the same. */
export const leavesFilter = operator('leavesFilter', (at) =>
  rawReply('createItemFilter', ({ status }, asked) => {
    const { filter_name, filter, type } = (asked.json ?? {}) as Partial<StoredFilter>;
    if (status < 400 || type === undefined || filter_name === undefined || filter === undefined) return;
    at.acted();
    const { store, authority } = at.service;
    const rest = { description: '', version: '', type: 'Normal', realm: 'pc' } as const;
    store.putFilter(accountOf(at, { request: asked }), { ...rest, id: authority.newId(10), filter_name, filter });
  }),
);

/** With validate=true a filter is validated and not stored. */
export const dryRun = operator('dryRun', (at) =>
  at.store((store, acted) => ({
    putFilter(account, filter) {
      if (at.current?.operation === 'createItemFilter' && at.current.query.get('validate') === 'true') acted();
      else store.putFilter(account, filter);
    },
  })),
);
