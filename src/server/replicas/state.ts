import type { ExchangeRecord, RecordedBody } from '../exchange-record.js';
import type { Active } from '../faults/faults.js';
import type { ClockState } from '../clock.js';
import type { JournalState } from '../journal/journal.js';
import type { LineState } from '../journal/line.js';
import type { LimitState } from '../limits/limits.js';
import type { Namespaces } from '../namespaces/namespaces.js';
import type { Service } from '../service.js';
import type { SnapshotState } from '../snapshots/snapshots.js';
import type { StoreContent } from '../../store/store.js';

/** All that requests have changed of a mock, as plain data. Holds secrets. */
export interface State {
  readonly content: StoreContent;
  readonly clock: ClockState;
  readonly laidOutAt: number;
  readonly faults: { readonly rules: readonly Active[]; readonly added: number };
  readonly limits: LimitState;
  readonly exchanges: number;
  readonly journal: Omit<JournalState, 'lines'> & { readonly lines: readonly PackedLine[] };
  readonly snapshots: readonly SnapshotState[];
  readonly namespaces: readonly { readonly name: string; readonly used: number; readonly state: State }[];
}

export const stateOf = (service: Service, namespaces: Namespaces | undefined): State => ({
  content: service.store.image().content(),
  clock: service.clock.state,
  laidOutAt: service.laidOutAt,
  faults: service.faults.state,
  limits: service.limits.state,
  exchanges: service.exchanges.count,
  journal: { ...service.journal.state, lines: service.journal.state.lines.map(packed) },
  snapshots: service.snapshots.state,
  namespaces: (namespaces?.all() ?? []).map((each) => ({
    name: each.name,
    used: each.used,
    state: stateOf(each.service, undefined),
  })),
});

/** Has a mock be as another one was. What follows from its options stays. */
export async function putState(state: State, service: Service, namespaces: Namespaces | undefined): Promise<void> {
  for (const { name } of namespaces?.all() ?? []) namespaces?.remove(name);
  service.rebuildWorld(state.laidOutAt);
  service.store.restore(state.content);
  // A store that bounds its filters counts those that it is given one by one.
  for (const { account, filter } of state.content.filters) service.store.putFilter(account, filter);
  service.clock.state = state.clock;
  service.faults.state = state.faults;
  service.limits.state = state.limits;
  service.snapshots.state = state.snapshots;
  await service.journal.restore({ ...state.journal, lines: state.journal.lines.map(unpacked) });
  service.exchanges.count = state.exchanges;
  for (const { name, used, state: inner } of state.namespaces) {
    const child = namespaces?.restore(name, used);
    if (child) await putState(inner, child, undefined);
  }
}

/** Bodies that are bytes do not go into text as they are. */
interface Packed {
  readonly base64: string;
  readonly size: number;
}
type PackedLine = Omit<LineState, 'record'> & {
  readonly record: Omit<ExchangeRecord, 'requestBody' | 'reply'> & {
    readonly requestBody: Packed;
    readonly reply: (Omit<NonNullable<ExchangeRecord['reply']>, 'body'> & { readonly body: Packed }) | null;
  };
};

const pack = ({ content, size }: RecordedBody): Packed => ({ base64: Buffer.from(content).toString('base64'), size });
const unpack = ({ base64, size }: Packed): RecordedBody => ({ content: Buffer.from(base64, 'base64'), size });

function packed(line: LineState): PackedLine {
  const { requestBody, reply, ...record } = line.record;
  const reduced = reply && { ...reply, body: pack(reply.body) };
  return { ...line, record: { ...record, requestBody: pack(requestBody), reply: reduced } };
}

function unpacked(line: PackedLine): LineState {
  const { requestBody, reply, ...record } = line.record;
  const whole = reply && { ...reply, body: unpack(reply.body) };
  return { ...line, record: { ...record, requestBody: unpack(requestBody), reply: whole } as ExchangeRecord };
}
