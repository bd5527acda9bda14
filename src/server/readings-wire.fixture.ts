import { send } from './mock.fixture.js';
import type { Readings } from './readings.fixture.js';
import { ask, post } from './readings.fixture.js';
import type { JsonRecord } from './replies.fixture.js';
import {
  leaguesOf,
  charactersOf,
  ladder,
  known,
  stashList,
  stash,
  walk,
  wholeCharacter,
  stream,
  least,
  created,
} from './replies.fixture.js';

/** The readings of the wire: how requests are taken, and what replies look like. */
export const wireReadings: Readings = {
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
  'errors.accessForm': {
    look: async (mock) => {
      const replies = [
        await send(mock.url, { path: '/profile' }),
        await ask(mock, '/profile', 'service:leagues'),
        await ask(mock, '/league?limit=0', 'service:leagues'),
      ];
      return replies.map(({ status, text }) => {
        const { error, error_description: words } = JSON.parse(text) as Record<string, unknown>;
        return [status, typeof error === 'string' ? error : 'an object', typeof words];
      });
    },
    sees: [
      [
        'data',
        [
          [401, 'an object', 'undefined'],
          [403, 'an object', 'undefined'],
          [400, 'an object', 'undefined'],
        ],
      ],
      [
        'oauth',
        [
          [401, 'invalid_token', 'string'],
          [403, 'insufficient_scope', 'string'],
          [400, 'an object', 'undefined'],
        ],
      ],
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
        shown.push(got.status === 200 ? got.json<{ leagues: JsonRecord[] }>().leagues[0]?.realm : got.status);
        const list = await ask(mock, `/character/${word}`, 'account:characters');
        shown.push(list.json<{ characters?: JsonRecord[] }>().characters?.[0]?.realm);
        const made = await post(mock, '/item-filter', { ...least, realm: word });
        shown.push(made.status === 200 ? made.json<{ filter: JsonRecord }>().filter.realm : made.status);
      }
      // A refusal names the word that is understood.
      const refused = await post(mock, '/item-filter', { ...least, realm: 'nowhere' });
      shown.push(/must be one of [\w, ]*/.exec(refused.text)?.[0]);
      return shown;
    },
    sees: [
      ['game2', ['game2', 'game2', 'game2', 400, undefined, 400, 'must be one of pc, xbox, sony, game2']],
      ['second', [400, undefined, 400, 'second', 'second', 'second', 'must be one of pc, xbox, sony, second']],
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
      const stream = await ask(mock, '/public-stash-tabs', 'service:psapi');
      const unlisted = stream.json<{ stashes: JsonRecord[] }>().stashes.find((stash) => stash.public === false);
      const { filters } = (await ask(mock, '/item-filter', 'account:item_filter')).json<{ filters: JsonRecord[] }>();
      // Interface 2: filter and validation are absent in the list, whatever the form of other things (K-008).
      return [
        league?.goal,
        league?.timedEvent,
        filters.some((filter) => 'filter' in filter || 'validation' in filter),
        Object.keys(unlisted ?? {}),
      ];
    },
    sees: [
      ['omit', [undefined, undefined, false, ['id', 'public']]],
      ['null', [null, undefined, false, ['id', 'public']]],
    ],
  },
  'optional.presence': {
    look: async (mock) => Object.keys((await ask(mock, '/profile', 'account:profile')).json<object>()).sort(),
    sees: [
      ['usual', ['livestream', 'locale', 'name', 'uuid']],
      ['sparse', ['name', 'uuid']],
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
      return [got.text.includes('\n  '), isAscii, got.json<{ league: JsonRecord }>().league.id];
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
      const { filter } = (await ask(mock, `/item-filter/${id}`, 'account:item_filter')).json<{ filter: JsonRecord }>();
      return [status, filter.public, filter.version];
    },
    sees: [
      ['reject', [400, true, '']],
      ['ignore', [200, true, '7']],
    ],
  },
};
