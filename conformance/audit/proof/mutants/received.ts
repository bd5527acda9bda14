import { mutants, swap } from '../client-mutant.js';
import type { ClientEntry } from '../client-mutant.js';
import { fail, tokenForm } from '../operators.js';
import type { Tokens } from '../reference.js';

/** Writes one value into forms as it is. */
const writesRaw = (field: string): ClientEntry =>
  swap((_, { send }) => ({
    send: (request) => {
      const { url, body } = request;
      if (!url.endsWith('/oauth/token') || body === undefined) return send(request);
      const pairs = [...new URLSearchParams(body)].map(([name, value]) =>
        name === field ? `${name}=${value}` : new URLSearchParams({ [name]: value }).toString(),
      );
      return send({ ...request, body: pairs.join('&') });
    },
  }));

/** Takes the code from the redirect in a way of its own. */
const takesCode = (take: (url: string, code: string) => string | undefined): ClientEntry =>
  swap((_, { callback }) => ({
    callback: (url, state) => {
      const outcome = callback(url, state);
      return typeof outcome === 'string' ? (take(url, outcome) ?? outcome) : outcome;
    },
  }));

/** Changes the tokens that it received. */
const takes = (change: (tokens: Tokens) => Partial<Tokens>): ClientEntry =>
  swap((_, { received: receive }) => ({
    received: (got) => {
      const tokens = receive(got);
      return { ...tokens, ...change(tokens) };
    },
  }));

const cut = (token: string): string => token.split('=')[0]!;

/** What becomes of codes and tokens between their receipt and their use. */
export const received = mutants({
  'TOK-FORM-005 form-raw-code: writes the code into forms as it is': writesRaw('code').in('odd-tokens'),
  'TOK-FORM-005 form-raw-refresh: writes the refresh token into forms as it is':
    writesRaw('refresh_token').in('odd-tokens'),
  'TOK-FORM-005 form-refresh-twice: encodes the refresh token before the form does': tokenForm(
    'refresh_token',
    (form) => (form.refresh_token = encodeURIComponent(form.refresh_token ?? '')),
  ).in('odd-tokens'),
  'AUTH-CODE-004 code-undecoded: takes the code from the redirect without decoding it': takesCode(
    (url) => /[?&]code=([^&]*)/.exec(url)?.[1],
  ).in('odd-tokens'),
  'AUTH-CODE-004 code-decoded-twice: decodes the code twice, so that each + is a space': takesCode(
    (_, code) => new URLSearchParams(`code=${code}`).get('code') ?? code,
  ).in('odd-tokens'),
  'AUTH-CODE-004 code-unquoted: decodes what looks percent-encoded in the code': takesCode((_, code) =>
    decodeURIComponent(code),
  ).in('odd-tokens'),
  'AUTH-CODE-004 code-cut: cuts the code at =': takesCode(
    (url) => decodeURIComponent(url).split('code=')[1]?.split(/[=&]/)[0],
  ).in('odd-tokens'),
  'TOK-BEARER-003 token-cut: cuts access tokens at =': takes(({ access_token }) => ({
    access_token: cut(access_token),
  })).in('odd-tokens'),
  'REFRESH-TEXT-001 refresh-access: presents its access token, and asks the user when that is refused': takes(
    (tokens) => (tokens.refresh_token === undefined ? {} : { refresh_token: tokens.access_token }),
  ).in('access-ends'),
  'REFRESH-TEXT-001 refresh-cut: cuts refresh tokens at =': takes(({ refresh_token }) =>
    refresh_token === undefined ? {} : { refresh_token: cut(refresh_token) },
  ).in('odd-tokens'),
  'REFRESH-TEXT-001 refresh-unquoted: decodes what looks percent-encoded in a refresh token': takes(
    ({ refresh_token }) => (refresh_token === undefined ? {} : { refresh_token: decodeURIComponent(refresh_token) }),
  ).in('odd-tokens'),
  'REFRESH-TEXT-001 refresh-lower: stores refresh tokens in small letters': takes(({ refresh_token }) =>
    refresh_token === undefined ? {} : { refresh_token: refresh_token.toLowerCase() },
  ).in('odd-tokens'),
  'REFRESH-TEXT-001 refresh-short: stores 255 characters of a refresh token': takes(({ refresh_token }) =>
    refresh_token === undefined ? {} : { refresh_token: refresh_token.slice(0, 255) },
  ).in('odd-tokens'),
  'REFRESH-TEXT-001 refresh-512: stores 512 characters of a refresh token': takes(({ refresh_token }) =>
    refresh_token === undefined ? {} : { refresh_token: refresh_token.slice(0, 512) },
  ).in('odd-tokens'),
  'REFRESH-TEXT-001 refresh-quoted: stores refresh tokens as JSON writes them, quotes included': takes(
    ({ refresh_token }) => (refresh_token === undefined ? {} : { refresh_token: JSON.stringify(refresh_token) }),
  ).in('odd-tokens'),
  'READ-TOKEN-002 token-alphabet: takes hexadecimal tokens only': takes(({ access_token }) =>
    /^[0-9a-f]+$/.test(access_token) ? {} : fail('not a token'),
  ).in('odd-tokens'),
});
