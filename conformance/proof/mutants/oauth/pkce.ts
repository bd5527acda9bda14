import { challengeOf } from '../../../../src/oauth/pkce.js';
import { mutants, operator, together } from '../../mutant.js';
import { mapField } from '../../operators/oauth.js';
import { foundCode } from '../../operators/tokens.js';

/** Right verifiers that are taken for wrong ones. */
const refuseVerifier = operator('refuseVerifier', (_, isRefused: (verifier: string) => boolean) =>
  mapField('issueToken', 'code_verifier', (verifier) => (verifier && isRefused(verifier) ? 'x'.repeat(43) : verifier)),
);

/** Wrong verifiers that are accepted. */
const acceptVerifier = operator('acceptVerifier', (_, fits: (verifier: string, challenge: string) => boolean) =>
  foundCode(({ challenge }, form) => {
    const verifier = form.get('code_verifier') ?? '';
    const own = challengeOf(verifier);
    return own !== challenge && fits(verifier, challenge) ? { challenge: own } : null;
  }),
);

const invented = 'n'.repeat(43);

export const pkce = mutants({
  'AUTH-CODE-008 M-AZ-48: the challenge is computed in standard base64, with + and /': () =>
    refuseVerifier((verifier) => /[-_]/.test(challengeOf(verifier))),
  'AUTH-CODE-008 M-AZ-49: the challenge is computed with its padding': () =>
    refuseVerifier(() => true).also('AUTH-CODE-001'),
  'AUTH-CODE-007 M-AZ-50: a verifier with ~ or . is refused': () => refuseVerifier((verifier) => /[~.]/.test(verifier)),
  'AUTH-CODE-007 M-AZ-50-long: a verifier of 128 characters is refused': () =>
    refuseVerifier(({ length }) => length === 128),
  'AUTH-CODE-004: the verifier is not looked at': () => acceptVerifier((verifier) => verifier !== ''),
  'AUTH-CODE-004 trim: spaces at the ends of a verifier are cut off': () =>
    mapField('issueToken', 'code_verifier', (verifier) => verifier?.trim() ?? null),
  'AUTH-CODE-005: a missing verifier is passed over': () =>
    together(
      mapField('issueToken', 'code_verifier', (verifier, form) =>
        form.get('code') && !verifier ? invented : verifier,
      ),
      acceptVerifier((verifier) => verifier === invented),
    ),
  'AUTH-CODE-006: the challenge is accepted as the verifier': () =>
    acceptVerifier((verifier, challenge) => verifier === challenge),
});
