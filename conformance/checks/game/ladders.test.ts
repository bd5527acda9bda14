import { example } from '../miniature.fixture.js';
import type { Asked, Handlers } from '../miniature.fixture.js';

const entry = (rank: number): object => ({ rank, character: { id: String(rank).padStart(64, '0') } });

/** The ladder of league L with 15,000 entries; `spoil` changes what is asked for. */
const ladder = (spoil: (window: { limit: number; offset: number }) => { limit: number; offset: number }): Handlers => ({
  'GET /league/L/ladder': ({ query }: Asked) => {
    const asked = { limit: Number(query.get('limit') ?? 20), offset: Number(query.get('offset') ?? 0) };
    const { limit, offset } = spoil({ ...asked, limit: Math.min(asked.limit, 500) });
    const length = Math.max(0, Math.min(limit, 15_000 - offset));
    return { league: { total: 15_000, entries: Array.from({ length }, (_, index) => entry(offset + index + 1)) } };
  },
});
const right = ladder((window) => window);
const known = { ladder_league: 'L' };

example(
  'LADDER-LIMIT-001',
  'that gives 50 entries by default',
  right,
  ladder(({ limit, offset }) => ({ limit: limit === 20 ? 50 : limit, offset })),
  known,
);
example(
  'LADDER-LIMIT-003',
  'that gives one entry less',
  right,
  ladder(({ limit, offset }) => ({ limit: limit - 1, offset })),
  known,
);
example(
  'LADDER-OFFSET-001',
  'that takes an offset for a page',
  right,
  ladder(({ limit, offset }) => ({ limit, offset: offset * limit })),
  known,
);
example(
  'LADDER-DEPTH-002',
  'whose last page goes beyond the depth',
  right,
  ladder(({ limit, offset }) => ({ limit, offset: offset + limit > 15_000 ? 15_000 - limit : offset })),
  known,
);
