import type { Realm } from '../../../../src/contract/index.js';
import type { OldMutant as Mutant } from '../../mutant.js';
import { listAt } from '../../interceptor/json.js';
import type { DataReply, Json, Interceptor } from '../../interceptor/interceptor.js';
import { accountOf, realmOf } from '../../interceptor/who.js';

const flat = (tabs: readonly Json[]): Json[] => tabs.flatMap((tab) => [tab, ...flat(listAt(tab, 'children'))]);

/** What a lookup of a tab finds among these where the server finds nothing. */
const foundAmong = (
  seam: Interceptor,
  operation: 'getStash' | 'getGuildStash',
  tabs: (account: string, context: DataReply) => readonly unknown[],
  is: (id: unknown, asked: string) => boolean = (id, asked) => id === asked,
): void =>
  seam.data(operation, (body, context) => {
    const { stash_id = '', substash_id } = context.args;
    if (body.stash !== null) return;
    const tab = flat(tabs(accountOf(seam, context), context) as Json[]).find(({ id }) => is(id, stash_id));
    const child = listAt(tab, 'children').find(({ id }) => is(id, substash_id ?? ''));
    if (tab && substash_id === undefined) body.stash = tab;
    if (tab && child) body.stash = { ...tab, children: [child] };
  });

const leaguesOf = (seam: Interceptor, realm: Realm): readonly string[] =>
  seam.service.world.leagues(realm).map(({ league }) => league.id);

export const foreignTabs: readonly Mutant[] = [
  {
    id: 'N-STASH-SUB-004-bob',
    bug: "bob finds alice's sub-tabs by both ids",
    rows: ['STASH-SUB-004'],
    plant: (seam) =>
      foundAmong(seam, 'getStash', (account, context) =>
        account === 'bob' && context.args.substash_id !== undefined
          ? seam.service.world.stashes('alice', realmOf(context), context.args.league ?? '')
          : [],
      ),
  },
  {
    id: 'N-STASH-GET-003-bob',
    bug: "bob finds alice's tabs by their ids",
    rows: ['STASH-GET-003'],
    plant: (seam) =>
      foundAmong(seam, 'getStash', (account, context) =>
        account === 'bob' && context.args.substash_id === undefined
          ? seam.service.world.stashes('alice', realmOf(context), context.args.league ?? '')
          : [],
      ),
  },
  {
    id: 'N-STASH-GET-003-sony',
    bug: "in realm sony everybody finds alice's tabs by their ids",
    rows: ['STASH-GET-003'],
    plant: (seam) =>
      foundAmong(seam, 'getStash', (account, context) =>
        account !== 'alice' && realmOf(context) === 'sony'
          ? seam.service.world.stashes('alice', 'sony', context.args.league ?? '')
          : [],
      ),
  },
  {
    id: 'N-STASH-GET-005-unknown',
    bug: 'tabs are found under a league that does not exist',
    rows: ['STASH-GET-005'],
    plant: (seam) =>
      foundAmong(seam, 'getStash', (account, context) =>
        leaguesOf(seam, 'pc').includes(context.args.league ?? '')
          ? []
          : leaguesOf(seam, 'pc').flatMap((league) => seam.service.world.stashes(account, 'pc', league)),
      ),
  },
  {
    id: 'N-STASH-GET-005-bare',
    bug: 'tabs are found under leagues in which the account has none',
    rows: ['STASH-GET-005'],
    plant: (seam) =>
      foundAmong(seam, 'getStash', (account, context) => {
        const { league: asked = '' } = context.args;
        if (seam.service.world.stashes(account, realmOf(context), asked).length > 0) return [];
        return leaguesOf(seam, 'pc').flatMap((league) => seam.service.world.stashes(account, 'pc', league));
      }),
  },
  {
    id: 'N-STASH-GET-003-prefix',
    bug: 'eight digits of the id of a tab are enough',
    rows: ['STASH-GET-003'],
    plant: (seam) =>
      foundAmong(
        seam,
        'getStash',
        (account, context) =>
          context.args.substash_id === undefined
            ? seam.service.world.stashes(account, realmOf(context), context.args.league ?? '')
            : [],
        (id, asked) => asked.length === 10 && String(id).startsWith(asked.slice(0, 8)),
      ),
  },
  {
    id: 'N-STASH-SUB-004-prefix',
    bug: 'eight digits of the ids of a sub-tab and its parent are enough',
    rows: ['STASH-SUB-004'],
    plant: (seam) =>
      foundAmong(
        seam,
        'getStash',
        (account, context) =>
          context.args.substash_id === undefined
            ? []
            : seam.service.world.stashes(account, realmOf(context), context.args.league ?? ''),
        (id, asked) => asked.length === 10 && String(id).startsWith(asked.slice(0, 8)),
      ),
  },
  {
    id: 'N-GUILD-GET-002-prefix',
    bug: 'eight digits of the id of a guild tab are enough',
    rows: ['GUILD-GET-002'],
    plant: (seam) =>
      foundAmong(
        seam,
        'getGuildStash',
        (account, context) =>
          context.args.substash_id === undefined
            ? seam.service.world.guildStashes(account, realmOf(context), context.args.league ?? '')
            : [],
        (id, asked) => asked.length === 10 && String(id).startsWith(asked.slice(0, 8)),
      ),
  },
  {
    id: 'N-GEN-017-stash-twice',
    bug: 'the league in a path of stashes is decoded twice',
    rows: ['GEN-017'],
    plant: (seam) =>
      seam.request((request) => {
        if (request.path.startsWith('/stash/')) request.path = request.path.replaceAll('%25', '%');
      }),
  },
  {
    id: 'N-GEN-017-accounts',
    bug: 'the league in a path of league accounts is decoded twice',
    rows: ['GEN-017'],
    plant: (seam) =>
      seam.request((request) => {
        if (request.path.startsWith('/league-account/')) request.path = request.path.replaceAll('%25', '%');
      }),
  },
  {
    id: 'N-GUILD-SUB-001-absent',
    bug: 'some sub-tabs of guild tabs have no items, not even an empty list',
    rows: ['GUILD-SUB-001'],
    noticed: 'warn',
    plant(seam) {
      let first: unknown;
      seam.data('getGuildStash', (body, { args }) => {
        if (args.substash_id === undefined || !body.stash) return;
        first ??= args.substash_id;
        if (first !== args.substash_id) return;
        for (const child of listAt(body, 'stash', 'children')) delete child.items;
      });
    },
  },
  {
    id: 'N-GUILD-GET-003-outsider',
    bug: 'guild tabs can be read by whoever is in no guild',
    rows: ['GUILD-GET-003'],
    plant: (seam) =>
      foundAmong(seam, 'getGuildStash', (account, context) =>
        seam.service.world.guildStashes(account, realmOf(context), context.args.league ?? '').length === 0
          ? seam.service.world.guildStashes('alice', realmOf(context), context.args.league ?? '')
          : [],
      ),
  },
];
