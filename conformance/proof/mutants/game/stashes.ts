import type { OldMutant as Mutant } from '../../mutant.js';
import { change, everywhere, gone, having, listAt, rename } from '../../interceptor/json.js';
import type { DataReply, Json } from '../../interceptor/interceptor.js';
import { accountOf, realmOf } from '../../interceptor/who.js';

/** A tab with the places that it lies in, whatever they are. */
const flat = (tabs: readonly Json[]): Json[] => tabs.flatMap((tab) => [tab, ...flat(listAt(tab, 'children'))]);

/** The wrapped tab in place of its wrapper. */
const inner = (body: Json, { args }: DataReply): unknown => {
  const child = args.substash_id === undefined ? undefined : listAt(body, 'stash', 'children')[0];
  return child ? { stash: child } : undefined;
};

const missing = (body: Json, { reply }: DataReply): unknown => {
  if (body.stash !== null) return undefined;
  reply.status = 404;
  return { error: { code: 1, message: 'Resource not found' } };
};

const lists = ['listStashes', 'listGuildStashes'] as const;
const lookups = ['getStash', 'getGuildStash'] as const;

export const stashes: readonly Mutant[] = [
  {
    id: 'M-AD-71',
    bug: 'the list of tabs is a dictionary by id',
    rows: ['STASH-LIST-001'],
    plant: (seam) =>
      seam.data('listStashes', (body) => {
        body.stashes = Object.fromEntries(listAt(body, 'stashes').map((tab) => [tab.id, tab]));
      }),
  },
  {
    id: 'M-AD-72',
    bug: 'a tab is looked up by its name in place of its id',
    rows: ['STASH-GET-001'],
    plant: (seam) =>
      seam.data('getStash', (body, context) => {
        const { args } = context;
        const tabs = seam.service.world.stashes(accountOf(seam, context), realmOf(context), args.league ?? '');
        body.stash = flat(tabs as unknown as Json[]).find(({ name }) => name === args.stash_id) ?? null;
      }),
  },
  {
    id: 'M-AD-75',
    bug: "the list of the guild's tabs has no sub-tabs",
    rows: ['GUILD-LIST-003'],
    plant: (seam) => seam.data('listGuildStashes', (body) => everywhere(body, 'children', () => gone)),
  },
  {
    id: 'M-AD-75-wrapper',
    bug: "the list of the guild's tabs is wrapped in guild_stashes",
    rows: ['GUILD-LIST-001'],
    plant: (seam) => seam.data('listGuildStashes', (body) => rename(body, 'stashes', 'guild_stashes')),
  },
  {
    id: 'M-AD-76',
    bug: 'a guild tab has no wrapper',
    rows: ['GUILD-GET-001'],
    plant: (seam) => seam.data('getGuildStash', (body) => body.stash ?? undefined),
  },
  {
    id: 'M-AD-76-sub',
    bug: "a guild's sub-tab comes without its parent",
    rows: ['GUILD-SUB-001'],
    plant: (seam) => seam.data('getGuildStash', inner),
  },
  {
    id: 'M-AD-76-404',
    bug: 'an unknown guild tab is answered with 404 and no wrapper',
    rows: ['GUILD-GET-002'],
    plant: (seam) => seam.data('getGuildStash', missing),
  },
  {
    id: 'M-ST-01',
    bug: 'a sub-tab comes without its parent',
    rows: ['STASH-SUB-001'],
    plant: (seam) => seam.data('getStash', inner),
  },
  {
    id: 'M-ST-02',
    bug: 'the wrapper of a sub-tab is empty',
    rows: ['STASH-SUB-001'],
    plant: (seam) =>
      seam.data('getStash', (body, { args }) => {
        if (args.substash_id !== undefined && body.stash) delete (body.stash as Json).children;
      }),
  },
  {
    id: 'M-ST-04',
    bug: "the wrapper has the sub-tab's id",
    rows: ['STASH-SUB-001'],
    plant: (seam) =>
      seam.data('getStash', (body, { args }) => {
        if (args.substash_id !== undefined && body.stash) (body.stash as Json).id = args.substash_id;
      }),
  },
  {
    id: 'M-ST-05',
    bug: 'a sub-tab is found under any parent',
    rows: ['STASH-SUB-004'],
    plant: (seam) =>
      seam.data('getStash', (body, context) => {
        const { args } = context;
        if (body.stash !== null || args.substash_id === undefined) return;
        const world = seam.service.world.stashes(accountOf(seam, context), realmOf(context), args.league ?? '');
        const tabs = flat(world as unknown as Json[]);
        const parent = tabs.find(({ id }) => id === args.stash_id);
        const child = tabs.find(({ id, parent: held }) => id === args.substash_id && held !== undefined);
        if (parent && child) body.stash = { ...parent, items: undefined, children: [child] };
      }),
  },
  {
    id: 'M-ST-06',
    bug: 'the list of tabs leaves out those in folders',
    rows: ['STASH-LIST-002'],
    plant: (seam) =>
      seam.data('listStashes', (body) => {
        for (const tab of listAt(body, 'stashes')) if ((tab.metadata as Json).folder === true) delete tab.children;
      }),
  },
  {
    id: 'M-ST-08',
    bug: 'an unknown tab is answered with 404 and no wrapper',
    rows: ['STASH-GET-003', 'ERR-002'],
    plant: (seam) => seam.data('getStash', missing),
  },
  {
    id: 'M-ST-10',
    bug: 'a single tab has no items',
    rows: ['STASH-GET-002'],
    plant: (seam) =>
      seam.data('getStash', (body) => void (body.stash && change(body.stash as Json, 'items', () => []))),
  },
  {
    id: 'M-ST-13',
    bug: 'metadata is left out when there is nothing in it',
    rows: ['GEN-006'],
    plant: (seam) =>
      seam.data([...lists, ...lookups], (body) => {
        for (const tab of having(body, 'metadata', 'type')) {
          if ((tab.metadata as Json).public === undefined && (tab.metadata as Json).folder === undefined)
            delete tab.metadata;
        }
      }),
  },
  {
    id: 'M-ST-13-list',
    bug: 'metadata is an empty list when there is nothing in it',
    rows: ['GEN-011'],
    plant: (seam) =>
      seam.data([...lists, ...lookups], (body) => {
        for (const tab of having(body, 'metadata', 'type')) {
          if ((tab.metadata as Json).public === undefined && (tab.metadata as Json).folder === undefined)
            tab.metadata = [];
        }
      }),
  },
  {
    id: 'M-ST-17',
    bug: 'account:stashes opens guild stashes',
    rows: ['GUILD-SCOPE-001'],
    plant: (seam) =>
      seam.store((store, acted) => ({
        findToken(text) {
          const token = store.findToken(text);
          const isGuild = /Guild/.test(seam.current?.operation ?? '');
          if (!token || !isGuild || !token.scopes.includes('account:stashes')) return token;
          if (token.scopes.includes('account:guild:stashes')) return token;
          acted();
          return { ...token, scopes: [...token.scopes, 'account:guild:stashes'] };
        },
      })),
  },
  {
    id: 'M-ST-18',
    bug: "the guild's endpoints serve personal tabs",
    rows: ['GUILD-ISO-001'],
    plant: (seam) => seam.world((world) => ({ guildStashes: (...where) => (seam.acted(), world.stashes(...where)) })),
  },
  {
    id: 'M-ST-19',
    bug: 'a league account has no wrapper',
    rows: ['LACC-001'],
    plant: (seam) => seam.data('getLeagueAccount', (body) => body.league_account),
  },
  {
    id: 'M-ST-19-null',
    bug: 'atlas_passive_trees is null',
    rows: ['LACC-002'],
    plant: (seam) => seam.data('getLeagueAccount', (body) => everywhere(body, 'atlas_passive_trees', () => null)),
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
];
