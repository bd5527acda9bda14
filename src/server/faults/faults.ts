import type { FaultKind, FaultRule, FaultState } from '../../client/index.js';
import { operationList } from '../../contract/index.js';
import { instead } from '../../input/nearest.js';
import type { Operation } from '../../contract/index.js';
import { mix } from '../../world/chance.js';
import type { Identity } from '../identity.js';
import { complaintOf, SettingProblem } from '../setting.js';

/** Whom rules can name. */
export interface Known {
  readonly clients: ReadonlyMap<string, unknown>;
  readonly accounts: ReadonlyMap<string, unknown>;
}

/** A request, as far as rules look at it. */
export interface Asked {
  readonly operation: Operation;
  readonly identity: Identity;
  /** The `grant_type` of a token request. */
  readonly grant?: string | null | undefined;
}

/** What befalls a request: a delay, and perhaps one rule that decides about the reply. */
export interface Strike {
  /** Real ms. */
  readonly delay: number;
  readonly rule: FaultRule | undefined;
  /** The fault that was applied, in words. */
  readonly reason: string;
}

/** A rule and what it has done. */
export interface Active {
  readonly id: string;
  readonly rule: FaultRule;
  met: number;
  applied: number;
}

/** How many rules there may be at a time. */
const most = 1000;
/** What their delays add up to at most, ms: an hour. A timer takes no more than 24 days, and then waits not at all. */
const longestDelay = 3_600_000;

/** The fields that belong to one kind, or to two. */
const fieldsOf: Readonly<Record<FaultKind, readonly (keyof FaultRule)[]>> = {
  status: ['status', 'error', 'retry_after', 'retry_form'],
  page: ['status', 'retry_after', 'retry_form'],
  redirect: ['status', 'origin'],
  reset: [],
  empty: [],
  hang: [],
  latency: ['ms', 'ms_most'],
  truncated: [],
  incomplete: [],
  drip: ['ms'],
  'lost-reply': [],
};
const requiredOf: Partial<Record<FaultKind, keyof FaultRule>> = {
  status: 'status',
  redirect: 'origin',
  latency: 'ms',
  drip: 'ms',
};
const special = ['status', 'error', 'retry_after', 'retry_form', 'origin', 'ms', 'ms_most'] as const;
/** The statuses of a kind, where not all of 200 to 599 are. */
const statusesOf: Partial<Record<FaultKind, { readonly words: string; readonly has: (status: number) => boolean }>> = {
  status: { words: '400 to 599', has: (status) => status >= 400 },
  redirect: { words: '301, 302, 303, 307 or 308', has: (status) => [301, 302, 303, 307, 308].includes(status) },
};

const operations: ReadonlySet<string> = new Set(operationList.flatMap(({ id, logical }) => [id, logical]));

/** The fault rules of a mock, in the order in which they were added. */
export class Faults {
  #rules: Active[] = [];
  #added = 0;

  get active(): boolean {
    return this.#rules.length > 0;
  }

  /** The rules with what they have done, and how many there ever were. */
  get state(): { readonly rules: readonly Active[]; readonly added: number } {
    return { rules: this.#rules, added: this.#added };
  }

  set state({ rules, added }: { readonly rules: readonly Active[]; readonly added: number }) {
    this.#rules = rules.map((rule) => ({ ...rule }));
    this.#added = added;
  }

  /** Adds rules, all of them or none. `part`: where they were written. @throws SettingProblem */
  add(rules: unknown, known: Known, part = 'faults'): readonly FaultState[] {
    const read = readRules(rules, known, part);
    if (this.#rules.length + read.length > most)
      throw new SettingProblem(part, [], `more than ${most} rules; clear those that are done`);
    const added = read.map((rule) => ({ id: `fault-${++this.#added}`, rule, met: 0, applied: 0 }));
    this.#rules = [...this.#rules, ...added];
    return added.map(stateOf);
  }

  list(): readonly FaultState[] {
    return this.#rules.map(stateOf);
  }

  /** Ends one rule. False if there is none of that id. */
  remove(id: string): boolean {
    const left = this.#rules.filter((rule) => rule.id !== id);
    const found = left.length < this.#rules.length;
    this.#rules = left;
    return found;
  }

  clear(): void {
    this.#rules = [];
  }

  /** What befalls a request: delays add up, of the other rules the first that strikes decides. */
  strike(asked: Asked): Strike | null {
    let delay = 0;
    let decisive: FaultRule | undefined;
    const reasons: string[] = [];
    for (const active of this.#rules) {
      const { rule, id } = active;
      if (!meets(rule, asked) || (decisive && rule.kind !== 'latency')) continue;
      const draw = drawOf(rule, active.met++);
      if (!strikes(active, draw(0))) continue;
      active.applied += 1;
      if (rule.kind === 'latency') delay += delayOf(rule, draw(1));
      else decisive = rule;
      reasons.push(`${id}: ${inWords(rule)}`);
    }
    return reasons.length === 0
      ? null
      : { delay: Math.min(delay, longestDelay), rule: decisive, reason: reasons.join('; ') };
  }
}

const stateOf = ({ id, rule, met, applied }: Active): FaultState => ({ id, ...rule, met, applied });

const meets = (
  { operation, server, grant, client_id: client, account }: FaultRule,
  { operation: { id, logical, server: own }, grant: given, identity }: Asked,
): boolean =>
  (operation === undefined || operation === id || operation === logical) &&
  (server === undefined || server === own) &&
  (grant === undefined || grant === given) &&
  (client === undefined || client === identity.clientId) &&
  (account === undefined || account === identity.account);

/** Numbers from 0 to 1 that follow from the seed and the number of the request alone. */
const drawOf =
  ({ seed = 1 }: FaultRule, met: number) =>
  (which: number): number =>
    mix(mix(mix(seed) ^ met) + which) / 2 ** 32;

const strikes = (
  { rule: { after = 0, times = Infinity, probability = 1 }, met, applied }: Active,
  draw: number,
): boolean => met > after && applied < times && draw < probability;

const delayOf = ({ ms = 0, ms_most: highest = ms }: FaultRule, draw: number): number => ms + (highest - ms) * draw;

function inWords({ kind, status, ms = 0, ms_most: highest }: FaultRule): string {
  if (status !== undefined) return `${kind} ${status}`;
  if (kind === 'latency') return `latency ${ms}${highest === undefined ? '' : ` to ${highest}`} ms`;
  return kind === 'drip' ? `drip over ${ms} ms` : kind;
}

/** @throws SettingProblem for what is no list of rules, and for rules that can never strike as they stand */
function readRules(given: unknown, known: Known, part: string): readonly FaultRule[] {
  const complaint = complaintOf('FaultRuleList', given);
  if (complaint) throw new SettingProblem(part, complaint.pointer, complaint.rule);
  const rules = given as readonly FaultRule[];
  rules.forEach((rule, index) =>
    checkRule(rule, known, (field, text) => {
      throw new SettingProblem(part, [index, field], text);
    }),
  );
  return rules;
}

function checkRule(
  rule: FaultRule,
  { clients, accounts }: Known,
  refuse: (field: string, text: string) => never,
): void {
  const { kind, operation, client_id: client, account, status, ms, ms_most: highest, error } = rule;
  const missing = requiredOf[kind];
  if (missing && rule[missing] === undefined) refuse('kind', `${kind} needs the member ${missing}; add it`);
  const stray = special.find((field) => rule[field] !== undefined && !fieldsOf[kind].includes(field));
  if (stray) refuse(stray, `belongs to another kind, not to ${kind}; leave it out`);
  const statuses = statusesOf[kind];
  if (status !== undefined && statuses && !statuses.has(status))
    refuse('status', `of kind ${kind} is ${statuses.words}`);
  if (rule.retry_form !== undefined && rule.retry_after === undefined)
    refuse('retry_form', 'needs the member retry_after; add it');
  if (operation !== undefined && !operations.has(operation)) refuse('operation', none(operation, operations));
  if (client !== undefined && !clients.has(client)) refuse('client_id', none(client, clients.keys()));
  if (account !== undefined && !accounts.has(account)) refuse('account', none(account, accounts.keys()));
  if (ms !== undefined && highest !== undefined && highest < ms) refuse('ms_most', `is less than ms (${ms})`);
  if (error !== undefined && (status ?? 0) >= 429)
    refuse('error', 'goes with a status from 400 to 428; from 429 on the body is that of the data API');
}

const none = (name: string, known: Iterable<string>): string =>
  `there is no ${JSON.stringify(name)}; ${instead(name, known)}`;
