import type { JournalEntry } from '../../../client/journal.js';
import type { FaultRule, FaultState } from '../../../client/faults.js';
import type { LimitSettings } from '../../../client/limits.js';
import type { MockControl, TokenInfo } from '../../../client/mock.js';
import type { SnapshotInfo } from '../../../client/snapshots.js';
import { button, byId, fill, make, time } from './elements.js';

/** Runs a control call, says what it did, and shows what has changed. */
export type Act = (news: string, call: (mock: MockControl) => Promise<unknown>) => void;

/** Faults that the page offers. */
const faults: Readonly<Record<string, FaultRule>> = {
  '503 with Retry-After': { kind: 'status', status: 503, retry_after: 5 },
  '500 once': { kind: 'status', status: 500, times: 1 },
  'connection reset': { kind: 'reset' },
  'empty reply': { kind: 'empty' },
  'no reply at all': { kind: 'hang' },
  'two seconds late': { kind: 'latency', ms: 2000 },
  'reply cut short': { kind: 'truncated' },
  'slow body': { kind: 'drip', ms: 5000 },
  'reply lost once': { kind: 'lost-reply', times: 1 },
};

export function wirePanels(act: Act): void {
  for (const element of document.querySelectorAll<HTMLElement>('[data-hours]')) {
    const hours = Number(element.dataset.hours);
    element.addEventListener('click', () =>
      act(`The clock went forward: ${element.textContent}.`, (mock) => mock.clock.advance({ hours })),
    );
  }
  const freeze = byId('freeze');
  freeze.addEventListener('click', () => {
    const frozen = freeze.dataset.frozen === 'true';
    act(frozen ? 'The clock runs.' : 'The clock stands still.', ({ clock }) =>
      frozen ? clock.unfreeze() : clock.freeze(),
    );
  });
  const onClick = (id: string, news: string, call: (mock: MockControl) => Promise<unknown>): void =>
    byId(id).addEventListener('click', () => act(news, call));
  const step = byId<HTMLInputElement>('step');
  onSubmit('step-form', () =>
    act(`The clock went forward: +${step.value} hours.`, ({ clock }) => clock.advance({ hours: Number(step.value) })),
  );
  onClick('reset', 'The mock is as it was at the start.', (mock) => mock.reset());
  onClick('limit', 'Realistic limits are in force.', ({ limits }) => limits.set('realistic'));
  onClick('observed', 'The limits of a live service are in force.', ({ limits }) => limits.set('observed'));
  onClick('unlimit', 'Nothing is limited.', ({ limits }) => limits.set('off'));
  onClick('clear-faults', 'There are no faults.', (mock) => mock.faults.clear());

  const kind = byId<HTMLSelectElement>('fault');
  kind.append(...Object.keys(faults).map((name) => make('option', '', name)));
  const operation = byId<HTMLSelectElement>('operation');
  onSubmit('fault-form', () => {
    const rule = faults[kind.value];
    if (rule)
      act(`Fault added: ${kind.value}.`, (mock) =>
        mock.faults.add({ ...rule, ...(operation.value !== '' && { operation: operation.value }) }),
      );
  });
  const snapshot = byId<HTMLInputElement>('snapshot');
  onSubmit('snapshot-form', () => act(`Saved ${snapshot.value}.`, ({ snapshots }) => snapshots.save(snapshot.value)));
}

export const onSubmit = (id: string, run: () => void): void =>
  byId(id).addEventListener('submit', (event) => {
    event.preventDefault();
    run();
  });

export function showClock({ now, frozen }: { now: string; frozen: boolean }): void {
  byId('now').replaceChildren(time(now).textContent ?? '');
  byId<HTMLTimeElement>('now').dateTime = now;
  byId('frozen').textContent = frozen ? '(frozen)' : '';
  const freeze = byId('freeze');
  freeze.textContent = frozen ? 'Run' : 'Freeze';
  freeze.dataset.frozen = String(frozen);
}

/** What each account granted to each client; expired and ended tokens stand in the list of tokens only. */
export function showGrants(tokens: readonly TokenInfo[], act: Act): void {
  const grants = new Map<string, TokenInfo[]>();
  for (const token of tokens) {
    const key = JSON.stringify([token.account, token.client_id]);
    grants.set(key, [...(grants.get(key) ?? []), token]);
  }
  fill(
    byId('grant-list'),
    tokens,
    () => [...grants.values()].map((held) => grantRow(held, act)),
    'There are no tokens.',
  );
}

function grantRow(held: readonly TokenInfo[], act: Act): Node {
  const { account = '', client_id: client = '' } = held[0] ?? {};
  const live = held.filter(({ state }) => state === 'live');
  const scopes = new Set(live.flatMap((token) => token.scopes));
  const tokens = held.slice(-50).map(({ token, kind, state, expires_at }) => {
    const end = expires_at === null ? ['without end'] : ['until ', time(expires_at)];
    return make('li', '', make('code', '', token), ` ${kind}, ${state}, `, ...end);
  });
  const revoke = button('Revoke', `Revoke ${client} of ${account}`, () =>
    act(`Revoked ${client} of ${account}.`, (mock) => mock.revokeByUser(account, client)),
  );
  return make(
    'li',
    '',
    make(
      'div',
      'line',
      make('span', 'grow', make('strong', '', account), ` · ${client}`),
      ...(live.length > 0 ? [revoke] : []),
    ),
    make('p', '', live.length > 0 ? [...scopes].join(' ') : 'No token is live.'),
    make('details', '', make('summary', '', `${live.length} live of ${held.length}`), make('ul', '', ...tokens)),
  );
}

export function showLimits(limits: LimitSettings | null): void {
  byId('limit-state').textContent = limits
    ? `In force: ${limits.policies.map(({ name }) => name).join(', ') || 'the edge'}.`
    : 'Nothing is limited.';
}

/**
 * What is left of each limit in force, as the last reply of its policy told it (`X-Rate-Limit-…`, `RateLimit`). The clock
 * moves on without a reply: it is what clients know.
 */
export function showLeft(limits: LimitSettings | null, entries: readonly JournalEntry[]): void {
  const inForce = new Set(limits?.policies.map(({ name }) => name));
  const left = new Map<string, string>();
  for (const { reply } of limits ? entries : []) {
    const headers = new Map(reply?.headers.map(([name, value]) => [name.toLowerCase(), value]));
    const policy = headers.get('x-rate-limit-policy');
    for (const rule of policy === undefined ? [] : (headers.get('x-rate-limit-rules') ?? '').toLowerCase().split(',')) {
      const states = (headers.get(`x-rate-limit-${rule}-state`) ?? '').split(',');
      const windows = (headers.get(`x-rate-limit-${rule}`) ?? '').split(',').map((text, index) => {
        const [hits = 0, period = 0] = text.split(':').map(Number);
        const [used = 0, , wait = 0] = (states[index] ?? '').split(':').map(Number);
        const until = wait > 0 ? `, restricted for ${wait} s` : '';
        return `${Math.max(0, hits - used)} of ${hits} left in ${period} s${until}`;
      });
      if (inForce.has(policy ?? '')) left.set(`${policy}, ${rule}`, windows.join('; '));
    }
    for (const [, name, rest] of (headers.get('ratelimit') ?? '').matchAll(/"([^"]*)";r=(\d+)/g))
      left.set(name ?? '', `${rest} left`);
  }
  byId('limit-left').replaceChildren(
    ...[...left].map(([name, text]) => make('li', '', make('strong', '', name), make('p', '', text))),
  );
}

const settingsOf = ({ kind, ...settings }: FaultRule): string =>
  [kind, ...Object.entries(settings).map(([name, value]) => `${name}: ${value}`)].join(', ');

const doneBy = ({ id, met, applied, times }: FaultState): string =>
  `${id}: applied ${applied} times${applied === times ? ' and used up' : ''}; ${met} requests matched`;

export function showFaults(rules: readonly FaultState[], act: Act): void {
  const rows = (): Node[] =>
    rules.map(({ id, met, applied, ...rule }) =>
      make(
        'li',
        'line',
        make('span', 'grow', settingsOf(rule), make('p', '', doneBy({ id, met, applied, ...rule }))),
        button('End', `End ${id}`, () => act(`Ended ${id}.`, (mock) => mock.faults.clear(id))),
      ),
    );
  fill(byId('fault-list'), rules, rows, 'There are no faults.');
}

export function showSnapshots(snapshots: readonly SnapshotInfo[], act: Act): void {
  const rows = (): Node[] =>
    snapshots.map(({ name, clock }) =>
      make(
        'li',
        'line',
        make('span', 'grow', make('strong', '', name), make('p', '', time(clock))),
        make(
          'span',
          '',
          button('Restore', `Restore ${name}`, () => act(`Restored ${name}.`, (mock) => mock.snapshots.restore(name))),
          ' ',
          button('Remove', `Remove ${name}`, () => act(`Removed ${name}.`, (mock) => mock.snapshots.remove(name))),
        ),
      ),
    );
  fill(byId('snapshot-list'), snapshots, rows, 'There are no snapshots.');
}
