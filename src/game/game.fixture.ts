import * as judges from '../contract/judges.gen.js';
import type { components, GameOperation, Params, Realm, Reply, RequestBody, Switches } from '../contract/index.js';
import { parameterTable, switchTable } from '../contract/index.js';
import { createMemoryStore } from '../store/memory.js';
import { accountWith } from '../world/account.fixture.js';
import type {
  Account,
  Client,
  LeagueRecord,
  Listing,
  PvpRecord,
  StashStream,
  StreamChange,
  World,
} from '../world/world.js';
import type { Game, Handler } from './game.js';
import { hash } from './hash.js';
import { handlers } from './index.js';

type Schemas = components['schemas'];

export const hour = 3_600_000;
export const day = 24 * hour;
export const epoch = Date.parse('2024-01-01T00:00:00Z');

/** An identifier of so many hexadecimal digits, made from a word. */
export function hex(word: string, digits: number): string {
  let text = '';
  for (let part = 0; text.length < digits; part += 1) text += hash(`${word}/${part}`).toString(16).padStart(8, '0');
  return text.slice(0, digits);
}

const account = (key: string, guild: string | null, livestream: string | null): Account =>
  accountWith({
    key,
    uuid: `00000000-0000-4000-8000-${hex(key, 12)}`,
    username: `${key}#0001`,
    locale: livestream === null ? null : 'en_GB',
    livestream,
    guild,
    guildName: guild,
  });

export const alice = account('alice', 'wharf', 'alice_live');
export const bob = account('bob', 'wharf', null);
export const carol = account('carol', null, null);

export const service: Client = {
  id: 'service',
  name: 'Service',
  type: 'confidential',
  secret: 'secret',
  redirectUris: [],
  scopes: [],
  credentialScopes: [],
  refresh: false,
  owner: 'alice',
  lastCharacterName: false,
};

const date = (offset: number): string => new Date(epoch + offset * day).toISOString().replace('.000Z', 'Z');

const league = (
  id: string,
  more: Partial<LeagueRecord> = {},
  fields: Partial<Schemas['League']> = {},
): LeagueRecord => ({
  league: { id, realm: 'pc', ...fields },
  kind: 'main',
  season: null,
  members: null,
  ...more,
});

const pcLeagues: readonly LeagueRecord[] = [
  league('Standard'),
  league(
    'Ember',
    {},
    { name: 'Ember League', category: { id: 'Ember', current: true }, startAt: date(-20), endAt: date(30) },
  ),
  league('Sprint', { kind: 'event' }, { event: true, startAt: date(-1), endAt: date(2) }),
  league('Old Sprint', { kind: 'event' }, { event: true, startAt: date(-9), endAt: date(-8) }),
  league('Spring One', { kind: 'season', season: 'Spring' }, { startAt: date(-200), endAt: date(-199) }),
  league('Spring Two', { kind: 'season', season: 'Spring' }, { startAt: date(-1), endAt: date(20) }),
  league('Garden (PL1)', { members: ['alice'] }, { startAt: date(-5) }),
  league('xbox'),
  ...Array.from({ length: 60 }, (_, number) => league(`Trial ${number}`)),
];

const leagues: Partial<Record<Realm, readonly LeagueRecord[]>> = {
  pc: pcLeagues,
  xbox: [league('Standard', {}, { realm: 'xbox' }), league('Couch', {}, { realm: 'xbox' })],
  game2: [league('Tide', {}, { realm: 'game2' })],
};

const classes = ['scion', 'marauder', 'ranger', 'witch', 'duelist', 'templar', 'shadow'];

const listing = <T>(length: number, at: (index: number) => T): Listing<T> => ({ length, at });

const runner = (path: string, number: number, rank: number): Schemas['LadderEntry'] => ({
  rank,
  character: {
    id: hex(`${path}/${number}`, 64),
    name: `Runner${number}`,
    level: 90,
    class: number === 2 ? 'Reedrunner' : (classes[number % 7] ?? ''),
    experience: 1_000_000 - number,
    time: 60 + number,
  },
});

const ladderSizes: Record<string, number> = { Standard: 15_250, Ember: 35, Sprint: 20 };

const match = (id: string, from: number, to: number, more: Partial<PvpRecord> = {}): PvpRecord => ({
  season: null,
  league: null,
  startsAt: epoch + from * day,
  endsAt: epoch + to * day,
  match: { id, description: id, glickoRatings: false, pvp: true, style: 'Blitz', realm: 'pc' },
  ...more,
});

const matches: readonly PvpRecord[] = [
  match('Past Duel', -3, -2, { season: 'Spring', league: 'Ember' }),
  match('Long Duel', -1, 1, { league: 'Ember' }),
  match('Coming Duel', 1, 2, { season: 'Spring' }),
];

const item = (name: string): Schemas['Item'] => ({
  verified: true,
  w: 1,
  h: 1,
  icon: 'https://images.example/x.png',
  name,
  typeLine: name,
  baseType: name,
  identified: true,
  ilvl: 1,
  stackSize: 1,
  maxStackSize: 10,
});

const tab = (name: string, more: Partial<Schemas['StashTab']> = {}): Schemas['StashTab'] => {
  const id = hex(`tab/${name}`, 10);
  const children = more.children?.map((child) => ({ ...child, parent: id }));
  return {
    id,
    name,
    type: 'NormalStash',
    metadata: {},
    ...more,
    ...(children ? { children } : { items: more.items ?? [item(name)] }),
  };
};

const tabs: Record<string, readonly Schemas['StashTab'][]> = {
  alice: [
    tab('Dump', { items: [item('a'), item('b'), item('c')] }),
    tab('Folder', {
      metadata: { folder: true },
      children: [tab('Box'), tab('Maps', { children: [tab('Tier 1'), tab('Tier 2')] })],
    }),
    tab('Uniques', { children: [tab('Rings'), tab('Belts')] }),
    tab('Empty', { items: [] }),
  ],
  bob: [tab("Bob's")],
};

const guildTabs: Record<string, readonly Schemas['StashTab'][]> = {
  alice: [tab('Shared'), tab('Vault', { children: [tab('Officers')] })],
  bob: [tab('Shared')],
};

const character = (name: string, realm: Realm, more: Partial<Schemas['Character']> = {}): Schemas['Character'] => ({
  id: hex(`${realm}/${name}`, 64),
  name,
  realm,
  class: 'Ranger',
  level: 90,
  experience: 1,
  equipment: [item('Bow')],
  inventory: [],
  passives: {
    hashes: [1],
    ...(realm === 'game2' ? { specialisations: { set1: [], set2: [] } } : { hashes_ex: [], mastery_effects: {} }),
    skill_overrides: {},
    jewel_data: {},
  },
  metadata: { version: '3.4.1' },
  ...more,
});

const characters: Record<string, readonly Schemas['Character'][]> = {
  'alice/pc': [
    character('Ash', 'pc', { current: true }),
    character('Ämber', 'pc', { deleted: true }),
    character('xbox', 'pc'),
  ],
  'alice/game2': [character('Tide', 'game2')],
  'bob/pc': [character('Birch', 'pc')],
};

/** A stream in which stash `n` is listed, updated and unlisted in turn, a change a second, the last one at the epoch. */
export function streamOfLength(length: number, stashes: number): StashStream {
  const ids = Array.from({ length: stashes }, (_, number) => hex(`stash/${number}`, 64));
  const at = (index: number): StreamChange => {
    const revision = Math.floor(index / stashes);
    const op = (['list', 'update', 'unlist'] as const)[revision % 3] ?? 'list';
    return { at: epoch - (length - 1 - index) * 1000, stash: ids[index % stashes] ?? '', op, revision };
  };
  return {
    changes: listing(length, at),
    snapshot: (id, revision) => ({
      id,
      public: true,
      accountName: 'alice#0001',
      lastCharacterName: 'Ash',
      stash: `revision ${revision}`,
      stashType: 'PremiumStash',
      league: 'Standard',
      items: [item(`of ${revision}`)],
    }),
    last: (id) => {
      const number = ids.indexOf(id);
      const round = Math.floor((length - 1 - number) / stashes);
      return number < 0 || round < 0 ? undefined : at(round * stashes + number);
    },
  };
}

/** Ten hours up to the epoch; the second, sixth and seventh are quiet. Hours after the epoch are all active. */
export const firstHour = (epoch - 10 * hour) / 1000;
export const isActive = (start: number): boolean =>
  ![1, 5, 6].includes((start - firstHour) / 3600) && start >= firstHour;

const market = (start: number): Schemas['ExchangeMarket'] => ({
  league: 'Ember',
  market_id: 'ember|bell',
  volume_traded: { ember: 1 + (start % 7), bell: 0 },
  lowest_stock: { ember: 1, bell: 2 },
  highest_stock: { ember: 3, bell: 4 },
  lowest_ratio: { ember: 1, bell: 10 },
  highest_ratio: { ember: 1, bell: 12 },
});

/** A world of a page, for rules only: its people, names and figures are as few as the rules allow. */
export const smallWorld: World = {
  seed: 7,
  epoch,
  gameVersion: (realm) => (realm === 'game2' ? '0.4.1' : '3.4.1'),
  accounts: [alice, bob, carol],
  clients: [service],
  leagues: (realm) => leagues[realm] ?? [],
  ladder: (realm, id) => {
    const size = ladderSizes[id];
    if (realm !== 'pc' || size === undefined) return undefined;
    return {
      cachedSince: id === 'Standard' ? date(0) : null,
      defaultOrder: id === 'Sprint' ? 'time' : 'xp',
      by: (order, className) => {
        if (order !== 'class') {
          const from = order === 'depth' ? (index: number) => size - 1 - index : (index: number) => index;
          return listing(size, (index) => runner(id, from(index), index + 1));
        }
        const first = classes.indexOf(className ?? '');
        return listing(Math.ceil((size - first) / 7), (index) => runner(id, first + 7 * index, first + 7 * index + 1));
      },
    };
  },
  baseClass: (name) => (name === 'Reedrunner' ? 'Ranger' : name),
  eventLadder: (realm, id) =>
    realm === 'pc' && id === 'Sprint'
      ? listing(15_020, (index) => ({
          rank: index + 1,
          private_league: { name: `PL${index}`, url: 'https://game.example/pl' },
        }))
      : undefined,
  pvpMatches: (realm) => (realm === 'pc' ? matches : []),
  pvpLadder: (realm, id) =>
    realm === 'pc' && id === 'Long Duel' ? listing(450, (index) => ({ rank: index + 1, members: [] })) : undefined,
  characters: (key, realm) => characters[`${key}/${realm}`] ?? [],
  stashes: (key, realm, id) => (realm === 'pc' && id === 'Ember' ? (tabs[key] ?? []) : []),
  guildStashes: (key, realm, id) => (realm === 'pc' && id === 'Ember' ? (guildTabs[key] ?? []) : []),
  leagueAccount: (key, realm, id) =>
    key === 'alice' && realm === 'pc' && id === 'Ember'
      ? { atlas_passive_trees: [{ name: 'One', hashes: [1, 2] }] }
      : undefined,
  itemFilters: () => [],
  publicStashes: () => streamOfLength(60, 10),
  exchange: () => ({ firstHour, markets: (start) => (isActive(start) ? [market(start)] : []) }),
  known: {},
};

const defaults = Object.fromEntries(switchTable.map((row) => [row.name, row.default])) as unknown as Switches;

/** A game whose clock stands still until it is told to go on. */
export interface TestGame extends Game {
  advance(ms: number): void;
}

export function createGame(
  switches: Partial<Switches> = {},
  world: World = smallWorld,
  flags: readonly string[] = [],
): TestGame {
  const kept = new Map<string, object>();
  let now = world.epoch;
  let ids = 0;
  return {
    world,
    store: createMemoryStore(),
    switches: { ...defaults, ...switches },
    flags: new Set(flags),
    now: () => now,
    newId: (digits) => hex(`id/${(ids += 1)}`, digits),
    reply: <T extends object>(key: string, make: () => T) => {
      const body = kept.get(key) ?? make();
      kept.set(key, body);
      return { status: 200, body: body as T };
    },
    advance: (ms) => {
      now += ms;
    },
  };
}

interface Complaint {
  readonly instancePath: string;
  readonly message?: string;
}
type Judge = ((body: unknown) => boolean) & { errors?: readonly Complaint[] | null };

/**
 * Calls an operation with defaults filled in, as the server does, and holds a documented reply against the contract.
 * Whoever sets a switch that asks for an undocumented reply expects that one.
 */
export function call<K extends GameOperation>(
  game: Game,
  operation: K,
  params: Partial<Params[K]> = {},
  more: { account?: Account; client?: Client; body?: RequestBody<K> } = {},
): Reply<K> {
  const filled: Record<string, unknown> = {};
  for (const [name, row] of Object.entries(parameterTable[operation]))
    if (row.default !== undefined) filled[name] = row.default;
  const handler = handlers[operation] as unknown as Handler<K>;
  const reply = handler(
    {
      params: { ...filled, ...params } as Params[K],
      body: more.body as RequestBody<K>,
      account: more.account ?? alice,
      client: more.client ?? service,
    },
    game,
  );
  const { status, body } = reply as { status: number; body: unknown };
  const judge = (judges as unknown as Record<string, Judge>)[`${operation}${status}`];
  if (judge && !judge(body)) {
    const faults = judge.errors?.map(({ instancePath, message }) => `${instancePath} ${message}`).join('; ');
    throw new Error(`${operation} ${status} breaks the contract: ${faults}`);
  }
  return reply as Reply<K>;
}

/** The body of a 200 reply. */
export function ok<K extends GameOperation>(
  game: Game,
  operation: K,
  params: Partial<Params[K]> = {},
  more: { account?: Account; client?: Client; body?: RequestBody<K> } = {},
): Extract<Reply<K>, { status: 200 }>['body'] {
  const { status, body } = call(game, operation, params, more) as { status: number; body: unknown };
  if (status !== 200) throw new Error(`${operation} answered ${status}: ${JSON.stringify(body)}`);
  return body as Extract<Reply<K>, { status: 200 }>['body'];
}
