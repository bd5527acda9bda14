import { arrived, replyOf } from '../call.js';
import type { Call } from '../call.js';
import type { AuditRow } from '../row.js';
import { each, groups, quote, violation } from '../row.js';
import type { WorldRun } from '../run.js';
import { isOdd } from './received.js';
import {
  authorizations,
  credentials,
  dataCalls,
  exchanges,
  own,
  refreshes,
  requestOf,
  scopesIn,
  settled,
  tokenCalls,
} from './requests.js';
import { calmFirst, endingOf } from './survival.js';
import { hasWorkers } from './waits.js';

/** What is done with tokens. */
/** Whether an authorization request asks for a scope that a token has not. */
function widens(run: WorldRun, { bearer }: Call, { query }: Call): boolean {
  const issue = tokenCalls(run).find((one) => replyOf(one, 'access_token') === bearer);
  const granted = issue && replyOf(issue, 'scope');
  if (typeof granted !== 'string') return true;
  const has = scopesIn(granted);
  return scopesIn(query.get('scope')).some((scope) => !has.includes(scope));
}

/** The same request with another token, after a renewal. */
const retriesOf = (run: WorldRun, { target, bearer }: Call, renewal: Call): Call[] =>
  dataCalls(run).filter((one) => one.number > renewal.number && one.target === target && one.bearer !== bearer);

/** A client has a reply so long before the server sees the end of it, ms. */
const moment = 5;

/** Whether a renewal presents at once the refresh token that came with the token of a request. */
function refreshesAtOnce(run: WorldRun, { bearer, end }: Call, renewal: Call): boolean {
  const issue = tokenCalls(run).find((one) => replyOf(one, 'access_token') === bearer);
  const token = issue && replyOf(issue, 'refresh_token');
  return token !== undefined && renewal.form.get('refresh_token') === token && renewal.at < end + settled;
}

/** Whether a client gets a token for each request, so that one more says nothing of the reply before it. */
function hasOneForEach(run: WorldRun, { client, start }: Call): boolean {
  const bearers = dataCalls(run).flatMap((one) => (one.client === client && one.start === start ? one.bearer : []));
  return bearers.length > 2 && new Set(bearers).size === bearers.length;
}

/**
 * The renewal that a refused data request led to: what the client did next, or, where another worker's request came between,
 * what it did at once to ask the same at once.
 */
function renewalAfter(run: WorldRun, call: Call): Call | undefined {
  const later = run.calls.filter(
    ({ number, start, at }) => number > call.number && start === call.start && at > call.end - moment,
  );
  const isOwn = (one: Call): boolean => renews(one) && one.client === call.client;
  const [next] = later.filter((one) => one.data || isOwn(one));
  if (next && isOwn(next)) return next;
  const renewal = later.find(isOwn);
  const isAtOnce =
    renewal !== undefined &&
    hasWorkers(dataCalls(run)) &&
    renewal.at < call.end + settled &&
    (refreshesAtOnce(run, call, renewal) || retriesOf(run, call, renewal).some(({ at }) => at < renewal.end + settled));
  return isAtOnce ? renewal : undefined;
}

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
    id: 'TOK-KEEP-001',
    level: 'ADVICE',
    sentence: 'An error of the data API other than 401 says nothing about the tokens: they are kept.',
    source: 'RFC 6750 3.1',
    how: 'After a data reply of 403, 404, 429 or 5xx, the same request must not be tried with a new token, nor its token be refreshed at once. After a 403 the user may be asked for more scopes, and not for those alone that the token has.',
    judge: (run) =>
      each(
        dataCalls(run).filter(
          (call) =>
            call.status !== null &&
            call.status >= 402 &&
            !hasOneForEach(run, call) &&
            run.calls.some(({ number, start }) => number > call.number && start === call.start),
        ),
        (call) => {
          const next = renewalAfter(run, call);
          const refused = dataCalls(run).some(
            (one) => one.status === 401 && one.number < (next?.number ?? 0) && one.end > call.at - 5000,
          );
          const held = run.calls.some((one) => one.operation === 'issueToken' && one.number < call.number);
          const retried =
            next !== undefined && (refreshesAtOnce(run, call, next) || retriesOf(run, call, next).length > 0);
          // A client that lacks a scope may ask the user for it (RFC 6750 3.1).
          const asks = call.status === 403 && next?.operation === 'authorize';
          const wrong = asks ? !widens(run, call, next) : retried;
          return next && wrong && !refused && held
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
    level: 'ADVICE',
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
              one.at > call.end - moment &&
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
    how: 'In worlds with a second start, its first request must not be an authorization request while the refresh token lives. A client that has sent a token to be revoked before, or below whose GAMEDATA_STATE no token of a user stands, is not judged.',
    judge: (run) => {
      const [first] = run.calls.filter(({ start }) => start > 1);
      const isSignedOut = run.calls.some(({ operation }) => operation === 'revokeToken');
      if (
        !first ||
        run.world.stores !== true ||
        // There TOK-KEEP-006 is about it.
        run.world.recovers === true ||
        isSignedOut ||
        run.endings[0]?.stored === false ||
        run.endings[0]?.keptLogin === false
      )
        return { exercised: 0, violations: [] };
      return each([first], (call) =>
        call.operation === 'authorize'
          ? violation('a refresh, or the stored access token', 'an authorization request', call)
          : undefined,
      );
    },
  },
  {
    id: 'TOK-KEEP-006',
    level: 'ADVICE',
    sentence: 'A refresh that fails for a while loses no login: the next start refreshes again.',
    source: 'RFC 9110 15.6.4',
    how: 'In the world refresh-down no refresh of the first start succeeds; the second, in which all is well, must not begin by asking the user. A client that stores its login nowhere below GAMEDATA_STATE, in no world, is not judged.',
    across: (runs) => {
      const run = runs.find(({ world }) => world.recovers === true);
      const stores = runs.some(({ endings }) => endings.some(({ keptLogin }) => keptLogin === true));
      const failed = run && refreshes(run).find((call) => call.start === 1 && call.decision === 'faulted');
      const next = run?.calls.find(({ start, operation }) => start === 2 && operation !== undefined);
      if (!stores || !failed || !next || run.world.stores !== true) return { exercised: 0, violations: [] };
      const wrong =
        next.operation === 'authorize'
          ? [violation('the same refresh token again', 'an authorization request', failed, next)]
          : [];
      return { exercised: 1, violations: wrong, world: run.world.id };
    },
  },
  {
    id: 'TOK-KEEP-007',
    level: 'ADVICE',
    sentence:
      'An access token that has ended is replaced with the refresh token: the user is not asked while that is good.',
    source: 'RFC 6749 1.5',
    how: 'In worlds in which access tokens end, a data request is refused whose token came with a refresh token; the next authorization request of that client and start must not come before a refresh with it. Worlds in which a refresh fails are left out. Nothing obliges a client to refresh, so this never fails.',
    judge: (run) => {
      const ends = run.world.events?.some((event) => event.do === 'end-access');
      const refreshFails = run.world.faults?.some(({ grant }) => grant === 'refresh_token');
      if (!ends || refreshFails) return { exercised: 0, violations: [] };
      const refused = firstRefusals(run).flatMap((call) => {
        const issue = tokenCalls(run).find((one) => replyOf(one, 'access_token') === call.bearer);
        const token = issue && replyOf(issue, 'refresh_token');
        return issue && typeof token === 'string' && issue.start === call.start ? [{ call, issue, token }] : [];
      });
      return each(refused, ({ call, issue, token }) => {
        const next = authorizationsAfter(run, call).find(({ query }) => query.get('client_id') === issue.client);
        const isTried = refreshes(run).some(
          ({ form, number }) => form.get('refresh_token') === token && number < (next?.number ?? 0),
        );
        return next && !isTried ? violation('a refresh', 'the user asked again', call, next) : undefined;
      });
    },
  },
  {
    id: 'TOK-KEEP-008',
    level: 'ADVICE',
    sentence:
      'A data request that fails for a while loses no stored login: the user need not log in at the next start.',
    source: 'RFC 9110 15.6',
    how: 'In worlds whose only obstacle is a 429 or 5xx of data requests, a client that met one and ends by itself still has a token of its user below GAMEDATA_STATE. A client that keeps none there in the calm world is not judged.',
    across: (runs) => {
      const calm = runs.find(({ world }) => world.id === 'calm');
      const stores =
        calm !== undefined && calm.endings.length > 0 && calm.endings.every((one) => one.keptLogin === true);
      const cases = (stores ? runs : []).flatMap((run) => {
        const failed =
          failsData(run) && run.endings.every(({ how }) => how === 'exit')
            ? dataCalls(run).find(({ decision }) => decision === 'faulted')
            : undefined;
        return failed ? [{ run, failed, lost: run.endings.at(-1)?.keptLogin === false }] : [];
      });
      const lost = cases.find((one) => one.lost);
      return {
        ...each(cases, (one) =>
          one.lost
            ? violation(
                'the login in what it stores, as in the calm world',
                `none after HTTP ${one.failed.status}`,
                one.failed,
              )
            : undefined,
        ),
        ...(lost && { world: lost.run.world.id }),
      };
    },
  },
  {
    id: 'TOK-KEEP-004',
    level: 'ADVICE',
    sentence: 'Tokens are confidential: a client does not write them to its output, which ends in logs.',
    source: 'RFC 6749 10.3',
    how: 'The first megabyte that a client writes is searched for the tokens that were issued, in base64 too. A program whose purpose is to print a token does so rightly, so this never fails.',
    judge: (run) => {
      const starts = run.endings.filter(({ printed }) => printed !== undefined);
      return issuedIn(run).length === 0
        ? { exercised: 0, violations: [] }
        : each(starts, ({ printed }) =>
            printed ? violation('no token in what it writes', 'one that was issued', issuedIn(run)[0]!) : undefined,
          );
    },
  },
  {
    id: 'TOK-KEEP-005',
    level: 'ADVICE',
    sentence: 'Stored tokens are confidential: no other user of the machine can read them.',
    source: 'RFC 6749 10.3',
    how: 'Files below GAMEDATA_STATE that hold a token that was issued must not be readable by all users, unless a folder on the way is closed to them. Who may enter the folder that the client has elsewhere is not seen, so this never fails.',
    judge: (run) =>
      each(
        run.endings.filter(({ keptToken }) => keptToken === true),
        ({ openFile }) =>
          openFile === undefined
            ? undefined
            : violation(
                'a file for its user alone (mode 600)',
                `${quote(openFile)}, which all users can read`,
                ...issuedIn(run).slice(0, 1),
              ),
      ),
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
    how: 'Data requests, and those to revoke or introspect a token, that were refused with 403 for the lack of a scope are looked at, where no request for a code or a token named it. A client may find out so what it may do, so this never fails.',
    judge: (run) => {
      const asked = new Set(
        [...tokenCalls(run), ...run.calls.filter(({ operation }) => operation === 'authorize')].flatMap((call) =>
          scopesIn(call.form.get('scope') ?? call.query.get('scope')),
        ),
      );
      if (asked.size === 0) return { exercised: 0, violations: [] };
      const issued = tokenCalls(run).map((call) => replyOf(call, 'access_token'));
      const used = own(run).filter(({ bearer, scope }) => scope !== undefined && issued.includes(bearer));
      return each(used, (call) =>
        call.status === 403 && call.decision !== 'faulted' && !asked.has(call.scope!)
          ? violation(`a token with ${call.scope!}`, `tokens were asked for with ${[...asked].join(' ')} alone`, call)
          : undefined,
      );
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

/** Whether a world lets data requests fail, and does nothing to tokens. */
const failsData = ({ world: { faults = [], events, browser } }: WorldRun): boolean =>
  faults.length > 0 &&
  events === undefined &&
  browser === undefined &&
  faults.every(
    ({ status = 0, grant, server, operation }) =>
      status >= 429 && grant === undefined && operation !== 'issueToken' && server !== 'authorization',
  );

const renews = (call: Call): boolean =>
  (call.operation === 'authorize' && call.method === 'GET') || call.operation === 'issueToken';

/** Requests to the user that follow in the same start. */
const authorizationsAfter = (run: WorldRun, { start, end }: Call): Call[] =>
  authorizations(run).filter((one) => one.start === start && one.at >= end);

/** The first refusal of each token. */
const firstRefusals = (run: WorldRun): Call[] =>
  groups(
    dataCalls(run).filter((call) => call.status === 401 && call.bearer !== undefined && arrived(call)),
    ({ bearer, start }) => `${start} ${bearer}`,
  ).map(([first]) => first!);

/** The token requests that gave the client tokens. */
const issuedIn = (run: WorldRun): Call[] => tokenCalls(run).filter((call) => call.status === 200 && arrived(call));
