import type { Arbitrary } from 'fast-check';

import type { GameOperation, Scope } from '../../src/contract/index.js';
import type { ClientEntry, Role, Target } from '../target/target.js';
import type { Coverage } from './coverage.js';
import type { Core } from '../histories/history.js';
import type { Codec, Hooks } from '../target/hooks.js';
import type { Answer } from '../wire/answer.js';

/** Facts that the lists of a server can stand in for, where the target does not declare them. */
export type Findable = 'event_ladder_league' | 'time_league' | 'score_league' | 'pvp_league' | 'guild_league';

/** Names and values of a form or query, in order; a name may occur more than once. */
export type Fields = readonly (readonly [name: string, value: string])[];

/** Options of a data request. */
export interface DataRequest {
  /** Path and query parameters by their names in the contract; realm words as the contract writes them. */
  readonly args?: Readonly<Record<string, string | number | boolean>>;
  /** Leaves the realm out also where the interface names no default for it; pc is sent there otherwise (K-022). */
  readonly bare?: true | undefined;
  /** A value is sent as JSON; a string as it is. */
  readonly body?: unknown;
  /** The bearer token; null for a request without one. Left out: a token of the run that has the operation's scope. */
  readonly token?: string | null;
  /** The account whose token is taken where `token` is left out; alice's, or the service's, otherwise. */
  readonly account?: string;
  /** Over and instead of the headers that the request would have; null leaves one out. */
  readonly headers?: Readonly<Record<string, string | null>>;
  /** Query parameters beyond those of the contract, or in a form that it does not have. */
  readonly query?: Fields;
}

/** An authorization request that is complete and right (interface 4.1), and what belongs to it. */
export interface AuthorizationRequest {
  readonly role: Role;
  readonly fields: Fields;
  readonly verifier: string;
  readonly state: string;
  readonly redirect_uri: string;
}

/** Where the authorization endpoint sent the browser, or the page that it showed. */
export interface Redirect {
  readonly status: number;
  /** As sent, or null where there was no redirect. */
  readonly location: string | null;
  /** Decoded parameters of the location's query; empty where there was no redirect. */
  readonly query: URLSearchParams;
  readonly code: string | null;
  readonly error: string | null;
  readonly page: string;
}

/** An authorization code with what its exchange needs. */
export interface Code {
  readonly role: Role;
  readonly account: string;
  readonly code: string;
  readonly verifier: string;
  readonly redirect_uri: string;
  readonly scopes: readonly Scope[];
}

/** What a successful token response gave. */
export interface Grant {
  readonly role: Role;
  /** The account that consented; null for client credentials. */
  readonly account: string | null;
  readonly access: string;
  /** Undefined where none was issued. */
  readonly refresh: string | undefined;
  /** The granted scopes, as the response lists them. */
  readonly scopes: readonly Scope[];
  readonly response: Readonly<Record<string, unknown>>;
  readonly answer: Answer;
}

/** A negative case: a request that works, and the same with one thing changed, which must not. */
export interface Negative<Request> {
  /** A request that must succeed; made anew for every use, because codes and tokens are used up. */
  readonly valid: () => Promise<Request> | Request;
  readonly send: (request: Request) => Promise<Answer>;
  /** Whether the unchanged request succeeded; a 2xx status where it is left out. */
  readonly accepted?: (answer: Answer, request: Request) => void | Promise<void>;
  /** What must be true of the answer to the changed one. */
  readonly refused: (answer: Answer, request: Request) => void | Promise<void>;
  /** That nothing changed behind the refusal. */
  readonly unharmed?: (request: Request) => Promise<void>;
}

/** Sends the changed request and judges the answer. */
export type Refuse<Request> = (
  what: string,
  change: (request: Request) => Request | Promise<Request>,
) => Promise<Answer>;

/**
 * What a check works with. Expectations count; a check that ends without one is *not exercised*. An expectation that
 * does not hold ends the check as *fail*; anything that the check merely builds upon (`oauth.grant`, `oauth.token`,
 * `facts.once`, `facts.sample` …) ends it as *could not run* and leaves the blame to the row that owns it.
 */
export interface Run {
  readonly http: Http;
  readonly oauth: OAuth;
  readonly facts: Facts;
  readonly expect: Expect;
  /** One of the cases that a sentence has: a failure names it, and a mutant may. The first that fails ends the check. */
  case<T>(name: string, judge: () => Promise<T>): Promise<T | undefined>;
}

/** Requests to the data API, and races. */
export interface Http {
  /** Calls an operation of the data API. */
  data(operation: GameOperation, request?: DataRequest): Promise<Answer>;
  /** A data request outside the contract: any method and path (below base_url, sent as written). */
  raw(method: string, path: string, request?: Omit<DataRequest, 'args'>): Promise<Answer>;
  /** N requests to /oauth/token that arrive at the same time: all but their last byte are sent first. */
  race(
    requests: readonly { readonly path: string; readonly fields: Fields; readonly token?: string }[],
  ): Promise<readonly Answer[]>;
  /**
   * Runs an action that is several callers at the same time, each of which waits for its replies: nothing else is under
   * way, as in `alone`.
   */
  together<T>(action: () => Promise<T>): Promise<T>;
  /** Does something with every value, with as many at once as the target lets requests be; see `atOnce` of the wire. */
  atOnce<T, R>(values: Iterable<T>, action: (value: T) => Promise<R>): Promise<readonly R[]>;
  /** Runs an action while no other check sends anything. It brings its tokens: another check may be asking for them. */
  alone<T>(action: () => Promise<T>): Promise<T>;
}

/** The authorization server: its endpoints, clients and consent, codes and tokens. */
export interface OAuth {
  /** POST /oauth/token. */
  tokenRequest(fields: Fields, options?: FormOptions): Promise<Answer>;
  /** POST /oauth/token/revoke with the run's revocation credential, or with what `options` say. */
  revoke(fields: Fields, options?: FormOptions): Promise<Answer>;
  /** POST /oauth/token/introspect with the run's introspection credential, or with what `options` say. */
  introspect(fields: Fields, options?: FormOptions): Promise<Answer>;
  /** A request to the authorization server outside of all of these (path below auth_url). */
  request(
    method: string,
    path: string,
    options?: FormOptions & { readonly fields?: Fields; readonly query?: Fields },
  ): Promise<Answer>;
  /** The client that plays a part; *could not run* where the target has none. */
  client(role: Role): ClientEntry;
  /** client_id, and client_secret where the client has one. */
  credentials(role: Role): Fields;
  /** A complete, right authorization request; `scopes` are all of the client's account scopes where left out. */
  authorizationRequest(
    role: Role,
    options?: {
      readonly scopes?: readonly Scope[];
      readonly state?: string;
      readonly verifier?: string;
      readonly redirect_uri?: string;
    },
  ): AuthorizationRequest;
  /** Sends a user's browser there, who approves or denies. */
  authorize(
    fields: Fields,
    options?: {
      readonly account?: string;
      readonly decision?: 'approve' | 'deny';
      readonly granted?: readonly Scope[];
    },
  ): Promise<Redirect>;
  /** The URL that an application sends a user to. */
  authorizationAddress(fields: Fields): string;
  /** GET /oauth/authorize without a user: no session, nothing submitted, redirect not followed. */
  bareAuthorize(fields: Fields): Promise<Answer>;
  /** A fresh code. */
  code(role: Role, options?: GrantOptions): Promise<Code>;
  /** The fields of the code's exchange. */
  exchangeFields(code: Code): Fields;
  exchange(code: Code): Promise<Answer>;
  /** A fresh grant by authorization code, whose tokens nobody else holds. */
  grant(role: Role, options?: GrantOptions): Promise<Grant>;
  /** A fresh grant by client credentials. */
  clientCredentials(role: Role, options?: { readonly scopes?: readonly Scope[] }): Promise<Grant>;
  /**
   * A grant by client credentials that may be ended, for nobody else has its token; *could not run* where the server
   * gives a client that asks again the token that it has.
   */
  spareCredentials(role: Role, options?: { readonly scopes?: readonly Scope[] }): Promise<Grant>;
  /** Refreshes, and takes for granted that it works. */
  refreshed(grant: Grant): Promise<Grant>;
  /** The fields of a refresh. */
  refreshFields(role: Role, refresh: string): Fields;
  refresh(role: Role, refresh: string): Promise<Answer>;
  /**
   * A token that the run shares and that has exactly these scopes; never to be revoked. A ready one of the target may
   * have more, unless `exact` is set.
   */
  token(scopes: readonly Scope[], options?: { readonly account?: string; readonly exact?: boolean }): Promise<string>;
  /** The run's own grant with this scope, by client credentials; of the operations client where that may have it. */
  credential(right: 'oauth:revoke' | 'oauth:introspect'): Promise<Grant>;
  /** The scopes that some client of the target can have a token for, with the first role that can: undefined for a ready token. */
  obtainable(): ReadonlyMap<Scope, Role | undefined>;
  /** The accounts that can consent by choice, by their keys in the target. */
  accounts(): readonly string[];
  /** Presents a token where one of its scopes is asked for: 2xx for one that works, 401 for one that does not. */
  probe(token: string, scopes: readonly Scope[]): Promise<Answer>;
}

/** Where samples and facts come from: the target, and what the server lists. */
export interface Source {
  readonly http: Pick<Http, 'data'>;
  readonly facts: Pick<Facts, 'target' | 'once'>;
}

/** What is known: the target, its data, what the run shares, the time. */
export interface Facts {
  readonly target: Target;
  readonly hooks: Hooks;
  /** Whether the complete suite of the token lifecycle allows for a state more than the server shows. */
  readonly thorough: boolean;
  /** Where states and transitions of the token lifecycle, and outcomes of races, are counted. */
  readonly lifecycle: Coverage;
  /** Number of cases of a property, as the user set it. */
  readonly runs: number;
  /** A known fact of the target; *could not run* where it has none. */
  known<K extends keyof Target['known']>(key: K): NonNullable<Target['known'][K]>;
  /** A fact of the target or, where it declares none, one that the lists of the server show; undefined where none does. */
  found(key: Findable): Promise<string | undefined>;
  /** Arguments and body with which an operation of the contract must answer 2xx: the documented minimum. */
  sample(operation: GameOperation, options?: { readonly realm?: string }): Promise<DataRequest>;
  /** Makes or gets what the run shares, once. A failure is *could not run* for whoever asks. */
  once<T>(key: string, make: () => Promise<T>): Promise<T>;
  /** Whether an edition flag is on, off or not known. */
  flag(flag: string): 'on' | 'off' | 'any';
  /** The codec under test; *could not run* where there is none. */
  codec(): Promise<Codec>;
  /** Seconds now, by the server's clock where it has a hook, else by its Date header, else by ours. */
  now(): Promise<number>;
  /** Moves the server's clock forward. Only in phase `clock`. */
  advance(seconds: number, most?: number): Promise<void>;
  /**
   * Does something with every value that moves the clock: at once where the clock is shared, each as if it were alone,
   * else one after the other. Where some fail, the failure of the first is thrown.
   */
  apart<T>(values: readonly T[], action: (value: T) => Promise<unknown>): Promise<void>;
}

/** Expectations, and the other ways in which a check may end. */
/** The name of a case: `%s` in a text is the value, `%j` the value as JSON, `$league.id` what it has at that path. */
export type Name<T> = string | ((value: T) => string);

/** What a refusal should say. Rows of their own name it; a check that is about being refused takes any refusal. */
export interface Situation {
  /** The `error` codes that are right for it, the one that the RFC names first. */
  readonly errors?: readonly string[];
  /** Codes that say it less well, and are warned of. */
  readonly alike?: readonly string[];
  /** 401 for a token that has ended, 403 for one that lacks the scope (interface 5.3). */
  readonly status?: 401 | 403;
}

/** What holds, of which values. */
export type Property<T> = readonly [
  what: string,
  values: Arbitrary<T>,
  ...(
    | readonly [holds: (value: T) => Promise<unknown>]
    | readonly [
        options: { readonly share?: number; readonly examples?: readonly T[] },
        holds: (value: T) => Promise<unknown>,
      ]
  ),
];

export interface Expect {
  /** The answer has one of these statuses. */
  status(answer: Answer, ...statuses: readonly (number | '2xx' | '4xx')[]): void;
  /**
   * A refusal: a 4xx that gives no token. An OAuth error with another status below 500 is one too. What it should say is
   * judged by the rows that name it, and not by the row of this check.
   */
  refused(answer: Answer, situation?: Situation): void;
  /** A browser that was sent back to the client with an error, which the rows that name it judge (AUTH-ERR-004). */
  sentBack(redirect: Redirect, situation: Situation): void;
  /** Holds, or fails with these words. */
  that(holds: boolean, expected: string, got: unknown, answer?: Answer): void;
  /** The same, of what the server gave: a failure is final, and not judged again at a lower load. */
  underAnyLoad(holds: boolean, expected: string, got: unknown, answer?: Answer): void;
  /** Some order of calls explains every reply: `history` has the fewest calls that none explains. */
  explained(history: Core | undefined, expected: string): void;
  /** Equal as JSON: order of members does not matter. */
  equal(got: unknown, expected: unknown, what: string, answer?: Answer): void;
  /** A 2xx answer whose JSON has this member; answers the member's value. */
  has(answer: Answer, wrapper: string): unknown;
  /** A list member of a 2xx answer. */
  list(answer: Answer, wrapper: string): readonly Record<string, unknown>[];
  /** The token works (2xx) or is refused on an operation that it has a scope for. */
  alive(token: string, scopes: readonly Scope[]): Promise<void>;
  dead(token: string, scopes: readonly Scope[]): Promise<void>;
  /** The only way to write a negative: sends the valid request as control, then gives the function that refuses. */
  negative<Request>(negative: Negative<Request>): Promise<Refuse<Request>>;
  /**
   * A property over generated values. A failure is shrunk, within bounds; `share` is for expensive ones, of the number
   * of cases that the user wants (0.1: a tenth of it, at least one).
   */
  property<T>(...property: Property<T>): Promise<void>;
  /** Every one of these, each by its name, and all failures reported together; `atOnce` for those that share nothing. */
  each<T>(
    name: Name<T>,
    values: Iterable<T>,
    holds: (value: T) => Promise<unknown>,
    options?: { readonly atOnce?: boolean },
  ): Promise<void>;
  /** The row passes, with a warning: a SHOULD, or a free reading that surprises. */
  warn(text: string, answer?: Answer): void;
  /** Something worth reading in the report that is neither. */
  note(text: string): void;
  /** Ends the check: the server's data never gave the case. */
  notExercised(reason: string): never;
  /** Ends the check: the row holds for other servers. */
  notApplicable(reason: string): never;
  /** Ends the check: the target does not offer this. */
  missing(need: string, remedy?: string): never;
}

export interface FormOptions {
  /** Bearer token; null for none. */
  readonly token?: string | null;
  readonly headers?: Readonly<Record<string, string | null>>;
  /** The body as it is, instead of the encoded fields. */
  readonly body?: string;
}

export interface GrantOptions {
  readonly account?: string;
  readonly scopes?: readonly Scope[];
  readonly verifier?: string;
  readonly redirect_uri?: string;
  /** What the user grants of the scopes asked for; all of them unless told. *Could not run* where there is no choice. */
  readonly granted?: readonly Scope[];
}
