import type { CopyCall, WorldLanes } from '../result.js';
import { grantOf } from './call.js';
import type { Call } from './call.js';
import { copyStarts } from './copies.js';
import type { AuditRow } from './row.js';
import type { CopyEnd, WorldRun } from './run.js';

/** Who sent a call in a world of copies. */
export function senderOf({ start, copy }: Pick<Call, 'start' | 'copy'>): string {
  if (start === copyStarts.login) return 'the login';
  if (start === copyStarts.last) return 'the last start';
  return copy === undefined ? 'a copy' : `copy ${copy}`;
}

/** Calls of a lane that are told. */
const most = 8;

/** What each copy of a world did, and what rows of copies have against it; undefined where there were none. `hide` hides secrets. */
export function lanesOf(
  run: WorldRun,
  rows: readonly AuditRow[],
  hide: (text: string) => string,
): WorldLanes | undefined {
  const { world, copies, calls } = run;
  if (!copies) return undefined;
  const found = rows
    .filter((row) => row.copies)
    .map(({ id, judge }) => ({ id, violations: judge?.(run).violations ?? [] }))
    .filter(({ violations }) => violations.length > 0);
  const wrong = new Set(found.flatMap(({ violations }) => violations.flatMap((one) => one.calls)));
  const lanes = [
    ...numbersOf(copies, calls).map((copy) => ({
      name: `copy ${copy}`,
      end: copies.find((end) => end.start === copyStarts.together && end.copy === copy),
      calls: calls.filter((call) => call.start === copyStarts.together && call.copy === copy),
    })),
    {
      name: 'a copy',
      end: undefined,
      calls: calls.filter(({ start, copy }) => start === copyStarts.together && copy === undefined),
    },
    {
      name: 'last start',
      end: copies.find(({ start }) => start === copyStarts.last),
      calls: calls.filter(({ start }) => start === copyStarts.last),
    },
  ].filter(({ end, calls: own }) => end !== undefined || own.length > 0);
  return {
    world: world.id,
    title: world.title,
    blamed: found.map(({ id }) => id),
    lanes: lanes.map(({ name, end }) => ({ name, ...(end && { end: endOf(end) }) })),
    calls: lanes
      .flatMap(({ calls: own }, lane) => steps(own, wrong).map((step) => ({ lane, ...step, text: hide(step.text) })))
      .toSorted((one, other) => one.from - other.from),
  };
}

const numbersOf = (copies: readonly CopyEnd[], calls: readonly Call[]): number[] =>
  [
    ...new Set(
      [...copies, ...calls].flatMap(({ start, copy }) =>
        start === copyStarts.together && copy !== undefined ? [copy] : [],
      ),
    ),
  ].toSorted((one, other) => one - other);

type Step = Omit<CopyCall, 'lane'>;

/** The calls of a lane; data requests that worked, one after the other, are one step, and what is past the most another. */
function steps(calls: readonly Call[], wrong: ReadonlySet<Call>): Step[] {
  const runs: Call[][] = [];
  for (const call of calls) {
    const last = runs.at(-1);
    if (last && isPlain(call, wrong) && isPlain(last[0]!, wrong)) last.push(call);
    else runs.push([call]);
  }
  const rest = runs.slice(most).flat();
  return [
    ...runs
      .slice(0, most)
      .map((same) => stepOf(same, same.length === 1 ? nameOf(same[0]!) : `${same.length} × data 200`, wrong)),
    ...(rest.length === 0 ? [] : [stepOf(rest, `${rest.length} more`, wrong)]),
  ];
}

const isPlain = (call: Call, wrong: ReadonlySet<Call>): boolean => call.data && call.status === 200 && !wrong.has(call);

function stepOf(calls: readonly Call[], text: string, wrong: ReadonlySet<Call>): Step {
  const end = Math.max(...calls.map((call) => call.end));
  return {
    from: Math.round(calls[0]!.at),
    ...(calls.at(-1)!.status !== null && { to: Math.round(end) }),
    text,
    isWrong: calls.some((call) => wrong.has(call)),
  };
}

const names: Readonly<Record<string, string>> = { refresh_token: 'refresh', authorization_code: 'code exchange' };

function nameOf(call: Call): string {
  const grant = grantOf(call);
  const what =
    grant !== null
      ? (names[grant] ?? grant.slice(0, 40))
      : call.operation === 'authorize'
        ? 'authorize'
        : call.browser
          ? 'consent'
          : `${call.method} ${call.path.slice(0, 40)}`;
  return `${what} ${call.status ?? 'unanswered'}`;
}

const endOf = ({ ending: { how, code, signal }, killed }: CopyEnd): string =>
  killed ? 'killed' : how === 'exit' ? `code ${code}` : how === 'time' ? 'stopped' : (signal ?? how);
