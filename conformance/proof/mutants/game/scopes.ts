import type { GameOperation, Realm } from '../../../../src/contract/index.js';
import { bearerOf } from '../../interceptor/who.js';
import { mutants, operator } from '../../mutant.js';
import { charactersOf, listedCharacters } from '../../operators/characters.js';
import { foundToken, keptToken } from '../../operators/tokens.js';
import { rawReply, reply } from '../../operators/replies.js';

const foundForAll = operator('foundForAll', (at) => {
  const seen = new Map<string, string>();
  at.laid(() => seen.clear());
  return rawReply(
    'getStash',
    (one, { url }) => {
      const before = seen.get(url);
      if (one.status === 200 && one.text.includes('"children"')) seen.set(url, one.text);
      else if (before !== undefined && (one.status === 200 || one.status === 404)) {
        one.status = 200;
        one.json = JSON.parse(before);
      }
    },
    { substash_id: /^/ },
  );
});

/** What belongs to an account is shown to every other one as its own. */
const owned = operator(
  'owned',
  (at, list: 'leagueAccount' | 'stashes', owner: string, operations?: readonly GameOperation[], only?: Realm) =>
    at.world((world, acted) => ({
      [list](account: string, realm: Realm, league: string) {
        const isAsked = at.current && (!operations || operations.some((one) => one === at.current?.operation));
        if (!isAsked || account === owner || (only ?? realm) !== realm) return world[list](account, realm, league);
        acted();
        return world[list](owner, realm, league);
      },
    })),
);

export const scopes = mutants({
  'BEAR-006: a missing scope gives 401': () =>
    rawReply('all', (one) => void (one.status === 403 && (one.status = 401))).also('SCOPE-ALLBUT-001'),
  'SCOPE-MULTI-001: only the first scope of a token counts': () =>
    keptToken(({ scopes: all }) => (all.length < 2 ? null : { scopes: all.slice(0, 1) })),
  'SCOPE-USER-001 sub: a sub-tab is found by its ids, whoever asks': () => foundForAll(),
  'SCOPE-USER-001 atlas: every account has the atlas of alice': () =>
    owned('leagueAccount', 'alice').inCase('league accounts'),
  'SCOPE-USER-001 tabs: the list of stash tabs is that of alice, whoever asks': () =>
    owned('stashes', 'alice', ['listStashes']).inCase('tabs'),
  'SCOPE-USER-001 tabs-realm: the list of stash tabs of sony is that of alice, whoever asks': () =>
    owned('stashes', 'alice', ['listStashes'], 'sony').inCase('tabs'),
  'SCOPE-USER-001 realm: characters of xbox are those of alice, whoever asks': () =>
    listedCharacters((owner, realm, at) => charactersOf(at, realm === 'xbox' ? 'alice' : owner, realm)).inCase(
      'characters',
    ),
  'SCOPE-HIER-004: account:characters opens the stashes': () =>
    foundToken(({ scopes: all }, { current }) =>
      all.includes('account:characters') && ['listStashes', 'getStash'].includes(current?.operation ?? '')
        ? { scopes: [...all, 'account:stashes'] }
        : null,
    ),
  'TOK-CC-011 single: client-credentials tokens list the characters of the owner, and find none of them': () =>
    reply('getCharacter', (_, { request: { headers } }, at) =>
      at.service.authority.store.findToken(bearerOf(headers))?.grant.kind === 'client_credentials'
        ? { character: null }
        : undefined,
    ),
});
