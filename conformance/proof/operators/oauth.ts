/** Mutations of the authorization server: its endpoints, and the codes and tokens that it keeps. */
import type { Code, Token } from '../../../src/store/store.js';
import type { Client } from '../../../src/world/world.js';
import type { Interceptor, Json } from '../interceptor/interceptor.js';
import { answerOf } from '../interceptor/interceptor.js';
import type { Inbound, Outbound } from '../interceptor/traffic.js';
import { bearerOf } from '../interceptor/who.js';
import { operator } from '../mutant.js';

/** The fields of a form, as they were sent. */
export type SentForm = URLSearchParams;
export type ClientType = 'confidential' | 'public';
export type FormOperation = 'issueToken' | 'revokeToken' | 'introspectToken';

// --- what a request is about ----------------------------------------------------------------------------------------

/** The request's client, or the one that a code or token was granted to. */
export const clientOf = (of: SentForm | Code | Token, at: Interceptor): Client | undefined =>
  at.service.authority.clients.get((of instanceof URLSearchParams ? of.get('client_id') : of.grant.clientId) ?? '');

export const isPublic = (of: SentForm | Code | Token, at: Interceptor): boolean => clientOf(of, at)?.type === 'public';

export const codeOf = (form: SentForm, at: Interceptor): Code | undefined =>
  at.service.authority.store.findCode(form.get('code') ?? '');

/** The token that a refresh is asked with. */
export const refreshTokenOf = (form: SentForm, at: Interceptor): Token | undefined =>
  at.service.authority.store.findToken(form.get('refresh_token') ?? '');

/** The token that a revocation or an introspection is about. */
export const subjectOf = (form: SentForm, at: Interceptor): Token | undefined =>
  at.service.authority.store.findToken(form.get('token') ?? '');

export type GrantType = 'authorization_code' | 'client_credentials' | 'refresh_token';

export const grantTypeIs =
  (type: GrantType) =>
  (form: SentForm): boolean =>
    form.get('grant_type') === type;

export const isExchange = grantTypeIs('authorization_code');
export const isCredentials = grantTypeIs('client_credentials');
export const isRefresh = grantTypeIs('refresh_token');

export const usedBasic = ({ headers }: Inbound): boolean => /^basic /i.test(headers.authorization ?? '');

/** Whether the request that runs now refreshes with this token. */
export const refreshesWith = (at: Interceptor, { text }: Token): boolean =>
  at.current?.operation === 'issueToken' && at.current.form.get('refresh_token') === text;

/** Whether the token is one by which a user lets a client in. */
export const isUser = ({ kind, grant }: Token): boolean => kind === 'access' && grant.kind === 'authorization_code';

// --- answers of the mutant's own ------------------------------------------------------------------------------------

/** Headers that the authorization server's replies have. */
export const uncached = { 'cache-control': 'no-store', pragma: 'no-cache' };

/** A refusal of the authorization server. */
export const refusal = (error: string, status = error === 'invalid_client' ? 401 : 400): Outbound =>
  answerOf(status, { error }, uncached);

// --- operators ------------------------------------------------------------------------------------------------------

/** Requests to a form endpoint, changed by their form, or answered in the server's place. */
export const form = operator(
  'form',
  (
    at,
    operation: FormOperation,
    change: (form: SentForm, at: Interceptor, request: Inbound) => Outbound | undefined | void | Promise<void>,
  ) => at.form(operation, (one, request) => change(one, at, request)),
);

/** Right requests to a form endpoint that are refused with an error of the OAuth RFCs. */
export const refuseForm = operator(
  'refuseForm',
  (at, operation: FormOperation, when: (form: SentForm, at: Interceptor, request: Inbound) => unknown, error: string) =>
    at.form(operation, (one, request) => (when(one, at, request) ? refusal(error) : undefined)),
);

/** JSON replies of a form endpoint, refusals included, changed. */
export const formReply = operator(
  'formReply',
  (at, operation: FormOperation, change: (body: Json, reply: Outbound, request: Inbound, at: Interceptor) => unknown) =>
    at.oauth(operation, (body, reply, request) => change(body, reply, request, at)),
);

/** Successful token responses, changed. */
export const tokenResponse = operator(
  'tokenResponse',
  (at, change: (body: Json, form: SentForm, at: Interceptor) => void) =>
    at.oauth('issueToken', (body, reply, { form: sent }) => {
      if (reply.status === 200) change(body, sent, at);
    }),
);

/** The query of authorization requests, changed, whether a browser sends them or the control surface does. */
export const authorization = operator('authorization', (at, change: (query: SentForm, at: Interceptor) => void) =>
  at.authorization((query) => change(query, at)),
);

/** Where the authorization endpoint sends a browser, changed; null as location is a page. */
export const redirect = operator(
  'redirect',
  (
    at,
    change: (
      location: string | null,
      context: { readonly query: SentForm; readonly order: Json; readonly reply: Outbound },
      at: Interceptor,
    ) => string | null | undefined,
  ) => at.redirect((location, context) => change(location, context, at)),
);

/** A location with another value of a parameter, or without it. */
export function withParameter(location: string, name: string, value: string | null): string {
  const url = new URL(location);
  if (value === null) url.searchParams.delete(name);
  else url.searchParams.set(name, value);
  return url.href;
}

export const parameterOf = (location: string | null, name: string): string | null =>
  location === null ? null : new URL(location).searchParams.get(name);

/** The client's address with an error, as the authorization endpoint redirects to it. */
export const errorLocation = (uri: string, error: string, query: SentForm): string =>
  withParameter(withParameter(uri, 'error', error), 'state', query.get('state') ?? '');

function put(all: SentForm, name: string, value: string | null): void {
  if (value === all.get(name)) return;
  if (value === null) all.delete(name);
  else all.set(name, value);
}

/** A parameter of authorization requests that is taken for another value; null is none. */
export const mapQuery = operator(
  'mapQuery',
  (at, name: string, to: (value: string | null, query: SentForm, at: Interceptor) => string | null) =>
    at.authorization((query) => put(query, name, to(query.get(name), query, at))),
);

/** A field of requests to a form endpoint that is taken for another value; null is none. */
export const mapField = operator(
  'mapField',
  (
    at,
    operation: FormOperation,
    name: string,
    to: (value: string | null, form: SentForm, at: Interceptor, request: Inbound) => string | null,
  ) => at.form(operation, (one, request) => put(one, name, to(one.get(name), one, at, request))),
);

/** Client secrets of token requests that are accepted although they are wrong; '' is none. */
export const acceptSecret = operator(
  'acceptSecret',
  (at, isAccepted: (given: string, secret: string, form: SentForm, request: Inbound, at: Interceptor) => boolean) =>
    mapField('issueToken', 'client_secret', (given, sent, _, request) => {
      const secret = clientOf(sent, at)?.secret;
      return secret && isAccepted(given ?? '', secret, sent, request, at) ? secret : given;
    }),
);

/** A form endpoint that takes GET with the form in the query. */
export const acceptGet = operator('acceptGet', (at, path: string) =>
  at.request((request) => {
    if (request.method !== 'GET' || request.path !== path) return;
    request.method = 'POST';
    request.headers['content-type'] = 'application/x-www-form-urlencoded';
    request.form = request.query;
  }),
);

/** An error of a form endpoint under the name of another. */
export const renameError = operator(
  'renameError',
  (
    at,
    operation: FormOperation,
    from: string,
    to: string,
    when: (form: SentForm, at: Interceptor) => unknown = () => true,
  ) =>
    at.oauth(operation, (body, _, { form: sent }) => {
      if (body.error === from && when(sent, at)) body.error = to;
    }),
);

/** A member of a form endpoint's JSON, refusals included, that gets another value; undefined leaves it out. */
export const mapMember = operator(
  'mapMember',
  (
    at,
    operation: FormOperation,
    name: string,
    to: (value: unknown, body: Json, form: SentForm, at: Interceptor) => unknown,
  ) =>
    at.oauth(operation, (body, _, { form: sent }) => {
      const changed = to(body[name], body, sent, at);
      if (changed === undefined) delete body[name];
      else body[name] = changed;
    }),
);

/** Replies of a form endpoint that have another status. */
export const formStatus = operator(
  'formStatus',
  (
    at,
    operation: FormOperation,
    from: number,
    to: number,
    when: (form: SentForm, at: Interceptor) => boolean = () => true,
  ) =>
    at.reply((reply, request) => {
      if (request.operation === operation && reply.status === from && when(request.form, at)) reply.status = to;
    }),
);

/** A parameter of redirects to a client, changed; null leaves it out, undefined leaves the redirect as it is. */
export const mapRedirect = operator(
  'mapRedirect',
  (at, name: string, to: (value: string, location: string) => string | null | undefined) =>
    at.redirect((location) => {
      const value = parameterOf(location, name);
      const changed = location === null || value === null ? undefined : to(value, location);
      return location === null || changed === undefined ? location : withParameter(location, name, changed);
    }),
);

/** Whether the request that runs now is sent with this token. */
export const isCaller = (at: Interceptor, { text }: Token): boolean =>
  at.current !== undefined && bearerOf(at.current.headers) === text;

/** A field that is put in, or taken for another value; `to` gets `''` where it is left out, and may keep what is. */
export const field = operator(
  'field',
  (
    at,
    operation: FormOperation | 'authorize',
    name: string,
    to: (sent: string, form: SentForm, at: Interceptor) => string | false | null | undefined,
  ) => {
    const change = (one: SentForm): void => {
      const value = to(one.get(name) ?? '', one, at);
      if (value) one.set(name, value);
    };
    if (operation === 'authorize') at.authorization(change);
    else at.form(operation, change);
  },
);

/** Requests to a form endpoint that are answered with 200, and not carried out. */
export const answerForm = operator(
  'answerForm',
  (
    at,
    operation: FormOperation,
    when: (form: SentForm, at: Interceptor, request: Inbound) => unknown,
    body: Json = {},
  ) => at.form(operation, (one, request) => (when(one, at, request) ? answerOf(200, body, uncached) : undefined)),
);

/** Refusals of a form endpoint with another error, or another status. */
export const refuseAs = operator(
  'refuseAs',
  (
    at,
    operation: FormOperation,
    to: string | number,
    when: (error: unknown, form: SentForm, at: Interceptor) => unknown,
  ) =>
    at.oauth(operation, (body, reply, { form: sent }) => {
      if (reply.status < 400 || !when(body.error, sent, at)) return;
      if (typeof to === 'string') body.error = to;
      else reply.status = to;
    }),
);

/** A member of token responses with another value, or one made from its value; undefined leaves it out. */
export const tokenMember = operator(
  'tokenMember',
  (at, name: string, value: unknown, when: (form: SentForm, at: Interceptor) => boolean = () => true) =>
    tokenResponse((body, sent) => {
      if (when(sent, at)) body[name] = typeof value === 'function' ? value(body[name], body) : value;
    }),
);
