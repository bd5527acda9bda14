import { flags as flagTable, lifetimes } from '../../../src/contract/index.js';
import { decodeTree, encodeTree } from '../../../src/passive-tree/index.js';
import type { EncodeOptions, PassiveTree } from '../../../src/passive-tree/index.js';
import { withoutDefaultRealm } from '../../engine/requests.js';
import type { Target } from '../../target/target.js';
import { answerOf } from '../interceptor/interceptor.js';
import type { Json } from '../interceptor/interceptor.js';
import { bearerOf } from '../interceptor/who.js';
import { operator, together, variantsOf } from '../mutant.js';
import { sentText } from '../operators/filters.js';
import { form, formReply, isCredentials, subjectOf, tokenMember, tokenResponse } from '../operators/oauth.js';
import { give, reply } from '../operators/replies.js';
import { defaultParameter, given, refuse, request } from '../operators/requests.js';
import { laterConsentEnds, laterServiceTokenEnds, onlyLast, revokedLate } from '../operators/tokens.js';

/** Links in another form, unless one is asked for. */
const linksIn = operator('linksIn', (at, form: EncodeOptions) =>
  at.codec(() => ({
    decode: (link) => decodeTree(link),
    encode: (tree, wanted) => encodeTree(tree as unknown as PassiveTree, { ...form, ...wanted }),
  })),
);

/** One of so many requests is answered 429, or 503; the next one goes through. */
const limited = operator('limited', (at, every: number, status: number) => {
  let count = 0;
  at.request(({ operation, path }) => {
    if (operation === undefined || operation === 'authorize') return undefined;
    count += 1;
    if (count % every !== 0) return undefined;
    const error = path.startsWith('/oauth/') ? 'temporarily_unavailable' : { code: 3, message: 'Rate limit exceeded' };
    return answerOf(status, { error }, { 'retry-after': '0' });
  });
});

/** An hour ends at every so many requests for one, as it may in the midst of any run. */
const hoursEnd = operator('hoursEnd', (at, every: number) => {
  let count = 0;
  at.request(({ operation }) => {
    count += operation === 'getCurrencyExchange' ? 1 : 0;
    const { authority, clock } = at.service;
    // A code lives for seconds: no hour ends so suddenly between its issue and its exchange.
    const live = [...authority.store.codes()].some(({ used, expiresAt }) => !used && expiresAt > clock.now());
    if (count < every || live) return;
    count = 0;
    clock.advance(3_600_000 - (clock.now() % 3_600_000));
  });
});

/** Revocations of another client's tokens end nothing, and are answered as told: RFC 7009 2.1 refuses them, some do not. */
const keepsToOwn = operator('keepsToOwn', (_, status: number, body: Json) =>
  form('revokeToken', (sent, at, { headers }) => {
    const [asking, asked] = [at.service.authority.store.findToken(bearerOf(headers)), subjectOf(sent, at)];
    if (!asking || !asked || asking.ended || !asking.grant.scopes.includes('oauth:revoke')) return undefined;
    return asking.grant.clientId === asked.grant.clientId ? undefined : answerOf(status, body);
  }),
);

/** A service asks again for a token that it has: it is given that one, as long as it lives. */
const sameServiceToken = operator('sameServiceToken', () => {
  const known = new Map<string, string>();
  return tokenResponse((body, sent, { service: { authority } }) => {
    const token = authority.store.findToken(String(body.access_token));
    if (!isCredentials(sent) || !token) return;
    const key = `${token.grant.clientId} ${String(body.scope)}`;
    const before = authority.store.findToken(known.get(key) ?? '');
    if (before && !before.ended) body.access_token = before.text;
    else known.set(key, token.text);
  });
});

/** Of the members that are null, wherever they are below the wrapper, every third is left out. */
const thirdNullLeftOut = operator('thirdNullLeftOut', (at) => {
  let count = 0;
  const leaveOut = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const [name, inner] of Object.entries(value)) {
      if (inner !== null) leaveOut(inner);
      else if (!Array.isArray(value) && (count += 1) % 3 === 0) delete (value as Json)[name];
    }
  };
  at.data('all', (body) => {
    for (const wrapped of Object.values(body)) leaveOut(wrapped);
    return body;
  });
});

/** Each page of a ladder has the time at which its address was asked for first. */
const pagesKept = operator('pagesKept', (at) => {
  const times = new Map<string, string>();
  at.data('getLeagueLadder', (body, { request: { path, query: asked } }) => {
    const page = (body.ladder ?? body.league) as Json | null;
    const address = `${path}?${String(asked)}`;
    const time = times.get(address) ?? new Date(at.service.clock.now() - times.size * 1000).toISOString();
    times.set(address, time);
    if (page) page.cached_since = time;
    return body;
  });
});

/** The id of an hour of the exchange is that of the hour after it, at which it is over (K-053). */
const hoursByEnd = operator('hoursByEnd', () => {
  const hour = 3600;
  return together(
    request('getCurrencyExchange', (one) => {
      one.path = one.path.replace(/\d{6,}$/, (id) => String(Number(id) - hour));
    }),
    reply('getCurrencyExchange', (body, _, { service }) => {
      const current = Math.floor(service.clock.now() / 3_600_000) * hour;
      body.next_change_id = Math.min(Number(body.next_change_id) + hour, current);
    }),
  );
});

/** A value whose dates are written otherwise. */
const dates = (write: (date: string) => string) => {
  const rewritten = (value: unknown): unknown => {
    if (typeof value === 'string' && /^\d{4}-\d\d-\d\dT[\d:]+Z$/.test(value)) return write(value);
    if (Array.isArray(value)) return value.map(rewritten);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, rewritten(inner)]));
  };
  return rewritten;
};

const day = 86_400_000;
const daysInto = (date: string): number =>
  Math.floor((Date.parse(date) - Date.UTC(Number(date.slice(0, 4)), 0, 1)) / day) + 1;

/** `2026-W01-4T00:00:00,000Z`: the week of a day is that of its Thursday. */
function inWeeks(date: string): string {
  const weekday = new Date(date).getUTCDay() || 7;
  const thursday = new Date(Date.parse(date) + (4 - weekday) * day).toISOString();
  const week = String(Math.ceil(daysInto(thursday) / 7)).padStart(2, '0');
  return `${thursday.slice(0, 4)}-W${week}-${weekday}${date.slice(10, -1)},000Z`;
}

/** `2026-001T00:00:00+00`. */
const asOrdinal = (date: string): string =>
  `${date.slice(0, 5)}${String(daysInto(date)).padStart(3, '0')}${date.slice(10, -1)}+00`;

/** `2025-12-31T24:00:00Z`. */
const atTheEnd = (date: string): string =>
  date.includes('T00:00:00Z') ? `${new Date(Date.parse(date) - day).toISOString().slice(0, 10)}T24:00:00Z` : date;

/** A filter that does not validate is refused where it is to be validated. */
const badFiltersRefused = operator('badFiltersRefused', (at) =>
  at.request(({ operation, query, json }) => {
    const isWrite = operation === 'createItemFilter' || operation === 'updateItemFilter';
    if (!isWrite || query.get('validate') !== 'true') return undefined;
    const text = (json as Json | undefined)?.filter;
    return typeof text === 'string' && text.includes('Shwo')
      ? answerOf(422, { error: { message: 'Shwo' } })
      : undefined;
  }),
);

/** A target in which nobody but the operator's client may revoke. */
const operatorRevokes = (target: Target): Target => ({
  ...target,
  clients: Object.fromEntries(
    Object.entries(target.clients).map(([role, client]) => [
      role,
      role === 'operations' ? client : { ...client, scopes: client.scopes.filter((scope) => scope !== 'oauth:revoke') },
    ]),
  ),
});

/** A target that says where the server is and who its clients are, and nothing of how it reads the interface. */
export function undeclared(target: Target): Target {
  return {
    ...target,
    edition: {},
    readings: {
      access_after_refresh: 'any',
      refresh_reuse: 'any',
      invalid_scope: 'any',
      over_max: 'any',
      null_lookup_status: 'any',
    },
  };
}

const off = Object.fromEntries(flagTable.map(({ flag }) => [flag, false]));

/** What live data shows, all of it. */
const shown = Object.fromEntries(flagTable.flatMap(({ flag, kind }) => (kind === 'observed' ? [[flag, true]] : [])));

/** Variants that are no switch of our mock. */
export const others = variantsOf({
  "B-07: a sub-tab's wrapper has nothing but what it must have": {
    mutation: reply(
      ['getStash', 'getGuildStash'],
      (body) => {
        if (!body.stash) return;
        const { id, name, type, metadata, children } = body.stash as Json;
        body.stash = { id, name, type, metadata, children };
      },
      { substash_id: given },
    ),
  },
  'K-121: texts of filters have line ends of one kind, and no blanks at their ends': {
    mutation: together(
      ...(['filter', 'filter_name', 'description'] as const).flatMap((field) =>
        (['createItemFilter', 'updateItemFilter'] as const).map((operation) =>
          sentText(operation, field, (text) => text.replaceAll(/\r\n?/g, '\n').replaceAll(/^[ \t\n]+|[ \t\n]+$/g, '')),
        ),
      ),
    ),
  },
  'B-03-mixed: optional fields are now null, now absent': {
    switches: { 'optional.absentForm': 'null' },
    mutation: thirdNullLeftOut(),
  },
  'B-19-small: dates are written with a small t and z': {
    mutation: reply(
      'all',
      dates((date) => date.toLowerCase()),
    ),
  },
  'B-19-week: dates are of a week, and have a comma': { mutation: reply('all', dates(inWeeks)) },
  'B-19-ordinal: dates count the days of the year, and have an offset of hours': {
    mutation: reply('all', dates(asOrdinal)),
  },
  'B-19-basic: dates have neither hyphens nor colons': {
    mutation: reply(
      'all',
      dates((date) => date.replaceAll(/[-:]/g, '')),
    ),
  },
  'B-19-midnight: midnight is the end of a day': { mutation: reply('all', dates(atTheEnd)) },
  'K-035-ids: the id of a league is not its name, by which characters, markets and the target know it': {
    flags: { 'F-LEAGUE-NAME': true },
    mutation: together(
      give(
        ['listLeagues', 'listAccountLeagues', 'getLeague'],
        ['id', 'name', 'category'],
        'name',
        (_: string, { id }: Json) => id,
      ),
      give(
        ['listLeagues', 'listAccountLeagues', 'getLeague'],
        ['id', 'name', 'category'],
        'id',
        (id: string) => `id-${id}`,
      ),
      request('all', (one) => void (one.path = one.path.replace('/id-', '/'))),
    ),
  },
  'K-035-words: characters name their league by another word, which is looked up': {
    flags: { 'F-LEAGUE-NAME': false },
    mutation: together(
      reply(['listCharacters', 'getCharacter'], (body) => {
        for (const one of [body.characters, body.character].flat())
          if (typeof (one as Json | null)?.league === 'string')
            (one as Json).league = `The ${String((one as Json).league)}`;
      }),
      request('getLeague', (one) => void (one.path = one.path.replace('/The%20', '/'))),
    ),
  },
  'CHAR-PASS-012-wide: some hashes of characters have 32 bits': {
    mutation: reply('getCharacter', ({ character }) => {
      const { hashes } = ((character as Json | null)?.passives ?? {}) as { hashes?: number[] };
      if (hashes && hashes.length > 1) hashes[0] = 70_000;
    }),
  },
  'K-023-empty-meta: PvP ladders are empty, that of an unknown match too, beside an object that nobody knows': {
    switches: { 'ladder.unknown': 'empty' },
    mutation: reply('getPvpMatchLadder', (body) => {
      body.match = { total: 0, entries: [] };
      body.meta = { server: 'other' };
    }),
  },
  'FILTER-VALID-003-refused: a filter that does not validate is refused where it is to be validated': {
    mutation: badFiltersRefused(),
  },
  'K-067: the error beside an updated filter has members of its own': {
    mutation: reply('updateItemFilter', (body) => {
      if (body.error) body.error = { code: 'accepted', message: null, retry: true };
    }),
  },
  'B-40: a request now and then is answered 429': { mutation: limited(41, 429) },
  'B-40-503: a request now and then is answered 503 with Retry-After': { mutation: limited(43, 503) },
  'T-hours: an hour ends at every 150th request of the exchange': { mutation: hoursEnd(150) },
  'T-hours-often: an hour ends at every 40th request of the exchange': { mutation: hoursEnd(40) },
  'TOK-RESP-005-left: expires_in is what is left when the response is written': {
    mutation: tokenMember('expires_in', (life: number | null) => life && life - 1),
  },
  'TOK-RESP-015-same: a service that asks again is given the token that it has': { mutation: sameServiceToken() },
  'TOK-RESP-015-own: the same, and a client revokes its own tokens alone': {
    switches: { 'revoke.auth': 'bearer' },
    mutation: together(sameServiceToken(), keepsToOwn(400, { error: 'invalid_grant' })),
  },
  'LIFE-014-codes: a consent ends the codes of earlier ones': { mutation: laterConsentEnds('code') },
  'LIFE-014-refresh: a consent ends the refresh tokens of earlier ones': { mutation: laterConsentEnds('refresh') },
  'LIFE-014-all: a user has one grant to a client, the last': {
    mutation: laterConsentEnds('code', 'refresh', 'access'),
  },
  'LIFE-014-ten: a user has ten tokens of each kind for a client, the last': {
    mutation: onlyLast(10, 'authorization_code'),
  },
  'TOK-CC-014-ten: a service client has ten tokens by client credentials, the last': {
    mutation: onlyLast(10, 'client_credentials'),
  },
  'TOK-CC-014-single: a service client has one token by client credentials, the last': {
    mutation: laterServiceTokenEnds(),
  },
  'REV-003-late: a revocation is known everywhere within a tenth of a second, as is declared': {
    target: (target) => ({ ...target, propagation_ms: 100 }),
    mutation: revokedLate(70),
  },
  'REV-010-refused: a client revokes its own tokens alone, others are refused': {
    switches: { 'revoke.auth': 'bearer' },
    mutation: keepsToOwn(400, { error: 'invalid_grant' }),
  },
  'REV-010-silent: a client revokes its own tokens alone, for others the answer is 200 without effect': {
    switches: { 'revoke.auth': 'bearer' },
    mutation: keepsToOwn(200, {}),
  },
  'REV-010-operator: the same where nobody but the operator may revoke': {
    switches: { 'revoke.auth': 'bearer' },
    target: operatorRevokes,
    mutation: keepsToOwn(200, {}),
  },
  'TOK-REFRESH-010-theft: a refresh token that another client presents is taken for stolen, and ends': {
    mutation: formReply('issueToken', ({ error }, _, { form: sent }, at) => {
      const token = at.service.authority.store.findToken(sent.get('refresh_token') ?? '');
      if (error === 'invalid_grant' && token && token.grant.clientId !== sent.get('client_id'))
        at.service.authority.store.endToken(token.text, 'revoked');
    }),
  },
  'K-031-kept: pages of ladders are kept by their address, each with its own time': { mutation: pagesKept() },
  'K-053-end: the id of an hour is that of its end': { mutation: hoursByEnd() },
  'INTRO-002-400: introspection without a credential is refused with 400, as RFC 6749 5.2 has it': {
    mutation: formReply('introspectToken', (_, reply, { headers, form: sent }) => {
      if (reply.status === 401 && headers.authorization === undefined && !sent.has('client_secret')) reply.status = 400;
    }),
  },
  'REV-009-empty: the revocation of an empty token is that of one never issued': {
    mutation: formReply('revokeToken', (_, reply, { form: sent }) => {
      if (reply.status === 400 && sent.get('token') === '') [reply.status, reply.json] = [200, {}];
    }),
  },
  'TOK-ERR-002-known: the password grant is known, and no client may use it': {
    mutation: formReply('issueToken', (body, _, { form: sent }) => {
      if (sent.get('grant_type') === 'password' && body.error === 'unsupported_grant_type')
        body.error = 'unauthorized_client';
    }),
  },
  'TOK-ERR-002-elsewhere: the device grant is known, and its request lacks device_code': {
    mutation: formReply('issueToken', (body, _, { form: sent }) => {
      if (sent.get('grant_type')?.endsWith(':device_code') && body.error === 'unsupported_grant_type')
        body.error = 'invalid_request';
    }),
  },
  'TOK-ERR-005-empty: an empty client_secret of an exchange is told as invalid_request, a missing one as invalid_client':
    {
      mutation: formReply('issueToken', (body, reply, { form: sent }) => {
        if (body.error === 'invalid_client' && sent.get('client_secret') === '')
          [reply.status, body.error] = [400, 'invalid_request'];
      }),
    },
  'TOK-REFRESH-016-empty: an empty refresh token is one that was never issued': {
    mutation: formReply('issueToken', (body, _, { form: sent }) => {
      if (body.error === 'invalid_request' && sent.get('refresh_token') === '') body.error = 'invalid_grant';
    }),
  },
  'TOK-CC-016-named: a refusal for its scope names that scope': {
    mutation: formReply('issueToken', (body, _, { form: sent }) => {
      if (body.error === 'invalid_scope') body.scope = sent.get('scope');
    }),
  },
  'INTRO-011-chain: exp of a refresh token is that of the access token beside it': {
    mutation: formReply('introspectToken', (body, _, { form: sent }, at) => {
      const token = subjectOf(sent, at);
      if (body.active !== true || token?.kind !== 'refresh') return;
      const client = at.service.authority.clients.get(token.grant.clientId);
      body.exp = Math.ceil(token.issuedAt / 1000) + lifetimes.access_token[client?.type ?? 'public'];
    }),
  },
  'K-022-asked: event ladders, matches and their ladders want a realm': {
    mutation: refuse([...withoutDefaultRealm], { realm: null }),
  },
  'K-022-other: without a realm event ladders, matches and their ladders are of realm sony': {
    mutation: together(...withoutDefaultRealm.map((logical) => defaultParameter(logical, 'realm', 'sony'))),
  },
  'B-41-little: tree links are little-endian': { mutation: linksIn({ byteOrder: 'little' }) },
  'B-41-bare: tree links are not padded': { mutation: linksIn({ padding: false }) },
  'B-41-both: tree links are little-endian and not padded': {
    mutation: linksIn({ byteOrder: 'little', padding: false }),
  },
  'E-base: the base edition': { flags: { ...off, 'F-CHAR-INV-G1': true, 'F-CHAR-RUCK-G1': true, 'F-SPEC-SET3': true } },
  'E-observed: the edition observed': { flags: shown },
  ...Object.fromEntries(
    Object.keys(shown).map((flag) => [
      `E-${flag}: ${flag} alone; the target does not say so`,
      { flags: { [flag]: true }, target: undeclared },
    ]),
  ),
  'T-auto: consent is given at once': {
    switches: { 'consent.mode': 'auto' },
    target: (target) => ({ ...target, consent: 'auto' }),
  },
  'T-form: consent is given on the page': { target: (target) => ({ ...target, consent: 'form' }) },
  'T-bare: a target without control and without known facts': {
    target: ({ control_url: _, ...target }) => ({ ...target, consent: 'form', known: {} }),
  },
});
