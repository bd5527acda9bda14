import type { StoredFilter } from '../../../../src/store/store.js';
import type { OldMutant as Mutant } from '../../mutant.js';
import { sent } from '../../interceptor/bodies.js';
import { gone, having, change } from '../../interceptor/json.js';
import { answerOf } from '../../interceptor/interceptor.js';
import type { Json, Interceptor } from '../../interceptor/interceptor.js';
import { bearerOf, kept } from '../../interceptor/who.js';

/** Changes what an update leaves behind; the answer to it does not show that. */
const written = (seam: Interceptor, to: (after: StoredFilter, before: StoredFilter) => StoredFilter): void =>
  seam.store((store, acted) => ({
    putFilter(account, filter) {
      const before = store.filters(account).find(({ id }) => id === filter.id);
      const after = before ? to(filter, before) : filter;
      if (after !== filter) acted();
      store.putFilter(account, after);
    },
  }));

const isPrivate = ({ public: _, ...filter }: StoredFilter): StoredFilter => filter;

/** An update that is refused has written its good parts all the same. */
const halfWritten = (seam: Interceptor, bad: (body: Json) => boolean): void => {
  seam.reply((reply, { operation, json, route, headers }) => {
    if (operation !== 'updateItemFilter' || reply.status < 400 || typeof json !== 'object' || json === null) return;
    const { store } = seam.service;
    const account = store.findToken(bearerOf(headers))?.grant.account ?? '';
    const filter = store.filters(account).find(({ id }) => id === route?.args.id);
    const { description, version } = json as Json;
    if (!filter || !bad(json as Json)) return;
    seam.acted();
    store.putFilter(account, {
      ...filter,
      ...(typeof description === 'string' && { description }),
      ...(typeof version === 'string' && { version }),
    });
  });
};

export const filterUpdates: readonly Mutant[] = [
  {
    id: 'N-FILTER-UPDATE-001-text',
    bug: 'a new text clears the description, which only a later lookup shows',
    rows: ['FILTER-UPDATE-001'],
    plant: (seam) =>
      written(seam, (after, before) => (after.filter === before.filter ? after : { ...after, description: '' })),
  },
  {
    id: 'N-FILTER-UPDATE-001-type',
    bug: 'a new description makes the type Normal',
    rows: ['FILTER-UPDATE-001'],
    plant: (seam) =>
      written(seam, (after, before) =>
        after.description === before.description || after.type === 'Normal' ? after : { ...after, type: 'Normal' },
      ),
  },
  {
    id: 'N-FILTER-UPDATE-001-realm',
    bug: 'the realm cannot be updated',
    rows: ['FILTER-UPDATE-001'],
    plant: (seam) => sent(seam, 'updateItemFilter', (body) => change(body, 'realm', () => gone)),
  },
  {
    id: 'N-FILTER-UPDATE-001-dry',
    bug: 'an update with validate=true stores nothing',
    rows: ['FILTER-UPDATE-001'],
    plant: (seam) =>
      written(seam, (after, before) => (seam.current?.query.get('validate') === 'true' ? { ...before } : after)),
  },
  {
    id: 'N-FILTER-UPDATE-001-stale',
    bug: 'a lookup of a filter is kept for ever',
    rows: ['FILTER-UPDATE-001', 'FILTER-MODEL-001'],
    plant: (seam) => kept(seam, 'getItemFilter', ({ url }) => url),
  },
  {
    id: 'N-FILTER-UPDATE-001-zero',
    bug: 'a version that is a number loses the zeros at its end',
    rows: ['FILTER-UPDATE-001'],
    plant: (seam) =>
      sent(seam, 'updateItemFilter', (body) =>
        change(body, 'version', (version: unknown) =>
          typeof version === 'string' && /^\d+\.\d+$/.test(version) ? String(Number(version)) : version,
        ),
      ),
  },
  {
    id: 'N-FILTER-UPDATE-001-version',
    bug: 'a version cannot be updated to an empty text',
    rows: ['FILTER-UPDATE-001'],
    plant: (seam) => sent(seam, 'updateItemFilter', (body) => change(body, 'version', (v) => (v === '' ? gone : v))),
  },
  {
    id: 'N-FILTER-UPDATE-004',
    bug: 'an updated filter comes without its wrapper',
    rows: ['FILTER-UPDATE-004'],
    plant: (seam) => seam.data('updateItemFilter', (body) => body.filter),
  },
  {
    id: 'N-FILTER-UPDATE-004-pending',
    bug: 'an update that needs processing answers without the filter',
    rows: ['FILTER-UPDATE-004'],
    plant: (seam) =>
      seam.data('updateItemFilter', (body, { reply }) => {
        if (reply.status === 202) delete body.filter;
      }),
  },
  {
    id: 'N-FILTER-UPDATE-006',
    bug: 'every update has an error object, which says that there is none',
    rows: ['FILTER-UPDATE-006'],
    beside: ['FILTER-UPDATE-002'],
    plant: (seam) => seam.data('updateItemFilter', (body) => void (body.error ??= { code: 0, message: '' })),
  },
  {
    id: 'N-FILTER-UPDATE-008-realm',
    bug: 'an update with an unknown realm is refused, and its description is stored',
    rows: ['FILTER-UPDATE-008'],
    plant: (seam) => halfWritten(seam, ({ realm }) => realm !== undefined),
  },
  {
    id: 'N-FILTER-UPDATE-008-type',
    bug: 'an update with an unknown type is refused, and its version is stored',
    rows: ['FILTER-UPDATE-008'],
    plant: (seam) => halfWritten(seam, ({ type, version }) => type !== undefined && version !== undefined),
  },
  {
    id: 'N-FILTER-PUBLIC-002',
    bug: 'an update with public: false is refused, and its description is stored',
    rows: ['FILTER-PUBLIC-002'],
    plant: (seam) => halfWritten(seam, (body) => body.public === false),
  },
  {
    id: 'N-FILTER-PUBLIC-001-text',
    bug: 'a new text makes a filter private',
    rows: ['FILTER-PUBLIC-001'],
    plant: (seam) => written(seam, (after, before) => (after.filter === before.filter ? after : isPrivate(after))),
  },
  {
    id: 'N-FILTER-PUBLIC-001-validate',
    bug: 'an update with validate=true makes a filter private',
    rows: ['FILTER-PUBLIC-001'],
    plant: (seam) =>
      written(seam, (after) => (after.public && seam.current?.query.has('validate') ? isPrivate(after) : after)),
  },
  {
    id: 'N-FILTER-PUBLIC-001-realm',
    bug: 'a new realm makes a filter private',
    rows: ['FILTER-PUBLIC-001'],
    plant: (seam) => written(seam, (after, before) => (after.realm === before.realm ? after : isPrivate(after))),
  },
  {
    id: 'N-FILTER-UPDATE-009-read',
    bug: "an update of another account's filter shows it, and changes nothing",
    rows: ['FILTER-UPDATE-009'],
    plant: (seam) =>
      seam.reply((reply, { operation, route }) => {
        const { accounts, store } = seam.service.authority;
        if (operation !== 'updateItemFilter' || reply.status !== 404) return;
        const filter = [...accounts.keys()]
          .flatMap((key) => store.filters(key))
          .find(({ id }) => id === route?.args.id);
        if (filter) reply.json = { filter, error: { code: 1, message: 'Forbidden' } };
      }),
  },
  {
    id: 'N-FILTER-UPDATE-010',
    bug: 'an id in the body of an update is taken',
    rows: ['FILTER-UPDATE-010'],
    plant(seam) {
      seam.data('updateItemFilter', (body, { request }) => {
        const { id } = request.json as Json;
        if (typeof id === 'string') (body.filter as Json).id = id;
      });
    },
  },
  {
    id: 'N-FILTER-UPDATE-010-copy',
    bug: 'every update leaves the filter as it was under another id',
    rows: ['FILTER-UPDATE-010'],
    plant: (seam) =>
      seam.store((store, acted) => ({
        putFilter(account, filter) {
          const before = store.filters(account).find(({ id }) => id === filter.id);
          store.putFilter(account, filter);
          if (!before || store.filters(account).length > 60) return;
          acted();
          store.putFilter(account, { ...before, id: seam.service.authority.newId(10) });
        },
      })),
  },
  {
    id: 'N-FILTER-UPDATE-012',
    bug: 'the answer to an update shows the text as it was before',
    rows: ['FILTER-UPDATE-012'],
    plant(seam) {
      const texts = new Map<unknown, unknown>();
      seam.data(['createItemFilter', 'updateItemFilter'], (body) => {
        for (const filter of having(body, 'filter_name', 'filter')) {
          const before = texts.get(filter.id);
          texts.set(filter.id, filter.filter);
          if (before !== undefined) filter.filter = before;
        }
      });
    },
  },
  {
    id: 'N-FILTER-UPDATE-012-lines',
    bug: 'the answer to an update shows line ends of one kind',
    rows: ['FILTER-UPDATE-012'],
    plant: (seam) =>
      seam.data('updateItemFilter', (body) => {
        for (const filter of having(body, 'filter_name', 'filter')) {
          filter.filter = String(filter.filter).replaceAll('\r\n', '\n');
        }
      }),
  },
  {
    id: 'N-FILTER-UPDATE-002-empty',
    bug: 'an update of a public filter with {} is refused',
    rows: ['FILTER-UPDATE-002'],
    plant: (seam) =>
      seam.request(({ operation, json }) =>
        operation === 'updateItemFilter' && JSON.stringify(json) === '{}'
          ? answerOf(422, { error: { code: 2, message: 'nothing to update' } })
          : undefined,
      ),
  },
];
