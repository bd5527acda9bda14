import type { Token } from '../../../../src/store/store.js';
import type { Json } from '../../interceptor/interceptor.js';
import { mutants, operator } from '../../mutant.js';
import { acceptSecret, clientOf, formField, grantTypeIs, parameterOf, redirect } from '../../operators/oauth.js';
import { formReply, refuseForm, subjectOf } from '../../operators/oauth.js';

/** Secrets of a grant type that are compared without the spaces at their ends. */
const trimSecret = operator('trimSecret', (at, type: Parameters<typeof grantTypeIs>[0]) =>
  acceptSecret((given, secret, form) => grantTypeIs(type)(form) && given.trim() === secret.trim()).apply(at),
);

/** What introspection says of an active token, changed. */
const active = operator('active', (at, change: (body: Json, now: number, token: Token | undefined) => void) =>
  formReply('introspectToken', (body, _, { form }) => {
    if (body.active === true) change(body, Math.floor(at.service.authority.now() / 1000), subjectOf(form, at));
  }).apply(at),
);

/** Values that are compared, kept or told less exactly than they are. */
export const looseValues = mutants({
  'AUTH-CODE-020': {
    space: ['spaces at the ends of a secret are cut off in an exchange', trimSecret('authorization_code')],
    long: [
      'only the first characters of a long secret count',
      acceptSecret((given, secret, _form, _request, at) => {
        const clients = [...at.service.authority.clients.values()].filter((one) => one.redirectUris.length > 0);
        const length = Math.max(...clients.map((one) => one.secret?.length ?? 0)) - 1;
        return secret.length > length && given.slice(0, length) === secret.slice(0, length);
      }),
    ],
  },
  'TOK-CC-006': {
    trim: ['spaces at the ends of a secret are cut off for client credentials', trimSecret('client_credentials')],
  },
  'AUTH-CODE-004': {
    trim: [
      'spaces at the ends of a verifier are cut off',
      formField('issueToken', 'code_verifier', (verifier) => verifier?.trim() ?? null),
    ],
  },
  'AUTH-ERR-003': {
    first: [
      'errors are sent to the first redirect_uri of a client',
      redirect((location, { query }, at) => {
        if (location === null || parameterOf(location, 'error') === null) return location;
        const first = clientOf(query, at)?.redirectUris[0];
        const named = query.get('redirect_uri');
        if (first === undefined || named === null || named === first) return location;
        const { searchParams } = new URL(location);
        for (const name of new URL(named).searchParams.keys()) searchParams.delete(name);
        return `${first}${first.includes('?') ? '&' : '?'}${searchParams.toString()}`;
      }),
    ],
  },
  'REV-008': {
    refused: [
      'an unrecognised hint is refused',
      refuseForm(
        'revokeToken',
        (form) => !['', 'access_token', 'refresh_token'].includes(form.get('token_type_hint') ?? ''),
        'unsupported_token_type',
      ),
      { verdict: 'warn' },
    ],
  },
  'INTRO-019': {
    iat: ['iat is the time of the introspection', active((body, now) => void (body.iat = now))],
  },
  'INTRO-011': {
    zone: [
      'exp is an hour late',
      active((body) => void (typeof body.exp === 'number' && (body.exp += 3600))),
      { also: ['INTRO-005'] },
    ],
  },
  'INTRO-010': {
    refresh: [
      'sub of a refresh token is another account',
      active(
        (body, _, token) => void (token?.kind === 'refresh' && (body.sub = '6e6f2d73-7563-4068-8761-73206f6e6531')),
      ),
    ],
  },
});
