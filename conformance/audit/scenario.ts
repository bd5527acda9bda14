import type { FaultRule, LimitWindow } from '../../src/client/index.js';
import type { Switches } from '../../src/contract/index.js';
import type { Sparse } from '../../src/server/sparse.js';
import type { Call } from './call.js';
import type { QuietHours } from './quiet-hours.js';

/** Rate limits of the data API, announced in headers as they have been observed. */
export interface Limit {
  readonly windows: readonly LimitWindow[];
  /** Windows of a second rule, which counts what comes from one address. */
  readonly byAddress?: readonly LimitWindow[];
  /** Hits of other applications before each of the client's own. */
  readonly others?: number;
  /** Another policy holds after so many data requests, or the same with other numbers. */
  readonly later?: { readonly after: number; readonly windows: readonly LimitWindow[]; readonly sameName?: true };
}

/** What happens, once, when its time has come; the end of an access token once for each client id and kind of grant. */
export interface Event {
  /** After so many answered data requests, after the first page of a stream, while two with one token are open, or after the first token reply. */
  readonly when: { readonly data: number } | 'page' | 'together' | 'issued';
  readonly do: 'end-access' | 'revoke-user' | 'faults';
}

/**
 * What the browser does that we give to the client. The forgers deliver a callback with another state first: a foreign one
 * or none, one that differs in its last character, the beginning of the right one, or the right one in the other case or
 * with a character before or behind it, or that of an earlier login. `forge-error` delivers the refusal of somebody else, with a foreign state.
 * `reload` loads the page of the callback again, and `twice` at the same moment.
 * `stray` opens a silent connection for a moment and asks for an icon; `hold` opens one and keeps it.
 */
export type Browser =
  | ('approve' | 'deny' | 'late' | 'part' | 'reload' | 'twice')
  | (
      | 'forge'
      | 'forge-stateless'
      | 'forge-last'
      | 'forge-prefix'
      | 'forge-case'
      | 'forge-before'
      | 'forge-behind'
      | 'forge-earlier'
      | 'forge-error'
    )
  | ('stray' | 'hold');

/** Several copies of the client at once, on one store. */
export interface Copies {
  /** How many; as many as the plan says unless told, and never more. */
  readonly count?: number;
  /** Data requests are held for a while until each of them has sent one: a machine does not start all at one moment. */
  readonly meet?: true;
  /** Their access ends when they have met; else it has ended before they start. */
  readonly woken?: true;
  /**
   * How the login is lost while they run: a copy is `killed` when its refresh has been carried out, or while it writes what
   * that returned (`torn`), or the user has `revoked` the grant.
   */
  readonly loss?: 'killed' | 'torn' | 'revoked';
}

/** A way in which a correct service, its users and the network may behave: one world of the audit. */
export interface Scenario {
  readonly id: string;
  readonly title: string;
  /** Why a correct service may do this. */
  readonly because: string;
  readonly edition?: string;
  readonly flags?: Readonly<Record<string, boolean>>;
  readonly switches?: Partial<Switches>;
  readonly volume?: { readonly stashChanges?: number; readonly exchangeHours?: number };
  /** The account that consents; alice unless told. */
  readonly account?: string;
  readonly browser?: Browser;
  /** What the redirect carries beside its own parameters. */
  readonly parameters?: string;
  /** Refresh tokens are not enabled for the application. */
  readonly noRefresh?: boolean;
  /** The secret of the confidential clients; those of the mock unless told. */
  readonly secret?: string;
  readonly faults?: readonly FaultRule[];
  readonly limit?: Limit;
  readonly events?: readonly Event[];
  /** One request that fits is redirected to another origin. */
  readonly redirect?: Pick<FaultRule, 'server' | 'operation' | 'after'>;
  /** Faults that the event `faults` begins. */
  readonly laterFaults?: readonly FaultRule[];
  /** Leagues whose names need percent-encoding come first; characters, matches and tabs have such names. */
  readonly oddNames?: boolean;
  /** The first character and tab of each list, and some public stashes, have a class or type that nobody has named. */
  readonly newValues?: boolean;
  /** The first tab of each list has an id of digits alone that begins with 0, the second one like a number with an exponent. */
  readonly numberIds?: boolean;
  /** Most hours of the exchange history have no trades. */
  readonly quietHours?: QuietHours;
  /** The registered redirect URI of the confidential client has a query. */
  readonly redirectQuery?: string;
  /** The faults end with the first start. */
  readonly recovers?: boolean;
  /** Token replies get a member that nobody has described. */
  readonly extra?: boolean;
  /** Whatever is looked up by name or id is gone: the wrapper is null. */
  readonly gone?: boolean;
  /** Members that may be null or absent are so. */
  readonly sparse?: Sparse;
  /** Dates are those of a place whose clock differs from UTC; texts of filters are left as they are. */
  readonly zone?: true;
  /** JSON replies of the data API get so many bytes of white space. */
  readonly padding?: number;
  /** Replies come compressed to whoever accepts that. */
  readonly compressed?: boolean;
  /** Starts the client once, then so many copies at once, then once more. */
  readonly copies?: Copies;
  /** Starts the client twice, where its plan says how. */
  readonly again?: boolean;
  /** The second start finds what the first one stored, where the plan says so. */
  readonly stores?: boolean;
  /** Seconds after which a start is stopped; the plan's own limit unless told. */
  readonly seconds?: number;
  /** The row that asks whether the client got through. */
  readonly survival?: string;
  /** Whether a call met what makes the world different; without it every answered data request did. */
  readonly met?: (call: Call) => boolean;
}
