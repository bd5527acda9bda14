import type { Token } from '../../../../src/store/store.js';
import type { OldMutant as Mutant } from '../../mutant.js';
import type { Json, Interceptor } from '../../interceptor/interceptor.js';
import { answerOf } from '../../interceptor/interceptor.js';
import { refusal, subjectOf, uncached } from './planting.js';

/** Changes what is said of live tokens. */
const said = (change: (body: Json, token: Token, seam: Interceptor) => void): Mutant['plant'] => {
  return (seam) =>
    seam.oauth('introspectToken', (body, _, { form }) => {
      const token = subjectOf(form, seam);
      if (body.active === true && token) change(body, token, seam);
    });
};

/** Some live tokens are said to be none. */
const hidden =
  (which: (token: Token, form: URLSearchParams, seam: Interceptor) => boolean): Mutant['plant'] =>
  (seam) =>
    seam.form('introspectToken', (form) => {
      const token = subjectOf(form, seam);
      return token && which(token, form, seam) ? answerOf(200, { active: false }, uncached) : undefined;
    });

const typeOf = ({ grant }: Token, { service }: Interceptor) => service.authority.clients.get(grant.clientId)?.type;

/** Some tokens that have ended are said to be live. */
const shown =
  (which: (token: Token, seam: Interceptor) => boolean): Mutant['plant'] =>
  (seam) =>
    seam.oauth('introspectToken', (body, _, { form }) => {
      const token = subjectOf(form, seam);
      if (body.active === false && token && which(token, seam)) body.active = true;
    });

export const introspected: readonly Mutant[] = [
  {
    id: 'N-INTRO-005-public',
    bug: 'expired tokens of public clients are said to be active',
    rows: ['INTRO-005'],
    plant: shown((token, seam) => token.kind === 'access' && !token.ended && typeOf(token, seam) === 'public'),
  },
  {
    id: 'N-INTRO-005-refresh',
    bug: 'expired refresh tokens are said to be active',
    rows: ['INTRO-005'],
    plant: shown((token) => token.kind === 'refresh' && !token.ended),
  },
  {
    id: 'N-INTRO-006-refresh',
    bug: 'revoked refresh tokens are said to be active',
    rows: ['INTRO-006'],
    plant: shown((token) => token.kind === 'refresh' && token.ended === 'revoked'),
  },
  {
    id: 'N-INTRO-006-service',
    bug: 'revoked client-credentials tokens are said to be active',
    rows: ['INTRO-006'],
    plant: shown(({ grant, ended }) => grant.kind === 'client_credentials' && ended === 'revoked'),
  },
  {
    id: 'N-INTRO-018',
    bug: 'used refresh tokens are said to be active',
    rows: ['INTRO-018'],
    plant: shown(({ ended }) => ended === 'used'),
  },
  {
    id: 'N-INTRO-015-access',
    bug: 'an access token is not found when the hint says refresh_token',
    rows: ['INTRO-015'],
    plant: hidden(({ kind }, form) => kind === 'access' && form.get('token_type_hint') === 'refresh_token'),
  },
  {
    id: 'N-INTRO-008-client',
    bug: 'scope is what the client may have',
    rows: ['INTRO-008'],
    plant: said(
      (body, { grant }, { service }) =>
        void (body.scope = service.authority.clients.get(grant.clientId)?.scopes.join(' ')),
    ),
  },
  {
    id: 'N-INTRO-008-first',
    bug: 'scope is the first of the granted ones',
    rows: ['INTRO-008'],
    plant: said((body, { scopes }) => void (body.scope = scopes[0])),
  },
  {
    id: 'N-INTRO-009',
    bug: 'client_id is the client that asks',
    rows: ['INTRO-009'],
    plant: said((body) => void (body.client_id = 'example-operations')),
  },
  {
    id: 'N-INTRO-010-sub',
    bug: 'sub is the client',
    rows: ['INTRO-010'],
    plant: said((body, { grant }) => void (body.sub = grant.clientId)),
  },
  {
    id: 'N-INTRO-010-username',
    bug: 'username is the UUID',
    rows: ['INTRO-010'],
    plant: said((body) => void (body.username = body.sub ?? '00000000-0000-4000-8000-000000000000')),
  },
  {
    id: 'N-INTRO-011-ms',
    bug: 'exp is in milliseconds',
    rows: ['INTRO-011'],
    plant: said((body, { expiresAt }) => void (expiresAt && (body.exp = expiresAt))),
  },
  {
    id: 'N-INTRO-011-life',
    bug: 'exp is the life in seconds',
    rows: ['INTRO-011'],
    plant: said((body, { expiresAt, issuedAt }) => void (expiresAt && (body.exp = (expiresAt - issuedAt) / 1000))),
  },
  {
    id: 'N-INTRO-011-text',
    bug: 'exp is a date',
    rows: ['INTRO-011'],
    plant: said((body, { expiresAt }) => void (expiresAt && (body.exp = new Date(expiresAt).toISOString()))),
  },
  {
    id: 'N-INTRO-013',
    bug: 'iat is in milliseconds',
    rows: ['INTRO-013'],
    beside: ['INTRO-003'],
    plant: said((body, { issuedAt }) => void (body.iat = issuedAt)),
  },
  {
    id: 'N-INTRO-007',
    bug: 'what is known of an inactive token is told',
    rows: ['INTRO-007'],
    beside: ['INTRO-006'],
    noticed: 'warn',
    plant: (seam) =>
      seam.oauth('introspectToken', (body, _, { form }) => {
        const token = subjectOf(form, seam);
        if (body.active === false && token) body.client_id = token.grant.clientId;
      }),
  },
  {
    id: 'N-INTRO-001-active',
    bug: 'a refusal for want of scope says whether the token is active',
    rows: ['INTRO-001'],
    plant: (seam) =>
      seam.oauth(
        'introspectToken',
        (body, { status }, { form }) => void (status === 403 && (body.active = subjectOf(form, seam) !== undefined)),
      ),
  },
  {
    id: 'N-INTRO-001-own',
    bug: 'every token may ask about itself',
    rows: ['INTRO-001'],
    plant: (seam) =>
      seam.form('introspectToken', (form, { headers }) => {
        const text = form.get('token');
        return text && headers.authorization === `Bearer ${text}` && subjectOf(form, seam)
          ? answerOf(200, { active: true }, uncached)
          : undefined;
      }),
  },
  {
    id: 'N-INTRO-004-hex',
    bug: 'a text that no token looks like is an error',
    rows: ['INTRO-004'],
    plant: (seam) =>
      seam.form('introspectToken', (form) =>
        /[^0-9a-f]/.test(form.get('token') ?? '') ? refusal('invalid_request') : undefined,
      ),
  },
  {
    id: 'N-REV-005-hex',
    bug: 'revoking a text that no token looks like is an error',
    rows: ['REV-005'],
    plant: (seam) =>
      seam.form('revokeToken', (form) =>
        /[^0-9a-f]/.test(form.get('token') ?? '') ? refusal('invalid_request') : undefined,
      ),
  },
  {
    id: 'N-INTRO-019-refresh',
    bug: 'introspection of a refresh token uses it up',
    rows: ['INTRO-019'],
    plant: (seam) =>
      seam.oauth('introspectToken', (_, { status }, { form }) => {
        const token = subjectOf(form, seam);
        if (status !== 200 || token?.kind !== 'refresh') return;
        seam.acted();
        seam.service.authority.store.endToken(token.text, 'used');
      }),
  },
  {
    id: 'N-LIFE-009',
    bug: 'a refresh after the revocation of a sibling access token brings that one back',
    rows: ['LIFE-009'],
    plant(seam) {
      const back = new Set<string>();
      seam.oauth('issueToken', (_, reply, { form }) => {
        const used = seam.service.authority.store.findToken(form.get('refresh_token') ?? '');
        if (reply.status === 200 && used) back.add(used.grant.id);
      });
      seam.store((store, acted) => ({
        findToken(text) {
          const token = store.findToken(text);
          if (token?.kind !== 'access' || token.ended !== 'revoked' || !back.has(token.grant.id)) return token;
          acted();
          return { ...token, ended: null };
        },
      }));
    },
  },
];
