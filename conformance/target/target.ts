import type { Scope } from '../../src/contract/index.js';

export const roles = [
  'confidential',
  'confidential_other',
  'confidential_no_refresh',
  'confidential_limited',
  'guild',
  'public',
  'service',
  'service_account',
  'operations',
] as const;
/** The parts that clients play (control protocol, section 1). */
export type Role = (typeof roles)[number];

/** The parts of clients that users authorize; one of each type comes first. */
export const userRoles: readonly Role[] = [
  'confidential',
  'public',
  'confidential_other',
  'confidential_limited',
  'guild',
  'confidential_no_refresh',
];

export interface ClientEntry {
  readonly client_id: string;
  /** Public clients have none. */
  readonly client_secret?: string;
  readonly redirect_uri?: string;
  /** All registered ones, the first included; at least `redirect_uri` where that is given. */
  readonly redirect_uris: readonly string[];
  /** At least these. */
  readonly scopes: readonly Scope[];
  /** It may have no other scopes. */
  readonly exact_scopes?: boolean;
  readonly refresh: boolean;
}

export type FlagState = 'on' | 'off' | 'any';

/** Facts that cannot be discovered over HTTP. Leagues are ids in realm pc, accounts are keys of `accounts`. */
export interface Known {
  readonly owner?: string;
  readonly livestream?: string;
  readonly game2_account?: string;
  readonly main_leagues?: readonly string[];
  readonly event_leagues?: readonly string[];
  readonly season?: string;
  readonly private_league?: string;
  readonly private_league_of_bob?: string;
  readonly ladder_league?: string;
  readonly time_league?: string;
  readonly score_league?: string;
  readonly event_ladder_league?: string;
  readonly pvp_season?: string;
  readonly pvp_league?: string;
  readonly stash_league?: string;
  readonly guild_league?: string;
  readonly atlas_league?: string;
  readonly odd_names?: readonly string[];
  readonly folder_tab?: string;
  readonly parent_tab?: string;
  readonly sub_tab?: string;
  readonly empty_tab?: string;
  readonly guild_tabs?: Readonly<Record<string, readonly string[]>>;
  readonly good_filter?: string;
  readonly bad_filter?: string;
  readonly slow_filter?: string;
  readonly first_hour?: number;
  readonly quiet_hour?: number;
}

export interface Waiver {
  readonly id: string;
  readonly reason: string;
  readonly issue?: string;
  /** Date, yyyy-mm-dd; the waiver is stale from the day after. */
  readonly expires?: string;
}

/** How a server is reached and what is known of it: the target file, with environment and flags over it. */
export interface Target {
  readonly name: string;
  /** Without a slash at the end. */
  readonly base_url: string;
  readonly auth_url: string;
  readonly control_url?: string;
  readonly control_token?: string;
  /** Absolute path of an ES module. */
  readonly adapter?: string;
  readonly tree_codec?: string;
  /** Flags that the file does not name are `any`. */
  readonly edition: Readonly<Record<string, FlagState>>;
  readonly names: { readonly game2: string; readonly livestream: string };
  readonly accounts: Readonly<Record<string, { readonly username?: string }>>;
  readonly clients: Readonly<Partial<Record<Role, ClientEntry>>>;
  readonly consent: 'control' | 'adapter' | 'form' | 'auto' | 'none';
  readonly variants: {
    readonly access_after_refresh: 'alive' | 'revoked' | 'any';
    readonly refresh_reuse: 'rejects' | 'revokes_family' | 'any';
    readonly invalid_scope: 'error' | 'drop' | 'any';
    readonly over_max: 'reject' | 'clamp' | 'any';
    readonly null_lookup_status: 200 | 404 | 'any';
  };
  readonly known: Known;
  readonly waivers: readonly Waiver[];
  /** 0 is no limit. */
  readonly budget: { readonly requests: number; readonly per_second: number };
}
