import type { GameOperation } from '../../../../src/contract/index.js';
import type { RowId } from '../../../ledger.gen.js';
import type { OldMutant as Mutant } from '../../mutant.js';
import { change, listAt } from '../../interceptor/json.js';
import type { Json, Interceptor } from '../../interceptor/interceptor.js';
import { accountOf, kept, keptForAll, realmOf } from '../../interceptor/who.js';

/** An answer that is kept by its address and given to other accounts too, as by a cache that ignores Authorization. */
const shared = (operation: GameOperation, what: string, row: RowId): Mutant => ({
  id: `N-${row}-cache-${operation}`,
  bug: `${what} kept by the address alone, whoever asks`,
  rows: [row],
  plant: keptForAll(operation),
});

/** The accounts of the world that are not this one. */
const others = (seam: Interceptor, key: string): readonly string[] =>
  [...seam.service.authority.accounts.keys()].filter((one) => one !== key);

export const accountsApart: readonly Mutant[] = [
  shared('getProfile', 'profiles are', 'PROFILE-006'),
  shared('getProfile', 'profiles are', 'PROFILE-007'),
  shared('listCharacters', 'lists of characters are', 'CHAR-GET-004'),
  shared('getCharacter', 'characters are', 'CHAR-GET-004'),
  shared('listStashes', 'lists of tabs are', 'STASH-GET-001'),
  shared('getStash', 'tabs are', 'STASH-GET-003'),
  shared('listGuildStashes', 'lists of guild tabs are', 'GUILD-LIST-002'),
  shared('getGuildStash', 'guild tabs are', 'GUILD-GET-003'),
  shared('listItemFilters', 'lists of filters are', 'FILTER-LIST-001'),
  shared('getItemFilter', 'filters are', 'FILTER-UPDATE-009'),
  shared('listAccountLeagues', 'leagues of accounts are', 'ACCLEAGUE-002'),
  {
    id: 'N-PROFILE-006-client',
    bug: 'a profile is the one of the first user of the client',
    rows: ['PROFILE-006'],
    plant: (seam) =>
      kept(seam, 'getProfile', ({ headers }) => {
        const text = headers.authorization?.split(' ')[1] ?? '';
        return seam.service.authority.store.findToken(text)?.grant.clientId ?? '';
      }),
  },
  {
    id: 'N-PROFILE-006-case',
    bug: 'the name of a profile is in capital letters',
    rows: ['PROFILE-006'],
    plant: (seam) => seam.data('getProfile', (body) => change(body, 'name', (name: string) => name.toUpperCase())),
  },
  {
    id: 'N-PROFILE-006-uuid',
    bug: 'the UUID of a profile is another one for every client',
    rows: ['PROFILE-006'],
    plant: (seam) =>
      seam.data('getProfile', (body, { request }) => {
        const text = request.headers.authorization?.split(' ')[1] ?? '';
        const client = seam.service.authority.store.findToken(text)?.grant.clientId;
        change(body, 'uuid', (uuid: string) =>
          seam.service.authority.clients.get(client ?? '')?.type === 'public' ? uuid.slice(0, -4) + '0000' : uuid,
        );
      }),
  },
  {
    id: 'N-PROFILE-003',
    bug: 'the name of a profile is null where the account has no locale',
    rows: ['PROFILE-003'],
    beside: ['PROFILE-007', 'PROFILE-005'],
    plant: (seam) => seam.data('getProfile', (body) => void (body.locale ?? (body.name = null))),
  },
  {
    id: 'N-PROFILE-005-bare',
    bug: 'the livestream of a profile is a name, not an object',
    rows: ['PROFILE-005'],
    plant: (seam) =>
      seam.data('getProfile', (body) => {
        change(body, 'livestream', (stream: Json | null) => stream?.name ?? null);
      }),
  },
  {
    id: 'N-PROFILE-005-all',
    bug: 'every account has the livestream of the one that is linked',
    rows: ['PROFILE-005'],
    plant: (seam) => seam.data('getProfile', (body) => void (body.livestream ??= { name: '' })),
  },
  {
    id: 'N-CHAR-GET-004',
    bug: "another account's character is found in realm xbox",
    rows: ['CHAR-GET-004'],
    plant: (seam) =>
      seam.data('getCharacter', (body, context) => {
        const realm = realmOf(context);
        if (body.character !== null || realm !== 'xbox') return;
        const all = others(seam, accountOf(seam, context)).flatMap((key) => seam.service.world.characters(key, realm));
        body.character = all.find(({ name }) => name === context.args.name) ?? null;
      }),
  },
  {
    id: 'N-CHAR-GET-004-list',
    bug: "the list of characters has those of the whole realm's accounts",
    rows: ['CHAR-GET-004'],
    plant: (seam) =>
      seam.data('listCharacters', (body, context) => {
        const realm = realmOf(context);
        const keys = [...seam.service.authority.accounts.keys()];
        body.characters = keys
          .flatMap((key) => seam.service.world.characters(key, realm))
          .map(({ id, name, realm: own, class: kind, level, experience, league }) => ({
            id,
            name,
            realm: own,
            class: kind,
            level,
            experience,
            league,
          }));
      }),
  },
  {
    id: 'N-STASH-GET-003-foreign',
    bug: "another account's tab is found by its id",
    rows: ['STASH-GET-003'],
    plant: (seam) =>
      seam.data('getStash', (body, context) => {
        if (body.stash !== null || context.args.substash_id !== undefined) return;
        const all = others(seam, accountOf(seam, context)).flatMap((key) =>
          seam.service.world.stashes(key, realmOf(context), context.args.league ?? ''),
        );
        body.stash = all.find(({ id }) => id === context.args.stash_id) ?? null;
      }),
  },
  {
    id: 'N-STASH-SUB-004-foreign',
    bug: "another account's sub-tab is found by its parent",
    rows: ['STASH-SUB-004'],
    plant: (seam) =>
      seam.data('getStash', (body, context) => {
        const { stash_id, substash_id, league = '' } = context.args;
        if (body.stash !== null || substash_id === undefined) return;
        const all = others(seam, accountOf(seam, context)).flatMap((key) =>
          seam.service.world.stashes(key, realmOf(context), league),
        );
        const parent = all.find(({ id }) => id === stash_id);
        const child = listAt(parent, 'children').find(({ id }) => id === substash_id);
        if (parent && child) body.stash = { ...parent, children: [child] };
      }),
  },
  {
    id: 'N-GUILD-GET-003-sub',
    bug: 'sub-tabs of guild tabs can be read whoever may access them',
    rows: ['GUILD-GET-003'],
    plant: (seam) =>
      seam.world((world, acted) => ({
        guildStashes(account, realm, league) {
          const { current } = seam;
          if (current?.route?.args.substash_id === undefined) return world.guildStashes(account, realm, league);
          acted();
          return world.guildStashes('alice', realm, league);
        },
      })),
  },
  {
    id: 'N-PROFILE-006-beside',
    bug: 'the user of a request is kept in one place for all requests, and another one may come in between',
    rows: ['PROFILE-006'],
    plant(seam) {
      let authorization: string | undefined;
      seam.request(async (request) => {
        if (request.operation !== 'getProfile' || request.headers.authorization === undefined) return;
        authorization = request.headers.authorization;
        await new Promise((done) => void setTimeout(done, 2));
        request.headers.authorization = authorization;
      });
    },
  },
];
