import type { Token } from '../../../../src/store/store.js';
import type { Interceptor } from '../../interceptor/interceptor.js';
import { mutants, operator } from '../../mutant.js';
import { answerForm, clientOf, formReply, isPublic, refreshTokenOf, refuseForm } from '../../operators/oauth.js';
import { subjectOf } from '../../operators/oauth.js';
import { foundToken, usedRefreshTokens } from '../../operators/tokens.js';

/** What is said of live tokens: a member with another value; undefined leaves it. */
const say = operator('say', (at, name: string, value: (token: Token, at: Interceptor, sub: unknown) => unknown) =>
  formReply('introspectToken', (body, _, { form }) => {
    const token = subjectOf(form, at);
    if (body.active === true && token) body[name] = value(token, at, body.sub) ?? body[name];
  }),
);

/** Tokens that have ended, and are said to be active. */
const revive = operator('revive', (at, which: (token: Token, at: Interceptor) => boolean) =>
  formReply('introspectToken', (body, _, { form }) => {
    const token = subjectOf(form, at);
    if (body.active === false && token && which(token, at)) body.active = true;
  }),
);

const bringBack = operator('bringBack', (at) => {
  const back = new Set<string>();
  formReply('issueToken', (_, { status }, { form }) => {
    const used = refreshTokenOf(form, at);
    if (status === 200 && used) back.add(used.grant.id);
  }).apply(at);
  return foundToken(({ kind, ended, grant }) =>
    kind === 'access' && ended === 'revoked' && back.has(grant.id) ? { ended: null } : null,
  );
});

/** Whether the text is none that a token of the mock has. */
const isStrange = (form: URLSearchParams): boolean => /[^0-9a-f]/.test(form.get('token') ?? '');

const nobody = '00000000-0000-4000-8000-000000000000';

export const introspected = mutants({
  'INTRO-001 active: a refusal for want of scope says whether the token is active': () =>
    formReply('introspectToken', (body, { status }, { form }, at) => {
      if (status === 403) body.active = subjectOf(form, at) !== undefined;
    }),
  'INTRO-001 own: every token may ask about itself': () =>
    answerForm(
      'introspectToken',
      (form, at, { headers }) => headers.authorization === `Bearer ${subjectOf(form, at)?.text}`,
      { active: true },
    ),
  'INTRO-003 type: what is known of a token is text/html': () =>
    formReply('introspectToken', (_, { status, headers }) => {
      if (status === 200) headers['content-type'] = 'text/html';
    }),
  'INTRO-003 refresh: active is a text for refresh tokens': () =>
    say('active', ({ kind }) => (kind === 'refresh' ? 'true' : undefined)).exercise('INTRO-018'),
  'INTRO-004 hex: a text that no token looks like is an error': () =>
    refuseForm('introspectToken', isStrange, 'invalid_request'),
  'INTRO-005 public: expired tokens of public clients are said to be active': () =>
    revive((token, at) => token.kind === 'access' && !token.ended && isPublic(token, at)),
  'INTRO-005 refresh: expired refresh tokens are said to be active': () =>
    revive(({ kind, ended }) => kind === 'refresh' && !ended),
  'INTRO-006 refresh: revoked refresh tokens are said to be active': () =>
    revive(({ kind, ended }) => kind === 'refresh' && ended === 'revoked'),
  'INTRO-006 service: revoked client-credentials tokens are said to be active': () =>
    revive(({ grant, ended }) => grant.kind === 'client_credentials' && ended === 'revoked'),
  'INTRO-007: what is known of an inactive token is told': () =>
    formReply('introspectToken', (body, _, { form }, at) => {
      if (body.active === false) body.client_id = subjectOf(form, at)?.grant.clientId;
    })
      .warns()
      .exercise('INTRO-006'),
  'INTRO-008 client: scope is what the client may have': () =>
    say('scope', (token, at) => clientOf(token, at)?.scopes.join(' ')),
  'INTRO-008 first: scope is the first of the granted ones': () => say('scope', ({ scopes }) => scopes[0]),
  'INTRO-008 refreshed: scope of a refreshed token is empty': () =>
    say('scope', (token, at) => (usedRefreshTokens(token, at).length > 0 ? '' : undefined)),
  'INTRO-008 less: scope of a token that was narrowed is that of its grant': () =>
    say('scope', ({ grant }) => grant.scopes.join(' ')).inCase('after a refresh for less'),
  'INTRO-009: client_id is the client that asks': () => say('client_id', () => 'example-operations'),
  'INTRO-010 sub: sub is the client': () => say('sub', ({ grant }) => grant.clientId),
  'INTRO-010 username: username is the UUID': () => say('username', (_, __, sub) => sub ?? nobody),
  'INTRO-010 first: username is that of the first user of the client': (first = new Map<string, unknown>()) =>
    formReply('introspectToken', (body, _, { form }, at) => {
      const client = subjectOf(form, at)?.grant.clientId;
      if (body.active !== true || client === undefined || typeof body.username !== 'string') return;
      if (!first.has(client)) first.set(client, body.username);
      body.username = first.get(client);
    }).inCase('of a second user'),
  'INTRO-011 ms: exp is in milliseconds': () => say('exp', ({ expiresAt }) => expiresAt),
  'INTRO-011 life: exp is the life in seconds': () =>
    say('exp', ({ expiresAt, issuedAt }) => expiresAt && (expiresAt - issuedAt) / 1000),
  'INTRO-011 text: exp is a date': () => say('exp', ({ expiresAt }) => expiresAt && new Date(expiresAt).toISOString()),
  'INTRO-011 chain: exp of a refresh token is that of the access token beside it': () =>
    say('exp', ({ kind, issuedAt }, { service }) =>
      kind === 'refresh' ? Math.ceil(issuedAt / 1000) + service.switches['tokens.accessLife.confidential'] : undefined,
    ).warns(),
  'INTRO-011 first: exp of a refreshed token is that of the first one': () =>
    say('exp', ({ kind, grant, issuedAt, expiresAt }) =>
      kind === 'access' && expiresAt !== null ? Math.ceil((grant.grantedAt + expiresAt - issuedAt) / 1000) : undefined,
    ),
  'INTRO-011 slides: exp is a whole life after each introspection': () =>
    say('exp', ({ kind, issuedAt, expiresAt }, { service }) =>
      kind === 'access' && expiresAt !== null
        ? Math.ceil((service.clock.now() + expiresAt - issuedAt) / 1000)
        : undefined,
    ),
  'INTRO-013 text: iat is a date': () =>
    say('iat', ({ issuedAt }) => new Date(issuedAt).toISOString()).exercise('INTRO-003'),
  'INTRO-013 fraction: iat has a fraction': () =>
    say('iat', ({ issuedAt }) => issuedAt / 1000 + 0.5).exercise('INTRO-003'),
  'INTRO-013 epoch: iat is 0': () => say('iat', () => 0),
  'INTRO-013 service: iat of client-credentials tokens is 0': () =>
    say('iat', ({ grant }) => (grant.kind === 'client_credentials' ? 0 : undefined)),
  'INTRO-013 nbf: nbf is an hour away': () => say('nbf', (_, { service }) => service.clock.now() / 1000 + 3600),
  'INTRO-013: iat is in milliseconds': () => say('iat', ({ issuedAt }) => issuedAt).exercise('INTRO-003'),
  'INTRO-015 access: an access token is not found when the hint says refresh_token': () =>
    answerForm(
      'introspectToken',
      (form, at) => form.get('token_type_hint') === 'refresh_token' && subjectOf(form, at)?.kind === 'access',
      { active: false },
    ),
  'INTRO-015 unknown: with a hint that is unknown no token is found': () =>
    answerForm(
      'introspectToken',
      (form) => {
        const hint = form.get('token_type_hint');
        return hint && !['access_token', 'refresh_token'].includes(hint);
      },
      { active: false },
    ),
  'INTRO-021: token_type is the kind of the token': () => say('token_type', ({ kind }) => `${kind}_token`),
  'INTRO-018: used refresh tokens are said to be active': () => revive(({ ended }) => ended === 'used'),
  'INTRO-019 refresh: introspection of a refresh token uses it up': () =>
    formReply('introspectToken', (_, { status }, { form }, at) => {
      const token = subjectOf(form, at);
      if (status !== 200 || token?.kind !== 'refresh') return;
      at.acted();
      at.service.authority.store.endToken(token.text, 'used');
    }),
  'REV-005 hex: revoking a text that no token looks like is an error': () =>
    refuseForm('revokeToken', isStrange, 'invalid_request'),
  'LIFE-009: a refresh after the revocation of a sibling access token brings that one back': () => bringBack(),
});
