import type { FaultRule, FaultState } from '../../src/client/index.js';
import type { Call } from './call.js';
import type { Events } from './events.js';
import { groups } from './row.js';
import type { Callback, Obstacle, Visit } from './run.js';
import type { Browser, Event, Scenario } from './scenario.js';

/** What a stage knows of what came up in it. */
interface Seen {
  /** The rules of the mock, with what they have done. */
  readonly faults: readonly FaultState[];
  readonly events: Pick<Events, 'count'>;
  readonly calls: readonly Call[];
  readonly visits: readonly Visit[];
  /** Copies that the world killed. */
  readonly killed?: readonly number[];
}

/**
 * What stands in the client's way in a scenario, and how often it was applied. One that was never applied tells what the
 * client did not do: its end there says nothing.
 */
export function obstaclesOf(scenario: Scenario, { faults, events, calls, visits, killed = [] }: Seen): Obstacle[] {
  const { browser = 'approve', limit, events: planned = [], met, copies } = scenario;
  const data = calls.filter((call) => call.data && !call.browser);
  const struck = faults.filter(({ applied }) => applied > 0);
  const nearest = faults.toSorted((one, other) => other.met - one.met).slice(0, 1);
  const found: Obstacle[] = [
    ...planned.flatMap((event, index) => (event.do === 'faults' ? [] : [eventOf(event, events.count(index), data)])),
    // Of several rules one that struck is enough; where none did, the client came nearest to the one that it met most.
    ...(struck.length > 0 ? struck : nearest).map(faultOf),
  ];
  if (browser !== 'approve') found.push(browserOf(browser, visits));
  if (limit) found.push(limitOf(limit, data));
  if (limit?.later)
    found.push(
      obstacle(
        'a change of the policy',
        Math.max(0, data.length - limit.later.after),
        `sent ${times(data.length, 'data request')}`,
      ),
    );
  if (scenario.again) {
    const starts = new Set(calls.map(({ start }) => start)).size;
    found.push(
      obstacle(
        'a second start',
        starts - 1,
        'was started once; --again, or again in the plan, starts it a second time',
      ),
    );
  }
  if (copies?.loss === 'killed' || copies?.loss === 'torn')
    return [
      obstacle('the end of a copy', killed.length, 'refreshed in no copy that this system could tell apart and kill'),
    ];
  if (copies)
    found.unshift(obstacle('copies at once', calls.filter(({ start }) => start === 2).length, 'asked nothing'));
  if (found.length === 0 && met) found.push(obstacle(scenario.title, calls.filter(met).length, 'sent no such request'));
  return found;
}

/** `missed` is what the client did in place of coming to it, behind "the client". */
const obstacle = (name: string, applied: number, missed: string): Obstacle =>
  applied > 0 ? { name, applied } : { name, applied, missed: `the client ${missed}` };

const times = (count: number, what: string): string =>
  count === 0 ? `no ${what}` : `${count === 1 ? 'one' : count} ${what}${count === 1 ? '' : 's'}`;

/** Of the request that a fault begins with. */
const ordinals = ['second', 'third'];

function faultOf({ met, applied, after = 0, ...rule }: FaultState): Obstacle {
  const what = requestsOf(rule);
  const needed = after > 0 ? `; the fault is injected from the ${ordinals[after - 1] ?? `${after + 1}th`} on` : '';
  return obstacle(
    `${rule.kind}${rule.status === undefined ? '' : ` ${rule.status}`}`,
    applied,
    `sent ${times(met, what)}${needed}`,
  );
}

/** What a rule is about, in words. */
function requestsOf({ operation, server, grant }: FaultRule): string {
  if (grant === 'refresh_token') return 'refresh';
  if (grant === 'authorization_code') return 'code exchange';
  if (grant !== undefined) return `${grant} request`;
  if (operation === 'issueToken') return 'token request';
  return operation === undefined ? `${server === 'data' ? 'data ' : ''}request` : `${operation} request`;
}

/** Requests beyond what a window allows, of each client: limits are counted for each (interface 8), or for all at one address. */
function limitOf({ windows, byAddress = [] }: NonNullable<Scenario['limit']>, data: readonly Call[]): Obstacle {
  const most = Math.min(...[...windows, ...byAddress].map(({ hits }) => hits));
  const counted = byAddress.length > 0 ? [data] : groups(data, ({ client }) => client ?? '');
  const beyond = counted.map((own) => Math.max(0, own.length - most));
  const applied = beyond.reduce((sum, one) => sum + one, 0);
  return obstacle(`a limit of ${most} requests`, applied, `sent ${times(data.length, 'data request')} in all`);
}

const eventNames = { 'end-access': 'the end of an access token', 'revoke-user': 'the end of a grant', faults: '' };

/** An end that no request came to is none to the client. */
const eventOf = ({ do: what, when }: Event, count: number, data: readonly Call[]): Obstacle =>
  obstacle(
    eventNames[what],
    Math.min(count, data.filter(({ status }) => status === 401).length),
    count > 0
      ? 'sent no data request with that token after its end'
      : typeof when === 'object'
        ? `got fewer than ${times(when.data, 'answered data request')}`
        : {
            issued: 'got no token',
            page: 'read no page of a stream',
            together: 'never had two data requests with one token under way',
          }[when],
  );

/** What the browser does, where that is more than an answer, and the callbacks that show it. */
const deeds: Readonly<Record<Exclude<Browser, 'approve'>, readonly [name: string, shown: Callback['kind']]>> = {
  deny: ['a refusal of the user', 'answer'],
  late: ['a code that has expired', 'answer'],
  part: ['a consent to less than was asked for', 'answer'],
  reload: ['a reloaded callback', 'reload'],
  twice: ['a callback that comes twice', 'reload'],
  forge: ['a callback with a different state', 'forged'],
  'forge-stateless': ['callbacks without a state and with an empty one', 'forged'],
  'forge-last': ['a callback whose state differs in its last character', 'forged'],
  'forge-prefix': ['a callback whose state lacks its last character', 'forged'],
  'forge-case': ['a callback whose state has the other case', 'forged'],
  'forge-before': ['a callback whose state has one character more before it', 'forged'],
  'forge-error': ['a refusal with a different state', 'forged'],
  'forge-behind': ['a callback whose state has one character more behind it', 'forged'],
  'forge-earlier': ['a callback with the state of an earlier login', 'forged'],
  stray: ['a request that is no callback', 'stray'],
  hold: ['a silent connection that stays open', 'stray'],
};

function browserOf(mode: Exclude<Browser, 'approve'>, visits: readonly Visit[]): Obstacle {
  const [name, kind] = deeds[mode];
  const applied = visits.flatMap(({ callbacks }) =>
    callbacks.filter((one) => one.kind === kind && one.status !== null),
  );
  const missed =
    visits.length === 0
      ? 'opened no browser'
      : mode === 'reload' || mode === 'twice'
        ? 'had closed its listener when the page was loaded again'
        : 'took no such callback, or has nothing in its state that could differ';
  return { ...obstacle(name, applied.length, missed), isOwn: true };
}
