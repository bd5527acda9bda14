import { operationList } from '../../../../src/contract/index.js';
import type { Scope } from '../../../../src/contract/index.js';
import { mint } from '../../../../src/oauth/index.js';
import type { OldMutant as Mutant } from '../../mutant.js';
import { answerOf } from '../../interceptor/interceptor.js';
import type { Json, Interceptor } from '../../interceptor/interceptor.js';
import type { Inbound } from '../../interceptor/traffic.js';
import { bearerOf } from '../../interceptor/who.js';

const isData = ({ operation }: Inbound): boolean =>
  operation !== undefined && operationList.some(({ logical, server }) => logical === operation && server === 'data');

/** The token that was meant, if it is close enough to one that is known. */
const closeToken =
  (isClose: (given: string, text: string) => boolean) =>
  (seam: Interceptor): void =>
    seam.request((request) => {
      const given = bearerOf(request.headers);
      const { store } = seam.service.authority;
      if (!isData(request) || given === '' || store.findToken(given)) return;
      const meant = [...store.tokens()].find(({ text, kind }) => kind === 'access' && isClose(given, text));
      if (meant) request.headers.authorization = `Bearer ${meant.text}`;
    });

const eachSegment = (path: string, change: (segment: string) => string): string =>
  path.split('/').map(change).join('/');

export const bearer: readonly Mutant[] = [
  {
    id: 'M-BS-01',
    bug: 'no token gives 403 in place of 401',
    rows: ['BEAR-018'],
    plant: (seam) =>
      seam.reply((reply, request) => {
        if (isData(request) && reply.status === 401 && request.headers.authorization === undefined) reply.status = 403;
      }),
  },
  {
    id: 'M-BS-02',
    bug: 'one operation needs no token',
    rows: ['BEAR-002'],
    plant: (seam) =>
      seam.request((request) => {
        if (request.operation !== 'listPvpMatches' || request.headers.authorization !== undefined) return;
        const scopes: Scope[] = ['service:pvp_matches'];
        const { access_token } = mint({ client: 'example-service', scopes }, seam.service.authority);
        request.headers.authorization = `Bearer ${access_token}`;
      }),
  },
  {
    id: 'M-BS-06',
    bug: 'a scope is looked for as a part of the text of scopes',
    rows: ['SCOPE-HIER-001', 'SCOPE-HIER-002', 'SCOPE-HIER-003'],
    plant: (seam) =>
      seam.store((store, acted) => ({
        findToken(text) {
          const token = store.findToken(text);
          if (!token || !seam.current || !isData(seam.current)) return token;
          const scopes = Object.assign([...token.scopes], {
            includes(scope: Scope) {
              if (token.scopes.includes(scope)) return true;
              const found = token.scopes.some((one) => one.includes(scope) || scope.includes(one));
              if (found) acted();
              return found;
            },
          });
          return { ...token, scopes };
        },
      })),
  },
  {
    id: 'M-BS-08',
    bug: 'a token under another scheme, or under none, is accepted',
    rows: ['BEAR-008'],
    plant: (seam) =>
      seam.request((request) => {
        const text = /^(?:\S+ +)?(\S+)$/.exec(request.headers.authorization ?? '')?.[1];
        if (isData(request) && text !== undefined && seam.service.authority.store.findToken(text)) {
          request.headers.authorization = `Bearer ${text}`;
        }
      }),
  },
  {
    id: 'M-BS-10',
    bug: 'a token is compared without regard to case',
    rows: ['BEAR-013'],
    plant: closeToken((given, text) => given.toLowerCase() === text.toLowerCase()),
  },
  {
    id: 'M-BS-10-prefix',
    bug: 'a token is compared by its beginning',
    rows: ['BEAR-013'],
    plant: closeToken((given, text) => given.startsWith(text) || (given.length > 30 && text.startsWith(given))),
  },
  {
    id: 'M-BS-12',
    bug: 'a 403 carries the data',
    rows: ['BEAR-011'],
    beside: ['BEAR-006', 'SCOPE-HIER-001'],
    plant: (seam) =>
      seam.reply((reply, request) => {
        if (!isData(request) || reply.status !== 403) return;
        const body = reply.json as Json;
        const plural = (request.operation ?? '').startsWith('list');
        const wrapper = request.path.split('/')[1] ?? '';
        if (request.operation === 'getProfile') Object.assign(body, { uuid: 'none', name: 'alice' });
        else if (request.operation === 'getLeagueAccount') body.league_account = { atlas_passive_trees: [] };
        else if (plural && wrapper === 'league') body.leagues = [{ id: 'Standard' }];
        else if (wrapper === 'league') body.league = { id: 'Standard' };
        else if (plural && wrapper === 'character') body.characters = [];
        else if (wrapper === 'character') body.character = { name: 'one' };
        else if (wrapper === 'stash' || wrapper === 'guild' || wrapper === 'public-stash-tabs')
          body[plural || wrapper === 'public-stash-tabs' ? 'stashes' : 'stash'] = [];
        else if (wrapper === 'pvp-match') body[plural ? 'matches' : 'match'] = [];
        else if (wrapper === 'item-filter') body[plural ? 'filters' : 'filter'] = [];
      }),
  },
  {
    id: 'M-BS-13',
    bug: 'a character is looked up by its name, whoever owns it',
    rows: ['SCOPE-USER-001', 'CHAR-GET-004'],
    plant: (seam) =>
      seam.data('getCharacter', (body, { args, request }) => {
        if (body.character !== null) return;
        const { world } = seam.service;
        const realm = (request.route?.realm ?? args.realm ?? 'pc') as 'pc';
        const found = world.accounts
          .flatMap(({ key }) => world.characters(key, realm))
          .find(({ name }) => name === args.name);
        if (found) body.character = found;
      }),
  },
  {
    id: 'M-BS-14',
    bug: 'the path realm is ignored',
    rows: ['REALM-PATH-002', 'REALM-ISO-001'],
    plant: (seam) =>
      seam.request((request) => {
        if (isData(request)) request.path = request.path.replace(/\/(xbox|sony|game2)(?=\/|$)/, '');
      }),
  },
  {
    id: 'M-BS-18',
    bug: '/stash/xbox/<league> is read as league xbox and a stash id',
    rows: ['REALM-PATH-002', 'STASH-LIST-003'],
    plant: (seam) =>
      seam.data('listStashes', (_, { request }) =>
        /^\/stash\/(xbox|sony)\/[^/]+$/.test(request.path) ? { stash: null } : undefined,
      ),
  },
  {
    id: 'M-BS-20',
    bug: '/currency-exchange/game2 is read as an id that is no number',
    rows: ['CX-011'],
    plant: (seam) =>
      seam.request((request) =>
        request.path.startsWith('/currency-exchange/game2')
          ? answerOf(400, { error: { code: 2, message: 'Invalid query: id NaN' } })
          : undefined,
      ),
  },
  {
    id: 'M-BS-21',
    bug: 'names are decoded twice',
    rows: ['GEN-017'],
    plant: (seam) =>
      seam.request((request) => {
        if (!isData(request)) return;
        request.path = eachSegment(request.path, (segment) => segment.replaceAll('%25', '%'));
      }),
  },
  {
    id: 'M-BS-22',
    bug: '+ in a path is decoded to a space',
    rows: ['GEN-017'],
    plant: (seam) =>
      seam.request((request) => {
        if (isData(request)) request.path = request.path.replaceAll(/\+|%2B/gi, '%20');
      }),
  },
  {
    id: 'M-BS-23',
    bug: 'a name with an encoded slash is not found',
    rows: ['GEN-017'],
    plant: (seam) =>
      seam.request((request) =>
        isData(request) && /%2f/i.test(request.path)
          ? answerOf(404, { error: { code: 1, message: 'Resource not found' } })
          : undefined,
      ),
  },
  {
    id: 'M-AD-01',
    bug: 'an optional parameter is demanded: a ladder without sort gives 400',
    rows: ['GEN-004'],
    plant: (seam) =>
      seam.request((request) =>
        request.operation === 'getLeagueLadder' && !request.query.has('sort')
          ? answerOf(400, { error: { code: 2, message: 'Invalid query: sort is required' } })
          : undefined,
      ),
  },
  {
    id: 'M-AD-04',
    bug: "only a client's first token is accepted",
    rows: ['BEAR-001'],
    plant(seam) {
      const first = new Map<string, string>();
      seam.store((store, acted) => ({
        addToken(token) {
          if (token.kind === 'access' && !first.has(token.grant.clientId)) first.set(token.grant.clientId, token.text);
          store.addToken(token);
        },
        findToken(text) {
          const token = store.findToken(text);
          if (token?.kind !== 'access' || first.get(token.grant.clientId) === text) return token;
          acted();
          return undefined;
        },
      }));
    },
  },
];
