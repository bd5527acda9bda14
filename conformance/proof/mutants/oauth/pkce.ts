import { challengeOf } from '../../../../src/oauth/pkce.js';
import type { OldMutant as Mutant } from '../../mutant.js';
import type { Interceptor } from '../../interceptor/interceptor.js';
import { mended } from './planting.js';

/** A verifier that is taken for a wrong one, by something that is the matter with it. */
const wrongVerifier =
  (isWrong: (verifier: string) => boolean) =>
  (seam: Interceptor): void =>
    seam.form('issueToken', (form) => {
      const verifier = form.get('code_verifier');
      if (verifier && isWrong(verifier)) form.set('code_verifier', 'x'.repeat(43));
    });

/** A code that is found to fit whatever verifier comes. */
const anyVerifier =
  (fits: (verifier: string, challenge: string) => boolean): Mutant['plant'] =>
  (seam) =>
    seam.store((store, acted) => ({
      findCode(text) {
        const code = store.findCode(text);
        const verifier = seam.current?.form.get('code_verifier') ?? '';
        if (!code || challengeOf(verifier) === code.challenge || !fits(verifier, code.challenge)) return code;
        acted();
        return { ...code, challenge: challengeOf(verifier) };
      },
    }));

export const pkce: readonly Mutant[] = [
  {
    id: 'M-AZ-48',
    bug: 'the challenge is computed in standard base64, with + and /',
    rows: ['AUTH-CODE-008'],
    plant: wrongVerifier((verifier) => /[-_]/.test(challengeOf(verifier))),
  },
  {
    id: 'M-AZ-49',
    bug: 'the challenge is computed with its padding',
    rows: ['AUTH-CODE-008', 'AUTH-CODE-001'],
    plant: wrongVerifier(() => true),
  },
  {
    id: 'M-AZ-50',
    bug: 'a verifier with ~ or . is refused',
    rows: ['AUTH-CODE-007'],
    plant: wrongVerifier((verifier) => /[~.]/.test(verifier)),
  },
  {
    id: 'M-AZ-50-long',
    bug: 'a verifier of 128 characters is refused',
    rows: ['AUTH-CODE-007'],
    plant: wrongVerifier((verifier) => verifier.length === 128),
  },
  {
    id: 'N-AUTH-CODE-004',
    bug: 'the verifier is not looked at',
    rows: ['AUTH-CODE-004'],
    plant: anyVerifier((verifier) => verifier !== ''),
  },
  {
    id: 'N-AUTH-CODE-005',
    bug: 'a missing verifier is passed over',
    rows: ['AUTH-CODE-005'],
    plant(seam) {
      mended(
        (form) => void (form.get('code') && !form.get('code_verifier') && form.set('code_verifier', 'n'.repeat(43))),
      )(seam);
      anyVerifier((verifier) => verifier === 'n'.repeat(43))(seam);
    },
  },
  {
    id: 'N-AUTH-CODE-006',
    bug: 'the challenge is accepted as the verifier',
    rows: ['AUTH-CODE-006'],
    plant: anyVerifier((verifier, challenge) => verifier === challenge),
  },
];
