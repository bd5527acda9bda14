import type { OldMutant as Mutant } from '../../mutant.js';
import { sent } from '../../interceptor/bodies.js';
import { change } from '../../interceptor/json.js';
import { answerOf } from '../../interceptor/interceptor.js';
import type { Json, Interceptor } from '../../interceptor/interceptor.js';
import { bearerOf } from '../../interceptor/who.js';

/** Creations in which a member that was left out has a value. */
const creatingWith = (seam: Interceptor, defaults: Json): void =>
  sent(seam, 'createItemFilter', (body) => ({ ...defaults, ...body }));

/** A creation that is refused has stored a filter all the same. */
const leftBehind = (seam: Interceptor, bad: (body: Json) => boolean): void =>
  seam.reply((reply, { operation, json, headers }) => {
    if (operation !== 'createItemFilter' || reply.status < 400 || typeof json !== 'object' || json === null) return;
    if (!bad(json as Json)) return;
    const { store, authority } = seam.service;
    const account = store.findToken(bearerOf(headers))?.grant.account ?? '';
    const { filter_name, filter } = json as Record<string, string>;
    if (filter_name === undefined || filter === undefined) return;
    seam.acted();
    const rest = { description: '', version: '', type: 'Normal' as const, realm: 'pc' as const };
    store.putFilter(account, { ...rest, id: authority.newId(10), filter_name, filter });
  });

export const filterRefusals: readonly Mutant[] = [
  {
    id: 'N-FILTER-CREATE-006',
    bug: 'filter_name may be left out',
    rows: ['FILTER-CREATE-006'],
    plant: (seam) =>
      seam.request((request) => {
        const body = request.json;
        if (
          request.operation !== 'createItemFilter' ||
          typeof body !== 'object' ||
          body === null ||
          Array.isArray(body)
        )
          return;
        if (!('filter_name' in body)) request.json = { filter_name: 'Unnamed', ...body };
      }),
  },
  {
    id: 'N-FILTER-CREATE-006-realm',
    bug: 'without a realm a filter is of realm pc',
    rows: ['FILTER-CREATE-006'],
    plant: (seam) => creatingWith(seam, { realm: 'pc' }),
  },
  {
    id: 'N-FILTER-CREATE-006-text',
    bug: 'without a text a filter is empty',
    rows: ['FILTER-CREATE-006'],
    plant: (seam) => creatingWith(seam, { filter: '' }),
  },
  {
    id: 'N-FILTER-CREATE-008',
    bug: 'a type that nobody knows is refused, and a filter is left behind',
    rows: ['FILTER-CREATE-008'],
    plant: (seam) => leftBehind(seam, ({ type }) => type !== undefined),
  },
  {
    id: 'N-FILTER-CREATE-009',
    bug: 'application/json with a charset is refused',
    rows: ['FILTER-CREATE-009'],
    plant: (seam) =>
      seam.request(({ operation, headers }) =>
        operation === 'createItemFilter' && headers['content-type']?.includes('charset')
          ? answerOf(415, { error: { code: 3, message: 'Unsupported media type' } })
          : undefined,
      ),
  },
  {
    id: 'N-FILTER-CREATE-009-none',
    bug: 'a creation without a content type is accepted',
    rows: ['FILTER-CREATE-009'],
    plant: (seam) =>
      seam.request(({ operation, headers }) => {
        if (operation === 'createItemFilter') headers['content-type'] ??= 'application/json';
      }),
  },
  {
    id: 'N-FILTER-CREATE-009-like',
    bug: 'every content type that begins with application is taken for JSON',
    rows: ['FILTER-CREATE-009'],
    plant: (seam) =>
      seam.request(({ operation, headers }) => {
        if (operation === 'createItemFilter' && headers['content-type']?.startsWith('application/'))
          headers['content-type'] = 'application/json';
      }),
  },
  {
    id: 'N-FILTER-CREATE-010-number',
    bug: 'a number is taken for a name',
    rows: ['FILTER-CREATE-010'],
    plant: (seam) =>
      sent(seam, 'createItemFilter', (body) =>
        change(body, 'filter_name', (name) => (typeof name === 'number' ? String(name) : name)),
      ),
  },
  {
    id: 'N-FILTER-CREATE-010-public',
    bug: 'public: 1 and public: "true" are taken for true',
    rows: ['FILTER-CREATE-010'],
    plant: (seam) =>
      sent(seam, 'createItemFilter', (body) =>
        change(body, 'public', (value: unknown) => (value === 1 || value === 'true' ? true : value)),
      ),
  },
  {
    id: 'N-FILTER-CREATE-010-description',
    bug: 'a description that is a number is written as text',
    rows: ['FILTER-CREATE-010'],
    plant: (seam) =>
      sent(seam, 'createItemFilter', (body) =>
        change(body, 'description', (value: unknown) => (typeof value === 'number' ? String(value) : value)),
      ),
  },
];
