import { arrived, grantOf, replyOf } from '../call.js';
import type { Call } from '../call.js';
import type { AuditRow } from '../row.js';
import { each, groups, violation } from '../row.js';
import type { WorldRun } from '../run.js';
import { asReceived } from './received.js';
import { asksSame, dataCalls, exchanges, probes, refreshes, scopesIn, settled, tokenCalls } from './requests.js';
import { mostWorkers } from './waits.js';

const tokenOf = (call: Call): string => call.form.get('refresh_token') ?? '';
const succeeded = (call: Call): boolean => call.status === 200 && call.delivery === 'sent';

/** Refreshes with the token of `first` that came after it. */
const laterWith = (run: WorldRun, first: Call): Call[] =>
  refreshes(run).filter((call) => call.number > first.number && tokenOf(call) === tokenOf(first));

/**
 * Whether a client shows that it has read the reply of a refresh: it uses something of it. One that gave up waiting does
 * not know that its token was replaced, although the reply was sent. How long it waited is not seen from here: a request
 * may have come late. `by` is the number of the request that it has to have known for.
 */
function knew(run: WorldRun, refreshed: Call, by = Infinity): boolean {
  const access = replyOf(refreshed, 'access_token');
  const next = replyOf(refreshed, 'refresh_token');
  return run.calls.some(
    (call) =>
      call.number > refreshed.number &&
      call.number < by &&
      ((call.bearer !== undefined && call.bearer === access) ||
        (grantOf(call) === 'refresh_token' && tokenOf(call) === next)),
  );
}

/** Refreshes with the same token that are no later try: they were sent before the reply to the first was there. */
function besides(run: WorldRun, first: Call): Call[] {
  if (first.delivery !== 'sent' || (first.status !== 200 && first.status !== 400)) return [];
  // One that begins after a refusal is another try, and no companion.
  const known = first.status === 200 ? first.end + settled : first.end - 1;
  return laterWith(run, first).filter(
    (call) =>
      call.start === first.start &&
      // Who has used what the reply gave is not one of several: it kept the old token.
      (call.at < first.end || (call.at <= known && !knew(run, first, call.number))) &&
      !(first.status === 400 && probes(first, call)),
  );
}

/** Whether several requests with one token were refused before a refresh was answered. */
function failedTogether(run: WorldRun, first: Call): boolean {
  const refused = dataCalls(run).filter(
    ({ status, start, at, end }) => status === 401 && start === first.start && at < first.end && end > first.at - 2000,
  );
  return groups(refused, ({ bearer }) => bearer ?? '').some((same) => same.length > 1);
}

/** Refreshes with what a refresh had returned a moment before, though its access token had not been refused. */
function needlessIn(run: WorldRun): readonly { call: Call; source: Call; isAtOnce: boolean }[] {
  const sources = new Map<unknown, Call>();
  for (const one of refreshes(run).filter(succeeded).toReversed()) sources.set(replyOf(one, 'refresh_token'), one);
  const refused = new Map<unknown, Call>();
  for (const one of dataCalls(run).toReversed()) if (one.status === 401) refused.set(one.bearer, one);
  return refreshes(run).flatMap((call) => {
    const source = sources.get(tokenOf(call));
    if (source === undefined || call.at - source.end >= 5000) return [];
    const refusal = refused.get(replyOf(source, 'access_token'));
    if (refusal && refusal.number < call.number) return [];
    return [{ call, source, isAtOnce: call.at - source.end < settled }];
  });
}

/** The access tokens of the same grant that a refresh replaced. */
function replacedBy(run: WorldRun, refreshed: Call): Set<unknown> {
  const replaced = new Set<unknown>();
  let token = tokenOf(refreshed);
  for (const issue of tokenCalls(run).toReversed()) {
    if (issue.number >= refreshed.number || issue.status !== 200 || replyOf(issue, 'refresh_token') !== token) continue;
    replaced.add(replyOf(issue, 'access_token'));
    token = tokenOf(issue);
  }
  return replaced;
}

export const refresh: readonly AuditRow[] = [
  {
    id: 'REFRESH-USED-001',
    level: 'MUST-RFC',
    sentence: 'A refresh token that was replaced is discarded: it is not presented again.',
    source: 'RFC 6749 6',
    how: 'Refresh tokens whose replacement arrived are looked for in later refreshes of the same start (REFRESH-RESTART-001 is about the next). Where nothing of the reply is ever used, the client may have given up waiting, and is allowed.',
    judge: (run) => {
      const all = refreshes(run);
      // Who never refreshes again shows no token.
      const shown = all.filter(
        (first) =>
          succeeded(first) && all.some(({ number, client }) => number > first.number && client === first.client),
      );
      return each(shown, (first) => {
        const again = laterWith(run, first).find(
          (call) =>
            call.start === first.start &&
            (knew(run, first, call.number) || (call.at > first.end + settled && knew(run, first))),
        );
        return again && violation('the newest refresh token', 'a refresh token that had been used', first, again);
      });
    },
  },
  {
    id: 'REFRESH-TEXT-001',
    level: 'MUST-RFC',
    sentence: 'The refresh token of a token request is the one that was issued, every character of it.',
    source: 'RFC 6749 6',
    how: 'An access token is none. In the world odd-tokens the token of every refresh is compared with those that were issued; one that came of none of them is not judged.',
    judge: (run) => {
      const access = new Set([...run.facts.given, ...tokenCalls(run).map((call) => replyOf(call, 'access_token'))]);
      const changed = asReceived(run, 'refresh_token');
      const exchanged = each(
        refreshes(run).filter((call) => access.has(tokenOf(call))),
        (call) => violation('a refresh token', 'an access token', call),
      );
      return {
        exercised: changed.exercised + exchanged.exercised,
        violations: [...changed.violations, ...exchanged.violations],
      };
    },
  },
  {
    id: 'REFRESH-ONCE-001',
    level: 'MUST',
    sentence: 'A refresh token expires when it is used: requests that fail together do not present it each.',
    source: '3',
    how: 'Where several requests with one token are refused before its refresh is answered, refreshes with the same token are looked for that were sent before the first was answered, or before its reply can be known.',
    judge: (run) =>
      each(
        groups(refreshes(run), tokenOf)
          .map(([first]) => ({ first: first!, together: besides(run, first!) }))
          .filter(({ first, together }) => together.length > 0 || failedTogether(run, first)),
        ({ first, together }) => {
          const [next] = together;
          if (!next) return undefined;
          const overlaps = next.at < first.end;
          return violation(
            'one refresh for all of them',
            overlaps
              ? `${together.length + 1} refreshes with the same refresh token, sent before the first was answered`
              : `the same refresh token again, ${Math.max(0, Math.round(next.at - first.end))} ms after the reply that replaced it`,
            first,
            ...together.slice(0, 3),
          );
        },
      ),
  },
  {
    id: 'REFRESH-ONCE-002',
    level: 'ADVICE',
    sentence: 'Requests that were refused together lead to one refresh, not to one each after the other.',
    source: '3',
    how: 'Refreshes with a token that a refresh within the last five seconds returned, while its access token had not been refused, are counted where several requests met a 401 with the same token; one is allowed, but not at once after the other.',
    judge: (run) => {
      const crowds = groups(
        dataCalls(run).filter(({ status, bearer }) => status === 401 && bearer !== undefined),
        ({ bearer, start }) => `${start} ${bearer}`,
      ).filter((crowd) => crowd.length > 1);
      const needless = needlessIn(run);
      return each(crowds, (crowd) => {
        const [first] = crowd as [Call];
        const chain = needless.filter(({ call, source }) => source.at > first.at && call.start === first.start);
        return chain.length > 1 || chain.some(({ isAtOnce }) => isAtOnce)
          ? violation(
              'one refresh for all of them',
              `${chain.length + 1}, one after the other`,
              first,
              ...chain.slice(0, 3).map(({ call }) => call),
            )
          : undefined;
      });
    },
  },
  {
    id: 'REFRESH-NEWEST-001',
    level: 'ADVICE',
    sentence: 'After a refresh the new access token is used.',
    source: '3',
    how: 'Data requests after a refresh that carry an access token which it replaced, and are refused for it, are counted; one is allowed, and so is a client that uses the new token as well.',
    judge: (run) =>
      each(refreshes(run).filter(succeeded), (call) => {
        const replaced = replacedBy(run, call);
        const next = dataCalls(run).filter(
          (one) => one.at > call.end + settled && one.start === call.start && one.bearer !== undefined,
        );
        const old = next.filter(({ bearer, status }) => replaced.has(bearer) && status === 401);
        return old.length > 1 && !next.some(({ bearer }) => bearer === replyOf(call, 'access_token'))
          ? violation(
              'the access token that the refresh returned',
              `the one that it replaced, refused ${old.length} times, and the new one never`,
              call,
              old[0]!,
            )
          : undefined;
      }),
  },
  {
    id: 'REFRESH-INVALID-001',
    level: 'ADVICE',
    sentence: 'A refresh token that was refused with invalid_grant is not presented again.',
    source: 'RFC 6749 5.2',
    how: 'Refresh tokens that were refused so are looked for in later refreshes. One is allowed in another start, at once, or after another request was refused: it may come from another process.',
    judge: (run) =>
      each(
        refreshes(run).filter(
          (call) => call.status === 400 && replyOf(call, 'error') === 'invalid_grant' && arrived(call),
        ),
        (first) => {
          const again = laterWith(run, first).filter((call) => call.at > first.end && !probes(first, call));
          const isOwn = again.some(
            (call) =>
              call.start === first.start &&
              call.copy === first.copy &&
              call.at > first.end + settled &&
              !dataCalls(run).some(({ status, end }) => status === 401 && end > first.end && end <= call.at),
          );
          return again.length > 1 || isOwn
            ? violation(
                'the user asked, or an end',
                `${again.length} more refresh${again.length === 1 ? '' : 'es'} with the refused token`,
                first,
                again[0]!,
              )
            : undefined;
        },
      ),
  },
  {
    id: 'REFRESH-STORM-001',
    level: 'ADVICE',
    sentence: 'A token endpoint that fails is not stormed: the tries are spaced.',
    source: 'observed',
    how: 'Token requests within a second of a failed one are counted; three are allowed.',
    judge: (run) =>
      each(
        tokenCalls(run).filter((call) => call.decision === 'faulted'),
        (first) => {
          const soon = tokenCalls(run).filter(
            (call) =>
              call.number > first.number &&
              call.at >= first.at &&
              call.at < first.end + 1000 &&
              grantOf(call) === grantOf(first) &&
              call.client === first.client &&
              call.start === first.start,
          );
          return soon.length > 3
            ? violation(
                'at most three more tries within a second',
                `${soon.length} more tries within a second`,
                first,
                ...soon.slice(0, 3),
              )
            : undefined;
        },
      ),
  },
  {
    id: 'REFRESH-STORM-002',
    level: 'SHOULD-RFC',
    sentence: 'After a Retry-After from the token endpoint, the client sends it nothing until then.',
    source: 'RFC 9110 10.2.3',
    how: 'Token requests before the time named are looked for; one that was under way, or has another client authentication, is allowed. So are sixteen of the same grant for something else, such as the code of another login or a token for other scopes.',
    judge: (run) =>
      each(
        tokenCalls(run).filter((call) => call.decision === 'faulted' && call.replyHeaders['retry-after'] !== undefined),
        (first) => {
          const wait = Number(first.replyHeaders['retry-after']) * 1000;
          // Several workers may each want a token: where one asked again in time, that was the follow-up.
          const waited =
            grantOf(first) === 'client_credentials' &&
            tokenCalls(run).some(
              (call) =>
                call.start === first.start &&
                asksSame(first, call) &&
                call.at >= first.end + wait * 0.9 - 20 &&
                call.at < first.end + wait + 1500,
            );
          if (waited) return undefined;
          const early = tokenCalls(run).filter(
            (call) =>
              call.start === first.start &&
              call.client === first.client &&
              grantOf(call) === grantOf(first) &&
              !probes(first, call) &&
              call.at > first.end + (asksSame(first, call) && grantOf(call) !== 'client_credentials' ? 0 : 20) &&
              call.at < first.end + wait * 0.9 - 20,
          );
          // What is for something else is no follow-up, unless it is a storm.
          const again = early.length > mostWorkers ? early[0] : early.find((call) => asksSame(first, call));
          return (
            again &&
            violation(
              `no token request for ${wait / 1000} s, as Retry-After says`,
              `${early.length > mostWorkers ? `${early.length} token requests, the first` : 'another token request'} after ${Math.round(again.at - first.end)} ms`,
              first,
              again,
            )
          );
        },
      ),
  },
  {
    id: 'REFRESH-LOST-001',
    level: 'ADVICE',
    sentence: 'A lost reply of a refresh leads to a try or two, then to the user: not to a loop.',
    source: '3',
    how: 'Refreshes after a lost reply are counted.',
    judge: (run) =>
      each(
        refreshes(run).filter((call) => call.delivery !== 'sent' && call.decision === 'faulted'),
        (first) => {
          const again = laterWith(run, first);
          return again.length > 4
            ? violation('one or two more refreshes', `${again.length} more refreshes`, first, ...again.slice(0, 3))
            : undefined;
        },
      ),
  },
  {
    id: 'REFRESH-NEED-001',
    level: 'ADVICE',
    sentence: 'A token is refreshed when it has expired or is about to, not before each request.',
    source: '4.1',
    how: 'Refreshes of tokens that had not been refused and had hours to live are counted; one that is tried again counts once.',
    judge: (run) => {
      // What is sent again after a failure is still one refresh.
      const tries = refreshes(run);
      const begun = tries.filter((call, at) => tries.findIndex((one) => tokenOf(one) === tokenOf(call)) === at);
      const needless = begun.filter((call) => {
        const issue = tokenCalls(run).findLast(
          (one) => one.number < call.number && replyOf(one, 'refresh_token') === tokenOf(call),
        );
        if (!issue || issue.start !== call.start) return false;
        const access = replyOf(issue, 'access_token');
        const left = Number(replyOf(issue, 'expires_in')) - (call.clock - issue.clock) / 1000;
        return left > 3600 && !dataCalls(run).some(({ bearer, status }) => bearer === access && status === 401);
      });
      return {
        exercised: refreshes(run).length,
        violations:
          needless.length > 2
            ? [
                violation(
                  'a refresh when the access token has expired or was refused',
                  `${needless.length} refreshes while it was good for more than an hour`,
                  ...needless.slice(0, 3),
                ),
              ]
            : [],
      };
    },
  },
  {
    id: 'REFRESH-SCOPE-001',
    level: 'MUST-RFC',
    sentence: 'A refresh asks for no scope that the user did not grant.',
    source: 'RFC 6749 6',
    how: 'The scope of every refresh is compared with those of the code exchanges before it; in the world partial-consent the user grants less than was asked for.',
    judge: (run) =>
      each(
        refreshes(run).filter((call) => call.form.has('scope')),
        (call) => {
          const grants = exchanges(run).filter(
            (one) => one.number < call.number && one.client === call.client && succeeded(one),
          );
          const granted = new Set(grants.flatMap((one) => scopesIn(replyOf(one, 'scope'))));
          const more = scopesIn(call.form.get('scope')).filter((scope) => !granted.has(scope));
          return granted.size > 0 && more.length > 0
            ? violation(
                'a refresh for the scopes that were granted, or without scope',
                `a refresh that also asks for ${more.join(', ')}`,
                grants.at(-1)!,
                call,
              )
            : undefined;
        },
      ),
  },
  {
    id: 'REFRESH-RESTART-001',
    level: 'MUST',
    sentence: 'What a refresh returned is stored: a second start presents no token that was used before.',
    source: '3',
    how: 'Refreshes of a second start are compared with those of the first.',
    judge: (run) =>
      each(
        refreshes(run).filter(({ start }) => start > 1),
        (call) => {
          const used = refreshes(run).find(
            (one) => one.start < call.start && succeeded(one) && tokenOf(one) === tokenOf(call) && knew(run, one),
          );
          return used && violation('the newest refresh token', 'one that the first start had used', used, call);
        },
      ),
  },
];
