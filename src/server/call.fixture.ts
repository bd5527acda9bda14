import type { Operation } from '../contract/index.js';

/** A request, and what the contract lets one expect of its reply. */
export interface Call {
  readonly operation: Operation;
  /** What the request is about, for the report. */
  readonly story: string;
  /** Path and query as they go over the wire. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly status: number;
  /** The request keeps the contract: a judge of requests has nothing to say. */
  readonly sound: boolean;
  /** The wrapper is null, or the list in it is empty. */
  readonly nothing?: 'null' | 'empty';
}
