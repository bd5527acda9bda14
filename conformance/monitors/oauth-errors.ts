import { tokenErrors } from '../engine/monitors.js';
import { isObject } from '../json.js';
import { header, isJson } from '../wire/answer.js';
import type { Answer } from '../wire/answer.js';
import type { Findings } from './findings.js';
import { answers } from './rule.js';
import type { Rule, MonitorRow, Rules } from './rule.js';
import { isError, isRefusal, ofTokenEndpoint, sentHeader, withheld } from './token-answers.js';
import { given, own, show } from './values.js';

/** The rule of a row that names an error code: refusals for which it is the right one say so. What is no code at all is TOK-ERR-001. */
const namedCode =
  (code: string): Rule =>
  () => ({
    refused({ from, status, error, answer }, { errors: right = [], alike = [], by }, findings) {
      if (from !== 'token' || right[0] !== code || !tokenErrors.has(error)) return;
      findings.look();
      const told = String(error);
      if (right.includes(told)) return;
      if (alike.includes(told))
        findings.warn(`refused with ${told} instead of ${right.join(' or ')}, in a case of ${by}`);
      else
        findings.fail(`error ${right.join(' or ')}, in a case of ${by}`, `status ${status} with error ${told}`, answer);
    },
  });

/** A body that could hold anything, secrets among it, by its size. */
const unread = ({ text, problem }: Answer): string =>
  problem ?? `a body of ${text.length} characters that is no JSON object`;

/** Of what characters the texts beside an error are, in redirects and in bodies (RFC 6749 4.1.2.1, 5.2). */
export const errorTexts = {
  error_description: [/^[\x20\x21\x23-\x5B\x5D-\x7E]*$/, 'an error_description of printable ASCII without " and \\'],
  error_uri: [/^[\x21\x23-\x5B\x5D-\x7E]*$/, 'an error_uri of printable ASCII without space, " and \\'],
} as const;

/** What RFC 6749 5.2 and 4.1.2.1, RFC 6750 3.1 and RFC 7009 2.2.1 have for errors. */
const errorCodes: ReadonlySet<unknown> = new Set([
  ...tokenErrors,
  'unsupported_token_type',
  'invalid_token',
  'insufficient_scope',
  'access_denied',
  'server_error',
  'temporarily_unavailable',
]);

/** A code of RFC 6749 or of what extends it (8.5), and no sentence or name of a status. */
function judgeCode(answer: Answer, error: string, findings: Findings): void {
  if (errorCodes.has(error)) return;
  if (/^[a-z][a-z0-9_]*$/.test(error)) findings.warn(`$.error is ${show(error)}, which no RFC for it has.`);
  else findings.fail(`an error code, such as ${[...tokenErrors][0]}`, `$.error is ${show(error)}`, answer);
}

/**
 * An error as RFC 6749 5.2 has it sent: as application/json, its texts of the characters that are permitted. In JSON a
 * quotation mark does no harm, so a text with others is no more than a warning.
 */
function judgeForm(answer: Answer, findings: Findings): void {
  if (!isJson(answer))
    findings.fail('Content-Type: application/json', `Content-Type: ${show(header(answer, 'content-type'))}`, answer);
  else if (answer.problem !== undefined) findings.fail('a JSON object', answer.problem, answer);
  for (const [name, [permitted, expected]] of Object.entries(errorTexts)) {
    const text = own(answer.json, name);
    if (given(text) && !(typeof text === 'string' && permitted.test(text)))
      findings.warn(`$.${name} is ${show(text)}; RFC 6749 5.2 has ${expected}.`);
  }
}

/**
 * The challenge of a 401 to whoever sent an Authorization header (RFC 6749 5.2, RFC 6750 3). A server that knows the
 * client by its credentials alone may well name no scheme but Basic.
 */
function judgeChallenge(answer: Answer, challenge: string | undefined, findings: Findings): void {
  const [, scheme] = /^(\S+) /.exec(sentHeader(answer, 'authorization') ?? '') ?? [];
  if (answer.status !== 401 || scheme === undefined) return;
  if (challenge === undefined)
    findings.fail('WWW-Authenticate beside status 401, as the request has an Authorization header', 'none', answer);
  else if (!/^[\w!#$%&'*+.^`|~-]+(?: |,|$)/.test(challenge))
    findings.fail('a scheme at the start of WWW-Authenticate', show(challenge), answer);
  else if (!new Set(challenge.toLowerCase().split(/[ ,]+/)).has(scheme.toLowerCase()))
    findings.warn(`A 401 to ${scheme} credentials has a challenge without that scheme.`);
}

/** Rows of errors of the authorization server (RFC 6749 5.2; RFC 6750 3). */
export const oauthErrors: readonly MonitorRow[] = [
  {
    id: 'TOK-ERR-001',
    level: 'MUST',
    sentence:
      'Errors of the token endpoint follow RFC 6749 5.2: a JSON object with one of its `error` codes and status 400, or 401 for invalid_client.',
    source: '4.1,5.1,7',
    gap: 'K-080',
    rule: answers((answer, findings) => {
      const { status } = answer;
      if (!ofTokenEndpoint(answer) || !isError(answer) || !isRefusal(answer)) return;
      findings.look();
      const error = own(answer.json, 'error');
      if (!tokenErrors.has(error)) {
        findings.fail(
          `error one of ${[...tokenErrors].join(', ')}`,
          isObject(answer.json) ? `$.error is ${show(error)}` : unread(answer),
          answer,
        );
      } else if (status !== 400 && !(status === 401 && error === 'invalid_client')) {
        findings.fail(
          error === 'invalid_client' ? 'status 400 or 401' : 'status 400',
          `status ${status} with error ${String(error)}`,
          answer,
        );
      } else judgeForm(answer, findings);
    }),
  },
  {
    id: 'TOK-ERR-010',
    level: 'INFER',
    sentence: 'Error bodies hold no token.',
    source: '4.1',
    entailed: '4.1: an error response issues nothing (RFC 6749 5.2)',
    rule: answers((answer, findings) => {
      if (!ofTokenEndpoint(answer) || answer.status < 400) return;
      findings.look();
      for (const name of ['access_token', 'refresh_token']) {
        const token = own(answer.json, name);
        if (token !== undefined && token !== null)
          findings.fail(`no ${name} beside status ${answer.status}`, `$.${name} is ${withheld(token)}`, answer);
      }
    }),
  },
  {
    id: 'REV-015',
    level: 'MUST',
    sentence:
      'Errors of the revocation and introspection endpoints have the shape of RFC 6749 5.2 or RFC 6750, a JSON object with a string `error`, and not that of data errors; a 401 to an Authorization header has a WWW-Authenticate.',
    source: '5.1',
    needs: ['revoke'],
    rule: answers((answer, findings) => {
      const { asked, status, json } = answer;
      if (asked.operation !== 'revokeToken' && asked.operation !== 'introspectToken') return;
      if (answer.request.method !== 'POST' || status < 400 || !isRefusal(answer)) return;
      // Nothing is there that could have errors.
      if (status === 404 || status === 501) return;
      findings.look();
      const error = own(json, 'error');
      const challenge = header(answer, 'www-authenticate');
      const isChallenged = challenge !== undefined;
      judgeChallenge(answer, challenge, findings);
      // RFC 6750 carries the error in the challenge, and none at all where no token was sent.
      if (typeof error === 'string') {
        judgeCode(answer, error, findings);
        if (!isChallenged) judgeForm(answer, findings);
        return;
      }
      if (error === undefined && isChallenged) return;
      findings.fail(
        'a JSON body whose error is a text, or a challenge and no error in the body',
        json === undefined ? unread(answer) : `$.error is ${show(error)}`,
        answer,
      );
    }),
  },
];

/** What a refusal says in the case that a check has brought about; the requirements stand beside those checks. */
export const refusals: Rules = {
  'TOK-ERR-015': namedCode('invalid_grant'),
  'TOK-ERR-016': namedCode('invalid_client'),
  'TOK-ERR-017': namedCode('invalid_request'),
  'TOK-ERR-018': namedCode('invalid_scope'),
  'TOK-ERR-019': namedCode('unauthorized_client'),
  'ERR-001': () => ({
    refused({ status, answer }, { status: right, by }, findings) {
      if (right === undefined) return;
      findings.look();
      const why = right === 401 ? 'a token that has ended' : 'a token without the scope';
      if (status !== right) findings.fail(`status ${right} for ${why}, in a case of ${by}`, `status ${status}`, answer);
    },
  }),
};
