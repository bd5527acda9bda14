import { createHash } from 'node:crypto';

import { scopes } from '../../src/contract/index.js';
import { header } from '../wire/answer.js';
import type { Answer } from '../wire/answer.js';
import { isJson } from './general.js';
import { succeeded } from './reply.js';
import { asDescribed } from './rule.js';
import type { Listener, Rule, Rules } from './rule.js';
import type { Sheet } from './sheet.js';
import { isObject, own, show } from './values.js';
import type { JsonObject } from './values.js';

/** Answers of the token endpoint to a POST, which is the only method that the interface has there. */
const ofTokenEndpoint = ({ asked, request }: Answer): boolean =>
  asked.operation === 'issueToken' && request.method.toUpperCase() === 'POST';

/** Whether a token answer is an error, whatever its status says. */
const isError = (answer: Answer): boolean =>
  answer.status >= 400 ||
  (typeof own(answer.json, 'error') === 'string' && own(answer.json, 'access_token') === undefined);

/** Whether an answer grants a token, or means to. */
export const isGrant = (answer: Answer): boolean => ofTokenEndpoint(answer) && succeeded(answer) && !isError(answer);

/** Refusals that HTTP makes before OAuth is asked: method, length, media type, too many requests. */
const ofHttp: ReadonlySet<number> = new Set([405, 406, 408, 411, 413, 414, 415, 417, 429, 431]);

const granted =
  (judge: (body: JsonObject, answer: Answer, sheet: Sheet) => void): Rule =>
  () => ({
    answer(answer, sheet) {
      if (isGrant(answer) && isObject(answer.json)) judge(answer.json, answer, sheet);
    },
  });

/** The grant type, by what the suite meant or by what it sent. */
function grantOf({ asked, request }: Answer): string | undefined {
  return (
    asked.grant ??
    (request.body === undefined ? undefined : (new URLSearchParams(request.body).get('grant_type') ?? undefined))
  );
}

const b64token = /^[A-Za-z0-9\-._~+/]+=*$/;
const errors: ReadonlySet<unknown> = new Set([
  'invalid_request',
  'invalid_client',
  'invalid_grant',
  'unauthorized_client',
  'unsupported_grant_type',
  'invalid_scope',
]);

/** How a value is said to be without saying it. */
const withheld = (value: unknown): string =>
  typeof value === 'string' ? `a text of ${value.length} characters` : show(value);

/** The life that the answer states, for user tokens of one kind of client. */
const life =
  (client: 'confidential' | 'public', lives: readonly number[]): Rule =>
  () => ({
    answer(answer, sheet) {
      if (!isGrant(answer) || answer.asked.client !== client) return;
      const grant = grantOf(answer);
      const expires = own(answer.json, 'expires_in');
      const got = `$.expires_in is ${show(expires)}`;
      if (grant === 'authorization_code') {
        sheet.look();
        if (!lives.includes(expires as number)) sheet.fail(`expires_in ${lives.join(' or ')}`, got, answer);
      } else if (grant === 'refresh_token' && !lives.includes(expires as number)) {
        // A refreshed token may be bounded by the end of its chain (K-087, K-088).
        sheet.warn(`After a refresh ${got} instead of ${lives.join(' or ')}.`);
      }
    },
  });

function distinctTokens(): Listener {
  const seen = new Set<string>();
  return {
    answer(answer, sheet) {
      if (!isGrant(answer)) return;
      for (const name of ['access_token', 'refresh_token']) {
        const token = own(answer.json, name);
        if (typeof token !== 'string' || token === '') continue;
        sheet.look();
        const print = createHash('sha256').update(token).digest('base64');
        if (seen.has(print))
          sheet.fail('tokens that are all different', `$.${name} is one that was issued before`, answer);
        else if (seen.size < 200_000) seen.add(print);
      }
    },
  };
}

/** Rows of successful token answers (interface 4.1; RFC 6749 5.1; RFC 6750 2.1). */
export const tokens: Rules = {
  'TOK-RESP-001': asDescribed(
    ['access_token', 'expires_in', 'token_type', 'scope', 'username', 'sub'].map((name) => `TokenResponse.${name}`),
    { kinds: ['missing', 'null', 'type'] },
  ),
  'TOK-RESP-002': granted(({ token_type }, answer, sheet) => {
    sheet.look();
    if (token_type === 'bearer') return;
    const got = `$.token_type is ${show(token_type)}`;
    if (typeof token_type === 'string' && token_type.toLowerCase() === 'bearer')
      sheet.warn(`${got}; the interface writes "bearer".`);
    else sheet.fail('token_type "bearer"', got, answer);
  }),
  'TOK-RESP-003': life('confidential', [2592000, 2419200]),
  'TOK-RESP-004': granted((body, answer, sheet) => {
    if (grantOf(answer) !== 'client_credentials') return;
    sheet.look();
    if (own(body, 'expires_in') !== null)
      sheet.fail('expires_in null', `$.expires_in is ${show(own(body, 'expires_in'))}`, answer);
  }),
  'TOK-RESP-005': life('public', [36000]),
  'TOK-RESP-006': granted(({ scope }, answer, sheet) => {
    sheet.look();
    const got = `$.scope is ${show(scope)}`;
    if (scope === '') sheet.warn('A token was granted with an empty scope.');
    else if (typeof scope !== 'string' || !scope.split(' ').every((word) => Object.hasOwn(scopes, word))) {
      sheet.fail('scopes of the interface, separated by single spaces', got, answer);
    }
  }),
  'TOK-RESP-008': asDescribed(['TokenResponse.sub']),
  'TOK-RESP-012': granted((_body, answer, sheet) => {
    sheet.look();
    const control = header(answer, 'cache-control');
    const stores = control?.split(',').every((directive) => directive.trim().toLowerCase() !== 'no-store') ?? true;
    if (stores) sheet.fail('Cache-Control: no-store', `Cache-Control: ${show(control)}`, answer);
  }),
  'TOK-RESP-013': granted((_body, answer, sheet) => {
    sheet.look();
    const pragma = header(answer, 'pragma');
    // RFC 6749 asks for it, and RFC 9111 has made it obsolete.
    if (!/(^|[\s,])no-cache/i.test(pragma ?? ''))
      sheet.warn(`Token answers come with Pragma: ${show(pragma)} instead of no-cache.`);
  }),
  'TOK-RESP-014': () => ({
    answer(answer, sheet) {
      if (!isGrant(answer)) return;
      sheet.look();
      if (answer.status !== 200) sheet.fail('status 200', `status ${answer.status}`, answer);
      else if (!isJson(answer))
        sheet.fail('Content-Type: application/json', `Content-Type: ${show(header(answer, 'content-type'))}`, answer);
      else if (!isObject(answer.json))
        sheet.fail('a JSON object', `a body of ${answer.text.length} characters that is none`, answer);
    },
  }),
  'TOK-RESP-015': distinctTokens,
  'TOK-RESP-016': granted(({ access_token }, answer, sheet) => {
    sheet.look();
    if (typeof access_token === 'string' && b64token.test(access_token)) return;
    sheet.fail(
      'an access_token of letters, digits and -._~+/, then =',
      `$.access_token is ${withheld(access_token)}`,
      answer,
    );
  }),
  'TOK-CC-002': granted((body, answer, sheet) => {
    if (grantOf(answer) !== 'client_credentials') return;
    sheet.look();
    if (Object.hasOwn(body, 'refresh_token')) {
      sheet.fail('no refresh_token member', `$.refresh_token is ${withheld(body['refresh_token'])}`, answer);
    }
  }),
};

/** Rows of errors of the authorization server (RFC 6749 5.2; RFC 6750 3). */
export const oauthErrors: Rules = {
  'TOK-ERR-001': () => ({
    answer(answer, sheet) {
      const { status } = answer;
      if (!ofTokenEndpoint(answer) || !isError(answer) || status >= 500 || ofHttp.has(status) || !isForm(answer))
        return;
      sheet.look();
      const error = own(answer.json, 'error');
      if (!errors.has(error)) {
        sheet.fail(
          `error one of ${[...errors].join(', ')}`,
          isObject(answer.json) ? `$.error is ${show(error)}` : `a body that is no JSON object: ${show(answer.text)}`,
          answer,
        );
      } else if (status !== 400 && !(status === 401 && error === 'invalid_client')) {
        sheet.fail(
          error === 'invalid_client' ? 'status 400 or 401' : 'status 400',
          `status ${status} with error ${String(error)}`,
          answer,
        );
      }
    },
  }),
  'TOK-ERR-010': () => ({
    answer(answer, sheet) {
      if (!ofTokenEndpoint(answer) || answer.status < 400) return;
      sheet.look();
      for (const name of ['access_token', 'refresh_token']) {
        const token = own(answer.json, name);
        if (token !== undefined && token !== null)
          sheet.fail(`no ${name} beside status ${answer.status}`, `$.${name} is ${withheld(token)}`, answer);
      }
    },
  }),
  'REV-015': () => ({
    answer(answer, sheet) {
      const { asked, status, json } = answer;
      if (asked.operation !== 'revokeToken' && asked.operation !== 'introspectToken') return;
      if (status < 400 || status >= 500 || ofHttp.has(status)) return;
      sheet.look();
      const error = own(json, 'error');
      if (typeof error === 'string') return;
      // RFC 6750 carries the error in the challenge, and none at all where no token was sent.
      if (error === undefined && header(answer, 'www-authenticate') !== undefined) return;
      sheet.fail(
        'a JSON body with error as a text, or a challenge',
        json === undefined ? show(answer.text) : `$.error is ${show(error)}`,
        answer,
      );
    },
  }),
};

const isForm = ({ request }: Answer): boolean => {
  const type = Object.entries(request.headers).find(([name]) => name.toLowerCase() === 'content-type')?.[1];
  return type?.split(';')[0]?.trim().toLowerCase() === 'application/x-www-form-urlencoded';
};

/** Rows of introspection (RFC 7662 2.2). */
export const introspection: Rules = {
  'INTRO-007': () => ({
    reply({ operation, body }, sheet) {
      if (operation !== 'introspectToken' || body['active'] !== false) return;
      sheet.look();
      const more = Object.keys(body).filter((name) => name !== 'active' && body[name] !== null);
      if (more.length > 0) sheet.warn(`Inactive answers tell ${more.slice(0, 6).join(', ')} as well.`);
    },
  }),
  'INTRO-013': ({ target }) => ({
    reply({ operation, body, answer }, sheet) {
      const { iat, exp } = body;
      if (operation !== 'introspectToken' || typeof iat !== 'number') return;
      if (typeof exp === 'number') {
        sheet.look();
        if (iat > exp) sheet.fail('iat at or before exp', `$.iat is ${iat}, exp is ${exp}`, answer);
      }
      // A server whose clock can be moved may date its answers by another one.
      const now = Date.parse(header(answer, 'date') ?? '') / 1000;
      if (target.control_url !== undefined || target.adapter !== undefined || Number.isNaN(now)) return;
      sheet.look();
      if (iat > now + 300) sheet.warn(`iat is ${Math.round(iat - now)} s after the Date header.`);
    },
  }),
};
