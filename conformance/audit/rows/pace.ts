import type { Call } from '../call.js';
import type { AuditRow } from '../row.js';
import { each, groups, quote, violation } from '../row.js';
import type { WorldRun } from '../run.js';
import { isNameless } from './agent.js';
import { askedBy } from './queries.js';
import { dataCalls, own, settled } from './requests.js';
import { avoidable, follows, hasStatus, isMissing, isSame, loops, repeats, waits } from './waits.js';

const waitsHow =
  'The same request before that time is early, unless it was sent before the reply came, or another worker of the client asked again in time. One with another body is another request; a parameter that only keeps caches away makes none. Early are also more than sixteen others that are refused likewise. A client that never asks again is not judged.';

export const pace: readonly AuditRow[] = [
  {
    id: 'PACE-RETRY-001',
    level: 'SHOULD-RFC',
    sentence: 'After a 429 with Retry-After the client waits at least that long before it repeats the request.',
    source: 'RFC 9110 10.2.3',
    how: waitsHow,
    judge: waits([429], /^\d+$/),
  },
  {
    id: 'PACE-RETRY-002',
    level: 'SHOULD-RFC',
    sentence: 'After a 503 with Retry-After the client waits at least that long before it repeats the request.',
    source: 'RFC 9110 10.2.3',
    how: waitsHow,
    judge: waits([503], /^\d+$/),
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
    sentence: 'A request that keeps failing is tried again after longer and longer waits, and then no more.',
    source: 'observed',
    how: 'In the worlds down and restricted-always every data request fails. The same request more than ten times, six times within a second, four times without a wait, or five times with equal waits below two seconds is a loop. A client that tries nothing again is not judged.',
    judge: (run) =>
      loops(run, ({ status }) => status === 429 || (status ?? 0) >= 500, {
        widens: true,
        expected: 'each wait longer than the one before',
      }),
  },
  {
    id: 'PACE-REFUSED-001',
    level: 'ADVICE',
    sentence: 'A client whose new access token is refused as well stops.',
    source: 'observed',
    how: 'In the world refused every data request is answered with 401; the same request more than ten times, or six times within a second, is a loop. A client that tries nothing again is not judged.',
    judge: (run) =>
      loops(run, ({ status }) => status === 401, { expected: 'the end of the client, or of what it asks' }),
  },
  {
    id: 'PACE-SAME-001',
    level: 'ADVICE',
    sentence: 'The client does not repeat the same request in bursts.',
    source: 'observed',
    how: 'The same GET, answered with success, more than eight times within a second is a burst.',
    judge: (run) =>
      each(
        groups(
          dataCalls(run).filter(({ method, status }) => method === 'GET' && status === 200),
          (call) => `${call.start} ${call.bearer} ${askedBy(call)}`,
        ),
        (same) => {
          const at = same.findIndex(
            (call, index) => same[index + 8] !== undefined && same[index + 8]!.at - call.at < 1000,
          );
          return at < 0
            ? undefined
            : violation(
                'one request, and its reply used',
                'the same request 9 times within a second',
                ...same.slice(at, at + 3),
              );
        },
      ),
  },
  {
    id: 'PACE-FORBIDDEN-001',
    level: 'SHOULD-RFC',
    sentence: 'A 403 is not repeated automatically with the same credentials.',
    source: 'RFC 9110 15.5.4',
    how: 'The same request with the same token, whatever keeps caches away in its address, is counted after a 403 where it is refused with 403 again: right after the other, with no request between them, or more often in one start than in the calm world. One is allowed. A client that asks nothing more is not judged.',
    across: (runs) => {
      const calm = runs.find(({ world }) => world.id === 'calm');
      const cases = runs.flatMap((run) => repeats(run, hasStatus(403)).map((one) => ({ ...one, run })));
      const repeated = ({ first, again, run }: (typeof cases)[number]): Call[] => {
        const at = again.filter((call, index) => follows(run, again[index - 1] ?? first, call));
        // Workers of a client ask for other things in between; what each of them needs they ask for in any world.
        const usual = Math.max(1, calm ? mostOften(calm, first) : Number.POSITIVE_INFINITY);
        return at.length > 1 ? at : again.length > usual ? again : [];
      };
      const wrong = cases.find((one) => repeated(one).length > 0);
      return {
        ...each(cases, (one) => {
          const again = repeated(one);
          return again.length === 0
            ? undefined
            : violation(
                'no automatic repetition',
                `the same request ${again.length} more times`,
                one.first,
                ...again.slice(0, 2),
              );
        }),
        ...(wrong && { world: wrong.run.world.id }),
      };
    },
  },
  {
    id: 'PACE-MISSING-001',
    level: 'ADVICE',
    sentence: 'What is not there is not asked for again and again.',
    source: 'observed',
    how: 'The same request after a 404, or after null in the place of what it looks up, is counted; two are allowed. A client that asks nothing more is not judged.',
    judge: (run) =>
      each(repeats(run, isMissing), ({ first, again }) =>
        again.length > 2
          ? violation('at most two more requests for it', `${again.length} more`, first, ...again.slice(0, 2))
          : undefined,
      ),
  },
  {
    id: 'PACE-INVALID-001',
    level: 'ADVICE',
    sentence: 'A request that was refused as invalid is not repeated as it is.',
    source: 'observed',
    how: 'The same request after a 400 is counted; one is allowed. A client that asks nothing more is not judged.',
    judge: (run) =>
      each(repeats(run, hasStatus(400)), ({ first, again }) =>
        again.length > 1
          ? violation('no repetition', `the same request ${again.length} more times`, first, ...again.slice(0, 2))
          : undefined,
      ),
  },
  {
    id: 'PACE-WINDOW-001',
    level: 'ADVICE',
    sentence: 'The client keeps within the windows that the service announces.',
    source: 'observed',
    how: 'In worlds with limits the refusals are counted that the client could have avoided: its own requests filled a window that a reply had announced, alone or with what others had used of it by that reply, or it did not wait for Retry-After. Two are allowed. Where others use the window too, what several workers have under way does not count; a page of a stream whose id is sent on has been read. What a window refuses that ends later than announced is not counted.',
    judge: (run) => {
      if (!run.world.limit) return { exercised: 0, violations: [] };
      const all = dataCalls(run);
      const [first] = all.filter(({ decision }) => decision === 'limited');
      const refused = avoidable(run);
      const { windows, byAddress = [] } = run.world.limit;
      const [smallest = 1] = [...windows, ...byAddress].map(({ hits }) => hits).toSorted((a, b) => a - b);
      const goesOn = first === undefined || all.some(({ at, start }) => start === first.start && at > first.end);
      return {
        exercised: all.length > smallest && goesOn ? all.length : 0,
        violations:
          refused.length > 2
            ? [
                violation(
                  'at most two refusals that the announced limits would have let it avoid',
                  `${refused.length} such refusals of ${all.length} requests`,
                  ...refused.slice(0, 2).flatMap(({ told, call }) => [told, call]),
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
    how: 'A missing header, or the bare default of an HTTP library, identifies nobody. An address, a contact or a product beside it does.',
    judge: (run) => {
      const calls = own(run).filter(({ operation }) => operation !== undefined && operation !== 'authorize');
      const nameless = calls.filter(({ headers }) => isNameless(headers['user-agent']));
      return {
        exercised: calls.length,
        violations: nameless[0]
          ? [violation('a User-Agent that names the application', agentOf(nameless[0]), nameless[0])]
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
          ? violation(
              'the request given up in bounded time, or other requests meanwhile',
              `the client still waiting after ${Math.round((call.end - call.at) / 1000)} s`,
              call,
            )
          : undefined,
      );
    },
  },
];

const agentOf = ({ headers }: Call): string => {
  const agent = headers['user-agent'];
  return agent === undefined ? 'no User-Agent' : `${quote(agent)}, which names only a library`;
};

/** How often a start of the client asks for the same thing in a world. */
const mostOften = (run: WorldRun, first: Call): number => {
  const same = dataCalls(run).filter((call) => isSame(call, first));
  return Math.max(0, ...groups(same, ({ start }) => String(start)).map(({ length }) => length));
};
