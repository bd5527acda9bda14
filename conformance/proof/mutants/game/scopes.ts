import { bearerOf } from '../../interceptor/who.js';
import { mutants, operator } from '../../mutant.js';
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

export const scopes = mutants({
  'BEAR-006: a missing scope gives 401': () =>
    rawReply('all', (one) => void (one.status === 403 && (one.status = 401))).also('SCOPE-ALLBUT-001'),
  'SCOPE-MULTI-001: only the first scope of a token counts': () =>
    keptToken(({ scopes: all }) => (all.length < 2 ? null : { scopes: all.slice(0, 1) })),
  'SCOPE-USER-001 sub: a sub-tab is found by its ids, whoever asks': () => foundForAll(),
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
