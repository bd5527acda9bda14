/// <reference lib="esnext.disposable" preserve="true" />
import type { components } from '../contract/index.js';
import type { ConnectOptions } from './control.js';
import { controlCalls } from './control.js';
import type { MockFaults } from './faults.js';
import { faultsOf } from './faults.js';
import type { MockLimits } from './limits.js';
import { limitsOf } from './limits.js';
import type { MockJournal } from './journal.js';
import { journalOf } from './journal.js';
import type { TokenResponse } from './oauth.js';
import { snapshotsOf } from './snapshots.js';
import type { MockSnapshots } from './snapshots.js';

type Realm = components['schemas']['Realm'];

/** A span of time to let pass; parts that are left out are nothing. */
export interface Span {
  readonly days?: number;
  readonly hours?: number;
  readonly minutes?: number;
  readonly seconds?: number;
}

/** The one clock that tokens, streams and exchange hours of a mock go by. It moves forward only, except by a reset or a restored snapshot. */
export interface MockClock {
  now(): Promise<Date>;
  /** Lets time pass, frozen or not: a span, or seconds. */
  advance(by: Span | number): Promise<Date>;
  /** Goes forward to an instant. */
  set(instant: Date | string): Promise<Date>;
  freeze(): Promise<Date>;
  unfreeze(): Promise<Date>;
}

export interface TokenWish {
  /** The account of the token; without it the token is a client-credentials token of the owner. */
  readonly account?: string;
  /** Without it the mock takes a client that may have the scopes. */
  readonly clientId?: string;
  readonly scopes: readonly string[];
}

/** A token that the mock remembers; the text is shortened, so that a list gives no token away. */
export interface TokenInfo {
  readonly token: string;
  readonly kind: 'access' | 'refresh';
  readonly account: string;
  readonly client_id: string;
  readonly scopes: readonly string[];
  readonly issued_at: string;
  readonly expires_at: string | null;
  readonly state: 'live' | 'expired' | 'used' | 'revoked';
}

export interface ConsentDecision {
  /** The authorization URL, complete, as `authorizationUrl` makes it. */
  readonly url: string;
  readonly account: string;
  readonly decision?: 'approve' | 'deny';
  /** A part of what is asked for, separated by spaces; everything without it. */
  readonly scope?: string;
}

/** What the user's browser would have met. Give `location` to `readRedirect`. */
export interface ConsentOutcome {
  readonly status: number;
  readonly location: string | null;
  /** The page, where there was one and no redirect. */
  readonly body?: string;
}

export interface StashEvent {
  readonly realm?: Realm;
  readonly op: 'list' | 'update' | 'unlist';
  /** Left out with `list` for a new stash. */
  readonly stash?: string;
}

/**
 * Everything that a test wants from a mock and that no client can ask for (openapi/control.yaml). Calls reject with a
 * `MockCallError`, which names the call and says what is wrong.
 */
export interface MockControl {
  /** Address of the data API and of the authorization server. */
  readonly url: string;
  readonly controlUrl: string;
  readonly clock: MockClock;
  readonly journal: MockJournal;
  readonly faults: MockFaults;
  readonly limits: MockLimits;
  readonly snapshots: MockSnapshots;
  /**
   * A mock of its own under `/ns/<name>` of this one, made where it is not there: same world, and nothing else in common.
   * Give its `url` to the client under test. `snapshot` names a snapshot of this mock to begin with.
   */
  namespace(name: string, options?: { readonly snapshot?: string }): Promise<MockNamespace>;
  /** Makes a token without asking anybody, as good as one from a grant. */
  issueToken(wish: TokenWish): Promise<TokenResponse>;
  tokens(): Promise<readonly TokenInfo[]>;
  /** Revokes one token. A token that the mock does not know is no error. */
  revokeToken(text: string): Promise<void>;
  /** Opens an authorization URL as the browser of an account, and approves (or denies). */
  consent(decision: ConsentDecision): Promise<ConsentOutcome>;
  /** The user's applications page: every token of the account for the client. */
  revokeByUser(account: string, clientId: string): Promise<void>;
  /** The application's settings page: every client-credentials token of the client. */
  revokeByApplication(clientId: string): Promise<void>;
  /** Makes a change that the public stash stream shows when its delay of five minutes is over. */
  stashEvent(event: StashEvent): Promise<{ id: string; at: string }>;
  /** World, tokens, clock, faults and limits as at the start; the journal is empty. */
  reset(): Promise<void>;
}

/** A namespace: it ends when it is removed, or not used for an hour. */
export interface MockNamespace extends Omit<MockControl, 'namespace'> {
  remove(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * The control of a mock that runs at `url`, in this process or another one. Nothing is sent until something is asked.
 * @throws TypeError where `url` is no address
 */
export function connectMock(url: string, options: ConnectOptions = {}): MockControl {
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url))
    throw new TypeError(`connectMock: ${JSON.stringify(url)} is no address; write one such as http://127.0.0.1:4010`);
  const base = url.replace(/(?<!\/)\/+$/, '');
  const controlUrl = `${base}/__control`;
  const calls = controlCalls(controlUrl, options);
  const { get, post } = calls;
  const moved = async (change: object): Promise<Date> => instant(await post('/clock', change));
  return {
    url: base,
    controlUrl,
    clock: {
      now: async () => instant(await get('/clock')),
      advance: (by) => moved({ advance: typeof by === 'number' ? by : secondsOf(by) }),
      set: (to) => moved({ set: typeof to === 'string' ? to : to.toISOString() }),
      freeze: () => moved({ frozen: true }),
      unfreeze: () => moved({ frozen: false }),
    },
    journal: journalOf(calls),
    faults: faultsOf(calls),
    limits: limitsOf(calls),
    snapshots: snapshotsOf(calls),
    namespace: async (name, { snapshot } = {}) => {
      await post('/namespaces', { name, ...(snapshot !== undefined && { snapshot }) });
      const remove = (): Promise<void> => post<void>('/namespaces/removals', { name });
      return { ...connectMock(`${base}/ns/${name}`, options), remove, [Symbol.asyncDispose]: remove };
    },
    issueToken: ({ account, clientId, scopes }) =>
      post<TokenResponse>('/tokens', { account, client_id: clientId, scopes }),
    tokens: async () => (await get<{ tokens: TokenInfo[] }>('/tokens')).tokens,
    revokeToken: (token) => post<void>('/tokens/revocations', { token }),
    consent: ({ decision = 'approve', ...rest }) => post<ConsentOutcome>('/consent', { ...rest, decision }),
    revokeByUser: (account, clientId) => post<void>('/revocations', { by: 'user', account, client_id: clientId }),
    revokeByApplication: (clientId) => post<void>('/revocations', { by: 'application', client_id: clientId }),
    stashEvent: ({ realm = 'pc', ...rest }) => post<{ id: string; at: string }>('/stash-events', { realm, ...rest }),
    reset: () => post<void>('/reset'),
  };
}

const lengths: Readonly<Record<keyof Span, number>> = { days: 86_400, hours: 3600, minutes: 60, seconds: 1 };

/** @throws TypeError where it has none of the members of a span, or another one */
function secondsOf(by: Span): number {
  const given = Object.entries(by ?? {}) as [keyof Span, number][];
  const stray = given.find(([unit]) => !Object.hasOwn(lengths, unit));
  if (given.length === 0 || stray) {
    const got = stray ? `"${stray[0]}"` : 'nothing';
    throw new TypeError(`clock.advance has ${got}; give seconds, or ${Object.keys(lengths).join(', ')}`);
  }
  return given.reduce((sum, [unit, count = 0]) => sum + lengths[unit] * count, 0);
}

const instant = ({ now }: { now: string }): Date => new Date(now);
