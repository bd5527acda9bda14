import type { GameOperation } from '../../../../src/contract/index.js';
import type { Json } from '../../interceptor/interceptor.js';
import { having } from '../../interceptor/json.js';
import type { Inbound } from '../../interceptor/traffic.js';
import { mutants, operator } from '../../mutant.js';
import type { DataOperations } from '../../operators/replies.js';
import { give, list, rawReply, reply, set } from '../../operators/replies.js';
import type { Operations, When } from '../../operators/requests.js';
import { defaultParameter, given, refuse, request, respond } from '../../operators/requests.js';

const both = ['getCharacter', 'getStash'] as const;
const writes = ['createItemFilter', 'updateItemFilter'] as const;

/** Requests on which the server fails, though it need not. */
const fail = operator('fail', (_, operations: Operations, when: When) => refuse(operations, when, 500));

/** Forms on which the authorization server fails. */
const failForm = operator('failForm', (_, when: (request: Inbound) => boolean) =>
  respond(['issueToken', 'revokeToken', 'introspectToken'], when, 500, { error: 'server_error' }),
);

const atob64 = (authorization: string): string => Buffer.from(authorization.slice(6), 'base64').toString('latin1');

const mediaType = operator('mediaType', (_, operations: DataOperations, type: string) =>
  reply(operations, (_, { reply: { headers } }) => void (headers['content-type'] = type)),
);

const paths = operator('paths', (_, operations: Operations, from: RegExp, to: string) =>
  request(operations, (one) => void (one.path = one.path.replace(from, to))),
);

const defaultsToXbox = (operation: GameOperation) => defaultParameter(operation, 'realm', 'xbox');

/** What holds for every operation: JSON, paths, names, realms, and bad input. */
export const general = mutants({
  'GEN-001: JSON goes out as text/html': () => mediaType('all', 'text/html'),
  'GEN-001 utf8: JSON is said to be application/javascript for one operation': () =>
    mediaType('getLeagueAccount', 'application/javascript').exercise('LACC-001'),
  'GEN-001 mark: JSON begins with a byte order mark': () =>
    rawReply('getLeagueAccount', (one) => void (one.content = `\ufeff${one.content}`)).exercise('LACC-001'),
  'GEN-001 latin: JSON goes out in Latin-1': () =>
    rawReply('getLeagueAccount', (one) => {
      one.content = one.content.replace('{', '{"\u00e9":1,');
      one.encode = (text) => Buffer.from(text, 'latin1');
    }).exercise('LACC-001'),
  'GEN-001 zstd: bodies come in a coding that nobody asked for and nobody reads': () =>
    rawReply('getLeagueAccount', (one) => void (one.headers['content-encoding'] = 'zstd')).exercise('LACC-001'),
  'GEN-001 plain: bodies are said to be compressed and are not': () =>
    rawReply('getLeagueAccount', (one) => void (one.headers['content-encoding'] = 'gzip')).exercise('LACC-001'),
  'GEN-003: the profile is found at a path with a version, to which its own leads': () =>
    respond('getProfile', ({ headers }) => headers.authorization !== undefined, 307, undefined, {
      location: '/v1/profile',
    }),
  'GEN-003 token: the token endpoint leads to one with a version': () =>
    respond('issueToken', ({ form }) => form.get('grant_type') === 'cx-none', 308, undefined, {
      location: '/v2/oauth/token',
    }),
  'GEN-004 xbox: characters of realm xbox need a league': () =>
    refuse('listCharacters', { realm: 'xbox', league: null }),
  'LEAGUE-FIELD-description false: optional texts that are absent are false': () =>
    give('all', ['id', 'category'], 'description', (text: unknown) => text ?? false),
  'GEN-013: all items have the same id': () => give(both, ['id', 'frameType'], 'id', 'a'.repeat(64)),
  'GEN-016 null: an update with the body null is a server error': () =>
    fail('updateItemFilter', ({ body }) => body.trim() === 'null'),
  'GEN-016 list: a body that is a list is a server error': () => fail(writes, ({ json }) => Array.isArray(json)),
  'GEN-016 twice: a query parameter that occurs twice is a server error': () =>
    fail('listLeagues', ({ query }) => new Set(query.keys()).size < [...query.keys()].length),
  'GEN-016 big: an offset of more than 64 bits is a server error': () =>
    fail('listLeagues', { offset: (offset) => Number(offset) > 2 ** 63 }),
  'GEN-016 planes: a name of a character with characters outside the basic plane is a server error': () =>
    fail('getCharacter', { name: /[\u{10000}-\u{10FFFF}]/u }),
  'GEN-016 percent: a percent sign in a name of a league is a server error': () =>
    fail('getLeague', { league: /%(?![0-9a-f]{2})/i }),
  'GEN-016 long: a name of more than 255 characters is a server error': () =>
    fail('all', ({ route }) => Object.values(route?.args ?? {}).some(({ length }) => length > 255)),
  'GEN-016 quote: a single quote in a name is a server error': () =>
    fail('all', ({ route }) => Object.values(route?.args ?? {}).some((value) => value.includes("'"))),
  'GEN-016 port: a redirect URI with a port that there cannot be is a server error': () =>
    respond(
      'authorize',
      ({ query: sent }) => Number(/:(\d+)\//.exec(sent.get('redirect_uri') ?? '')?.[1]) > 65_535,
      500,
      {
        error: 'server_error',
      },
    ),
  'GEN-016 uri: a redirect URI that is no address is a server error': () =>
    respond('authorize', ({ query: sent }) => !URL.canParse(sent.get('redirect_uri') ?? 'cx:'), 500, {
      error: 'server_error',
    }),
  'GEN-016 form-name: a form whose broken field has a name beyond Latin-1 is a server error': () =>
    fail('issueToken', ({ body }) => body.startsWith('%D0%BA=')),
  'GEN-016 encoded-basic: HTTP Basic with a malformed percent-encoding is a server error': () =>
    fail('issueToken', ({ headers }) => {
      const [, encoded = ''] = /^basic (.*)$/i.exec(headers.authorization ?? '') ?? [];
      return /%(?![0-9a-f]{2})/i.test(Buffer.from(encoded, 'base64').toString());
    }),
  'GEN-016 twice-authenticated: credentials in the body beside HTTP Basic are a server error': () =>
    fail(
      'issueToken',
      ({ headers, form }) => /^basic /i.test(headers.authorization ?? '') && form.has('client_secret'),
    ),
  'GEN-016 scope: a scope of spaces is a server error': () =>
    fail('issueToken', ({ form }) => form.get('scope') === ' '),
  'GEN-016 nul: a text with the character NUL is a server error': () =>
    fail('updateItemFilter', ({ body }) => body.includes(String.raw`\u0000`)),
  'GEN-016 half: half of a surrogate pair is a server error': () =>
    fail('updateItemFilter', ({ body }) => body.includes(String.raw`\ud800`)),
  'GEN-016 offset: an offset below 0 is a server error': () =>
    fail('getLeagueEventLadder', { offset: (offset) => Number(offset) < 0 }),
  'GEN-016 limit: a limit of 0 is a server error': () => fail('getPvpMatchLadder', { limit: '0' }),
  'GEN-016 word: a limit that is no number is a server error': () => fail('getLeagueLadder', { limit: 'abc' }),
  'GEN-016 form: a form whose percent-encoding is malformed is a server error': () =>
    failForm(({ body }) => /%(?![0-9a-f]{2})/i.test(body)),
  'GEN-016 bytes: a form that is no UTF-8 is a server error': () => failForm(({ body }) => /%ff/i.test(body)),
  'GEN-016 empty: an empty form is a server error': () => failForm(({ body }) => body === ''),
  'GEN-016 basic: Basic credentials without a colon are a server error': () =>
    failForm(
      ({ headers: { authorization = '' } }) => /^basic/i.test(authorization) && !atob64(authorization).includes(':'),
    ),
  'GEN-016 realm: a realm that there is none of is a server error': () =>
    fail('listAccountLeagues', ({ path }) => /^\/account\/leagues\/(?!(?:xbox|sony|game2)$)./.test(path)).inCase(
      'realms',
    ),
  'GEN-016 coding: a form in a coding that the server does not know is a server error': () =>
    failForm(({ headers }) => headers['content-encoding'] === 'cx').inCase('codings'),
  'GEN-016 coded: a filter that is not in the coding that it says is a server error': () =>
    fail('updateItemFilter', ({ headers }) => headers['content-encoding'] !== undefined).inCase('codings'),
  'GEN-016 head: a header of more than 8 KiB is a server error': () =>
    fail('getProfile', ({ headers }) => Object.values(headers).some((value) => String(value).length > 8192)).inCase(
      'heads',
    ),
  'GEN-016 type: a form without a content type is a server error': () =>
    failForm(({ headers }) => headers['content-type'] === undefined),
  'GEN-016 token: a token of more than 255 characters is a server error': () =>
    failForm(({ form }) => (form.get('token') ?? '').length > 255),
  'GEN-004 accept: a request that does not ask for JSON is refused': () =>
    refuse('getLeagueAccount', ({ headers }) => headers.accept !== 'application/json', 406),
  'GEN-001 accept: what does not ask for JSON gets XML': () =>
    rawReply(
      'getProfile',
      (one, { headers: { accept } }) => void (accept === '*/*' && (one.headers['content-type'] = 'application/xml')),
    ).exercise('GEN-004'),
  'GEN-016 far: an hour that is no date breaks the server': () =>
    fail('getCurrencyExchange', { id: (id) => /^\d+$/.test(id) && Number(id) >= 253_402_300_800 }).exercise('CX-012'),
  'STASH-GET-003 N-GEN-016-tab: the id of a tab that is no hexadecimal number is a server error': () =>
    fail('all', { stash_id: /[^0-9a-f]/i }),
  'GEN-017: a plus sign in a path is a space': () => paths(['getLeague', 'getCharacter'], /\+/g, '%20'),
  'GEN-017 twice: paths are decoded twice': () => paths('getLeague', /%25([0-9A-F]{2})/gi, '%$1'),
  'GEN-017 latin: names of leagues are taken for Latin-1': () =>
    set('getLeague', 'league', null, { league: /[^\x20-\x7e]/ }),
  'GEN-017 stash: the league of a list of tabs may have letters and digits only': () =>
    refuse('listStashes', ({ path }) => path.includes('%'), 404),
  'REALM-PATH-001: without a realm the characters of all realms are listed': () =>
    list(
      'listCharacters',
      'characters',
      (all, _, at) => {
        const [first] = at.service.world.characters('alice', 'xbox');
        const { id, name, realm, class: kind, level, experience } = (first ?? {}) as Json;
        return first ? [...all, { id, name, realm, class: kind, level, experience }] : all;
      },
      ({ path }) => path === '/character',
    ),
  'REALM-QUERY-001: leagues default to xbox': () => defaultsToXbox('listLeagues'),
  'REALM-QUERY-001 lookup: the lookup of a league defaults to xbox': () => defaultsToXbox('getLeague'),
  'REALM-QUERY-001 type: without realm event leagues are those of realm sony': () =>
    defaultParameter('listLeagues', 'realm', 'sony', { type: 'event' }),
  'REALM-QUERY-001 sort: without realm a ladder with a sort is that of realm xbox': () =>
    defaultParameter('getLeagueLadder', 'realm', 'xbox', { sort: given }),
  'REALM-QUERY-001 season: without realm the matches of a season are those of realm xbox': () =>
    defaultParameter('listPvpMatches', 'realm', 'xbox', { type: 'season' }),
  'XF-001: more challenges are completed than there are': () =>
    set(
      'getLeagueLadder',
      '**.challenges',
      (all: Json | null) => all && { ...all, completed: Number(all.max) + 1 },
    ).exercise('LADDER-001'),
  'XF-002: a lookup gives a name in capital letters for the id that the list has': () =>
    set('getCharacter', 'character.name', (name: string) => name.toUpperCase()).exercise('CHAR-GET-001'),
  'XF-003: the guild of an account has another tag in every entry': (seen = { accounts: 0 }) =>
    reply(['getPvpMatchLadder', 'getLeagueLadder'], (body) => {
      for (const account of having(body, 'name', 'guild')) {
        account.name = 'Same';
        account.guild = { id: 7, name: 'One', tag: `T${(seen.accounts += 1)}` };
      }
    })
      .warns()
      .exercise('PVPLADDER-001', 'LADDER-001'),
  'XF-007: progress of a property is not rounded': () => give(both, ['values', 'progress'], 'progress', 0.123456),
});
