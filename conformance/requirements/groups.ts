import type { OperationId } from '../../src/contract/index.js';
import type { RowId } from '../ledger.gen.js';

/** Where the requirements of a group can be read: the operation, and a chapter where its own page does not say it. */
export interface Place {
  readonly operation?: OperationId;
  /** A chapter of openapi/info.md, as the documentation addresses it. */
  readonly read?: string;
}

/**
 * The groups of requirements, a group being an id without its number, with the place where they can be read. The order
 * is that of the ledger, and with it of reports; within a group it is that of the numbers.
 */
export const places: readonly (readonly [Place, ...groups: readonly string[]])[] = [
  // What holds for every answer of the data API, and between the fields of one answer (interface 2, 4).
  [{ read: '/section/realms-and-the-two-games' }, 'GEN', 'XF'],
  [{ read: '/section/rate-limits' }, 'RATE'],
  // Errors of both servers (interface 7).
  [{ read: '/section/errors' }, 'ERR'],
  // The authorization endpoint and the consent page (interface 3, 4.1, RFC 6749 4.1, RFC 7636).
  [
    { operation: 'authorize', read: '/section/authentication/authorization-code:-acting-for-a-user' },
    'AUTH-REQ',
    'AUTH-STATE',
    'AUTH-REDIR',
    'AUTH-RESP',
    'AUTH-PKCE',
    'AUTH-DENY',
    'AUTH-ERR',
    'AUTH-WARN',
    'AUTH-USER',
    'AUTH-NOCONSENT',
    'AUTH-CODEFMT',
  ],
  // Exchange of authorization codes (interface 4.1, RFC 6749 4.1.3, RFC 7636 4.5).
  [{ operation: 'issueToken', read: '/section/authentication/authorization-code:-acting-for-a-user' }, 'AUTH-CODE'],
  // Token responses and errors, and the grant by client credentials (interface 4.1, 5.6, RFC 6749 4.4, 5).
  [{ operation: 'issueToken', read: '/section/tokens-and-lifetimes' }, 'TOK-RESP'],
  [{ operation: 'issueToken', read: '/section/errors/oauth-errors' }, 'TOK-ERR'],
  [{ operation: 'issueToken', read: '/section/authentication/client-credentials:-acting-for-yourself' }, 'TOK-CC'],
  // Refreshing (interface 3, 4.1, RFC 6749 6).
  [{ operation: 'issueToken', read: '/section/tokens-and-lifetimes/refreshing' }, 'TOK-REFRESH'],
  // How long tokens live, and how they end (interface 3, 5.4, 8).
  [{ read: '/section/tokens-and-lifetimes' }, 'LIFE'],
  // The revocation endpoint (interface 4.1, RFC 7009).
  [{ operation: 'revokeToken', read: '/section/tokens-and-lifetimes/revoking' }, 'REV'],
  // The introspection endpoint (interface 4.1, RFC 7662).
  [{ operation: 'introspectToken', read: '/section/tokens-and-lifetimes/introspection' }, 'INTRO'],
  // Sending a token (interface 5.2, 5.3, RFC 6750).
  [{ read: '/section/authentication/sending-a-token' }, 'BEAR'],
  // What a scope opens, and who gets it (interface 4, 5.7).
  [{ operation: 'authorize', read: '/section/scopes' }, 'AUTH-SCOPE'],
  [{ read: '/section/scopes' }, 'SCOPE-OP', 'SCOPE-HIER', 'SCOPE-ALLBUT', 'SCOPE-MULTI', 'SCOPE-USER', 'SCOPE-CASE'],
  // Realms in paths and queries (interface 1, 4).
  [{ read: '/section/realms-and-the-two-games' }, 'REALM-PATH', 'REALM-QUERY', 'REALM-ISO', 'REALM-ITEM'],
  [{ operation: 'createItemFilter' }, 'REALM-FILTER'],
  // The profile (interface 4.2).
  [{ operation: 'getProfile' }, 'PROFILE'],
  // Item filters (interface 3, 4.2).
  [{ operation: 'listItemFilters' }, 'FILTER-LIST'],
  [{ operation: 'getItemFilter' }, 'FILTER-GET'],
  [{ operation: 'createItemFilter' }, 'FILTER-CREATE', 'FILTER-VALID'],
  [{ operation: 'updateItemFilter' }, 'FILTER-UPDATE', 'FILTER-PUBLIC'],
  [{ read: '/section/item-filters' }, 'FILTER-MODEL'],
  // Leagues, and the leagues of an account (interface 4.2).
  [{ operation: 'listLeagues' }, 'LEAGUE-LIST', 'LEAGUE-LIMIT', 'LEAGUE-OFFSET'],
  [{ operation: 'getLeague' }, 'LEAGUE-GET'],
  [{ operation: 'listAccountLeagues' }, 'ACCLEAGUE'],
  // Ladders of leagues and of events (interface 4.2, 7, 8).
  [
    { operation: 'getLeagueLadder' },
    'LADDER',
    'LADDER-LIMIT',
    'LADDER-OFFSET',
    'LADDER-DEPTH',
    'LADDER-TOTAL',
    'LADDER-SORT',
    'LADDER-RANK',
    'LADDER-GONE',
    'LADDER-PRIV',
  ],
  [
    { operation: 'getLeagueEventLadder' },
    'EVLADDER',
    'EVLADDER-LIMIT',
    'EVLADDER-OFFSET',
    'EVLADDER-DEPTH',
    'EVLADDER-RANK',
    'EVLADDER-TYPE',
  ],
  // PvP matches and their ladders (interface 4.2).
  [{ operation: 'listPvpMatches' }, 'PVP-LIST'],
  [{ operation: 'getPvpMatch' }, 'PVP-GET', 'PVP-STATE', 'PVP-PVP'],
  [
    { operation: 'getPvpMatchLadder' },
    'PVPLADDER',
    'PVPLADDER-LIMIT',
    'PVPLADDER-OFFSET',
    'PVPLADDER-DEPTH',
    'PVPLADDER-RATING',
    'PVPLADDER-RANK',
    'PVPLADDER-MEMBER',
  ],
  // Characters and their passives (interface 2, 4.2).
  [{ operation: 'listCharacters' }, 'CHAR-LIST'],
  [{ operation: 'getCharacter' }, 'CHAR-GET', 'CHAR-FLAG', 'CHAR-PASS', 'CHAR-G2', 'CHAR-META', 'CHAR-EXT'],
  // Stash tabs (interface 2, 4.2).
  [{ operation: 'listStashes' }, 'STASH-LIST'],
  [{ operation: 'getStash' }, 'STASH-GET', 'STASH-SUB', 'STASH-EXT'],
  // Stash tabs of the guild (interface 4.2).
  [{ operation: 'listGuildStashes' }, 'GUILD-LIST'],
  [{ operation: 'getGuildStash' }, 'GUILD-GET', 'GUILD-SUB', 'GUILD-ISO', 'GUILD-SCOPE'],
  [{ operation: 'listGuildStashes' }, 'GUILD-NONE'],
  // League accounts (interface 2, 4.2).
  [{ operation: 'getLeagueAccount' }, 'LACC'],
  // The public stash stream (interface 2, 4.2, 8).
  [{ operation: 'getPublicStashTabs' }, 'PSTASH', 'PSTASH-UNLIST', 'PSTASH-LISTED', 'PSTASH-EXT', 'PSTASH-G1'],
  // The currency exchange (interface 4.2, 8).
  [{ operation: 'getCurrencyExchange' }, 'CX', 'CX-MARKET'],
  // Passive-tree links (interface 2, 9).
  [
    { read: '/section/passive-tree-links/layout' },
    'TREE-B64',
    'TREE-RT',
    'TREE-V6',
    'TREE-V5',
    'TREE-V4',
    'TREE-VER',
    'TREE-ATLAS',
  ],
  [{ read: '/section/passive-tree-links/the-ascendancy-byte' }, 'TREE-ASC'],
  [{ read: '/section/passive-tree-links/layout' }, 'TREE-ORDER', 'TREE-TRUNC', 'TREE-TRAIL', 'TREE-CHAR', 'TREE-DUP'],
  // What editions of the reference differ in (interface 2, 4.2, 9).
  [{ read: '/section/editions' }, 'ED'],
];

type GroupOf<Id> = Id extends `${infer Group}-${string}` ? Group : never;
/** Fields of one object, which the sentences name: `LeagueRule.id is a string`. */
type Field = `${string}-FIELD-${string}`;
/** Groups of clients alone. */
type ClientGroup = 'ADDR' | 'COPY' | 'EXCHANGE' | 'PACE' | 'READ' | 'REFRESH' | 'STREAM';

/** What the ids of a group begin with, in words. */
export const groupNames: Readonly<Record<GroupOf<Exclude<RowId, Field>> | ClientGroup, string>> = {
  ACCLEAGUE: 'leagues of an account',
  ADDR: 'addresses and queries',
  AUTH: 'authorization',
  BEAR: 'bearer tokens',
  CHAR: 'characters',
  COPY: 'copies that run at once',
  CX: 'currency exchange',
  ED: 'editions',
  ERR: 'errors',
  EVLADDER: 'ladders of events',
  EXCHANGE: 'currency exchange',
  FILTER: 'item filters',
  GEN: 'every reply',
  GUILD: 'guild stashes',
  INTRO: 'introspection',
  LACC: 'league accounts',
  LADDER: 'ladders of leagues',
  LEAGUE: 'leagues',
  LIFE: 'lifetimes of tokens',
  PACE: 'pace and retries',
  PROFILE: 'the profile',
  PSTASH: 'public stash stream',
  PVP: 'PvP matches',
  PVPLADDER: 'ladders of PvP matches',
  RATE: 'rate limits',
  READ: 'reading replies',
  REALM: 'realms',
  REFRESH: 'refreshing',
  REV: 'revocation',
  SCOPE: 'scopes',
  STASH: 'stashes',
  STREAM: 'public stash stream',
  TOK: 'tokens',
  TREE: 'passive-tree links',
  XF: 'fields that depend on another',
};
