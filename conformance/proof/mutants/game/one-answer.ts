import type { GameOperation } from '../../../../src/contract/index.js';
import type { RowId } from '../../../ledger.gen.js';
import type { OldMutant as Mutant } from '../../mutant.js';
import { change, everywhere, gone, listAt } from '../../interceptor/json.js';
import type { DataReply, Json, Interceptor } from '../../interceptor/interceptor.js';
import { bearerOf, kept } from '../../interceptor/who.js';

/** Whether the token of a request is one of these: of a public client, or of no user. */
const heldBy = (seam: Interceptor, { request }: Pick<DataReply, 'request'>, kind: 'public' | 'nobody'): boolean => {
  const grant = seam.service.authority.store.findToken(bearerOf(request.headers))?.grant;
  if (!grant) return false;
  return kind === 'public'
    ? seam.service.authority.clients.get(grant.clientId)?.type === 'public'
    : grant.kind === 'client_credentials';
};

/** What is not given to public clients. */
const lessToPublic = (
  id: string,
  bug: string,
  row: RowId,
  operation: GameOperation,
  less: (body: Json, context: DataReply) => void,
): Mutant => ({
  id: `N-${row}-${id}`,
  bug: `public clients get ${bug}`,
  rows: [row],
  plant: (seam) =>
    seam.data(operation, (body, context) => {
      if (heldBy(seam, context, 'public')) less(body, context);
    }),
});

const noItems = (body: Json): void => everywhere(body, 'items', () => gone);

/** The account of a request is kept in one place for all requests, and another request may come in between. */
const mixedUp = (operation: GameOperation, row: RowId): Mutant => ({
  id: `N-${row}-beside-${operation}`,
  bug: `${operation} keeps the user of a request in one place for all requests`,
  rows: [row],
  plant(seam) {
    let authorization: string | undefined;
    seam.request(async (request) => {
      if (request.operation !== operation || request.headers.authorization === undefined) return;
      authorization = request.headers.authorization;
      await new Promise((done) => void setTimeout(done, 2));
      request.headers.authorization = authorization;
    });
  },
});

export const oneAnswer: readonly Mutant[] = [
  lessToPublic('public', 'no private leagues', 'ACCLEAGUE-002', 'listAccountLeagues', (body) => {
    body.leagues = listAt(body, 'leagues').filter(({ id, name }) => !`${String(id)} ${String(name)}`.includes('PL'));
  }),
  lessToPublic('public', 'characters without equipment', 'CHAR-GET-002', 'getCharacter', (body) => {
    if (body.character) delete (body.character as Json).equipment;
  }),
  lessToPublic(
    'public-xbox',
    'characters of xbox without passives',
    'CHAR-GET-002',
    'getCharacter',
    (body, { request }) => {
      if (body.character && request.path.includes('/xbox/')) delete (body.character as Json).passives;
    },
  ),
  lessToPublic('public', 'the current character only', 'CHAR-LIST-001', 'listCharacters', (body) => {
    body.characters = listAt(body, 'characters').slice(0, 1);
  }),
  lessToPublic('public', 'tabs without items', 'STASH-GET-002', 'getStash', (body, { args }) => {
    if (args.substash_id === undefined) noItems(body);
  }),
  lessToPublic('public', 'sub-tabs without items', 'STASH-SUB-002', 'getStash', (body, { args }) => {
    if (args.substash_id !== undefined) noItems(body);
  }),
  lessToPublic('public', 'tabs without sub-tabs', 'STASH-LIST-001', 'listStashes', (body) =>
    everywhere(body, 'children', () => gone),
  ),
  lessToPublic('public', 'an atlas without trees', 'LACC-001', 'getLeagueAccount', (body) => {
    if (body.league_account) body.league_account = { atlas_passive_trees: [] };
  }),
  lessToPublic('public', 'profiles without a locale', 'PROFILE-006', 'getProfile', (body) => void delete body.locale),
  lessToPublic('public-case', 'UUIDs in capital letters', 'PROFILE-006', 'getProfile', (body) =>
    change(body, 'uuid', (uuid: string) => uuid.toUpperCase()),
  ),
  {
    id: 'N-LACC-004-pc',
    bug: 'league accounts of every realm are those of pc',
    rows: ['LACC-004'],
    noticed: 'warn',
    plant: (seam) =>
      seam.request((request) => {
        request.path = request.path.replace(/^\/league-account\/(xbox|sony)\/(?=.)/, '/league-account/');
      }),
  },
  {
    id: 'N-CHAR-GET-001-owner',
    bug: 'a single character is null for tokens of client credentials',
    rows: ['CHAR-GET-001'],
    plant: (seam) =>
      seam.data('getCharacter', (body, context) => {
        if (heldBy(seam, context, 'nobody')) body.character = null;
      }),
  },
  {
    id: 'N-LACC-001-cache',
    bug: 'league accounts are kept by the address alone for five seconds',
    rows: ['LACC-001'],
    plant: (seam) =>
      kept(seam, 'getLeagueAccount', ({ url }) => `${Math.floor(seam.service.clock.now() / 5000)} ${url}`),
  },
  {
    id: 'N-LACC-001-cache-ever',
    bug: 'league accounts are kept by the address alone',
    rows: ['LACC-001'],
    plant: (seam) => kept(seam, 'getLeagueAccount', ({ url }) => url),
  },
  mixedUp('listStashes', 'STASH-LIST-001'),
  mixedUp('getStash', 'STASH-GET-001'),
  mixedUp('listAccountLeagues', 'ACCLEAGUE-001'),
  mixedUp('getLeagueAccount', 'LACC-001'),
  mixedUp('listGuildStashes', 'GUILD-LIST-001'),
  mixedUp('listCharacters', 'CHAR-LIST-001'),
  {
    id: 'N-GEN-013-socketed',
    bug: 'a socketed item has the id of the item that it is in',
    rows: ['GEN-013'],
    beside: ['CHAR-GET-001', 'STASH-GET-001'],
    plant: (seam) =>
      seam.data(['getCharacter', 'getStash'], (body) => {
        for (const host of hosts(body))
          for (const item of listAt(host, 'socketedItems')) change(item, 'id', () => host.id);
      }),
  },
];

/** Items with items in their sockets. */
function hosts(value: unknown): readonly Json[] {
  if (typeof value !== 'object' || value === null) return [];
  const own = listAt(value, 'socketedItems').length > 0 ? [value as Json] : [];
  return [...own, ...Object.values(value).flatMap(hosts)];
}
