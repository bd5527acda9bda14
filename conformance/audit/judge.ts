import type { RowResult, TraceStep } from '../result.js';
import { clip } from '../text.js';
import type { Call } from './call.js';
import type { AuditRow, Finding, AuditViolation } from './row.js';
import type { WorldRun } from './run.js';
import { auditLedger } from './ledger.js';
import { wayTo } from './reach.js';
import { senderOf } from './copy-lanes.js';
import { connectionMark, copyMark } from './owner.js';
import { redactor } from './redact.js';
import type { Redactor } from './redact.js';
import { clientAnchor } from '../section-link.js';

/** What is known of a row over all worlds. */
interface Judged extends Finding {
  /** The world of the first violation. */
  readonly world: WorldRun | undefined;
}

export interface JudgeOptions {
  /** The command that runs a row again in a world. */
  readonly replay: (row: string, world: string) => string;
  /** Why nothing was asked, where nothing was. */
  readonly obstacle?: string;
}

/** The verdict on each row, from what all worlds showed. */
export function judge(rows: readonly AuditRow[], runs: readonly WorldRun[], options: JudgeOptions): RowResult[] {
  const hide = redactor(runs);
  return rows.map((row) =>
    resultOf(row, options.obstacle === undefined ? findingOf(row, runs) : nothing(options.obstacle), {
      ...options,
      hide,
      runs,
    }),
  );
}

const nothing = (obstacle: string): Judged => ({ exercised: 0, violations: [], obstacle, world: undefined });

/** Why a world shows nothing: the client called the control surface, which would let it switch the world off. */
export function controlledBy({ controlCalls }: WorldRun): string | undefined {
  const [first] = controlCalls;
  if (first === undefined) return undefined;
  const more = controlCalls.length > 1 ? ` and ${controlCalls.length - 1} more` : '';
  return `the client called the control surface (${first}${more}), which is closed in an audit; leave out what resets or configures the mock where GAMEDATA_CONTROL_URL is not set`;
}

function findingOf(row: AuditRow, all: readonly WorldRun[]): Judged {
  const open = all.filter(({ controlCalls }) => controlCalls.length === 0);
  const runs = open.filter(({ world }) => (world.copies !== undefined) === (row.copies === true));
  if (open.length === 0) return nothing(all.map(controlledBy).find((why) => why !== undefined) ?? '');
  if (row.across) {
    const found = row.across(runs);
    return { ...found, world: runs.find(({ world }) => world.id === found.world) ?? runs[0] };
  }
  const found = runs.map((run) => ({ run, finding: row.judge?.(run) ?? { exercised: 0, violations: [] } }));
  const wrong = found.filter(({ finding }) => finding.violations.length > 0);
  const worst = wrong.find(({ run }) => causeOf(row, run) === undefined);
  const obstacle = found.find(({ finding }) => finding.obstacle !== undefined)?.finding.obstacle;
  const [first] = wrong;
  const cause = first && causeOf(row, first.run);
  if (!worst && first && cause)
    return {
      exercised: 0,
      violations: [],
      obstacle: `in the world ${first.run.world.id} it is a consequence of ${cause.id}: fix that first`,
      world: first.run,
    };
  return {
    exercised: found.reduce((sum, { finding }) => sum + finding.exercised, 0),
    violations: worst?.finding.violations ?? [],
    ...(obstacle !== undefined && { obstacle }),
    world: worst?.run,
  };
}

/** The rows that what a client did in one world violates, as far as one world shows it. */
export const violatedIn = (run: WorldRun): readonly string[] =>
  auditLedger
    .filter(({ level, copies = false }) => level !== 'ADVICE' && copies === (run.world.copies !== undefined))
    .filter((row) => (row.judge?.(run).violations.length ?? 0) > 0 && causeOf(row, run) === undefined)
    .map(({ id }) => id);

/** What else the client did wrong in a world that explains the violation of a row there. */
function causeOf(row: AuditRow, run: WorldRun): AuditRow | undefined {
  const { survival } = run.world;
  // A client that could not read a page does not know what it says of the next one.
  const reading = /^(STREAM|EXCHANGE)-/.test(row.id) && survival?.startsWith('READ-') ? [survival] : [];
  return [...(row.follows ?? []), ...reading]
    .map((id) => auditLedger.find((one) => one.id === id))
    .find(
      (cause) =>
        // Of two that explain each other the one that names the other is the consequence.
        cause?.follows?.includes(row.id) !== true && (cause?.judge?.(run).violations.length ?? 0) > 0,
    );
}

function resultOf(
  row: AuditRow,
  { exercised, violations, obstacle, world }: Judged,
  { replay, hide, runs }: JudgeOptions & { readonly hide: Redactor; readonly runs: readonly WorldRun[] },
): RowResult {
  const { id, level, sentence, source, compares } = row;
  const [first] = violations;
  const shared = {
    id,
    level,
    title: `[${id} ${level}] ${sentence.replace(/\.$/, '')}`,
    statement: sentence,
    section: source,
    link: `requirements.html#${clientAnchor(id)}`,
    group: id.replace(/-\d+$/, ''),
    how: 'monitor',
    exercised,
    notes: [],
    ms: 0,
  } as const;
  if (first) {
    const failure = {
      ...evidence(first, world, hide),
      replay: replay(id, compares?.join(',') ?? world?.world.id ?? 'calm'),
    };
    if (level !== 'ADVICE') return { ...shared, verdict: 'fail', failure };
    const where = world ? ` in the world ${world.world.id}` : '';
    return { ...shared, verdict: 'warn', reason: `expected ${failure.expected}; got ${failure.got}${where}`, failure };
  }
  if (exercised > 0) return { ...shared, verdict: 'pass' };
  if (obstacle !== undefined) return { ...shared, verdict: 'could not run', reason: obstacle };
  return { ...shared, verdict: 'not exercised', reason: wayTo(row, runs) };
}

function evidence(
  { expected, got, calls }: AuditViolation,
  run: WorldRun | undefined,
  hide: Redactor,
): Omit<NonNullable<RowResult['failure']>, 'replay'> {
  const { world } = run ?? {};
  return {
    expected: hide.text(expected),
    got: hide.text(got),
    ...(world && { smallest: `world ${world.id}: ${world.title}. ${world.because}` }),
    trace: [...new Set(calls)]
      .slice(0, 6)
      .toSorted((one, other) => one.number - other.number)
      .map((call) => step(call, hide, world?.copies && senderOf(call))),
    script: '',
    seed: 1,
    paths: {},
  };
}

/** A request and its reply as a line of a journal: when, what, and what was decided. */
function step(call: Call, { text, header }: Redactor, note: string | undefined): TraceStep {
  const { cookie, [copyMark]: copy, [connectionMark]: connection, ...headers } = call.headers;
  void [cookie, copy, connection];
  const shown = (given: Readonly<Record<string, string>>): Record<string, string> =>
    Object.fromEntries(Object.entries(given).map(([name, value]) => [text(name), header(name, value)]));
  return {
    method: call.method,
    url: text(call.target),
    headers: { 'x-at': `${(call.at / 1000).toFixed(3)} s`, ...shown(headers) },
    ...(call.body !== '' && { body: clip(text(call.body), 2000) }),
    status: call.status ?? 0,
    ...(note !== undefined && { note }),
    responseHeaders: {
      'x-decision': `${call.decision}, ${call.delivery}${call.reason === undefined ? '' : `: ${text(call.reason)}`}`,
      ...shown(call.replyHeaders),
    },
    responseBody: /^text\/html/i.test(call.replyHeaders['content-type'] ?? '')
      ? '(a page)'
      : clip(text(call.text.slice(0, 4000)), 1500),
  };
}
