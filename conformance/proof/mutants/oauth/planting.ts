import type { Token } from '../../../../src/store/store.js';
import type { OldMutant as Mutant } from '../../mutant.js';
import type { Json, Interceptor } from '../../interceptor/interceptor.js';
import { answerOf } from '../../interceptor/interceptor.js';
import type { Inbound, Outbound } from '../../interceptor/traffic.js';

type Client = Interceptor['service']['world']['clients'][number];

/** Headers that the authorization server's replies have. */
export const uncached = { 'cache-control': 'no-store', pragma: 'no-cache' };

/** A refusal of the authorization server. */
export const refusal = (error: string, status = error === 'invalid_client' ? 401 : 400): Outbound =>
  answerOf(status, { error }, uncached);

/** A location with another value of a parameter, or without it. */
export function withParameter(location: string, name: string, value: string | null): string {
  const url = new URL(location);
  if (value === null) url.searchParams.delete(name);
  else url.searchParams.set(name, value);
  return url.href;
}

export const parameterOf = (location: string | null, name: string): string | null =>
  location === null ? null : new URL(location).searchParams.get(name);

export const clientOf = (form: URLSearchParams, seam: Interceptor): Client | undefined =>
  seam.service.authority.clients.get(form.get('client_id') ?? '');

export const codeOf = (form: URLSearchParams, seam: Interceptor) =>
  seam.service.authority.store.findCode(form.get('code') ?? '');

/** The token that a revocation or an introspection is about. */
export const subjectOf = (form: URLSearchParams, seam: Interceptor): Token | undefined =>
  seam.service.authority.store.findToken(form.get('token') ?? '');

export const isCredentials = (form: URLSearchParams): boolean => form.get('grant_type') === 'client_credentials';

export const usedBasic = ({ headers }: Inbound): boolean => /^basic /i.test(headers.authorization ?? '');

/** Changes successful token responses. */
export const response =
  (change: (body: Json, form: URLSearchParams, seam: Interceptor) => void): Mutant['plant'] =>
  (seam) =>
    seam.oauth('issueToken', (body, reply, { form }) => {
      if (reply.status === 200) change(body, form, seam);
    });

/** Puts token requests right that must be refused. */
export const mended =
  (change: (form: URLSearchParams, seam: Interceptor) => void): Mutant['plant'] =>
  (seam) =>
    seam.form('issueToken', (form) => void change(form, seam));

/** Tokens, changed before they are kept; null leaves one as it is. */
export const kept = (seam: Interceptor, change: (token: Token, isPublic: boolean) => Partial<Token> | null): void =>
  seam.store((store, acted) => ({
    addToken(token) {
      const isPublic = seam.service.authority.clients.get(token.grant.clientId)?.type === 'public';
      const changed = change(token, isPublic);
      if (changed) acted();
      store.addToken({ ...token, ...changed });
    },
  }));

/** What the store finds of a token, changed; null leaves it as it is. */
export const found = (seam: Interceptor, change: (token: Token) => Partial<Token> | null): void =>
  seam.store((store, acted) => ({
    findToken(text) {
      const token = store.findToken(text);
      const changed = token && change(token);
      if (!token || !changed) return token;
      acted();
      return { ...token, ...changed };
    },
  }));

/** Whether the request that runs now refreshes with this token. */
export const refreshesWith = (seam: Interceptor, { text }: Token): boolean =>
  seam.current?.operation === 'issueToken' && seam.current.form.get('refresh_token') === text;

/** Whether the token is one by which a user lets a client in. */
export const isUser = ({ kind, grant }: Token): boolean => kind === 'access' && grant.kind === 'authorization_code';
