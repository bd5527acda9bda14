import type { Core } from './histories/history.js';
import type { Verdict } from './verdict.js';

export type Level = 'MUST' | 'MUST-RFC' | 'SHOULD-RFC' | 'INFER' | 'MAY' | 'UNSPEC' | 'ADVICE';

/** One request of a failure's trace, secrets replaced by `${NAME}` of the shell variable that holds them. */
export interface TraceStep {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly status: number;
  readonly responseHeaders: Readonly<Record<string, string>>;
  /** At most a few kilobytes. */
  readonly responseBody: string;
  /** A hook did it, and by what. The status is 0 where the hook tells none. */
  readonly by?: 'adapter' | 'control' | 'form' | 'auto';
  /** What the exchange itself does not say, such as by how much the clock has moved so far. */
  readonly note?: string;
}

export interface Failure {
  readonly expected: string;
  readonly got: string;
  /** The request whose answer shows it, such as `GET /league/Standard`; undefined where no single one does. */
  readonly request?: string;
  /** The minimal case after shrinking, as text; undefined where the check has one case. */
  readonly smallest?: string;
  /** The fewest calls of several callers that no order explains. */
  readonly history?: Core;
  /** The minimal case, re-run on fresh state. */
  readonly trace: readonly TraceStep[];
  /** A shell script of curl lines, secrets as environment variables. */
  readonly script: string;
  /** The seed, and fast-check's path to the smallest case of each property of the check by its ordinal. */
  readonly seed: number;
  readonly paths: Readonly<Record<string, string>>;
  /** The command that runs this case again. */
  readonly replay: string;
}

/** What a row needs and the target lacks. */
export interface Missing {
  /** Its name in `capabilities`, or what a check asked for, in words. */
  readonly need: string;
  readonly remedy?: string;
}

export interface RowResult {
  readonly id: string;
  readonly level: Level;
  /** `[TOK-REFRESH-004 MUST] The used refresh token is expired immediately`. */
  readonly title: string;
  readonly statement: string;
  /** Section of the interface, such as `4.2,7`. */
  readonly section: string;
  /** INFER: the sections that it follows from, and how. */
  readonly entailed?: string;
  /** INFER: why no sentence entails it; such a row warns, and fails with `--strict` alone. */
  readonly plausible?: string;
  /** Where the sentence can be read. */
  readonly link: string;
  /** JSON pointer into the contract, such as `/paths/~1profile/get`. */
  readonly pointer?: string;
  /** Requirement group: the id without its number; field rows by their schema. */
  readonly group: string;
  readonly how: 'check' | 'monitor' | 'excluded';
  readonly verdict: Verdict;
  /** The run was to decide it and did not, so that the run is incomplete. */
  readonly incomplete?: boolean;
  /** Why the verdict is not `pass`; for excluded rows, why there is no check. */
  readonly reason?: string;
  /** What the target lacks, for which it could not run. */
  readonly missing?: readonly Missing[];
  /** The number of expectations that were evaluated. */
  readonly exercised: number;
  readonly notes: readonly string[];
  readonly ms: number;
  /** Requests that its check sent. */
  readonly requests?: number;
  /** Of a row that failed, or that would have with `--strict`. */
  readonly failure?: Failure;
  /** The waiver that covers a failure. */
  readonly waived?: { readonly reason: string; readonly issue?: string; readonly expires?: string };
}

/** A machine of the token lifecycle, as data. */
export interface MachineDescription {
  readonly inputs: readonly string[];
  readonly states: readonly {
    /** What the newest tokens are good for. */
    readonly name: string;
    /** The shortest word that leads there, as a list of inputs. */
    readonly access: readonly string[];
    /** By input: the answer, and the number of the state after it. */
    readonly steps: Readonly<Record<string, { readonly output: string; readonly next: number }>>;
  }[];
}

/** A reading of the interface that the server was found to have. */
export interface FoundReading {
  readonly reading: string;
  /** Its entry of gaps.yaml. */
  readonly gap: string;
  /** Whether it is so, always; or else it depends on the state. */
  readonly answer: 'yes' | 'no' | 'depends';
  /** The shortest word that shows it, and for `depends` one that shows the contrary. */
  readonly words: readonly (readonly string[])[];
}

/** What the complete suite of the token lifecycle proves of a server (conformance/machine/README.md). */
export interface Certificate {
  /** Why nothing is proved; left out where something is. */
  readonly withheld?: string;
  readonly client: string;
  /** States of the machine, its inputs, and k: how many states more than these the suite allows for. */
  readonly states: number;
  readonly inputs: number;
  readonly extra: number;
  readonly words: number;
  readonly steps: number;
  readonly readings: readonly FoundReading[];
  /** What follows. */
  readonly sentence?: string;
  /** Under what condition. */
  readonly assumption?: string;
  readonly machine: MachineDescription;
}

/** States and transitions of the token lifecycle that the run covered. */
export interface Lifecycle {
  /** Sequences of actions that ran to their end. */
  readonly words: number;
  readonly states: readonly string[];
  /** `LIVE refresh`: how often that action met that state. */
  readonly transitions: Readonly<Record<string, number>>;
  /** `refresh x 4: 1 succeeded`: the number of races with that outcome. */
  readonly races: Readonly<Record<string, number>>;
  /** Where the complete suite was played. */
  readonly certificate?: Certificate;
}

/** A request of a copy, or several of one kind. Times are milliseconds since the world began. */
export interface CopyCall {
  /** Its place in `lanes`. */
  readonly lane: number;
  readonly from: number;
  /** Left out where nothing was answered. */
  readonly to?: number;
  /** `refresh 400`, `GET /profile 200`, `4 × data 200`. */
  readonly text: string;
  /** It is evidence of a row that did not pass. */
  readonly isWrong: boolean;
}

/** What several copies of a client did at once in a world of an audit, a lane for each. */
export interface WorldLanes {
  readonly world: string;
  readonly title: string;
  /** Ids of the rows that did not pass there. */
  readonly blamed: readonly string[];
  /** `copy 1` with `code 0`, and the last start. How it ended is left out where that is not seen. */
  readonly lanes: readonly { readonly name: string; readonly end?: string }[];
  /** In the order in which they came. */
  readonly calls: readonly CopyCall[];
}

/** A part of a run; `run` is the same for all parts of one. */
export interface Shard {
  /** From 1 to `count`. */
  readonly index: number;
  readonly count: number;
  readonly run: string;
  /** Of its rows. */
  readonly digest: string;
}

/** `$schema` of every report: the `$id` of report.schema.json. */
export const reportSchema = 'urn:game-data-contract:report:1';

/** The result of a run: what `--report` writes as report.json, and what every other format is made from. */
export interface RunReport {
  readonly $schema: string;
  /** Who was judged: a server (verify), where it is left out, or a client (audit). */
  readonly subject?: 'server' | 'client';
  readonly suite: { readonly version: string; readonly ledger: string; readonly contract: string };
  readonly target: {
    readonly name: string;
    readonly base_url: string;
    readonly auth_url: string;
    readonly consent: string;
    /** Effective settings, secrets redacted. */
    readonly settings: Readonly<Record<string, unknown>>;
  };
  readonly seed: number;
  readonly runs: number;
  /** The part of a whole that it is, with `--shard`. */
  readonly shard?: Shard;
  /** The command that runs it again. */
  readonly command: string;
  /** ISO 8601. */
  readonly started: string;
  readonly seconds: number;
  readonly exitCode: 0 | 1 | 2 | 3;
  readonly outcome: 'conformant' | 'not conformant' | 'configuration error' | 'suite error' | 'incomplete';
  /** The outcome in a sentence, such as `Conformant in 812 of 871 applicable requirements; 59 could not run.` */
  readonly summary: string;
  /** Rows by where they stand, as `tally` counts them: a waived failure is `waived` only, a row without a check `excluded`. */
  readonly counts: Readonly<Record<Verdict | 'excluded' | 'waived', number>>;
  readonly requests: { readonly announced: number; readonly sent: number };
  /** What was read instead of sending requests: `gamedata check`. */
  readonly recording?: { readonly files: readonly string[]; readonly exchanges: number; readonly judged: number };
  /** Capabilities: offered or missing, and the number of rows that need them. */
  readonly capabilities: readonly {
    readonly name: string;
    readonly offered: boolean;
    readonly rows: number;
    readonly remedy?: string;
  }[];
  /** Edition flags: as declared, and as observed. */
  readonly edition: Readonly<Record<string, { readonly declared: string; readonly seen: string }>>;
  readonly rows: readonly RowResult[];
  readonly lifecycle?: Lifecycle;
  /** Undocumented fields by schema, and other observations. */
  readonly observations: readonly string[];
  /** Worlds with several copies of the client: `gamedata audit --copies`. */
  readonly copies?: readonly WorldLanes[];
  /** What to set for the next run, such as a lower concurrency. */
  readonly advice?: readonly string[];
  /** Problems of waivers and configuration errors, which concern no row. */
  readonly problems: readonly string[];
}
