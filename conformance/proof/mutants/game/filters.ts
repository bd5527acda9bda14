import type { OldMutant as Mutant } from '../../mutant.js';
import { answerOf } from '../../interceptor/interceptor.js';
import type { Json, Interceptor } from '../../interceptor/interceptor.js';
import { sent } from '../../interceptor/bodies.js';
import { change, everywhere, gone, having, listAt, rename } from '../../interceptor/json.js';

const filterOperations = ['listItemFilters', 'getItemFilter', 'createItemFilter', 'updateItemFilter'] as const;
const defaults = { filter_name: 'Unnamed', description: '', version: '', type: 'Normal' };
const invalid = (message: string) => answerOf(400, { error: { code: 2, message: `Invalid query: ${message}` } });

/** The account that has a filter. */
const holderOf = (seam: Interceptor, id: string): string | undefined => {
  const { accounts, store } = seam.service.authority;
  return [...accounts.keys()].find((key) => store.filters(key).some((filter) => filter.id === id));
};

export const filters: readonly Mutant[] = [
  {
    id: 'M-PF-06',
    bug: 'a created filter comes without its wrapper',
    rows: ['FILTER-CREATE-001'],
    plant: (seam) => seam.data('createItemFilter', (body) => body.filter),
  },
  {
    id: 'M-PF-09',
    bug: 'a private filter says public: false',
    rows: ['FILTER-CREATE-004', 'FILTER-PUBLIC-003', 'GEN-007'],
    plant: (seam) =>
      seam.data(filterOperations, (body) => {
        for (const filter of having(body, 'filter_name')) filter.public ??= false;
      }),
  },
  {
    id: 'M-PF-12',
    bug: 'a filter of realm game2 is refused',
    rows: ['REALM-FILTER-001'],
    plant: (seam) =>
      seam.request(({ operation, json }) =>
        operation === 'createItemFilter' && (json as Json | undefined)?.realm === 'game2'
          ? invalid('field realm must be one of pc, xbox, sony')
          : undefined,
      ),
  },
  {
    id: 'M-PF-12-any',
    bug: 'a filter of any realm is accepted',
    rows: ['FILTER-CREATE-007'],
    plant: (seam) =>
      sent(seam, 'createItemFilter', (body) => {
        if (!['pc', 'xbox', 'sony', 'game2'].includes(String(body.realm))) body.realm = 'pc';
      }),
  },
  {
    id: 'M-PF-13',
    bug: 'a type in lower case is stored',
    rows: ['FILTER-CREATE-008'],
    plant: (seam) =>
      sent(seam, 'createItemFilter', (body) => {
        if (body.type === 'ruthless') body.type = 'Ruthless';
        if (body.type === 'normal') body.type = 'Normal';
      }),
  },
  {
    id: 'M-PF-16',
    bug: 'malformed JSON gives 500',
    rows: ['FILTER-CREATE-010'],
    plant: (seam) =>
      seam.reply((reply, { operation, json }) => {
        if (operation === 'createItemFilter' && json === undefined && reply.status === 400) reply.status = 500;
      }),
  },
  {
    id: 'M-PF-17',
    bug: 'validate is ignored',
    rows: ['FILTER-VALID-001'],
    plant(seam) {
      for (const operation of ['createItemFilter', 'updateItemFilter'] as const)
        seam.query(operation, (query) => query.delete('validate'));
    },
  },
  {
    id: 'M-PF-18',
    bug: 'an update resets what it leaves out',
    rows: ['FILTER-UPDATE-001'],
    plant: (seam) => sent(seam, 'updateItemFilter', (body) => ({ ...defaults, ...body })),
  },
  {
    id: 'M-PF-19',
    bug: 'an update with {} is refused',
    rows: ['FILTER-UPDATE-002'],
    plant: (seam) =>
      seam.request(({ operation, body }) =>
        operation === 'updateItemFilter' && body.trim() === '{}' ? invalid('nothing to change') : undefined,
      ),
  },
  {
    id: 'M-PF-19-wipes',
    bug: 'an update with {} wipes the filter',
    rows: ['FILTER-UPDATE-002'],
    plant: (seam) =>
      sent(seam, 'updateItemFilter', (body) =>
        Object.keys(body).length === 0 ? { description: 'wiped', version: '', filter: 'Show' } : body,
      ),
  },
  {
    id: 'M-PF-21',
    bug: 'public: null makes a filter private',
    rows: ['FILTER-PUBLIC-001'],
    plant: (seam) =>
      seam.request((request) => {
        const body = request.json as Json | undefined;
        if (request.operation !== 'updateItemFilter' || body?.public !== null) return;
        const { id = '' } = request.route?.args ?? {};
        const { store } = seam.service.authority;
        const holder = holderOf(seam, id);
        const filter = store.filters(holder ?? '').find((one) => one.id === id);
        const { public: _, ...rest } = body;
        request.json = rest;
        if (holder === undefined || !filter) return;
        const { public: __, ...hidden } = filter;
        store.putFilter(holder, hidden);
      }),
  },
  {
    id: 'M-PF-22',
    bug: 'public: false is accepted, and echoed',
    rows: ['FILTER-PUBLIC-002', 'FILTER-PUBLIC-003'],
    plant(seam) {
      const denied = new WeakSet<object>();
      seam.request((request) => {
        const body = request.json as Json | undefined;
        if (request.operation !== 'updateItemFilter' || body?.public !== false) return;
        denied.add(request);
        const { public: _, ...rest } = body;
        request.json = rest;
        const { id = '' } = request.route?.args ?? {};
        const { store } = seam.service.authority;
        const holder = holderOf(seam, id);
        const filter = store.filters(holder ?? '').find((one) => one.id === id);
        if (holder === undefined || !filter) return;
        const { public: __, ...hidden } = filter;
        store.putFilter(holder, hidden);
      });
      seam.data('updateItemFilter', (body, { request }) => {
        if (denied.has(request)) (body.filter as Json).public = false;
      });
    },
  },
  {
    id: 'M-PF-27',
    bug: "another account's filter can be updated",
    rows: ['FILTER-UPDATE-009'],
    plant: (seam) =>
      seam.store((store, acted) => ({
        filters(account) {
          const own = store.filters(account);
          const { current } = seam;
          const id = current?.operation === 'updateItemFilter' ? (current.route?.args.id ?? '') : '';
          const foreign = own.some((one) => one.id === id)
            ? []
            : [...seam.service.authority.accounts.keys()].flatMap((key) =>
                store.filters(key).filter((one) => one.id === id),
              );
          if (foreign.length > 0) acted();
          return [...own, ...foreign];
        },
        putFilter(account, filter) {
          const { accounts } = seam.service.authority;
          const holder = [...accounts.keys()].find((key) => store.filters(key).some((one) => one.id === filter.id));
          store.putFilter(holder ?? account, filter);
        },
      })),
  },
  {
    id: 'M-PF-28',
    bug: 'a description cannot be updated to an empty text',
    rows: ['FILTER-UPDATE-001'],
    plant: (seam) =>
      sent(seam, 'updateItemFilter', (body) => change(body, 'description', (text: string) => text || gone)),
  },
  {
    id: 'M-AD-43',
    bug: 'the list of filters is wrapped in item_filters',
    rows: ['FILTER-LIST-001'],
    plant: (seam) => seam.data('listItemFilters', (body) => rename(body, 'filters', 'item_filters')),
  },
  {
    id: 'M-AD-43-bare',
    bug: 'the list of filters is a bare list',
    rows: ['FILTER-LIST-001'],
    plant: (seam) => seam.data('listItemFilters', (body) => listAt(body, 'filters')),
  },
  {
    id: 'M-AD-45',
    bug: 'description and version are dropped when a filter is created',
    rows: ['FILTER-CREATE-003'],
    plant: (seam) =>
      sent(seam, 'createItemFilter', (body) => {
        delete body.description;
        delete body.version;
      }),
  },
  {
    id: 'M-AD-47',
    bug: 'validation.valid is 0 or 1',
    rows: ['FILTER-VALID-002'],
    plant: (seam) => seam.data(filterOperations, (body) => everywhere(body, 'valid', Number)),
  },
  {
    id: 'M-AD-47-epoch',
    bug: 'validation.validated is a number of seconds',
    rows: ['FILTER-VALID-002'],
    plant: (seam) =>
      seam.data(filterOperations, (body) => everywhere(body, 'validated', (date: string) => Date.parse(date) / 1000)),
  },
  {
    id: 'M-AD-48',
    bug: 'public: true is ignored in an update',
    rows: ['FILTER-UPDATE-003'],
    plant: (seam) =>
      sent(seam, 'updateItemFilter', (body) => change(body, 'public', (value) => (value === true ? gone : value))),
  },
  {
    id: 'M-AD-50',
    bug: 'an update takes JSON under any content type',
    rows: ['FILTER-UPDATE-007'],
    plant: (seam) =>
      seam.request(({ operation, headers }) => {
        if (operation === 'updateItemFilter') headers['content-type'] = 'application/json';
      }),
  },
];
