import { mutants, swap } from '../client-mutant.js';
import type { ClientEntry } from '../client-mutant.js';
import { dataRequest, first, raw } from '../operators.js';
import type { Tab } from '../../../../src/game/tabs.js';
import type { Reference, Sent } from '../reference.js';

/** Asks for something more, and does not mind the answer. */
const alsoGets = (path: string): ClientEntry => first('account', (client) => client.get(path));
const serviceGets = (path: string): ClientEntry => first('service', (client) => client.get(path, true));

/** Asks for tabs of a league in another way first. */
const stashesAt = (path: string): ClientEntry =>
  swap((client, { stashes }) => ({
    stashes: async (league) => {
      await client.get(`${path}/${client.encode(league)}`).catch(() => {});
      await stashes(league);
    },
  }));

/** Looks up leagues whose names hold a character. */
const looksUp = (character: string, most: number, path: (id: string, client: Reference) => string): ClientEntry =>
  first('service', async (client) => {
    const { leagues = [] } = (await client.get('/league?limit=50', true)) as { leagues?: { id: string }[] };
    for (const { id } of leagues.filter((one) => one.id.includes(character)).slice(0, most))
      await client.get(path(id, client), true).catch(() => {});
  });

/** Reads a ladder at those places. */
const readsLadder = (offsets: readonly number[], limit?: number): ClientEntry =>
  first('service', async (client) => {
    const size = limit === undefined ? '' : `limit=${limit}&`;
    for (const offset of offsets) await client.get(`/league/Standard/ladder?${size}offset=${offset}`, true);
  });

/** Sends other GETs, such as no library would. */
const gets = (change: (request: Sent) => Sent): ClientEntry =>
  swap((_, { send }) => ({
    send: (request) => (request.method === 'GET' ? raw(change(request)) : send(request)),
  }));

const encodes = (encode: (name: string) => string): ClientEntry => swap({ encode });

/** Asks without a realm for what a list of xbox names in its query. */
const realmForgotten = (path: string, member: 'matches' | 'leagues'): ClientEntry =>
  first('service', async (client) => {
    const type = member === 'leagues' ? '&type=event' : '';
    const reply = (await client.get(`${path}?realm=xbox${type}`, true)) as Record<typeof member, { id: string }[]>;
    for (const { id } of reply[member]) await client.get(`${path}/${client.encode(id)}`, true);
  });

export const addresses = mutants({
  'ADDR-HEX-001 hex-lower: writes ids in lower case': dataRequest((request) => ({
    ...request,
    url: request.url.replaceAll(/\/[0-9A-F]{8,}(?=\/|$)/g, (id) => id.toLowerCase()),
  })).in('upper-hex'),
  'ADDR-NAME-001 name-lower: asks for names in lower case': swap((_, { encode }) => ({
    encode: (name) => encode(name.toLowerCase()),
  })),
  'ADDR-NAME-001 name-decoded: decodes names before it encodes them': encodes((name) => {
    try {
      return encodeURIComponent(decodeURIComponent(name));
    } catch {
      return encodeURIComponent(name);
    }
  }).in('odd-names'),
  'ADDR-NAME-001 name-decomposed: asks for names in the normal form of its file system': swap((_, { encode }) => ({
    encode: (name) => encode(name.normalize('NFD')),
  })).in('odd-names'),
  'ADDR-NAME-001 name-composed: asks for names in the normal form of the web': swap((_, { encode }) => ({
    encode: (name) => encode(name.normalize('NFC')),
  })).in('odd-names'),
  'ADDR-NAME-001 name-spaces: makes one space of two': swap((_, { encode }) => ({
    encode: (name) => encode(name.replaceAll(/ +/g, ' ')),
  })).in('odd-names'),
  'ADDR-NAME-001 name-latin: reads UTF-8 as Latin-1': swap((_, { send }) => ({
    send: async (request) => {
      const got = await send(request);
      return { ...got, text: Buffer.from(got.text).toString('latin1') };
    },
  })).in('odd-names'),
  'ADDR-NAME-001 name-parts: decodes each part of a body by itself': swap({
    send: async ({ method, url, headers, body }) => {
      const answer = await fetch(url, { method, headers, ...(body !== undefined && { body }), redirect: 'manual' });
      let text = '';
      for await (const part of answer.body ?? []) text += Buffer.from(part as Uint8Array).toString();
      return { status: answer.status, headers: answer.headers, text };
    },
  }).in('slow-names'),
  'ADDR-NAME-002 name-made-up: asks for a league that nobody has listed': first('service', (client) =>
    client.get('/league/Nobody%20Has%20This', true),
  ),
  'ADDR-NAME-002 name-other-league: asks for a tab in another league than the one that has it': swap((client) => ({
    stashes: async (league) => {
      const { stashes = [] } = (await client.get(`/stash/${client.encode(league)}`)) as { stashes?: Tab[] };
      await client.get(`/stash/Hardcore/${stashes[0]?.id}`);
    },
  })),
  'ADDR-HOST-001 token-at-base: asks for tokens at the address of the data API': swap((client, { send }) => ({
    send: (request) => send({ ...request, url: request.url.replace(`${client.auth}/`, `${client.base}/`) }),
  })),
  'ADDR-HOST-001 data-at-auth: asks for data at the address of the authorization server': swap((client, { send }) => ({
    send: (request) => send({ ...request, url: request.url.replace(`${client.base}/`, `${client.auth}/`) }),
  })),
  'ADDR-PATH-001 path-version: asks below /v1': alsoGets('/profile/v1'),
  'ADDR-PATH-001 path-turned: writes the realm of the exchange behind the hour': swap((client) => ({
    exchangeHistory: async () => void (await client.get('/currency-exchange/1795568400/xbox', true).catch(() => {})),
  })),
  'ADDR-NAME-001 name-plain: leaves out the accents of names': encodes((name) =>
    encodeURIComponent(name.normalize('NFD').replaceAll(/\p{Mark}/gu, '')),
  ).in('odd-names'),
  'ADDR-NAME-001 name-id: asks for a character by its id': swap((client, { character }) => ({
    character: async (name) => {
      const { characters = [] } = (await client.get('/character')) as { characters?: { id: string; name: string }[] };
      await character(characters.find((one) => one.name === name)?.id ?? name);
    },
  })),
  'ADDR-NAME-002 name-class: asks for a character by its class': first('account', async (client) => {
    const { characters = [] } = (await client.get('/character')) as { characters?: { class: string }[] };
    await client.character(characters[0]?.class ?? '');
  }),
  'ADDR-QUERY-002 query-page: sends a parameter that there is not': serviceGets('/league?page=2'),
  'ADDR-QUERY-002 query-sub-tab: names the sub-tab in the query': swap((client) => ({
    subTab: (league, parent, id) => `/stash/${client.encode(league)}/${parent}?substash_id=${id}`,
  })),
  'ADDR-QUERY-002 query-class: names a class, and does not sort by it': serviceGets(
    '/league/Standard/ladder?class=witch',
  ),
  'ADDR-QUERY-002 query-no-class: sorts by a class, and names none': serviceGets('/league/Standard/ladder?sort=class'),
  'ADDR-QUERY-001 query-type: asks for a type that there is not': serviceGets('/league?type=all'),
  'ADDR-QUERY-001 query-validate: writes 1 for true': first('filters', (client) =>
    client.data('POST', '/item-filter?validate=1', { filter_name: 'reference', realm: 'pc', filter: 'Show\n' }),
  ),
  'ADDR-ENCODE-001 name-raw: sends names as they are': swap((_, { character, send }) => ({
    encode: (name) => name.replaceAll(/[ /#?]/g, encodeURIComponent),
    character: () => character('Wïldfang'),
    send: (request) => (/[^\x20-\x7e]/.test(request.url) ? raw(request) : send(request)),
  })).in('odd-names'),
  'ADDR-ENCODE-002 name-twice: encodes names twice': encodes((name) => encodeURIComponent(encodeURIComponent(name))).in(
    'odd-names',
  ),
  'ADDR-ENCODE-002 name-plus: writes + for a space': looksUp(' ', 2, (id, client) => `/league/${client.encode(id)}`)
    .swap({ encode: (name) => encodeURIComponent(name).replaceAll('%20', '+') })
    .in('odd-names'),
  'ADDR-ENCODE-002 name-slash: leaves slashes bare': looksUp('/', 1, (id) => `/league/${encodeURI(id)}/ladder`).in(
    'odd-names',
  ),
  'ADDR-REALM-001 realm-pc: writes the realm pc into paths': stashesAt('/stash/pc'),
  'ADDR-REALM-001 realm-game2-stash: asks for stashes of the second game': stashesAt('/stash/game2'),
  'ADDR-REALM-001 realm-pc-stream: asks for the stream of pc': serviceGets('/public-stash-tabs/pc'),
  'ADDR-REALM-002 realm-query: sends the realm as a parameter': alsoGets('/character?realm=xbox'),
  'ADDR-REALM-003 realm-forgotten: leaves out the realm of a character': first('account', async (client) => {
    const { characters = [] } = (await client.get('/character/xbox')) as { characters?: { name: string }[] };
    for (const { name } of characters.slice(0, 1)) await client.character(name);
  }),
  'ADDR-REALM-003 realm-forgotten-tabs: leaves out the realm of the tabs of a league': first(
    'account',
    async (client) => {
      const { leagues = [] } = (await client.get('/account/leagues/xbox')) as { leagues?: { id: string }[] };
      for (const { id } of leagues) await client.get(`/stash/${client.encode(id)}`);
    },
  ),
  'ADDR-REALM-003 realm-forgotten-match: leaves out the realm of a match': realmForgotten('/pvp-match', 'matches').swap(
    (_, { credentialsForm }) => ({
      credentialsForm: () => ({ ...credentialsForm(), scope: 'service:leagues service:pvp_matches' }),
    }),
  ),
  'ADDR-REALM-003 realm-forgotten-list: reads the tabs of pc, and each of them in another realm': first(
    'account',
    async (client) => {
      const { stashes = [] } = (await client.get('/stash/Standard')) as { stashes?: { id: string }[] };
      for (const { id } of stashes.slice(0, 2)) await client.get(`/stash/xbox/Standard/${id}`).catch(() => {});
    },
  ),
  'ADDR-REALM-003 realm-forgotten-passives: leaves out the realm of the passives of a league': first(
    'account',
    async (client) => {
      await client.get('/account/leagues');
      const { leagues = [] } = (await client.get('/account/leagues/xbox')) as { leagues?: { id: string }[] };
      for (const { id } of leagues) await client.get(`/league-account/${client.encode(id)}`).catch(() => {});
    },
  ),
  'ADDR-REALM-003 realm-forgotten-event: leaves out the realm of a league': realmForgotten('/league', 'leagues'),
  'ADDR-REALM-001 realm-guild-behind: writes the realm behind the word stash of a guild':
    alsoGets('/guild/stash/xbox/Standard'),
  'ADDR-SUBTAB-002 sub-tab-alone: asks for a sub-tab without its parent': swap((client) => ({
    subTab: (league, _parent, id) => `/stash/${client.encode(league)}/${id}`,
  })),
  'ADDR-SUBTAB-001 sub-tab-turned: names the sub-tab before its parent': swap((client) => ({
    subTab: (league, parent, id) => `/stash/${client.encode(league)}/${id}/${parent}`,
  })),
  'ADDR-LIMIT-001 limit-over: asks for 1000 entries': serviceGets('/league/Standard/ladder?limit=1000'),
  'ADDR-LIMIT-001 limit-negative: asks for -1 entries': serviceGets('/league/Standard/ladder?limit=-1'),
  'ADDR-LIMIT-001 limit-fraction: asks for half an entry': serviceGets('/league/Standard/ladder?limit=20.5'),
  'ADDR-LIMIT-001 limit-leagues: asks for 100 leagues': serviceGets('/league?limit=100'),
  'ADDR-OFFSET-001 offset-beyond: reads on beyond the top 15,000': first('service', async (client) => {
    for (const offset of [15_000, 15_020, 15_040])
      await client.get(`/league/Standard/ladder?limit=20&offset=${offset}`, true).catch(() => {});
  }),
  'ADDR-OFFSET-002 offset-pages: counts pages where the interface counts entries': readsLadder([0, 1, 2, 3]),
  'ADDR-OFFSET-002 offset-one-more: leaves out an entry between two pages': readsLadder([0, 21, 42], 20),
  'ADDR-OFFSET-002 offset-most: leaves out limit, and takes the largest page for the default one': readsLadder([
    0, 500, 1000,
  ]),
  'ADDR-OFFSET-002 offset-other-default: leaves out limit, and takes the default of leagues for that of a ladder':
    readsLadder([0, 50]),
  'ADDR-OFFSET-003 offset-from-one: counts entries from 1': readsLadder([1, 21, 41], 20),
  'ADDR-OFFSET-004 offset-class: forgets the class on the second page of a ladder': first('service', async (client) => {
    await client.get('/league/Standard/ladder?sort=class&class=witch&limit=20', true);
    await client.get('/league/Standard/ladder?limit=20&offset=20', true);
  }),
  'ADDR-OFFSET-004 offset-sort: forgets the sort behind the first page of a ladder': first(
    'service',
    async (client) => {
      await client.get('/league/Standard/ladder?sort=depth', true);
      for (const offset of [20, 40]) await client.get(`/league/Standard/ladder?offset=${offset}`, true);
    },
  ),
  'ADDR-OFFSET-004 offset-sorted: sorts a ladder from its second page on': first('service', async (client) => {
    await client.get('/league/Standard/ladder', true);
    for (const offset of [20, 40]) await client.get(`/league/Standard/ladder?sort=depth&offset=${offset}`, true);
  }),
  'ADDR-METHOD-002 get-content: sends an empty object with each GET': gets((request) => ({ ...request, body: '{}' })),
  'ADDR-METHOD-003 get-expect: waits for 100 before it sends nothing': gets((request) => ({
    ...request,
    headers: { ...request.headers, expect: '100-continue' },
  })),
  'ADDR-METHOD-001 method-put: puts filters': first('filters', (client) =>
    client.data('PUT', '/item-filter/0000000000', {}),
  ),
  'ADDR-ID-001 tab-index: asks for a tab by its place': alsoGets('/stash/Standard/0'),
  'ADDR-ID-001 tab-name: asks for a tab by its name': alsoGets('/stash/Standard/Old%20things'),
  'ADDR-ID-001 tab-number: takes the id of a tab that looks like a number for one': swap((client) => ({
    stashes: async (league) => {
      const path = `/stash/${client.encode(league)}`;
      const { stashes = [] } = (await client.get(path)) as { stashes?: { id: string }[] };
      for (const { id } of stashes.slice(0, 1)) await client.get(`${path}/${/^\d+$/.test(id) ? Number(id) : id}`);
    },
  })).in('upper-hex'),
  'ADDR-ID-001 tab-exponent: takes the id of a tab with an e for a number with an exponent': swap((client) => ({
    stashes: async (league) => {
      const path = `/stash/${client.encode(league)}`;
      const { stashes = [] } = (await client.get(path)) as { stashes?: { id: string }[] };
      for (const { id } of stashes.slice(0, 2)) await client.get(`${path}/${/^\d+e\d+$/i.test(id) ? Number(id) : id}`);
    },
  })).in('upper-hex'),
  'ADDR-VALUE-001 name-undefined: asks for a name that is not there': alsoGets('/character/undefined'),
  'ADDR-VALUE-001 league-none: asks for the tabs of None': alsoGets('/stash/None'),
});
