import type { OldMutant as Mutant } from '../../mutant.js';
import { sent } from '../../interceptor/bodies.js';
import { change, gone, having, listAt } from '../../interceptor/json.js';
import { answerOf } from '../../interceptor/interceptor.js';
import type { Json, Interceptor } from '../../interceptor/interceptor.js';

const creating = (seam: Interceptor, to: (text: string) => string): void =>
  sent(seam, 'createItemFilter', (body) =>
    change(body, 'filter', (text: unknown) => (typeof text === 'string' ? to(text) : text)),
  );

const cut = (name: unknown, length: number): unknown => (typeof name === 'string' ? name.slice(0, length) : name);

export const filterBodies: readonly Mutant[] = [
  {
    id: 'N-FILTER-LIST-002',
    bug: 'the list of filters has their texts',
    rows: ['FILTER-LIST-002'],
    plant: (seam) =>
      seam.data('listItemFilters', (body) => {
        for (const filter of listAt(body, 'filters')) filter.filter = 'Show';
      }),
  },
  {
    id: 'N-FILTER-GET-001',
    bug: 'a filter is shown without its text',
    rows: ['FILTER-GET-001'],
    plant: (seam) => seam.data('getItemFilter', (body) => change(body.filter as Json, 'filter', () => gone)),
  },
  {
    id: 'N-FILTER-CREATE-002',
    bug: 'line ends of a filter are made alike',
    rows: ['FILTER-CREATE-002'],
    plant: (seam) =>
      seam.request((request) => {
        if (request.operation === 'createItemFilter')
          request.body = request.body.replaceAll(String.raw`\r\n`, String.raw`\n`);
      }),
  },
  {
    id: 'N-FILTER-CREATE-002-trim',
    bug: 'the text of a filter is trimmed',
    rows: ['FILTER-CREATE-002'],
    plant: (seam) =>
      seam.request((request) => {
        const body = request.json as Json | undefined;
        if (
          request.operation === 'createItemFilter' &&
          typeof body?.filter === 'string' &&
          body.filter.trim() !== body.filter
        )
          request.json = { ...body, filter: body.filter.trim() };
      }),
  },
  {
    id: 'N-FILTER-CREATE-005',
    bug: 'public is dropped when a filter is created',
    rows: ['FILTER-CREATE-005'],
    plant: (seam) =>
      seam.request((request) => {
        const body = request.json as Json | undefined;
        if (request.operation !== 'createItemFilter' || body?.public !== true) return;
        const { public: _, ...rest } = body;
        request.json = rest;
      }),
  },
  {
    id: 'N-FILTER-UPDATE-005',
    bug: 'an update that needs processing has no error object',
    rows: ['FILTER-UPDATE-005'],
    beside: ['FILTER-UPDATE-004'],
    plant: (seam) =>
      seam.data('updateItemFilter', (body, { reply }) => {
        if (reply.status === 202) delete body.error;
      }),
  },
  {
    id: 'N-FILTER-CREATE-002-planes',
    bug: 'characters outside the basic plane become question marks',
    rows: ['FILTER-CREATE-002'],
    plant: (seam) => creating(seam, (text) => text.replace(/[\u{10000}-\u{10FFFF}]/gu, '?')),
  },
  {
    id: 'N-FILTER-CREATE-002-long',
    bug: 'a text is cut off after 65535 bytes',
    rows: ['FILTER-CREATE-002'],
    plant: (seam) => creating(seam, (text) => Buffer.from(text).subarray(0, 65_535).toString()),
  },
  {
    id: 'N-FILTER-CREATE-002-form',
    bug: 'a text is brought into Unicode form C',
    rows: ['FILTER-CREATE-002'],
    plant: (seam) => creating(seam, (text) => text.normalize('NFC')),
  },
  {
    id: 'N-FILTER-CREATE-002-html',
    bug: 'a text has its HTML escaped',
    rows: ['FILTER-CREATE-002'],
    plant: (seam) => creating(seam, (text) => text.replaceAll('<', '&lt;')),
  },
  {
    id: 'N-FILTER-CREATE-002-tab',
    bug: 'tabs in a text become spaces',
    rows: ['FILTER-CREATE-002'],
    plant: (seam) => creating(seam, (text) => text.replaceAll('\t', ' ')),
  },
  {
    id: 'N-FILTER-CREATE-002-name',
    bug: 'a name is cut off after 16 characters',
    rows: ['FILTER-CREATE-002'],
    plant: (seam) => sent(seam, 'createItemFilter', (body) => change(body, 'filter_name', (name) => cut(name, 16))),
  },
  {
    id: 'N-FILTER-CREATE-002-name-64',
    bug: 'a name is cut off after 64 characters',
    rows: ['FILTER-CREATE-002'],
    plant: (seam) => sent(seam, 'createItemFilter', (body) => change(body, 'filter_name', (name) => cut(name, 64))),
  },
  {
    id: 'N-FILTER-CREATE-003-cut',
    bug: 'a description is cut off after 255 characters',
    rows: ['FILTER-CREATE-003'],
    plant: (seam) => sent(seam, 'createItemFilter', (body) => change(body, 'description', (text) => cut(text, 255))),
  },
  {
    id: 'N-FILTER-CREATE-002-update',
    bug: 'line ends of an updated filter are made alike',
    rows: ['FILTER-UPDATE-001'],
    plant: (seam) =>
      sent(seam, 'updateItemFilter', (body) =>
        change(body, 'filter', (text: unknown) => (typeof text === 'string' ? text.replaceAll('\r\n', '\n') : text)),
      ),
  },
  {
    id: 'N-FILTER-CREATE-003',
    bug: 'a description is shown without what is not ASCII',
    rows: ['FILTER-CREATE-003'],
    plant: (seam) =>
      sent(seam, 'createItemFilter', (body) =>
        change(body, 'description', (text: unknown) =>
          typeof text === 'string' ? text.replace(/[^\x20-\x7e]/g, '') : text,
        ),
      ),
  },
  {
    id: 'N-FILTER-CREATE-013',
    bug: 'a description that is null is stored as the text null',
    rows: ['FILTER-CREATE-013'],
    plant: (seam) => sent(seam, 'createItemFilter', (body) => change(body, 'description', (value) => value ?? 'null')),
  },
  {
    id: 'N-FILTER-CREATE-013-refused',
    bug: 'type: null is refused',
    rows: ['FILTER-CREATE-013'],
    plant: (seam) =>
      seam.request((request) =>
        request.operation === 'createItemFilter' && (request.json as Json | undefined)?.type === null
          ? answerOf(400, { error: { code: 2, message: 'type must be a text' } })
          : undefined,
      ),
  },
  {
    id: 'N-FILTER-CREATE-011',
    bug: 'the type of a filter without one is not shown',
    rows: ['FILTER-CREATE-011'],
    plant: (seam) =>
      seam.data('createItemFilter', (body, { request }) => {
        if (!('type' in (request.json as Json))) change(body.filter as Json, 'type', () => '');
      }),
  },
  {
    id: 'N-FILTER-LIST-004',
    bug: 'a public filter is listed twice',
    rows: ['FILTER-LIST-004'],
    beside: ['FILTER-CREATE-005'],
    plant: (seam) =>
      seam.data('listItemFilters', (body) => {
        listAt(body, 'filters').push(...listAt(body, 'filters').filter((one) => one.public === true));
      }),
  },
  {
    id: 'N-FILTER-VALID-001-dry',
    bug: 'with validate=true a filter is validated and not stored',
    rows: ['FILTER-LIST-003'],
    plant: (seam) =>
      seam.store((store, acted) => ({
        putFilter(account, filter) {
          if (seam.current?.operation === 'createItemFilter' && seam.current.query.get('validate') === 'true') acted();
          else store.putFilter(account, filter);
        },
      })),
  },
  {
    id: 'N-FILTER-VALID-001-update',
    bug: 'validate is ignored in updates',
    rows: ['FILTER-VALID-001'],
    plant: (seam) => seam.data('updateItemFilter', (body) => change(body.filter as Json, 'validation', () => gone)),
  },
  {
    id: 'N-FILTER-VALID-003',
    bug: 'every filter is valid',
    rows: ['FILTER-VALID-003'],
    plant: (seam) =>
      seam.data('updateItemFilter', (body) => {
        for (const validation of having(body, 'valid')) validation.valid = true;
      }),
  },
  {
    id: 'N-FILTER-VALID-003-text',
    bug: 'with validate=true the filter is validated as it was before the update',
    rows: ['FILTER-VALID-003'],
    plant(seam) {
      const before = new Map<unknown, unknown>();
      seam.data('updateItemFilter', (body) => {
        for (const filter of having(body, 'validation')) {
          const { validation, id } = filter;
          if (before.has(id)) filter.validation = before.get(id);
          before.set(id, validation);
        }
      });
    },
  },
];
