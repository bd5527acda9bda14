import { lifetimes } from '../../../../src/contract/index.js';
import type { Token } from '../../../../src/store/store.js';
import type { Mutant } from '../../mutant.js';
import type { Json, Seam } from '../../seam/seam.js';
import { answerOf } from '../../seam/seam.js';

const hour = 3_600_000;
const day = 24 * hour;

/** Tokens, changed before they are kept; null leaves one as it is. */
const kept = (seam: Seam, change: (token: Token, isPublic: boolean) => Partial<Token> | null): void =>
  seam.store((store, acted) => ({
    addToken(token) {
      const isPublic = seam.service.authority.clients.get(token.grant.clientId)?.type === 'public';
      const changed = change(token, isPublic);
      if (changed) acted();
      store.addToken({ ...token, ...changed });
    },
  }));

/** What the store finds of a token, changed; null leaves it as it is. */
const found = (seam: Seam, change: (token: Token) => Partial<Token> | null): void =>
  seam.store((store, acted) => ({
    findToken(text) {
      const token = store.findToken(text);
      const changed = token && change(token);
      if (!token || !changed) return token;
      acted();
      return { ...token, ...changed };
    },
  }));

/** Whether the request that runs now refreshes with this token. */
const refreshesWith = (seam: Seam, { text }: Token): boolean =>
  seam.current?.operation === 'issueToken' && seam.current.form.get('refresh_token') === text;

const isUser = ({ kind, grant }: Token): boolean => kind === 'access' && grant.kind === 'authorization_code';

export const refresh: readonly Mutant[] = [
  {
    id: 'M-RL-02',
    bug: 'the refresh token is never rotated',
    rows: ['TOK-REFRESH-002'],
    plant(seam) {
      seam.store((store, acted) => ({
        endToken(text, how) {
          if (how === 'used') acted();
          else store.endToken(text, how);
        },
      }));
      seam.oauth('issueToken', (body, reply, { form }) => {
        if (reply.status === 200 && form.has('refresh_token')) body.refresh_token = form.get('refresh_token');
      });
    },
  },
  {
    id: 'M-RL-03',
    bug: 'a refresh starts the 90 days anew',
    rows: ['TOK-REFRESH-005', 'TOK-REFRESH-006'],
    plant: (seam) =>
      kept(seam, ({ kind, issuedAt, expiresAt }, isPublic) => {
        const end = issuedAt + lifetimes.refresh_token[isPublic ? 'public' : 'confidential'] * 1000;
        return kind === 'refresh' && end !== expiresAt ? { expiresAt: end } : null;
      }),
  },
  {
    id: 'M-RL-05',
    bug: 'between finding a refresh token and ending it others find it too',
    rows: ['TOK-REFRESH-019'],
    plant(seam) {
      // What each request found when it came in, which is what it goes on with.
      const seen = new Map<object, Token>();
      seam.request(async (request) => {
        if (request.operation !== 'issueToken') return undefined;
        const token = seam.service.authority.store.findToken(request.form.get('refresh_token') ?? '');
        if (!token) return undefined;
        seen.set(request, token);
        await new Promise((done) => setTimeout(done, 5));
        return undefined;
      });
      seam.store((store, acted) => ({
        findToken(text) {
          const token = store.findToken(text);
          const before = seam.current && seen.get(seam.current);
          if (!token || before?.text !== text || before.ended === token.ended) return token;
          acted();
          return before;
        },
      }));
      seam.reply((_, request) => void seen.delete(request));
    },
  },
  {
    id: 'M-RL-08',
    bug: 'a refresh token can be used by another client',
    rows: ['TOK-REFRESH-010'],
    plant: (seam) =>
      found(seam, (token) => {
        const clientId = seam.current?.form.get('client_id');
        if (!clientId || !refreshesWith(seam, token) || token.grant.clientId === clientId) return null;
        return { grant: { ...token.grant, clientId } };
      }),
  },
  {
    id: 'M-RL-09',
    bug: 'a confidential client refreshes without its secret',
    rows: ['TOK-REFRESH-011'],
    plant: (seam) =>
      seam.form('issueToken', (form, { headers }) => {
        const secret = seam.service.authority.clients.get(form.get('client_id') ?? '')?.secret;
        if (form.get('grant_type') !== 'refresh_token' || headers.authorization !== undefined || !secret) return;
        if (!form.get('client_secret')) form.set('client_secret', secret);
      }),
  },
  {
    id: 'M-RL-10',
    bug: 'a public client has to send a secret to refresh',
    rows: ['TOK-REFRESH-012'],
    plant: (seam) =>
      seam.form('issueToken', (form) => {
        const client = seam.service.authority.clients.get(form.get('client_id') ?? '');
        if (client?.type !== 'public' || form.get('grant_type') !== 'refresh_token' || form.has('client_secret'))
          return undefined;
        return answerOf(401, { error: 'invalid_client' }, { 'cache-control': 'no-store', pragma: 'no-cache' });
      }),
  },
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
    id: 'M-RL-19',
    bug: 'an access token is accepted as refresh_token',
    rows: ['TOK-REFRESH-018'],
    plant: (seam) =>
      found(seam, (token) => (token.kind === 'access' && refreshesWith(seam, token) ? { kind: 'refresh' } : null)),
  },
  {
    id: 'M-RL-20',
    bug: 'a failed client authentication uses the refresh token up',
    rows: ['TOK-REFRESH-023'],
    plant: (seam) =>
      seam.oauth('issueToken', (body, _, { form }) => {
        const text = form.get('refresh_token');
        if (body.error !== 'invalid_client' || text === null) return;
        seam.acted();
        seam.service.authority.store.endToken(text, 'used');
      }),
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
    id: 'M-RL-30',
    bug: 'the revocation of one grant ends those of all users of the client',
    rows: ['LIFE-011', 'REV-013'],
    plant: (seam) =>
      seam.store((store, acted) => ({
        endToken(text, how) {
          const clientId = store.findToken(text)?.grant.clientId;
          store.endToken(text, how);
          if (how !== 'revoked') return;
          for (const other of store.tokens()) {
            if (other.grant.clientId !== clientId || other.ended) continue;
            acted();
            store.endToken(other.text, 'revoked');
          }
        },
      })),
  },
  {
    id: 'M-AD-28',
    bug: 'a refresh gives the old access token again',
    rows: ['TOK-REFRESH-003'],
    plant(seam) {
      const before = new Map<unknown, unknown>();
      seam.oauth('issueToken', (body, reply, { form }) => {
        if (reply.status !== 200) return;
        const known = before.get(form.get('refresh_token'));
        if (known !== undefined) body.access_token = known;
        before.set(body.refresh_token, body.access_token);
      });
    },
  },
  {
    id: 'M-AD-32',
    bug: 'the revocation on the settings page only keeps new tokens from being made',
    rows: ['LIFE-007'],
    plant(seam) {
      const blocked = new Set<string>();
      seam.request(({ path, json, operation, form }) => {
        const order = json as Json | undefined;
        if (path === '/__control/revocations' && order?.by === 'application') {
          blocked.add(String(order.client_id));
          return answerOf(204, undefined);
        }
        const barred = operation === 'issueToken' && form.get('grant_type') === 'client_credentials';
        if (!barred || !blocked.has(form.get('client_id') ?? '')) return undefined;
        return answerOf(400, { error: 'unauthorized_client' }, { 'cache-control': 'no-store', pragma: 'no-cache' });
      });
    },
  },
  {
    id: 'M-AD-36',
    bug: 'a client-credentials token ends when the clock goes on by more than 2^31 ms',
    rows: ['LIFE-013'],
    plant: (seam) =>
      found(seam, ({ grant, issuedAt }) =>
        grant.kind === 'client_credentials' && seam.service.authority.now() - issuedAt > 2 ** 31
          ? { expiresAt: issuedAt }
          : null,
      ),
  },
];
