import type { JsonObject } from '../../json.js';
import { example, guarded } from '../miniature.fixture.js';
import type { Handlers } from '../miniature.fixture.js';

/** A server of one filter, which an update makes of the one before and of what was sent. */
function filters(
  update: (before: JsonObject, body: JsonObject) => JsonObject,
  found = (text: unknown) => text,
): Handlers {
  let filter: JsonObject = {};
  const shown = (): object => ({ filter: { ...filter, filter: found(filter['filter']) } });
  return {
    'GET /item-filter': guarded(() => ({ filters: [filter] })),
    'GET /item-filter/f1': guarded(shown),
    'POST /item-filter': guarded(({ json }) => {
      filter = { id: 'f1', ...json };
      return shown();
    }),
    'POST /item-filter/f1': guarded(({ json }) => {
      filter = update(filter, json);
      return shown();
    }),
  };
}
const right = filters((before, body) => ({ ...before, ...body }));

example(
  'FILTER-UPDATE-001',
  'that resets what an update leaves out',
  right,
  filters(({ id }, body) => ({ description: '', ...body, id })),
);
example(
  'FILTER-UPDATE-002',
  'that an empty update wipes',
  right,
  filters((before, body) => ({ ...before, description: 'wiped', ...body })),
);
example(
  'FILTER-GET-001',
  'that shows half of the text',
  right,
  filters(
    (before) => before,
    (text) => String(text).slice(0, 9),
  ),
);
