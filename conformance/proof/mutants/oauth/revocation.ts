import { answerOf } from '../../interceptor/interceptor.js';
import { bearerOf } from '../../interceptor/who.js';
import { intercept, mutants, operator, together } from '../../mutant.js';
import { acceptGet, form, formReply, formStatus } from '../../operators/oauth.js';
import { refuseForm, subjectOf, uncached } from '../../operators/oauth.js';
import { foundToken, neverEnd, revokedLate } from '../../operators/tokens.js';
import { header, rawReply } from '../../operators/replies.js';

/** Refusals of a form endpoint in the shape of the data API. */
const dataShaped = operator('dataShaped', (_, operation: 'revokeToken' | 'introspectToken') =>
  formReply(operation, (body, { status }) =>
    status >= 400 ? { error: { code: 8, message: String(body.error) } } : undefined,
  ),
);

export const revocation = mutants({
  'BEAR-016 M-RI-04: a revoked access token works for another minute, from a cache': () =>
    intercept((at) => {
      const until = new Map<string, number>();
      at.store((store) => ({
        endToken(text, how) {
          if (how === 'revoked' && !store.findToken(text)?.ended) until.set(text, at.service.authority.now() + 60_000);
          store.endToken(text, how);
        },
      }));
      foundToken(({ text, kind }) => {
        const inCache = at.service.authority.now() < (until.get(text) ?? 0);
        return kind === 'access' && inCache && at.current?.operation !== 'introspectToken' ? { ended: null } : null;
      }).apply(at);
    }),
  'REV-002: a revocation needs no credential': () =>
    form('revokeToken', (sent, at, { headers }) => {
      const text = sent.get('token');
      if (!text || headers.authorization !== undefined || sent.has('client_secret')) return undefined;
      at.service.authority.store.endToken(text, 'revoked');
      return answerOf(200, {}, uncached);
    }),
  'BEAR-004 revocation: revocation accepts a caller whose token has expired': () =>
    foundToken(({ text, expiresAt }, { current, service }) => {
      const isCaller = current?.operation === 'revokeToken' && bearerOf(current.headers) === text;
      return isCaller && service.authority.now() >= (expiresAt ?? Infinity) ? { expiresAt: null } : null;
    }),
  'REV-015 words: errors of revocation are named like their status': () =>
    formReply('revokeToken', (body, { status }) => (status >= 400 ? { ...body, error: 'Forbidden' } : undefined)),
  'REV-003: a revocation revokes nothing': () =>
    foundToken(({ ended }, { current }) =>
      ended === 'revoked' && current?.operation !== 'issueToken' ? { ended: null } : null,
    ).also('LIFE-008', 'BEAR-005'),
  'REV-003 late: a revocation takes effect a second later': () => revokedLate(1000).also('BEAR-005'),
  'REV-004 M-RI-11: a revoked refresh token can still be exchanged': () =>
    neverEnd((token, how) => how === 'revoked' && token?.kind === 'refresh'),
  'REV-005: an unknown token is an error': () =>
    formStatus('revokeToken', 200, 400, (sent, at) => !subjectOf(sent, at)),
  'REV-005 hint: an unknown token is an error where a hint says what it is': () =>
    formStatus('revokeToken', 200, 400, (sent, at) => !subjectOf(sent, at) && sent.has('token_type_hint')),
  'REV-006: revoking a token again is an error': () =>
    intercept((at) => {
      const seen = new Set<string>();
      formStatus('revokeToken', 200, 400, (sent) => {
        const text = sent.get('token') ?? '';
        return seen.has(text) || !seen.add(text);
      }).apply(at);
    }),
  'REV-007 M-RI-07: with a wrong token_type_hint nothing is revoked': () =>
    form('revokeToken', (sent, at) => {
      const kind = subjectOf(sent, at)?.kind;
      const hint = sent.get('token_type_hint');
      return kind && hint && hint !== `${kind}_token` ? answerOf(200, {}, uncached) : undefined;
    }),
  'REV-008 refused: an unrecognised hint is refused': () =>
    refuseForm(
      'revokeToken',
      (sent) => !['', 'access_token', 'refresh_token'].includes(sent.get('token_type_hint') ?? ''),
      'unsupported_token_type',
    ).warns(),
  'REV-009 M-RI-09: a revocation without a token gives 200': () =>
    rawReply('revokeToken', (reply, request) => {
      if (request.form.get('token') || reply.status !== 400) return;
      reply.status = 200;
      reply.json = {};
    }),
  "REV-010 M-RI-10: a client can revoke other clients' tokens": () =>
    formReply('revokeToken', (body, reply, request, at) => {
      if (body.error !== 'invalid_grant') return undefined;
      at.service.authority.store.endToken(request.form.get('token') ?? '', 'revoked');
      reply.status = 200;
      return {};
    }),
  'REV-011 M-RI-12: the access token works on when its refresh token is revoked': () =>
    intercept((at) => {
      at.switches({ 'revoke.refreshRevokesAccess': false });
      at.form('revokeToken', (sent) => void (subjectOf(sent, at)?.kind === 'refresh' && at.acted()));
    }).warns(),
  'REV-014 M-RI-13: GET with the token in the query revokes': () => acceptGet('/oauth/token/revoke'),
  'REV-015 type: errors of the revocation endpoint are text/html': () =>
    rawReply('revokeToken', (one) => void (one.status >= 400 && (one.headers['content-type'] = 'text/html'))).exercise(
      'REV-009',
    ),
  'REV-015 challenge: revocation refuses bearer tokens that have ended without WWW-Authenticate': () =>
    header('revokeToken', 'www-authenticate', null).exercise('REV-002'),
  'REV-015 introspect: introspection refuses bearer tokens that have ended without WWW-Authenticate': () =>
    header('introspectToken', 'www-authenticate', null).exercise('INTRO-002'),
  'REV-015 scheme: WWW-Authenticate of revocation names a realm and no scheme': () =>
    header('revokeToken', 'www-authenticate', 'realm="oauth"').exercise('REV-002'),
  'REV-015 M-AD-38: revocation and introspection have errors in the shape of the data API': () =>
    together(dataShaped('revokeToken'), dataShaped('introspectToken')),
  'LIFE-005: the applications page ends refresh tokens only': () =>
    neverEnd((token, _, { current }) => current?.path === '/__control/revocations' && token?.kind === 'access'),
  'LIFE-011 M-RL-30: the revocation of one grant ends those of all users of the client': () =>
    intercept((at) =>
      at.store((store) => ({
        endToken(text, how) {
          const clientId = store.findToken(text)?.grant.clientId;
          store.endToken(text, how);
          for (const other of how === 'revoked' ? store.tokens() : []) {
            if (other.grant.clientId !== clientId || other.ended) continue;
            at.acted();
            store.endToken(other.text, 'revoked');
          }
        },
      })),
    ).also('REV-013'),
});
