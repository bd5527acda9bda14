import { arrived, replyOf } from '../call.js';
import type { Call } from '../call.js';
import { each, groups, quote, violation } from '../row.js';
import type { AuditRow } from '../row.js';
import type { WorldRun } from '../run.js';
import { authorizations, dataCalls, firstRefusals, refreshes, scopesIn, settled, tokenCalls } from './requests.js';
import { hasWorkers } from './waits.js';

/** Whether an authorization request asks for a scope that a token has not. */
function widens(run: WorldRun, { bearer }: Call, { query }: Call): boolean {
  const issue = tokenCalls(run).find((one) => replyOf(one, 'access_token') === bearer);
  const granted = issue && replyOf(issue, 'scope');
  if (typeof granted !== 'string') return true;
  const has = scopesIn(granted);
  return scopesIn(query.get('scope')).some((scope) => !has.includes(scope));
}

/** The first call of a client in the second start; its browser's apart. */
const begunBy = (run: WorldRun, client: string | undefined): Call | undefined =>
  run.calls.find(
    (call) =>
      call.start === 2 &&
      call.operation !== undefined &&
      (call.client ?? call.form.get('client_id') ?? call.query.get('client_id')) === client,
  );

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

const renews = (call: Call): boolean =>
  (call.operation === 'authorize' && call.method === 'GET') || call.operation === 'issueToken';

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

/** Whether a world lets data requests fail, and does nothing to tokens. */
const failsData = ({ world: { faults = [], events, browser } }: WorldRun): boolean =>
  faults.length > 0 &&
  events === undefined &&
  browser === undefined &&
  faults.every(
    ({ status = 0, grant, server, operation }) =>
      (status === 403 || status >= 429) &&
      grant === undefined &&
      operation !== 'issueToken' &&
      server !== 'authorization',
  );

/** Whether no refresh of the first start of a world succeeds, and all is well afterwards. */
const refreshIsDown = ({ world: { recovers, faults = [] } }: WorldRun): boolean =>
  recovers === true && faults.some(({ grant }) => grant === 'refresh_token');

/** Requests to the user that follow in the same start. */
const authorizationsAfter = (run: WorldRun, { start, end }: Call): Call[] =>
  authorizations(run).filter((one) => one.start === start && one.at >= end);

/** The token requests that gave the client tokens. */
const issuedIn = (run: WorldRun): Call[] => tokenCalls(run).filter((call) => call.status === 200 && arrived(call));

/** Tokens are kept as long as they work, and nowhere that others read. */
export const kept: readonly AuditRow[] = [
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
        refreshIsDown(run) ||
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
    id: 'TOK-KEEP-006',
    level: 'ADVICE',
    sentence: 'A refresh that fails for a while loses no login: the next start refreshes again.',
    source: 'RFC 9110 15.6.4',
    how: 'In the world refresh-down no refresh of the first start succeeds; the second, in which all is well, must not begin by asking the user. Where it has several logins, none whose second start goes on without a question in another world may begin with one here. A client that stores its login nowhere below GAMEDATA_STATE, in no world, is not judged.',
    across: (runs) => {
      const run = runs.find(refreshIsDown);
      const stores = runs.some(({ endings }) => endings.some(({ keptLogin }) => keptLogin === true));
      const failed = run ? refreshes(run).filter((call) => call.start === 1 && call.decision === 'faulted') : [];
      const next = run?.calls.find(({ start, operation }) => start === 2 && operation !== undefined);
      if (!stores || failed.length === 0 || !next || run?.world.stores !== true)
        return { exercised: 0, violations: [] };
      // A client with several logins may keep only some: each is judged that a later start of another world used at once.
      const isKept = (client: string): boolean =>
        runs.some((other) => other !== run && (begunBy(other, client)?.operation ?? 'authorize') !== 'authorize');
      const later = groups(failed, (call) => call.client ?? call.form.get('client_id') ?? '').flatMap(([call]) => {
        const client = call!.client ?? call!.form.get('client_id') ?? '';
        const first = begunBy(run, client);
        return first?.operation === 'authorize' && isKept(client) ? [{ call: call!, first }] : [];
      });
      const lost = next.operation === 'authorize' ? [{ call: failed[0]!, first: next }] : later;
      return {
        exercised: 1,
        violations: lost.map(({ call, first }) =>
          violation('the same refresh token again', 'an authorization request', call, first),
        ),
        world: run.world.id,
      };
    },
  },
  {
    id: 'TOK-KEEP-007',
    level: 'ADVICE',
    follows: ['REFRESH-USED-001', 'REFRESH-TEXT-001'],
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
    how: 'In worlds whose only obstacle is a 403, 429 or 5xx of data requests, a client that met one and ends by itself still has a token of its user below GAMEDATA_STATE, and one of each login of which it has one there in the calm world. A client that keeps none there in the calm world is not judged.',
    across: (runs) => {
      const calm = runs.find(({ world }) => world.id === 'calm');
      const stores =
        calm !== undefined && calm.endings.length > 0 && calm.endings.every((one) => one.keptLogin === true);
      const cases = (stores ? runs : []).flatMap((run) => {
        const failed =
          failsData(run) && run.endings.every(({ how }) => how === 'exit')
            ? dataCalls(run).find(({ decision }) => decision === 'faulted')
            : undefined;
        const last = run.endings.at(-1);
        const gone = (calm?.endings.at(-1)?.keptClients ?? []).some(
          (client) =>
            last?.keptClients?.includes(client) === false &&
            tokenCalls(run).some((call) => call.status === 200 && call.client === client),
        );
        return failed ? [{ run, failed, lost: last?.keptLogin === false || gone }] : [];
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
];
