import { Reference } from '../reference.js';
import type { ClientMutant, Made } from './make.js';
import { gather, dressed } from './make.js';

export const filters: ClientMutant[] = [];
const mutant = gather(filters);

mutant(
  'filter-form',
  'sends filters as a form',
  'FILTER-TYPE-001',
  [],
  dressed((request) =>
    request.method === 'POST'
      ? { ...request, headers: { ...request.headers, 'content-type': 'application/x-www-form-urlencoded' } }
      : request,
  ),
);
mutant(
  'filter-text',
  'sends filters as text',
  'FILTER-TYPE-001',
  [],
  dressed((request) =>
    request.method === 'POST' ? { ...request, headers: { ...request.headers, 'content-type': 'text/plain' } } : request,
  ),
);
const creates = (change: (body: Record<string, unknown>) => Record<string, unknown>): Made =>
  class extends Reference {
    override createFilter(body: Record<string, unknown>): Promise<unknown> {
      return super.createFilter(change(body));
    }
  };
mutant(
  'filter-no-realm',
  'creates a filter without a realm',
  'FILTER-BODY-001',
  [],
  creates(({ realm: _, ...body }) => body),
);
mutant(
  'filter-name',
  'names a filter by a number',
  'FILTER-BODY-001',
  [],
  creates((body) => ({ ...body, filter_name: 7 })),
);
mutant(
  'filter-wrapped',
  'wraps the filter',
  'FILTER-BODY-001',
  [],
  creates((body) => ({ filter: body })),
);
const updates = (more: Record<string, unknown>): Made =>
  class extends Reference {
    override updateFilter(id: string, body: Record<string, unknown>): Promise<unknown> {
      return super.updateFilter(id, { ...body, ...more });
    }
  };
mutant('filter-private', 'makes a filter private', 'FILTER-PUBLIC-001', [], updates({ public: false }));
mutant('filter-public-null', 'sends public: null', 'FILTER-PUBLIC-001', [], updates({ public: null }));
mutant(
  'filter-whole',
  'sends every property',
  'FILTER-PART-001',
  [],
  updates({ filter_name: 'a', realm: 'pc', version: '', type: 'Normal', filter: 'Show\n' }),
);
mutant(
  'filter-repeated',
  'creates a filter three times',
  'FILTER-REPEAT-001',
  [],
  class extends Reference {
    override async createFilter(body: Record<string, unknown>): Promise<unknown> {
      await super.createFilter(body);
      await super.createFilter(body);
      return super.createFilter(body);
    }
  },
);
mutant(
  'filter-blind',
  'creates a filter again when the reply was lost',
  'FILTER-REPEAT-001',
  ['lost-create-reply'],
  class extends Reference {
    override async failed(): Promise<undefined> {
      return undefined;
    }
  },
);
mutant(
  'filter-misnamed',
  'updates a filter with members of its own',
  'FILTER-BODY-001',
  [],
  class extends Reference {
    override updateFilter(id: string): Promise<unknown> {
      return super.updateFilter(id, { name: 'renamed', desc: 'kept up' });
    }
  },
);
