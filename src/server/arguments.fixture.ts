import type { GameOperation, Operation, PlainOperation, Realm } from '../contract/index.js';
import { limits } from '../contract/index.js';
import type { World } from '../world/world.js';
import { bearerFor, send } from './mock.fixture.js';
import type { Mock } from './mock.js';

/** Arguments of an operation: path and query parameters by name, and what comes of them. */
export interface Arguments {
  readonly story: string;
  readonly values?: Readonly<Record<string, string | number | undefined>>;
  readonly nothing?: 'null' | 'empty';
  /** 200, unless it is said. */
  readonly status?: number;
  readonly account?: string;
  readonly body?: unknown;
  readonly contentType?: string;
}

const unknownName = 'No such name';

/** Where an operation is asked. */
export interface Place {
  readonly realm: Realm;
  readonly world: World;
  readonly mock: Mock;
  readonly operation: Operation;
}

type Make = (place: Place) => Arguments[] | Promise<Arguments[]>;
type ArgumentsBy = Readonly<
  Record<Exclude<GameOperation, PlainOperation>, Make> & Partial<Record<PlainOperation, Make>>
>;

const badRealm: Arguments = { story: 'an unknown realm', values: { realm: 'nowhere' }, status: 400 };

/** What every window of a list does at its borders. */
const windows = (max: number, values: Record<string, string | number> = {}, beyond = 1_000_000): Arguments[] => [
  { story: 'one entry', values: { ...values, limit: 1 } },
  { story: 'the greatest limit', values: { ...values, limit: max, offset: 0 } },
  { story: 'an offset', values: { ...values, limit: 2, offset: 1 } },
  { story: 'beyond the end', values: { ...values, offset: beyond }, nothing: 'empty' },
  ...[max + 1, 0, -1, 1.5, '1e3', '', 'abc', ' 5', '0x10'].map((limit) => ({
    story: `limit=${limit}`,
    values: { ...values, limit },
    status: 400,
  })),
  ...[-1, 1.5, 'abc', ''].map((offset) => ({ story: `offset=${offset}`, values: { ...values, offset }, status: 400 })),
];

const leagueIds = (world: World, realm: Realm): string[] =>
  world
    .leagues(realm)
    .filter(({ members }) => members === null)
    .map(({ league }) => league.id);

function some<T>(list: readonly T[], what: string): T {
  const [first] = list;
  if (first === undefined) throw new Error(`the world has no ${what}`);
  return first;
}

const argumentsBy: ArgumentsBy = {
  listItemFilters: ({ world }) =>
    world.accounts.map(({ key }) => ({
      story: key,
      account: key,
      ...(world.itemFilters(key).length === 0 && { nothing: 'empty' as const }),
    })),
  getItemFilter: ({ world }) => [
    ...world.itemFilters('alice').map(({ id, filter_name }) => ({ story: filter_name, values: { id } })),
    { story: 'unknown', values: { id: 'ffffffffff' }, status: 404 },
    {
      story: "another account's",
      values: { id: some(world.itemFilters('alice'), 'filter').id },
      account: 'bob',
      status: 404,
    },
  ],
  createItemFilter: ({ world }) => {
    const filter_name = 'Made here';
    const filter = String(world.known.good_filter);
    const least = { filter_name, realm: 'pc', filter };
    const bad = (story: string, body: unknown): Arguments => ({ story, body, status: 400 });
    return [
      { story: 'the least', body: least },
      ...['pc', 'xbox', 'sony', 'game2'].map((realm) => ({ story: `of ${realm}`, body: { ...least, realm } })),
      {
        story: 'everything',
        body: { ...least, description: 'd', version: '1', type: 'Ruthless', public: true },
        values: { validate: 'true' },
      },
      { story: 'nulls', body: { ...least, description: null, version: null, type: null, public: null } },
      { story: 'that is no good', body: { ...least, filter: world.known.bad_filter }, values: { validate: 'true' } },
      { story: 'validate=false', body: least, values: { validate: 'false' } },
      { story: 'validate=maybe', body: least, values: { validate: 'maybe' }, status: 400 },
      bad('no name', { realm: 'pc', filter }),
      bad('no realm', { filter_name, filter }),
      bad('no text', { filter_name, realm: 'pc' }),
      bad('an unknown realm', { ...least, realm: 'nowhere' }),
      bad('an unknown type', { ...least, type: 'Easy' }),
      bad('public as text', { ...least, public: 'true' }),
      bad('a number as name', { ...least, filter_name: 7 }),
      bad('a list', []),
      bad('null', null),
      bad('nothing', ''),
      bad('broken JSON', '{"filter_name": "x"'),
      { story: 'plain text', body: least, contentType: 'text/plain', status: 415 },
    ];
  },
  updateItemFilter: ({ world }) => {
    const { id } = some(world.itemFilters('alice'), 'filter');
    const update = (story: string, body: unknown, more: Partial<Arguments> = {}): Arguments => ({
      story,
      body,
      ...more,
      values: { id, ...more.values },
    });
    return [
      update('nothing to change', {}),
      update('the name', { filter_name: 'Renamed' }),
      update('the rest', { realm: 'sony', description: 'd', version: '2', type: 'Ruthless' }),
      update('the text, validated', { filter: world.known.good_filter }, { values: { validate: 'true' } }),
      update('a text that needs time', { filter: world.known.slow_filter }, { status: 202 }),
      update('the text once more', { filter: world.known.bad_filter }),
      update('public', { public: true }),
      update('private again', { public: false }, { status: 400 }),
      update('a number as name', { filter_name: 7 }, { status: 400 }),
      update('broken JSON', '{', { status: 400 }),
      update('plain text', {}, { contentType: 'text/plain', status: 415 }),
      update('an unknown filter', {}, { values: { id: 'ffffffffff' }, status: 404 }),
      update("another account's", {}, { account: 'bob', status: 404 }),
    ];
  },
  listLeagues: ({ realm, world }) => [
    { story: 'main', values: { type: 'main' } },
    { story: 'by default' },
    { story: 'event', values: { type: 'event' } },
    ...(realm === 'pc' ? [{ story: 'season', values: { type: 'season', season: String(world.known.season) } }] : []),
    realm === 'game2'
      ? {
          story: 'season of the second game',
          values: { type: 'season', season: String(world.known.season) },
          status: 400,
        }
      : { story: 'a season that never was', values: { type: 'season', season: unknownName }, nothing: 'empty' },
    { story: 'season without a season', values: { type: 'season' }, status: 400 },
    { story: 'an unknown type', values: { type: 'other' }, status: 400 },
    ...windows(50),
    badRealm,
  ],
  getLeague: ({ realm, world }) => [
    ...world
      .leagues(realm)
      .slice(0, 30)
      .map(({ league }) => ({ story: league.id, values: { league: league.id } })),
    { story: 'unknown', values: { league: unknownName }, nothing: 'null' },
    { ...badRealm, values: { realm: 'nowhere', league: unknownName } },
  ],
  getLeagueLadder: ({ realm, world }) => {
    const league = some(
      leagueIds(world, realm).filter((id) => (world.ladder(realm, id)?.by('xp').length ?? 0) > 2),
      'ladder',
    );
    return [
      ...leagueIds(world, realm)
        .slice(0, 25)
        .map((id) => ({ story: id, values: { league: id, limit: 5 } })),
      ...['xp', 'depth', 'depthsolo', 'ancestor', 'time', 'score'].map((sort) => ({
        story: sort,
        values: { league, sort },
      })),
      ...['scion', 'marauder', 'ranger', 'witch', 'duelist', 'templar', 'shadow'].map((name) => ({
        story: name,
        values: { league, sort: 'class', class: name },
      })),
      ...windows(500, { league }),
      { story: 'at the depth', values: { league, offset: limits.ladder_depth }, nothing: 'empty' },
      { story: 'no class', values: { league, sort: 'class' }, status: 400 },
      { story: 'an unknown class', values: { league, sort: 'class', class: 'baker' }, status: 400 },
      { story: 'an unknown sort', values: { league, sort: 'name' }, status: 400 },
      { story: 'unknown', values: { league: unknownName }, nothing: 'null' },
      { ...badRealm, values: { league, realm: 'game2' } },
    ];
  },
  getLeagueEventLadder: ({ realm, world }) => {
    const league = leagueIds(world, realm).find((id) => world.eventLadder(realm, id));
    return [
      ...(league === undefined ? [] : windows(500, { league })),
      {
        story: 'a league without one',
        values: {
          league: some(
            leagueIds(world, realm).filter((id) => !world.eventLadder(realm, id)),
            'other league',
          ),
        },
        nothing: 'empty',
      },
      { story: 'unknown', values: { league: unknownName }, nothing: 'null' },
      { ...badRealm, values: { league: unknownName, realm: 'game2' } },
    ];
  },
  listPvpMatches: ({ realm, world }) => [
    { story: 'by default' },
    { story: 'upcoming', values: { type: 'upcoming' } },
    { story: 'season', values: { type: 'season', season: String(world.known.pvp_season) } },
    { story: 'league', values: { type: 'league', league: String(world.known.pvp_league) } },
    { story: 'a season that never was', values: { type: 'season', season: unknownName }, nothing: 'empty' },
    { story: 'a league that never was', values: { type: 'league', league: unknownName }, nothing: 'empty' },
    { story: 'season without a season', values: { type: 'season' }, status: 400 },
    { story: 'league without a league', values: { type: 'league' }, status: 400 },
    { story: 'an unknown type', values: { type: 'other' }, status: 400 },
    ...(realm === 'pc' ? [badRealm] : []),
  ],
  getPvpMatch: ({ realm, world }) => [
    ...world.pvpMatches(realm).map(({ match }) => ({ story: match.id, values: { match: match.id } })),
    { story: 'unknown', values: { match: unknownName }, nothing: 'null' },
    { ...badRealm, values: { match: unknownName, realm: 'game2' } },
  ],
  getPvpMatchLadder: ({ realm, world }) => [
    ...world.pvpMatches(realm).map(({ match }) => ({ story: match.id, values: { match: match.id } })),
    ...windows(200, { match: some(world.pvpMatches(realm), 'match').match.id }),
    { story: 'unknown', values: { match: unknownName }, nothing: 'null' },
    { ...badRealm, values: { match: unknownName, realm: 'game2' } },
  ],
  listCharacters: ({ realm, world }) => [
    { story: 'alice' },
    {
      story: 'carol',
      account: 'carol',
      ...(world.characters('carol', realm).length === 0 && { nothing: 'empty' as const }),
    },
  ],
  getCharacter: ({ realm, world, operation }) => [
    ...world
      .characters('alice', realm)
      .filter(({ name }) => operation.path.includes('{realm}') || name !== 'xbox')
      .map(({ name }) => ({ story: name, values: { name } })),
    { story: 'unknown', values: { name: unknownName }, nothing: 'null' },
    {
      story: "another account's",
      values: { name: some(world.characters('alice', realm), 'character').name },
      account: 'carol',
      nothing: 'null',
    },
    ...(operation.path.includes('{realm}') ? [{ ...badRealm, values: { realm: 'pc', name: unknownName } }] : []),
  ],
  listStashes: ({ realm, world }) => [
    { story: 'alice', values: { league: leagueOfTabs(world.stashes, world, realm) } },
    {
      story: 'carol',
      account: 'carol',
      values: { league: leagueOfTabs(world.stashes, world, realm) },
      nothing: 'empty',
    },
    { story: 'an unknown league', values: { league: unknownName }, nothing: 'empty' },
    ...leagueIds(world, realm)
      .filter((id) => encodeURIComponent(id) !== id)
      .map((league) => ({
        story: league,
        values: { league },
        ...(world.stashes('alice', realm, league).length === 0 && { nothing: 'empty' as const }),
      })),
  ],
  getStash: (place) => tabArguments(place, place.world.stashes),
  getLeagueAccount: ({ realm, world, operation }) => [
    ...leagueIds(world, realm)
      .slice(0, 12)
      .map((league) => ({ story: league, values: { league } })),
    { story: 'carol', account: 'carol', values: { league: some(leagueIds(world, realm), 'league') } },
    { story: 'an unknown league', values: { league: unknownName } },
    ...(operation.path.includes('{realm}') ? [{ ...badRealm, values: { realm: 'game2', league: unknownName } }] : []),
  ],
  listGuildStashes: ({ realm, world }) => {
    const league = leagueOfTabs(world.guildStashes, world, realm);
    return [
      {
        story: 'alice',
        values: { league },
        ...(world.guildStashes('alice', realm, league).length === 0 && { nothing: 'empty' as const }),
      },
      { story: 'an unknown league', values: { league: unknownName }, nothing: 'empty' },
      { story: 'no guild', account: 'carol', values: { league }, nothing: 'empty' },
    ];
  },
  getGuildStash: (place) => tabArguments(place, place.world.guildStashes),
  getPublicStashTabs: async ({ realm, mock, operation }) => {
    const headers = { authorization: await bearerFor(mock, 'service:psapi') };
    const path = realm === 'pc' ? '/public-stash-tabs' : `/public-stash-tabs/${realm}`;
    let id = '';
    for (let more = true; more;) {
      const page = (await send(mock.url, { path: id === '' ? path : `${path}?id=${id}`, headers })).json<{
        next_change_id: string;
        stashes: unknown[];
      }>();
      more = page.stashes.length > 0;
      id = page.next_change_id;
    }
    const first = (await send(mock.url, { path, headers })).json<{ next_change_id: string }>();
    return [
      { story: 'from the start' },
      { story: 'the second page', values: { id: first.next_change_id } },
      { story: 'the end', values: { id }, nothing: 'empty' },
      { story: 'an id that was never given', values: { id: 'never-given' }, status: 400 },
      ...(operation.path.includes('{realm}') ? [badRealm] : []),
    ];
  },
  getCurrencyExchange: ({ realm, world, operation }) => {
    if (!operation.path.includes('{id}')) return [{ story: 'the first hour' }];
    const { firstHour, markets } = world.exchange(realm);
    const end = Math.floor(world.epoch / 3_600_000) * 3600;
    const hours = Array.from({ length: 24 }, (_, index) => firstHour + index * 3600);
    return [
      { story: 'the first hour', values: { id: firstHour } },
      ...hours.map((id) => ({
        story: `hour ${id}`,
        values: { id },
        ...(markets(id).length === 0 && { nothing: 'empty' as const }),
      })),
      { story: 'the current hour', values: { id: end }, nothing: 'empty' },
      { story: 'a future hour', values: { id: end + 24 * 3600 }, nothing: 'empty' },
      { story: 'an odd second', values: { id: firstHour + 1 } },
      { story: 'long before', values: { id: 0 } },
      { story: 'more digits than a number holds', values: { id: '9'.repeat(40) }, nothing: 'empty' },
      ...(operation.path.includes('{realm}') ? [{ ...badRealm, values: { realm: 'pc', id: 0 } }] : []),
    ];
  },
};

type TabsOf = World['stashes'];

const leagueOfTabs = (tabsOf: TabsOf, world: World, realm: Realm): string => {
  const ids = leagueIds(world, realm);
  const counts = ids.map((id) => tabsOf('alice', realm, id).length);
  return ids[counts.indexOf(Math.max(...counts))] ?? some(ids, 'league');
};

/** Tabs of alice, nested ones too; or, where the path has a substash, each sub-tab in its parent. */
function tabArguments({ realm, world, operation }: Place, tabsOf: TabsOf): Arguments[] {
  const league = leagueOfTabs(tabsOf, world, realm);
  const tabs = tabsOf('alice', realm, league);
  const all = tabs.flatMap((tab) => [tab, ...(tab.children ?? [])]);
  const [first = { id: 'ffffffffff' }] = tabs;
  const unknown = { league, stash_id: 'ffffffffff' };
  if (!operation.path.includes('{substash_id}')) {
    return [
      ...all.map((tab) => ({ story: `tab ${tab.name}`, values: { league, stash_id: tab.id } })),
      { story: 'unknown', values: unknown, nothing: 'null' },
      { story: 'no hexadecimal', values: { league, stash_id: 'Räuber & Söhne' }, nothing: 'null' },
      { story: 'an unknown league', values: { league: unknownName, stash_id: first.id }, nothing: 'null' },
      { story: "another account's", values: { league, stash_id: first.id }, account: 'carol', nothing: 'null' },
    ];
  }
  const pairs = tabs.flatMap((tab) => (tab.children ?? []).map((child) => ({ tab, child })));
  return [
    ...pairs.map(({ tab, child }) => ({
      story: `${child.name} in ${tab.name}`,
      values: { league, stash_id: tab.id, substash_id: child.id },
      ...(child.parent !== tab.id && { nothing: 'null' as const }), // it lies in a folder
    })),
    { story: 'an unknown parent', values: { ...unknown, substash_id: first.id }, nothing: 'null' },
    { story: 'an unknown sub-tab', values: { league, stash_id: first.id, substash_id: 'ffffffffff' }, nothing: 'null' },
    { story: 'its own parent', values: { league, stash_id: first.id, substash_id: first.id }, nothing: 'null' },
  ];
}

/** Of an operation that takes nothing: everybody's, and a realm that there is not. */
const plain: Make = ({ world, operation }) => [
  ...world.accounts.map(({ key }) => ({ story: key, account: key })),
  ...(operation.path.includes('{realm}') ? [badRealm] : []),
];

/** Arguments of each data operation in a realm: things that are there, things that are not, and what is to be refused. */
export const argumentsIn: Make = (place) => (argumentsBy[place.operation.logical as GameOperation] ?? plain)(place);
