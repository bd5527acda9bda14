import { replyOf } from '../call.js';
import type { Call } from '../call.js';
import type { AuditRow } from '../row.js';
import { each, violation } from '../row.js';
import type { Callback, WorldRun } from '../run.js';
import { isShown, readable } from '../shown.js';
import { leakOf, refreshTokensOf } from './bearer.js';
import { dataCalls, formCalls, tokenCalls } from './requests.js';

/** The client secrets, as they may stand in a request. */
const clientSecrets = ({ facts }: WorldRun): string[] =>
  [...facts.clients.values()].flatMap(({ secret }) =>
    secret === null ? [] : [secret, encodeURIComponent(secret), new URLSearchParams({ a: secret }).toString().slice(2)],
  );

/** The token requests that gave a confidential client a refresh token, and that token. */
const refreshTokensOfWebClients = (run: WorldRun): { call: Call; token: string }[] =>
  tokenCalls(run).flatMap((call) => {
    const token = replyOf(call, 'refresh_token');
    const isConfidential = run.facts.clients.get(call.client ?? '')?.public === false;
    return isConfidential && typeof token === 'string' && token !== '' ? [{ call, token }] : [];
  });

/** Where a client hands one of these secrets to the browser. */
function placeOf(secrets: readonly string[], { handed }: Callback): string | undefined {
  const holds = (headers: readonly string[] = []): boolean => {
    const text = readable(headers.join('\n'));
    return secrets.some((secret) => isShown(secret, text));
  };
  return holds(handed?.cookies) ? 'a cookie' : holds(handed?.redirects) ? 'the address of a redirect' : undefined;
}

/** The client secret. */
export const secrets: readonly AuditRow[] = [
  {
    id: 'TOK-SECRET-001',
    level: 'MUST-RFC',
    sentence: 'The client secret is not included in a request URI.',
    source: 'RFC 6749 2.3.1',
    how: 'The address of every request is searched for it, in base64 too, such as in a state; that of the authorization request as well.',
    judge: (run) => {
      const secrets = clientSecrets(run);
      return each(
        run.calls.filter(({ operation, path }) => operation !== undefined || path.startsWith('/oauth/')),
        (call) =>
          leakOf(secrets, [readable(call.target)]) !== undefined || call.query.has('client_secret')
            ? violation('no client secret in the address', `a client secret in that of ${call.path}`, call)
            : undefined,
      );
    },
  },
  {
    id: 'TOK-SECRET-002',
    level: 'MUST-RFC',
    sentence: 'The client secret is confidential: it goes to the endpoints below /oauth/token alone.',
    source: 'RFC 6749 10.1',
    how: 'Headers and bodies of all data requests are searched for it.',
    judge: (run) => {
      const secrets = clientSecrets(run);
      return each(dataCalls(run), (call) =>
        leakOf(secrets, [call.body, ...Object.values(call.headers)]) === undefined
          ? undefined
          : violation('no client secret', `a client secret in ${call.method} ${call.path}`, call),
      );
    },
  },
  {
    id: 'TOK-SECRET-003',
    level: 'MUST',
    sentence: 'A public client has no secret to send.',
    source: '5.4',
    how: 'Token requests of public clients are searched for a secret.',
    judge: (run) =>
      each(
        formCalls(run).filter(({ client }) => run.facts.clients.get(client ?? '')?.public === true),
        (call) =>
          (call.form.get('client_secret') ?? call.basic?.secret ?? '') === ''
            ? undefined
            : violation('no client secret from a public client', 'a client secret', call),
      ),
  },
  {
    id: 'TOK-SECRET-004',
    level: 'MUST-RFC',
    sentence: 'A request uses one way to authenticate the client, not two.',
    source: 'RFC 6749 2.3',
    how: 'Token requests are searched for a secret in both header and form.',
    judge: (run) =>
      each(
        formCalls(run).filter((call) => call.basic !== undefined || call.form.has('client_secret')),
        (call) =>
          call.basic !== undefined && (call.form.get('client_secret') ?? '') !== ''
            ? violation('the client secret in the header or in the form', 'the client secret in both', call)
            : undefined,
      ),
  },
  {
    id: 'TOK-SECRET-005',
    level: 'MUST-RFC',
    sentence: 'A refresh token is shared with the authorization server alone.',
    source: 'RFC 6749 10.4',
    how: 'Headers and bodies of all data requests are searched for the refresh tokens that the client holds.',
    judge: (run) => {
      const tokens = refreshTokensOf(run);
      return each(tokens.length === 0 ? [] : dataCalls(run), (call) =>
        leakOf(tokens, [call.body, ...Object.values(call.headers)]) === undefined
          ? undefined
          : violation('no refresh token', `a refresh token in ${call.method} ${call.path}`, call),
      );
    },
  },
  {
    id: 'TOK-SECRET-006',
    level: 'ADVICE',
    sentence: 'The client secret is confidential: a client does not write it to its output, which ends in logs.',
    source: 'RFC 6749 10.1',
    how: 'The first megabyte that a client with a secret writes is searched for it, in base64 too. A program whose purpose is to show its settings does so rightly, so this never fails.',
    judge: (run) => {
      const [call] = formCalls(run).filter((one) => one.basic !== undefined || one.form.has('client_secret'));
      const starts = run.endings.filter(({ printedSecret }) => printedSecret !== undefined);
      return each(call ? starts : [], ({ printedSecret }) =>
        printedSecret ? violation('no client secret in what it writes', 'a client secret', call!) : undefined,
      );
    },
  },
  {
    id: 'TOK-SECRET-007',
    level: 'MUST',
    sentence: 'Refresh tokens are stored server-side: a confidential client hands none to the browser.',
    source: '5.8',
    how: 'The cookies and redirects with which a confidential client answers the callback, and those of the pages that these lead to, are searched for the refresh tokens that it was issued: in base64 too, and compressed, as some frameworks keep a session in a cookie. What is encrypted shows none. Pages are not searched.',
    judge: (run) => {
      const issued = refreshTokensOfWebClients(run);
      const tokens = issued.map(({ token }) => token);
      const answers = run.visits.flatMap(({ callbacks }) =>
        callbacks.flatMap((callback) => {
          const login = issued.find(
            ({ call }) => callback.code !== undefined && call.form.get('code') === callback.code,
          );
          return login ? [{ callback, login }] : [];
        }),
      );
      return each(answers, ({ callback, login }) => {
        const place = placeOf(tokens, callback);
        return place === undefined
          ? undefined
          : violation('no refresh token in what the browser gets', `a refresh token in ${place}`, login.call);
      });
    },
  },
  {
    id: 'TOK-BASIC-001',
    level: 'ADVICE',
    sentence: 'In HTTP Basic, client id and secret are form-urlencoded first.',
    source: 'RFC 6749 2.3.1',
    how: 'In the world odd-secret the header is decoded and compared with the secret. With a secret that needs no encoding nothing is lost, so this never fails.',
    judge: (run) =>
      each(
        formCalls(run).filter(({ basic }) => {
          const secret = basic && run.facts.clients.get(decoded(basic.id))?.secret;
          return secret !== undefined && secret !== null && encodeURIComponent(secret) !== secret;
        }),
        (call) => {
          const secret = run.facts.clients.get(decoded(call.basic!.id))!.secret!;
          return call.basic!.secret === secret
            ? violation('the secret form-urlencoded', 'the secret as it is', call)
            : undefined;
        },
      ),
  },
];

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}
