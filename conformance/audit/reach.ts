import { codingFor } from './coding.js';
import type { AuditRow } from './row.js';
import {
  authorizations,
  credentials,
  dataCalls,
  exchanges,
  formCalls,
  refreshes,
  tokenCalls,
} from './rows/requests.js';
import type { WorldRun } from './run.js';
import { worlds } from './worlds.js';
import { canRefresh } from './worlds/conditions.js';

/** Why a client did not meet what makes a world different; undefined where it did. */
export function notReached({ obstacles }: WorldRun): string | undefined {
  const own = obstacles.find(({ isOwn }) => isOwn);
  if (own?.applied === 0) return own.missed;
  if (obstacles.some(({ applied }) => applied > 0)) return undefined;
  return obstacles.find(({ missed }) => missed !== undefined)?.missed;
}

/** What a client has to do for requirements to come up, by the beginnings of their ids: the first that fits. */
const ways: readonly (readonly [RegExp, (run: WorldRun) => boolean, string])[] = [
  [
    /^AUTH-|^TOK-KEEP-003|^REFRESH-|^TOK-SCOPE-002|^READ-UNKNOWN-003/,
    (run) => authorizations(run).length > 0,
    'audit a flow in which a user consents: the client opens the authorization page with $BROWSER, or prints its address',
  ],
  [/^AUTH-/, (run) => exchanges(run).length > 0, 'audit a flow that exchanges a code'],
  [/^TOK-ONE|^TOK-EXPIRES|^READ-EXPIRES/, (run) => credentials(run).length > 0, 'audit a flow with client_credentials'],
  [
    /^TOK-FORM|^TOK-SECRET|^TOK-CLIENT|^TOK-GRANT|^TOK-SCOPE|^TOK-REDIRECT-002|^READ-TOKEN|^READ-UNKNOWN-002/,
    (run) => tokenCalls(run).length > 0,
    'have the client get a token of its own',
  ],
  [
    /^TOK-BASIC|^TOK-SECRET-004/,
    (run) => formCalls(run).some(({ basic }) => basic !== undefined),
    'it is about clients that authenticate with HTTP Basic',
  ],
  [
    /^TOK-SECRET-003/,
    (run) => formCalls(run).some(({ client = '' }) => run.facts.clients.get(client)?.public === true),
    'it is about public clients',
  ],
  [
    /^TOK-SECRET-006/,
    (run) => formCalls(run).some(({ basic, form }) => basic !== undefined || form.has('client_secret')),
    'it is about clients that have a secret',
  ],
  [
    /^TOK-SCOPE-001/,
    (run) => tokenCalls(run).some(({ form }) => form.has('scope')),
    'it is about token requests that have a scope',
  ],
  [
    /^FILTER-|^READ-STATUS/,
    (run) => run.calls.some(({ operation, method }) => method === 'POST' && operation?.endsWith('ItemFilter')),
    'have the client create and update an item filter',
  ],
  [
    /^READ-END/,
    (run) =>
      run.calls.some(({ operation }) => operation === 'getPublicStashTabs' || operation === 'getCurrencyExchange'),
    'have the client read the public stash stream or the exchange history to its end',
  ],
  [
    /^STREAM-|^READ-UNLISTED|^READ-CURSOR/,
    (run) => run.calls.some(({ operation }) => operation === 'getPublicStashTabs'),
    'have the client read several pages of the public stash stream',
  ],
  [
    /^EXCHANGE-|^READ-PRUNED|^READ-QUIET/,
    (run) => run.calls.some(({ operation }) => operation === 'getCurrencyExchange'),
    'have the client read several hours of the currency exchange history',
  ],
  [
    /^READ-CODING/,
    (run) => run.calls.some(({ headers }) => codingFor(headers['accept-encoding']) !== undefined),
    'it is about clients that send Accept-Encoding: gzip, br or deflate',
  ],
  [/^ADDR-|^READ-/, (run) => dataCalls(run).length > 3, 'have the client read more: lists, and what is in them'],
];

/** What a client of a certain kind does, by the beginnings of ids. */
const kinds: readonly (readonly [RegExp, string])[] = [
  [/^TOK-FORM-006/, 'have the client revoke or introspect a token'],
  [/^TOK-SECRET-007/, 'have a user log in to a confidential client that gets refresh tokens'],
  [/^TOK-SCOPE-002/, 'have the client ask for several scopes, and read what each opens'],
  [/^TOK-KEEP-005/, 'have the client store its tokens below GAMEDATA_STATE'],
  [/^REFRESH-SCOPE-001/, 'it is about clients that send scope in a refresh'],
  [/^ADDR-OFFSET-001/, 'have the client page through a ladder towards its 15,000th entry'],
  [/^EXCHANGE-ID-004/, 'it is about clients that begin the exchange history at an hour, in several worlds'],
  [/^FILTER-TEXT/, 'have the client read a filter with text beyond ASCII, and send its text back'],
  [/^REFRESH-|^TOK-KEEP-|^TOK-SURVIVE/, 'have the client read more, so that it has to refresh while it does'],
  [/^TOK-REDIRECT|^ADDR-|^READ-/, 'have the client read more: lists, and what is in them'],
];

/** What has to be refused before a client asks more, by the beginnings of ids. */
const refusals: readonly (readonly [RegExp, string])[] = [
  [/^PACE-MISSING/, 'it is about clients that ask more after a 404 to a data request, and it got none before its last'],
  [/^PACE-INVALID/, 'it is about clients that ask more after a 400 to a data request, and it got none before its last'],
];

/** A client that nobody starts meets one world. */
const oneWorld =
  'watch another world with --world, or let gamedata audit -- <command> run the client in all of them: the case did not come up in this one';

/** Requirements that take a second start. */
const second = /-RESUME-001$|^REFRESH-RESTART|^TOK-KEEP-00[36]/;

/** How to exercise a requirement that did not come up. */
export function wayTo({ id, copies, compares = [] }: AuditRow, runs: readonly WorldRun[]): string {
  // What else the client would have to do shows once it does what it does today.
  if (runs[0]?.endedInCalm === false) return 'have the client get through the calm world';
  if (copies) return wayToCopies(runs);
  const found = ways.find(([ids, did]) => ids.test(id) && !runs.some(did));
  if (found) return found[2];
  const isWatched = runs.every(({ endings }) => endings.length === 0);
  if (second.test(id) && !runs.some(({ endings }) => endings.length > 1))
    return isWatched
      ? 'it takes a second start: gamedata audit --again <command> -- <command> starts the client twice'
      : 'start the client a second time: --again, or again in the plan';
  if (isWatched && compares.length > 1) return oneWorld;
  if (compares.length > 0 && !compares.every((one) => runs.some(({ world }) => world.id === one)))
    return `run it in all worlds that the requirement compares: --world ${compares.join(',')}`;
  const own = worlds.filter(({ survival }) => survival === id);
  const ran = runs.filter(({ world }) => own.some((one) => one.id === world.id));
  const why = ran.map(notReached).find((reason) => reason !== undefined);
  if (why !== undefined) return `have the client do more: in the world ${ran[0]!.world.id} ${why}`;
  if (own.length > 0 && ran.length === 0)
    return `run its world${own.length === 1 ? '' : 's'}, ${own.map((one) => one.id).join(', ')}, with a client that reads that data`;
  if (id.startsWith('REFRESH-') && !runs.some((run) => refreshes(run).length > 0))
    return 'have the client refresh its token after a 401';
  const pace = refusals.find(([ids]) => ids.test(id));
  if (pace) return pace[1];
  if (id.startsWith('PACE-')) return 'have the client ask again after an error or a refusal: it met none, or gave up';
  const [calm] = runs;
  const left = worlds.filter(
    ({ id: name, needs }) => !runs.some(({ world }) => world.id === name) && (!calm || needs?.(calm) !== false),
  );
  if (left.length > 0)
    return isWatched
      ? oneWorld
      : 'run it in all worlds, without --world: the case did not come up in those that --world names';
  return kinds.find(([ids]) => ids.test(id))?.[1] ?? 'the case did not come up in what the client did';
}

/** How to exercise what is asked of several copies at once. */
function wayToCopies(runs: readonly WorldRun[]): string {
  const [calm] = runs;
  const ran = runs.filter(({ world }) => world.copies !== undefined);
  if (calm && !canRefresh(calm))
    return 'audit a client that gets a refresh token, several copies at once: gamedata audit --copies 8 -- <command>';
  const stores = calm?.endings.every(({ stored }) => stored !== false);
  if (ran.length === 0)
    return `audit several copies of the client at once: gamedata audit --copies 8 -- <command>${stores ? '' : ', and a client that stores its login below GAMEDATA_STATE'}`;
  if (!stores)
    return 'have the client store what it keeps below GAMEDATA_STATE: it stored nothing there that its copies could share';
  const why = ran.map(notReached).find((reason) => reason !== undefined);
  return why === undefined ? 'the case did not come up in what the copies did' : `have the copies do more: ${why}`;
}
