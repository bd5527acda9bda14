import type { Mutant } from '../../mutant.js';
import { change, gone, listAt } from '../../seam/json.js';
import type { Json } from '../../seam/seam.js';

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
    id: 'N-FILTER-UPDATE-005',
    bug: 'an update that needs processing has no error object',
    rows: ['FILTER-UPDATE-005'],
    beside: ['FILTER-UPDATE-004'],
    plant: (seam) =>
      seam.data('updateItemFilter', (body, { reply }) => {
        if (reply.status === 202) delete body.error;
      }),
  },
];
