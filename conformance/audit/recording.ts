import type { ExchangeRecord } from '../../src/server/exchange-record.js';
import { readCall } from './call.js';
import type { Call } from './call.js';

/** Calls of the control surface that are kept. */
const mostControlCalls = 20;

/** The reason of a request that no server can read. */
export const unreadable = 'the request line is not HTTP';

/** Everything that was asked of the mock of one world. */
export class Recording {
  /** Which start of the client calls belong to, from 1. */
  start = 1;
  readonly calls: Call[] = [];
  readonly controlCalls: string[] = [];

  /** @param epoch the real instant at which the world began, ms */
  constructor(readonly epoch: number) {}

  add(record: ExchangeRecord): Call {
    const call = readCall(record, this);
    this.calls.push(call);
    return call;
  }

  addControl(call: string): void {
    if (this.controlCalls.length < mostControlCalls) this.controlCalls.push(call);
  }

  /** A request that is no HTTP, such as one with a name in its path that was not encoded: the mock does not record it. */
  addUnreadable(packet: Buffer | undefined): void {
    const [, method, target = ''] = /^([A-Z]+) (\S.*?) HTTP\/1[.]\d\r?$/m.exec(packet?.toString() ?? '') ?? [];
    if (method === undefined) return;
    const nothing = { content: '', size: 0 };
    this.add({
      number: (this.calls.at(-1)?.number ?? 0) + 0.5,
      at: Date.now(),
      realTime: Date.now(),
      elapsed: 0,
      method,
      target,
      operationId: undefined,
      logical: undefined,
      address: '127.0.0.1',
      requestHeaders: [],
      requestBody: nothing,
      account: undefined,
      clientId: undefined,
      credential: undefined,
      decision: 'refused',
      delivery: 'sent',
      reason: unreadable,
      reply: { status: 400, headers: {}, body: nothing },
    });
  }
}
