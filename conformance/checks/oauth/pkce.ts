import { check, group } from '../../engine/check.js';
import type { Fields, Run } from '../../engine/run.js';
import { gOtherWord } from '../../generators/oauth.js';
import type { Role } from '../../target/target.js';
import { succeeded } from '../../wire/answer.js';
import type { RefuseRequest } from './outcome.js';
import { anyRole, checkEach, gaveCode, omit, put, refusedWith, refusing } from './outcome.js';

/** Challenges that RFC 7636 4.2 does not allow, each in one way. */
const malformed: readonly { readonly what: string; readonly challenge: string }[] = [
  { what: 'of 42 characters', challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-c' },
  { what: 'of 129 characters', challenge: 'a'.repeat(129) },
  { what: 'with padding', challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM=' },
  { what: 'with + and /', challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJ/stw+cM' },
  { what: 'with a space', challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJ stw-cM' },
];

/** The method is refused; a server that takes it as plain must not have been given a challenge that plain forbids. */
const refusedMethod = (refuse: RefuseRequest, method: string): Promise<unknown> =>
  refuse(`code_challenge_method=${method}`, (fields, { verifier }) =>
    put('code_challenge', verifier.slice(0, 43))(put('code_challenge_method', method)(fields)),
  );

const withoutProof = (fields: Fields): Fields => omit('code_challenge_method')(omit('code_challenge')(fields));

/** Whether a client with such a request comes to tokens without a verifier. */
async function leavesOut(run: Run, role: Role, change: (fields: Fields) => Fields): Promise<boolean> {
  const request = run.oauth.authorizationRequest(role);
  const { code } = await run.oauth.authorize(change(request.fields));
  if (code === null) return false;
  const fields = run.oauth.exchangeFields({ ...request, code, account: '', scopes: [] });
  return succeeded(await run.oauth.tokenRequest(fields.filter(([name]) => name !== 'code_verifier')));
}

/** AUTH-PKCE: proof keys at the authorization endpoint (interface 4.1, 5.1, RFC 7636 4.3, 4.4.1). */
export default group('oauth/pkce', [
  checkEach({
    id: 'AUTH-PKCE-001',
    level: 'MUST',
    sentence: 'code_challenge_method=plain is refused, and no code is issued.',
    source: '4.1',
    needs: [['client:confidential', 'client:public'], 'consent'],
    judge: async (run, role) => {
      const refuse = await refusing(run, role);
      const plain = put('code_challenge_method', 'plain');
      await refuse('plain', plain, refusedWith(run, ['invalid_request']));
      await refuse(
        'plain with the verifier itself',
        (fields, { verifier }) => put('code_challenge', verifier)(plain(fields)),
        refusedWith(run, ['invalid_request']),
      );
    },
  }),

  check({
    id: 'AUTH-PKCE-002',
    level: 'MUST',
    sentence: 'Any method but exactly `S256` is refused (`s256`, `S512`, `SHA256` and others).',
    source: '4.1',
    needs: [['client:confidential', 'client:public'], 'consent'],
    judge: async (run) => {
      const refuse = await refusing(run, anyRole(run));
      const known = ['s256', 'S512', 'SHA256', 'SHA-256', 'sha256', 'S2567', 'none', 'PLAIN', 'S256 plain'];
      await run.expect.each('refused', known, (method) => refusedMethod(refuse, method));
      await run.expect.property('any method but S256', gOtherWord(['S256', ...known]), { share: 0.04 }, (method) =>
        refusedMethod(refuse, method),
      );
    },
  }),

  check({
    id: 'AUTH-PKCE-003',
    level: 'SHOULD-RFC',
    sentence: 'A code_challenge that is not 43 to 128 unreserved characters is refused (RFC 7636 4.2).',
    source: '4.1',
    gap: 'K-130',
    needs: [['client:confidential', 'client:public'], 'consent'],
    judge: async (run) => {
      const refuse = await refusing(run, anyRole(run));
      for (const { what, challenge } of malformed) {
        await refuse(`a challenge ${what}`, put('code_challenge', challenge), (redirect, _, { redirect_uri }) => {
          const taken = gaveCode(run, redirect, [redirect_uri]);
          if (taken) run.expect.warn(`a code_challenge ${what} is taken (RFC 7636 4.2 does not allow it)`);
          else run.expect.that(true, 'a refusal', 'a refusal');
        });
      }
    },
  }),

  check({
    id: 'AUTH-PKCE-004',
    level: 'MUST',
    sentence: 'PKCE is required of confidential clients as of public ones.',
    source: '4.1,5.1',
    needs: ['client:confidential', 'client:public', 'consent'],
    judge: async (run) => {
      const refuse = await refusing(run, 'confidential');
      let required = false;
      for (const change of [omit('code_challenge'), withoutProof]) {
        if (await leavesOut(run, 'public', change)) continue;
        required = true;
        await refuse('without code_challenge', change);
      }
      if (!required)
        run.expect.notExercised(
          'a public client gets tokens without code_challenge and code_verifier, too (AUTH-REQ-005)',
        );
    },
  }),
]);
