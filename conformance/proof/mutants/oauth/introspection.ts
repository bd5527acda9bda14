import type { Scope } from '../../../../src/contract/index.js';
import type { Token } from '../../../../src/store/store.js';
import type { Interceptor } from '../../interceptor/interceptor.js';
import { answerOf } from '../../interceptor/interceptor.js';
import { bearerOf } from '../../interceptor/who.js';
import { mutants } from '../../mutant.js';
import { form, formReply, formStatus, mapMember, subjectOf, uncached } from '../../operators/oauth.js';
import { foundToken } from '../../operators/tokens.js';

const isIntrospecting = ({ current }: Interceptor): boolean => current?.operation === 'introspectToken';

/** Whether the token is that of the caller of the introspection that runs now. */
const isCaller = ({ text }: Token, at: Interceptor): boolean =>
  isIntrospecting(at) && bearerOf(at.current!.headers) === text;

const needed: Scope = 'oauth:introspect';

export const introspection = mutants({
  'INTRO-001 M-RI-14: introspection works without oauth:introspect': () =>
    foundToken((token, at) =>
      isCaller(token, at) && !token.scopes.includes(needed) ? { scopes: [...token.scopes, needed] } : null,
    ),
  'INTRO-002: introspection needs no credential': () =>
    form('introspectToken', (sent, at, { headers }) =>
      headers.authorization === undefined && !sent.has('client_secret')
        ? answerOf(200, { active: subjectOf(sent, at) !== undefined }, uncached)
        : undefined,
    ),
  'INTRO-003 M-RI-17: active is a text': () =>
    mapMember('introspectToken', 'active', (active) => (typeof active === 'boolean' ? String(active) : active)),
  'INTRO-004: introspection answers 404 for an unknown token': () =>
    formStatus('introspectToken', 200, 404, (sent, at) => !subjectOf(sent, at)),
  'INTRO-005: introspection calls an expired token active': () =>
    foundToken((token, at) => {
      const expired = at.service.authority.now() >= (token.expiresAt ?? Infinity);
      return expired && isIntrospecting(at) && !isCaller(token, at) ? { expiresAt: null } : null;
    }),
  'INTRO-006: introspection calls a revoked token active': () =>
    foundToken(({ ended }, at) => (ended === 'revoked' && isIntrospecting(at) ? { ended: null } : null)),
  'INTRO-012 M-RI-22: a client-credentials token shows an end in 1970': () =>
    mapMember('introspectToken', 'exp', (exp, { active }) => (active === true ? (exp ?? 0) : exp)),
  'INTRO-015 M-RI-21: introspection does not know a refresh token when the hint says access_token': () =>
    form('introspectToken', (sent, at) =>
      subjectOf(sent, at)?.kind === 'refresh' && sent.get('token_type_hint') === 'access_token'
        ? answerOf(200, { active: false }, uncached)
        : undefined,
    ),
  'INTRO-016 M-AD-39: introspection accepts a caller whose token has expired': () =>
    foundToken((token, at) => (isCaller(token, at) ? { expiresAt: null, ended: null } : null)),
  'INTRO-010 refresh: sub of a refresh token is another account': () =>
    mapMember('introspectToken', 'sub', (sub, { active }, sent, at) =>
      active === true && subjectOf(sent, at)?.kind === 'refresh' ? '6e6f2d73-7563-4068-8761-73206f6e6531' : sub,
    ),
  'INTRO-011 zone: exp is an hour late': () =>
    mapMember('introspectToken', 'exp', (exp) => (typeof exp === 'number' ? exp + 3600 : exp)).also('INTRO-005'),
  'INTRO-019 iat: iat is the time of the introspection': () =>
    mapMember('introspectToken', 'iat', (iat, { active }, _, { service }) =>
      active === true ? Math.floor(service.authority.now() / 1000) : iat,
    ),
  'INTRO-019 M-RI-23: introspection uses the token up': () =>
    formReply('introspectToken', (body, _, request, at) => {
      if (body.active !== true) return;
      at.acted();
      at.service.authority.store.endToken(request.form.get('token') ?? '', 'revoked');
    }),
});
