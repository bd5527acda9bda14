import type { OldMutant as Mutant } from '../../mutant.js';
import { kept, found, isUser } from './planting.js';

const hour = 3_600_000;
const day = 24 * hour;

export const lifetimes: readonly Mutant[] = [
  {
    id: 'M-RL-15',
    bug: 'a refresh token lives for 28 days, as the access token',
    rows: ['TOK-REFRESH-007'],
    plant: (seam) =>
      kept(seam, ({ kind, grant }, isPublic) =>
        kind === 'refresh' && !isPublic ? { expiresAt: grant.grantedAt + 28 * day } : null,
      ),
  },
  {
    id: 'M-RL-17',
    bug: 'a public refresh token lives for 90 days',
    rows: ['TOK-REFRESH-008'],
    plant: (seam) =>
      kept(seam, ({ kind, grant }, isPublic) =>
        kind === 'refresh' && isPublic ? { expiresAt: grant.grantedAt + 90 * day } : null,
      ),
  },
  {
    id: 'M-RL-21',
    bug: 'an access token lives for more than 30 days',
    rows: ['LIFE-002'],
    plant: (seam) =>
      kept(seam, (token, isPublic) => (isUser(token) && !isPublic ? { expiresAt: token.issuedAt + 31 * day } : null)),
  },
  {
    id: 'M-RL-22',
    bug: 'an access token of a confidential client lives for 24 hours',
    rows: ['LIFE-001'],
    plant: (seam) =>
      kept(seam, (token, isPublic) => (isUser(token) && !isPublic ? { expiresAt: token.issuedAt + 24 * hour } : null)),
  },
  {
    id: 'M-RL-24',
    bug: "each use starts an access token's life anew",
    rows: ['LIFE-004'],
    plant(seam) {
      const ends = new Map<string, number>();
      found(seam, (token) => {
        if (!isUser(token) || token.expiresAt === null) return null;
        const now = seam.service.authority.now();
        const end = ends.get(token.text) ?? token.expiresAt;
        if (now < end && seam.current?.operation !== 'issueToken') {
          ends.set(token.text, now + (token.expiresAt - token.issuedAt));
        }
        return end === token.expiresAt ? null : { expiresAt: end };
      });
    },
  },
  {
    id: 'M-RL-26',
    bug: 'an expired token gives 403',
    rows: ['ERR-001', 'BEAR-004'],
    plant: (seam) =>
      seam.reply((reply, { headers }) => {
        const token = seam.service.authority.store.findToken(headers.authorization?.replace(/^bearer /i, '') ?? '');
        if (reply.status === 401 && token && token.ended === null && token.kind === 'access') reply.status = 403;
      }),
  },
  {
    id: 'N-LIFE-003',
    bug: "a public client's access token lives for 28 days",
    rows: ['LIFE-003'],
    plant: (seam) =>
      seam.store((store, acted) => ({
        addToken(token) {
          const isPublic = seam.service.authority.clients.get(token.grant.clientId)?.type === 'public';
          if (!isPublic || token.kind === 'refresh') return store.addToken(token);
          acted();
          store.addToken({ ...token, expiresAt: token.issuedAt + 28 * 86_400_000 });
        },
      })),
  },
];
