import { createHash } from 'node:crypto';

import { isObject } from '../json.js';
import type { JsonObject } from '../json.js';
import { scopes } from '../../src/contract/index.js';
import { header, isJson } from '../wire/answer.js';
import type { Answer } from '../wire/answer.js';
import { answers, asDescribed } from './rule.js';
import type { Listener, Rule, MonitorRow } from './rule.js';
import type { Findings } from './findings.js';
import { isGrant, withheld } from './token-answers.js';
import { own, show } from './values.js';

const granted =
  (judge: (body: JsonObject, answer: Answer, findings: Findings) => void): Rule =>
  () => ({
    answer(answer, findings) {
      if (isGrant(answer) && isObject(answer.json)) judge(answer.json, answer, findings);
    },
  });

/** The grant type, by what the suite meant or by what it sent. */
function grantOf({ asked, request }: Answer): string | undefined {
  return (
    asked.grant ??
    (request.body === undefined ? undefined : (new URLSearchParams(request.body).get('grant_type') ?? undefined))
  );
}

/** Whether it is what a life has left a few seconds after it began: many a server takes the end and subtracts the time. */
const isLeftOf = (life: number, expires: unknown): boolean =>
  Number.isInteger(expires) && Number(expires) < life && Number(expires) >= life - 5;

const b64token = /^[A-Za-z0-9\-._~+/]+=*$/;
/** The life that the answer states, for user tokens of one kind of client. */
const life =
  (client: 'confidential' | 'public', lives: readonly number[]): Rule =>
  () => ({
    answer(answer, findings) {
      if (!isGrant(answer) || answer.asked.client !== client) return;
      const grant = grantOf(answer);
      const expires = own(answer.json, 'expires_in');
      const got = `$.expires_in is ${show(expires)}`;
      if (expires !== null && typeof expires !== 'number') return;
      if (grant === 'authorization_code') {
        findings.look();
        if (lives.includes(expires as number)) return;
        if (lives.some((life) => isLeftOf(life, expires)))
          findings.warn(`${got}: what was left of ${lives.join(' or ')} s when the response was written.`);
        else findings.fail(`expires_in ${lives.join(' or ')}`, got, answer);
      } else if (grant === 'refresh_token' && !lives.includes(expires as number)) {
        // A refreshed token may be bounded by the end of its chain (K-087, K-088), which makes its life no longer.
        const isShorter = expires !== null && expires > 0 && expires <= Math.max(...lives);
        if (isShorter) findings.warn(`After a refresh ${got} instead of ${lives.join(' or ')}.`);
        else findings.fail(`after a refresh expires_in ${lives.join(' or ')}, or less`, got, answer);
      }
    },
  });

function distinctTokens(): Listener {
  const seen = new Set<string>();
  return {
    answer(answer, findings) {
      if (!isGrant(answer)) return;
      for (const name of ['access_token', 'refresh_token']) {
        const token = own(answer.json, name);
        if (typeof token !== 'string' || token === '') continue;
        findings.look();
        const print = createHash('sha256').update(token).digest('base64');
        if (seen.has(print))
          findings.fail('tokens that are all different', `$.${name} is one that was issued before`, answer);
        else if (seen.size < 200_000) seen.add(print);
      }
    },
  };
}

/**
 * Rows of successful token answers (interface 4.1; RFC 6749 5.1; RFC 6750 2.1). What is missing or of a wrong type is
 * TOK-RESP-001, and no other row judges it.
 */
export const tokens: readonly MonitorRow[] = [
  {
    id: 'TOK-RESP-001',
    level: 'MUST',
    sentence:
      'access_token, expires_in, token_type, scope, username and sub are all there in every success response, each of its type; only expires_in may be null.',
    source: '4.1',
    rule: asDescribed(
      ['access_token', 'expires_in', 'token_type', 'scope', 'username', 'sub'].map((name) => `TokenResponse.${name}`),
      { kinds: ['missing', 'null', 'type'] },
    ),
  },
  {
    id: 'TOK-RESP-002',
    level: 'MUST',
    sentence: 'token_type is `bearer`.',
    source: '4.1',
    rule: granted(({ token_type }, answer, findings) => {
      if (typeof token_type !== 'string') return;
      findings.look();
      if (token_type === 'bearer') return;
      const got = `$.token_type is ${show(token_type)}`;
      if (token_type.toLowerCase() === 'bearer') findings.warn(`${got}; the interface writes "bearer".`);
      else findings.fail('token_type "bearer"', got, answer);
    }),
  },
  {
    id: 'TOK-RESP-003',
    level: 'MUST',
    sentence:
      "expires_in of a confidential client's user token is 2592000, or 2419200, which is the life that the interface states elsewhere.",
    source: '4.1',
    gap: 'K-001',
    needs: ['client:confidential', 'consent'],
    rule: life('confidential', [2592000, 2419200]),
  },
  {
    id: 'TOK-RESP-004',
    level: 'MUST',
    sentence: 'expires_in of a client-credentials token is null.',
    source: '4.1',
    needs: ['client:service'],
    rule: granted((body, answer, findings) => {
      if (grantOf(answer) !== 'client_credentials') return;
      const expires = own(body, 'expires_in');
      if (expires !== null && typeof expires !== 'number') return;
      findings.look();
      if (expires !== null) findings.fail('expires_in null', `$.expires_in is ${show(expires)}`, answer);
    }),
  },
  {
    id: 'TOK-RESP-005',
    level: 'INFER',
    sentence: "expires_in of a public client's token is 36000, its life of 10 hours in seconds.",
    source: '4.1,5.4',
    entailed: '4.1, 5.4: expires_in is in seconds, and the life is stated: two ways to say one fact',
    gap: 'K-087',
    needs: ['client:public', 'consent'],
    rule: life('public', [36000]),
  },
  {
    id: 'TOK-RESP-006',
    level: 'MUST',
    sentence: 'scope is a string of scopes separated by spaces, each one of the 15 of the interface.',
    source: '4.1',
    rule: granted(({ scope }, answer, findings) => {
      if (typeof scope !== 'string') return;
      findings.look();
      const got = `$.scope is ${show(scope)}`;
      if (scope === '') findings.warn('A token was granted with an empty scope.');
      else if (!scope.split(' ').every((word) => Object.hasOwn(scopes, word))) {
        findings.fail('scopes of the interface, separated by single spaces', got, answer);
      }
    }),
  },
  {
    id: 'TOK-RESP-008',
    level: 'MUST',
    sentence: 'sub is a UUID string.',
    source: '4.1',
    rule: asDescribed(['TokenResponse.sub'], { kinds: ['format', 'pattern'] }),
  },
  {
    id: 'TOK-RESP-012',
    level: 'MUST-RFC',
    sentence: 'Responses with tokens carry Cache-Control: no-store (RFC 6749 5.1).',
    source: '4.1',
    rule: granted((_body, answer, findings) => {
      findings.look();
      const control = header(answer, 'cache-control');
      const stores = control?.split(',').every((directive) => directive.trim().toLowerCase() !== 'no-store') ?? true;
      if (stores) findings.fail('Cache-Control: no-store', `Cache-Control: ${show(control)}`, answer);
    }),
  },
  {
    id: 'TOK-RESP-013',
    level: 'MUST-RFC',
    sentence: 'Responses with tokens carry Pragma: no-cache (RFC 6749 5.1).',
    source: '4.1',
    rule: granted((_body, answer, findings) => {
      findings.look();
      const pragma = header(answer, 'pragma');
      // RFC 6749 asks for it, and RFC 9111 has made it obsolete.
      if (!/(^|[\s,])no-cache/i.test(pragma ?? ''))
        findings.warn(
          pragma === undefined
            ? 'Token responses have no Pragma: no-cache.'
            : `Token responses have Pragma: ${show(pragma)} instead of no-cache.`,
        );
    }),
  },
  {
    id: 'TOK-RESP-014',
    level: 'MUST',
    sentence: 'A success response has status 200 and is application/json.',
    source: '4.1',
    rule: answers((answer, findings) => {
      if (!isGrant(answer)) return;
      findings.look();
      if (answer.status !== 200) findings.fail('status 200', `status ${answer.status}`, answer);
      else if (!isJson(answer))
        findings.fail(
          'Content-Type: application/json',
          `Content-Type: ${show(header(answer, 'content-type'))}`,
          answer,
        );
      else if (answer.problem !== undefined || !isObject(answer.json))
        findings.fail(
          'a JSON object',
          answer.problem ?? `a body of ${answer.text.length} characters that is none`,
          answer,
        );
    }),
  },
  {
    id: 'TOK-RESP-015',
    level: 'INFER',
    sentence: 'All access tokens and refresh tokens of a run are different from each other.',
    source: '4.1',
    plausible: 'a server may answer two requests with one token that is still valid',
    rule: distinctTokens,
  },
  {
    id: 'TOK-RESP-016',
    level: 'MUST-RFC',
    sentence: 'access_token fits the b64token syntax of RFC 6750 2.1, so that it can be sent in the header.',
    source: '5.2',
    rule: granted(({ access_token }, answer, findings) => {
      if (typeof access_token !== 'string') return;
      findings.look();
      if (b64token.test(access_token)) return;
      findings.fail(
        'an access_token of letters, digits and -._~+/, then =',
        `$.access_token is ${withheld(access_token)}`,
        answer,
      );
    }),
  },
  {
    id: 'TOK-CC-002',
    level: 'MUST',
    sentence: 'A client-credentials response has no refresh_token.',
    source: '4.1',
    needs: ['client:service'],
    rule: granted((body, answer, findings) => {
      if (grantOf(answer) !== 'client_credentials') return;
      findings.look();
      if (Object.hasOwn(body, 'refresh_token')) {
        findings.fail('no refresh_token member', `$.refresh_token is ${withheld(body['refresh_token'])}`, answer);
      }
    }),
  },
];
