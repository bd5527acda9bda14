import type { Interceptor, Json } from '../../interceptor/interceptor.js';
import { bearerOf } from '../../interceptor/who.js';
import type { Inbound } from '../../interceptor/traffic.js';
import { mutants, together } from '../../mutant.js';
import { dryRun } from '../../operators/filters.js';
import { drop, list, omit, put, rename, reply, set, stale, unwrap } from '../../operators/replies.js';
import { query, refuse } from '../../operators/requests.js';

const listing = 'listItemFilters';
const create = 'createItemFilter';
const update = 'updateItemFilter';
const filterOperations = [listing, 'getItemFilter', create, update] as const;

const clientOf = ({ headers }: Inbound, at: Interceptor) =>
  at.service.store.findToken(bearerOf(headers))?.grant.clientId;

/** How filters are listed, looked up and validated. */
const hasNoText = ({ body }: Inbound): boolean => !body.includes('"filter"');

export const filters = mutants({
  'FILTER-LIST-001 M-AD-43: the list of filters is wrapped in item_filters': () =>
    rename(listing, 'filters', 'item_filters'),
  'FILTER-LIST-001 M-AD-43-bare: the list of filters is a bare list': () => unwrap(listing, 'filters'),
  'FILTER-LIST-001 all: the list of filters has those of all accounts': () =>
    list(listing, 'filters', (_, __, { service: { authority } }) =>
      [...authority.accounts.keys()]
        .flatMap((key) => authority.store.filters(key))
        .map(({ filter: ___, validation: ____, ...rest }) => rest),
    ),
  'FILTER-LIST-001 public: the list of filters has the public ones of other accounts': () =>
    list(listing, 'filters', (own, __, { service: { authority } }) => {
      const open = [...authority.accounts.keys()]
        .flatMap((key) => authority.store.filters(key))
        .filter((one) => one.public && !(own as Json[]).some(({ id }) => id === one.id))
        .map(({ filter: ___, validation: ____, ...rest }) => rest);
      return [...(own as Json[]), ...open];
    }),
  'FILTER-LIST-001 client: the list of filters has those that the same client created': (
    makers = new Map<unknown, unknown>(),
  ) =>
    together(
      reply(create, (body, { request }, at) => {
        makers.set((body.filter as Json).id, clientOf(request, at));
      }),
      list(listing, 'filters', (all, { request }, at) =>
        all.filter(({ id }) => !makers.has(id) || makers.get(id) === clientOf(request, at)),
      ),
    ),
  'FILTER-UPDATE-001 client: a filter is updated by the client alone that created it': (
    makers = new Map<unknown, unknown>(),
  ) =>
    together(
      reply(create, (body, { request }, at) => {
        makers.set((body.filter as Json).id, clientOf(request, at));
      }),
      refuse(update, (one, at) => (makers.get(one.route?.args.id) ?? clientOf(one, at)) !== clientOf(one, at), 404),
    ).inCase('another client'),
  'FILTER-LIST-002: the list of filters has their texts': () => put(listing, 'filters[].filter', 'Show'),
  'FILTER-LIST-003 kept: the list of filters is kept as it was at first': () =>
    stale(listing, ({ headers }) => bearerOf(headers)),
  'FILTER-LIST-003 metadata: the list of filters shows descriptions as they were created': (
    first = new Map<unknown, unknown>(),
  ) =>
    together(
      reply(create, ({ filter }) => void first.set((filter as Json).id, (filter as Json).description)),
      set(listing, 'filters[].description', (text: unknown, { id }: Json) => first.get(id) ?? text),
    ),
  'FILTER-LIST-003 realm: the list of filters has those of realm pc only': () =>
    omit(listing, 'filters', ({ realm }) => realm !== 'pc'),
  'FILTER-LIST-003 ten: the list of filters has the first five': () =>
    list(listing, 'filters', (all) => all.slice(0, 5)),
  'FILTER-LIST-003 most: the list of filters has at most ten': () =>
    list(listing, 'filters', (all) => all.slice(0, 10)),
  'FILTER-LIST-003 N-FILTER-VALID-001-dry: with validate=true a filter is validated and not stored': () => dryRun(),
  'FILTER-LIST-004: a public filter is listed twice': () =>
    list(listing, 'filters', (all) => [...all, ...all.filter(({ public: is }) => is === true)]).exercise(
      'FILTER-CREATE-005',
    ),
  'FILTER-GET-001: a filter is shown without its text': () => drop('getItemFilter', 'filter.filter'),
  'FILTER-GET-002: the list of filters tells another version than the lookup': () =>
    put(listing, 'filters[].version', (version: unknown) => `${String(version)}.0`),
  'FILTER-VALID-001 M-PF-17: validate is ignored': () => query([create, update], (one) => one.delete('validate')),
  'FILTER-VALID-001 update: validate is ignored in updates': () => drop(update, 'filter.validation'),
  'FILTER-VALID-001 stored: validate is ignored in updates without a text': () =>
    drop(update, 'filter.validation', hasNoText).warns(),
  'FILTER-VALID-003 stored: an update without a text is validated as an empty one': () =>
    set(update, 'filter.validation.valid', false, hasNoText),
  'FILTER-VALID-001 game2: filters of the second game are not validated in updates': () =>
    set(update, 'filter.validation', (validation: unknown, { realm }: Json) =>
      realm === 'game2' ? undefined : validation,
    ).inCase('in every realm'),
  'FILTER-VALID-002 M-AD-47: validation.valid is 0 or 1': () => set(filterOperations, '**.valid', Number),
  'FILTER-VALID-002 M-AD-47-epoch: validation.validated is a number of seconds': () =>
    set(filterOperations, '**.validated', (date: string) => Date.parse(date) / 1000),
  'FILTER-VALID-003 created: whatever is created is valid': () =>
    set('createItemFilter', 'filter.validation.valid', true),
  'FILTER-VALID-003: every filter is valid': () => set(update, '**.valid', true),
  'FILTER-VALID-003 text: with validate=true the filter is validated as it was before the update': (
    before = new Map<unknown, unknown>(),
  ) =>
    set(update, '**.validation', (validation: unknown, { id }: Json) => {
      const shown = before.get(id) ?? validation;
      before.set(id, validation);
      return shown;
    }),
});
