import type { GameOperation } from '../../../../src/contract/index.js';
import type { Token } from '../../../../src/store/store.js';
import type { Mutant } from '../../mutant.js';
import type { Json, Seam } from '../../seam/seam.js';
import { answerOf } from '../../seam/seam.js';
import { clientOf, found, isUser, kept, mended, refusal, refreshesWith, subjectOf, uncached } from './planting.js';
import { isCaller } from './operation-scopes.js';
import { bearerOf } from './revocation.js';

const hour = 3_600_000;
const day = 24 * hour;

const typeOf = ({ grant }: Token, seam: Seam) => seam.service.authority.clients.get(grant.clientId)?.type;

const isPublic = (token: Token, seam: Seam): boolean => typeOf(token, seam) === 'public';

/** Ends of tokens that are forgotten, some time after. */
const forgetting =
  (how: 'used' | 'revoked', after: number, kind: Token['kind']): Mutant['plant'] =>
  (seam) => {
    const ended = new Map<string, number>();
    const now = () => seam.service.authority.now();
    seam.store((store, acted) => ({
      endToken(text, why) {
        if (why === how && !ended.has(text)) ended.set(text, now());
        store.endToken(text, why);
      },
      findToken(text) {
        const token = store.findToken(text);
        if (token?.kind !== kind || token.ended !== how || now() < (ended.get(text) ?? Infinity) + after) return token;
        acted();
        return { ...token, ended: null };
      },
    }));
  };

/** Ended tokens of the caller that are taken for live ones on some requests. */
const living = (which: (token: Token, operation: string, seam: Seam) => boolean): Mutant['plant'] => {
  return (seam) =>
    found(seam, (token) => {
      const operation = seam.current?.operation;
      if (operation === undefined || !isCaller(seam, token) || !which(token, operation, seam)) return null;
      if (!token.ended && (token.expiresAt === null || seam.service.authority.now() < token.expiresAt)) return null;
      return { ended: null, expiresAt: null };
    });
};

const expired = ({ ended }: Token): boolean => ended === null;

/** Lives of tokens, in ms from their issue. */
const life = (which: (token: Token, seam: Seam) => boolean, length: (token: Token) => number): Mutant['plant'] => {
  return (seam) => kept(seam, (token) => (which(token, seam) ? { expiresAt: length(token) } : null));
};

const isRefreshed = ({ issuedAt, grant }: Token): boolean => issuedAt > grant.grantedAt + 60_000;

/** What the applications page ends, with some tokens left alive. */
const sparing =
  (spares: (token: Token, seam: Seam) => boolean, by: 'user' | 'application' = 'user'): Mutant['plant'] =>
  (seam) =>
    seam.store((store, acted) => ({
      endToken(text, how) {
        const token = store.findToken(text);
        const order = seam.current?.path === '/__control/revocations' ? (seam.current.json as Json) : undefined;
        if (token && order?.by === by && spares(token, seam)) acted();
        else store.endToken(text, how);
      },
    }));

/** Ends more than was asked for, when the applications page is used. */
const excessive =
  (which: (token: Token, order: Json) => boolean, by: 'user' | 'application'): Mutant['plant'] =>
  (seam) =>
    seam.request(({ path, json }) => {
      const order = json as Json | undefined;
      if (path !== '/__control/revocations' || order?.by !== by) return;
      const { store } = seam.service.authority;
      for (const token of [...store.tokens()]) {
        if (!which(token, order)) continue;
        seam.acted();
        store.endToken(token.text, 'revoked');
      }
    });

const only =
  (...names: readonly GameOperation[]) =>
  (operation: string): boolean =>
    (names as readonly string[]).includes(operation);

export const endedTokens: readonly Mutant[] = [
  {
    id: 'N-LIFE-010-revoked',
    bug: 'a revoked access token works again after an hour',
    rows: ['LIFE-010'],
    plant: forgetting('revoked', hour, 'access'),
  },
  {
    id: 'N-LIFE-010-revoked-refresh',
    bug: 'a revoked refresh token works again after a day',
    rows: ['LIFE-010'],
    plant: forgetting('revoked', day, 'refresh'),
  },
  {
    id: 'N-LIFE-010-used',
    bug: 'a used refresh token works again after an hour',
    rows: ['LIFE-010'],
    plant: forgetting('used', hour, 'refresh'),
  },
  {
    id: 'N-BEAR-004-one',
    bug: 'expired tokens work on characters',
    rows: ['BEAR-004'],
    plant: living((token, operation) => expired(token) && only('getCharacter')(operation)),
  },
  {
    id: 'N-BEAR-004-realm',
    bug: 'expired tokens work in realm sony',
    rows: ['BEAR-004'],
    plant: living((token, _, seam) => expired(token) && (seam.current?.path.includes('/sony') ?? false)),
  },
  {
    id: 'N-BEAR-004-write',
    bug: 'expired tokens may update filters',
    rows: ['BEAR-004'],
    plant: living((token, operation) => expired(token) && only('updateItemFilter')(operation)),
  },
  {
    id: 'N-BEAR-005-one',
    bug: 'revoked tokens work on league accounts',
    rows: ['BEAR-005'],
    plant: living(({ ended }, operation) => ended === 'revoked' && only('getLeagueAccount')(operation)),
  },
  {
    id: 'N-BEAR-005-service',
    bug: 'revoked tokens work on the exchange',
    rows: ['BEAR-005'],
    plant: living(({ ended }, operation) => ended === 'revoked' && only('getCurrencyExchange')(operation)),
  },
  {
    id: 'N-BEAR-005-write',
    bug: 'revoked tokens may create filters',
    rows: ['BEAR-005'],
    plant: living(({ ended }, operation) => ended === 'revoked' && only('createItemFilter')(operation)),
  },
  {
    id: 'N-BEAR-010-refresh',
    bug: 'a refresh token is a bearer token',
    rows: ['BEAR-010'],
    plant: (seam) =>
      found(seam, (token) => (token.kind === 'refresh' && isCaller(seam, token) ? { kind: 'access' } : null)),
  },
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
          for (const other of [...store.tokens()]) {
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
  {
    id: 'N-LIFE-005-refreshed',
    bug: 'the applications page leaves refreshed access tokens alive',
    rows: ['LIFE-005'],
    plant: sparing(
      (token, seam) =>
        isUser(token) &&
        [...seam.service.authority.store.tokens()].some(
          ({ kind, ended, grant }) => kind === 'refresh' && ended === 'used' && grant.id === token.grant.id,
        ),
    ),
  },
  {
    id: 'N-LIFE-005-public',
    bug: 'the applications page leaves tokens of public clients alive',
    rows: ['LIFE-005'],
    plant: sparing((token, seam) => isPublic(token, seam)),
  },
  {
    id: 'N-LIFE-006',
    bug: 'the applications page leaves refresh tokens alive',
    rows: ['LIFE-006'],
    plant: sparing(({ kind }) => kind === 'refresh'),
  },
  {
    id: 'N-LIFE-006-public',
    bug: 'the applications page leaves refresh tokens of public clients alive',
    rows: ['LIFE-006'],
    plant: sparing((token, seam) => token.kind === 'refresh' && isPublic(token, seam)),
  },
  {
    id: 'N-LIFE-005-newest',
    bug: "the applications page ends a user's newest grant only",
    rows: ['LIFE-005'],
    plant: sparing((token, seam) =>
      [...seam.service.authority.store.tokens()].some(
        ({ grant, ended }) =>
          !ended &&
          grant.clientId === token.grant.clientId &&
          grant.account === token.grant.account &&
          grant.id !== token.grant.id &&
          grant.grantedAt >= token.grant.grantedAt,
      ),
    ),
  },
  {
    id: 'N-TOK-CC-012-newest',
    bug: "the settings page ends a client's newest token only",
    rows: ['TOK-CC-012'],
    plant: sparing(
      (token, seam) =>
        [...seam.service.authority.store.tokens()].findLast(
          ({ grant, kind }) =>
            kind === 'access' && grant.clientId === token.grant.clientId && grant.kind === 'client_credentials',
        )?.text !== token.text,
      'application',
    ),
  },
  {
    id: 'N-LIFE-011-clients',
    bug: "the applications page ends the user's tokens for all clients",
    rows: ['LIFE-011'],
    plant: excessive(
      ({ grant }, { account }) => grant.account === account && grant.kind === 'authorization_code',
      'user',
    ),
  },
  {
    id: 'N-LIFE-011-users',
    bug: "the applications page ends the client's tokens of all users",
    rows: ['LIFE-011'],
    plant: excessive(({ grant }, { client_id }) => grant.clientId === client_id, 'user'),
  },
  {
    id: 'N-REV-001',
    bug: 'any bearer token may revoke',
    rows: ['REV-001'],
    plant: (seam) =>
      seam.form('revokeToken', (form, { headers }) => {
        const bearer = seam.service.authority.store.findToken(bearerOf(headers));
        const token = subjectOf(form, seam);
        if (!bearer || bearer.ended || bearer.scopes.includes('oauth:revoke') || !token) return undefined;
        seam.service.authority.store.endToken(token.text, 'revoked');
        return answerOf(200, {}, uncached);
      }),
  },
  {
    id: 'N-REV-001-effect',
    bug: 'a revocation without the scope is refused, and carried out',
    rows: ['REV-001'],
    plant: (seam) =>
      seam.oauth('revokeToken', (_, reply, { form }) => {
        const token = subjectOf(form, seam);
        if (reply.status !== 403 || !token) return;
        seam.acted();
        seam.service.authority.store.endToken(token.text, 'revoked');
      }),
  },
  {
    id: 'N-REV-002-effect',
    bug: 'a revocation without a credential is refused, and carried out',
    rows: ['REV-002'],
    plant: (seam) =>
      seam.oauth('revokeToken', (_, reply, { form }) => {
        const token = subjectOf(form, seam);
        if (reply.status !== 401 || !token) return;
        seam.acted();
        seam.service.authority.store.endToken(token.text, 'revoked');
      }),
  },
  {
    id: 'N-REV-003-refreshed',
    bug: 'revoking a refreshed access token has no effect',
    rows: ['REV-003'],
    plant: (seam) =>
      seam.form('revokeToken', (form) => {
        const token = subjectOf(form, seam);
        const rotated = [...seam.service.authority.store.tokens()].some(
          ({ kind, ended, grant }) => kind === 'refresh' && ended === 'used' && grant.id === token?.grant.id,
        );
        return token?.kind === 'access' && rotated ? answerOf(200, {}, uncached) : undefined;
      }),
  },
  {
    id: 'N-REV-004-rotated',
    bug: 'revoking a rotated refresh token has no effect',
    rows: ['REV-004'],
    plant: (seam) =>
      seam.form('revokeToken', (form) => {
        const token = subjectOf(form, seam);
        const rotated = [...seam.service.authority.store.tokens()].some(
          ({ kind, ended, grant }) => kind === 'refresh' && ended === 'used' && grant.id === token?.grant.id,
        );
        return token?.kind === 'refresh' && rotated ? answerOf(200, {}, uncached) : undefined;
      }),
  },
  {
    id: 'N-REV-008-status',
    bug: 'an unrecognised hint makes the token unknown',
    rows: ['REV-008'],
    plant: (seam) =>
      seam.form('revokeToken', (form) => {
        const hint = form.get('token_type_hint');
        return hint && !['access_token', 'refresh_token'].includes(hint) ? answerOf(200, {}, uncached) : undefined;
      }),
  },
  {
    id: 'N-REV-017',
    bug: 'client-credentials tokens cannot be revoked at the endpoint',
    rows: ['REV-017'],
    plant: (seam) =>
      seam.form('revokeToken', (form) =>
        subjectOf(form, seam)?.grant.kind === 'client_credentials' ? answerOf(200, {}, uncached) : undefined,
      ),
  },
];
