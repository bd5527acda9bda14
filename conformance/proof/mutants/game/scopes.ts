import type { Mutant } from '../../mutant.js';

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
