import { scopes } from '../../../src/contract/index.js';
import { noValue } from '../no-value.js';
import { replyOf } from '../call.js';
import type { Call } from '../call.js';
import type { AuditRow } from '../row.js';
import { each, quote, violation } from '../row.js';
import type { WorldRun } from '../run.js';
import { returned } from './received.js';
import { formCalls, own, probes, refreshes, scopesIn, tokenCalls } from './requests.js';

/** Requests to the token endpoint. */
export const tokenRequests: readonly AuditRow[] = [
  {
    id: 'TOK-FORM-001',
    level: 'MUST',
    sentence: 'Token requests are application/x-www-form-urlencoded.',
    source: '4.1',
    how: 'The content type of every request to the token endpoint is read.',
    judge: (run) =>
      each(
        formCalls(run).filter(({ method }) => method === 'POST'),
        (call) =>
          /^application\/x-www-form-urlencoded\s*(;|$)/i.test(call.headers['content-type'] ?? '')
            ? undefined
            : violation('application/x-www-form-urlencoded', quote(call.headers['content-type']), call),
      ),
  },
  {
    id: 'TOK-FORM-002',
    level: 'MUST-RFC',
    sentence: 'The client uses POST at the token endpoint.',
    source: 'RFC 6749 3.2',
    how: 'The method of every request to the token endpoint is read.',
    judge: (run) =>
      each(
        own(run).filter(({ path, method }) => path === '/oauth/token' && method !== 'OPTIONS'),
        (call) => (call.method === 'POST' ? undefined : violation('POST', call.method, call)),
      ),
  },
  {
    id: 'TOK-FORM-003',
    level: 'MUST-RFC',
    sentence: 'No parameter of a token request is sent more than once.',
    source: 'RFC 6749 3.2',
    how: 'Names in the form of every request to the token endpoint, to revoke and to introspect are counted.',
    judge: (run) =>
      each(formCalls(run), (call) => {
        const twice = [...call.form.keys()].find((name) => call.form.getAll(name).length > 1);
        return twice === undefined ? undefined : violation('each parameter once', `${twice} twice`, call);
      }),
  },
  {
    id: 'TOK-FORM-004',
    level: 'MUST',
    sentence: 'A token request has the fields that its grant needs.',
    source: '4.1',
    follows: ['AUTH-ERROR-001'],
    how: 'grant_type and its fields are looked for in every token request; a client that uses HTTP Basic need not repeat its client_id. A word such as undefined, null or None does not count as a value. A refresh without a refresh token is left to TOK-FORM-008.',
    judge: (run) =>
      each(tokenCalls(run), (call) => {
        const grant = call.form.get('grant_type') ?? '';
        if (!Object.hasOwn(fields, grant))
          return violation(`one of ${Object.keys(fields).join(', ')}`, quote(grant), call);
        if (asksForNothing(call)) return undefined;
        const missing = [...fields[grant]!, ...(call.basic === undefined ? ['client_id'] : [])].filter((name) =>
          isEmpty(call.form.get(name) ?? ''),
        );
        return missing.length === 0
          ? undefined
          : violation(
              `${missing.join(', ')} with grant_type ${grant}`,
              missing.map((name) => emptyField(name, call.form.get(name) ?? '')).join(', '),
              call,
            );
      }),
  },
  {
    id: 'TOK-FORM-005',
    level: 'MUST',
    sentence: 'The values of a token request are form-urlencoded, once.',
    source: '4.1',
    how: 'In the world odd-secret the secret is read from the form, in the world odd-tokens the code and the refresh token; one that was sent as it is, or encoded twice, comes out as another.',
    judge: (run) =>
      each(
        [...secretsSent(run), ...returned(run, 'code'), ...returned(run, 'refresh_token')],
        ({ call, field, form }) =>
          form === undefined ? undefined : violation(`the ${field} form-urlencoded, once`, form, call),
      ),
  },
  {
    id: 'TOK-FORM-006',
    level: 'MUST-RFC',
    sentence: 'A request to revoke or to introspect names the token.',
    source: 'RFC 7009 2.1, RFC 7662 2.1',
    how: 'token is looked for in the form of every such request.',
    judge: (run) =>
      each(
        formCalls(run).filter(({ operation }) => operation === 'revokeToken' || operation === 'introspectToken'),
        (call) =>
          isEmpty(call.form.get('token') ?? '') ? violation('token=…', quote(call.form.get('token')), call) : undefined,
      ),
  },
  {
    id: 'TOK-FORM-007',
    level: 'ADVICE',
    sentence: 'A token request carries no access token: its client shows who it is by its form or by HTTP Basic.',
    source: 'RFC 6749 2.3',
    how: 'The Authorization header of every token request is read.',
    judge: (run) =>
      each(tokenCalls(run), (call) =>
        /^bearer /i.test(call.headers.authorization ?? '')
          ? violation('no Authorization header, or Basic', 'Bearer', call)
          : undefined,
      ),
  },
  {
    id: 'TOK-FORM-008',
    level: 'ADVICE',
    sentence: 'A client without a refresh token does not try to refresh.',
    source: '4.1',
    how: 'refresh_token is looked for in the form of every refresh. Libraries send it without one where the token response had none, as in the world access-ends-alone, so this never fails.',
    judge: (run) =>
      each(
        tokenCalls(run).filter(({ form }) => form.get('grant_type') === 'refresh_token'),
        (call) =>
          asksForNothing(call) ? violation('no refresh', 'a refresh without a refresh_token', call) : undefined,
      ),
  },
  {
    id: 'TOK-SCOPE-001',
    level: 'MUST',
    sentence: 'scope of a token request is a list separated by spaces, of scopes that exist.',
    source: '4.1',
    how: 'Token requests that the mock refuses with invalid_scope are searched for names that are no scopes.',
    judge: (run) =>
      each(
        tokenCalls(run).filter(({ form }) => (form.get('scope') ?? '') !== ''),
        (call) =>
          replyOf(call, 'error') === 'invalid_scope' &&
          scopesIn(call.form.get('scope')).some((name) => !Object.hasOwn(scopes, name))
            ? violation('scopes of the interface', quote(call.form.get('scope')), call)
            : undefined,
      ),
  },
  {
    id: 'TOK-GRANT-001',
    level: 'MUST',
    sentence: 'A public client may not use client_credentials.',
    source: '5.4',
    how: 'The grant of every token request of a public client is read.',
    judge: (run) =>
      each(
        tokenCalls(run).filter(({ client }) => run.facts.clients.get(client ?? '')?.public === true),
        (call) =>
          call.form.get('grant_type') === 'client_credentials'
            ? violation('authorization_code or refresh_token', 'client_credentials', call)
            : undefined,
      ),
  },
  {
    id: 'TOK-CLIENT-001',
    follows: ['TOK-SECRET-001', 'TOK-CLIENT-002'],
    level: 'MUST',
    sentence:
      'The client authenticates itself as what it is: no request to the token endpoint, to revoke or to introspect is refused with invalid_client.',
    source: '4.1',
    how: 'The error of every refused token request is read; one that is repeated with the other client authentication, and not refused so again, is allowed.',
    judge: (run) => {
      // A form that breaks an odd secret is blamed for that, and so is HTTP Basic with the secret as it is.
      const broken = new Set(secretsSent(run).flatMap(({ call, form }) => (form === undefined ? [] : [call])));
      return each(
        formCalls(run).filter(
          (call) =>
            call.decision !== 'faulted' &&
            // A public client has nothing but its id; that it may revoke with that is not stated.
            (call.operation === 'issueToken' || run.facts.clients.get(call.client ?? '')?.public !== true) &&
            !broken.has(call) &&
            (call.basic === undefined || call.basic.secret !== run.world.secret),
        ),
        (call) =>
          replyOf(call, 'error') === 'invalid_client' &&
          !formCalls(run).some(
            (one) => one.number > call.number && replyOf(one, 'error') !== 'invalid_client' && probes(call, one),
          )
            ? violation('its client_id, and its client_secret where it has one', call.reason ?? 'invalid_client', call)
            : undefined,
      );
    },
  },
  {
    id: 'TOK-CLIENT-002',
    level: 'MUST-RFC',
    sentence: 'A refresh token is bound to the client that it was issued to: no other client presents it.',
    source: 'RFC 6749 6',
    how: 'The client of every refresh is compared with that of the token request whose reply had the refresh token.',
    judge: (run) =>
      each(
        refreshes(run).flatMap((call) => {
          const issue = tokenCalls(run).find(
            (one) => one.number < call.number && replyOf(one, 'refresh_token') === call.form.get('refresh_token'),
          );
          return issue?.client === undefined || call.client === undefined ? [] : [{ call, issue }];
        }),
        ({ call, issue }) =>
          call.client === issue.client
            ? undefined
            : violation(`client ${quote(issue.client!)}, to which it was issued`, quote(call.client!), issue, call),
      ),
  },
];

/** The secrets in forms of the world odd-secret, and what the form did to them. */
function secretsSent(run: WorldRun): { call: Call; field: string; form?: string }[] {
  const { secret } = run.world;
  if (secret === undefined) return [];
  const bare = new URLSearchParams(`secret=${secret}`).get('secret');
  return formCalls(run)
    .filter(({ form }) => form.has('client_secret'))
    .map((call) => {
      const sent = call.form.get('client_secret');
      const form =
        sent === bare ? 'the secret as it is' : sent === encodeURIComponent(secret) ? 'the secret encoded twice' : '';
      return { call, field: 'secret', ...(form !== '' && { form }) };
    });
}

/** Whether a refresh names no token at all. */
const asksForNothing = ({ form }: Call): boolean =>
  form.get('grant_type') === 'refresh_token' && (form.get('refresh_token') ?? '') === '';

const isEmpty = (text: string): boolean => text === '' || noValue.test(text);

/** A field that has no value, as it was sent. */
const emptyField = (name: string, text: string): string =>
  text === '' ? `no ${name}` : `"${text}" as ${name}, what a language writes where there is no value`;

const fields: Readonly<Record<string, readonly string[]>> = {
  authorization_code: ['code', 'redirect_uri', 'code_verifier'],
  client_credentials: [],
  refresh_token: ['refresh_token'],
};
