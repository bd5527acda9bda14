import type { Call } from '../call.js';
import type { AuditRow, AuditViolation } from '../row.js';
import { each, violation } from '../row.js';
import type { WorldRun } from '../run.js';
import { askedBy } from './queries.js';
import { authorizations, dataCalls, exchanges, probes, refreshes, tokenCalls } from './requests.js';

const nothing = { exercised: 0, violations: [] };

/** Exchanges that the service carried out, and whose reply the client never got. */
const lost = (run: WorldRun): Call[] =>
  exchanges(run).filter(
    ({ decision, delivery, status }) => decision === 'faulted' && delivery !== 'sent' && status === 200,
  );

const wasStopped = ({ endings }: WorldRun): boolean => endings.some(({ how }) => how === 'time');

const isHung = ({ decision, status, delivery }: Call): boolean =>
  decision === 'faulted' && status === null && delivery === 'lost';

const stillWaiting = ({ at, end }: Call): string => `the client still waiting after ${Math.round((end - at) / 1000)} s`;

/** The client of a call, whether the service looked at it or not. */
const clientOf = ({ client, form, basic, query }: Call): string | undefined =>
  client ?? form.get('client_id') ?? basic?.id ?? query.get('client_id') ?? undefined;

/** Requests to the user that are no loop. */
const mostRequests = 3;

function afterLostExchange(run: WorldRun, first: Call): AuditViolation | undefined {
  const later = exchanges(run).filter(({ number }) => number > first.number);
  const again = later.filter((call) => call.form.get('code') === first.form.get('code') && !probes(first, call));
  if (again.length > 0)
    return violation(
      'a new authorization, or a clear failure: the code may have been used',
      `the code of the lost exchange ${again.length === 1 ? 'again' : `${again.length} more times`}`,
      first,
      ...again.slice(0, 3),
    );
  const asked = authorizations(run).filter(({ number, client }) => number > first.number && client === first.client);
  if (asked.length > mostRequests)
    return violation(
      'one new authorization request',
      `${asked.length} authorization requests`,
      first,
      ...asked.slice(0, 3),
    );
  const got = later.some(({ status, delivery }) => status === 200 && delivery === 'sent');
  if (got || run.endedInCalm !== true) return undefined;
  if (wasStopped(run))
    return violation('a new authorization, or a clear failure', 'neither before its time was over', first);
  return run.ended
    ? violation('a new authorization, or a clear failure', 'success, without the tokens of the exchange', first)
    : undefined;
}

/** Requests whose reply never came, came in part, or came from somebody else. */
export const broken: readonly AuditRow[] = [
  {
    id: 'AUTH-CODE-005',
    level: 'ADVICE',
    sentence: 'After a code exchange whose reply was lost, the client asks the user again or fails clearly.',
    source: 'RFC 6749 4.1.2',
    how: 'In the world lost-code-reply the code is used up. The same code again, with the same client authentication, uses it twice; more than three new authorization requests are a loop; success without tokens and no end at all are no clear failure.',
    judge: (run) => each(lost(run), (first) => afterLostExchange(run, first)),
  },
  {
    id: 'AUTH-CODE-007',
    level: 'ADVICE',
    sentence: 'A code exchange that is never answered is given up in bounded time.',
    source: 'observed',
    how: 'In the world hung-code an exchange gets no answer; a client that ends by itself in the calm world ends here too, or goes on with that login, before its 40 seconds are over.',
    judge: (run) =>
      each(run.endedInCalm === true ? exchanges(run).filter(isHung) : [], (first) =>
        wasStopped(run) && !run.calls.some((call) => call.number > first.number && clientOf(call) === clientOf(first))
          ? violation('a code exchange given up in bounded time', stillWaiting(first), first)
          : undefined,
      ),
  },
  {
    id: 'REFRESH-HANG-001',
    level: 'ADVICE',
    sentence: 'A refresh that is never answered is given up in bounded time.',
    source: 'observed',
    how: 'In the world hung-refresh a refresh gets no answer; the client gives up, or goes on, before its 40 seconds are over.',
    judge: (run) =>
      each(refreshes(run).filter(isHung), (first) =>
        wasStopped(run) && !run.calls.some(({ number }) => number > first.number)
          ? violation('a token request given up in bounded time', stillWaiting(first), first)
          : undefined,
      ),
  },
  {
    id: 'READ-PAGE-001',
    level: 'ADVICE',
    sentence: 'A page of HTML with a status of success is no data: the client asks again, or fails clearly.',
    source: '4',
    how: 'In the world page-200 a data request is answered so; a client that does not ask for the same again, or from the beginning, and ends with success, as in the calm world, took the page for data.',
    judge: (run) => {
      if (run.endedInCalm !== true) return nothing;
      const pages = dataCalls(run).filter(
        ({ decision, status, replyHeaders }) =>
          decision === 'faulted' && status === 200 && replyHeaders['content-type']?.startsWith('text/html') === true,
      );
      return each(pages, (page) => {
        const same = dataCalls(run).filter(({ path }) => path === page.path);
        const before = new Set(same.filter(({ number }) => number <= page.number).map(askedBy));
        const again = same.some((call) => call.number > page.number && before.has(askedBy(call)));
        return again || !run.ended
          ? undefined
          : violation('the request again, or a failure', 'neither: the client ended with success', page);
      });
    },
  },
  {
    id: 'TOK-REDIRECT-001',
    level: 'ADVICE',
    sentence: 'Where a data request is redirected to another origin, the access token does not go along.',
    source: 'RFC 9110 15.4, RFC 6750 5.3',
    how: 'In the world redirected a data request is redirected to another host and port, which notes the Authorization header of what comes. RFC 9110 15.4 names that header among those to consider removing, no more, and the other host may belong to the service, so that 5.8, by which tokens are not shared, does not decide it. So this warns.',
    judge: (run) => {
      const redirected = dataCalls(run).filter(({ status, decision }) => status === 307 && decision === 'faulted');
      const leak = run.elsewhere.find(({ authorization = '' }) =>
        dataCalls(run).some(({ bearer }) => bearer !== undefined && authorization.includes(bearer)),
      );
      return each(redirected, (call) =>
        leak
          ? violation('no access token sent to the other origin', `${leak.method} ${leak.url} with the token`, call)
          : undefined,
      );
    },
  },
  {
    id: 'TOK-REDIRECT-002',
    level: 'ADVICE',
    sentence: 'Where a token request is redirected to another origin, no secret goes along.',
    source: 'RFC 6749 10.3, 10.4',
    how: 'In the world token-redirected a token request is redirected to another host and port, which is searched for the secret of the client, the code and the refresh token. 10.3 and 10.4 have them shared with the authorization server only; libraries follow a redirect by default, so this warns.',
    judge: (run) => {
      const redirected = tokenCalls(run).filter(({ status, decision }) => status === 307 && decision === 'faulted');
      return each(redirected, (call) => {
        const secrets = ['client_secret', 'code', 'refresh_token'].flatMap((name) => call.form.get(name) ?? []);
        const { authorization: basic } = call.headers;
        const leak = run.elsewhere.find(
          ({ authorization, body }) =>
            (basic !== undefined && authorization === basic) ||
            [...new URLSearchParams(body).values()].some((value) => secrets.includes(value)),
        );
        return (
          leak &&
          violation('a clear failure', `${leak.method} ${leak.url} with the secrets of the original request`, call)
        );
      });
    },
  },
];
