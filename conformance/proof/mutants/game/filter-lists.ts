import type { OldMutant as Mutant } from '../../mutant.js';
import { listAt } from '../../interceptor/json.js';
import type { Json } from '../../interceptor/interceptor.js';
import { bearerOf, kept } from '../../interceptor/who.js';

export const filterLists: readonly Mutant[] = [
  {
    id: 'N-FILTER-LIST-003-kept',
    bug: 'the list of filters is kept as it was at first',
    rows: ['FILTER-LIST-003'],
    plant: (seam) => kept(seam, 'listItemFilters', ({ headers }) => bearerOf(headers)),
  },
  {
    id: 'N-FILTER-LIST-003-metadata',
    bug: 'the list of filters shows descriptions as they were created',
    rows: ['FILTER-LIST-003'],
    plant(seam) {
      const first = new Map<unknown, unknown>();
      seam.data('createItemFilter', (body) => {
        const { id, description } = body.filter as Json;
        first.set(id, description);
      });
      seam.data('listItemFilters', (body) => {
        for (const filter of listAt(body, 'filters')) {
          if (first.has(filter.id)) filter.description = first.get(filter.id);
        }
      });
    },
  },
  {
    id: 'N-FILTER-LIST-003-realm',
    bug: 'the list of filters has those of realm pc only',
    rows: ['FILTER-LIST-003'],
    plant: (seam) =>
      seam.data('listItemFilters', (body) => {
        body.filters = listAt(body, 'filters').filter(({ realm }) => realm === 'pc');
      }),
  },
  {
    id: 'N-FILTER-LIST-003-ten',
    bug: 'the list of filters has the first five',
    rows: ['FILTER-LIST-003'],
    plant: (seam) =>
      seam.data('listItemFilters', (body) => {
        body.filters = listAt(body, 'filters').slice(0, 5);
      }),
  },
  {
    id: 'N-FILTER-LIST-001-all',
    bug: 'the list of filters has those of all accounts',
    rows: ['FILTER-LIST-001'],
    plant: (seam) =>
      seam.data('listItemFilters', (body) => {
        const { accounts, store } = seam.service.authority;
        const all = [...accounts.keys()].flatMap((key) => store.filters(key));
        body.filters = all.map(({ filter: _, validation: __, ...rest }) => rest);
      }),
  },
  {
    id: 'N-FILTER-GET-002',
    bug: 'the list of filters tells another version than the lookup',
    rows: ['FILTER-GET-002'],
    plant: (seam) =>
      seam.data('listItemFilters', (body) => {
        for (const filter of listAt(body, 'filters')) filter.version = `${String(filter.version)}.0`;
      }),
  },
  {
    id: 'N-FILTER-GET-003',
    bug: "another account's private filter can be read",
    rows: ['FILTER-UPDATE-009'],
    plant: (seam) =>
      seam.reply((reply, { operation, route }) => {
        const { accounts, store } = seam.service.authority;
        if (operation !== 'getItemFilter' || reply.status !== 404) return;
        const filter = [...accounts.keys()]
          .flatMap((key) => store.filters(key))
          .find(({ id }) => id === route?.args.id);
        if (!filter) return;
        reply.status = 200;
        reply.json = { filter };
      }),
  },
  {
    id: 'N-FILTER-LIST-001-client',
    bug: 'the list of filters has those that the same client created',
    rows: ['FILTER-LIST-001'],
    plant(seam) {
      const makers = new Map<unknown, unknown>();
      const clientOf = (headers: Readonly<Record<string, string | undefined>>): unknown =>
        seam.service.store.findToken(bearerOf(headers))?.grant.clientId;
      seam.data('createItemFilter', (body, { request }) => {
        makers.set((body.filter as Json).id, clientOf(request.headers));
      });
      seam.data('listItemFilters', (body, { request }) => {
        const client = clientOf(request.headers);
        body.filters = listAt(body, 'filters').filter(({ id }) => !makers.has(id) || makers.get(id) === client);
      });
    },
  },
];
