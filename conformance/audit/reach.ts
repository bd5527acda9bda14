import { answered } from './answered.js';
import type { AuditRow } from './row.js';
import { authorizations, credentials, dataCalls, exchanges, refreshes, tokenCalls } from './rows/requests.js';
import type { WorldRun } from './run.js';
import type { Fault, World } from './world.js';
import { worlds } from './worlds.js';

const plural = (number: number): string => (number === 1 ? 'one data request' : `${number} data requests`);

/** What a client must do for a fault to meet it, as it did not. */
function missed({ on, after = 0 }: Fault, run: WorldRun): string {
  if (on === 'data')
    return dataCalls(run).length <= after
      ? `the client sent fewer than ${plural(after + 1)}`
      : 'the client sent none of the requests that it is about';
  if (on === 'refresh') return 'the client refreshed no token';
  if (on === 'exchange') return 'the client exchanged no code';
  if (on === 'token' || on === 'issueToken') return 'the client asked for no token';
  return `the client did not call ${on}`;
}

/** Why a client did not meet what makes a world different; undefined where it did. */
export function notReached(run: WorldRun): string | undefined {
  const { world, calls, visits } = run;
  if (world.id === 'calm') return undefined;
  if (world.browser !== undefined && !visits.some(({ callbacks }) => callbacks.length > 0))
    return 'the client opened no authorization page, or listened for no callback';
  const [fault] = (world.faults ?? []).filter(({ kind }) => kind !== 'latency' && kind !== 'drip');
  if (fault && !calls.some(({ decision }) => decision === 'faulted')) return missed(fault, run);
  const ends = (world.events ?? []).some((event) => event.do !== 'faults');
  if (ends && !calls.some(({ data, status }) => data && status === 401))
    return 'the client sent no data request after its token had ended';
  if (world.limit && !calls.some(({ decision }) => decision === 'limited')) return undefined;
  if (world.met ? !calls.some(world.met) : world.survival !== undefined && answered(calls).length === 0)
    return 'the client read nothing that the world changes';
  return undefined;
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
    /^TOK-FORM|^TOK-SECRET|^TOK-CLIENT|^TOK-GRANT|^TOK-SCOPE|^READ-TOKEN/,
    (run) => tokenCalls(run).length > 0,
    'have the client get a token of its own',
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
    /^STREAM-|^READ-UNLISTED/,
    (run) => run.calls.some(({ operation }) => operation === 'getPublicStashTabs'),
    'have the client read several pages of the public stash stream',
  ],
  [
    /^EXCHANGE-|^READ-PRUNED|^READ-QUIET/,
    (run) => run.calls.some(({ operation }) => operation === 'getCurrencyExchange'),
    'have the client read several hours of the currency exchange history',
  ],
  [/^ADDR-|^READ-|^PACE-/, (run) => dataCalls(run).length > 3, 'have the client read more: lists, and what is in them'],
];

/** Requirements that take a second start. */
const second = /-RESUME-001$|^REFRESH-RESTART|^TOK-KEEP-003/;

/** How to exercise a requirement that did not come up. */
export function wayTo({ id }: AuditRow, runs: readonly WorldRun[]): string {
  const found = ways.find(([ids, did]) => ids.test(id) && !runs.some(did));
  if (found) return found[2];
  if (second.test(id) && !runs.some(({ endings }) => endings.length > 1))
    return 'start the client a second time: --again, or again in the plan';
  const own = worlds.filter(({ survival }: World) => survival === id);
  const ran = runs.filter(({ world }) => own.some((one) => one.id === world.id));
  const why = ran.map(notReached).find((reason) => reason !== undefined);
  if (why !== undefined) return `have the client do more: in the world ${ran[0]!.world.id} ${why}`;
  if (own.length > 0 && ran.length === 0)
    return `run its world${own.length === 1 ? '' : 's'}, ${own.map((one) => one.id).join(', ')}, with a client that reads what ${own.length === 1 ? 'it is' : 'they are'} about`;
  if (id.startsWith('REFRESH-') && !runs.some((run) => refreshes(run).length > 0))
    return 'have the client refresh its token after a 401';
  if (id.startsWith('PACE-'))
    return 'have the client go on after a refusal: it met none of these replies, or asked nothing more';
  return 'the case did not come up in what the client did';
}
