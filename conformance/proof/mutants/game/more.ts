import type { Realm } from '../../../../src/contract/index.js';
import type { Mutant } from '../../mutant.js';
import { change, everywhere, gone, having, listAt } from '../../seam/json.js';
import { answerOf } from '../../seam/seam.js';
import type { Json, Seam } from '../../seam/seam.js';

type Operation = Parameters<Seam['query']>[0];

/** Sets a query parameter that was left out. */
const byDefault =
  (operation: Operation, name: string, value: string): Mutant['plant'] =>
  (seam) =>
    seam.query(operation, (query) => void (query.has(name) || query.set(name, value)));

/** Takes a query parameter away. */
const ignored =
  (operation: Operation, name: string): Mutant['plant'] =>
  (seam) =>
    seam.query(operation, (query) => query.delete(name));

/** Pages that begin one entry too late wherever there is an offset. */
const shifted =
  (operation: Operation): Mutant['plant'] =>
  (seam) =>
    seam.query(operation, (query) => {
      const offset = Number(query.get('offset'));
      if (offset > 0) query.set('offset', String(offset + 1));
    });

const short =
  (operation: Operation, ...path: readonly string[]): Mutant['plant'] =>
  (seam) =>
    seam.data(operation, (body) => void listAt(body, ...path).splice(-1, 1));

export const moreGame: readonly Mutant[] = [
  {
    id: 'N-GEN-001',
    bug: 'JSON goes out as text/html',
    rows: ['GEN-001'],
    plant: (seam) => seam.data('all', (_, { reply }) => void (reply.headers['content-type'] = 'text/html')),
  },
  {
    id: 'N-GEN-005',
    bug: 'optional texts that are absent are false',
    rows: ['GEN-005'],
    plant: (seam) =>
      seam.data('all', (body) => {
        for (const league of having(body, 'id', 'category')) league.description ??= false;
      }),
  },
  {
    id: 'N-GEN-013',
    bug: 'all items have the same id',
    rows: ['GEN-013'],
    plant: (seam) =>
      seam.data(['getCharacter', 'getStash'], (body) => {
        for (const item of having(body, 'id', 'frameType')) item.id = 'a'.repeat(64);
      }),
  },
  {
    id: 'N-XF-007',
    bug: 'progress of a property is not rounded',
    rows: ['XF-007'],
    plant: (seam) =>
      seam.data(['getCharacter', 'getStash'], (body) => {
        for (const property of having(body, 'values', 'progress')) property.progress = 0.123456;
      }),
  },
  {
    id: 'N-REALM-PATH-001',
    bug: 'without a realm the characters of all realms are listed',
    rows: ['REALM-PATH-001'],
    plant: (seam) =>
      seam.data('listCharacters', (body, { request }) => {
        if (request.path !== '/character') return;
        const [first] = seam.service.world.characters('alice', 'xbox');
        const { id, name, realm, class: kind, level, experience } = (first ?? {}) as Json;
        if (first) listAt(body, 'characters').push({ id, name, realm, class: kind, level, experience });
      }),
  },
  {
    id: 'N-REALM-QUERY-001',
    bug: 'leagues default to xbox',
    rows: ['REALM-QUERY-001'],
    plant: byDefault('listLeagues', 'realm', 'xbox'),
  },
  {
    id: 'N-PROFILE-001',
    bug: 'the profile is wrapped',
    rows: ['PROFILE-001'],
    plant: (seam) => seam.data('getProfile', (body) => ({ profile: body })),
  },
  {
    id: 'N-PROFILE-004',
    bug: 'locale is a number',
    rows: ['PROFILE-004'],
    plant: (seam) => seam.data('getProfile', (body) => void (body.locale = 44)),
  },
  {
    id: 'N-FILTER-LIST-002',
    bug: 'the list of filters has their texts',
    rows: ['FILTER-LIST-002'],
    plant: (seam) =>
      seam.data('listItemFilters', (body) => {
        for (const filter of listAt(body, 'filters')) filter.filter = 'Show';
      }),
  },
  {
    id: 'N-FILTER-GET-001',
    bug: 'a filter is shown without its text',
    rows: ['FILTER-GET-001'],
    plant: (seam) => seam.data('getItemFilter', (body) => change(body.filter as Json, 'filter', () => gone)),
  },
  {
    id: 'N-FILTER-CREATE-002',
    bug: 'line ends of a filter are made alike',
    rows: ['FILTER-CREATE-002'],
    plant: (seam) =>
      seam.request((request) => {
        if (request.operation === 'createItemFilter')
          request.body = request.body.replaceAll(String.raw`\r\n`, String.raw`\n`);
      }),
  },
  {
    id: 'N-FILTER-CREATE-002-trim',
    bug: 'the text of a filter is trimmed',
    rows: ['FILTER-CREATE-002'],
    plant: (seam) =>
      seam.request((request) => {
        const body = request.json as Json | undefined;
        if (
          request.operation === 'createItemFilter' &&
          typeof body?.filter === 'string' &&
          body.filter.trim() !== body.filter
        )
          request.json = { ...body, filter: body.filter.trim() };
      }),
  },
  {
    id: 'N-FILTER-CREATE-005',
    bug: 'public is dropped when a filter is created',
    rows: ['FILTER-CREATE-005'],
    plant: (seam) =>
      seam.request((request) => {
        const body = request.json as Json | undefined;
        if (request.operation !== 'createItemFilter' || body?.public !== true) return;
        const { public: _, ...rest } = body;
        request.json = rest;
      }),
  },
  {
    id: 'N-FILTER-CREATE-006',
    bug: 'filter_name may be left out',
    rows: ['FILTER-CREATE-006'],
    plant: (seam) =>
      seam.request((request) => {
        const body = request.json;
        if (
          request.operation !== 'createItemFilter' ||
          typeof body !== 'object' ||
          body === null ||
          Array.isArray(body)
        )
          return;
        if (!('filter_name' in body)) request.json = { filter_name: 'Unnamed', ...body };
      }),
  },
  {
    id: 'N-FILTER-UPDATE-005',
    bug: 'an update that needs processing has no error object',
    rows: ['FILTER-UPDATE-005'],
    beside: ['FILTER-UPDATE-004'],
    plant: (seam) =>
      seam.data('updateItemFilter', (body, { reply }) => {
        if (reply.status === 202) delete body.error;
      }),
  },
  {
    id: 'N-LEAGUE-LIST-004',
    bug: 'type=event lists nothing',
    rows: ['LEAGUE-LIST-004'],
    plant: (seam) =>
      seam.data('listLeagues', (body, { query }) => void (query.get('type') === 'event' && (body.leagues = []))),
  },
  {
    id: 'N-LEAGUE-LIST-005',
    bug: 'type=season lists the current leagues',
    rows: ['LEAGUE-LIST-005'],
    plant: ignored('listLeagues', 'type'),
  },
  {
    id: 'N-LEAGUE-OFFSET-001',
    bug: 'offset of the list of leagues is off by one',
    rows: ['LEAGUE-OFFSET-001'],
    plant: shifted('listLeagues'),
  },
  {
    id: 'N-ACCLEAGUE-002',
    bug: 'account leagues leave private ones out',
    rows: ['ACCLEAGUE-002'],
    plant: (seam) =>
      seam.data('listAccountLeagues', (body) => {
        body.leagues = listAt(body, 'leagues').filter(
          ({ id, name }) => !`${String(id)} ${String(name)}`.includes('PL'),
        );
      }),
  },
  {
    id: 'N-ACCLEAGUE-002-others',
    bug: "account leagues include other accounts' private ones",
    rows: ['ACCLEAGUE-002'],
    plant: (seam) =>
      seam.data('listAccountLeagues', (body, { request }) => {
        const realm = (request.route?.realm ?? request.route?.args.realm ?? 'pc') as Realm;
        const all = seam.service.world.leagues(realm).filter(({ members }) => members !== null);
        const listed = new Set(listAt(body, 'leagues').map(({ id }) => id));
        listAt(body, 'leagues').push(
          ...(all.map(({ league }) => league).filter(({ id }) => !listed.has(id)) as unknown as Json[]),
        );
      }),
  },
  {
    id: 'N-LADDER-LIMIT-001',
    bug: 'the default limit of a ladder is 10',
    rows: ['LADDER-LIMIT-001'],
    plant: byDefault('getLeagueLadder', 'limit', '10'),
  },
  {
    id: 'N-LADDER-LIMIT-003',
    bug: 'a page of a ladder has one entry less',
    rows: ['LADDER-LIMIT-003'],
    plant: short('getLeagueLadder', 'league', 'entries'),
  },
  {
    id: 'N-LADDER-OFFSET-001',
    bug: 'offset of a ladder is off by one',
    rows: ['LADDER-OFFSET-001'],
    plant: shifted('getLeagueLadder'),
  },
  {
    id: 'N-LADDER-SORT-007',
    bug: 'class is ignored on a ladder',
    rows: ['LADDER-SORT-007'],
    plant: (seam) =>
      seam.query('getLeagueLadder', (query) => void (query.get('sort') === 'class' && query.set('sort', 'xp'))),
  },
  {
    id: 'N-EVLADDER-LIMIT-001',
    bug: 'the default limit of an event ladder is 50',
    rows: ['EVLADDER-LIMIT-001'],
    plant: byDefault('getLeagueEventLadder', 'limit', '50'),
  },
  {
    id: 'N-PVP-LIST-002',
    bug: 'the default type of PvP matches is league',
    rows: ['PVP-LIST-002'],
    plant(seam) {
      seam.query('listPvpMatches', (query) => {
        if (query.has('type')) return;
        query.set('type', 'league');
        query.set('league', 'Ember');
      });
    },
  },
  {
    id: 'N-PVP-GET-002',
    bug: 'an unknown match is answered with {}',
    rows: ['PVP-GET-002', 'ERR-002'],
    plant: (seam) => seam.data('getPvpMatch', (body) => (body.match === null ? {} : undefined)),
  },
  {
    id: 'N-PVPLADDER-LIMIT-003',
    bug: 'limit of a PvP ladder is ignored',
    rows: ['PVPLADDER-LIMIT-003'],
    plant: ignored('getPvpMatchLadder', 'limit'),
  },
  {
    id: 'N-PVPLADDER-OFFSET-001',
    bug: 'offset of a PvP ladder is ignored',
    rows: ['PVPLADDER-OFFSET-001'],
    plant: ignored('getPvpMatchLadder', 'offset'),
  },
  {
    id: 'N-CHAR-GET-002',
    bug: 'a character comes without its passives',
    rows: ['CHAR-GET-002'],
    plant: (seam) =>
      seam.data('getCharacter', (body) => void (body.character && delete (body.character as Json).passives)),
  },
  {
    id: 'N-CHAR-PASS-002',
    bug: 'characters of the second game have a bandit choice',
    rows: ['CHAR-PASS-002'],
    plant: (seam) =>
      seam.data('getCharacter', (body, { request }) => {
        if (request.path.startsWith('/character/game2/'))
          everywhere(body, 'passives', (all: Json) => ({ ...all, bandit_choice: 'Alira' }));
      }),
  },
  {
    id: 'N-CHAR-G2-001',
    bug: 'characters of the first game have skills',
    rows: ['CHAR-G2-001'],
    plant: (seam) =>
      seam.data('getCharacter', (body, { request }) => {
        if (body.character && !request.path.startsWith('/character/game2/')) (body.character as Json).skills = [];
      }),
  },
  {
    id: 'N-STASH-SUB-002',
    bug: 'a wrapped sub-tab has no items',
    rows: ['STASH-SUB-002'],
    plant: (seam) =>
      seam.data('getStash', (body, { args }) => {
        if (args.substash_id !== undefined) everywhere(body.stash, 'items', () => gone);
      }),
  },
  {
    id: 'N-GUILD-LIST-002',
    bug: "the list of the guild's tabs has those of every rank",
    rows: ['GUILD-LIST-002'],
    plant: (seam) =>
      seam.world((world) => ({
        guildStashes: (_, realm, league) => (seam.acted(), world.guildStashes('alice', realm, league)),
      })),
  },
  {
    id: 'N-LACC-004',
    bug: 'league accounts know no realms',
    rows: ['LACC-004'],
    plant: (seam) =>
      seam.request(({ path }) =>
        /^\/league-account\/(xbox|sony)\//.test(path)
          ? answerOf(404, { error: { code: 1, message: 'Resource not found' } })
          : undefined,
      ),
  },
  {
    id: 'N-PSTASH-006',
    bug: 'a change has an id of its own',
    rows: ['PSTASH-006'],
    plant: (seam) =>
      seam.data('getPublicStashTabs', (body) => {
        for (const one of listAt(body, 'stashes')) one.id = seam.service.authority.newId(64);
      }),
  },
  {
    id: 'N-PSTASH-UNLIST-003',
    bug: 'an unlisted stash does not say public: false',
    rows: ['PSTASH-UNLIST-003'],
    plant: (seam) =>
      seam.data('getPublicStashTabs', (body) => {
        for (const one of listAt(body, 'stashes')) if (one.public === false) delete one.public;
      }),
  },
  {
    id: 'N-PSTASH-UNLIST-004',
    bug: 'unlisting is not shown',
    rows: ['PSTASH-UNLIST-004'],
    plant: (seam) =>
      seam.data('getPublicStashTabs', (body) => {
        body.stashes = listAt(body, 'stashes').filter((one) => one.public !== false);
      }),
  },
  {
    id: 'N-PSTASH-LISTED-002',
    bug: 'lastCharacterName is shown to everybody',
    rows: ['PSTASH-LISTED-002'],
    plant: (seam) =>
      seam.data('getPublicStashTabs', (body) => {
        for (const one of listAt(body, 'stashes')) if (one.public === true) one.lastCharacterName = 'Somebody';
      }),
  },
  {
    id: 'N-PSTASH-LISTED-001',
    bug: 'a listed stash has no type',
    rows: ['PSTASH-LISTED-001'],
    plant: (seam) =>
      seam.data('getPublicStashTabs', (body) => {
        for (const one of listAt(body, 'stashes')) if (one.public === true) one.stashType = null;
      }),
  },
  {
    id: 'N-CX-MARKET-002',
    bug: 'the figures of a market have keys of their own',
    rows: ['CX-MARKET-002'],
    plant: (seam) =>
      seam.data('getCurrencyExchange', (body) =>
        everywhere(body, 'volume_traded', (all: Json) => ({ ...all, total: 1 })),
      ),
  },
  {
    id: 'N-CX-MARKET-004',
    bug: 'ratios are fractions',
    rows: ['CX-MARKET-004'],
    plant: (seam) =>
      seam.data('getCurrencyExchange', (body) =>
        everywhere(body, 'lowest_ratio', (all: Record<string, number>) =>
          Object.fromEntries(Object.entries(all).map(([code, value]) => [code, value + 0.5])),
        ),
      ),
  },
  {
    id: 'N-ED-003',
    bug: 'a field of a feature that is off occurs',
    rows: ['ED-003'],
    noticed: 'warn',
    flags: { 'F-LEAGUE-GOAL': false },
    plant: (seam) =>
      seam.data(['listLeagues', 'getLeague'], (body) => {
        for (const league of having(body, 'id', 'category')) league.goal = 'Win.';
      }),
  },
  {
    id: 'N-ED-005',
    bug: 'a recipe has an oil that nobody knows',
    rows: ['ED-005'],
    plant: (seam) =>
      seam.data('getCharacter', (body) => everywhere(body, 'recipe', (oils: string[]) => [...oils, 'OliveOil'])),
  },
  {
    id: 'N-BEAR-006',
    bug: 'a missing scope gives 401',
    rows: ['BEAR-006', 'SCOPE-ALLBUT-001'],
    plant: (seam) =>
      seam.reply((reply, { operation }) => void (operation && reply.status === 403 && (reply.status = 401))),
  },
  {
    id: 'N-SCOPE-MULTI-001',
    bug: 'only the first scope of a token counts',
    rows: ['SCOPE-MULTI-001'],
    plant: (seam) =>
      seam.store((store, acted) => ({
        addToken(token) {
          if (token.scopes.length < 2) return store.addToken(token);
          acted();
          store.addToken({ ...token, scopes: token.scopes.slice(0, 1) });
        },
      })),
  },
  {
    id: 'N-SCOPE-HIER-004',
    bug: 'account:characters opens the stashes',
    rows: ['SCOPE-HIER-004'],
    plant: (seam) =>
      seam.store((store, acted) => ({
        findToken(text) {
          const token = store.findToken(text);
          const isStash = seam.current?.operation === 'listStashes' || seam.current?.operation === 'getStash';
          if (!token?.scopes.includes('account:characters') || !isStash) return token;
          acted();
          return { ...token, scopes: [...token.scopes, 'account:stashes'] };
        },
      })),
  },
];
