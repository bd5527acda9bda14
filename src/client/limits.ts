import type { controlCalls } from './control.js';

/** So many hits in a period, and how long whoever exceeds them is restricted. Seconds. */
export interface LimitWindow {
  readonly hits: number;
  readonly period: number;
  readonly restriction: number;
  /** Hits are counted in buckets of so many seconds, 1 unless told: a hit counts until its whole bucket is out of the period. */
  readonly bucket?: number;
}

export interface LimitRule {
  /** Whom hits are counted for. All public clients are one client; a client-credentials token counts for the owner's account. */
  readonly rule: 'client' | 'account' | 'ip';
  /** How `X-Rate-Limit-Rules` writes the rule, which is a matter of letter case; as it stands here unless told. */
  readonly shown?: string;
  /** Hits of others that share the limit, just before each of the subject's own; none unless told. */
  readonly others?: number;
  readonly windows: readonly LimitWindow[];
}

export interface LimitPolicy {
  readonly name: string;
  /** Operations of the interface, or ids of the OpenAPI document; `*` for all that no other policy names. */
  readonly operations: readonly string[] | '*';
  /** What counts: `requests` (unless told), or only those that end in a 4xx (`invalid`). */
  readonly counts?: 'requests' | 'invalid';
  readonly rules: readonly LimitRule[];
}

/** How HEAD is dealt with. Without one of an operation it is answered, and counts, like GET. */
export interface LimitHead {
  /** Operations of the interface, or ids of the OpenAPI document; `*` for all that no other entry names. */
  readonly operations: readonly string[] | '*';
  /** Stands in place of the status of a success; from 400 on every HEAD is refused with it. */
  readonly status?: number;
  /** Whether it counts, which it does unless told. */
  readonly counted?: boolean;
}

/** What stands in front of the service. It answers with HTML. */
export interface LimitEdge {
  /** Refuse requests without a `User-Agent`. */
  readonly user_agent?: boolean;
  /** Refuse an address that sends more than this. */
  readonly flood?: LimitWindow;
}

export interface LimitSettings {
  /** How replies show the limits: `observed` (`X-Rate-Limit-…`, unless told), `ietf` (`RateLimit`), or not at all. */
  readonly headers?: 'observed' | 'ietf' | 'none';
  readonly policies: readonly LimitPolicy[];
  readonly head?: readonly LimitHead[];
  readonly edge?: LimitEdge;
}

/** Settings of one's own, the limits that a live service was seen to have, a set of the mock's own numbers, or none. */
export type LimitChoice = LimitSettings | 'observed' | 'realistic' | 'off';

export interface MockLimits {
  /** Changes the limits at once. What was counted stays for windows that stay: same policy, rule, period and bucket. */
  set(limits: LimitChoice): Promise<void>;
  /** What is in force; null where nothing is limited. */
  get(): Promise<LimitSettings | null>;
}

/** The limits of the mock that `calls` go to. */
export const limitsOf = ({ get, post }: ReturnType<typeof controlCalls>): MockLimits => ({
  set: async (limits) => {
    await post('/limits', { limits });
  },
  get: async () => (await get<{ limits: LimitSettings | null }>('/limits')).limits,
});
