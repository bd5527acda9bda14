import type { Call } from '../call.js';
import type { AuditRow, AuditViolation } from '../row.js';
import { each, groups, quote, violation } from '../row.js';
import type { WorldRun } from '../run.js';
import { dataCalls, own, settled } from './requests.js';

/** Until when a reply asks to wait, ms since the world began. */
function dueOf(call: Call, epoch: number): number | undefined {
  const text = call.replyHeaders['retry-after'];
  if (text === undefined) return undefined;
  return /^\d+$/.test(text) ? call.end + Number(text) * 1000 : Date.parse(text) - epoch;
}

const seconds = /^\d+$/;

/** So many workers may each meet a refusal of their own, and wait. */
const most = 16;

const policyOf = (call: Call): string | undefined => call.replyHeaders['x-rate-limit-policy'];

/** What comes too early after replies of these statuses. Others that are under way are not the client's to call back. */
function waits(
  statuses: readonly number[],
  form: RegExp,
): (run: WorldRun) => ReturnType<NonNullable<AuditRow['judge']>> {
  return (run) =>
    each(
      dataCalls(run).filter(
        (call) =>
          statuses.includes(call.status ?? 0) &&
          call.delivery === 'sent' &&
          form.test(call.replyHeaders['retry-after'] ?? ''),
      ),
      (call): AuditViolation | undefined => {
        const due = dueOf(call, run.epoch)!;
        const early = call.end + (due - call.end) * 0.9 - 30;
        const all = dataCalls(run).filter((one) => one.start === call.start && one.bearer === call.bearer);
        const later = all.filter(({ at }) => at > call.end + 30 && at < early);
        const isSame = (one: Call): boolean => one.target === call.target && one.method === call.method;
        // Where somebody asked again in time, that was the follow-up; an earlier one came from another worker.
        const waited = all.some((one) => isSame(one) && one.at >= early && one.at < due + 1500);
        const same = waited ? undefined : later.find(isSame);
        const wait = ((due - call.end) / 1000).toFixed(1);
        if (same)
          return violation(
            `the request again after ${wait} s`,
            `after ${((same.at - call.end) / 1000).toFixed(2)} s`,
            call,
            same,
          );
        const stubborn = later.filter((one) => one.status === call.status && policyOf(one) === policyOf(call));
        return stubborn.length > most
          ? violation(
              `nothing for ${wait} s`,
              `${later.length} requests, ${stubborn.length} of them refused likewise`,
              call,
              ...stubborn.slice(0, 3),
            )
          : undefined;
      },
    );
}

/** Requests for the same thing that follow an answer with that status. */
const repeats = (run: WorldRun, status: number): { first: Call; again: Call[] }[] =>
  groups(
    dataCalls(run).filter((call) => call.status === status && call.decision !== 'limited'),
    ({ target, bearer, method, start }) => `${start} ${method} ${target} ${bearer}`,
  ).map(([first, ...again]) => ({ first: first!, again: again.filter(({ at }) => at > first!.end) }));

/** Whether nothing else was asked between two requests. */
const follows = (run: WorldRun, one: Call, next: Call): boolean =>
  !dataCalls(run).some(
    ({ number, start, target }) =>
      number > one.number && number < next.number && start === one.start && target !== one.target,
  );

/** Requests for the same thing that the world lets fail, more often than makes sense. */
function loops(run: WorldRun, hasFailed: (call: Call) => boolean): ReturnType<NonNullable<AuditRow['judge']>> {
  const failed = groups(
    dataCalls(run).filter((call) => hasFailed(call) && call.decision === 'faulted'),
    ({ target, start }) => `${start} ${target}`,
  );
  return each(failed, (same) => {
    const burst = same.findIndex((call, at) => same[at + 5] !== undefined && same[at + 5]!.at - call.at < 1000);
    if (burst >= 0) return violation('wider and wider', '6 tries within a second', ...same.slice(burst, burst + 3));
    return same.length > 10 ? violation('an end', `${same.length} tries`, ...same.slice(0, 3)) : undefined;
  });
}

/** What HTTP libraries call themselves where nobody tells them otherwise. */
const libraries = [
  'node|undici|node-fetch|axios|got|node-superagent|deno|bun|dart|php|guzzlehttp|symfony httpclient',
  'python-requests|python-urllib3?|python-httpx|(python/[\\d.]+ )?aiohttp|ruby|faraday|http\\.rb|rest-client|typhoeus',
  'go-http-client|go-resty|fasthttp|colly|reqwest|ureq|isahc|restsharp|libwww-perl',
  'java|java-http-client|okhttp|apache-http(async)?client|jersey|reactornetty|unirest-java|ktor[ -]client',
  'curl|libcurl|wget|httpie|postmanruntime|insomnia',
];
const library = new RegExp(`^(${libraries.join('|')})?([/ (].*)?$`, 'i');

export const pace: readonly AuditRow[] = [
  {
    id: 'PACE-RETRY-001',
    level: 'SHOULD-RFC',
    sentence: 'After a 429 with Retry-After the client waits so long.',
    source: 'RFC 9110 10.2.3',
    how: 'The same request before that time, where none follows after it, or more than sixteen others that are refused likewise, do not wait.',
    judge: waits([429], seconds),
  },
  {
    id: 'PACE-RETRY-002',
    level: 'SHOULD-RFC',
    sentence: 'After a 503 with Retry-After the client waits so long.',
    source: 'RFC 9110 10.2.3',
    how: 'The same request before that time, where none follows after it, or more than sixteen others that are refused likewise, do not wait.',
    judge: waits([503], seconds),
  },
  {
    id: 'PACE-RETRY-003',
    level: 'ADVICE',
    sentence: 'A Retry-After that is a date is waited for as well.',
    source: 'RFC 9110 10.2.3',
    how: 'In the world restricted-date the same request before that time does not wait.',
    judge: waits([429, 503], /[A-Z]/),
  },
  {
    id: 'PACE-BACKOFF-001',
    level: 'ADVICE',
    sentence: 'Requests that keep failing are spaced wider, and end.',
    source: 'observed',
    how: 'In the world down every data request fails; the same request more than ten times, or six times within a second, is a loop.',
    judge: (run) => loops(run, (call) => (call.status ?? 0) >= 500),
  },
  {
    id: 'PACE-REFUSED-001',
    level: 'ADVICE',
    sentence: 'Where a new access token is refused as well, there is an end of it.',
    source: 'observed',
    how: 'In the world refused every data request is answered with 401; the same request more than ten times, or six times within a second, is a loop.',
    judge: (run) => loops(run, ({ status }) => status === 401),
  },
  {
    id: 'PACE-SAME-001',
    level: 'ADVICE',
    sentence: 'The same thing is not asked for in bursts.',
    source: 'observed',
    how: 'The same GET, answered with success, more than eight times within a second is a burst.',
    judge: (run) =>
      each(
        groups(
          dataCalls(run).filter(({ method, status }) => method === 'GET' && status === 200),
          ({ target, start, bearer }) => `${start} ${target} ${bearer}`,
        ),
        (same) => {
          const at = same.findIndex(
            (call, index) => same[index + 8] !== undefined && same[index + 8]!.at - call.at < 1000,
          );
          return at < 0
            ? undefined
            : violation('one answer used', `9 requests within a second`, ...same.slice(at, at + 3));
        },
      ),
  },
  {
    id: 'PACE-FORBIDDEN-001',
    level: 'SHOULD-RFC',
    sentence: 'A 403 is not repeated automatically with the same credentials.',
    source: 'RFC 9110 15.5.4',
    how: 'The same request with the same token right after a 403, with no other between them, is counted; one is let pass.',
    judge: (run) =>
      each(repeats(run, 403), ({ first, again }) => {
        const at = again.filter((call, index) => follows(run, again[index - 1] ?? first, call));
        return at.length > 1
          ? violation('no automatic repetition', `${at.length} more times`, first, ...at.slice(0, 2))
          : undefined;
      }),
  },
  {
    id: 'PACE-MISSING-001',
    level: 'ADVICE',
    sentence: 'What is not there is not asked for again and again.',
    source: 'observed',
    how: 'The same request after a 404 is counted; two are let pass.',
    judge: (run) =>
      each(repeats(run, 404), ({ first, again }) =>
        again.length > 2 ? violation('an end', `${again.length} more times`, first, ...again.slice(0, 2)) : undefined,
      ),
  },
  {
    id: 'PACE-INVALID-001',
    level: 'ADVICE',
    sentence: 'A request that was refused as invalid is not repeated as it is.',
    source: 'observed',
    how: 'The same request after a 400 is counted; one is let pass.',
    judge: (run) =>
      each(repeats(run, 400), ({ first, again }) =>
        again.length > 1
          ? violation('no repetition', `${again.length} more times`, first, ...again.slice(0, 2))
          : undefined,
      ),
  },
  {
    id: 'PACE-WINDOW-001',
    level: 'ADVICE',
    sentence: 'The client keeps within the windows that the service announces, with room to spare.',
    source: 'observed',
    how: 'In worlds with limits the requests refused with 429 are counted; two are let pass.',
    judge: (run) => {
      if (!run.world.limit) return { exercised: 0, violations: [] };
      const all = dataCalls(run);
      const refused = all.filter(({ decision }) => decision === 'limited');
      const [smallest = 1] = run.world.limit.windows.map(({ hits }) => hits).toSorted((a, b) => a - b);
      return {
        exercised: all.length > smallest ? all.length : 0,
        violations:
          refused.length > 2
            ? [
                violation(
                  'two refusals at most, to learn the policy',
                  `${refused.length} of ${all.length} requests refused`,
                  ...refused.slice(0, 3),
                ),
              ]
            : [],
      };
    },
  },
  {
    id: 'PACE-AGENT-001',
    level: 'ADVICE',
    sentence: 'Requests name the application in User-Agent.',
    source: 'observed',
    how: 'A missing header, or the name of an HTTP library alone, identifies nobody.',
    judge: (run) => {
      const calls = own(run).filter(({ operation }) => operation !== undefined && operation !== 'authorize');
      const nameless = calls.filter(({ headers }) => library.test((headers['user-agent'] ?? '').trim()));
      return {
        exercised: calls.length,
        violations: nameless[0]
          ? [
              violation(
                'a User-Agent that names the application',
                quote(nameless[0].headers['user-agent']),
                nameless[0],
              ),
            ]
          : [],
      };
    },
  },
  {
    id: 'PACE-HANG-001',
    level: 'ADVICE',
    sentence: 'A request that is never answered is given up in bounded time.',
    source: 'observed',
    how: 'In the world hang a data request gets no answer; the client gives up, or goes on, before its 40 seconds are over.',
    judge: (run) => {
      const hung = dataCalls(run).filter(
        (call) => call.decision === 'faulted' && call.status === null && call.delivery === 'lost',
      );
      return each(hung, (call) =>
        run.endings.some(({ how }) => how === 'time') && !run.calls.some(({ at }) => at > call.at + settled)
          ? violation('an end of the wait', `nothing for ${Math.round((call.end - call.at) / 1000)} s`, call)
          : undefined,
      );
    },
  },
];
