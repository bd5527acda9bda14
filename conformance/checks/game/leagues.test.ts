import { expect, it } from 'vitest';

import { verdictOf } from '../miniature.fixture.js';
import type { Answered, Asked, Handlers } from '../miniature.fixture.js';

const ids = ['A', 'B', 'C', 'D', 'E'];
const list = ({ query }: Asked): object => {
  const offset = Number(query.get('offset') ?? 0);
  const all = query.get('type') === 'event' || (query.get('realm') ?? 'pc') !== 'pc' ? [] : ids;
  return { leagues: all.slice(offset, offset + Number(query.get('limit') ?? 50)).map((id) => ({ id })) };
};
const unknown = (answered: Answered, handler = list): Handlers => ({
  'GET /league': handler,
  'GET /league/cx-no-such-league': () => answered,
});

it('LEAGUE-GET-006 is about the status, LEAGUE-GET-002 about the member', async () => {
  const bare = unknown([404, { error: 'not found' }]);
  // It is merely plausible and warns. That a declaration is violated is LEAGUE-GET-002, which fails.
  expect(await verdictOf('LEAGUE-GET-006', bare)).toMatch(/^fail: status 200; got status 404/);
  expect(await verdictOf('LEAGUE-GET-006', unknown([500, {}]))).toMatch(/^fail: status 200; got status 500/);
  expect(await verdictOf('LEAGUE-GET-002', { 'GET /league': list })).toMatch(
    /league: null; got no member league: status 404 with an empty object/,
  );
});

it('ERR-002 looks up what is served, also where its list is not', async () => {
  const lists = ['listCharacters', 'listStashes', 'getStash'];
  expect(await verdictOf('ERR-002', {}, {}, lists)).toMatch(/^fail: an object with character: null/);
});

it('LEAGUE-LIMIT-003 names its second request, and leaves an offset that is ignored to its own rows', async () => {
  const short = (asked: Asked): object => {
    const { leagues } = list(asked) as { leagues: unknown[] };
    const limit = Number(asked.query.get('limit') ?? 50);
    return { leagues: limit === 50 && leagues.length > 1 ? leagues.slice(0, -1) : leagues };
  };
  const same = ({ query }: Asked): object => {
    const own = new URLSearchParams(query);
    own.delete('offset');
    return list({ query: own } as Asked);
  };
  const limits = (handler: typeof list) => verdictOf('LEAGUE-LIMIT-003', unknown([404, {}], handler));
  expect(await limits(list)).toBe('pass');
  expect(await limits(same)).toBe('pass');
  expect(await limits(short)).toMatch(/offset=4&limit=1 gives another one/);
});
