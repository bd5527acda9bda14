import type { Token } from '../../../../src/store/store.js';
import { bearerOf } from '../../interceptor/who.js';
import { intercept, mutants, operator } from '../../mutant.js';
import { foundToken, isUser, keptToken } from '../../operators/oauth.js';

const hour = 3_600_000;
const day = 24 * hour;

/** Tokens, of clients of a type, that live for another time: from the grant on for refresh tokens. */
const lifetime = operator(
  'lifetime',
  (at, which: (token: Token) => boolean, client: 'public' | 'confidential', ms: number) =>
    keptToken((token, isPublic) => {
      if (!which(token) || isPublic !== (client === 'public')) return null;
      return { expiresAt: (token.kind === 'refresh' ? token.grant.grantedAt : token.issuedAt) + ms };
    }).apply(at),
);

const isRefresh = ({ kind }: Token): boolean => kind === 'refresh';
const isAccess = ({ kind }: Token): boolean => kind === 'access';

export const lifetimes = mutants({
  'TOK-REFRESH-007': {
    'M-RL-15': [
      'a refresh token lives for 28 days, as the access token',
      lifetime(isRefresh, 'confidential', 28 * day),
    ],
  },
  'TOK-REFRESH-008': {
    'M-RL-17': ['a public refresh token lives for 90 days', lifetime(isRefresh, 'public', 90 * day)],
  },
  'LIFE-001': {
    'M-RL-22': [
      'an access token of a confidential client lives for 24 hours',
      lifetime(isUser, 'confidential', 24 * hour),
    ],
  },
  'LIFE-002': {
    'M-RL-21': ['an access token lives for more than 30 days', lifetime(isUser, 'confidential', 31 * day)],
  },
  'LIFE-003': {
    '': ["a public client's access token lives for 28 days", lifetime(isAccess, 'public', 28 * day)],
  },
  'LIFE-004': {
    'M-RL-24': [
      "each use starts an access token's life anew",
      intercept((at) => {
        const ends = new Map<string, number>();
        foundToken((token) => {
          if (!isUser(token) || token.expiresAt === null) return null;
          const now = at.service.authority.now();
          const end = ends.get(token.text) ?? token.expiresAt;
          if (now < end && at.current?.operation !== 'issueToken')
            ends.set(token.text, now + (token.expiresAt - token.issuedAt));
          return end === token.expiresAt ? null : { expiresAt: end };
        }).apply(at);
      }),
    ],
  },
  'ERR-001': {
    'M-RL-26': [
      'an expired token gives 403',
      intercept((at) =>
        at.reply((reply, { headers }) => {
          const token = at.service.authority.store.findToken(bearerOf(headers));
          if (reply.status === 401 && token?.ended === null && token.kind === 'access') reply.status = 403;
        }),
      ),
      { also: ['BEAR-004'] },
    ],
  },
});
