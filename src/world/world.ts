import type { AccountFixture, Fixtures } from './fixtures/index.js';
import type { components, Realm, Scope } from '../contract/index.js';

type Schemas = components['schemas'];

/** A person with an account of the game. `key` is the word used by fixtures, consent and control calls. */
export interface Account extends Omit<AccountFixture, 'name'> {
  readonly key: string;
  readonly uuid: string;
  /** The account name: `username` of a token, `name` of the profile (K-085). */
  readonly username: string;
  /** Name of the account's guild, where the fixtures have one. */
  readonly guildName: string | null;
}

/** A registered application (interface 5.4). */
export interface Client {
  readonly id: string;
  /** What the consent page calls it. */
  readonly name: string;
  readonly type: 'confidential' | 'public';
  /** Only confidential clients have one. */
  readonly secret: string | null;
  readonly redirectUris: readonly string[];
  /** Scopes that a user may be asked for with authorization_code. */
  readonly scopes: readonly Scope[];
  /** Scopes that client_credentials may carry; empty where the client may not use that grant. */
  readonly credentialScopes: readonly Scope[];
  /** Whether refresh tokens are enabled for the application (interface 5.8). */
  readonly refresh: boolean;
  /** Key of the account that owns the application: the identity of its client-credentials tokens. */
  readonly owner: string;
  /** Whether the application may see `lastCharacterName` (K-119). */
  readonly lastCharacterName: boolean;
}

export interface LeagueRecord {
  readonly league: Schemas['League'];
  readonly kind: 'main' | 'event' | 'season';
  /** The season that `type=season` lists it under, or null. */
  readonly season: string | null;
  /** Account keys that may see a private league; null for a public one. */
  readonly members: readonly string[] | null;
}

export type LadderOrder = 'xp' | 'depth' | 'depthsolo' | 'ancestor' | 'time' | 'score' | 'class';

/** A listing computed by index: entry `i` costs the same whatever `i` is. Entries are zero-based and already in order. */
export interface Listing<T> {
  readonly length: number;
  at(index: number): T;
}

export interface Ladder {
  readonly cachedSince: string | null;
  /** The order used when the request names none: by experience or by time, depending on the league (interface 4.2). */
  readonly defaultOrder: 'xp' | 'time';
  /** `className` only with order `class`: one of the seven words of the parameter. Every order lists every entry, the class order one class. */
  by(order: LadderOrder, className?: string): Listing<Schemas['LadderEntry']>;
}

export interface PvpRecord {
  readonly season: string | null;
  readonly league: string | null;
  /** Instants in ms; the flags upcoming, inProgress and complete follow from them and the clock. */
  readonly startsAt: number;
  readonly endsAt: number;
  /** Without the three state flags. */
  readonly match: Schemas['PvPMatch'];
}

/** One public stash as it stands at a revision (0 = first listing). Contents differ between revisions. */
export type StashSnapshot = (id: string, revision: number) => Schemas['ListedStash'];

export interface StreamChange {
  /** Instant of the change, ms. Never decreases along a stream. */
  readonly at: number;
  readonly stash: string;
  readonly op: 'list' | 'update' | 'unlist';
  readonly revision: number;
}

export interface StashStream {
  /** The generated history, oldest first. Changes made through the control surface follow it and live in the store. */
  readonly changes: Listing<StreamChange>;
  readonly snapshot: StashSnapshot;
  /** The state a stash of this world has at the end of the generated history; undefined for an unknown id. */
  last(id: string): StreamChange | undefined;
}

export interface ExchangeHistory {
  /** First hour of history, unix seconds, a multiple of 3600. */
  readonly firstHour: number;
  /** Markets with activity in the hour that starts at `hour` (unix seconds). Empty for a quiet hour. */
  markets(hour: number): readonly Schemas['ExchangeMarket'][];
}

/**
 * Everything the mock serves that no request can change: a pure function of seed, epoch and edition.
 * Objects are of that edition already; the same call returns the same object for as long as it is worth keeping.
 */
export interface World {
  readonly seed: number;
  /** The instant that the world is laid out around, ms. */
  readonly epoch: number;
  /** The version of a realm's game, which filters are validated against. */
  gameVersion(realm: Realm): string;
  readonly accounts: readonly Account[];
  readonly clients: readonly Client[];
  leagues(realm: Realm): readonly LeagueRecord[];
  ladder(realm: Realm, league: string): Ladder | undefined;
  /** The base class that an ascendancy belongs to; any other name as it is. */
  baseClass(name: string): string;
  eventLadder(realm: Realm, league: string): Listing<Schemas['EventLadderEntry']> | undefined;
  pvpMatches(realm: Realm): readonly PvpRecord[];
  pvpLadder(realm: Realm, match: string): Listing<Schemas['PvPLadderTeamEntry']> | undefined;
  /** Whole characters, with equipment and passives. */
  characters(account: string, realm: Realm): readonly Schemas['Character'][];
  /** Top-level tabs with everything in them: folders hold tabs, tabs hold sub-tabs, leaves hold items. */
  stashes(account: string, realm: Realm, league: string): readonly Schemas['StashTab'][];
  /** The tabs of the account's guild that the account may access, nested likewise; empty without a guild. */
  guildStashes(account: string, realm: Realm, league: string): readonly Schemas['StashTab'][];
  leagueAccount(account: string, realm: Realm, league: string): Schemas['LeagueAccount'] | undefined;
  /** The filters that an account has at the start. */
  itemFilters(account: string): readonly Schemas['ItemFilter'][];
  publicStashes(realm: Realm): StashStream;
  exchange(realm: Realm): ExchangeHistory;
  /** Facts for the target file's `known` (control-protocol, section 1), keyed as there. */
  readonly known: Readonly<Record<string, unknown>>;
}

/** What a world is made from. */
export interface WorldOptions {
  readonly seed: number;
  readonly epoch: number;
  /** Flag -> on. Missing flags are off. */
  readonly flags: Readonly<Record<string, boolean>>;
  readonly fixtures: Fixtures;
  readonly volume: {
    /** Changes in each first-game realm's generated stash stream. */
    readonly stashChanges: number;
    /** Hours of exchange history before the epoch. */
    readonly exchangeHours: number;
  };
}
