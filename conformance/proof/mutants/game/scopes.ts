import type { OldMutant as Mutant } from '../../mutant.js';
import { bearerOf } from '../../interceptor/who.js';

export const scopes: readonly Mutant[] = [
  {
    id: 'N-BEAR-006',
    bug: 'a missing scope gives 401',
    rows: ['BEAR-006', 'SCOPE-ALLBUT-001'],
    plant: (seam) =>
      seam.reply((reply, { operation }) => void (operation && reply.status === 403 && (reply.status = 401))),
  },
  {
    id: 'N-SCOPE-MULTI-001',
    bug: 'only the first scope of a token counts',
    rows: ['SCOPE-MULTI-001'],
    plant: (seam) =>
      seam.store((store, acted) => ({
        addToken(token) {
          if (token.scopes.length < 2) return store.addToken(token);
          acted();
          store.addToken({ ...token, scopes: token.scopes.slice(0, 1) });
        },
      })),
  },
  {
    id: 'N-SCOPE-USER-001-sub',
    bug: 'a sub-tab is found by its ids, whoever asks',
    rows: ['SCOPE-USER-001'],
    plant: (seam) => {
      const seen = new Map<string, string>();
      seam.laid(() => seen.clear());
      seam.reply((reply, { operation, route, url }) => {
        if (operation !== 'getStash' || route?.args.substash_id === undefined) return;
        const before = seen.get(url);
        if (reply.status === 200 && reply.text.includes('"children"')) seen.set(url, reply.text);
        else if (before !== undefined && (reply.status === 200 || reply.status === 404)) {
          reply.status = 200;
          reply.json = JSON.parse(before);
        }
      });
    },
  },
  {
    id: 'N-TOK-CC-011-single',
    bug: 'client-credentials tokens list the characters of the owner, and find none of them',
    rows: ['TOK-CC-011'],
    plant: (seam) =>
      seam.data('getCharacter', (_, { request }) => {
        const token = seam.service.authority.store.findToken(bearerOf(request.headers));
        return token?.grant.kind === 'client_credentials' ? { character: null } : undefined;
      }),
  },
  {
    id: 'N-SCOPE-HIER-004',
    bug: 'account:characters opens the stashes',
    rows: ['SCOPE-HIER-004'],
    plant: (seam) =>
      seam.store((store, acted) => ({
        findToken(text) {
          const token = store.findToken(text);
          const isStash = seam.current?.operation === 'listStashes' || seam.current?.operation === 'getStash';
          if (!token?.scopes.includes('account:characters') || !isStash) return token;
          acted();
          return { ...token, scopes: [...token.scopes, 'account:stashes'] };
        },
      })),
  },
];
