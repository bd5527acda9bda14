import type { Scope } from '../../src/contract/index.js';

/** What the target file says of a server, a line each: its schema, types and template, and the needs of requirements come from here. */

interface RoleLine {
  /** Which members its entry has: a definition of the schema. */
  readonly entry: 'confidentialClient' | 'publicClient' | 'serviceClient';
  readonly about: string;
  /** Scopes, or beginnings of them, for the template. */
  readonly scopes: readonly (Scope | 'account:' | 'service:')[];
}

/** The parts that clients play (control protocol, section 1). Those that users authorize come first, one of each type at the front. */
const roleTable = {
  confidential: {
    entry: 'confidentialClient',
    about: 'Confidential, authorization_code, refresh tokens enabled.',
    scopes: ['account:'],
  },
  public: { entry: 'publicClient', about: 'Public: no secret, local redirect URI.', scopes: ['account:'] },
  confidential_other: {
    entry: 'confidentialClient',
    about: 'A second confidential client; may share one redirect_uri with the first.',
    scopes: ['account:'],
  },
  confidential_limited: {
    entry: 'confidentialClient',
    about: 'Confidential, few scopes, no guild scope.',
    scopes: ['account:profile', 'account:characters'],
  },
  guild: {
    entry: 'confidentialClient',
    about: 'Confidential, has account:guild:stashes.',
    scopes: ['account:', 'account:guild:stashes'],
  },
  confidential_no_refresh: {
    entry: 'confidentialClient',
    about: 'Confidential, refresh tokens not enabled.',
    scopes: ['account:'],
  },
  service: { entry: 'serviceClient', about: 'client_credentials with service:* scopes.', scopes: ['service:'] },
  service_account: {
    entry: 'serviceClient',
    about: 'client_credentials that may also have account:* scopes.',
    scopes: ['service:', 'account:profile', 'account:characters'],
  },
  operations: {
    entry: 'serviceClient',
    about: 'client_credentials with oauth:revoke and oauth:introspect.',
    scopes: ['oauth:revoke', 'oauth:introspect'],
  },
} as const satisfies Record<string, RoleLine>;

export type Role = keyof typeof roleTable;
export const roles = Object.keys(roleTable) as readonly Role[];
export const roleLines: Readonly<Record<Role, RoleLine>> = roleTable;

/** The endpoints of an authorization server by their keys in `paths` of a target, where the interface has them (4.1). */
export const endpointPaths = {
  authorize: '/oauth/authorize',
  token: '/oauth/token',
  revoke: '/oauth/token/revoke',
  introspect: '/oauth/token/introspect',
} as const;

export type Endpoint = keyof typeof endpointPaths;

/** What a run burdens a server with where its target says nothing else. */
export const usualBudget = { requests: 50_000, per_second: 0, concurrency: 32 };

/** The clients that users authorize. */
export const userRoles = roles.filter((role) => roleLines[role].entry !== 'serviceClient');

/** A fact's type is a definition of the schema. */
interface FactTypes {
  readonly word: string;
  readonly words: readonly string[];
  readonly hour: number;
  readonly tabs: Readonly<Record<string, readonly string[]>>;
}

interface FactLine {
  readonly type: keyof FactTypes;
  readonly about: string;
  /** For the template, as YAML. Default: Standard. */
  readonly example?: string;
}

/** Facts that cannot be discovered over HTTP. Leagues are ids in realm pc, accounts are keys of `accounts`. */
const factTable = {
  owner: {
    type: 'word',
    about: 'Account that owns the applications: the identity of client-credentials tokens.',
    example: 'owner',
  },
  livestream: { type: 'word', about: 'An account linked to a streaming platform.', example: 'alice' },
  game2_account: { type: 'word', about: 'An account with second-game characters.', example: 'alice' },
  main_leagues: { type: 'words', about: 'Some leagues that type=main must list.', example: '[Standard, Hardcore]' },
  event_leagues: { type: 'words', about: 'Some leagues that type=event must list.', example: '[Some Event]' },
  season: { type: 'word', about: 'A season that has leagues.' },
  private_league: { type: 'word', about: 'A private league of alice only.' },
  private_league_of_bob: { type: 'word', about: 'A private league of bob only.' },
  ladder_league: { type: 'word', about: 'A league whose ladder has more than 15,000 entries.' },
  time_league: { type: 'word', about: 'A league whose ladder is by time.' },
  score_league: { type: 'word', about: 'A league whose ladder is by score.' },
  event_ladder_league: { type: 'word', about: 'A league that has an event ladder.' },
  pvp_season: { type: 'word', about: 'A season with PvP matches.' },
  pvp_league: { type: 'word', about: 'A league with PvP matches.' },
  stash_league: { type: 'word', about: 'A league in which alice has stash tabs.' },
  guild_league: { type: 'word', about: 'A league in which alice sees guild tabs.' },
  atlas_league: { type: 'word', about: 'A league in which alice has atlas passives, and no other account the same.' },
  odd_names: { type: 'words', about: 'League ids that need percent-encoding.', example: "['A/B', '100% Ünïcode']" },
  folder_tab: { type: 'word', about: "A folder among alice's stash tabs in stash_league.", example: "'0123456789'" },
  parent_tab: { type: 'word', about: 'A tab with sub-tabs, likewise.', example: "'123456789a'" },
  sub_tab: { type: 'word', about: 'One of the sub-tabs of parent_tab.', example: "'23456789ab'" },
  empty_tab: { type: 'word', about: 'A tab without items, likewise.', example: "'3456789abc'" },
  guild_tabs: {
    type: 'tabs',
    about: 'Ids of the tabs in guild_league that each account may see.',
    example: "{ alice: ['456789abcd', '56789abcde'], bob: ['456789abcd'] }",
  },
  good_filter: { type: 'word', about: 'A filter text that validates.', example: '"Show\\n    Rarity Unique\\n"' },
  bad_filter: { type: 'word', about: 'A filter text that fails to validate.', example: '"Shwo\\n"' },
  slow_filter: { type: 'word', about: 'A filter text that makes an update answer 202.', example: '"# slow\\nShow\\n"' },
  first_hour: { type: 'hour', about: 'Exchange, realm pc: the first hour of history.', example: '1767225600' },
  quiet_hour: { type: 'hour', about: 'Exchange, realm pc: an hour without trades.', example: '1767229200' },
} as const satisfies Record<string, FactLine>;

export type Known = { readonly [Key in keyof typeof factTable]?: FactTypes[(typeof factTable)[Key]['type']] };
export const factLines: Readonly<Record<keyof Known, FactLine>> = factTable;

/** How a server may read what the interface leaves open. */
export const readingLines = {
  access_after_refresh: {
    values: ['alive', 'revoked', 'any'],
    about: 'The old access token after a refresh. Default: any.',
  },
  refresh_reuse: {
    values: ['rejects', 'revokes_family', 'any'],
    about: 'A used refresh token: refused, or all tokens of the grant end with it. Default: any.',
  },
  invalid_scope: {
    values: ['error', 'drop', 'any'],
    about: 'A scope that the client may not have: an error, or left out. Default: any.',
  },
  over_max: {
    values: ['reject', 'clamp', 'any'],
    about: 'A limit above the maximum: refused, or the maximum. Default: any.',
  },
  null_lookup_status: {
    values: [200, 404, 'any'],
    about: 'Status beside a null wrapper, for what does not exist. Default: any.',
  },
} as const satisfies Record<string, { readonly values: readonly unknown[]; readonly about: string }>;

export type Readings = { readonly [Key in keyof typeof readingLines]: (typeof readingLines)[Key]['values'][number] };
