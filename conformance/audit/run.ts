import type { Realm } from '../../src/contract/index.js';
import type { Call } from './call.js';
import type { Scenario } from './scenario.js';

/** How one start of the client ended. */
export interface Ending {
  /** `exit`: by itself; `time`: it was still running and was stopped; `missing`: there is no such command. */
  readonly how: 'exit' | 'signal' | 'time' | 'missing' | 'failed';
  /** The command, where there is none of that name. */
  readonly command?: string;
  readonly code: number | null;
  readonly signal: string | null;
  readonly ms: number;
  /** The last part of what it wrote, both streams */
  readonly output: string;
  /** Bytes that it wrote. */
  readonly written: number;
  /** Whether there was a file in the folder for what it stores; undefined where it has none. */
  readonly stored?: boolean;
  /** Whether a token that was issued was in such a file. */
  readonly keptToken?: boolean;
  /** Whether one of a user was. */
  readonly keptLogin?: boolean;
  /** The clients of whose users a token was in such a file: a program may have several logins. */
  readonly keptClients?: readonly string[];
  /** Whether one of the tokens that were issued was in what it wrote. */
  readonly printed?: boolean;
  /** Whether one of the client secrets was in what it wrote. */
  readonly printedSecret?: boolean;
  /** A file that held one of them and that every user of the machine can read, if only the folder above lets them. */
  readonly openFile?: string | undefined;
}

/** How a start in a world of copies ended. */
export interface CopyEnd {
  readonly ending: Ending;
  /** Which copy it was, from 1; the login and the last start are 1. */
  readonly copy: number;
  readonly start: number;
  /** Whether it ended as success does. */
  readonly ended: boolean;
  /** The world killed it. */
  readonly killed: boolean;
}

/** What our browser did for the client. */
export interface Visit {
  readonly url: string;
  /** The authorization requests that it led to: the address itself, or where a page of the client's sent the browser. */
  readonly asked: readonly string[];
  /** The callbacks that reached the client's listener: real ones, forged ones and strays. */
  readonly callbacks: readonly Callback[];
  /** Whether the listener takes connections on all addresses of this machine; undefined where nothing tells. */
  readonly exposed?: boolean | undefined;
  readonly problem?: string;
}

/** Headers of the client's replies. */
export interface Handed {
  /** Those that set cookies. */
  readonly cookies: readonly string[];
  /** Where its redirects led. */
  readonly redirects: readonly string[];
}

export interface Callback {
  readonly kind: 'answer' | 'forged' | 'stray' | 'reload';
  readonly at: number;
  /** The code that it carried. */
  readonly code: string | undefined;
  /** The beginning of the pages of HTML that the client answered with. */
  readonly page?: string;
  /** What the client handed to the browser beside them. */
  readonly handed?: Handed;
  /** Status of the client's listener; 0 where it took the request and did not answer, null where nobody listened. */
  readonly status: number | null;
}

/** What the judge knows of the mock's world. */
export interface WorldFacts {
  readonly clients: ReadonlyMap<string, { readonly secret: string | null; readonly public: boolean }>;
  /** Names of leagues and characters. */
  readonly names: ReadonlySet<string>;
  /** The tabs of a league by their ids in lower case; sub-tabs, which tabs in folders are not, each with its parent. */
  readonly tabs: (realm: Realm, league: string) => ReadonlyMap<string, string | undefined>;
  /** Tokens that the client was given in its environment. */
  readonly given: readonly string[];
  /** The two addresses that the client is told, where they differ. */
  readonly addresses?: { readonly data: string; readonly authorization: string };
  /** Whether the service has issued an access token of that text. */
  readonly issued: (token: string) => boolean;
}

/** A request at another origin, to which the service redirected. */
export interface ForeignRequest {
  readonly method: string;
  readonly url: string;
  readonly authorization: string | undefined;
  /** Its beginning. */
  readonly body: string;
}

/** Something that a scenario puts in the client's way. */
export interface Obstacle {
  readonly name: string;
  /** How often the client met it; 0 where the world never came up. */
  readonly applied: number;
  /** Where it did not: why, as in `the client sent one data request; the fault is injected from the third on`. */
  readonly missed?: string;
  /** Whether the world is about it: whatever else was met, a client that did not meet it was not in this world. */
  readonly isOwn?: true;
}

/** One world, over: what the client asked, what it got, and how it ended. */
export interface WorldRun {
  readonly world: Scenario;
  /** The real instant at which the world began, ms since 1970. */
  readonly epoch: number;
  /** The longest that this process stood still meanwhile, ms: what arrived then seems to have come at once. */
  readonly stall: number;
  /** In order of arrival. */
  readonly calls: readonly Call[];
  readonly visits: readonly Visit[];
  /** What the client asked of the control surface; such a world shows nothing. */
  readonly controlCalls: readonly string[];
  /** One for each start. */
  readonly endings: readonly Ending[];
  /** The same in a world of copies, with what they were. */
  readonly copies?: readonly CopyEnd[];
  readonly facts: WorldFacts;
  /** Loopback ports that the client was told to listen on. */
  readonly givenPorts: readonly string[];
  /** What stood in the client's way. None is a world that differs throughout. */
  readonly obstacles: readonly Obstacle[];
  /** What came to the other origin, where the service redirects to one. */
  readonly elsewhere: readonly ForeignRequest[];
  /** Whether each start ended as success does. */
  readonly ended: boolean;
  /** Whether it ended so in the calm world; undefined where the client is not started by us. */
  readonly endedInCalm: boolean | undefined;
}
