import { afterEach, describe, expect, it } from 'vitest';

import { leagueFindings } from './doctor-leagues.js';
import { loadTarget } from './load.js';
import { plainTransport } from './plain-transport.js';
import { fakeServer } from './server.fixture.js';
import type { FakeAnswer, FakeServer } from './server.fixture.js';

let server: FakeServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

const none: FakeAnswer = { body: { league: null } };

/** What is found at a server that has the leagues Standard and Hidden, and lists the first, with an event. */
async function found(
  known: object,
  otherwise: (path: string) => FakeAnswer | undefined = () => undefined,
  scopes: readonly string[] = ['service:leagues', 'service:leagues:ladder'],
) {
  server = await fakeServer(({ path, query }) => {
    const [, , name, ladder] = path.split('/').map(decodeURIComponent);
    const league = name === 'Standard' || name === 'Hidden' ? { id: name } : null;
    const other = otherwise(path);
    if (other) return other;
    if (path === '/oauth/token') return { body: { access_token: 'a' } };
    if (path === '/league') {
      const id = query.get('type') === 'event' ? 'Race' : 'Standard';
      return { body: { leagues: query.get('offset') === '0' ? [{ id }] : [] } };
    }
    if (ladder) return league ? { body: { league, ladder: { entries: [] } } } : { status: 404, body: { error: {} } };
    return league ? { body: { league } } : none;
  });
  const clients = { service: { client_id: 's', client_secret: 's', scopes } };
  const settings = { base_url: server.url, consent: 'none', clients, known };
  const target = await loadTarget({ file: '-', env: {}, stdin: async () => JSON.stringify(settings) });
  return (await leagueFindings(target, plainTransport())).map(
    ({ about, met, remedy }) => `${about}: ${met}; ${remedy}`,
  );
}

describe('leagues of known', () => {
  it('that the server does not have are named, with the one that is meant', async () => {
    expect(
      await found({
        ladder_league: 'Standrd',
        main_leagues: ['Standard', 'Hidden'],
        event_leagues: ['Race', '100% A/B'],
      }),
    ).toEqual([
      'known.event_leagues: the server has no league 100% A/B: neither GET /league/100%25%20A%2FB finds it nor GET /league/100%25%20A%2FB/ladder; write the id of one that it has',
      'known.ladder_league: the server has no league Standrd: neither GET /league/Standrd finds it nor GET /league/Standrd/ladder; did you mean Standard?',
    ]);
  });

  it('are named without a ladder too, where they are those of the lists', async () => {
    expect(
      await found({ ladder_league: 'Standrd', main_leagues: ['Standrd', 'Hidden'] }, undefined, ['service:leagues']),
    ).toEqual([
      'known.main_leagues: the server has no league Standrd: GET /league/Standrd does not find it, nor do the lists; did you mean Standard?',
    ]);
  });

  it('that are odd are not looked for, and what a list of any type has is there', async () => {
    expect(await found({ odd_names: ['100% A/B'], event_leagues: ['Race'] })).toEqual([]);
  });

  it.each<[string, (path: string) => FakeAnswer | undefined]>([
    ['finds no league by its id', (path) => (/^\/league\/[^/]+$/.test(path) ? none : undefined)],
    ['lists none', (path) => (path === '/league' ? { body: { leagues: [] } } : undefined)],
    ['gives no token', (path) => (path === '/oauth/token' ? { status: 401, body: {} } : undefined)],
    ['fails', (path) => (path.startsWith('/league/') ? { status: 500, body: '' } : undefined)],
    ['has the ladder', (path) => (path.endsWith('/ladder') ? { body: { ladder: { entries: [] } } } : undefined)],
  ])('are left to the run where the server %s', async (_, otherwise) => {
    expect(await found({ ladder_league: 'Standrd' }, otherwise)).toEqual([]);
  });
});
