import type { Token } from '../../../../src/store/store.js';
import type { OldMutant as Mutant } from '../../mutant.js';
import type { Interceptor } from '../../interceptor/interceptor.js';
import { bearerOf } from '../../interceptor/who.js';
import { clientOf, found, isUser, kept, mended, refusal, refreshesWith, subjectOf } from './planting.js';
import { isCaller } from './operation-scopes.js';

const hour = 3_600_000;
const day = 24 * hour;

const typeOf = ({ grant }: Token, seam: Interceptor) => seam.service.authority.clients.get(grant.clientId)?.type;

const isPublic = (token: Token, seam: Interceptor): boolean => typeOf(token, seam) === 'public';

/** Lives of tokens, in ms from their issue. */
const life = (
  which: (token: Token, seam: Interceptor) => boolean,
  length: (token: Token) => number,
): Mutant['plant'] => {
  return (seam) => kept(seam, (token) => (which(token, seam) ? { expiresAt: length(token) } : null));
};

const isRefreshed = ({ issuedAt, grant }: Token): boolean => issuedAt > grant.grantedAt + 60_000;

export const refreshLives: readonly Mutant[] = [
  {
    id: 'N-LIFE-001-27',
    bug: 'an access token lives for 27 days',
    rows: ['LIFE-001'],
    plant: life(
      (token, seam) => isUser(token) && !isPublic(token, seam),
      ({ issuedAt }) => issuedAt + 27 * day,
    ),
  },
  {
    id: 'N-LIFE-003-9',
    bug: "a public client's access token lives for 9 hours",
    rows: ['LIFE-003'],
    plant: life(
      (token, seam) => isUser(token) && isPublic(token, seam),
      ({ issuedAt }) => issuedAt + 9 * hour,
    ),
  },
  {
    id: 'N-LIFE-003-11',
    bug: "a public client's access token lives for 11 hours",
    rows: ['LIFE-003'],
    plant: life(
      (token, seam) => isUser(token) && isPublic(token, seam),
      ({ issuedAt }) => issuedAt + 11 * hour,
    ),
  },
  {
    id: 'N-LIFE-003-refreshed',
    bug: "a public client's refreshed access token lives for a day",
    rows: ['TOK-REFRESH-020'],
    plant: life(
      (token, seam) => isUser(token) && isPublic(token, seam) && isRefreshed(token),
      ({ issuedAt }) => issuedAt + day,
    ),
  },
  {
    id: 'N-LIFE-002-refreshed',
    bug: 'a refreshed access token lives for 60 days',
    rows: ['TOK-REFRESH-020'],
    plant: life(
      (token, seam) => isUser(token) && !isPublic(token, seam) && isRefreshed(token),
      ({ issuedAt }) => issuedAt + 60 * day,
    ),
  },
  {
    id: 'N-TOK-REFRESH-007-89',
    bug: 'a refresh token lives for 89 days',
    rows: ['TOK-REFRESH-007'],
    plant: life(
      (token, seam) => token.kind === 'refresh' && !isPublic(token, seam),
      ({ grant }) => grant.grantedAt + 89 * day,
    ),
  },
  {
    id: 'N-TOK-REFRESH-007-91',
    bug: 'a refresh token lives for 91 days',
    rows: ['TOK-REFRESH-007'],
    plant: life(
      (token, seam) => token.kind === 'refresh' && !isPublic(token, seam),
      ({ grant }) => grant.grantedAt + 91 * day,
    ),
  },
  {
    id: 'N-TOK-REFRESH-008-6',
    bug: 'a public refresh token lives for 6 days',
    rows: ['TOK-REFRESH-008'],
    plant: life(
      (token, seam) => token.kind === 'refresh' && isPublic(token, seam),
      ({ grant }) => grant.grantedAt + 6 * day,
    ),
  },
  {
    id: 'N-TOK-REFRESH-005-public',
    bug: 'a refresh starts the 7 days of a public client anew',
    rows: ['TOK-REFRESH-005'],
    plant: life(
      (token, seam) => token.kind === 'refresh' && isPublic(token, seam),
      ({ issuedAt }) => issuedAt + 7 * day,
    ),
  },
  {
    id: 'N-TOK-REFRESH-005-second',
    bug: 'from the second refresh on the 90 days start anew',
    rows: ['TOK-REFRESH-005'],
    plant(seam) {
      const turns = new Map<string, number>();
      kept(seam, (token) => {
        if (token.kind !== 'refresh' || isPublic(token, seam)) return null;
        const turn = (turns.get(token.grant.id) ?? -1) + 1;
        turns.set(token.grant.id, turn);
        return turn < 2 ? null : { expiresAt: token.issuedAt + 90 * day };
      });
    },
  },
  {
    id: 'N-TOK-REFRESH-009',
    bug: 'an expired refresh token is invalid_request',
    rows: ['TOK-REFRESH-009'],
    plant: (seam) =>
      seam.oauth('issueToken', (body, _, { form }) => {
        const token = seam.service.authority.store.findToken(form.get('refresh_token') ?? '');
        if (token?.expiresAt && seam.service.authority.now() >= token.expiresAt && body.error)
          body.error = 'invalid_request';
      }),
  },
  {
    id: 'N-TOK-REFRESH-014',
    bug: 'scope in a refresh takes the place of what was granted',
    rows: ['TOK-REFRESH-014'],
    plant: (seam) =>
      found(seam, (token) => {
        const wanted = seam.current?.form.get('scope')?.split(' ') ?? [];
        if (!refreshesWith(seam, token) || wanted.every((scope) => (token.scopes as readonly string[]).includes(scope)))
          return null;
        const own = clientOf(seam.current!.form, seam)?.scopes ?? [];
        const scopes = own.filter((scope) => wanted.includes(scope));
        return { scopes, grant: { ...token.grant, scopes } };
      }),
  },
  {
    id: 'N-TOK-REFRESH-016',
    bug: "a refresh without refresh_token takes the client's last one",
    rows: ['TOK-REFRESH-016'],
    plant: mended((form, { service }) => {
      if (form.get('grant_type') !== 'refresh_token' || form.get('refresh_token')) return;
      const last = [...service.authority.store.tokens()]
        .filter(({ kind, ended, grant }) => kind === 'refresh' && !ended && grant.clientId === form.get('client_id'))
        .at(-1);
      if (last) form.set('refresh_token', last.text);
    }),
  },
  {
    id: 'N-TOK-REFRESH-027',
    bug: 'a refreshed access token is refused by the data API',
    rows: ['TOK-REFRESH-027'],
    plant: (seam) =>
      found(seam, (token) => {
        const rotated = [...seam.service.authority.store.tokens()].some(
          ({ kind, ended, grant }) => kind === 'refresh' && ended === 'used' && grant.id === token.grant.id,
        );
        return isCaller(seam, token) && rotated ? { ended: 'revoked' } : null;
      }),
  },
  {
    id: 'N-TOK-REFRESH-021-five',
    bug: 'the fifth refresh of a chain is refused',
    rows: ['TOK-REFRESH-021'],
    plant: (seam) =>
      seam.form('issueToken', (form) => {
        const token = seam.service.authority.store.findToken(form.get('refresh_token') ?? '');
        const used = [...seam.service.authority.store.tokens()].filter(
          ({ kind, ended, grant }) => kind === 'refresh' && ended === 'used' && grant.id === token?.grant.id,
        );
        return used.length >= 4 && !token?.ended ? refusal('invalid_grant') : undefined;
      }),
  },
  {
    id: 'N-TOK-REFRESH-004-next',
    bug: 'a used refresh token is good until the one that replaced it is used',
    rows: ['TOK-REFRESH-004', 'TOK-REFRESH-019'],
    plant: (seam) =>
      found(seam, (token) => {
        if (token.ended !== 'used' || !refreshesWith(seam, token)) return null;
        const later = [...seam.service.authority.store.tokens()].filter(
          ({ kind, ended, grant }) => kind === 'refresh' && ended === 'used' && grant.id === token.grant.id,
        );
        return later.at(-1)?.text === token.text ? { ended: null } : null;
      }),
  },
  {
    id: 'N-LIFE-014-refresh',
    bug: "a new grant ends the refresh tokens of the user's earlier ones",
    rows: ['LIFE-014'],
    plant: (seam) =>
      seam.store((store, acted) => ({
        addToken(token) {
          for (const other of store.tokens()) {
            const same = other.grant.clientId === token.grant.clientId && other.grant.account === token.grant.account;
            if (
              token.kind !== 'refresh' ||
              other.kind !== 'refresh' ||
              !same ||
              other.grant.id === token.grant.id ||
              other.ended
            )
              continue;
            acted();
            store.endToken(other.text, 'revoked');
          }
          store.addToken(token);
        },
      })),
  },
  {
    id: 'N-LIFE-012',
    bug: "introspection starts a refresh token's life anew",
    rows: ['LIFE-012'],
    plant: (seam) => {
      const ends = new Map<string, number>();
      seam.form('introspectToken', (form) => {
        const token = subjectOf(form, seam);
        if (token?.kind === 'refresh' && token.expiresAt)
          ends.set(token.text, seam.service.authority.now() + (token.expiresAt - token.issuedAt));
      });
      found(seam, ({ text }) => (ends.has(text) ? { expiresAt: ends.get(text)! } : null));
    },
  },
  {
    id: 'N-LIFE-012-use',
    bug: "use of the access token starts the refresh token's life anew",
    rows: ['LIFE-012'],
    plant: (seam) => {
      const used = new Map<string, number>();
      seam.request(({ headers, operation }) => {
        const token = seam.service.authority.store.findToken(bearerOf(headers));
        if (token && operation !== 'issueToken') used.set(token.grant.id, seam.service.authority.now());
      });
      found(seam, ({ kind, grant, expiresAt }) => {
        const at = used.get(grant.id);
        return kind === 'refresh' && at !== undefined && expiresAt !== null
          ? { expiresAt: at + (expiresAt - grant.grantedAt) }
          : null;
      });
    },
  },
  {
    id: 'N-LIFE-015',
    bug: 'where there are no refresh tokens an access token never expires',
    rows: ['LIFE-015'],
    plant: (seam) =>
      kept(seam, (token) =>
        isUser(token) && seam.service.authority.clients.get(token.grant.clientId)?.refresh === false
          ? { expiresAt: null }
          : null,
      ),
  },
];
