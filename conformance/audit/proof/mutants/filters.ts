import { mutants, swap } from '../client-mutant.js';
import type { ClientEntry } from '../client-mutant.js';
import { dataRequest } from '../operators.js';

/** Sends filters with another content type. */
const filtersAs = (type: string): ClientEntry =>
  dataRequest((request) =>
    request.method === 'POST' ? { ...request, headers: { ...request.headers, 'content-type': type } } : request,
  );

type Body = Record<string, unknown>;

/** Creates filters with another body. */
const creates = (change: (body: Body) => Body): ClientEntry =>
  swap((_, { createFilter }) => ({ createFilter: (body) => createFilter(change(body)) }));

/** Updates filters with more members. */
const updates = (more: Body): ClientEntry =>
  swap((_, { updateFilter }) => ({ updateFilter: (id, body) => updateFilter(id, { ...body, ...more }) }));

/** Sends an empty object from that repetition of a filter on. */
const emptied = (from: number): ClientEntry =>
  swap((_, { dataRequest: sends }) => {
    let times = 0;
    return {
      dataRequest: (method, path, token, body) =>
        sends(method, path, token, path === '/item-filter' && body && (times += 1) > from ? {} : body),
    };
  }).in('filter-refused');

/** Copies the text of a filter that it has read. */
const copiesText = (change: (text: string) => string): ClientEntry =>
  swap((client, { filters }) => ({
    filters: async () => {
      const {
        filters: [{ id }],
      } = (await client.get('/item-filter')) as { filters: [{ id: string }] };
      const { filter } = (await client.get(`/item-filter/${client.encode(id)}`)) as { filter: { filter: string } };
      await client.createFilter({ filter_name: 'copy', realm: 'pc', filter: change(filter.filter) });
      await filters();
    },
  })).in('odd-names');

const everything = { filter_name: 'a', realm: 'pc', version: '', type: 'Normal', filter: 'Show\n' };

export const filters = mutants({
  'FILTER-TYPE-001 filter-form: sends filters as a form': filtersAs('application/x-www-form-urlencoded'),
  'FILTER-TYPE-001 filter-text: sends filters as text': filtersAs('text/plain'),
  'FILTER-BODY-001 filter-no-realm: creates a filter without a realm': creates(({ realm: _, ...body }) => body),
  'FILTER-BODY-001 filter-name: names a filter by a number': creates((body) => ({ ...body, filter_name: 7 })),
  'FILTER-BODY-001 filter-wrapped: wraps the filter': creates((body) => ({ filter: body })),
  'FILTER-TEXT-001 filter-latin: copies a filter, and reads its UTF-8 as Latin-1': copiesText((text) =>
    Buffer.from(text).toString('latin1'),
  ),
  'FILTER-TEXT-001 filter-parts: copies a filter whose characters it decoded in parts': copiesText((text) =>
    text.replaceAll(/[^ -~\s]/g, '\ufffd\ufffd'),
  ),
  'FILTER-TEXT-001 filter-ascii: copies a filter with ? for what is beyond ASCII': copiesText((text) =>
    text.replaceAll(/[^ -~\s]/g, '?'),
  ),
  'FILTER-BODY-001 filter-misnamed: updates a filter with members of its own': swap((_, { updateFilter }) => ({
    updateFilter: (id) => updateFilter(id, { name: 'renamed', desc: 'kept up' }),
  })),
  'FILTER-BODY-001 filter-bom: sends a byte order mark before a filter': dataRequest((request) =>
    request.body === undefined ? request : { ...request, body: `\ufeff${request.body}` },
  ),
  'FILTER-BODY-001 filter-emptied: sends an empty object where it sends a filter once more with a new token':
    emptied(1),
  'FILTER-BODY-001 filter-emptied-later: sends an empty object where it sends a filter once more after a 503':
    emptied(2),
  'FILTER-PUBLIC-001 filter-private: makes a filter private': updates({ public: false }),
  'FILTER-PUBLIC-001 filter-public-null: sends public: null': updates({ public: null }),
  'FILTER-PART-001 filter-whole: sends every property': updates(everything),
  'FILTER-REPEAT-001 filter-repeated: creates a filter three times': swap((_, { createFilter }) => ({
    createFilter: async (body) => {
      await createFilter(body);
      await createFilter(body);
      return createFilter(body);
    },
  })),
  'FILTER-REPEAT-001 filter-blind: creates a filter again when the reply was lost': swap({
    failed: () => Promise.resolve(undefined),
  }).in('lost-create-reply'),
  'FILTER-REPEAT-001 filter-unread: lists the filters when the reply was lost, and creates it again whatever they are':
    swap((client, { createFilter }) => ({
      createFilter: (body) =>
        createFilter(body).catch(async () => {
          await client.get('/item-filter');
          return createFilter(body);
        }),
    })).in('lost-create-reply'),
  'FILTER-REPEAT-001 filter-stamped: creates a filter under another name when the reply was lost': swap(
    (_, { createFilter }) => ({
      createFilter: (body) => createFilter(body).catch(() => createFilter({ ...body, filter_name: 'reference 2' })),
    }),
  ).in('lost-create-reply'),
  'FILTER-ACCEPTED-001 accepted-anew: creates a filter anew where an update was accepted with an error': swap(
    (client) => ({
      updateFilter: async (id, body) => {
        const reply = (await client.data('POST', `/item-filter/${id}`, body)) as { error?: unknown; filter: Body };
        return reply.error === undefined
          ? reply
          : client.createFilter({ filter_name: 'reference', realm: 'pc', filter: 'Show\n', ...body });
      },
    }),
  ).in('filter-statuses'),
  'FILTER-ACCEPTED-001 accepted-again: sends an update until its reply has no error': swap((client) => ({
    updateFilter: async (id, body) => {
      for (let attempt = 0; ; attempt += 1) {
        const reply = (await client.data('POST', `/item-filter/${id}`, body)) as { error?: unknown };
        if (reply.error === undefined || attempt === 3) return reply;
      }
    },
  })).in('filter-statuses'),
  'FILTER-ACCEPTED-001 accepted-twice: sends an update once more whose reply has an error': swap((client) => ({
    updateFilter: async (id, body) => {
      const update = (): Promise<unknown> => client.data('POST', `/item-filter/${id}`, body);
      const reply = (await update()) as { error?: unknown };
      return reply.error === undefined ? reply : update();
    },
  })).in('filter-statuses'),
});
