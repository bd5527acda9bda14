import { arrived, grantOf, replyOf } from '../call.js';
import type { Call } from '../call.js';
import { senderOf } from '../copy-lanes.js';
import { copyStarts } from '../copies.js';
import { lastWords } from '../last-words.js';
import type { AuditRow, Finding } from '../row.js';
import { each, groups, violation } from '../row.js';
import type { CopyEnd, WorldRun } from '../run.js';
import { count } from '../../text.js';
import { authorizations, dataCalls, exchanges, refreshes, tokenCalls } from './requests.js';

/** Who sent them: `copy 2, copy 3`. */
const senders = (calls: readonly Call[]): string => [...new Set(calls.map(senderOf))].join(', ');
const tokenOf = (call: Call): string => call.form.get('refresh_token') ?? '';
const succeeded = (call: Call): boolean => call.status === 200 && arrived(call);
const refused = (call: Call): boolean => call.status === 400 && replyOf(call, 'error') === 'invalid_grant';
const within = (calls: readonly Call[], start: number): Call[] => calls.filter((call) => call.start === start);
const nobody: Finding = { exercised: 0, violations: [] };

/** The copies of a world whose login worked; undefined elsewhere. */
function endsOf({ copies }: WorldRun): readonly CopyEnd[] | undefined {
  return copies?.some(({ start, ended }) => start === copyStarts.login && ended) ? copies : undefined;
}

const lastOf = (run: WorldRun): CopyEnd | undefined => endsOf(run)?.find(({ start }) => start === copyStarts.last);

/** Whether the copies had to lose the login: one copy alone would have asked the user once as well. */
const isLost = ({ world, copies }: WorldRun): boolean =>
  world.copies?.loss === 'revoked' || copies?.some(({ killed }) => killed) === true;

/** Whether a copy had used a login before a call: one that logs in for the first time loses none. */
const hadLogin = (run: WorldRun, { copy, number }: Call): boolean =>
  copy === undefined ||
  within(run.calls, copyStarts.together).some(
    (one) =>
      one.number < number &&
      one.copy === copy &&
      ((one.data && one.bearer !== undefined) || one.form.has('refresh_token')),
  );

/** Whether a copy that had lost the login got new tokens from the user. */
const isRegained = (run: WorldRun): boolean => {
  const lost = within(refreshes(run), copyStarts.together).find(refused);
  return within(exchanges(run), copyStarts.together).some(
    (call) => succeeded(call) && lost !== undefined && call.number > lost.number && hadLogin(run, call),
  );
};

/** Whether the login outlived the copies, or had to be lost: the last start got through without asking the user. */
const isWhole = (run: WorldRun): boolean =>
  lastOf(run)?.ended === true && within(authorizations(run), copyStarts.last).length === (mayAskLast(run) ? 1 : 0);

/** Whether the last start has a login of its own, which was lost with a copy that was killed: no other sent its token. */
const isLostAlone = (run: WorldRun): boolean =>
  within(refreshes(run), copyStarts.last).some((call) => {
    const before = within(refreshes(run), copyStarts.together).filter((one) => tokenOf(one) === tokenOf(call));
    return refused(call) && before.length > 0 && before.every((one) => wasKilled(run, one));
  });

const mayAskLast = (run: WorldRun): boolean =>
  isLost(run) && !isRegained(run) && within(authorizations(run), copyStarts.last).length > 0;

/** Errors that say that a program did not expect what it found. */
const crash = /^(?:[\w.]{0,200}\.)?(?:Syntax|Type|Reference|JSONDecode|Key|Attribute|Index)Error\b|^panic: /;

/** What is wrong with the end of a copy. A lock that it could not get, said as a clear message, is no mistake. */
function wrongEnd({ ending, ended, killed }: CopyEnd, run: WorldRun): string | undefined {
  if (ended || killed) return undefined;
  const words = lastWords(ending.output);
  if (ending.how === 'time') return 'still running, and stopped';
  if (ending.how === 'signal') return `ended by ${ending.signal}`;
  if (words === '') return `exit code ${ending.code}, without output`;
  if (crash.test(words)) return `a crash: ${words}`;
  return isWhole(run) || isLost(run) ? undefined : `exit code ${ending.code}, with: ${words}`;
}

/** Whether a copy that refreshed shows later, before the request `by`, that it has read the reply. */
const knew = (run: WorldRun, refresh: Call, by: Call): boolean =>
  run.calls.some(
    (call) =>
      call.number > refresh.number &&
      call.number < by.number &&
      (call.copy === by.copy || call.start !== by.start) &&
      ((call.bearer !== undefined && call.bearer === replyOf(refresh, 'access_token')) ||
        tokenOf(call) === replyOf(refresh, 'refresh_token')),
  );

/** The copy that was killed may have used what it could not store any more. */
const wasKilled = ({ copies }: WorldRun, { copy, start }: Call): boolean =>
  copies?.some((end) => end.killed && end.copy === copy && end.start === start) === true;

/** Refreshes that copies and the last start sent with a token that they could know to be used, each with its first use. */
function usedAgain(run: WorldRun): { first: Call; again: Call }[] {
  const later = refreshes(run).filter((call) => call.start === copyStarts.last || call.copy !== undefined);
  return later.flatMap((again) => {
    const first = refreshes(run).find(
      (call) =>
        call.number < again.number && tokenOf(call) === tokenOf(again) && succeeded(call) && !wasKilled(run, call),
    );
    return first && knew(run, first, again) ? [{ first, again }] : [];
  });
}

export const copies: readonly AuditRow[] = [
  {
    id: 'COPY-USED-001',
    copies: true,
    level: 'MUST-RFC',
    sentence: 'A refresh token that was replaced is discarded by all copies of the client that know of it.',
    source: 'RFC 6749 6',
    how: 'A refresh token that was used is looked for in later refreshes of a copy that has shown the tokens that replaced it, and in those of the last start. A copy that read the store before another had written it is allowed to try, and so is one whose reply went to a copy that was killed.',
    judge: (run) => {
      if (!endsOf(run)) return nobody;
      const wrong = usedAgain(run).map(({ first, again }) =>
        violation(
          'the refresh token that replaced it',
          again.start === copyStarts.last
            ? `the last start sent one that ${senderOf(first)} had used`
            : `${senderOf(again)} sent one that had been used, after it had used the tokens that replaced it`,
          first,
          again,
        ),
      );
      const later = refreshes(run).filter(({ start }) => start > copyStarts.login);
      return { exercised: later.length, violations: wrong };
    },
  },
  {
    id: 'COPY-STORED-001',
    copies: true,
    level: 'ADVICE',
    sentence: 'After several copies have run, the stored login works.',
    source: '3',
    how: 'A last start, alone, has to get through without asking the user. Where the login had to be lost, and no copy asked the user for another one, it may ask.',
    judge: (run) => {
      const last = lastOf(run);
      if (!last || isLostAlone(run)) return nobody;
      const asked = within(authorizations(run), copyStarts.last);
      const got = !last.ended
        ? `the last start ended with ${last.ending.how === 'exit' ? `code ${last.ending.code}` : last.ending.how}: ${lastWords(last.ending.output)}`
        : asked.length > 0 && !mayAskLast(run)
          ? 'the last start had to ask the user again'
          : undefined;
      return {
        exercised: 1,
        violations:
          got === undefined ? [] : [violation('a last start that uses what is stored', got, ...evidence(run))],
      };
    },
  },
  {
    id: 'COPY-CONSENT-001',
    copies: true,
    level: 'ADVICE',
    sentence: 'Several copies ask the user for consent no more often than one copy would.',
    source: 'observed',
    how: 'Authorization requests while the copies run are counted, where a refresh had been refused before: a copy that has no login yet, and gets one of its own, is allowed, and so is one that was killed, which could not store what it got. One is allowed where the login had to be lost.',
    judge: (run) => {
      if (!endsOf(run)) return nobody;
      const first = within(refreshes(run), copyStarts.together).find(refused);
      const asked = within(authorizations(run), copyStarts.together).filter(
        (call) => first !== undefined && call.number > first.number && hadLogin(run, call) && !wasKilled(run, call),
      );
      // Copies that have a login each lose each of them.
      const lost = new Set(within(refreshes(run), copyStarts.together).filter(refused).map(tokenOf)).size;
      // One that could not write what it got from the user asks again; which one that was may not be known.
      const isUnclear = run.world.copies?.loss === 'torn' && asked.some(({ copy }) => copy === undefined);
      const most = isLost(run) ? Math.max(lost, isUnclear ? 2 : 1) : 0;
      return {
        exercised: within(refreshes(run), copyStarts.together).length,
        violations:
          first && asked.length > most
            ? [
                violation(
                  most === 0
                    ? 'no authorization request: the user had consented, and the copy whose refresh was refused could take the tokens that another had stored'
                    : 'one authorization request for all copies: once one of them has new tokens, the others take those',
                  `${count(asked.length, 'authorization request')} of ${senders(asked)}, the first after a refresh of ${senderOf(first)} was refused`,
                  first,
                  ...asked.slice(0, 4),
                ),
              ]
            : [],
      };
    },
  },
  {
    id: 'COPY-THROUGH-001',
    copies: true,
    level: 'ADVICE',
    sentence: 'Every copy succeeds, or says clearly why not and leaves the login as it is.',
    source: 'observed',
    how: 'The end of each copy that was not killed is looked at. One that hangs, crashes, says nothing, or ends with an error while the login is gone has not succeeded.',
    judge: (run) => {
      const ends = endsOf(run)?.filter(({ start }) => start === copyStarts.together) ?? [];
      return each(ends, (end) => {
        const wrong = wrongEnd(end, run);
        return wrong === undefined
          ? undefined
          : violation(
              'success, or an error as a clear message while the login stays whole',
              `of ${ends.length} copies copy ${end.copy}: ${wrong}`,
              ...run.calls.filter(({ copy, start }) => start === end.start && copy === end.copy).slice(-3),
            );
      });
    },
  },
  {
    id: 'COPY-NEED-001',
    copies: true,
    level: 'ADVICE',
    sentence: 'Several copies do not refresh more often than tokens expire.',
    source: '4.1',
    how: 'Refreshes of copies are counted whose token came with an access token that another refresh had just returned, and that no request had been refused for.',
    judge: (run) => {
      if (!endsOf(run)) return nobody;
      const own = within(refreshes(run), copyStarts.together);
      const needless = own.filter((call) => {
        const issue = tokenCalls(run).find((one) => succeeded(one) && replyOf(one, 'refresh_token') === tokenOf(call));
        const access = issue && replyOf(issue, 'access_token');
        const lives = issue !== undefined && issue.start === call.start && Number(replyOf(issue, 'expires_in')) > 3600;
        return (
          lives &&
          grantOf(issue) === 'refresh_token' &&
          !dataCalls(run).some(
            ({ bearer, status, number }) => bearer === access && status === 401 && number < call.number,
          )
        );
      });
      return {
        exercised: own.length,
        violations:
          needless.length > 0
            ? [
                violation(
                  'one refresh for all copies',
                  `${needless.length} more, by ${senders(needless)}, of tokens that another copy had just got`,
                  ...own.slice(0, 2),
                  ...needless.slice(0, 3),
                ),
              ]
            : [],
      };
    },
  },
  {
    id: 'COPY-STORM-001',
    copies: true,
    level: 'ADVICE',
    sentence: 'Copies that have lost the login do not storm the token endpoint.',
    source: 'observed',
    how: 'Refused refreshes of each copy are counted; three are allowed.',
    judge: (run) => {
      if (!endsOf(run)) return nobody;
      const lost = within(refreshes(run), copyStarts.together).filter(refused);
      return each(
        groups(lost, ({ copy }) => String(copy)),
        (same) => {
          const most = same[0]!.copy === undefined ? 3 * run.copies!.length : 3;
          return same.length > most
            ? violation(
                `at most ${most} refused refreshes`,
                `${same.length} of ${senderOf(same[0]!)}`,
                ...same.slice(0, 4),
              )
            : undefined;
        },
      );
    },
  },
];

/** What the copies and the last start did about tokens. */
const evidence = (run: WorldRun): Call[] =>
  [...tokenCalls(run), ...authorizations(run)]
    .filter(({ start }) => start > copyStarts.login)
    .toSorted((a, b) => a.number - b.number)
    .slice(-6);
