import { check, group } from '../../engine/check.js';
import type { Run } from '../../engine/run.js';
import { gOtherWord } from '../../generators/oauth.js';
import { anyRole, codeRoles, gaveCode, noCode, refusedWith, refusing, replaced, without } from './outcome.js';

/** Challenges that RFC 7636 4.2 does not allow, each in one way. */
const malformed: readonly { readonly what: string; readonly challenge: string }[] = [
  { what: 'of 42 characters', challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-c' },
  { what: 'of 129 characters', challenge: 'a'.repeat(129) },
  { what: 'with padding', challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM=' },
  { what: 'with + and /', challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJ/stw+cM' },
  { what: 'with a space', challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJ stw-cM' },
];

/** The method is refused; a server that takes it as plain must not have been given a challenge that plain forbids. */
async function refusedMethod(run: Run, refuse: Awaited<ReturnType<typeof refusing>>, method: string): Promise<void> {
  await refuse(
    `code_challenge_method=${method}`,
    (fields, { verifier }) =>
      replaced(replaced(fields, 'code_challenge_method', method), 'code_challenge', verifier.slice(0, 43)),
    (redirect, fields) => noCode(run, redirect, fields),
  );
}

/** AUTH-PKCE: proof keys at the authorization endpoint (interface 4.1, 5.1, RFC 7636 4.3, 4.4.1). */
export default group('oauth/pkce', [
  check('AUTH-PKCE-001', (run) =>
    run.expect.each(
      codeRoles(run),
      (role) => `client ${role}`,
      async (role) => {
        const refuse = await refusing(run, role);
        const plain = ['code_challenge_method', 'plain'] as const;
        await refuse('plain', (fields) => replaced(fields, ...plain), refusedWith(run, ['invalid_request']));
        await refuse(
          'plain with the verifier itself',
          (fields, { verifier }) => replaced(replaced(fields, ...plain), 'code_challenge', verifier),
          refusedWith(run, ['invalid_request']),
        );
      },
    ),
  ),

  check('AUTH-PKCE-002', async (run) => {
    const refuse = await refusing(run, anyRole(run));
    const known = ['s256', 'S512', 'SHA256', 'SHA-256', 'sha256', 'S2567', 'none', 'PLAIN', 'S256 plain'];
    await run.expect.each(
      known,
      () => 'refused',
      (method) => refusedMethod(run, refuse, method),
    );
    await run.expect.property(
      'any method but S256',
      gOtherWord(['S256', ...known]),
      (method) => refusedMethod(run, refuse, method),
      { share: 0.04 },
    );
  }),

  check('AUTH-PKCE-003', async (run) => {
    const refuse = await refusing(run, anyRole(run));
    for (const { what, challenge } of malformed) {
      await refuse(
        `a challenge ${what}`,
        (fields) => replaced(fields, 'code_challenge', challenge),
        (redirect, _, { redirect_uri }) => {
          const taken = gaveCode(run, redirect, [redirect_uri]);
          if (taken) run.expect.warn(`a code_challenge ${what} is taken (RFC 7636 4.2 does not allow it)`);
          else run.expect.that(true, 'a refusal', 'a refusal');
        },
      );
    }
  }),

  check('AUTH-PKCE-004', (run) =>
    run.expect.each(
      ['confidential', 'public'] as const,
      (role) => `client ${role}`,
      async (role) => {
        const refuse = await refusing(run, role);
        await refuse(
          'without code_challenge',
          (fields) => without(fields, 'code_challenge'),
          (redirect, fields) => noCode(run, redirect, fields),
        );
        await refuse(
          'without code_challenge and code_challenge_method',
          (fields) => without(without(fields, 'code_challenge'), 'code_challenge_method'),
          (redirect, fields) => noCode(run, redirect, fields),
        );
      },
    ),
  ),
]);
