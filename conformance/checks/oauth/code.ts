import fc from 'fast-check';

import { check, group } from '../../engine/check.js';
import type { Code, Run } from '../../engine/run.js';
import { challengeOf, grantOf } from '../../engine/session.js';
import { PrerequisiteFailed } from '../../verdict.js';
import {
  edgeVerifiers,
  everyTwist,
  gTwist,
  gVerifier,
  isPkceText,
  redirectMisses,
  spaced,
  twisted,
} from '../../generators/oauth.js';
import type { Twist } from '../../generators/oauth.js';
import type { Role } from '../../target/target.js';
import { codeClientChecks } from './code-client.js';
import { codeLifeChecks } from './code-life.js';
import { codeScopeChecks } from './code-scope.js';
import { changed, exchanging, issued, omission } from './exchange.js';
import { anyRole, codeRoles, gotCode, replaced } from './outcome.js';

/** Approves and exchanges with a given verifier, all of which must work. */
async function withVerifier(run: Run, role: Role, verifier: string): Promise<void> {
  const request = run.oauth.authorizationRequest(role, { verifier });
  const redirect = await run.oauth.authorize(request.fields);
  gotCode(run, redirect, request);
  const code = { ...request, account: 'alice', code: redirect.code!, scopes: [] };
  issued(run, role, null, await run.oauth.tokenRequest(run.oauth.exchangeFields(code)));
}

const otherCase = (text: string): string =>
  text.replaceAll(/[a-z]/gi, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  );

const flipped = (text: string, at: number): string =>
  `${text.slice(0, at)}${text[at] === 'x' ? 'y' : 'x'}${text.slice(at + 1)}`;

/** Challenges that miss the verifier's own; the last character is left alone, of which decoders drop two bits. */
const challengeMisses: readonly { readonly what: string; readonly miss: (challenge: string) => string }[] = [
  { what: 'in another case', miss: otherCase },
  { what: 'that differs at its beginning', miss: (challenge) => flipped(challenge, 0) },
  { what: 'that differs near its end', miss: (challenge) => flipped(challenge, challenge.length - 2) },
];

/** A code of a request with another challenge than the verifier's. */
async function codeWith(run: Run, role: Role, miss: (challenge: string) => string): Promise<Code> {
  const request = run.oauth.authorizationRequest(role);
  const redirect = await run.oauth.authorize(
    replaced(request.fields, 'code_challenge', miss(challengeOf(request.verifier))),
  );
  if (redirect.code === null) throw new PrerequisiteFailed('a request with another challenge gave no code');
  return { ...request, account: 'alice', code: redirect.code, scopes: [] };
}

/** AUTH-CODE: the exchange of a code (interface 3, 4.1, RFC 6749 4.1.3, RFC 7636 4.5, 4.6). */
export default group('oauth/code', [
  check('AUTH-CODE-001', (run) =>
    run.expect.each(
      codeRoles(run),
      (role) => `client ${role}`,
      async (role) => {
        const code = await run.oauth.code(role);
        issued(run, role, code.account, await run.oauth.tokenRequest(run.oauth.exchangeFields(code)));
      },
    ),
  ),

  ...codeLifeChecks,

  check('AUTH-CODE-004', (run) =>
    run.expect.each(
      codeRoles(run),
      (role) => `client ${role}`,
      async (role) => {
        const refuse = await exchanging(run, role, (answer, { fields }) => {
          const sent = fields.find(([name]) => name === 'code_verifier')![1];
          // Text that is no verifier at all may be called a bad request.
          run.expect.oauthError(answer, isPkceText(sent) ? ['invalid_grant'] : ['invalid_grant', 'invalid_request']);
        });
        const narrowly = (twist: Twist): Promise<unknown> =>
          refuse(
            `a verifier missed by ${twist.kind}`,
            changed('code_verifier', (old) => twisted(old, twist)),
          );
        await run.expect.each(everyTwist, () => 'refused', narrowly as (twist: Twist) => Promise<void>);
        await run.expect.each(
          [0, 1],
          (at) => `a verifier with a space ${at === 0 ? 'after' : 'before'} it`,
          async (at) => {
            await refuse(
              'refused',
              changed('code_verifier', (old) => spaced(old)[at]!),
            );
          },
        );
        // Each code has a challenge of its own, and it is compared to the last character.
        await refuse('the verifier of another code', async ({ code, fields }) => {
          const { verifier } = await run.oauth.code(role);
          return { code, fields: replaced(fields, 'code_verifier', verifier) };
        });
        await run.expect.each(
          challengeMisses,
          ({ what }) => `the verifier of a challenge ${what}`,
          async ({ miss }) => {
            await refuse('refused', async () => {
              const code = await codeWith(run, role, miss);
              return { code, fields: run.oauth.exchangeFields(code) };
            });
          },
        );
        await run.expect.property(
          'any other verifier',
          fc.oneof(gTwist, gVerifier),
          async (other) => {
            if (typeof other !== 'string') await narrowly(other);
            else
              await refuse(
                'another verifier',
                changed('code_verifier', () => other),
              );
          },
          { share: 0.05 },
        );
      },
    ),
  ),

  check('AUTH-CODE-005', omission('code_verifier', ['invalid_request', 'invalid_grant'])),

  check('AUTH-CODE-006', (run) =>
    run.expect.each(
      codeRoles(run),
      (role) => `client ${role}`,
      async (role) => {
        const refuse = await exchanging(run, role, (answer) => run.expect.oauthError(answer, ['invalid_grant']));
        await refuse('the challenge as verifier', changed('code_verifier', challengeOf));
      },
    ),
  ),

  check('AUTH-CODE-007', async (run) => {
    const role = anyRole(run);
    await run.expect.each(
      edgeVerifiers,
      (verifier) => `verifier ${verifier}`,
      (verifier) => withVerifier(run, role, verifier),
    );
    await run.expect.property('any verifier', gVerifier, (verifier) => withVerifier(run, role, verifier), {
      share: 0.15,
    });
  }),

  check('AUTH-CODE-008', async (run) => {
    const role = anyRole(run);
    for (const marks of [/-/, /_/, /^(?=[^-]*-)[^_]*_/]) {
      await run.expect.property(
        'a verifier whose challenge has - or _',
        gVerifier.filter((verifier) => marks.test(challengeOf(verifier))),
        (verifier) => withVerifier(run, role, verifier),
        { share: 0.04 },
      );
    }
  }),

  check('AUTH-CODE-009', (run) =>
    run.expect.each(
      codeRoles(run),
      (role) => `client ${role}`,
      async (role) => {
        const refuse = await exchanging(run, role, (answer) => run.expect.oauthError(answer, ['invalid_grant']));
        await refuse('a second exchange', async (exchange) => {
          await run.oauth.tokenRequest(exchange.fields);
          return exchange;
        });
      },
    ),
  ),

  check('AUTH-CODE-010', async (run) => {
    const role = anyRole(run);
    const together = async (count: number, by: Role = role): Promise<void> => {
      const fields = run.oauth.exchangeFields(await run.oauth.code(by));
      const answers = await run.http.race(Array.from({ length: count }, () => ({ path: '/oauth/token', fields })));
      const successes = answers.filter(({ status }) => status >= 200 && status < 300);
      run.expect.that(
        successes.length <= 1,
        `at most one of ${count} exchanges to succeed`,
        `${successes.length} successes`,
        successes[1],
      );
      if (successes.length === 0) run.expect.warn(`none of ${count} exchanges at the same time succeeded`, answers[0]);
    };
    await run.expect.each(
      [2, 3, 8, 8],
      (count) => `${count} at once`,
      (count) => together(count),
    );
    await run.expect.each(
      codeRoles(run).filter((other) => other !== role),
      (other) => `8 at once by client ${other}`,
      async (other) => {
        await together(8, other);
        await together(8, other);
      },
    );
    await run.expect.property('any number at once', fc.integer({ min: 2, max: 8 }), (count) => together(count), {
      share: 0.04,
    });
  }),

  check('AUTH-CODE-011', async (run) => {
    const code = await run.oauth.code(anyRole(run));
    const fields = run.oauth.exchangeFields(code);
    const first = await run.oauth.tokenRequest(fields);
    if (first.status !== 200) throw new PrerequisiteFailed(`the exchange of a code was answered with ${first.status}`);
    const { access, scopes } = grantOf(code.role, code.account, first);
    const again = await run.oauth.tokenRequest(fields);
    if (again.status >= 200 && again.status < 300) {
      return run.expect.notExercised('the second exchange was not refused (AUTH-CODE-009)');
    }
    if (!scopes.includes('account:profile')) return run.expect.notExercised('no token with account:profile to try');
    const { status } = await run.http.data('getProfile', { token: access });
    if (status === 401) run.expect.note('The tokens of a code that was used again are revoked.');
    else run.expect.warn(`the access token of a code that was used again still works (status ${status})`);
  }),

  check('AUTH-CODE-012', omission('redirect_uri', ['invalid_request', 'invalid_grant'])),

  check('AUTH-CODE-013', (run) =>
    run.expect.each(
      codeRoles(run),
      (role) => `client ${role}`,
      async (role) => {
        const { redirect_uri } = run.oauth.authorizationRequest(role);
        // RFC 6749 3.1.2 forbids a fragment, so a URI with one may be called a bad request.
        const refuse = await exchanging(run, role, (answer, { fields }) => {
          const sent = fields.find(([name]) => name === 'redirect_uri')![1];
          run.expect.oauthError(answer, sent.includes('#') ? ['invalid_grant', 'invalid_request'] : ['invalid_grant']);
        });
        const others = run.oauth
          .client(role)
          .redirect_uris.filter((uri) => uri !== redirect_uri)
          .map((uri) => ({ what: 'another registered URI', uri }));
        await run.expect.each(
          [...others, ...redirectMisses(redirect_uri, { registered: others.map(({ uri }) => uri) })],
          ({ what, uri }) => `${what}, ${uri}`,
          async ({ uri }) => {
            await refuse(
              'refused',
              changed('redirect_uri', () => uri),
            );
          },
        );
      },
    ),
  ),

  check('AUTH-CODE-015', omission('code', ['invalid_request'])),

  check('AUTH-CODE-016', async (run) => {
    const refuse = await exchanging(run, 'confidential', (answer) => run.expect.oauthError(answer, ['invalid_grant']));
    const narrowly = async (twist: Twist): Promise<void> => {
      await refuse(
        `a code missed by ${twist.kind}`,
        changed('code', (old) => twisted(old, twist, { encoded: true })),
      );
    };
    await run.expect.each(everyTwist, () => 'refused', narrowly);
    await run.expect.property('any code near to one', gTwist, narrowly, { share: 0.04 });
    await run.expect.property(
      'any other code',
      gVerifier,
      async (other) => {
        await refuse(
          'a code that was never issued',
          changed('code', () => other),
        );
      },
      { share: 0.04 },
    );
  }),

  ...codeScopeChecks,

  ...codeClientChecks,

  check('AUTH-CODE-024', async (run) => {
    const code = await run.oauth.code(anyRole(run));
    const fields = run.oauth.exchangeFields(code);
    await run.oauth.tokenRequest(replaced(fields, 'code_verifier', 'a'.repeat(64)));
    const { status } = await run.oauth.tokenRequest(fields);
    run.expect.note(`A failed exchange ${status === 200 ? 'leaves the code as it is' : 'uses up the code'}.`);
  }),
]);
