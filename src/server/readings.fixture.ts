import type { Switches } from '../contract/index.js';
import type { Got } from './mock.fixture.js';
import { send, withToken } from './mock.fixture.js';
import type { Mock } from './mock.js';

/** What shows how a switch stands: a look at a mock, and what it sees under each value. */
export interface Reading {
  readonly look: (mock: Mock) => Promise<unknown>;
  /** Other switches that the look needs. */
  readonly beside?: Readonly<Record<string, unknown>>;
  readonly sees: readonly (readonly [value: string | number | boolean, seen: unknown])[];
}

export type Readings = Partial<Record<keyof Switches, Reading>>;

/** A data request of alice, or of a service. */
export async function ask(
  mock: Mock,
  path: string,
  scope: Parameters<typeof withToken>[1],
  account = 'alice',
): Promise<Got> {
  return send(mock.url, { path, headers: await withToken(mock, scope, account) });
}

/** A JSON post of alice. */
export async function post(mock: Mock, path: string, body: object): Promise<Got> {
  const headers = { ...(await withToken(mock, 'account:item_filter')), 'content-type': 'application/json' };
  return send(mock.url, { method: 'POST', path, headers, body: JSON.stringify(body) });
}
