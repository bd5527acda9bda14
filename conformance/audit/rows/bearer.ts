import { noValue } from '../no-value.js';
import { count } from '../../text.js';
import { replyOf } from '../call.js';
import type { Call } from '../call.js';
import type { AuditRow } from '../row.js';
import { each, violation } from '../row.js';
import type { WorldRun } from '../run.js';
import { decoded } from './names.js';
import { dataCalls, tokenCalls } from './requests.js';

const repliesOf = (run: WorldRun, member: string): string[] =>
  tokenCalls(run)
    .map((call) => replyOf(call, member))
    .filter((one) => typeof one === 'string');

const accessOf = (run: WorldRun): string[] => [...run.facts.given, ...repliesOf(run, 'access_token')];
export const refreshTokensOf = (run: WorldRun): string[] => repliesOf(run, 'refresh_token');

/** Everything secret that is no access token. */
const othersOf = (run: WorldRun): string[] => [
  ...refreshTokensOf(run),
  ...[...run.facts.clients].flatMap(([id, { secret }]) => [id, secret ?? id]),
  ...tokenCalls(run).flatMap(({ form }) => ['code', 'code_verifier'].map((name) => form.get(name) ?? 'no such text')),
];

/** What is wrong with a credential that is no token, without a part of it. */
function notAToken(text: string, tokens: readonly string[]): string {
  if (noValue.test(text)) return `"${text}", what a language writes where there is no value`;
  const cut = tokens.find((token) => text.length >= 8 && token.includes(text));
  if (cut !== undefined) return `${text.length} of the ${cut.length} characters of a token`;
  const held = tokens.find((token) => token.length >= 8 && text.includes(token));
  if (held !== undefined) return `a token with ${count(text.length - held.length, 'more character')} around it`;
  if (tokens.some((token) => token.toLowerCase() === text.toLowerCase())) return 'a token in another letter case';
  if (tokens.includes(decoded(text) ?? '')) return 'a token that is percent-encoded';
  if (tokens.includes(fromBase64(text))) return 'a token in base64';
  return `a text of ${text.length} characters that the service has not issued`;
}

/** Whether a text can be a token of another service or of another day, and is none that was made from a known one. */
const isStranger = (token: string, known: readonly string[]): boolean =>
  /^(?=.*\d)(?=.*[a-z])[\w~+/.-]{20,}=*$/i.test(token) &&
  !known.some((text) => holds(text, token) || holds(token, text) || text === fromBase64(token));

const fromBase64 = (text: string): string => Buffer.from(text, 'base64').toString('latin1');

/** Whether a text holds another, in whatever letter case. */
const holds = (text: string, part: string): boolean => text.toLowerCase().includes(part.toLowerCase());

/**
 * Whether a request without a token is that of a client that waits to be challenged: it is sent again with one, or the
 * client has had none yet and sets out to get one, or the world let it fail before it could be challenged.
 */
const isChallenged = (run: WorldRun, call: Call): boolean => {
  if (call.headers.authorization !== undefined) return false;
  const repeated = dataCalls(run).some(
    (later) =>
      later.number > call.number &&
      later.bearer !== undefined &&
      later.start === call.start &&
      later.method === call.method &&
      later.target === call.target,
  );
  if (repeated) return call.status === 401 || call.decision === 'faulted';
  const holds =
    dataCalls(run).some(({ bearer }) => run.facts.given.includes(bearer ?? '')) ||
    tokenCalls(run).some(({ number, status }) => number < call.number && status === 200);
  const setsOut = run.calls.some(
    ({ number, start, operation }) =>
      number > call.number && start === call.start && (operation === 'authorize' || operation === 'issueToken'),
  );
  return !holds && (setsOut || call.decision === 'faulted');
};

export const leakOf = (secrets: readonly string[], places: readonly string[]): string | undefined =>
  secrets.find((secret) => secret.length >= 8 && places.some((place) => place.includes(secret)));

/** The access token in a request. */
export const bearer: readonly AuditRow[] = [
  {
    id: 'TOK-BEARER-001',
    level: 'MUST',
    sentence: 'A data request carries its access token in the header: Authorization: Bearer <ACCESS_TOKEN>.',
    source: '5.2',
    how: 'The headers of every data request are read; a request with two Authorization headers violates this (RFC 9110 5.3). A client that sends its token when a 401 has asked for it is allowed, and so is one that has none yet and sets out to get one.',
    judge: (run) =>
      each(dataCalls(run), (call) => {
        if (call.credentials > 1)
          return violation('one Authorization header', `${call.credentials} Authorization headers`, call);
        return call.bearer === undefined && !isChallenged(run, call)
          ? violation(
              'Authorization: Bearer <token>',
              call.headers.authorization === undefined ? 'no Authorization header' : 'another Authorization header',
              call,
            )
          : undefined;
      }),
  },
  {
    id: 'TOK-BEARER-002',
    level: 'MUST-RFC',
    sentence: 'A client sends its token in a header, and never in a URL.',
    source: 'RFC 9700 4.3.2',
    how: 'The address of every request is searched for the tokens that the client holds, that of the authorization request too.',
    judge: (run) => {
      const secrets = [...accessOf(run), ...refreshTokensOf(run)];
      return each(
        run.calls.filter(({ operation, path }) => operation !== undefined || path.startsWith('/oauth/')),
        (call) =>
          leakOf(secrets, [call.target]) !== undefined || (call.query.get('access_token') ?? '') !== ''
            ? violation('no token in the URL', `a token in the URL of ${call.method} ${call.path}`, call)
            : undefined,
      );
    },
  },
  {
    id: 'TOK-BEARER-004',
    level: 'ADVICE',
    sentence:
      'An access token goes into the Authorization header, and into no other, where logs and caches would keep it.',
    source: 'RFC 6750 2.1',
    how: 'The other headers of every data request are searched for the access tokens that the client holds.',
    judge: (run) => {
      const tokens = accessOf(run);
      return each(
        dataCalls(run).filter(({ bearer }) => bearer !== undefined),
        (call) => {
          const [name] =
            Object.entries(call.headers).find(
              ([header, value]) => header !== 'authorization' && leakOf(tokens, [value]) !== undefined,
            ) ?? [];
          return name === undefined
            ? undefined
            : violation('the token in Authorization alone', `a token in the header ${name} as well`, call);
        },
      );
    },
  },
  {
    id: 'TOK-BEARER-003',
    level: 'MUST',
    sentence: 'The bearer credential is an access token that the service issued.',
    source: '5.2',
    how: 'The token of every data request is looked for among those that were issued. One of another world, or of another day, has been kept where worlds share it, and is not judged.',
    across: (runs) => {
      const everywhere = new Set(runs.flatMap(accessOf));
      const others = new Set(runs.flatMap(othersOf));
      const known = [...everywhere, ...others];
      const all = runs.flatMap((run) => {
        const own = new Set(accessOf(run));
        return dataCalls(run).flatMap((call) => {
          if (call.bearer === undefined) return [];
          const fits = own.has(call.bearer) || run.facts.issued(call.bearer);
          const elsewhere = everywhere.has(call.bearer) || isStranger(call.bearer, known);
          return [{ call, run, verdict: fits ? 'own' : elsewhere ? 'elsewhere' : 'wrong' } as const];
        });
      });
      const judged = all.filter(({ verdict }) => verdict !== 'elsewhere');
      const wrong = judged.find(({ verdict }) => verdict === 'wrong');
      return {
        ...each(judged, ({ call, verdict }) =>
          verdict === 'own'
            ? undefined
            : violation(
                'an access token',
                others.has(call.bearer!) ? 'another secret' : notAToken(call.bearer!, [...everywhere]),
                call,
              ),
        ),
        ...(judged.length < all.length && {
          obstacle: 'the client used a token of another world or day: have it store below GAMEDATA_STATE',
        }),
        ...(wrong && { world: wrong.run.world.id }),
      };
    },
  },
];
