import type { FaultRule, FaultState } from '../../src/client/index.js';
import type { Call } from './call.js';
import type { Events } from './events.js';
import type { Callback, Obstacle, Visit } from './run.js';
import type { Browser, Event, Scenario } from './scenario.js';

/** What a stage knows of what came up in it. */
interface Seen {
  /** The rules of the mock, with what they have done. */
  readonly faults: readonly FaultState[];
  readonly events: Pick<Events, 'count'>;
  readonly calls: readonly Call[];
  readonly visits: readonly Visit[];
}

/**
 * What stands in the client's way in a scenario, and how often it was applied. One that was never applied tells what the
 * client did not do: its end there says nothing.
 */
export function obstaclesOf(scenario: Scenario, { faults, events, calls, visits }: Seen): Obstacle[] {
  const { browser = 'approve', limit, events: planned = [], met } = scenario;
  const data = calls.filter((call) => call.data && !call.browser);
  const found: Obstacle[] = [
    ...faults.map((rule) => faultOf(rule)),
    ...planned.flatMap((event, index) => (event.do === 'faults' ? [] : [eventOf(event, events.count(index))])),
  ];
  if (browser !== 'approve') found.push(browserOf(browser, visits));
  const [first] = limit?.windows.map(({ hits }) => hits).toSorted((a, b) => a - b) ?? [];
  if (first !== undefined)
    found.push(
      obstacle(
        `a limit of ${first} requests`,
        Math.max(0, data.length - first),
        `sent ${times(data.length, 'data request')}`,
      ),
    );
  if (limit?.later)
    found.push(
      obstacle(
        'a change of the policy',
        Math.max(0, data.length - limit.later.after),
        `sent ${times(data.length, 'data request')}`,
      ),
    );
  if (found.length === 0 && met)
    found.push(obstacle(scenario.title, calls.filter(met).length, 'sent no request that comes to it'));
  return found;
}

/** `missed` is what the client did in place of coming to it, behind "the client". */
const obstacle = (name: string, applied: number, missed: string): Obstacle =>
  applied > 0 ? { name, applied } : { name, applied, missed: `the client ${missed}` };

const times = (count: number, what: string): string =>
  count === 0 ? `no ${what}` : `${count === 1 ? 'one' : count} ${what}${count === 1 ? '' : 's'}`;

function faultOf({ met, struck, after = 0, ...rule }: FaultState): Obstacle {
  const what = requestsOf(rule);
  const needed = after > 0 ? `; the fault comes after ${after}` : '';
  return obstacle(
    `${rule.kind}${rule.status === undefined ? '' : ` ${rule.status}`}`,
    struck,
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

const eventNames = { 'end-access': 'the end of an access token', 'revoke-user': 'the end of a grant', faults: '' };

const eventOf = ({ do: what, when }: Event, count: number): Obstacle =>
  obstacle(
    eventNames[what],
    count,
    when === 'issued' ? 'got no token' : `got fewer than ${times(when.data, 'answered data request')}`,
  );

/** How often the browser did what it is in the scenario for. */
function browserOf(mode: Browser, visits: readonly Visit[]): Obstacle {
  const kinds: Partial<Record<Browser, Callback['kind']>> = {
    forge: 'forged',
    'forge-stateless': 'forged',
    stray: 'stray',
    reload: 'reload',
  };
  const kind = kinds[mode] ?? 'answer';
  const applied = visits.filter(({ callbacks }) => callbacks.some((one) => one.kind === kind)).length;
  return obstacle(`the browser: ${mode}`, applied, visits.length === 0 ? 'opened no browser' : 'took no callback');
}
