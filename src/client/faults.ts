import type { controlCalls } from './control.js';

/** A failure of the service or of the line. The first line changes nothing on the mock; behind the second the operation has run. */
export type FaultKind =
  | ('status' | 'page' | 'redirect' | 'reset' | 'empty' | 'hang')
  | ('latency' | 'truncated' | 'incomplete' | 'drip' | 'lost-reply');

/** What goes wrong, for which requests, and when. */
export interface FaultRule {
  readonly kind: FaultKind;
  /** The operation of the interface, or its id in the OpenAPI document; without it every operation. */
  readonly operation?: string;
  /** Operations of the data API only, or of the authorization server. */
  readonly server?: 'data' | 'authorization';
  /** Token requests with this `grant_type` only. */
  readonly grant?: 'authorization_code' | 'refresh_token' | 'client_credentials';
  readonly client_id?: string;
  /** An account key. */
  readonly account?: string;
  /** So many requests that fit pass first. */
  readonly after?: number;
  /** The rule ends when it was applied that many times. */
  readonly times?: number;
  /** How likely it strikes, 0 to 1; drawn from `seed`. */
  readonly probability?: number;
  readonly seed?: number;
  /** `status`: what is answered, 400 to 599; `page`: 200 to 599, 503 unless told; `redirect`: 301, 302, 303, 307 (unless told) or 308. */
  readonly status?: number;
  /** `status`: the OAuth error code of the body, at the authorization server. */
  readonly error?: string;
  /** `status` and `page`: seconds for the `Retry-After` header. */
  readonly retry_after?: number;
  /** How `Retry-After` says it: as `seconds` (unless told), or as the `date` that many seconds from now. */
  readonly retry_form?: 'seconds' | 'date';
  /** `redirect`: the origin that the request is sent on to, such as `http://127.0.0.1:8080`; path and query stay. */
  readonly origin?: string;
  /** `latency`: the delay in real ms; `drip`: how long the body takes. */
  readonly ms?: number;
  /** `latency`: a delay between `ms` and this, uniformly. */
  readonly ms_most?: number;
}

/** A rule of the mock, and how often it has met a request and was applied. */
export interface FaultState extends FaultRule {
  readonly id: string;
  readonly met: number;
  readonly applied: number;
}

export interface MockFaults {
  /** Adds rules; all or, where one is wrong, none. */
  add(...rules: readonly FaultRule[]): Promise<readonly FaultState[]>;
  list(): Promise<readonly FaultState[]>;
  /** Ends one rule, or all of them. */
  clear(id?: string): Promise<void>;
}

/** The faults of the mock that `calls` go to. */
export function faultsOf({ get, post }: ReturnType<typeof controlCalls>): MockFaults {
  return {
    add: async (...rules) => (await post<{ rules: FaultState[] }>('/faults', { rules })).rules,
    list: async () => (await get<{ rules: FaultState[] }>('/faults')).rules,
    clear: (id) => post<void>('/faults/clear', id === undefined ? {} : { id }),
  };
}
