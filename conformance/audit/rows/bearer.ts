import { replyOf } from '../call.js';
import type { AuditRow } from '../row.js';
import { each, quote, violation } from '../row.js';
import type { WorldRun } from '../run.js';
import { dataCalls, own, tokenCalls } from './requests.js';

/** Access and refresh tokens that the client can have. */
const secretsOf = (run: WorldRun): string[] => [
  ...run.facts.given,
  ...tokenCalls(run).flatMap((call) =>
    [replyOf(call, 'access_token'), replyOf(call, 'refresh_token')].filter((one) => typeof one === 'string'),
  ),
];

export const leakOf = (secrets: readonly string[], places: readonly string[]): string | undefined =>
  secrets.find((secret) => secret.length >= 8 && places.some((place) => place.includes(secret)));

/** The access token in a request. */
export const bearer: readonly AuditRow[] = [
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
];
