import { arrived, replyOf } from '../call.js';
import type { Call } from '../call.js';
import { each, groups, violation } from '../row.js';
import type { AuditRow } from '../row.js';
import type { WorldRun } from '../run.js';
import { isOdd } from './received.js';
import {
  credentials,
  dataCalls,
  exchanges,
  firstRefusals,
  own,
  refreshes,
  requestOf,
  scopesIn,
  settled,
  tokenCalls,
} from './requests.js';
import { calmFirst, endingOf } from './survival.js';

/** So many workers may each hold a token that was replaced, and send it once more. */
const captured = 8;

/** Data requests with a refused token and with others, after one of the others was first used. */
function sinceReplaced(run: WorldRun, first: Call): { readonly stale: Call[]; readonly fresh: Call[] } {
  const later = dataCalls(run).filter((call) => call.start === first.start && call.at > first.end);
  const isFresh = ({ bearer, status }: Call): boolean => bearer !== first.bearer && status !== 401;
  const used = later.find(isFresh);
  const since = used ? later.filter(({ at }) => at > used.end) : [];
  return { stale: since.filter(({ bearer }) => bearer === first.bearer), fresh: since.filter(isFresh) };
}

/** How long a token is used, and for what. */
export const tokens: readonly AuditRow[] = [
  {
    id: 'TOK-EXPIRES-001',
    level: 'MUST',
    sentence: 'expires_in: null says that a token has no expiry: it is used, not replaced.',
    source: '4.1',
    how: 'Tokens with expires_in: null that are replaced by another without having been used or refused count: two after a quarter of a second, or four while an earlier token was good, and the next one is used.',
    judge: (run) => {
      const endless = credentials(run).filter(
        (call) => call.status === 200 && arrived(call) && replyOf(call, 'expires_in') === null,
      );
      const usesOf = (call: Call): Call[] =>
        dataCalls(run).filter(({ bearer }) => bearer === replyOf(call, 'access_token'));
      const unused = groups(endless, ({ start, client, body }) => `${start} ${client} ${body}`).flatMap((same) => {
        const uses = same.map(usesOf);
        const replaced = same
          .map((call, at) => ({ call, next: same[at + 1], at }))
          .filter(({ next, at }) => next !== undefined && uses[at]!.length === 0);
        const slowly = replaced.filter(({ call, next }) => next!.at > call.end + settled);
        // One after the other, while an earlier token was good and the next one is used.
        const needless = replaced.filter(
          ({ call, next, at }) =>
            next!.at > call.end &&
            uses[at + 1]!.length > 0 &&
            uses.slice(0, at).some((each) => {
              const before = each.filter(({ end }) => end < call.at);
              return before.length > 0 && before.every(({ status }) => status === 200);
            }),
        );
        return (needless.length >= 4 ? needless : slowly).map(({ call }) => call);
      });
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
    sentence: 'A token is reused for many requests.',
    source: '5.6',
    how: 'Tokens of client_credentials for the same scopes are counted that served one request each, and were not refused: four of them, and more than half of all that were used, are too many. So are six that were replaced one after the other while they were good, none of which was used again.',
    judge: (run) => {
      const issued = credentials(run).filter((call) => call.status === 200 && arrived(call));
      const usesOf = (call: Call): Call[] =>
        dataCalls(run).filter(({ bearer }) => bearer === replyOf(call, 'access_token'));
      const isGood = (call: Call, at: number): boolean => {
        const seconds = replyOf(call, 'expires_in');
        return typeof seconds !== 'number' || at < call.end + 500 * seconds;
      };
      const alike = groups(
        issued,
        ({ client, start, form }) => `${start} ${client} ${scopesIn(form.get('scope')).toSorted().join(' ')}`,
      );
      return each(alike, (tokens) => {
        const uses = tokens.map(usesOf);
        const single = tokens.filter((_, at) => uses[at]!.length === 1 && uses[at]![0]!.status !== 401);
        const used = uses.filter((own) => own.length > 0);
        const replaced = tokens.filter((call, at) => {
          const next = tokens[at + 1];
          const own = uses[at]!;
          if (next === undefined || own.length === 0 || next.at <= call.end + settled || !isGood(call, next.at))
            return false;
          return own.every(({ status, end }) => status !== 401 && end <= next.at);
        });
        if (single.length >= 4 && single.length * 2 > used.length)
          return violation(
            'one token for all requests',
            `${tokens.length} tokens for the same scopes, ${single.length} of them for one request each`,
            ...single.slice(0, 3),
          );
        return replaced.length >= 6
          ? violation(
              'one token for all requests',
              `${tokens.length} tokens for the same scopes, ${replaced.length} of them replaced while they were good`,
              ...replaced.slice(0, 3),
            )
          : undefined;
      });
    },
  },
  {
    id: 'TOK-REJECTED-001',
    level: 'ADVICE',
    sentence: 'A 401 says that the token is refused: it is not sent again and again.',
    source: 'RFC 9110 15.5.2',
    how: 'The same request with a token, well after the token was answered with 401, is counted; two are allowed. Where another token is used already, eight requests with the refused one are, from workers that hold it still, and more where they are less than a quarter of all.',
    judge: (run) =>
      each(firstRefusals(run), (first) => {
        const again =
          groups(
            dataCalls(run).filter(
              (call) => call.bearer === first.bearer && call.start === first.start && call.at > first.end + settled,
            ),
            ({ method, target }) => `${method} ${target}`,
          ).toSorted((a, b) => b.length - a.length)[0] ?? [];
        if (again.length > 2)
          return violation(
            'another token, or an end',
            `the same request ${again.length} more times with the refused token`,
            first,
            ...again.slice(0, 3),
          );
        const { stale, fresh } = sinceReplaced(run, first);
        return stale.length > captured && 3 * stale.length >= fresh.length
          ? violation(
              'the token that replaced it',
              `the refused token first in ${stale.length} more requests, beside ${fresh.length} with another`,
              first,
              ...stale.slice(0, 3),
            )
          : undefined;
      }),
  },
  {
    id: 'TOK-SCOPE-002',
    level: 'ADVICE',
    sentence: 'A client that was granted fewer scopes than it asked for does not call what it was not granted.',
    source: 'RFC 6749 3.3',
    how: 'Where a token reply names fewer scopes than the request, as in the world partial-consent, the data requests with its tokens are compared with them. RFC 6749 binds the server only, so this never fails.',
    judge: (run) =>
      each(
        exchanges(run).flatMap((call) => {
          const asked = scopesIn(requestOf(run, call)?.query.get('scope'));
          const granted = scopesIn(replyOf(call, 'scope'));
          const isLess = call.status === 200 && arrived(call) && granted.length > 0;
          return isLess && asked.some((scope) => !granted.includes(scope)) ? [{ call, granted }] : [];
        }),
        ({ call, granted }) => {
          // A client may get tokens for itself as well, of other scopes.
          const owned = new Set(
            [
              call,
              ...refreshes(run).filter(({ number, client }) => number > call.number && client === call.client),
            ].map((one) => replyOf(one, 'access_token')),
          );
          const [first, ...more] = dataCalls(run).filter(
            ({ bearer, scope, method }) =>
              method !== 'OPTIONS' && owned.has(bearer) && scope !== undefined && !granted.includes(scope),
          );
          return (
            first &&
            violation(
              `only requests that the granted scopes allow (${granted.join(' ')})`,
              `${more.length + 1} request${more.length === 0 ? '' : 's'} that need${more.length === 0 ? 's' : ''} ${first.scope}, which was not granted`,
              call,
              first,
            )
          );
        },
      ),
  },
  {
    id: 'TOK-SCOPE-003',
    level: 'ADVICE',
    sentence: 'A client asks for the scopes that its requests need.',
    source: '5.3',
    how: 'Data requests, and those to revoke or introspect a token, that were refused with 403 for the lack of a scope are looked at, where no request for a code or a token named it, or where the token came by client_credentials and was asked for without it. A client may find out so what it may do, so this never fails.',
    judge: (run) => {
      const asked = new Set(
        [...tokenCalls(run), ...run.calls.filter(({ operation }) => operation === 'authorize')].flatMap((call) =>
          scopesIn(call.form.get('scope') ?? call.query.get('scope')),
        ),
      );
      if (asked.size === 0) return { exercised: 0, violations: [] };
      const issued = new Map(tokenCalls(run).map((call) => [replyOf(call, 'access_token'), call]));
      const used = own(run).filter(({ bearer, scope }) => scope !== undefined && issued.has(bearer));
      return each(used, (call) => {
        const { form } = issued.get(call.bearer)!;
        const isOwn = form.get('grant_type') === 'client_credentials' && form.has('scope');
        const named = isOwn ? new Set(scopesIn(form.get('scope'))) : asked;
        return call.status === 403 && call.decision !== 'faulted' && !named.has(call.scope!)
          ? violation(
              `a token with ${call.scope!}`,
              `${isOwn ? 'its token was' : 'tokens were'} asked for with ${[...named].join(' ')} alone`,
              call,
            )
          : undefined;
      });
    },
  },
  {
    id: 'READ-TOKEN-002',
    level: 'MUST-RFC',
    sentence: 'A token may have any printable ASCII characters: the client uses it.',
    source: 'RFC 6749 A.12',
    how: 'In the world odd-tokens a client that got a token, was refused none, and ends without success must have sent a data request.',
    judge: (run) => {
      if (!isOdd(run) || run.endedInCalm === undefined) return { exercised: 0, violations: [] };
      const issues = tokenCalls(run);
      const got = issues.filter((call) => call.status === 200 && arrived(call));
      if (!run.endedInCalm) return { exercised: 0, violations: [], ...(got.length > 0 && { obstacle: calmFirst }) };
      const stopped = !run.ended && got.length === issues.length && dataCalls(run).length === 0;
      return {
        exercised: got.length,
        violations: stopped && got[0] ? [violation('a data request with the token', endingOf(run), got[0])] : [],
      };
    },
  },
];
