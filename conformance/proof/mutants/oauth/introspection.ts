import type { Scope } from '../../../../src/contract/index.js';
import type { Token } from '../../../../src/store/store.js';
import type { Interceptor } from '../../interceptor/interceptor.js';
import { answerOf } from '../../interceptor/interceptor.js';
import { bearerOf } from '../../interceptor/who.js';
import { mutants } from '../../mutant.js';
import { form, formReply, foundToken, subjectOf, uncached } from '../../operators/oauth.js';
import { rawReply } from '../../operators/replies.js';

const isIntrospecting = ({ current }: Interceptor): boolean => current?.operation === 'introspectToken';

/** Whether the token is that of the caller of the introspection that runs now. */
const isCaller = ({ text }: Token, at: Interceptor): boolean =>
  isIntrospecting(at) && bearerOf(at.current!.headers) === text;

const needed: Scope = 'oauth:introspect';

export const introspection = mutants({
  'INTRO-001': {
    'M-RI-14': [
      'introspection works without oauth:introspect',
      foundToken((token, at) =>
        isCaller(token, at) && !token.scopes.includes(needed) ? { scopes: [...token.scopes, needed] } : null,
      ),
    ],
  },
  'INTRO-002': {
    '': [
      'introspection needs no credential',
      form('introspectToken', (sent, at, { headers }) =>
        headers.authorization === undefined && !sent.has('client_secret')
          ? answerOf(200, { active: subjectOf(sent, at) !== undefined }, uncached)
          : undefined,
      ),
    ],
  },
  'INTRO-003': {
    'M-RI-17': [
      'active is a text',
      formReply('introspectToken', (body) => {
        if (typeof body.active === 'boolean') body.active = String(body.active);
      }),
    ],
  },
  'INTRO-004': {
    '': [
      'introspection answers 404 for an unknown token',
      rawReply('introspectToken', (reply, request, at) => {
        if (reply.status === 200 && !subjectOf(request.form, at)) reply.status = 404;
      }),
    ],
  },
  'INTRO-005': {
    '': [
      'introspection calls an expired token active',
      foundToken((token, at) => {
        const expired = at.service.authority.now() >= (token.expiresAt ?? Infinity);
        return expired && isIntrospecting(at) && !isCaller(token, at) ? { expiresAt: null } : null;
      }),
    ],
  },
  'INTRO-006': {
    '': [
      'introspection calls a revoked token active',
      foundToken(({ ended }, at) => (ended === 'revoked' && isIntrospecting(at) ? { ended: null } : null)),
    ],
  },
  'INTRO-012': {
    'M-RI-22': [
      'a client-credentials token shows an end in 1970',
      formReply('introspectToken', (body) => {
        if (body.active === true && body.exp === undefined) body.exp = 0;
      }),
    ],
  },
  'INTRO-015': {
    'M-RI-21': [
      'introspection does not know a refresh token when the hint says access_token',
      form('introspectToken', (sent, at) =>
        subjectOf(sent, at)?.kind === 'refresh' && sent.get('token_type_hint') === 'access_token'
          ? answerOf(200, { active: false }, uncached)
          : undefined,
      ),
    ],
  },
  'INTRO-016': {
    'M-AD-39': [
      'introspection accepts a caller whose token has expired',
      foundToken((token, at) => (isCaller(token, at) ? { expiresAt: null, ended: null } : null)),
    ],
  },
  'INTRO-019': {
    'M-RI-23': [
      'introspection uses the token up',
      formReply('introspectToken', (body, _, request, at) => {
        if (body.active !== true) return;
        at.acted();
        at.service.authority.store.endToken(request.form.get('token') ?? '', 'revoked');
      }),
    ],
  },
});
