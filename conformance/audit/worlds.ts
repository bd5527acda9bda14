import type { LimitWindow } from '../../src/client/index.js';
import { SetupError } from '../target/setup-error.js';
import type { Call } from './call.js';
import type { WorldRun } from './run.js';
import { authorizations, credentials, dataCalls, tokenCalls } from './rows/requests.js';
import { replyOf } from './call.js';
import type { World } from './world.js';

/** What a client must have done in the calm world for another one to say anything. */
export interface PlannedWorld extends World {
  readonly needs?: (calm: WorldRun) => boolean;
}

const asksUser = (calm: WorldRun): boolean => authorizations(calm).length > 0;
const visited = (calm: WorldRun): boolean => calm.visits.some(({ callbacks }) => callbacks.length > 0);
const canRefresh = (calm: WorldRun): boolean =>
  tokenCalls(calm).some((call) => typeof replyOf(call, 'refresh_token') === 'string');
const getsTokens = (calm: WorldRun): boolean => tokenCalls(calm).some(({ status }) => status === 200);
const uses =
  (...operations: readonly (Call['operation'] | undefined)[]) =>
  (calm: WorldRun): boolean =>
    dataCalls(calm).some(({ operation }) => operations.includes(operation));
const asksData = (calm: WorldRun): boolean => dataCalls(calm).length > 0;

const faulted = ({ decision, data }: Call): boolean => decision === 'faulted' && data;
const limited = ({ decision }: Call): boolean => decision === 'limited';
const refusedToken = ({ data, status }: Call): boolean => data && status === 401;
const faultedToken = ({ decision, operation }: Call): boolean => decision === 'faulted' && operation === 'issueToken';
const holds =
  (text: string) =>
  (call: Call): boolean =>
    call.delivery === 'sent' && call.text.includes(text);

/** The access token ends when the client has used it once. */
const ends = [{ when: { data: 1 }, do: 'end-access' }] as const;

const window = (hits: number, period: number): LimitWindow => ({ hits, period, restriction: 2, bucket: 1 });

/** Every world, the calm one first: what differs from it, and why a correct service may be so. */
export const worlds: readonly PlannedWorld[] = [
  { id: 'calm', title: 'Nothing out of the ordinary', lawful: 'The service as described.' },

  // The user and the browser
  {
    id: 'forged-callback',
    title: 'A callback with a foreign state comes first',
    lawful: 'Anybody on the machine can send one; 5.5 has the client check the state.',
    browser: 'forge',
    needs: visited,
  },
  {
    id: 'stray-connection',
    title: 'The browser opens a silent connection, and asks for an icon',
    lawful: 'Browsers do both with any address they are about to open.',
    browser: 'stray',
    needs: visited,
  },
  {
    id: 'denied',
    title: 'The user refuses',
    lawful: '4.1: a failure redirects with an error.',
    browser: 'deny',
    needs: asksUser,
  },
  {
    id: 'late-code',
    title: 'The code has expired when it comes',
    lawful: '5.5: a code lives for 30 seconds, and a browser may take longer.',
    browser: 'late',
    needs: visited,
  },
  {
    id: 'partial-consent',
    title: 'The user grants all scopes but one',
    lawful: '4.1: the response names the scopes that were granted.',
    browser: 'part',
    needs: asksUser,
  },
  {
    id: 'redirect-parameters',
    title: 'The redirect carries iss, state first, and is a 303',
    lawful: 'RFC 6749 4.1.2 and RFC 9207: parameters that a client does not know are ignored.',
    switches: {
      'authorize.iss': true,
      'authorize.paramOrder': 'state-first',
      'authorize.status': 303,
      'authorize.spaceForm': 'percent',
    },
    survival: 'READ-UNKNOWN-003',
    needs: visited,
    met: ({ operation, status }) => operation === 'authorize' && status === 200,
  },

  // Tokens
  {
    id: 'access-ends',
    title: 'The access token ends midway',
    lawful: '5.3: a token expires or is revoked, and is answered with 401.',
    events: ends,
    survival: 'TOK-SURVIVE-001',
    needs: getsTokens,
    met: refusedToken,
  },
  {
    id: 'rotation',
    title: 'The access token ends midway, the old one dies with each refresh, and the client is started again',
    lawful: '3: a refresh token is dead once it is used.',
    switches: { 'refresh.revokeOldAccess': true },
    events: ends,
    again: true,
    stores: true,
    needs: canRefresh,
  },
  {
    id: 'revoked-by-user',
    title: 'The user revokes the access of the application',
    lawful: '1: users can revoke their tokens at any time.',
    events: [{ when: { data: 1 }, do: 'revoke-user' }],
    needs: canRefresh,
  },
  {
    id: 'lost-refresh-reply',
    title: 'The reply of a refresh is lost',
    lawful: 'A connection can break after the service has rotated the token.',
    events: ends,
    faults: [{ kind: 'lost-reply', on: 'refresh', times: 1 }],
    needs: canRefresh,
  },
  {
    id: 'token-503',
    title: 'The token endpoint is busy when the client refreshes',
    lawful: 'RFC 9110 15.6.4: a service may be unavailable for a while.',
    events: ends,
    faults: [{ kind: 'status', on: 'refresh', times: 1, status: 503, retryAfter: 1 }],
    needs: canRefresh,
  },
  {
    id: 'token-500',
    title: 'The token endpoint fails six times when the client refreshes',
    lawful: 'RFC 9110 15.6.1: a service may fail.',
    events: ends,
    faults: [{ kind: 'status', on: 'refresh', times: 6, status: 500 }],
    needs: canRefresh,
  },
  {
    id: 'token-busy',
    title: 'The token endpoint is busy at the first request',
    lawful: 'RFC 9110 15.6.4: a service may be unavailable for a while.',
    faults: [{ kind: 'status', on: 'token', times: 1, status: 503, retryAfter: 1 }],
    survival: 'TOK-SURVIVE-002',
    needs: getsTokens,
    met: faultedToken,
  },
  {
    id: 'unknown-token-members',
    title: 'Token responses have a member that nobody has described',
    lawful: 'RFC 6749 5.1: unrecognized members are ignored.',
    extra: true,
    survival: 'READ-UNKNOWN-002',
    needs: getsTokens,
    met: (call) => call.operation === 'issueToken' && holds('x_undocumented')(call),
  },
  {
    id: 'long-tokens',
    title: 'Tokens are 900 characters long',
    lawful: 'RFC 6749 5.1: the sizes of values are left undefined.',
    switches: { 'tokens.length': 900 },
    survival: 'READ-TOKEN-001',
    needs: getsTokens,
    met: ({ operation, status }) => operation === 'issueToken' && status === 200,
  },
  {
    id: 'no-expires-in',
    title: 'expires_in is left out where it would be null',
    lawful: 'RFC 6749 5.1: expires_in is recommended, not required.',
    switches: { 'tokens.nullExpiresIn': 'omit' },
    survival: 'READ-EXPIRES-001',
    needs: (calm) => credentials(calm).length > 0,
    met: (call) => call.form.get('grant_type') === 'client_credentials' && call.status === 200,
  },

  // Pace
  {
    id: 'restricted-once',
    title: 'One request is answered with 429 and Retry-After',
    lawful: '5.4: limits are shared; RFC 6585 4.',
    faults: [{ kind: 'status', on: 'data', after: 1, times: 1, status: 429, retryAfter: 2 }],
    survival: 'PACE-SURVIVE-001',
    needs: asksData,
    met: faulted,
  },
  {
    id: 'restricted-first',
    title: 'The first request is answered with 429 and Retry-After',
    lawful: '5.4: limits are shared; RFC 6585 4.',
    faults: [{ kind: 'status', on: 'data', times: 1, status: 429, retryAfter: 2 }],
    survival: 'PACE-SURVIVE-001',
    needs: asksData,
    met: faulted,
  },
  {
    id: 'restricted-date',
    title: 'One request is answered with 429, and Retry-After is a date',
    lawful: 'RFC 9110 10.2.3: Retry-After is a date or seconds.',
    faults: [{ kind: 'status', on: 'data', times: 1, status: 429, retryAfter: 2, retryForm: 'date' }],
    survival: 'PACE-SURVIVE-006',
    needs: asksData,
    met: faulted,
  },
  {
    id: 'busy-once',
    title: 'One request is answered with 503 and Retry-After',
    lawful: 'RFC 9110 15.6.4.',
    faults: [{ kind: 'status', on: 'data', after: 1, times: 1, status: 503, retryAfter: 1 }],
    survival: 'PACE-SURVIVE-002',
    needs: asksData,
    met: faulted,
  },
  {
    id: 'server-error',
    title: 'One request fails with 500',
    lawful: 'RFC 9110 15.6.1: a service may fail.',
    faults: [{ kind: 'status', on: 'data', times: 1, status: 500 }],
    needs: asksData,
  },
  {
    id: 'down',
    title: 'Every data request fails',
    lawful: 'RFC 9110 15.6: a service may be down.',
    faults: [{ kind: 'status', on: 'data', status: 500 }],
    seconds: 12,
    needs: asksData,
  },
  {
    id: 'tight-limits',
    title: 'Four requests in two seconds',
    lawful: '1: tokens serve to apply rate limits; their numbers are not shown.',
    limit: { windows: [window(4, 2)] },
    survival: 'PACE-SURVIVE-003',
    needs: asksData,
    met: limited,
  },
  {
    id: 'coarse-windows',
    title: 'Two windows at a time, which end up to a second later than it seems',
    lawful: 'Observed: the service counts in buckets of its own.',
    limit: { windows: [window(4, 2), window(30, 12)] },
    survival: 'PACE-SURVIVE-003',
    needs: asksData,
    met: limited,
  },
  {
    id: 'policy-changes',
    title: 'The policy changes midway',
    lawful: 'Observed; no numbers are promised.',
    limit: { windows: [window(10, 2)], later: { after: 4, windows: [window(4, 2), window(30, 12)] } },
    survival: 'PACE-SURVIVE-003',
    needs: asksData,
    met: ({ replyHeaders }) => replyHeaders['x-rate-limit-policy'] === 'later',
  },
  {
    id: 'edge-page',
    title: 'An edge answers once, with a page of HTML',
    lawful: 'Observed: something in front of the service answers floods itself.',
    faults: [{ kind: 'page', on: 'data', after: 1, times: 1, status: 503, retryAfter: 1 }],
    survival: 'PACE-SURVIVE-004',
    needs: asksData,
    met: faulted,
  },
  {
    id: 'reset',
    title: 'A connection is reset',
    lawful: 'Networks do.',
    faults: [{ kind: 'reset', on: 'data', after: 1, times: 1 }],
    survival: 'PACE-SURVIVE-005',
    needs: asksData,
    met: faulted,
  },
  {
    id: 'slow',
    title: 'Bodies come slowly',
    lawful: 'No speed is promised.',
    faults: [{ kind: 'drip', on: 'data', times: 2, ms: 1200 }],
    survival: 'READ-SLOW-001',
    met: ({ data }) => data,
    needs: asksData,
  },
  {
    id: 'late',
    title: 'A reply takes two seconds',
    lawful: 'No speed is promised.',
    faults: [{ kind: 'latency', on: 'data', times: 1, ms: 2000 }],
    survival: 'READ-SLOW-001',
    met: ({ data }) => data,
    needs: asksData,
  },
  {
    id: 'hang',
    title: 'A request is never answered',
    lawful: 'Networks do.',
    faults: [{ kind: 'hang', on: 'data', after: 1, times: 1 }],
    seconds: 40,
    needs: asksData,
  },

  // Reading
  {
    id: 'unknown-members',
    title: 'Every object has a member that nobody has described',
    lawful: '9: some fields appear only in newer editions.',
    switches: { 'extra.fields': true },
    survival: 'READ-UNKNOWN-001',
    needs: asksData,
    met: holds('x_undocumented'),
  },
  {
    id: 'nulls',
    title: 'What may be null is null',
    lawful: '2: ? means that the value may be null or absent.',
    switches: { 'optional.absentForm': 'null' },
    survival: 'READ-NULL-001',
    needs: asksData,
    met: (call) => call.data && holds(':null')(call),
  },
  {
    id: 'absences',
    title: 'What may be absent is absent',
    lawful: '2: ? means that the value may be null or absent.',
    switches: { 'flags.falseForm': 'omit', 'realm.game2InPayload': 'omit' },
    survival: 'READ-ABSENT-001',
    needs: asksData,
  },
  {
    id: 'base-edition',
    title: 'An edition with fewer fields',
    lawful: '9: fields marked variant are in some editions only.',
    edition: 'base',
    survival: 'READ-EDITION-001',
    flags: { 'F-CX': true },
    needs: asksData,
  },
  {
    id: 'shuffled',
    title: 'Members come in another order each time',
    lawful: 'RFC 8259 4: an object is unordered.',
    switches: { 'json.keyOrder': 'shuffled' },
    survival: 'READ-ORDER-001',
    needs: asksData,
  },
  {
    id: 'escaped',
    title: 'Every character beyond ASCII is escaped',
    lawful: 'RFC 8259 7: any character may be escaped.',
    switches: { 'json.form': 'escaped' },
    survival: 'READ-JSON-001',
    needs: asksData,
  },
  {
    id: 'pretty',
    title: 'JSON with line feeds and indents',
    lawful: 'RFC 8259 2: white space may stand between tokens.',
    switches: { 'json.form': 'pretty' },
    survival: 'READ-JSON-001',
    needs: asksData,
  },
  {
    id: 'dates-offset',
    title: 'Dates end in +00:00',
    lawful: '2: dates are ISO 8601 date-time strings.',
    switches: { 'dates.form': 'offset' },
    survival: 'READ-DATE-001',
    needs: asksData,
    met: holds('+00:00"'),
  },
  {
    id: 'dates-fraction',
    title: 'Dates have fractions of a second',
    lawful: '2: dates are ISO 8601 date-time strings.',
    switches: { 'dates.form': 'fraction' },
    survival: 'READ-DATE-001',
    needs: asksData,
    met: holds('.000Z"'),
  },
  {
    id: 'odd-names',
    title: 'The first leagues and characters have names with / + % ? # and letters beyond ASCII',
    lawful: '2: a name is a string.',
    oddFirst: true,
    survival: 'READ-NAME-001',
    needs: uses('listLeagues', 'listCharacters', 'listAccountLeagues'),
  },
  {
    id: 'empty-account',
    title: 'The account has nothing',
    lawful: '4.2: a list is an array, and an array may be empty.',
    account: 'carol',
    survival: 'READ-EMPTY-001',
    needs: asksUser,
    met: ({ data, account }) => data && account === 'carol',
  },
  {
    id: 'large-pages',
    title: 'Replies of 3 MB',
    lawful: 'Observed: a page of the stash stream has up to 3 MB.',
    padding: 2_500_000,
    survival: 'READ-LARGE-001',
    needs: asksData,
  },
  {
    id: 'upper-hex',
    title: 'Hexadecimal ids in upper case',
    lawful: '2: ids are hexadecimal strings, of no stated case.',
    switches: { 'hex.case': 'upper' },
    survival: 'READ-HEX-001',
    needs: asksData,
  },
  {
    id: 'flat-tabs',
    title: 'Sub-tabs and tabs in folders stand side by side with the others',
    lawful: '4.2: the list includes them; it is not said where.',
    switches: { 'stash.listForm': 'flat' },
    survival: 'READ-TABS-001',
    needs: uses('listStashes', 'listGuildStashes'),
  },
  {
    id: 'unlisted',
    title: 'The properties of unlisted stashes are null',
    lawful: '2: they are null; 4.2: they are omitted.',
    switches: { 'psapi.unlistedForm': 'null' },
    survival: 'READ-UNLISTED-001',
    needs: uses('getPublicStashTabs'),
    met: (call) => call.operation === 'getPublicStashTabs' && call.text.includes('"public":false'),
  },
  {
    id: 'end-of-stream',
    title: 'The stream and the history end soon',
    lawful: '4.2: an empty array is the end of the stream; an equal next_change_id that of the history.',
    volume: { stashChanges: 30, exchangeHours: 3 },
    again: true,
    survival: 'READ-END-001',
    needs: uses('getPublicStashTabs', 'getCurrencyExchange'),
  },
  {
    id: 'observed',
    title: 'The forms that live services have been seen to send',
    lawful: 'Observed, beside the description; the edition observed of the contract has them.',
    edition: 'observed',
    survival: 'READ-OBSERVED-001',
    needs: asksData,
  },
  {
    id: 'pruned',
    title: 'The exchange history is pruned to a day',
    lawful: '4.2: old history entries may be removed later.',
    switches: { 'cx.retentionHours': 24, 'cx.pruned': 'empty' },
    survival: 'READ-PRUNED-001',
    needs: uses('getCurrencyExchange'),
  },
  {
    id: 'quiet-hours',
    title: 'Hours without trades are skipped',
    lawful: '4.2: each market with activity in the hour is returned; next_change_id is a timestamp.',
    switches: { 'cx.skipQuiet': true },
    survival: 'READ-QUIET-001',
    needs: uses('getCurrencyExchange'),
  },
];

/**
 * The worlds that words name; the calm one is always first among them. No words are all worlds.
 * @throws SetupError where a word names nothing.
 */
export function worldsNamed(words: readonly string[]): readonly PlannedWorld[] {
  const named = words.map(worldNamed);
  return words.length === 0 ? worlds : worlds.filter((world) => world.id === 'calm' || named.includes(world));
}

/** @throws SetupError where there is no world of that name. */
export function worldNamed(word: string): PlannedWorld {
  const world = worlds.find(({ id }) => id === word);
  if (!world) throw new SetupError(`world ${word}: there is none of that name; see gamedata audit worlds`);
  return world;
}
