import { operationList } from '../../../src/contract/index.js';
import { replyOf } from '../call.js';
import type { Call } from '../call.js';
import type { AuditRow, AuditViolation } from '../row.js';
import { each, groups, violation } from '../row.js';
import type { WorldRun } from '../run.js';
import { askedBy } from './queries.js';
import { dataCalls, isPage } from './requests.js';

type Judge = NonNullable<AuditRow['judge']>;

/** Until when a reply asks to wait, ms since the world began. */
function dueOf(call: Call, epoch: number): number | undefined {
  const text = call.replyHeaders['retry-after'];
  if (text === undefined) return undefined;
  return /^\d+$/.test(text) ? call.end + Number(text) * 1000 : Date.parse(text) - epoch;
}

/** So many workers may each meet a refusal of their own, and wait. */
export const mostWorkers = 16;
/** Arrivals are whole milliseconds: one may seem to come before the reply that it follows. */
const rounding = 2;
/** A request that was sent before a reply was received arrives no later than so long after it, ms. */
const delay = 30;

const policyOf = (call: Call): string | undefined => call.replyHeaders['x-rate-limit-policy'];

/** Whether two requests are for the same thing. */
export const isSame = (one: Call, other: Call): boolean => one.path === other.path && askedBy(one) === askedBy(other);

const overlap = (one: Call, other: Call): boolean =>
  one !== other && one.at < other.end - rounding && one.end > other.at + rounding;

/**
 * Whether several workers of the client asked at the same time, or in turns, each by a connection of its own: the mock
 * answers so fast that requests which were sent at once need not meet there.
 */
export const hasWorkers = (calls: readonly Call[]): boolean => meet(calls) || takeTurns(calls);

/** Whether two requests were under way at the same time: whoever meets one of those before it meets the one that ends last. */
function meet(calls: readonly Call[]): boolean {
  let longest: Call | undefined;
  for (const call of calls) {
    if (longest && overlap(longest, call)) return true;
    if (!longest || call.end > longest.end) longest = call;
  }
  return false;
}

/** Whether a connection was used again after another one that was used again as well. */
function takeTurns(calls: readonly Call[]): boolean {
  const kept = calls.filter(({ connection }) => connection !== undefined).map(({ connection }) => connection!);
  const [first, last] = [new Map<string, number>(), new Map<string, number>()];
  for (const [at, one] of kept.entries()) {
    if (!first.has(one)) first.set(one, at);
    last.set(one, at);
  }
  const spans = [...first].map(([one, from]) => [from, last.get(one)!] as const).filter(([from, to]) => from < to);
  return spans.some(([from, to]) => spans.some(([other]) => from < other && other < to));
}

/** What comes too early after replies of these statuses. What was sent before such a reply came is not the client's to call back. */
export function waits(statuses: readonly number[], form: RegExp): Judge {
  return (run) => {
    const refusals = dataCalls(run).filter(
      (call) =>
        statuses.includes(call.status ?? 0) &&
        call.delivery === 'sent' &&
        form.test(call.replyHeaders['retry-after'] ?? ''),
    );
    const found = refusals.map((call) => followUp(run, call));
    return {
      exercised: found.filter((one) => one !== undefined).length,
      violations: found.flatMap((one) => (typeof one === 'object' ? one : [])),
    };
  };
}

/** What is wrong with the follow-up of a refusal: `kept` for nothing, undefined where there was none. */
function followUp(run: WorldRun, call: Call): AuditViolation | 'kept' | undefined {
  const due = dueOf(call, run.epoch)!;
  const early = call.end + (due - call.end) * 0.9 - 30;
  const all = dataCalls(run).filter((one) => one.start === call.start && one.bearer === call.bearer);
  const same = all.filter((one) => isSame(one, call));
  // Only who asks for the same thing several times at once can have sent another before this reply came.
  const pool = same.some((one) => overlap(one, call));
  const later = all.filter(
    ({ number, at }) => number > call.number && at > call.end + (pool ? delay : -rounding) && at < early,
  );
  // Where one of several workers asked again in time, that was the follow-up; an earlier one came from another.
  const workers = hasWorkers(all);
  const waited = workers && same.some(({ at }) => at >= early && at < due + 1500);
  const again = waited ? undefined : later.find((one) => isSame(one, call));
  const wait = ((due - call.end) / 1000).toFixed(1);
  if (again)
    return violation(
      `the request again after ${wait} s`,
      `the same request ${Math.max(0, (again.at - call.end) / 1000).toFixed(2)} s after the refusal`,
      call,
      again,
    );
  const stubborn = later.filter((one) => one.status === call.status && policyOf(one) === policyOf(call));
  if (stubborn.length > mostWorkers)
    return violation(
      `nothing for ${wait} s`,
      `${later.length} requests, ${stubborn.length} of them refused likewise`,
      call,
      ...stubborn.slice(0, 3),
    );
  return same.some(({ number, at }) => number > call.number && at >= early) ? 'kept' : undefined;
}

/** Requests for the same thing that follow such a reply. Whoever asked nothing more shows nothing. */
export const repeats = (run: WorldRun, isSuch: (call: Call) => boolean): { first: Call; again: Call[] }[] =>
  groups(
    dataCalls(run).filter((call) => isSuch(call) && call.decision !== 'limited'),
    (call) => `${call.start} ${call.bearer} ${askedBy(call)}`,
  )
    .map(([first, ...again]) => ({ first: first!, again: again.filter(({ at }) => at > first!.end - rounding) }))
    .filter(({ first }) => dataCalls(run).some(({ start, at }) => start === first.start && at > first.end - rounding));

export const hasStatus =
  (status: number) =>
  (call: Call): boolean =>
    call.status === status;

/** Whether what was looked up is not there: 404, or null in the place of what the reply wraps (interface 7). */
export function isMissing(call: Call): boolean {
  const wrapper = operationList.find(({ logical }) => logical === call.operation)?.wrapper;
  return call.status === 404 || (call.status === 200 && wrapper !== undefined && replyOf(call, wrapper) === null);
}

/** Whether nothing else was asked between two requests. */
export const follows = (run: WorldRun, one: Call, next: Call): boolean =>
  !dataCalls(run).some(
    (call) => call.number > one.number && call.number < next.number && call.start === one.start && !isSame(call, one),
  );

/** Tries whose waits can be compared. */
const comparable = 5;
/** Less than this between a failure and the next try is no wait, ms. */
const isHasty = (gap: number): boolean => gap >= -rounding && gap < 100;

/** Requests for the same thing that the world lets fail: more often than makes sense, or at one and the same pace. */
export function loops(
  run: WorldRun,
  hasFailed: (call: Call) => boolean,
  { widens = false, expected }: { readonly widens?: boolean; readonly expected: string },
): ReturnType<Judge> {
  const failed = groups(
    dataCalls(run).filter((call) => hasFailed(call) && call.decision === 'faulted'),
    // Several users of a program may each ask for the same.
    (call) => `${call.start} ${call.client} ${call.account} ${askedBy(call)}`,
  ).filter((same) => same.length > 1);
  return each(failed, (same) => {
    const burst = same.findIndex((call, at) => same[at + 5] !== undefined && same[at + 5]!.at - call.at < 1000);
    if (burst >= 0)
      return violation(expected, '6 tries of the same request within a second', ...same.slice(burst, burst + 3));
    if (same.length > 10)
      return violation('a last try', `${same.length} tries of the same request`, ...same.slice(0, 3));
    const gaps = same.slice(1).map((call, at) => call.at - same[at]!.end);
    const hasty = gaps.findIndex((_, at) => gaps.length >= at + 3 && gaps.slice(at, at + 3).every(isHasty));
    if (widens && hasty >= 0)
      return violation(
        expected,
        '4 tries of the same request, one as soon as the other had failed',
        ...same.slice(hasty, hasty + 3),
      );
    const isEven = Math.max(...gaps) <= 1.5 * Math.min(...gaps) + 50 && Math.max(...gaps) < 2000;
    return widens && same.length >= comparable && isEven
      ? violation(
          'each wait longer than the one before',
          `${same.length} tries, each about ${Math.round(gaps[0]!)} ms after the last`,
          ...same.slice(0, 3),
        )
      : undefined;
  });
}

/** The rules of the policies that worlds have: one counts the requests of a client, the other those of an address. */
const rules = ['client', 'ip'] as const;

/** A window of a policy: how much it allows, and how much of that was used when a reply said so. */
interface Announced {
  readonly rule: (typeof rules)[number];
  readonly hits: number;
  readonly ms: number;
  readonly used: number;
}

/** What a client sends at the edge of a window may arrive so much closer to what it sent before, ms; more where we stood still. */
const jitter = 250;

/** What one of several workers sent before it could know of a reply to another arrives no later than so long after it, ms. */
const unheard = 250;

/**
 * How long ago a reply must have ended for each client to have known of it when it sent its next request, ms. The workers of
 * a client show at any time: the mock answers so fast that their first requests need not meet.
 */
const latenessIn = (all: readonly Call[]): ReadonlyMap<Call['client'], number> =>
  new Map(groups(all, ({ client }) => client ?? '').map((own) => [own[0]!.client, hasWorkers(own) ? unheard : 0]));

/** Whether a page of a stream names the one that is asked for: whoever asks for that has read it. */
const leadsTo = (page: Call, call: Call): boolean =>
  isPage(page) &&
  page.operation === call.operation &&
  page.target !== call.target &&
  page.status === 200 &&
  [call.query.get('id'), call.path.split('/').at(-1)].includes(String(replyOf(page, 'next_change_id')));

/**
 * The newest reply that a client had read when it sent the last of its requests, and the windows that it announces. Which
 * policy an operation has is known from its replies only: the description names none.
 */
function announced(
  before: readonly Call[],
  call: Call,
  late: number,
): { reply: Call; windows: Announced[] } | undefined {
  const read = before.filter(
    (one) => (one.end < call.at - late || leadsTo(one, call)) && one.replyHeaders['x-rate-limit-client'] !== undefined,
  );
  const like = read.findLast(({ operation, start }) => operation === call.operation && start === call.start);
  const reply = read.findLast((one) => like !== undefined && policyOf(one) === policyOf(like));
  if (reply === undefined) return undefined;
  return { reply, windows: rules.flatMap((rule) => windowsOf(rule, reply)) };
}

/** The windows of a rule that a reply announces, and how much of each is used. */
function windowsOf(rule: Announced['rule'], { replyHeaders }: Call): Announced[] {
  const read = (name: string): string[] => (replyHeaders[`x-rate-limit-${name}`] ?? '').split(',');
  const used = read(`${rule}-state`).map((one) => Number(one.split(':', 1)[0]));
  return read(rule)
    .map((one) => one.split(':').map(Number))
    .flatMap(([hits, period], index) =>
      hits && period ? [{ rule, hits, ms: period * 1000, used: used[index] || 0 }] : [],
    );
}

/**
 * Refusals that a client could have avoided by what it had been told: its own requests filled an announced window, alone or
 * with what others had used of it by the newest reply, or it did not wait for `Retry-After`. What a window that ends later
 * than announced refuses, or one that is still full when `Retry-After` is over, is not the client's doing.
 *
 * @returns the refusals, each with the reply that told the client
 */
export function avoidable(run: WorldRun): { call: Call; told: Call }[] {
  const all = dataCalls(run);
  const { others = 0 } = run.world.limit ?? {};
  const lateness = latenessIn(all);
  return all.flatMap((call) => {
    if (call.decision !== 'limited') return [];
    const before = all.filter((one) => one.client === call.client && one.number < call.number);
    const late = lateness.get(call.client)!;
    const refused = before.findLast((one) => one.decision === 'limited' && one.end < call.at - late);
    const due = refused && dueOf(refused, run.epoch);
    if (refused && due !== undefined && call.at < due - 50) return [{ call, told: refused }];
    // The first one after the wait is what the refusal asked for.
    if (refused && !before.some(({ at }) => at > refused.end && at >= (due ?? 0) - 50)) return [];
    const told = announced(before, call, late);
    const isFull = told?.windows.some(({ rule, hits, ms, used }) => {
      // What was refused counts as well: the state that each reply announces says so.
      const counted = rule === 'ip' ? all.filter(({ number }) => number < call.number) : before;
      const own = counted.filter(({ at }) => at > call.at - ms + Math.max(jitter, run.stall));
      const heard = own.filter(({ number }) => number <= told.reply.number).length;
      // Of what the reply said, what cannot have left the window since.
      const known = Math.max(heard, Math.min(used, heard * (1 + others)));
      // Where others use the window too, what is under way tells one of several workers nothing of what is left.
      const underWay = others > 0 && late > 0 ? 0 : own.length - heard;
      return known + underWay >= hits;
    });
    return told && isFull ? [{ call, told: told.reply }] : [];
  });
}
