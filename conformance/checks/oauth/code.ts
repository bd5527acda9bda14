import fc from 'fast-check';

import { check, group, observation } from '../../engine/check.js';
import type { Code, Run } from '../../engine/run.js';
import { grantOf } from '../../engine/grants.js';
import { challengeOf } from '../../target/pkce.js';
import { PrerequisiteFailed } from '../../verdict.js';
import { succeeded } from '../../wire/answer.js';
import {
  edgeVerifiers,
  everyTwist,
  gTwist,
  gVerifier,
  isPkceText,
  redirectMisses,
  spaced,
} from '../../generators/oauth.js';
import type { Twist } from '../../generators/oauth.js';
import type { Role } from '../../target/target.js';
import { codeClientChecks } from './code-client.js';
import { codeLifeChecks } from './code-life.js';
import { codeScopeChecks } from './code-scope.js';
import { again, exchanging, issued, omission } from './exchange.js';
import { anyRole, checkEach, codeRoles, fieldOf, gotCode, missed, put } from './outcome.js';

/** Approves and exchanges with a given verifier, all of which must work. */
async function withVerifier(run: Run, role: Role, verifier: string): Promise<void> {
  const request = run.oauth.authorizationRequest(role, { verifier });
  const redirect = await run.oauth.authorize(request.fields);
  gotCode(run, redirect, request);
  const code = { ...request, account: 'alice', code: redirect.code!, scopes: [] };
  issued(run, role, null, await run.oauth.exchange(code));
}

const otherCase = (text: string): string =>
  text.replaceAll(/[a-z]/gi, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  );

const flipped = (text: string, at: number): string =>
  `${text.slice(0, at)}${text[at] === 'x' ? 'y' : 'x'}${text.slice(at + 1)}`;

const base64url = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** Another last character. Of the last one of 43 decoders drop two bits, so it is four places away. */
const otherwiseEnded = (text: string): string =>
  text.slice(0, -1) + base64url[(base64url.indexOf(text.at(-1)!) + 4) % base64url.length]!;

/** Challenges that miss the verifier's own. */
const challengeMisses: readonly { readonly what: string; readonly miss: (challenge: string) => string }[] = [
  { what: 'in another case', miss: otherCase },
  { what: 'that differs at its beginning', miss: (challenge) => flipped(challenge, 0) },
  { what: 'that differs near its end', miss: (challenge) => flipped(challenge, challenge.length - 2) },
  { what: 'that differs at its end', miss: otherwiseEnded },
];

/** A code of a request with another challenge than the verifier's. */
async function codeWith(run: Run, role: Role, miss: (challenge: string) => string): Promise<Code> {
  const request = run.oauth.authorizationRequest(role);
  const redirect = await run.oauth.authorize(
    put('code_challenge', miss(challengeOf(request.verifier)))(request.fields),
  );
  if (redirect.code === null) throw new PrerequisiteFailed('a request with another challenge gave no code');
  return { ...request, account: 'alice', code: redirect.code, scopes: [] };
}

/** AUTH-CODE: the exchange of a code (interface 3, 4.1, RFC 6749 4.1.3, RFC 7636 4.5, 4.6). */
export default group('oauth/code', [
  checkEach({
    id: 'AUTH-CODE-001',
    level: 'MUST',
    sentence:
      'A code with its verifier, redirect_uri and client credentials yields 200 with an access token, to confidential and public clients.',
    source: '3,4.1',
    needs: [['client:confidential', 'client:public'], 'consent'],
    judge: async (run, role) => {
      const code = await run.oauth.code(role);
      issued(run, role, code.account, await run.oauth.exchange(code));
    },
  }),

  ...codeLifeChecks,

  checkEach({
    id: 'AUTH-CODE-004',
    level: 'MUST',
    sentence: 'A wrong code_verifier is refused.',
    source: '3',
    needs: [['client:confidential', 'client:public'], 'consent'],
    judge: async (run, role) => {
      // Text that is no verifier at all may be called a bad request.
      const refuse = await exchanging(run, role, (fields) => ({
        errors: isPkceText(fieldOf(fields, 'code_verifier')) ? ['invalid_grant'] : ['invalid_grant', 'invalid_request'],
      }));
      const narrowly = (twist: Twist) => refuse(`a verifier missed by ${twist.kind}`, missed('code_verifier', twist));
      await run.expect.each('refused', everyTwist, narrowly);
      for (const at of [0, 1]) {
        const space = put('code_verifier', (old) => spaced(old)[at]!);
        await refuse(`a verifier with a space ${at === 0 ? 'after' : 'before'} it`, space);
      }
      await refuse(
        'a verifier with the padding of base64 behind it',
        put('code_verifier', (old) => `${old}=`),
      );
      await refuse('a wrong verifier for the second time', again(run, put('code_verifier', 'a'.repeat(64))));
      // Each code has a challenge of its own, and it is compared to the last character.
      await refuse('the verifier of another code', async (fields) =>
        put('code_verifier', (await run.oauth.code(role)).verifier)(fields),
      );
      await run.expect.each('the verifier of a challenge $what', challengeMisses, ({ miss }) =>
        refuse('refused', async () => run.oauth.exchangeFields(await codeWith(run, role, miss))),
      );
      await run.expect.property('any other verifier', fc.oneof(gTwist, gVerifier), { share: 0.05 }, (other) =>
        typeof other === 'string' ? refuse('another verifier', put('code_verifier', other)) : narrowly(other),
      );
    },
  }),

  omission(
    {
      id: 'AUTH-CODE-005',
      level: 'MUST',
      sentence: 'A missing code_verifier is refused.',
      source: '4.1',
      needs: [['client:confidential', 'client:public'], 'consent'],
    },
    'code_verifier',
    ['invalid_request', 'invalid_grant'],
  ),

  checkEach({
    id: 'AUTH-CODE-006',
    level: 'MUST',
    sentence: 'The code_challenge itself is refused as the verifier.',
    source: '4.1',
    needs: [['client:confidential', 'client:public'], 'consent'],
    judge: async (run, role) => {
      const refuse = await exchanging(run, role, ['invalid_grant']);
      await refuse('the challenge as verifier', put('code_verifier', challengeOf));
    },
  }),

  check({
    id: 'AUTH-CODE-007',
    level: 'MUST-RFC',
    sentence:
      'Any verifier of RFC 7636 4.1 is accepted with its S256 challenge: 43 to 128 characters of A-Z a-z 0-9 - . _ ~.',
    source: '4.1',
    needs: [['client:confidential', 'client:public'], 'consent'],
    judge: async (run) => {
      const role = anyRole(run);
      await run.expect.each('verifier %s', edgeVerifiers, (verifier) => withVerifier(run, role, verifier));
      await run.expect.property('any verifier', gVerifier, { share: 0.15 }, (verifier) =>
        withVerifier(run, role, verifier),
      );
    },
  }),

  check({
    id: 'AUTH-CODE-008',
    level: 'MUST',
    sentence: 'Challenges with `-` or `_` work, without padding: they are base64url, not base64.',
    source: '4.1',
    needs: [['client:confidential', 'client:public'], 'consent'],
    judge: async (run) => {
      const role = anyRole(run);
      for (const marks of [/-/, /_/, /^(?=[^-]*-)[^_]*_/]) {
        await run.expect.property(
          'a verifier whose challenge has - or _',
          gVerifier.filter((verifier) => marks.test(challengeOf(verifier))),
          { share: 0.04 },
          (verifier) => withVerifier(run, role, verifier),
        );
      }
    },
  }),

  checkEach({
    id: 'AUTH-CODE-009',
    level: 'MUST-RFC',
    sentence: 'A code works once: the second exchange is refused.',
    source: '4.1',
    needs: [['client:confidential', 'client:public'], 'consent'],
    judge: async (run, role) => {
      const refuse = await exchanging(run, role, ['invalid_grant']);
      await refuse('a second exchange', async (fields) => {
        await run.oauth.tokenRequest(fields);
        return fields;
      });
      // Whether a failed exchange uses up the code is open (K-078), but not that a successful one does.
      await run.expect.each('after one that failed for its %s', ['code_verifier', 'redirect_uri'], (name) =>
        refuse('a second exchange', async (fields) => {
          const wrong = name === 'redirect_uri' ? 'https://attacker.example/' : 'a'.repeat(64);
          await run.oauth.tokenRequest(put(name, wrong)(fields));
          await run.oauth.tokenRequest(fields);
          return fields;
        }),
      );
    },
  }),

  check({
    id: 'AUTH-CODE-010',
    level: 'MUST-RFC',
    sentence: 'Of several exchanges of one code at the same time at most one succeeds.',
    source: '4.1',
    needs: [['client:confidential', 'client:public'], 'consent'],
    judge: async (run) => {
      const role = anyRole(run);
      const together = async (count: number, by: Role = role): Promise<void> => {
        const fields = run.oauth.exchangeFields(await run.oauth.code(by));
        const answers = await run.http.race(Array.from({ length: count }, () => ({ path: '/oauth/token', fields })));
        const successes = answers.filter(({ status }) => status >= 200 && status < 300);
        if (successes.length > 1) run.facts.lifecycle.usedTwice.add('exchange');
        run.expect.underAnyLoad(
          successes.length <= 1,
          `at most one of ${count} exchanges to succeed`,
          `${successes.length} successes`,
          successes[1],
        );
        if (successes.length === 0)
          run.expect.warn(`none of ${count} exchanges at the same time succeeded`, answers[0]);
      };
      await run.expect.each('%s at once', [2, 3, 8, 8], (count) => together(count));
      await run.expect.each(
        '8 at once by client %s',
        codeRoles(run).filter((other) => other !== role),
        async (other) => {
          await together(8, other);
          await together(8, other);
        },
      );
      await run.expect.property('any number at once', fc.integer({ min: 2, max: 8 }), { share: 0.04 }, (count) =>
        together(count),
      );
    },
  }),

  check({
    id: 'AUTH-CODE-011',
    level: 'SHOULD-RFC',
    sentence: 'When a code is used again, the tokens that were issued from it are revoked.',
    source: '4.1',
    gap: 'K-077',
    needs: [['client:confidential', 'client:public'], 'consent'],
    judge: async (run) => {
      const code = await run.oauth.code(anyRole(run));
      const fields = run.oauth.exchangeFields(code);
      const first = await run.oauth.tokenRequest(fields);
      if (!succeeded(first)) throw new PrerequisiteFailed(`the exchange of a code was answered with ${first.status}`);
      const { access, refresh, scopes } = grantOf(code.role, code.account, first);
      // What a refresh gave is issued on the code too.
      const renewed = refresh === undefined ? undefined : await run.oauth.refresh(code.role, refresh);
      const last = renewed && succeeded(renewed) ? grantOf(code.role, code.account, renewed) : undefined;
      const again = await run.oauth.tokenRequest(fields);
      if (again.status >= 200 && again.status < 300) {
        return run.expect.notExercised('the second exchange was not refused (AUTH-CODE-009)');
      }
      if (!scopes.includes('account:profile')) return run.expect.notExercised('no token with account:profile to try');
      const tokens = { 'the access token': access, ...(last && { 'the access token of a refresh': last.access }) };
      for (const [which, token] of Object.entries(tokens)) {
        const { status } = await run.http.data('getProfile', { token });
        if (status !== 401) run.expect.warn(`${which} after a code that was used again still works (status ${status})`);
        else run.expect.note(`After a code was used again, ${which} is revoked.`);
      }
    },
  }),

  omission(
    {
      id: 'AUTH-CODE-012',
      level: 'MUST',
      sentence: 'redirect_uri is required in the exchange.',
      source: '4.1',
      needs: [['client:confidential', 'client:public'], 'consent'],
    },
    'redirect_uri',
    ['invalid_request', 'invalid_grant'],
  ),

  checkEach({
    id: 'AUTH-CODE-013',
    level: 'MUST',
    sentence: 'The redirect_uri of the exchange must be the one that the code was received with.',
    source: '4.1',
    gap: 'K-082',
    needs: [['client:confidential', 'client:public'], 'consent'],
    judge: async (run, role) => {
      const { redirect_uri } = run.oauth.authorizationRequest(role);
      // RFC 6749 3.1.2 forbids a fragment, so a URI with one may be called a bad request.
      const refuse = await exchanging(run, role, (fields) => ({
        errors: fieldOf(fields, 'redirect_uri').includes('#')
          ? ['invalid_grant', 'invalid_request']
          : ['invalid_grant'],
      }));
      const others = run.oauth
        .client(role)
        .redirect_uris.filter((uri) => uri !== redirect_uri)
        .map((uri) => ({ what: 'another registered URI', uri }));
      await run.expect.each(
        '$what, $uri',
        [...others, ...redirectMisses(redirect_uri, { registered: others.map(({ uri }) => uri) })],
        ({ uri }) => refuse('refused', put('redirect_uri', uri)),
      );
      const foreign = put('redirect_uri', 'https://attacker.example/');
      await refuse('another URI for the second time', again(run, foreign));
    },
  }),

  omission(
    {
      id: 'AUTH-CODE-015',
      level: 'MUST',
      sentence: 'An exchange without `code` is refused.',
      source: '4.1',
      needs: [['client:confidential', 'client:public'], 'consent'],
    },
    'code',
    ['invalid_request'],
  ),

  check({
    id: 'AUTH-CODE-016',
    level: 'MUST-RFC',
    sentence: 'An unknown code is refused.',
    source: '4.1',
    needs: ['client:confidential', 'consent'],
    judge: async (run) => {
      const refuse = await exchanging(run, 'confidential', ['invalid_grant']);
      const narrowly = (twist: Twist) =>
        refuse(`a code missed by ${twist.kind}`, missed('code', twist, { encoded: true }));
      await run.expect.each('refused', everyTwist, narrowly);
      await run.expect.property('any code near to one', gTwist, { share: 0.04 }, narrowly);
      await run.expect.property('any other code', gVerifier, { share: 0.04 }, (other) =>
        refuse('a code that was never issued', put('code', other)),
      );
    },
  }),

  ...codeScopeChecks,

  ...codeClientChecks,

  observation({
    id: 'AUTH-CODE-024',
    sentence: 'Whether a failed exchange uses up the code is not stated.',
    source: '3',
    gap: 'K-078',
    needs: [['client:confidential', 'client:public'], 'consent'],
    observe: async (run, note) => {
      const code = await run.oauth.code(anyRole(run));
      const fields = run.oauth.exchangeFields(code);
      await run.oauth.tokenRequest(put('code_verifier', 'a'.repeat(64))(fields));
      const { status } = await run.oauth.tokenRequest(fields);
      note(`A failed exchange ${status === 200 ? 'leaves the code as it is' : 'uses up the code'}.`);
    },
  }),
]);
