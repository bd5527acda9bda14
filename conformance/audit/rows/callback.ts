import { arrived } from '../call.js';
import type { Call } from '../call.js';
import type { AuditRow } from '../row.js';
import { each, groups, violation } from '../row.js';
import type { WorldRun } from '../run.js';
import { asReceived } from './received.js';
import { authorizations, exchanges, probes, settled, visitOf } from './requests.js';
import { unsafeIn } from '../markup.js';
import { calmFirst, endingOf } from './survival.js';

/** What follows the redirect: errors, strays, and the code. */
export const callback: readonly AuditRow[] = [
  {
    id: 'AUTH-ERROR-001',
    level: 'MUST',
    sentence: 'An error redirect is the outcome of the request: no code is exchanged for it.',
    source: '4.1',
    how: 'In the world denied the user refuses; nothing may reach the token endpoint with grant_type authorization_code then.',
    judge: (run) => {
      const denied =
        run.world.browser === 'deny'
          ? run.visits.filter(({ callbacks }) =>
              callbacks.some(({ kind, code, status }) => kind === 'answer' && code === undefined && status !== null),
            )
          : [];
      return each(denied, () => {
        const [call] = exchanges(run);
        return (
          call &&
          violation(
            'no code exchange after error=access_denied',
            'a token request with grant_type authorization_code',
            call,
          )
        );
      });
    },
  },
  {
    id: 'AUTH-ERROR-002',
    level: 'ADVICE',
    sentence: 'A user who refused is not asked again at once.',
    source: 'RFC 6749 4.1.2.1',
    how: 'In worlds in which the user refuses, an authorization request of the same start that begins after a refusal, of the same client and for the same scopes, asks again.',
    judge: (run) => {
      const all = run.world.browser === 'deny' ? authorizations(run) : [];
      const asks = (call: Call): string => ['client_id', 'scope'].map((name) => call.query.get(name)).join(' ');
      return each(all, (first) => {
        const { callbacks = [] } = visitOf(run, first) ?? {};
        const refused = callbacks.find(({ kind }) => kind === 'answer')?.at ?? Infinity;
        const again = all.find((call) => call.start === first.start && call.at > refused && asks(call) === asks(first));
        return again && violation('an end, or other scopes', 'the same request to the user again', first, again);
      });
    },
  },
  {
    id: 'AUTH-ERROR-003',
    level: 'ADVICE',
    sentence: 'A login that the user refused is no success: the client ends with an error.',
    source: 'observed',
    how: 'In worlds in which the user refuses, a client that got through the calm world must not end with success without having read anything.',
    judge: (run) => {
      const refused = run.world.browser === 'deny' && run.visits.some(({ callbacks }) => callbacks.length > 0);
      const judged = run.endings.filter(({ how }) => how === 'exit');
      if (!refused || run.endedInCalm !== true || judged.length === 0) return { exercised: 0, violations: [] };
      const read = run.calls.some(({ data, status }) => data && status === 200);
      return each(authorizations(run).slice(0, 1), (call) =>
        run.ended && !read ? violation('an exit code that is no success', 'success', call) : undefined,
      );
    },
  },
  {
    id: 'AUTH-ERROR-004',
    level: 'MUST-RFC',
    sentence: 'What the redirect carries is sanitized: the page of the client does not show it as markup.',
    source: 'RFC 6749 10.14',
    how: 'In the world denied-in-markup the pages of HTML that the client answers with are searched for the description of the error as it came and for a link to its `error_uri`, which is a script, and in forged-callback for the foreign state.',
    judge: (run) =>
      each(
        run.visits
          .flatMap(({ callbacks }) => callbacks)
          .filter(
            ({ kind, page }) =>
              (run.world.id === 'denied-in-markup' || (run.world.browser === 'forge' && kind === 'forged')) &&
              page !== undefined &&
              page !== '',
          ),
        ({ page = '' }) => {
          const unsafe = unsafeIn(page);
          return unsafe === undefined
            ? undefined
            : violation(
                'texts with < and > escaped, and no link to a script',
                unsafe,
                ...authorizations(run).slice(0, 1),
              );
        },
      ),
  },
  {
    id: 'AUTH-ERROR-005',
    level: 'ADVICE',
    sentence:
      'An error that comes with another state is not the outcome of the request: the client keeps waiting for the real one.',
    source: '5.5',
    how: 'In the world forged-error a refusal with a different state comes before the real callback. A client that goes on to exchange the code of the real one in forged-callback must do so here too. A client may end the login because the state is wrong, which looks the same, so this warns.',
    compares: ['forged-callback', 'forged-error'],
    across: (runs) => {
      const taken = ({ visits }: WorldRun): boolean =>
        visits.some(({ callbacks }) => callbacks.some(({ kind, status }) => kind === 'forged' && status !== null));
      const loggedIn = (run: WorldRun): boolean => exchanges(run).some(({ status }) => status === 200);
      const worldsOf = (id: string): WorldRun[] => runs.filter((run) => run.world.id === id && taken(run));
      const withstands = worldsOf('forged-callback').some(loggedIn);
      return {
        ...each(withstands ? worldsOf('forged-error') : [], (run) =>
          loggedIn(run)
            ? undefined
            : violation(
                'the code of the real callback exchanged, as after a forged code',
                `no code exchange; ${endingOf(run)}`,
                ...authorizations(run).slice(0, 1),
              ),
        ),
        world: 'forged-error',
      };
    },
  },
  {
    id: 'AUTH-STRAY-001',
    level: 'ADVICE',
    sentence:
      'A connection to the listener that stays silent, or a request with neither a code nor an error, is no outcome: it does not end the flow.',
    source: 'observed',
    how: 'In the world stray-connection the browser opens a silent connection and asks for /favicon.ico before it follows the redirect.',
    judge: (run) => {
      const strays = run.visits.filter(({ callbacks }) => callbacks.some(({ kind }) => kind === 'stray'));
      if (run.endedInCalm === undefined) return { exercised: 0, violations: [] };
      if (!run.endedInCalm) return { exercised: 0, violations: [], ...(strays.length > 0 && { obstacle: calmFirst }) };
      return each(strays, ({ callbacks, url }) => {
        const asked = run.calls.filter(({ operation, target }) => operation === 'authorize' && url.includes(target));
        const answer = callbacks.find(({ kind }) => kind === 'answer');
        if (answer?.status === null && !run.ended)
          return violation(
            'the redirect taken after a stray request',
            'the listener was gone, and the client ended without success',
            ...asked,
          );
        return run.ended ? undefined : violation('the redirect taken all the same', endingOf(run), ...asked);
      });
    },
  },
  {
    id: 'AUTH-CODE-001',
    level: 'MUST-RFC',
    sentence: 'An authorization code is not used more than once.',
    source: 'RFC 6749 4.1.2',
    how: 'Codes that were exchanged with success are looked for in later exchanges. Callbacks that come at the same moment are left to AUTH-CODE-006.',
    judge: (run) => (run.world.browser === 'twice' ? { exercised: 0, violations: [] } : usedOnce(run)),
  },
  {
    id: 'AUTH-CODE-006',
    level: 'ADVICE',
    sentence: 'A callback that comes twice at the same moment has its code exchanged once.',
    source: 'RFC 6749 4.1.2',
    how: 'In the world callback-twice codes that were exchanged with success are looked for in later exchanges. What the browser does is not the doing of the client, and few libraries hold one callback for another, so this never fails.',
    judge: (run) => (run.world.browser === 'twice' ? usedOnce(run) : { exercised: 0, violations: [] }),
  },
  {
    id: 'AUTH-CODE-002',
    level: 'MUST-RFC',
    sentence: 'A code that was refused with invalid_grant is not tried again.',
    source: 'RFC 6749 4.1.2',
    how: 'In the world late-code the code has expired when it comes; it is looked for in exchanges that begin after the refusal, of which one with another client authentication is allowed. Where one of two that are under way at once has success, the other is refused for it.',
    judge: (run) =>
      each(
        exchanges(run).filter((call) => call.status === 400 && /invalid_grant/.test(call.text)),
        (first) => again(run, first, 'a refused code left alone'),
      ),
  },
  {
    id: 'AUTH-CODE-003',
    level: 'MUST',
    sentence: 'An authorization code is exchanged within its 30 seconds.',
    source: '5.5',
    how: 'The time between the redirect and each exchange of its code is measured, where the world does not delay it: one after a reply that did not come, came too late for another in time, or has a Retry-After that does not allow it, is left out.',
    judge: (run) =>
      each(
        run.world.browser === 'late'
          ? []
          : groups(exchanges(run), ({ form }) => form.get('code') ?? '').flatMap((tries) => {
              const code = tries[0]!.form.get('code');
              const came = run.visits.flatMap(({ callbacks }) => callbacks).find((one) => one.code === code)?.at;
              return came === undefined ? [] : [{ tries, ends: came + codeLife }];
            }),
        ({ tries, ends }) => {
          const late = tries.find(
            (call, at) => call.at > ends && (at === 0 || couldFollow(tries[at - 1]!) < ends - settled),
          );
          return (
            late &&
            violation(
              'at most 30 seconds',
              `${Math.round((late.at - ends + codeLife) / 1000)} seconds`,
              ...tries.slice(0, tries.indexOf(late) + 1).slice(-2),
            )
          );
        },
      ),
  },
  {
    id: 'AUTH-CODE-004',
    level: 'MUST-RFC',
    sentence:
      'The code of a token request is the one that was received: the query of the redirect is form-decoded, once.',
    source: 'RFC 6749 4.1.3',
    how: 'In the world odd-tokens the code of every exchange is compared with those of the redirects; one that came of none of them is not judged.',
    judge: (run) => asReceived(run, 'code'),
  },
];

/** How long a code lives, ms (interface 5.5). */
const codeLife = 30_000;

/** From when on a request may be sent again: after its reply, and the time that this names. Who gets none waits as it likes. */
const couldFollow = (call: Call): number => {
  const { end, replyHeaders } = call;
  const wait = replyHeaders['retry-after'];
  if (!arrived(call)) return Infinity;
  return wait === undefined ? end : end + (Number.isNaN(Number(wait)) ? codeLife : Number(wait) * 1000);
};

/** Whether each code that gave tokens was exchanged once. */
const usedOnce = (run: WorldRun): ReturnType<typeof each> =>
  each(
    exchanges(run).filter((call) => call.status === 200 && call.delivery === 'sent'),
    (first) => again(run, first, 'one exchange of a code'),
  );

/** Whether an exchange may be a try after a refused one: not one under way beside it, for whose success it was refused. */
const comesAfter = (refused: Call, call: Call): boolean =>
  call.at > refused.end - 1 && call.status !== 200 && !probes(refused, call);

function again(run: WorldRun, first: Call, expected: string): ReturnType<typeof violation> | undefined {
  const next = exchanges(run).find(
    (call) =>
      call.number > first.number &&
      call.form.get('code') === first.form.get('code') &&
      (first.status === 200 || comesAfter(first, call)),
  );
  return next && violation(expected, 'the same code again', first, next);
}
