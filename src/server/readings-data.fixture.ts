import type { Realm } from '../contract/index.js';
import { send, withToken } from './mock.fixture.js';
import type { Mock } from './mock.js';
import type { Readings } from './readings.fixture.js';
import { ask, post } from './readings.fixture.js';

type Entry = Readonly<Record<string, unknown>>;

const leaguesOf = async (mock: Mock, query = ''): Promise<Entry[]> =>
  (await ask(mock, `/league${query}`, 'service:leagues')).json<{ leagues: Entry[] }>().leagues;

const charactersOf = async (mock: Mock, path = '/character'): Promise<Entry[]> =>
  (await ask(mock, path, 'account:characters')).json<{ characters: Entry[] }>().characters;

interface LadderPage {
  readonly total: number;
  readonly cached_since?: string;
  readonly entries: readonly { rank: number; character: { class: string } }[];
}

const ladder = async (mock: Mock, query = ''): Promise<LadderPage> =>
  (
    await ask(
      mock,
      `/league/${String(mock.world.known.ladder_league)}/ladder?limit=200${query}`,
      'service:leagues:ladder',
    )
  ).json<{ league: LadderPage }>().league;

const known = (mock: Mock, name: string): string => String(mock.world.known[name]);

interface Tab {
  readonly id: string;
  readonly name: string;
  readonly children?: readonly Tab[];
  readonly items?: readonly { stackSize?: number; maxStackSize?: number; baseType: string }[];
}

const stashList = async (mock: Mock): Promise<Tab[]> =>
  (await ask(mock, `/stash/${known(mock, 'stash_league')}`, 'account:stashes')).json<{ stashes: Tab[] }>().stashes;

const stash = async (mock: Mock, ...ids: string[]): Promise<Tab | null> =>
  (await ask(mock, ['/stash', known(mock, 'stash_league'), ...ids].join('/'), 'account:stashes')).json<{
    stash: Tab | null;
  }>().stash;

const walk = (tabs: readonly Tab[]): Tab[] => tabs.flatMap((tab) => [tab, ...walk(tab.children ?? [])]);

/** The first character of alice with passives, whole. */
async function wholeCharacter(mock: Mock, realm: Realm = 'pc'): Promise<Entry> {
  const name = mock.world.characters('alice', realm).find(({ passives }) => passives)?.name ?? '';
  const path = `/character/${realm === 'pc' ? '' : `${realm}/`}${encodeURIComponent(name)}`;
  return (await ask(mock, path, 'account:characters')).json<{ character: Entry }>().character;
}

interface StreamPage {
  readonly next_change_id: string;
  readonly stashes: readonly (Entry & { readonly id: string; readonly public: boolean })[];
}

/** All pages of the stream of pc. */
async function stream(mock: Mock): Promise<StreamPage[]> {
  const headers = await withToken(mock, 'service:psapi');
  const pages: StreamPage[] = [];
  for (let path = '/public-stash-tabs'; ;) {
    const page = (await send(mock.url, { path, headers })).json<StreamPage>();
    pages.push(page);
    if (page.stashes.length === 0) return pages;
    path = `/public-stash-tabs?id=${page.next_change_id}`;
  }
}

interface Digest {
  readonly next_change_id: number;
  readonly markets: readonly Readonly<Record<string, Readonly<Record<string, number>>>>[];
}

const hour = async (mock: Mock, id?: number): Promise<Digest> =>
  (await ask(mock, `/currency-exchange${id === undefined ? '' : `/${id}`}`, 'service:cxapi')).json<Digest>();

const firstHour = (mock: Mock): number => Number(mock.world.known.first_hour);
const quietHour = (mock: Mock): number => Number(mock.world.known.quiet_hour);

/** The currencies that a figure names where the other one's is zero. */
async function lopsided(mock: Mock): Promise<string[]> {
  const { markets } = mock.world.exchange('pc');
  for (let id = firstHour(mock); ; id += 3600) {
    const place = markets(id).findIndex(({ lowest_stock: stock }) => Object.values(stock).includes(0));
    if (place >= 0) return Object.keys((await hour(mock, id)).markets[place]?.lowest_stock ?? {});
    if (id * 1000 > mock.world.epoch) throw new Error('no figure is zero');
  }
}

const least = { filter_name: 'x', realm: 'pc', filter: 'Show\n' };
const created = async (mock: Mock): Promise<string> =>
  (await post(mock, '/item-filter', least)).json<{ filter: { id: string } }>().filter.id;

/** The readings of the data API. */
export const dataReadings: Readings = {
  'errors.wwwAuthenticate': {
    look: async (mock) =>
      [
        (await send(mock.url, { path: '/profile' })).headers,
        (await ask(mock, '/profile', 'service:leagues')).headers,
      ].map((headers) => 'www-authenticate' in headers),
    sees: [
      [true, [true, true]],
      [false, [false, false]],
    ],
  },
  'lookup.nullStatus': {
    look: async (mock) => {
      const replies = [
        await ask(mock, '/league/nowhere', 'service:leagues'),
        await ask(mock, '/pvp-match/nowhere', 'service:pvp_matches'),
        await ask(mock, '/character/nobody', 'account:characters'),
        await ask(mock, `/stash/${known(mock, 'stash_league')}/ffffffffff`, 'account:stashes'),
      ];
      return replies.map(({ status, text }) => `${status} ${text}`);
    },
    sees: ([200, 404] as const).map(
      (status) =>
        [status, ['league', 'match', 'character', 'stash'].map((name) => `${status} {"${name}":null}`)] as const,
    ),
  },
  'errors.shape': {
    look: async (mock) => {
      const { text } = await ask(mock, '/league?limit=0', 'service:leagues');
      return text === '' ? 'nothing' : typeof (JSON.parse(text) as { error: unknown }).error;
    },
    sees: [
      ['object', 'object'],
      ['string', 'string'],
      ['empty', 'nothing'],
    ],
  },
  'flags.falseForm': {
    look: async (mock) => {
      const text = JSON.stringify(await ladder(mock));
      const items = JSON.stringify(await wholeCharacter(mock));
      // `identified` is no optional flag: it is there, whatever it is.
      return [
        /"(dead|retired|ineligible|public)":false/.test(text),
        /"(dead|retired|ineligible|public)":true/.test(text),
        items.includes('"identified":'),
      ];
    },
    sees: [
      ['emit', [true, true, true]],
      ['omit', [false, true, true]],
    ],
  },
  'realm.game2InPayload': {
    look: async (mock) => [
      (await leaguesOf(mock, '?realm=game2'))[0]?.realm,
      (await charactersOf(mock, '/character/game2'))[0]?.realm,
      (await leaguesOf(mock, '?realm=xbox'))[0]?.realm,
    ],
    sees: [
      ['emit', ['game2', 'game2', 'xbox']],
      ['omit', [undefined, 'game2', 'xbox']],
    ],
  },
  'params.overMax': {
    look: async (mock) => {
      const replies = [
        await ask(mock, '/league?limit=51', 'service:leagues'),
        await ask(mock, `/league/${known(mock, 'ladder_league')}/ladder?limit=501`, 'service:leagues:ladder'),
        await ask(mock, '/league?limit=0', 'service:leagues'),
      ];
      const entries = replies[1]?.json<{ league?: { entries: unknown[] } }>().league?.entries.length;
      return [...replies.map(({ status }) => status), entries];
    },
    sees: [
      ['reject', [400, 400, 400, undefined]],
      ['clamp', [200, 200, 400, 500]],
    ],
  },
  'params.invalid': {
    look: async (mock) => {
      const lengths: unknown[] = [];
      for (const query of [
        'limit=0',
        'limit=-5',
        'limit=abc',
        'limit=9999',
        'offset=-1&limit=3',
        'type=other&limit=4',
        'realm=nowhere&limit=2',
      ]) {
        const got = await ask(mock, `/league?${query}`, 'service:leagues');
        lengths.push(got.status === 200 ? got.json<{ leagues: unknown[] }>().leagues.length : got.status);
      }
      return lengths;
    },
    sees: [
      ['reject', Array.from({ length: 7 }, () => 400)],
      ['clamp', [1, 1, 50, 50, 3, 4, 2]],
    ],
  },
  'paths.realmWordNames': {
    // The fixtures have no reachable name that is a realm word, but the second game's realm may be called anything.
    beside: { 'names.game2': 'Ember' },
    look: async (mock) => [
      (await ask(mock, '/league/Ember', 'service:leagues')).json<{ league: object | null }>().league !== null,
      (await ask(mock, '/league/Ember/ladder', 'service:leagues:ladder')).json<{ league: object | null }>().league !==
        null,
      (await ask(mock, '/stash/Ember', 'account:stashes')).json<{ stashes: unknown[] }>().stashes.length > 0,
      (await ask(mock, '/league/Standard', 'service:leagues')).json<{ league: object | null }>().league !== null,
    ],
    sees: [
      ['allow', [true, true, true, true]],
      ['refuse', [false, false, false, true]],
    ],
  },
  'paths.acceptPc': {
    look: async (mock) => {
      const [list, tabs] = [
        await ask(mock, '/character/pc', 'account:characters'),
        await ask(mock, `/stash/pc/${known(mock, 'stash_league')}`, 'account:stashes'),
      ];
      const name = mock.world.characters('alice', 'pc')[0]?.name ?? '';
      const one = await ask(mock, `/character/pc/${name}`, 'account:characters');
      return [Object.keys(list.json<object>()), Object.keys(tabs.json<object>()), one.status];
    },
    sees: [
      [false, [['character'], ['stash'], 400]],
      [true, [['characters'], ['stashes'], 200]],
    ],
  },
  'names.game2': {
    look: async (mock) => {
      const shown: unknown[] = [];
      for (const word of ['game2', 'second']) {
        const got = await ask(mock, `/league?realm=${word}`, 'service:leagues');
        shown.push(got.status === 200 ? got.json<{ leagues: Entry[] }>().leagues[0]?.realm : got.status);
        const list = await ask(mock, `/character/${word}`, 'account:characters');
        shown.push(list.json<{ characters?: Entry[] }>().characters?.[0]?.realm);
        const made = await post(mock, '/item-filter', { ...least, realm: word });
        shown.push(made.status === 200 ? made.json<{ filter: Entry }>().filter.realm : made.status);
      }
      return shown;
    },
    sees: [
      ['game2', ['game2', 'game2', 'game2', 400, undefined, 400]],
      ['second', [400, undefined, 400, 'second', 'second', 'second']],
    ],
  },
  'names.livestream': {
    look: async (mock) =>
      Object.keys((await ask(mock, '/profile', 'account:profile', known(mock, 'livestream'))).json<object>()).sort(),
    sees: [
      ['livestream', ['livestream', 'locale', 'name', 'uuid']],
      ['twig', ['locale', 'name', 'twig', 'uuid']],
    ],
  },
  'characters.caseTwins': {
    look: async (mock) => {
      const names = (await charactersOf(mock)).map(({ name }) => String(name));
      const twins = names.filter((name) =>
        names.some((other) => other !== name && other.toLowerCase() === name.toLowerCase()),
      );
      const ids = new Set<unknown>();
      for (const name of twins)
        ids.add(
          (await ask(mock, `/character/${encodeURIComponent(name)}`, 'account:characters')).json<{ character: Entry }>()
            .character.id,
        );
      return [twins.length, ids.size];
    },
    sees: [
      [false, [0, 0]],
      [true, [2, 2]],
    ],
  },
  'ladder.unknown': {
    look: async (mock) => {
      const replies = [
        await ask(mock, '/league/nowhere/ladder', 'service:leagues:ladder'),
        await ask(mock, '/league/nowhere/event-ladder', 'service:leagues:ladder'),
        await ask(mock, '/pvp-match/nowhere/ladder', 'service:pvp_matches:ladder'),
      ];
      return replies.map(({ status, text }) => (status === 200 ? text : status));
    },
    sees: [
      ['null', ['{"league":null}', '{"league":null}', '{"match":null}']],
      [
        'empty',
        [
          '{"league":{"total":0,"entries":[]}}',
          '{"league":{"total":0,"entries":[]}}',
          '{"match":{"total":0,"entries":[]}}',
        ],
      ],
      ['error', [404, 404, 404]],
    ],
  },
  'ladder.classNames': {
    look: async (mock) => {
      const base = ['Scion', 'Marauder', 'Ranger', 'Witch', 'Duelist', 'Templar', 'Shadow'];
      return (await ladder(mock)).entries.every(({ character }) => base.includes(character.class));
    },
    sees: [
      ['ascendancy', false],
      ['base', true],
    ],
  },
  'ladder.classRank': {
    look: async (mock) =>
      (await ladder(mock, '&sort=class&class=witch')).entries
        .slice(0, 50)
        .every(({ rank }, index) => rank === index + 1),
    sees: [
      ['overall', false],
      ['within', true],
    ],
  },
  'ladder.totalCapped': {
    look: async (mock) => (await ladder(mock)).total > 15_000,
    sees: [
      [true, false],
      [false, true],
    ],
  },
  'lists.order': {
    look: async (mock) => {
      const ids = (await leaguesOf(mock)).map(({ id }) => String(id));
      const pages = [...(await leaguesOf(mock, '?limit=20')), ...(await leaguesOf(mock, '?limit=30&offset=20'))].map(
        ({ id }) => id,
      );
      const order = mock.world.leagues('pc').map(({ league }) => league.id);
      const characters = (await charactersOf(mock)).map(({ name }) => name);
      const inOrder = ids.every((id, index) => index === 0 || order.indexOf(ids[index - 1] ?? '') < order.indexOf(id));
      return [
        inOrder,
        JSON.stringify(characters) === JSON.stringify(mock.world.characters('alice', 'pc').map(({ name }) => name)),
        JSON.stringify(pages) === JSON.stringify(ids),
      ];
    },
    sees: [
      ['stable', [true, true, true]],
      ['shuffled', [false, false, true]],
    ],
  },
  'league.lookupBy': {
    look: async (mock) => {
      const named = mock.world
        .leagues('pc')
        .find(({ league }) => league.name !== undefined && league.name !== league.id)?.league;
      const found = async (name: string): Promise<boolean> =>
        (await ask(mock, `/league/${encodeURIComponent(name)}`, 'service:leagues')).text !== '{"league":null}';
      return [await found(named?.id ?? ''), await found(named?.name ?? '')];
    },
    sees: [
      ['id-or-name', [true, true]],
      ['id', [true, false]],
    ],
  },
  'passives.emptyForm': {
    look: async (mock) => {
      const seen = { full: false, empty: false };
      for (const { name } of mock.world.characters('alice', 'pc').slice(0, 7)) {
        const { character } = (await ask(mock, `/character/${encodeURIComponent(name)}`, 'account:characters')).json<{
          character: { passives?: object };
        }>();
        for (const value of Object.values(character.passives ?? {}) as unknown[]) {
          if (typeof value === 'object' && value !== null)
            seen[Object.keys(value).length === 0 ? 'empty' : 'full'] = true;
        }
      }
      return seen;
    },
    sees: [
      ['emit', { full: true, empty: true }],
      ['omit', { full: true, empty: false }],
    ],
  },
  'flags.absentForm': {
    look: async (mock) => {
      const [league] = await leaguesOf(mock);
      return [league?.event, league?.timedEvent, league?.goal, (await wholeCharacter(mock)).expired];
    },
    sees: [
      ['omit', [undefined, undefined, undefined, undefined]],
      ['null', [null, null, undefined, null]],
    ],
  },
  'optional.absentForm': {
    look: async (mock) => {
      const [league] = await leaguesOf(mock);
      const { filters } = (await ask(mock, '/item-filter', 'account:item_filter')).json<{ filters: Entry[] }>();
      // Interface 2: filter and validation are absent in the list, whatever the form of other things (K-008).
      return [league?.goal, league?.timedEvent, filters.some((filter) => 'filter' in filter || 'validation' in filter)];
    },
    sees: [
      ['omit', [undefined, undefined, false]],
      ['null', [null, undefined, false]],
    ],
  },
  'dates.form': {
    look: async (mock) => {
      const date = String((await leaguesOf(mock)).find(({ startAt }) => startAt)?.startAt);
      return date.replaceAll(/\d/g, '0');
    },
    sees: [
      ['z', '0000-00-00T00:00:00Z'],
      ['offset', '0000-00-00T00:00:00+00:00'],
      ['fraction', '0000-00-00T00:00:00.000Z'],
      ['none', '0000-00-00T00:00:00'],
    ],
  },
  'items.overstack': {
    look: async (mock) => {
      for (const { id } of walk(await stashList(mock))) {
        for (const { stackSize = 0, maxStackSize = Infinity } of (await stash(mock, id))?.items ?? [])
          if (stackSize > maxStackSize) return true;
      }
      return false;
    },
    sees: [
      [false, false],
      [true, true],
    ],
  },
  'extra.fields': {
    look: async (mock) => {
      const got = await ask(mock, '/league?limit=1', 'service:leagues');
      return [...got.text.matchAll(/x_undocumented/g)].length > 1;
    },
    sees: [
      [false, false],
      [true, true],
    ],
  },
  'json.form': {
    look: async (mock) => {
      const got = await ask(mock, `/league/${encodeURIComponent('Ünïcode')}`, 'service:leagues');
      const isAscii = /^[\x20-\x7e]*$/.test(got.text);
      return [got.text.includes('\n  '), isAscii, got.json<{ league: Entry }>().league.id];
    },
    sees: [
      ['compact', [false, false, 'Ünïcode']],
      ['pretty', [true, false, 'Ünïcode']],
      ['escaped', [false, true, 'Ünïcode']],
    ],
  },
  'json.keyOrder': {
    look: async (mock) => {
      const texts = new Set<string>();
      const contents = new Set<string>();
      for (let time = 0; time < 12; time += 1) {
        const got = await ask(mock, '/profile', 'account:profile');
        texts.add(got.text);
        contents.add(JSON.stringify(Object.entries(got.json<object>()).sort()));
      }
      return [texts.size > 1, contents.size];
    },
    sees: [
      ['stable', [false, 1]],
      ['shuffled', [true, 1]],
    ],
  },
  'stash.listForm': {
    look: async (mock) => {
      const list = await stashList(mock);
      return [
        list.some(({ children }) => children && children.length > 0),
        walk(list).length ===
          walk(mock.world.stashes('alice', 'pc', known(mock, 'stash_league')) as unknown as Tab[]).length,
      ];
    },
    sees: [
      ['nested', [true, true]],
      ['flat', [false, true]],
    ],
  },
  'stash.wrapperChildren': {
    look: async (mock) => {
      const wrapper = await stash(mock, known(mock, 'parent_tab'), known(mock, 'sub_tab'));
      const all = (await stash(mock, known(mock, 'parent_tab')))?.children?.length ?? 0;
      return [
        wrapper?.children?.length === 1,
        wrapper?.children?.length === all,
        wrapper?.children?.filter(({ items }) => items).length,
      ];
    },
    sees: [
      ['inner', [true, false, 1]],
      ['all', [false, true, 1]],
    ],
  },
  'hex.case': {
    look: async (mock) => {
      const list = walk(await stashList(mock));
      const upper = list.filter(({ id }) => id !== id.toLowerCase());
      const parent = list.find(({ children }) => children && children.length > 0);
      const sub = parent?.children?.[0];
      const pages = await stream(mock);
      const changes = pages.flatMap(({ stashes }) => stashes);
      const id = changes.findLast((change) => change.public)?.id ?? '';
      return [
        upper.length > 0,
        (await stash(mock, list[0]?.id ?? ''))?.id === list[0]?.id,
        (await stash(mock, parent?.id ?? '', sub?.id ?? ''))?.children?.[0]?.id === sub?.id,
        changes.some((change) => change.id !== change.id.toLowerCase()),
        (await mock.stashEvent({ op: 'update', stash: id }).catch((error: Error) => error.message)) instanceof Object,
      ];
    },
    sees: [
      ['lower', [false, true, true, false, true]],
      ['upper', [true, true, true, true, true]],
    ],
  },
  'filters.asyncTrigger': {
    look: async (mock) => {
      const id = await created(mock);
      const statuses: number[] = [];
      for (const filter of ['# slow\nShow\n', '# later\nShow\n', 'Show\n'])
        statuses.push((await post(mock, `/item-filter/${id}`, { filter })).status);
      return statuses;
    },
    sees: [
      ['# slow', [202, 200, 200]],
      ['# later', [200, 202, 200]],
    ],
  },
  'filters.updateEcho': {
    look: async (mock) =>
      'filter' in
      (await post(mock, `/item-filter/${await created(mock)}`, { version: '2' })).json<{ filter: object }>().filter,
    sees: [
      ['full', true],
      ['brief', false],
    ],
  },
  'filters.createStatus': {
    look: async (mock) => (await post(mock, '/item-filter', least)).status,
    sees: [
      [200, 200],
      [201, 201],
    ],
  },
  'filters.publicFalse': {
    look: async (mock) => {
      const id = await created(mock);
      await post(mock, `/item-filter/${id}`, { public: true });
      const { status } = await post(mock, `/item-filter/${id}`, { public: false, version: '7' });
      const { filter } = (await ask(mock, `/item-filter/${id}`, 'account:item_filter')).json<{ filter: Entry }>();
      return [status, filter.public, filter.version];
    },
    sees: [
      ['reject', [400, true, '']],
      ['ignore', [200, true, '7']],
    ],
  },
  'psapi.unlistedForm': {
    look: async (mock) => {
      const { id: _, ...rest } = (await stream(mock)).flatMap(({ stashes }) => stashes).find((one) => !one.public) ?? {
        id: 'none',
      };
      return rest;
    },
    sees: [
      ['omit', { public: false }],
      ['null', { public: false, accountName: null, stash: null, stashType: null, league: null, items: null }],
      ['null-empty', { public: false, accountName: null, stash: null, stashType: null, league: null, items: [] }],
    ],
  },
  'psapi.unlistedStashType': {
    look: async (mock) =>
      typeof (await stream(mock)).flatMap(({ stashes }) => stashes).find((one) => !one.public)?.stashType,
    sees: [
      [false, 'undefined'],
      [true, 'string'],
    ],
  },
  'psapi.start': {
    look: async (mock) => (await stream(mock)).length > 1,
    sees: [
      ['oldest', true],
      ['now', false],
    ],
  },
  'psapi.endId': {
    look: async (mock) => {
      const [before, end] = (await stream(mock)).slice(-2);
      const again = await ask(mock, `/public-stash-tabs?id=${end?.next_change_id}`, 'service:psapi');
      return [before?.next_change_id === end?.next_change_id, again.json<StreamPage>().stashes.length];
    },
    sees: [
      ['same', [true, 0]],
      ['fresh', [false, 0]],
    ],
  },
  'cx.unaligned': {
    look: async (mock) => {
      const [aligned, odd] = [
        await ask(mock, `/currency-exchange/${firstHour(mock)}`, 'service:cxapi'),
        await ask(mock, `/currency-exchange/${firstHour(mock) + 1}`, 'service:cxapi'),
      ];
      return odd.status === 200 ? odd.text === aligned.text : odd.status;
    },
    sees: [
      ['truncate', true],
      ['reject', 400],
    ],
  },
  'cx.pruned': {
    look: async (mock) => {
      const { markets, next_change_id: next } = await hour(mock, firstHour(mock) - 7200);
      return [markets.length > 0, next - firstHour(mock)];
    },
    sees: [
      ['first', [true, 3600]],
      ['empty', [false, 0]],
    ],
  },
  'cx.skipQuiet': {
    look: async (mock) => (await hour(mock, quietHour(mock) - 3600)).next_change_id > quietHour(mock),
    sees: [
      [false, false],
      [true, true],
    ],
  },
  'cx.keys': {
    look: async (mock) => (await lopsided(mock)).length,
    sees: [
      ['both', 2],
      ['traded', 1],
    ],
  },
  'cx.ratioOrder': {
    look: async (mock) => {
      const [shown] = (await hour(mock)).markets;
      const [made] = mock.world.exchange('pc').markets(firstHour(mock));
      const turned = Object.entries(made?.lowest_ratio ?? {}).map(([code], index, all) => [code, all[1 - index]?.[1]]);
      return JSON.stringify(shown?.lowest_ratio) === JSON.stringify(Object.fromEntries(turned));
    },
    sees: [
      ['direct', false],
      ['reversed', true],
    ],
  },
  'cx.retentionHours': {
    look: async (mock) => {
      const end = Math.floor((await mock.clock.now()).getTime() / 3_600_000) * 3600;
      return (end - (await hour(mock)).next_change_id) / 3600 + 1;
    },
    sees: [
      [0, 72],
      [5, 5],
    ],
  },
};
