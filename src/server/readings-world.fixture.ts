import type { Readings } from './readings.fixture.js';
import { ask } from './readings.fixture.js';
import type { JsonRecord, StreamPage } from './replies.fixture.js';
import {
  leaguesOf,
  charactersOf,
  ladder,
  known,
  stashList,
  stash,
  walk,
  stream,
  hour,
  firstHour,
  quietHour,
  lopsided,
} from './replies.fixture.js';

/** The readings of what is served: which things, in which order, how much of them. */
export const worldReadings: Readings = {
  'characters.caseTwins': {
    look: async (mock) => {
      const names = (await charactersOf(mock)).map(({ name }) => String(name));
      const twins = names.filter((name) =>
        names.some((other) => other !== name && other.toLowerCase() === name.toLowerCase()),
      );
      const ids = new Set<unknown>();
      for (const name of twins)
        ids.add(
          (await ask(mock, `/character/${encodeURIComponent(name)}`, 'account:characters')).json<{
            character: JsonRecord;
          }>().character.id,
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
  'items.overstack': {
    look: async (mock) => {
      for (const { id } of walk(await stashList(mock))) {
        for (const { stackSize, maxStackSize } of (await stash(mock, id))?.items ?? [])
          if ((stackSize ?? 0) > (maxStackSize ?? Infinity)) return true;
      }
      return false;
    },
    sees: [
      [false, false],
      [true, true],
    ],
  },
  'stash.listForm': {
    look: async (mock) => {
      const list = await stashList(mock);
      return [
        list.some(({ children }) => children && children.length > 0),
        walk(list).length === walk(mock.world.stashes('alice', 'pc', known(mock, 'stash_league'))).length,
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
  'psapi.pageSize': {
    look: async (mock) => (await stream(mock)).slice(0, 4).map(({ stashes }) => stashes.length),
    sees: [
      ['varied', [25, 9, 1, 17]],
      ['even', [25, 25, 25, 25]],
    ],
  },
  'psapi.idForm': {
    look: async (mock) => {
      const [first] = await stream(mock);
      const next = first?.next_change_id ?? '';
      const second = await ask(mock, `/public-stash-tabs?id=${encodeURIComponent(next)}`, 'service:psapi');
      return [/^[\d-]+$/.test(next), second.status];
    },
    sees: [
      ['plain', [true, 200]],
      ['reserved', [false, 200]],
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
      return JSON.stringify(shown?.lowest_ratio) === JSON.stringify(made?.highest_ratio);
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
