import { lifetimes } from '../../../../src/contract/index.js';
import type { Token } from '../../../../src/store/store.js';
import type { OldMutant as Mutant } from '../../mutant.js';
import { answerOf } from '../../interceptor/interceptor.js';
import { uncached, mended, kept, found, refreshesWith } from './planting.js';

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
    id: 'M-RL-19',
    bug: 'an access token is accepted as refresh_token',
    rows: ['TOK-REFRESH-018'],
    plant: (seam) =>
      found(seam, (token) => (token.kind === 'access' && refreshesWith(seam, token) ? { kind: 'refresh' } : null)),
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
    id: 'N-TOK-REFRESH-004',
    bug: 'a used refresh token works for another minute',
    rows: ['TOK-REFRESH-004', 'TOK-REFRESH-021'],
    plant(seam) {
      const used = new Map<string, number>();
      seam.store((store, acted) => ({
        endToken(text, how) {
          if (how === 'used') used.set(text, seam.service.authority.now() + 60_000);
          store.endToken(text, how);
        },
        findToken(text) {
          const token = store.findToken(text);
          if (token?.ended !== 'used' || seam.service.authority.now() >= (used.get(text) ?? 0)) return token;
          acted();
          return { ...token, ended: null };
        },
      }));
    },
  },
  {
    id: 'N-TOK-REFRESH-013',
    bug: 'a refresh without scope gives account:profile only',
    rows: ['TOK-REFRESH-013'],
    plant: mended((form) => {
      if (form.get('grant_type') === 'refresh_token' && !form.get('scope')) form.set('scope', 'account:profile');
    }),
  },
  {
    id: 'N-TOK-REFRESH-017',
    bug: 'an unknown refresh token is invalid_request',
    rows: ['TOK-REFRESH-017'],
    plant: (seam) =>
      seam.oauth('issueToken', (body, _, { form }) => {
        const text = form.get('refresh_token');
        if (body.error === 'invalid_grant' && text && !seam.service.authority.store.findToken(text))
          body.error = 'invalid_request';
      }),
  },
  {
    id: 'N-TOK-REFRESH-024',
    bug: 'a refresh needs an access token that is alive',
    rows: ['TOK-REFRESH-024'],
    plant: (seam) =>
      seam.form('issueToken', (form) => {
        const { store, now } = seam.service.authority;
        const token = store.findToken(form.get('refresh_token') ?? '');
        if (!token || token.ended) return undefined;
        const alive = store
          .tokensOf(token.grant.id)
          .some(({ kind, expiresAt }) => kind === 'access' && now() < (expiresAt ?? Infinity));
        return alive ? undefined : answerOf(400, { error: 'invalid_grant' }, uncached);
      }),
  },
  {
    id: 'N-TOK-REFRESH-020',
    bug: 'a refreshed access token ends with the first one',
    rows: ['TOK-REFRESH-020'],
    plant: (seam) =>
      seam.store((store, acted) => ({
        addToken(token) {
          const { kind, grant, issuedAt, expiresAt } = token;
          if (kind === 'access' && expiresAt !== null && issuedAt > grant.grantedAt + 60_000) {
            acted();
            store.addToken({ ...token, expiresAt: grant.grantedAt + (expiresAt - issuedAt) });
          } else store.addToken(token);
        },
      })),
  },
];
