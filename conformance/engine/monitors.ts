import type { Core } from '../histories/history.js';
import type { RowId } from '../ledger.gen.js';
import type { Role } from '../target/target.js';
import type { Answer } from '../wire/answer.js';
import type { Fields, Redirect, Situation } from './run.js';

/** A rule that an answer violates. */
export interface Violation {
  readonly expected: string;
  /** The place in the JSON and the value, shortened. */
  readonly got: string;
  /** Of the first violation, without what was parsed of its body. */
  readonly answer?: Answer;
  /** What several callers saw, where no order of their calls explains it. */
  readonly history?: Core;
}

/** What a run showed of a row that monitors watch. */
export interface MonitorResult {
  /** How often the row was held against something that could have broken it. */
  readonly exercised: number;
  /** The first few. */
  readonly violations: readonly Violation[];
  /** All of them. */
  readonly count: number;
  readonly warnings: readonly string[];
  readonly applicable: boolean;
  /** Why it is not applicable. */
  readonly reason?: string;
}

/** A refusal: of the token endpoint, in a redirect of the authorization endpoint, or of the data API. */
export interface Refusal {
  readonly from: 'token' | 'authorization' | 'data';
  readonly status: number;
  /** As it was sent, of whatever type. */
  readonly error?: unknown;
  readonly answer?: Answer;
}

/** The codes of RFC 6749 5.2. */
export const tokenErrors: ReadonlySet<unknown> = new Set([
  'invalid_request',
  'invalid_client',
  'invalid_grant',
  'unauthorized_client',
  'unsupported_grant_type',
  'invalid_scope',
]);

/** Rules that are held against every answer of a run. They never throw, whatever a server sends. */
export interface Monitors {
  /** To be told of every answer of the data API and of the authorization server. */
  answer(answer: Answer): void;
  /** To be told of every outcome of the authorization endpoint, with the request that led to it, who decided, and what shows it. */
  redirect(
    redirect: Redirect,
    request: { readonly fields: Fields; readonly account?: string; readonly role?: Role; readonly answer?: Answer },
  ): void;
  /** To be told of every refusal that a check has brought about, with what it should say. `by` is the row of the check. */
  refused(refusal: Refusal, situation: Situation & { readonly by: RowId }): void;
  /** One for every row that the ledger marks `monitor` or that a check shares with it (GEN-016). */
  results(): ReadonlyMap<RowId, MonitorResult>;
  /** What is worth reading and breaks no row: undocumented members, unsafe integers, habits. */
  observations(): readonly string[];
  /** What the answers showed of each edition flag: `on`, `off`, `on and off`, `not seen`. */
  edition(): Readonly<Record<string, string>>;
}
