import type { LimitEdge, LimitHead, LimitPolicy, LimitRule, LimitSettings, LimitWindow } from '../../client/index.js';
import type { Operation } from '../../contract/index.js';
import type { MeterState } from './meter.js';
import { Meter } from './meter.js';
import { entryOf, readLimits } from './settings.js';

/** Whom a request counts for, by rule; undefined where nobody is known. */
export type Subjects = Readonly<Record<LimitRule['rule'], string | undefined>>;

/** A rule with what it has counted, one row of meters (as many as it has windows) for each subject. */
export interface Counted {
  readonly rule: LimitRule['rule'];
  /** How headers write the rule. */
  readonly title: string;
  readonly windows: readonly LimitWindow[];
  /** Hits of others before each of the subject's own. */
  readonly others: number;
  /** `hits:period:restriction` of each window. */
  readonly shown: string;
  /** `:period:` of each window, as it stands between count and restriction. */
  readonly periods: readonly string[];
  readonly rows: Map<string, readonly Meter[]>;
}

interface Policy {
  readonly name: string;
  readonly counts: 'requests' | 'invalid';
  readonly rules: readonly Counted[];
}

/** A rule of the policy that a request is under, and the meters of its subject. */
export interface Reading {
  readonly counted: Counted;
  readonly meters: readonly Meter[];
}

/** What the limits say to a request. */
export interface Admission {
  /** Name of the policy that headers show, and what it has counted. */
  readonly policy: string;
  readonly readings: readonly Reading[];
  /** Why it is refused, in words, and for how many seconds; null for a request that may pass. */
  readonly refusal: { readonly reason: string; readonly seconds: number } | null;
}

/** The settings, and what each rule has counted for whom: rules in order, the flood of the edge last. */
export interface LimitState {
  readonly settings: LimitSettings | null;
  readonly counted: readonly (readonly (readonly [subject: string, meters: readonly MeterState[]])[])[];
}

/** How many subjects a rule remembers: addresses have no end. The oldest go first. */
const mostSubjects = 10_000;

/** The rate limits of a mock. Nothing is counted until there are some. */
export class Limits {
  #settings: LimitSettings | null = null;
  #policies: readonly Policy[] = [];
  /** Operation id to the policies that it is under. */
  #byOperation = new Map<string, readonly Policy[]>();
  #flood: Counted | null = null;

  get active(): boolean {
    return this.#settings !== null;
  }

  get settings(): LimitSettings | null {
    return this.#settings;
  }

  /** Changes the limits. What was counted stays for windows that stay. @throws SettingProblem, and nothing has changed */
  set(given: unknown): void {
    const settings = readLimits(given);
    const earlier = this.#policies;
    this.#settings = settings;
    this.#policies = (settings?.policies ?? []).map((policy) => policyOf(policy, earlier));
    this.#byOperation = new Map();
    this.#flood = floodOf(settings?.edge, this.#flood);
  }

  get state(): LimitState {
    const counted = this.#counted().map(({ rows }) =>
      [...rows].map(([subject, meters]) => [subject, meters.map(({ state }) => state)] as const),
    );
    return { settings: this.#settings, counted };
  }

  set state({ settings, counted }: LimitState) {
    this.set(settings ?? 'off');
    this.forget();
    this.#counted().forEach((rule, index) => {
      for (const [subject, states] of counted[index] ?? [])
        rowOf(rule, subject).forEach((meter, at) => (meter.state = states[at] ?? meter.state));
    });
  }

  #counted(): Counted[] {
    return [...this.#policies.flatMap(({ rules }) => rules), ...(this.#flood ? [this.#flood] : [])];
  }

  /** Forgets what was counted. */
  forget(): void {
    for (const { rules } of this.#policies) for (const { rows } of rules) rows.clear();
    this.#flood?.rows.clear();
  }

  /** Why the edge refuses a request, in words; null where it lets it through. */
  edge(address: string, userAgent: string | undefined, now: number): { reason: string; seconds: number | null } | null {
    if (this.#settings?.edge?.user_agent && !userAgent?.trim())
      return { reason: 'the request has no User-Agent header; send one that names the program', seconds: null };
    if (!this.#flood) return null;
    const [meter] = rowOf(this.#flood, address);
    const [window] = this.#flood.windows;
    const seconds = meter && window ? hit(meter, window, now) : 0;
    return seconds === 0 ? null : { reason: `a flood from ${address}: refused for ${seconds} s more`, seconds };
  }

  /** How HEAD of an operation is dealt with, where not like GET. */
  headOf({ id }: Operation): LimitHead | undefined {
    return entryOf(this.#settings?.head ?? [], id);
  }

  /** Counts a request, unless told, and says whether it may pass; null for an operation without limits. */
  admit(operation: Operation, subjects: Subjects, now: number, counts = true): Admission | null {
    let requests: Policy | undefined;
    let counting: readonly Reading[] = [];
    for (const policy of this.#policiesOf(operation)) {
      const readings = readingsOf(policy, subjects);
      const refusal = restriction(policy, readings, now);
      if (refusal) return { policy: policy.name, readings, refusal };
      if (policy.counts === 'requests') {
        requests = policy;
        counting = readings;
      }
    }
    if (!requests) return null;
    if (counts) for (const reading of counting) hitAll(reading, now);
    return { policy: requests.name, readings: counting, refusal: restriction(requests, counting, now) };
  }

  /** Counts a reply that was a 4xx, where a policy counts those. */
  settle(operation: Operation, subjects: Subjects, status: number, now: number): void {
    if (status < 400 || status > 499) return;
    for (const policy of this.#policiesOf(operation)) {
      if (policy.counts !== 'invalid') continue;
      for (const reading of readingsOf(policy, subjects)) hitAll(reading, now);
    }
  }

  #policiesOf({ id }: Operation): readonly Policy[] {
    const known = this.#byOperation.get(id);
    if (known) return known;
    const policies = this.#settings?.policies ?? [];
    const chosen = (['requests', 'invalid'] as const).flatMap((counts) => {
      const candidates = policies.filter((policy) => (policy.counts ?? 'requests') === counts);
      const found = entryOf(candidates, id);
      return found ? [this.#policies[policies.indexOf(found)]!] : [];
    });
    this.#byOperation.set(id, chosen);
    return chosen;
  }
}

function hitAll({ counted: { windows, others }, meters }: Reading, now: number): void {
  for (let hits = 0; hits <= others; hits++)
    for (let index = 0; index < meters.length; index++) hit(meters[index]!, windows[index]!, now);
}

/** Counts a hit unless the subject is restricted; seconds of restriction that follow, 0 for none. */
function hit(meter: Meter, { hits, restriction: seconds }: LimitWindow, now: number): number {
  if (meter.until <= now && meter.add(now) > hits) meter.until = now + seconds * 1000;
  return meter.restricted(now);
}

function restriction({ name, counts }: Policy, readings: readonly Reading[], now: number): Admission['refusal'] {
  let longest: Admission['refusal'] = null;
  for (const {
    counted: { rule, windows },
    meters,
  } of readings) {
    for (let index = 0; index < meters.length; index++) {
      const seconds = meters[index]!.restricted(now);
      if (seconds === 0 || seconds <= (longest?.seconds ?? 0)) continue;
      const { hits, period } = windows[index]!;
      const what = counts === 'requests' ? 'requests' : 'requests that ended in 4xx';
      const reason = `policy ${name}, rule ${rule}: more than ${hits} ${what} in ${period} s; refused for ${seconds} s more`;
      longest = { reason, seconds };
    }
  }
  return longest;
}

function readingsOf({ rules }: Policy, subjects: Subjects): Reading[] {
  const readings: Reading[] = [];
  for (const counted of rules) {
    const subject = subjects[counted.rule];
    if (subject === undefined) continue;
    readings.push({ counted, meters: rowOf(counted, subject) });
  }
  return readings;
}

function rowOf({ rows, windows }: Counted, subject: string): readonly Meter[] {
  const known = rows.get(subject);
  if (known) return known;
  const meters = windows.map((window) => new Meter(window));
  for (const oldest of rows.keys()) {
    if (rows.size < mostSubjects) break;
    rows.delete(oldest);
  }
  rows.set(subject, meters);
  return meters;
}

function policyOf({ name, counts = 'requests', rules }: LimitPolicy, earlier: readonly Policy[]): Policy {
  const same = earlier.find((policy) => policy.name === name && policy.counts === counts);
  return {
    name,
    counts,
    rules: rules.map((rule) =>
      counted(
        rule,
        same?.rules.find((other) => other.rule === rule.rule),
      ),
    ),
  };
}

/** A rule with the meters of its earlier form, where a window has the same period and buckets. */
function counted({ rule, shown: title = rule, windows, others = 0 }: LimitRule, earlier: Counted | undefined): Counted {
  const rows = new Map<string, readonly Meter[]>();
  const places = windows.map(({ period, bucket = 1 }) =>
    (earlier?.windows ?? []).findIndex((old) => old.period === period && (old.bucket ?? 1) === bucket),
  );
  for (const [subject, meters] of earlier?.rows ?? [])
    rows.set(
      subject,
      windows.map((window, index) => meters[places[index] ?? -1] ?? new Meter(window)),
    );
  const shown = windows.map(({ hits, period, restriction }) => `${hits}:${period}:${restriction}`).join(',');
  return { rule, title, windows, others, shown, periods: windows.map(({ period }) => `:${period}:`), rows };
}

function floodOf(edge: LimitEdge | undefined, earlier: Counted | null): Counted | null {
  if (!edge?.flood) return null;
  return counted({ rule: 'ip', windows: [edge.flood] }, earlier ?? undefined);
}
