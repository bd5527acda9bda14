import { arrived, replyOf } from '../call.js';
import type { Call } from '../call.js';
import type { AuditRow } from '../row.js';
import { each, groups, quote, violation } from '../row.js';
import type { WorldRun } from '../run.js';
import { credentials, dataCalls, own, probes, refreshes, settled, tokenCalls } from './requests.js';

/** Access and refresh tokens that the client can have. */
const secretsOf = (run: WorldRun): string[] => [
  ...run.facts.given,
  ...tokenCalls(run).flatMap((call) =>
    [replyOf(call, 'access_token'), replyOf(call, 'refresh_token')].filter((one) => typeof one === 'string'),
  ),
];

/** The client secrets, as they may stand in a request. */
const clientSecrets = ({ facts }: WorldRun): string[] =>
  [...facts.clients.values()].flatMap(({ secret }) =>
    secret === null ? [] : [secret, encodeURIComponent(secret), new URLSearchParams({ a: secret }).toString().slice(2)],
  );

const leakOf = (secrets: readonly string[], places: readonly string[]): string | undefined =>
  secrets.find((secret) => secret.length >= 8 && places.some((place) => place.includes(secret)));

const formCalls = (run: WorldRun): Call[] => own(run).filter(({ path }) => /^\/oauth\/token(\/|$)/.test(path));

export const tokens: readonly AuditRow[] = [
  {
    id: 'TOK-BEARER-001',
    level: 'MUST',
    sentence: 'A data request carries its access token in the header: Authorization: Bearer <ACCESS_TOKEN>.',
    source: '5.2',
    how: 'The headers of every data request are read.',
    judge: (run) =>
      each(dataCalls(run), (call) =>
        call.bearer === undefined
          ? violation(
              'Authorization: Bearer <token>',
              call.headers.authorization === undefined ? 'no Authorization header' : 'another Authorization header',
              call,
            )
          : undefined,
      ),
  },
  {
    id: 'TOK-BEARER-002',
    level: 'MUST',
    sentence: 'A token is sent in the header: it never stands in a URL.',
    source: '5.2',
    how: 'The address of every request is searched for the tokens that the client holds.',
    judge: (run) => {
      const secrets = secretsOf(run);
      return each(
        own(run).filter(({ operation }) => operation !== undefined),
        (call) =>
          leakOf(secrets, [call.target]) !== undefined || (call.query.get('access_token') ?? '') !== ''
            ? violation('no token in the address', `a token in ${call.path}`, call)
            : undefined,
      );
    },
  },
  {
    id: 'TOK-BEARER-003',
    level: 'MUST',
    sentence: 'The bearer credential is an access token that the service issued.',
    source: '5.2',
    how: 'The token of every data request is looked for among those that were issued; one of another world has been kept where worlds share it.',
    across: (runs) => {
      const known = runs.map((run) => new Set(secretsOf(run)));
      const issued = (run: WorldRun, at: number, token: string): boolean =>
        known[at]!.has(token) || run.facts.issued(token);
      const all = runs.flatMap((run, at) =>
        dataCalls(run)
          .filter(({ bearer }) => bearer !== undefined)
          .map((call) => ({ call, run, fits: issued(run, at, call.bearer!) })),
      );
      const [foreign] = all.filter(({ fits, call }) => !fits && known.some((texts) => texts.has(call.bearer!)));
      const wrong = all.find(({ fits, call }) => !fits && !known.some((texts) => texts.has(call.bearer!)));
      return {
        ...each(all, ({ call, fits }) =>
          fits || known.some((texts) => texts.has(call.bearer!))
            ? undefined
            : violation('an access token', `${quote(call.bearer?.slice(0, 12))}, which is none`, call),
        ),
        ...(foreign && { obstacle: 'the client used the token of another world: have it store below GAMEDATA_STATE' }),
        ...(wrong && { world: wrong.run.world.id }),
      };
    },
  },
  {
    id: 'TOK-SECRET-001',
    level: 'MUST-RFC',
    sentence: 'The client secret is not included in a request URI.',
    source: 'RFC 6749 2.3.1',
    how: 'The address of every request is searched for it, that of the authorization request too.',
    judge: (run) => {
      const secrets = clientSecrets(run);
      return each(
        run.calls.filter(({ operation }) => operation !== undefined),
        (call) =>
          leakOf(secrets, [call.target]) !== undefined || call.query.has('client_secret')
            ? violation('no client secret in the address', `one in that of ${call.path}`, call)
            : undefined,
      );
    },
  },
  {
    id: 'TOK-SECRET-002',
    level: 'MUST',
    sentence: 'The client secret goes to the endpoints below /oauth/token alone.',
    source: '4.1',
    how: 'Headers and bodies of all data requests are searched for it.',
    judge: (run) => {
      const secrets = clientSecrets(run);
      return each(dataCalls(run), (call) =>
        leakOf(secrets, [call.body, ...Object.values(call.headers)]) === undefined
          ? undefined
          : violation('no client secret', `one in ${call.method} ${call.path}`, call),
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
            : violation('no client secret', 'one', call),
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
            ? violation('header or form', 'both', call)
            : undefined,
      ),
  },
  {
    id: 'TOK-BASIC-001',
    level: 'MUST-RFC',
    sentence: 'In HTTP Basic, client id and secret are form-urlencoded first.',
    source: 'RFC 6749 2.3.1',
    how: 'The header is decoded and compared with the secret, where the secret has characters that need encoding.',
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
    how: 'Names in the form of every token request are counted.',
    judge: (run) =>
      each(tokenCalls(run), (call) => {
        const twice = [...call.form.keys()].find((name) => call.form.getAll(name).length > 1);
        return twice === undefined ? undefined : violation('each parameter once', `${twice} twice`, call);
      }),
  },
  {
    id: 'TOK-FORM-004',
    level: 'MUST',
    sentence: 'A token request has the fields that its grant needs.',
    source: '4.1',
    how: 'grant_type and its fields are looked for in every token request; a client that uses HTTP Basic need not repeat its client_id.',
    judge: (run) =>
      each(tokenCalls(run), (call) => {
        const grant = call.form.get('grant_type') ?? '';
        if (!Object.hasOwn(fields, grant))
          return violation(`one of ${Object.keys(fields).join(', ')}`, quote(grant), call);
        const missing = [...fields[grant]!, ...(call.basic === undefined ? ['client_id'] : [])].filter(
          (name) => (call.form.get(name) ?? '') === '',
        );
        return missing.length === 0
          ? undefined
          : violation(`${missing.join(', ')} with grant_type ${grant}`, 'none', call);
      }),
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
    level: 'MUST',
    sentence: 'The client authenticates itself as what it is: no token request is refused with invalid_client.',
    source: '4.1',
    how: 'The error of every refused token request is read; one that succeeds at once with the other client authentication is let pass.',
    judge: (run) =>
      each(
        tokenCalls(run).filter(({ decision }) => decision !== 'faulted'),
        (call) =>
          replyOf(call, 'error') === 'invalid_client' &&
          !tokenCalls(run).some((one) => one.number > call.number && one.status === 200 && probes(call, one))
            ? violation('its client id and secret', call.reason ?? 'invalid_client', call)
            : undefined,
      ),
  },
  {
    id: 'TOK-EXPIRES-001',
    level: 'MUST',
    sentence: 'expires_in: null says that a token has no expiry: it is used, not replaced.',
    source: '4.1',
    how: 'Tokens with expires_in: null that are replaced by another without having been used or refused count.',
    judge: (run) => {
      const endless = credentials(run).filter(
        (call) => call.status === 200 && arrived(call) && replyOf(call, 'expires_in') === null,
      );
      const unused = endless.filter(
        (call, at) =>
          endless[at + 1] !== undefined &&
          endless[at + 1]!.start === call.start &&
          endless[at + 1]!.body === call.body &&
          endless[at + 1]!.at > call.end + settled &&
          !dataCalls(run).some(({ bearer }) => bearer === replyOf(call, 'access_token')),
      );
      return {
        exercised: endless.length,
        violations:
          unused.length >= 2
            ? [violation('the token used', `${unused.length} tokens thrown away unused`, ...unused.slice(0, 3))]
            : [],
      };
    },
  },
  {
    id: 'TOK-ONE-001',
    level: 'ADVICE',
    sentence: 'One token serves many requests.',
    source: '5.6',
    how: 'Tokens of one grant that replace each other after a single request each are counted.',
    judge: (run) => {
      const issued = credentials(run).filter((call) => call.status === 200 && arrived(call));
      const uses = (call: Call): number =>
        dataCalls(run).filter(({ bearer }) => bearer === replyOf(call, 'access_token')).length;
      const single = issued.filter((call) => uses(call) === 1);
      return {
        exercised: issued.length,
        violations:
          single.length >= 4 && single.length === issued.length
            ? [
                violation(
                  'one token for all requests',
                  `${single.length} tokens, one for each request`,
                  ...single.slice(0, 3),
                ),
              ]
            : [],
      };
    },
  },
  {
    id: 'TOK-REJECTED-001',
    level: 'SHOULD-RFC',
    sentence: 'A 401 says that the token is refused: it is not sent again and again.',
    source: 'RFC 9110 15.5.2',
    how: 'The same request with a token, well after the token was answered with 401, is counted; two are let pass.',
    judge: (run) =>
      each(firstRefusals(run), (first) => {
        const again =
          groups(
            dataCalls(run).filter(
              (call) => call.bearer === first.bearer && call.start === first.start && call.at > first.end + settled,
            ),
            ({ method, target }) => `${method} ${target}`,
          ).toSorted((a, b) => b.length - a.length)[0] ?? [];
        return again.length > 2
          ? violation(
              'another token, or an end',
              `the same request ${again.length} more times with the refused token`,
              first,
              ...again.slice(0, 3),
            )
          : undefined;
      }),
  },
  {
    id: 'TOK-KEEP-001',
    level: 'SHOULD-RFC',
    sentence: 'An error of the data API other than 401 says nothing about the tokens: they are kept.',
    source: 'RFC 6750 3.1',
    how: 'After a data reply of 403, 404, 429 or 5xx, the same request must not be tried with a new token; to ask the user after a 403 is let pass.',
    judge: (run) =>
      each(
        dataCalls(run).filter(
          (call) =>
            call.status !== null &&
            call.status >= 402 &&
            run.calls.some(({ number, start }) => number > call.number && start === call.start),
        ),
        (call) => {
          const next = run.calls.find(
            (one) =>
              one.number > call.number &&
              one.start === call.start &&
              one.at >= call.end &&
              (one.data || (renews(one) && one.client === call.client)),
          );
          const refused = dataCalls(run).some(
            (one) => one.status === 401 && one.number < (next?.number ?? 0) && one.end > call.at - 5000,
          );
          const held = run.calls.some((one) => one.operation === 'issueToken' && one.number < call.number);
          const retried = dataCalls(run).some(
            (one) => one.number > (next?.number ?? 0) && one.target === call.target && one.bearer !== call.bearer,
          );
          // A client that lacks a scope may ask the user for it (RFC 6750 3.1).
          const widens = call.status === 403 && next?.operation === 'authorize';
          return next && renews(next) && !widens && retried && !refused && held
            ? violation(
                'the token kept',
                `${next.operation === 'authorize' ? 'the user asked again' : `grant_type ${next.form.get('grant_type') ?? ''}`} after HTTP ${call.status}`,
                call,
                next,
              )
            : undefined;
        },
      ),
  },
  {
    id: 'TOK-KEEP-002',
    level: 'SHOULD-RFC',
    sentence: 'A 5xx or 429 of the token endpoint says nothing about the refresh token: it is kept, and tried again.',
    source: 'RFC 9110 15.6.4',
    how: 'After the first refresh that met such an error, the next thing must not be a question to the user; whoever tried again may ask.',
    judge: (run) =>
      each(
        groups(
          refreshes(run).filter((call) => call.decision === 'faulted' && (call.status ?? 0) >= 429),
          ({ form }) => form.get('refresh_token') ?? '',
        ).map(([first]) => first!),
        (call) => {
          const later = run.calls.filter(
            (one) =>
              one.number > call.number &&
              one.at >= call.end &&
              (one.operation === 'authorize' || one.operation === 'issueToken'),
          );
          const [next] = later;
          return next?.operation === 'authorize' && next.method === 'GET'
            ? violation('the same refresh token again', 'the user asked for consent again', call, next)
            : undefined;
        },
      ),
  },
  {
    id: 'TOK-KEEP-003',
    level: 'ADVICE',
    sentence: 'What was granted is used: a start with stored tokens does not begin by asking the user again.',
    source: 'RFC 6749 1.5',
    how: 'In worlds with a second start, its first request must not be an authorization request while the refresh token lives.',
    judge: (run) => {
      const [first] = run.calls.filter(({ start }) => start > 1);
      if (!first || run.world.stores !== true) return { exercised: 0, violations: [] };
      return each([first], (call) =>
        call.operation === 'authorize'
          ? violation('a refresh, or the stored access token', 'an authorization request', call)
          : undefined,
      );
    },
  },
];

const fields: Readonly<Record<string, readonly string[]>> = {
  authorization_code: ['code', 'redirect_uri', 'code_verifier'],
  client_credentials: [],
  refresh_token: ['refresh_token'],
};

const renews = (call: Call): boolean =>
  (call.operation === 'authorize' && call.method === 'GET') || call.operation === 'issueToken';

/** The first refusal of each token. */
const firstRefusals = (run: WorldRun): Call[] =>
  groups(
    dataCalls(run).filter((call) => call.status === 401 && call.bearer !== undefined && arrived(call)),
    ({ bearer, start }) => `${start} ${bearer}`,
  ).map(([first]) => first!);

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}
