import type { OldMutant as Mutant } from '../../mutant.js';
import type { Json, Interceptor } from '../../interceptor/interceptor.js';
import { clientOf, mended, refusal, subjectOf } from './planting.js';

const trimmedSecret = (grant: string): Mutant['plant'] =>
  mended((form, seam) => {
    const secret = clientOf(form, seam)?.secret;
    if (secret && form.get('grant_type') === grant && form.get('client_secret')?.trim() === secret.trim())
      form.set('client_secret', secret);
  });

function cutSecretOf(form: URLSearchParams, seam: Interceptor, length: number): void {
  const secret = clientOf(form, seam)?.secret;
  if (!secret || secret.length <= length) return;
  if (form.get('client_secret')?.slice(0, length) === secret.slice(0, length)) form.set('client_secret', secret);
}

/** Values that are compared, kept or told less exactly than they are. */
export const looseValues: readonly Mutant[] = [
  {
    id: 'N-AUTH-CODE-020-space',
    bug: 'spaces at the ends of a secret are cut off in an exchange',
    rows: ['AUTH-CODE-020'],
    plant: trimmedSecret('authorization_code'),
  },
  {
    id: 'N-TOK-CC-006-trim',
    bug: 'spaces at the ends of a secret are cut off for client credentials',
    rows: ['TOK-CC-006'],
    plant: trimmedSecret('client_credentials'),
  },
  {
    id: 'N-AUTH-CODE-020-long',
    bug: 'only the first characters of a long secret count',
    rows: ['AUTH-CODE-020'],
    plant: (seam) => {
      const longest = (): number =>
        Math.max(
          ...[...seam.service.authority.clients.values()]
            .filter(({ redirectUris }) => redirectUris.length > 0)
            .map(({ secret }) => secret?.length ?? 0),
        );
      mended((form, at) => cutSecretOf(form, at, longest() - 1))(seam);
    },
  },
  {
    id: 'N-AUTH-CODE-004-trim',
    bug: 'spaces at the ends of a verifier are cut off',
    rows: ['AUTH-CODE-004'],
    plant: mended((form) => {
      const verifier = form.get('code_verifier');
      if (verifier !== null && verifier.trim() !== verifier) form.set('code_verifier', verifier.trim());
    }),
  },
  {
    id: 'N-AUTH-ERR-003-first',
    bug: 'errors are sent to the first redirect_uri of a client',
    rows: ['AUTH-ERR-003'],
    plant: (seam) =>
      seam.redirect((location, { query }) => {
        if (location === null || !new URL(location).searchParams.has('error')) return location;
        const first = seam.service.authority.clients.get(query.get('client_id') ?? '')?.redirectUris[0];
        const named = query.get('redirect_uri');
        if (first === undefined || named === null || named === first) return location;
        const { searchParams } = new URL(location);
        for (const name of new URL(named).searchParams.keys()) searchParams.delete(name);
        return `${first}${first.includes('?') ? '&' : '?'}${searchParams.toString()}`;
      }),
  },
  {
    id: 'N-REV-008-refused',
    bug: 'an unrecognised hint is refused',
    rows: ['REV-008'],
    noticed: 'warn',
    plant: (seam) =>
      seam.form('revokeToken', (form) => {
        const hint = form.get('token_type_hint');
        return hint && !['access_token', 'refresh_token'].includes(hint)
          ? refusal('unsupported_token_type')
          : undefined;
      }),
  },
  {
    id: 'N-INTRO-019-iat',
    bug: 'iat is the time of the introspection',
    rows: ['INTRO-019'],
    plant: (seam) =>
      seam.oauth('introspectToken', (body) => {
        if (body.active === true) body.iat = Math.floor(seam.service.authority.now() / 1000);
      }),
  },
  {
    id: 'N-INTRO-011-zone',
    bug: 'exp is an hour late',
    rows: ['INTRO-011', 'INTRO-005'],
    plant: (seam) =>
      seam.oauth('introspectToken', (body: Json) => {
        if (body.active === true && typeof body.exp === 'number') body.exp += 3600;
      }),
  },
  {
    id: 'N-INTRO-010-refresh',
    bug: 'sub of a refresh token is another account',
    rows: ['INTRO-010'],
    plant: (seam) =>
      seam.oauth('introspectToken', (body, _, { form }) => {
        if (body.active === true && subjectOf(form, seam)?.kind === 'refresh')
          body.sub = '6e6f2d73-7563-4068-8761-73206f6e6531';
      }),
  },
];
