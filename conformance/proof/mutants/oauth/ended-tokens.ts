import type { GameOperation } from '../../../../src/contract/index.js';
import type { Token } from '../../../../src/store/store.js';
import type { OldMutant as Mutant } from '../../mutant.js';
import type { Json, Interceptor } from '../../interceptor/interceptor.js';
import { answerOf } from '../../interceptor/interceptor.js';
import { bearerOf } from '../../interceptor/who.js';
import { found, isUser, subjectOf, uncached } from './planting.js';
import { isCaller } from './operation-scopes.js';

const hour = 3_600_000;
const day = 24 * hour;

const typeOf = ({ grant }: Token, seam: Interceptor) => seam.service.authority.clients.get(grant.clientId)?.type;

const isPublic = (token: Token, seam: Interceptor): boolean => typeOf(token, seam) === 'public';

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
const living = (which: (token: Token, operation: string, seam: Interceptor) => boolean): Mutant['plant'] => {
  return (seam) =>
    found(seam, (token) => {
      const operation = seam.current?.operation;
      if (operation === undefined || !isCaller(seam, token) || !which(token, operation, seam)) return null;
      if (!token.ended && (token.expiresAt === null || seam.service.authority.now() < token.expiresAt)) return null;
      return { ended: null, expiresAt: null };
    });
};

const expired = ({ ended }: Token): boolean => ended === null;

/** What the applications page ends, with some tokens left alive. */
const sparing =
  (spares: (token: Token, seam: Interceptor) => boolean, by: 'user' | 'application' = 'user'): Mutant['plant'] =>
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
      for (const token of store.tokens()) {
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
